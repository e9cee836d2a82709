"""The root of a search: a position as the seat to act sees it, and the worlds that fit it.

The position is in canonical form, so a search does not depend on what the colours are called or
where the seat is.
"""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import NamedTuple, Protocol

from rage.bots.interface import Budget, acting_seat, check_budget
from rage.engine.kernel import COMPILED
from rage.say import NotAllowed

try:
    import cython
except ImportError:
    from rage.engine import uncompiled as cython

if not cython.compiled:
    from rage.bots.uncompiled import Unseen
    from rage.bots.worlds import note_unseen
    from rage.engine.canonical import (
        canonical_colours,
        canonical_state,
        fingerprint,
        fold,
        rename_move,
    )
    from rage.engine.kernel import Simulation
    from rage.engine.position import Position
    from rage.engine.uncompiled import RuleTable, State


def lead_of(s: State, r: RuleTable, side: int) -> int:
    """The points of a side less the mean of the other sides, times the number of other sides."""
    lead = r.sides * s.scores[side]
    for other in range(r.sides):
        lead -= s.scores[other]
    return lead


class MoveValue(NamedTuple):
    """A legal move, as a number, and its expected points: for its side in this round, less the mean
    of the other sides."""

    move: int
    points: float


class Root:
    """What the seat to act knows, its moves, the cards that it has not seen, and a random
    generator, seeded by the seed and by the seat's knowledge.

    Raises :class:`rage.NotAllowed` if no seat is to act or the hand is masked, if there is only one
    side, and if no deal fits what the seat has seen."""

    def __cinit__(self) -> None:
        """When compiled, take the addresses of the embedded structs."""
        if cython.compiled:
            self.s = cython.address(self.own_state)
            self.u = cython.address(self.own_unseen)

    def __init__(self, position: Position, seed: int) -> None:
        if not cython.compiled:
            self.s = State()
            self.u = Unseen()
        seat = acting_seat(position)
        self.rules = position.rules
        self.r = self.rules.r
        if self.r.sides < 2:
            raise NotAllowed("bot.alone")
        self.turn(position.masked(seat), seat)
        self.made = Simulation(fold(fingerprint(self.s, self.r), seed & 0xFFFFFFFFFFFFFFFF))
        self.g = self.made.generator
        if not note_unseen(self.u, self.s, self.r, 0):
            raise NotAllowed("world.none")

    def turn(self, masked: Position, seat: int) -> None:
        """Store the position in canonical form, as ``seat`` sees it, and its moves."""
        if not cython.compiled:
            perm = [0] * 6
        canonical_colours(masked.s, masked.r, seat, perm)
        canonical_state(self.s, masked.s, masked.r, seat, perm)
        #: The legal moves by their canonical names.
        self.actual = {rename_move(move, perm): move for move in masked.legal_moves}


#: The worlds tried between two looks at the clock: with steady, about 2 ms at most.
BATCH = 4 if COMPILED else 1
#: The worlds tried at a time without a clock: Python handles Ctrl-C in between.
SLICE = 500 if COMPILED else 1


class CalledOff(Exception):
    """Raised when the result of a search is no longer wanted."""


class Searching(Protocol):
    """A search that improves with every world."""

    @property
    def worlds(self) -> int:
        """The number of worlds tried."""

    def run(self, worlds: int) -> None:
        """Play every move of the root in ``worlds`` more worlds."""


def spend(search: Searching, budget: Budget, called_off: Callable[[], bool] | None = None) -> None:
    """Try worlds, at least one, until a budget is spent. Raises as the search and
    :func:`rage.bots.interface.check_budget` do, and :class:`CalledOff` once ``called_off`` returns
    true."""
    check_budget(budget)
    most = budget.worlds
    batch = SLICE if budget.seconds is None else BATCH
    begun = perf_counter()
    while most is None or search.worlds < most:
        search.run(batch if most is None else min(batch, most - search.worlds))
        if called_off is not None and called_off():
            raise CalledOff
        if budget.seconds is not None and perf_counter() - begun >= budget.seconds:
            return
