"""Ratings of all bots of a match, by OpenSkill."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rage.arena.playing import Played


class Rating(NamedTuple):
    """A rating: what a bot is believed to be worth, and the standard deviation of that belief.
    Everybody begins at 25, give or take 25/3."""

    mu: float
    sigma: float


def ratings(bots: int, games: Sequence[Played]) -> list[Rating] | None:
    """The ratings of so many bots after these games, in this order, by the model of Plackett and
    Luce; ``None`` where OpenSkill is not installed. A game ranks the bots that play it by the mean
    points of the sides that they are."""
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
