"""The laboratory of variants: what a rule changes, by simulated games under both rule sets.

Each set of deals is played once with the first bot in every seat, and once more for each side with
the second bot there. All but the last three measures are taken from the first of these games. The
last three split a side's result with a set of deals into skill, cards and the rest, as an analysis
of variance does: ``docs/lab.md`` explains how.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import pairwise
from math import fsum
from statistics import fmean
from typing import Any, Final, NamedTuple

from rage.arena.data.rows import Rows
from rage.arena.data.simulation import Simulation, simulate
from rage.arena.intervals import Estimate, estimate
from rage.engine.episode import Episode
from rage.engine.kernel import Rules
from rage.game.account import leads
from rage.game.history import seats_of
from rage.rules.editions import ruleset
from rage.say import NotAllowed

#: How many sets of deals make a piece of work, if they are played in the compiled loop.
_TOGETHER: Final = 25
#: How many groups of sets are left out in turn, for the intervals of shares.
_GROUPS: Final = 50
#: The measures of a single game, and the shares of variance, which need many games.
OF_A_GAME: Final = ("moves", "choices", "points", "spread", "margin", "met", "changes")
SHARES: Final = ("skill", "cards", "rest")
MEASURES: Final = (*OF_A_GAME, *SHARES)


class Study(NamedTuple):
    """Two rule sets to compare, by name; the number of players, the bots, and the seed."""

    rules: tuple[str, str]
    players: int
    bots: tuple[str, ...]
    seed: str

    @classmethod
    def of(cls, rules: str, against: str, players: int, bots: tuple[str, ...], seed: str) -> Study:
        """A study, checked. Raises :class:`rage.NotReadable` and :class:`rage.NotAllowed`."""
        names = ruleset(rules).name, ruleset(against).name
        if names[0] == names[1]:
            raise NotAllowed("lab.same_rules", rules=names[0])
        if len(bots) != 2 or bots[0] == bots[1]:
            raise NotAllowed("lab.two_bots")
        for name in names:
            if Simulation.of(name, players, bots, seed).sides < 2:
                raise NotAllowed("bot.alone")
        return cls(names, players, bots, seed)

    @property
    def together(self) -> int:
        """The number of sets of deals in a piece of work."""
        compiled = Simulation(self.rules[0], self.players, self.bots, self.seed).compiled
        return _TOGETHER if compiled else 1

    @property
    def same_deals(self) -> bool:
        """Whether both rule sets are played with the same hands."""
        rules = (Rules(ruleset(name), self.players) for name in self.rules)
        one, other = ([deal.hands for deal in Episode(each, 1).deals()] for each in rules)
        return one == other


class Played(NamedTuple):
    """A set of deals under one rule set: the measures of its first game, and by side its lead over
    the mean of the others, with the first bot there and with the second."""

    measures: tuple[float, ...]
    first: tuple[float, ...]
    second: tuple[float, ...]


class Measured(NamedTuple):
    """A measure under both rule sets, and the second's difference from the first, paired by set of
    deals."""

    name: str
    values: tuple[Estimate, Estimate]
    difference: Estimate

    @property
    def clear(self) -> bool:
        """Whether the 95 % interval of the difference excludes 0."""
        half = self.difference.half_95
        return half is not None and abs(self.difference.mean) > half


def jobs(study: Study, deals: int) -> Iterator[partial[tuple[int, int, list[Played]]]]:
    """The games to play, in pieces that can run anywhere (:func:`play_sets`)."""
    for first in range(0, deals, study.together):
        for which in range(len(study.rules)):
            yield partial(play_sets, study, which, first, min(study.together, deals - first))


def pieces(study: Study, deals: int) -> int:
    """The number of pieces that :func:`jobs` yields."""
    return len(study.rules) * -(-deals // study.together)


def play_sets(study: Study, which: int, first: int, deals: int) -> tuple[int, int, list[Played]]:
    """Play some sets of deals under one of the rule sets. Raises :class:`rage.NotAllowed` if a bot
    fails."""
    rules, (strong, weak) = study.rules[which], study.bots
    players, sides = study.players, ruleset(rules).teams or study.players
    usual = Simulation(rules, players, (strong,) * players, study.seed)
    rows = simulate(usual, first, deals)
    swapped = []
    for side in range(sides):
        seats = seats_of(side, sides, players)
        bots = tuple(weak if seat in seats else strong for seat in range(players))
        others = simulate(usual._replace(bots=bots), first, deals)
        swapped.append([leads(each)[side] for each in _points(others, sides)])
    mine = [leads(each) for each in _points(rows, sides)]
    measures = _measures(rows, sides)
    theirs = zip(*swapped, strict=True)
    return which, first, list(map(Played, measures, map(tuple, mine), theirs))


def _points(rows: Rows, sides: int) -> list[list[int]]:
    """The points of the sides by game."""
    points, players = rows.tables["games"]["points"], rows.rules.players
    return [[*points[at : at + sides]] for at in range(0, len(points), players)]


def _measures(rows: Rows, sides: int) -> Iterator[tuple[float, ...]]:
    """By game, the measures of ``OF_A_GAME``."""
    players, rounds = rows.rules.players, len(rows.rules.ruleset.schedule)
    made, over = rows.tables["decisions"], rows.tables["rounds"]
    moves = len(made["move"]) // rows.games
    for game, points in enumerate(_points(rows, sides)):
        some = slice(game * moves, (game + 1) * moves)
        legal = zip(made["legal_low"][some], made["legal_high"][some], strict=True)
        choices = sum((low | high << 64).bit_count() > 1 for low, high in legal)
        each = range(game * rounds * players, (game + 1) * rounds * players, players)
        met = fmean(over["met"][at + side] for at in each for side in range(sides))
        leaders = [_leaders(over["score"][at : at + sides]) for at in each]
        changes = sum(one.isdisjoint(other) for one, other in pairwise(leaders))
        best, second, *_ = sorted(points, reverse=True)
        spread, margin = best - min(points), best - second
        yield moves, choices, fmean(points), spread, margin, met, changes


def _leaders(scores: Sequence[int]) -> set[int]:
    most = max(scores)
    return {side for side, score in enumerate(scores) if score == most}


def evaluate(sets: Sequence[Sequence[Played]]) -> list[Measured]:
    """Every measure, from the sets of deals under both rule sets, in the same order; shares only
    from two sets on."""
    found = []
    for at, name in enumerate(OF_A_GAME):
        found.append(_measured(name, [[each.measures[at] for each in some] for some in sets]))
    if len(sets[0]) > 1:
        left_out = [_left_out(some) for some in sets]
        for at, name in enumerate(SHARES):
            found.append(_measured(name, [[each[at] for each in some] for some in left_out]))
    return found


def _measured(name: str, values: Sequence[Sequence[float]]) -> Measured:
    one, other = values
    apart = [b - a for a, b in zip(one, other, strict=True)]
    return Measured(name, (estimate(one), estimate(other)), estimate(apart))


def _left_out(sets: Sequence[Played]) -> list[tuple[float, ...]]:
    """The shares as a mean over groups of sets: the pseudo-values of the jackknife, whose mean has
    the interval of any mean."""
    count = min(_GROUPS, len(sets))
    groups = [_sums(sets[group::count]) for group in range(count)]
    every = _sums(sets)
    whole = shares(every)
    found = []
    for group in groups:
        without = shares([all_of - some for all_of, some in zip(every, group, strict=True)])
        pairs = zip(whole, without, strict=True)
        found.append(tuple(count * a - (count - 1) * b for a, b in pairs))
    return found


def _sums(sets: Sequence[Played]) -> list[float]:
    """The number of pairs of leads, with the first bot and with the second, and the sums of both
    leads, of their squares, and of their products."""
    pairs = [pair for each in sets for pair in zip(each.first, each.second, strict=True)]
    terms = ((1.0, a, b, a * a, b * b, a * b) for a, b in pairs)
    return [fsum(each) for each in zip(*terms, strict=True)]


def shares(sums: Sequence[float]) -> tuple[float, float, float]:
    """The shares of skill, cards and the rest in the variance of a side's lead, if it is as likely
    to be the first bot as the second, and to get any cards in any seat."""
    n, first, second, first_squares, second_squares, products = sums
    skill = ((first - second) / n / 2) ** 2
    cards = (products - first * second / n) / (n - 1)
    alike = (first_squares - first**2 / n + second_squares - second**2 / n) / (n - 1) / 2
    total = skill + alike
    if not total:
        return 0.0, 0.0, 0.0
    return skill / total, cards / total, (alike - cards) / total


def as_data(study: Study, deals: int, found: Sequence[Measured]) -> dict[str, Any]:
    """The results as plain data for JSON (``docs/lab.md``)."""
    told = {**study._asdict(), "deals": deals, "same_deals": study.same_deals}
    return told | {"measures": {each.name: _data(each) for each in found}}


def _data(each: Measured) -> dict[str, Any]:
    def told(found: Estimate) -> dict[str, Any]:
        return {"mean": found.mean, "interval_95": found.interval(found.half_95)}

    return {"values": [*map(told, each.values)], "difference": told(each.difference)}
