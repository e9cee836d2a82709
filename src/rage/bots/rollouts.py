"""Rollouts: the value of each move of a seat, as the mean over worlds that are played out.

Every move is tried in the same worlds, and after it all seats play by one policy: random legal
moves, steady's, or a network's. The result is the points of the seat's side in this round, less the
mean of the other sides. With a network, a world can also end after some moves, at the seat's next
decision: the network's value replaces the rest of the round, which takes less time and leaves less
to chance.

A search works on the canonical form of the state, so its result does not depend on what the colours
are called or where the seat is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import inf, sqrt
from typing import TYPE_CHECKING, Literal, TypeAlias

from rage.bots.root import MoveValue, Root, spend
from rage.say import NotAllowed

try:
    import cython
except ImportError:
    from rage.engine import uncompiled as cython

if not cython.compiled:
    from rage.bots.net import net_best_value, net_move
    from rage.bots.root import lead_of
    from rage.bots.steady import DEFAULT_WEIGHTS, choose_move
    from rage.bots.uncompiled import Search
    from rage.bots.worlds import draw_world, fill_bids, fill_world, group_of
    from rage.engine.kernel import (
        BIDDING,
        COUNTS,
        ONE,
        PLAYING,
        TURN_UP_DUE,
        apply,
        bids_hidden,
        copy_state,
        legal_set,
        lowest,
        popcount,
        random_move,
    )
    from rage.engine.position import Position
    from rage.engine.uncompiled import Generator, RuleTable, State
    from rage.rules.cards import CHANGE, OUT, PLAY_CHANGE_TURNED_UP

    RANDOM, STEADY, NET = range(3)


if TYPE_CHECKING:
    from rage.bots.interface import Budget

#: The policy by which a world is played out.
Policy: TypeAlias = "Literal['random', 'steady'] | Network"


def only_move(s: State, r: RuleTable) -> int:
    """The only legal move; -1 if there are several."""
    moves = legal_set(s, r)
    if popcount(moves.lo) + popcount(moves.hi) != 1:
        return -1
    return lowest(moves.lo) if moves.lo else 64 + lowest(moves.hi)


def play_on(q: Search, g: Generator, s: State, r: RuleTable) -> float:
    """Play by the policy of a search until the round is over, or up to the seat's first decision
    after ``q.plies`` moves. Returns the lead of its side in the round, actual or expected, times
    the number of other sides."""
    plies = 0
    while s.phase == PLAYING or s.phase == BIDDING:
        if q.policy == RANDOM:
            apply(s, r, random_move(g, s, r))
            continue
        move = only_move(s, r)
        if move < 0:
            q.choices += 1
            if s.turn == 0 and q.plies and plies >= q.plies:
                return (r.sides - 1) * net_best_value(q.layers, s, r)
            move = net_move(q.layers, s, r) if q.policy == NET else choose_move(q.weights, s, r)
        apply(s, r, move)
        plies += 1
    return lead_of(s, r, 0) - lead_of(q.root, r, 0)


def play_world(q: Search, g: Generator, r: RuleTable) -> None:
    """Play out the current world after each of the moves."""
    fill_world(q.u, g, q.world, q.root, r)
    fill_bids(q.weights, q.world, q.tried, r, 0)
    lo = q.moves_lo
    hi = q.moves_hi
    tried = 0
    while lo | hi:
        if lo:
            move = lowest(lo)
            lo &= lo - 1
        else:
            move = 64 + lowest(hi)
            hi &= hi - 1
        copy_state(q.tried, q.world)
        apply(q.tried, r, move)
        q.leads[tried] = play_on(q, g, q.tried, r)
        q.order[tried] = move
        q.totals[move] += q.leads[tried]
        q.counts[move] += 1
        if not q.plies:
            q.won[16 * move + q.tried.won[0]] += 1
            q.met[move] += q.tried.met[0] - q.root.met[0]
        tried += 1
    compare_moves(q, tried)
    q.worlds += 1


def compare_moves(q: Search, tried: int) -> None:
    """Add up the differences between moves in this world, and their squares."""
    for i in range(tried):
        for j in range(i):
            difference = q.leads[i] - q.leads[j]
            at = 128 * q.order[i] + q.order[j]
            q.difference[at] += difference
            q.squares[at] += difference * difference


def try_worlds(q: Search, g: Generator, r: RuleTable, count: int) -> bool:
    """Try worlds until there are ``count`` of them. Returns whether there was a world each time."""
    while q.worlds < count:
        if not draw_world(q.u, g):
            return False
        play_world(q, g, r)
    return True


# --- all worlds ----------------------------------------------------------------------------


def stock_matters(q: Search, r: RuleTable) -> bool:
    """Whether a card of the stock can still be turned over in this round."""
    s = q.root
    if r.lazy_stock:
        return False
    outs = (s.held[1] >> (COUNTS + 6)) & 7
    changes = (s.held[1] >> (COUNTS + 3)) & 7
    for i in range(q.u.size):
        outs += q.u.cards[i] == OUT
        changes += q.u.cards[i] == CHANGE
    if changes and r.presence[1] == ONE << (PLAY_CHANGE_TURNED_UP - 64):
        return True
    if not r.out_trick or s.tricks + 1 == s.hand:
        return False
    return outs > 0 or s.flags & TURN_UP_DUE != 0


def each_world(
    q: Search, g: Generator, r: RuleTable, place: int, left: int, start: int, most: int
) -> int:
    """Give a place ``left`` more cards, from number ``start`` on, and the places after it all they
    need; the rest is the stock. Returns the number of worlds, counted up to ``most`` + 1, which is
    also the result after ``q.patience`` cards, because most branches can be dead ends. With
    ``most`` below 0, each world is played out."""
    u = q.u
    while left == 0 and place < r.n:
        place += 1
        left = u.needs[place] if place < r.n else 0
        start = 0
    if place == r.n:
        if most < 0:
            play_world(q, g, r)
        return 1
    found = 0
    for i in range(start, u.size):
        q.patience -= 1
        if q.patience < 0 and most >= 0:
            return most + 1
        if u.place[i] == r.n and (u.open_to[group_of(u.cards[i])] >> place) & 1:
            u.place[i] = place
            room = most - found if most >= 0 else -1
            found += each_world(q, g, r, place, left - 1, i + 1, room)
            u.place[i] = r.n
            if most >= 0 and found > most:
                break
    return found


def try_all_worlds(q: Search, g: Generator, r: RuleTable, most: int) -> bool:
    """Try every world once, if there are at most ``most``. Returns whether there are."""
    for i in range(q.u.size):
        q.u.place[i] = r.n
    q.patience = 1_000_000 + 1000 * most
    found = each_world(q, g, r, 0, q.u.needs[0], 0, most)
    if found == 0 or found > most:
        return False
    each_world(q, g, r, 0, q.u.needs[0], 0, -1)
    return True


class Rollouts:
    """The values of the moves of the seat to act, refined by every world.

    With a network, a world ends at the seat's next decision after ``plies`` more moves; with 0, and
    with any other policy, at the end of the round. Equal seeds and positions give equal values,
    whatever is hidden in the position. Raises :class:`rage.NotAllowed` if no seat is to act."""

    def __cinit__(self) -> None:
        """When compiled, take the addresses of the embedded structs."""
        if cython.compiled:
            self.q = cython.address(self.own_search)
            self.q.world = cython.address(self.own_world)
            self.q.tried = cython.address(self.own_tried)

    def __init__(
        self, position: Position, seed: int, policy: Policy = "steady", plies: int = 0
    ) -> None:
        if not cython.compiled:
            self.q = Search()
            self.q.world, self.q.tried = State(), State()
        self.root = Root(position, seed)
        self.all = False
        q = self.q
        q.u = self.root.u
        q.root = self.root.s
        if isinstance(policy, str):
            q.policy = RANDOM if policy == "random" else STEADY
        else:
            q.policy = NET
            self.network = policy  # the struct points into it
            q.layers = self.network.n
            q.plies = plies
        q.weights = DEFAULT_WEIGHTS.w
        moves = legal_set(q.root, self.root.r)
        q.moves_lo = moves.lo
        q.moves_hi = moves.hi

    def run(self, worlds: int) -> None:
        """Try ``worlds`` more worlds, without the GIL. Raises :class:`rage.NotAllowed` if no deal
        fits what the seat has seen."""
        with cython.nogil:
            found = try_worlds(self.q, self.root.g, self.root.r, self.q.worlds + worlds)
        if not found:
            raise NotAllowed("world.none")

    @property
    def worlds(self) -> int:
        """The number of worlds tried."""
        return self.q.worlds

    def spend(self, budget: Budget, called_off: Callable[[], bool] | None = None) -> None:
        """Try worlds, at least one, until a budget is spent. Raises as :meth:`run` and
        :func:`rage.bots.root.spend` do."""
        spend(self, budget, called_off)

    def exhaust(self, most: int) -> bool:
        """Try every world exactly once, instead of random ones. Returns whether it did: not if
        there are more than ``most``, random ones were tried before, or the order of the stock can
        still matter."""
        q = self.q
        if most < 1 or q.worlds or stock_matters(q, self.root.r):
            return False
        with cython.nogil:
            self.all = try_all_worlds(q, self.root.g, self.root.r, most)
        return self.all

    @property
    def all_worlds(self) -> bool:
        """Whether every world has been tried exactly once."""
        return self.all

    @property
    def guesses_bids(self) -> bool:
        """Whether bids are hidden from the seat, so that worlds make them up."""
        return bids_hidden(self.q.root, self.root.r)

    @property
    def choices(self) -> int:
        """How often a seat had more than one move, in all playouts."""
        return self.q.choices

    def difference(self, one: int, other: int) -> tuple[float, float]:
        """The mean difference in points between two legal moves, over the worlds in which both were
        tried, and its standard error: 0 if these were all worlds, infinite for a single one."""
        q = self.q
        first = self.canonical_of(one)
        second = self.canonical_of(other)
        i = max(first, second)
        j = min(first, second)
        count = min(q.counts[i], q.counts[j])
        if count == 0 or i == j:
            return 0.0, 0.0 if i == j else inf
        others = self.root.r.sides - 1
        mean = q.difference[128 * i + j] / count
        sign = 1 if first == i else -1
        if self.all:
            return sign * mean / others, 0.0
        if count == 1:
            return sign * mean / others, inf
        variance = max(0.0, q.squares[128 * i + j] - count * mean * mean) / (count - 1)
        return sign * mean / others, sqrt(variance / count) / others

    def tricks(self, move: int) -> list[float]:
        """By number of tricks, 0 to the hand size, the share of the worlds in which the seat won
        that many after a legal move; all 0 before the first world, and with ``plies``."""
        canonical = self.canonical_of(move)
        count = max(1, self.q.counts[canonical])
        return [self.q.won[16 * canonical + n] / count for n in range(self.q.root.hand + 1)]

    def meets(self, move: int) -> float:
        """The share of the worlds in which the seat's side met its bid after a legal move; 0 with
        ``plies``."""
        canonical = self.canonical_of(move)
        met = float(self.q.met[canonical])
        return met / max(1, self.q.counts[canonical])

    def canonical_of(self, move: int) -> int:
        """The number of a legal move in canonical colours. Raises :class:`KeyError` for an illegal
        move."""
        for canonical, actual in self.root.actual.items():
            if actual == move:
                return canonical
        raise KeyError(move)

    def keep(self, moves: Iterable[int]) -> None:
        """Try only these of the legal moves from now on."""
        kept = set(moves)
        lo = hi = 0
        for move, actual in self.root.actual.items():
            if actual in kept:
                lo |= (ONE << move) if move < 64 else 0
                hi |= (ONE << (move - 64)) if move >= 64 else 0
        self.q.moves_lo = lo
        self.q.moves_hi = hi

    @property
    def values(self) -> list[MoveValue]:
        """The legal moves in canonical order, with their values; 0 before the first world."""
        q = self.q
        others = self.root.r.sides - 1
        return [
            MoveValue(self.root.actual[move], q.totals[move] / (others * max(1, q.counts[move])))
            for move in sorted(self.root.actual)
        ]
