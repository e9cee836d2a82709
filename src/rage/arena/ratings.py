"""Ratings of all bots of a match, by OpenSkill."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rage.arena.playing import Played


class Rating(NamedTuple):
    """A rating: the estimated strength of a bot, and the standard deviation of that. All start at
    25, give or take 25/3."""

    mu: float
    sigma: float


def ratings(bots: int, games: Sequence[Played]) -> list[Rating] | None:
    """The ratings of ``bots`` bots after these games, in this order, by the model of Plackett and
    Luce; ``None`` if OpenSkill is not installed. A game ranks its bots by the mean points of their
    sides."""
    try:
        from openskill.models import PlackettLuce
    except ModuleNotFoundError:
        return None
    model = PlackettLuce()
    rated = [model.rating() for _ in range(bots)]
    for game in games:
        seated = sorted({*game.seating})
        scores = [game.points_of(bot) for bot in seated]
        teams = model.rate([[rated[bot]] for bot in seated], scores=scores)
        for bot, (rating,) in zip(seated, teams, strict=True):
            rated[bot] = rating
    return [Rating(each.mu, each.sigma) for each in rated]
