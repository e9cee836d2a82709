"""The results of a match: by pair, by bot, and ratings of all bots.

Only complete sets of deals count.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from statistics import fmean
from typing import Any, NamedTuple

from rage.arena.intervals import Estimate, estimate
from rage.arena.match import Match, seatings
from rage.arena.playing import Played
from rage.rules.editions import ruleset

#: The games with one set of deals.
DealSet = list[Played]


class Tally(NamedTuple):
    """The record of a bot in some games: the share of its bids that it met, the share of games that
    it won (several winners split a game), and the milliseconds per move, by the clock and in
    processor time, which other programs disturb less.

    In the games of a pair both have equally many sides, so equal bots win half."""

    bids_met: float
    wins: float
    ms_per_move: float
    cpu_ms_per_move: float


class Pair(NamedTuple):
    """Two bots, by their indices in the match: the first's lead over the second in points per game,
    over all games in which one of them is alone among copies of the other; the lead of each in the
    games in which it is alone; the tally of each; and the first's lead in each set of deals."""

    bots: tuple[int, int]
    ahead: Estimate
    alone: tuple[Estimate, Estimate]
    tallies: tuple[Tally, Tally]
    by_set: list[float]


class Rating(NamedTuple):
    """A rating: the estimated strength of a bot, and its standard deviation. All start at 25 and
    25/3."""

    mu: float
    sigma: float


class Results(NamedTuple):
    """All results of a match. ``mixed``: by bot, its lead in points per game over the mean of all
    others at mixed tables, if there are any; ``tallies`` over all games; ``ratings`` is ``None`` if
    the library for it is missing."""

    match: Match
    deals: int
    games: int
    pairs: list[Pair]
    mixed: list[Estimate] | None
    tallies: list[Tally]
    ratings: list[Rating] | None

    def as_data(self) -> dict[str, Any]:
        """The results as plain data for JSON (``docs/arena.md``)."""
        names = self.match.bots
        rated = self.ratings
        return {
            **self.match._asdict(),
            "deals": self.deals,
            "games": self.games,
            "pairs": [_pair_data(pair, names) for pair in self.pairs],
            "mixed": self.mixed and _by_name(names, map(_estimate_data, self.mixed)),
            "overall": _by_name(names, map(_overall_data, self.tallies)),
            "ratings": rated and _by_name(names, (each._asdict() for each in rated)),
        }


def _by_name(names: Sequence[str], values: Iterable[Any]) -> dict[str, Any]:
    return dict(zip(names, values, strict=True))


def _estimate_data(found: Estimate) -> dict[str, Any]:
    return {
        "difference": found.mean,
        "interval_95": found.interval(found.half_95),
        "interval_99": found.interval(found.half_99),
        "sequence_95": found.interval(found.half_sequence),
        "deals": found.deals,
    }


def _overall_data(tally: Tally) -> dict[str, float]:
    """A tally without the share of games won, which depends on the tables a bot had."""
    data = tally._asdict()
    del data["wins"]
    return data


def _pair_data(pair: Pair, names: Sequence[str]) -> dict[str, Any]:
    mine = [names[bot] for bot in pair.bots]
    alone = _by_name(mine, (each.mean for each in pair.alone))
    data = {"bots": mine, **_estimate_data(pair.ahead), "alone": alone}
    fields = Tally._fields
    return data | {
        field: _by_name(mine, (getattr(each, field) for each in pair.tallies)) for field in fields
    }


def evaluate(match: Match, games: Iterable[Played], deals: int) -> Results | None:
    """The results of the first ``deals`` sets of deals; ``None`` if no set is complete. The order
    of the games does not matter."""
    sets = _complete(match, games, deals)
    if not sets:
        return None
    counted = [game for each in sets for game in each]
    rounds = len(ruleset(match.rules).schedule)
    places = range(len(match.bots))
    mixed = [each for each in map(_mixed_of, sets) if each]
    return Results(
        match,
        len(sets),
        len(counted),
        [_pair(pair, sets, rounds) for pair in combinations(places, 2)],
        [_mixed_ahead(place, mixed) for place in places] if mixed else None,
        [_tally(place, counted, rounds) for place in places],
        ratings(len(match.bots), counted),
    )


def _complete(match: Match, games: Iterable[Played], deals: int) -> list[DealSet]:
    """The sets of deals played from every seating, in the order of the plan."""
    order = seatings(len(match.bots), match.sides)
    by_set: dict[int, dict[Any, Played]] = {}
    for game in games:
        by_set.setdefault(game.number, {})[game.seating] = game
    whole = [n for n in sorted(by_set) if n < deals and len(by_set[n]) == len(order)]
    return [[by_set[number][seating] for seating in order] for number in whole]


def _pair(pair: tuple[int, int], sets: Sequence[DealSet], rounds: int) -> Pair:
    games = [[game for game in each if {*game.seating} == {*pair}] for each in sets]

    first, second = pair

    def ahead(game: Played) -> float:
        return game.points_of(first) - game.points_of(second)

    def alone(bot: int) -> Estimate:
        sign = 1 if bot == first else -1
        mine = [[ahead(game) for game in each if game.seating.count(bot) == 1] for each in games]
        return estimate([sign * fmean(each) for each in mine])

    every = [game for each in games for game in each]
    by_set = [fmean(map(ahead, each)) for each in games]
    return Pair(
        pair,
        estimate(by_set),
        (alone(first), alone(second)),
        (_tally(first, every, rounds), _tally(second, every, rounds)),
        by_set,
    )


def _mixed_of(games: DealSet) -> DealSet:
    """The games at mixed tables, of three bots or more."""
    return [game for game in games if len({*game.seating}) > 2]


def _mixed_ahead(bot: int, sets: Sequence[DealSet]) -> Estimate:
    """The lead of a bot over the others at mixed tables."""

    def ahead(game: Played) -> float:
        pairs = zip(game.seating, game.points, strict=True)
        return game.points_of(bot) - fmean(points for seated, points in pairs if seated != bot)

    return estimate([fmean(ahead(game) for game in each if bot in game.seating) for each in sets])


def _tally(bot: int, games: Sequence[Played], rounds: int) -> Tally:
    """The tally of a bot over the games that it played."""
    met = bids = moves = 0
    wins = seconds = worked = played = 0.0
    for game in games:
        mine = [side for side, seated in enumerate(game.seating) if seated == bot]
        if not mine:
            continue
        played += 1
        bids += rounds * len(mine)
        met += sum(game.met[side] for side in mine)
        moves += sum(game.moves[side] for side in mine)
        seconds += sum(game.seconds[side] for side in mine)
        worked += sum(game.worked[side] for side in mine)
        wins += sum(side in game.winners for side in mine) / len(game.winners)
    return Tally(met / bids, wins / played, 1000 * seconds / moves, 1000 * worked / moves)


def ratings(bots: int, games: Sequence[Played]) -> list[Rating] | None:
    """The ratings of ``bots`` bots after these games, in this order, by the Plackett-Luce model;
    ``None`` if OpenSkill is not installed. A game ranks its bots by the mean points of their
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
