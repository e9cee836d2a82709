"""Rollouts: what each move of a seat is worth, as the mean over worlds that are played out.

Every move is tried in the same worlds, and after it all seats play by one policy: random legal
moves, steady's, or a network's. What counts are the points that the seat's side makes in this
round, less the mean of the other sides. A search looks at the state in canonical colours and with
its seat as seat 0, so that it finds the same whatever the colours are called and wherever it sits.
"""

from __future__ import annotations

from collections.abc import Iterable
from time import perf_counter
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from rage.kernel import COMPILED
from rage.say import NotAllowed

try:
    import cython
except ImportError:
    from rage import uncompiled as cython

if not cython.compiled:
    from rage.bots.net import net_move
    from rage.bots.steady import DEFAULT_WEIGHTS, choose_move
    from rage.bots.uncompiled import Search
    from rage.bots.worlds import draw_world, fill_bids, fill_world, note_unseen
    from rage.canonical import canonical_colours, fingerprint, fold, renamed, turn_state
    from rage.kernel import (
        BIDDING,
        ONE,
        PLAYING,
        Simulation,
        apply,
        copy_state,
        legal_set,
        lowest,
        popcount,
        random_move,
    )
    from rage.position import Position
    from rage.uncompiled import Generator, RuleTable, State

    RANDOM, STEADY, NET = range(3)

if TYPE_CHECKING:
    from rage.bots import Budget

#: By whose moves a world is played out.
Policy: TypeAlias = "Literal['random', 'steady'] | Network"


def only_move(s: State, r: RuleTable) -> int:
    """The one legal move, -1 where there are others."""
    moves = legal_set(s, r)
    if popcount(moves.lo) + popcount(moves.hi) != 1:
        return -1
    return lowest(moves.lo) if moves.lo else 64 + lowest(moves.hi)


def play_round_out(q: Search, g: Generator, s: State, r: RuleTable) -> None:
    """Play the round to its end by the policy of a search."""
    while s.phase == PLAYING or s.phase == BIDDING:
        if q.policy == RANDOM:
            apply(s, r, random_move(g, s, r))
            continue
        move = only_move(s, r)
        if move < 0:
            move = net_move(q.layers, s, r) if q.policy == NET else choose_move(q.weights, s, r)
        apply(s, r, move)


def lead_of(s: State, r: RuleTable) -> int:
    """The points of side 0 less the mean of the other sides, times the number of those."""
    lead = (r.sides - 1) * s.scores[0]
    for side in range(1, r.sides):
        lead -= s.scores[side]
    return lead


def try_world(q: Search, g: Generator, r: RuleTable) -> bool:
    """Draw a world and play it out after each of the moves; whether there is one."""
    if not draw_world(q.u, g):
        return False
    fill_world(q.u, g, q.world, q.root, r)
    fill_bids(q.weights, q.world, q.tried, r, 0)
    before = lead_of(q.root, r)
    lo = q.moves_lo
    hi = q.moves_hi
    while lo | hi:
        if lo:
            move = lowest(lo)
            lo &= lo - 1
        else:
            move = 64 + lowest(hi)
            hi &= hi - 1
        copy_state(q.tried, q.world)
        apply(q.tried, r, move)
        play_round_out(q, g, q.tried, r)
        q.totals[move] += lead_of(q.tried, r) - before
        q.counts[move] += 1
    q.worlds += 1
    return True


def try_worlds(q: Search, g: Generator, r: RuleTable, count: int) -> bool:
    """Try worlds until there were ``count`` of them; whether there are any."""
    tried = True
    while tried and q.worlds < count:
        tried = try_world(q, g, r)
    return tried


#: How many worlds are tried between two looks at the clock: with steady some 2 ms at the most.
BATCH = 4 if COMPILED else 1


class MoveValue(NamedTuple):
    """A legal move, as a number, and the points to expect after it: those of one's side in this
    round less the mean of the other sides."""

    move: int
    points: float


class Rollouts:
    """The values of the moves of the seat to act, closer with every world that is tried.

    Equal seeds and positions give equal values, whatever is hidden in the position. Raises
    :class:`rage.NotAllowed` where nobody is to act."""

    def __cinit__(self) -> None:
        """Compiled, point at the records before anything can be asked of them."""
        if cython.compiled:
            self.q = cython.address(self.own_search)
            self.q.u = cython.address(self.own_unseen)
            self.q.root = cython.address(self.own_root)
            self.q.world = cython.address(self.own_world)
            self.q.tried = cython.address(self.own_tried)

    def __init__(self, position: Position, seed: int, policy: Policy = "steady") -> None:
        if not cython.compiled:
            self.q = Search()
        seat = position.to_act
        if seat is None:
            raise NotAllowed("bot.not_to_move")
        self.rules = position.rules
        q = self.q
        if isinstance(policy, str):
            q.policy = RANDOM if policy == "random" else STEADY
        else:
            q.policy = NET
            self.network = policy  # the record points into it
            q.layers = self.network.n
        q.weights = DEFAULT_WEIGHTS.w
        self.turn(position.masked(seat), seat)
        digest = fingerprint(q.root, self.rules.r)
        self.made = Simulation(fold(digest, seed))
        if not note_unseen(q.u, q.root, self.rules.r, 0):
            raise NotAllowed("world.none")

    def turn(self, masked: Position, seat: int) -> None:
        """Note the position in canonical colours, as ``seat`` sees it, and the moves there."""
        q = self.q
        if not cython.compiled:
            perm = [0] * 6
        canonical_colours(masked.s, masked.r, seat, perm)
        turn_state(q.root, masked.s, masked.r, seat, perm)
        moves = legal_set(q.root, masked.r)
        q.moves_lo = moves.lo
        q.moves_hi = moves.hi
        # Back to the colours of the game.
        self.actual = {renamed(move, perm): move for move in masked.legal()}

    def run(self, worlds: int) -> None:
        """Try so many more worlds, without the interpreter's lock. Raises
        :class:`rage.NotAllowed` where no deal fits what was seen."""
        with cython.nogil:
            found = try_worlds(self.q, self.made.generator, self.rules.r, self.q.worlds + worlds)
        if not found:
            raise NotAllowed("world.none")

    @property
    def worlds(self) -> int:
        """How many worlds have been tried."""
        return self.q.worlds

    def spend(self, budget: Budget) -> None:
        """Try worlds until a budget is spent, and one at least. Raises as :meth:`run`."""
        begun = perf_counter()
        while budget.worlds is None or self.worlds < budget.worlds:
            left = BATCH if budget.worlds is None else min(BATCH, budget.worlds - self.worlds)
            self.run(left)
            if budget.seconds is not None and perf_counter() - begun >= budget.seconds:
                return

    def keep(self, moves: Iterable[int]) -> None:
        """Try only these of the legal moves in the worlds that come."""
        kept = set(moves)
        lo = hi = 0
        for move, actual in self.actual.items():
            if actual in kept:
                lo |= (ONE << move) if move < 64 else 0
                hi |= (ONE << (move - 64)) if move >= 64 else 0
        self.q.moves_lo = lo
        self.q.moves_hi = hi

    @property
    def values(self) -> list[MoveValue]:
        """The legal moves in canonical order, with their values; 0 before the first world."""
        q = self.q
        others = self.rules.r.sides - 1
        return [
            MoveValue(self.actual[move], q.totals[move] / (others * max(1, q.counts[move])))
            for move in sorted(self.actual)
        ]
