"""The deals of an episode from its seed: not provable, but many times faster.

An episode is a round or a game, depending on the schedule of its rules. Everything random in it
(the dealer, the cards, the moves of random bots) depends only on the seed, the number of the table
and the number of the episode, not on what else is played or in which order.
"""

from __future__ import annotations

from typing import Any

from rage.engine.deal import Deal
from rage.rules.hands import cards_of
from rage.rules.number import whole_number
from rage.rules.ruleset import RuleSet
from rage.say import check_kind

try:
    import cython
except ImportError:
    from rage.engine import uncompiled as cython

if not cython.compiled:
    from rage.engine.kernel import (
        DEALING,
        M64,
        NOBODY,
        OVER,
        Rules,
        after,
        deal_random,
        next_below,
        next_random,
        random_move,
    )
    from rage.engine.position import Position
    from rage.engine.uncompiled import Generator, RuleTable, State


def begin_episode(g: Generator, seed: int, table: int, episode: int) -> None:
    """Set the generator to the start of an episode."""
    g.random = seed
    g.random = (next_random(g) + table) & M64
    g.random = (next_random(g) + episode) & M64
    g.random = next_random(g)


def deal_round(g: Generator, s: State, r: RuleTable) -> None:
    """Deal the next round; the first dealer is drawn, and the next seat follows."""
    for i in range(r.pack_size):
        g.pack[i] = r.pack[i]
    dealer = next_below(g, r.n) if s.dealer == NOBODY else after(s.dealer, r.n)
    deal_random(g, s, r, dealer)


class Episode:
    """The deals of one episode: number ``episode`` at table ``table``, from ``seed``, each from 0
    to 2**64 - 1.

    Each :meth:`deal` deals the next round into a position of the same ``rules``. These are the
    deals of :class:`rage.envs.Tables`; a single table is table 0."""

    def __cinit__(self) -> None:
        """When compiled, take the address of the embedded struct."""
        if cython.compiled:
            self.g: Generator = cython.address(self.own_generator)

    def __init__(self, rules: Rules, seed: int, table: int = 0, episode: int = 0) -> None:
        if not cython.compiled:
            self.g = Generator()
        check_kind(rules, Rules, "kernel")
        self.rules: Rules = rules
        numbers = [whole_number(number) for number in (seed, table, episode)]
        if not all(0 <= number <= M64 for number in numbers):
            raise ValueError(f"seed, table and episode are from 0 to 2**64 - 1, not {numbers}")
        begin_episode(self.g, numbers[0], numbers[1], numbers[2])
        self.moves: int = next_random(self.g)
        self.dealt: int = 0
        self.dealer: int = NOBODY

    def deal(self, position: Position) -> None:
        """Deal the next round into a position between two rounds. Raises ``ValueError`` if it is
        not time to deal, or for a position of other rules."""
        check_kind(position, Position, "position")
        checked = position
        self._check(checked)
        if checked.s.phase != DEALING:
            raise ValueError("it is not time to deal")
        deal_round(self.g, checked.s, checked.r)
        self.dealt = checked.s.round + 1
        self.dealer = checked.s.dealer

    def _check(self, position: Position) -> None:
        """Raise ``ValueError`` for a position of other rules."""
        theirs, ours = position.rules, self.rules
        if theirs is not ours and (theirs.ruleset, theirs.players) != (ours.ruleset, ours.players):
            raise ValueError("the position has other rules than the episode")

    def random_move(self, position: Position) -> int:
        """A random legal move in a position of the same ``rules``, from the random numbers of the
        episode's bots. Raises ``ValueError`` if no one is to act, or for a position of other
        rules."""
        check_kind(position, Position, "position")
        checked = position
        self._check(checked)
        if checked.s.phase == DEALING or checked.s.phase == OVER:
            raise ValueError("nobody is to act")
        before = self.g.random
        self.g.random = self.moves
        move = random_move(self.g, checked.s, checked.r)
        self.moves = self.g.random
        self.g.random = before
        return move

    def __reduce__(self) -> tuple[Any, ...]:
        numbers = (self.g.random, self.moves, self.dealt, self.dealer)
        return (restored, (self.rules.ruleset, self.rules.players, numbers))

    def _restore(self, numbers: tuple[int, ...]) -> None:
        """Restore the state of a pickled episode."""
        self.g.random, self.moves, self.dealt, self.dealer = numbers

    def deals(self) -> list[Deal]:
        """All deals still to come, for a :class:`rage.Game`; each stock has only the cards that the
        round can turn over. This does not affect :meth:`deal`."""
        position = Position(self.rules)
        s = position.s
        s.round = self.dealt
        s.dealer = self.dealer
        before = self.g.random
        found = []
        while s.round < self.rules.r.rounds:
            deal_round(self.g, s, self.rules.r)
            hands = [cards_of(position.hand(seat)) for seat in range(self.rules.r.n)]
            stock = cards_of([s.stock[i] for i in range(s.stock_size)])
            found.append(Deal(s.dealer, hands, stock))
            s.round += 1
        self.g.random = before
        return found


def restored(ruleset: RuleSet, players: int, numbers: tuple[int, ...]) -> Episode:
    """Unpickle an episode from its rules and state."""
    episode = Episode(Rules(ruleset, players), 0)
    episode._restore(numbers)
    return episode
