"""Rage small enough to be solved: six rule sets for two players, as trees.

A tree is in sequence form: a *sequence* is one player's moves on a path through the tree, and every
end of the game is a pair of sequences. So a strategy is one vector for each player, and the tree of
all deals and moves, a thousand times longer, need not be kept.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import isclose
from typing import Any, Final, NamedTuple

from rage.bots import bot
from rage.envs.chance import History
from rage.envs.units import unit_rules
from rage.extras import install_command
from rage.rules.editions import ruleset
from rage.rules.ruleset import RuleSet

try:
    import numpy as np
    from numpy.typing import NDArray
except ImportError:
    raise ImportError(f"rage.envs.small needs NumPy: {install_command('envs')}") from None

#: The rule sets by name, from the smallest to the largest, each for a round of two players.
SMALL: Final[Mapping[str, str]] = {
    "one": "poof+pack:wild1.change0.out0.bonus0.mad0+colours:2+ranks:2+schedule:1",
    "one-actions": "poof+pack:wild1.change1.out1.bonus0.mad0+colours:2+ranks:2+schedule:1",
    "two": "poof+pack:wild1.change0.out0.bonus0.mad0+colours:2+ranks:2+schedule:2",
    "two-sealed": (
        "poof+hidden-bids+pack:wild1.change0.out0.bonus0.mad0+colours:2+ranks:2+schedule:2"
    ),
    "two-actions": "poof+pack:wild1.change1.out1.bonus0.mad0+colours:2+ranks:2+schedule:2",
    "three": "poof+pack:wild1.change0.out0.bonus0.mad0+colours:2+ranks:3+schedule:3",
}
Vector = NDArray[np.float64]


def small_rules(name: str) -> RuleSet:
    """A rule set of :data:`SMALL`. Raises ``ValueError`` for another name."""
    if name not in SMALL:
        raise ValueError(f"no small rule set {name!r}: there are {', '.join(SMALL)}")
    return ruleset(SMALL[name], laboratory=True)


class Level(NamedTuple):
    """The decisions of a player at one depth: for each, the sequence that leads to it, and the
    first of the sequences that its moves lead to (within the slice ``after``)."""

    before: NDArray[np.int64]
    first: NDArray[np.int64]
    counts: NDArray[np.int64]
    after: slice


class Side(NamedTuple):
    """One player's part of a tree: its ``decisions`` in the order of their sequences, each as a
    history that leads there, and their ``levels``. Sequence 0 is empty."""

    decisions: list[History]
    levels: list[Level]
    size: int


class Tree(NamedTuple):
    """A game of two players: both sides and, for all ends of the game, the sequences of both and
    the first player's gain, times the chance of that deal."""

    sides: tuple[Side, Side]
    ends: tuple[NDArray[np.int64], NDArray[np.int64]]
    gains: Vector

    @property
    def decisions(self) -> int:
        """The number of decisions (information sets) of both players."""
        return sum(len(side.decisions) for side in self.sides)


class _Found:
    """A tree while it is explored."""

    def __init__(self) -> None:
        self.numbers: tuple[dict[Any, int], ...] = ({}, {})  # of decisions, by what is known
        self.histories: tuple[list[History], ...] = ([], [])
        self.before: tuple[list[int], ...] = ([], [])
        self.first: tuple[list[int], ...] = ([], [])
        self.counts: tuple[list[int], ...] = ([], [])
        self.sizes = [1, 1]
        self.ends: dict[tuple[int, int], float] = {}
        self.histories_seen = 0

    def explore(self, history: History, chance: float, at: tuple[int, int]) -> None:
        """Add everything that can follow a history."""
        self.histories_seen += 1
        seat = history.to_act
        if seat is None:
            if history.over:
                self.ends[at] = self.ends.get(at, 0.0) + chance * history.returns()[0]
                return
            for card, odds in history.outcomes():
                after = history.copy()
                after.apply(card)
                self.explore(after, chance * odds, at)
            return
        moves = history.position.legal_moves
        first = self.first[seat][self._decision(history, seat, at[seat], len(moves))]
        for number, move in enumerate(moves, first):
            after = history.copy()
            after.apply(move)
            self.explore(after, chance, (number, at[1]) if seat == 0 else (at[0], number))

    def _decision(self, history: History, seat: int, before: int, moves: int) -> int:
        """The number of the decision to be made."""
        current = history.rounds[-1]
        known = (
            tuple(current.hands[seat]),
            tuple(current.stock),
            tuple(history.known_moves(0, seat)),
        )
        numbers = self.numbers[seat]
        number = numbers.setdefault(known, len(numbers))
        if number == len(self.histories[seat]):
            self.histories[seat].append(history)
            self.before[seat].append(before)
            self.first[seat].append(self.sizes[seat])
            self.counts[seat].append(moves)
            self.sizes[seat] += moves
        return number


def explore(rules: RuleSet) -> Tree:
    """The tree of a round under these rules, for two players; the second one deals."""
    found = _Found()
    found.explore(History(unit_rules(rules, 2), 1), 1.0, (0, 0))
    sides, names = zip(*(_side(found, seat) for seat in range(2)), strict=True)
    pairs = np.array(list(found.ends), np.int64)
    ends = (names[0][pairs[:, 0]], names[1][pairs[:, 1]])
    return Tree(sides, ends, np.array(list(found.ends.values())))


def _side(found: _Found, seat: int) -> tuple[Side, NDArray[np.int64]]:
    """A player's part of a tree, ordered by level, and the new number of each sequence."""
    before, first, counts = (
        np.array(each[seat], np.int64) for each in (found.before, found.first, found.counts)
    )
    owner = np.repeat(np.arange(len(first)), counts)  # by sequence except the first, its decision
    depth = np.zeros(len(first), np.int64)
    for at, sequence in enumerate(before):  # a decision comes after those that lead to it
        depth[at] = depth[owner[sequence - 1]] + 1 if sequence else 0
    order = np.argsort(depth, kind="stable")
    names = np.zeros(found.sizes[seat], np.int64)
    levels, size = [], 1
    for level in range(int(depth.max()) + 1):
        chosen = order[depth[order] == level]
        starts = np.cumsum(counts[chosen]) - counts[chosen]
        for at, start in zip(chosen, starts, strict=True):
            here = size + start
            names[first[at] : first[at] + counts[at]] = np.arange(here, here + counts[at])
        total = int(counts[chosen].sum())
        levels.append(
            Level(names[before[chosen]], starts, counts[chosen], slice(size, size + total))
        )
        size += total
    return Side([found.histories[seat][at] for at in order], levels, size), names


# --- strategies ----------------------------------------------------------------------------


def uniform(side: Side) -> Vector:
    """The strategy that makes all legal moves with equal odds."""
    odds = np.ones(side.size)
    for level in side.levels:
        odds[level.after] = np.repeat(1 / level.counts, level.counts)
    return odds


def strategy(side: Side, choose: Callable[[History], Mapping[int, float]]) -> Vector:
    """The odds of each move, from a function that returns the odds of a decision's moves. Raises
    ``ValueError`` if they do not add up to 1."""
    odds = np.ones(side.size)
    at = 1
    for history in side.decisions:
        moves = history.position.legal_moves
        chosen = choose(history)
        given = [chosen.get(move, 0.0) for move in moves]
        if not isclose(sum(given), 1, abs_tol=1e-6):
            raise ValueError(f"the odds of the moves {moves} do not add up to 1: {given}")
        odds[at : at + len(moves)] = given
        at += len(moves)
    return odds


def bots_choice(name: str, seeds: int) -> Callable[[History], Mapping[int, float]]:
    """A bot's choices, for :func:`strategy`: the shares of its moves over 1 or more ``seeds``."""
    if seeds < 1:
        raise ValueError(f"seeds are at least 1, not {seeds}")
    if name == "random":
        return lambda history: _alike(history.position.legal_moves)
    players = [bot(name, seed) for seed in range(seeds)]

    def choose(history: History) -> Mapping[int, float]:
        seat, moves = history.to_act, history.position.legal_moves
        assert seat is not None
        if len(moves) == 1:
            return _alike(moves)
        view = history.view(seat)
        shares = dict.fromkeys(moves, 0.0)
        for player in players:
            shares[player.choose(view).number] += 1 / seeds
        return shares

    return choose


def _alike(moves: list[int]) -> dict[int, float]:
    return dict.fromkeys(moves, 1 / len(moves))


def plan(side: Side, odds: Vector) -> Vector:
    """The realization plan of a strategy: the product of a player's odds along each sequence."""
    likely = odds.copy()
    likely[0] = 1.0
    for level in side.levels:
        likely[level.after] *= np.repeat(likely[level.before], level.counts)
    return likely


def odds_of(side: Side, likely: Vector) -> Vector:
    """The inverse of :func:`plan`, with equal odds where a decision is never reached."""
    odds = uniform(side)
    for level in side.levels:
        met = np.repeat(likely[level.before], level.counts)
        np.divide(likely[level.after], met, out=odds[level.after], where=met > 0)
    return odds


def gradient(tree: Tree, seat: int, other: Vector) -> Vector:
    """A player's gain at the ends of each of its sequences, against the other's plan."""
    mine, theirs = tree.ends[seat], tree.ends[1 - seat]
    gains = tree.gains if seat == 0 else -tree.gains
    found = np.bincount(mine, gains * other[theirs], tree.sides[seat].size)
    return found.astype(np.float64, copy=False)


def best_answer(tree: Tree, seat: int, other: Vector) -> float:
    """A player's gain with a best response to the other's plan."""
    gains = gradient(tree, seat, other)
    for level in reversed(tree.sides[seat].levels):
        best = np.maximum.reduceat(gains[level.after], level.first)
        np.add.at(gains, level.before, best)
    return float(gains[0])


def value(tree: Tree, first: Vector, second: Vector) -> float:
    """The first player's gain if both follow these plans."""
    return float(gradient(tree, 0, second) @ first)


def exploitability(tree: Tree, first: Vector, second: Vector) -> float:
    """A perfect opponent's gain per round against these plans, averaged over both seats."""
    return (best_answer(tree, 0, second) + best_answer(tree, 1, first)) / 2


class Solver:
    """CFR+: regrets never fall below 0, players take turns, and the mean favours later plans."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.steps: int = 0
        self._odds = [uniform(side) for side in tree.sides]
        self._plans = [plan(*each) for each in zip(tree.sides, self._odds, strict=True)]
        self._regrets = [np.zeros(side.size) for side in tree.sides]
        self._sums = [np.zeros(side.size) for side in tree.sides]

    def step(self) -> None:
        """Improve the strategies of both players by one pass over the tree."""
        self.steps += 1
        for seat, side in enumerate(self.tree.sides):
            gains = gradient(self.tree, seat, self._plans[1 - seat])
            regrets, odds = self._regrets[seat], self._odds[seat]
            for level in reversed(side.levels):
                after, counts = level.after, level.counts
                met = np.add.reduceat(odds[after] * gains[after], level.first)
                np.add.at(gains, level.before, met)
                regrets[after] += gains[after] - np.repeat(met, counts)
                np.maximum(regrets[after], 0.0, out=regrets[after])
                total = np.add.reduceat(regrets[after], level.first)
                odds[after] = np.repeat(1 / counts, counts)
                total = np.repeat(total, counts)
                np.divide(regrets[after], total, out=odds[after], where=total > 0)
            self._plans[seat] = plan(side, odds)
            self._sums[seat] += self.steps * self._plans[seat]

    @property
    def plans(self) -> tuple[Vector, Vector]:
        """The mean plans of both players, which converge to a solution. Raises ``ValueError``
        before the first step."""
        if not self.steps:
            raise ValueError("step() comes before the first plans")
        first, second = (each / each[0] for each in self._sums)
        return first, second
