"""ismcts: information-set Monte Carlo tree search, as a baseline.

It is the algorithm of OpenSpiel's ``ISMCTSBot`` (Cowling, Powley and Whitehouse, Information Set
Monte Carlo Tree Search, 2012), so that the two can be compared. Each simulation deals a world that
fits what the seat has seen, and descends one tree whose nodes are the information sets of the seats
to act: by an untried move if there is one, otherwise by UCT, each seat for its own side. One random
playout evaluates the first new node, and its outcome is added to all moves on the path. The
most-tried move is played.

Nodes are looked up by a 64-bit digest instead of a string: among a million nodes, the chance of a
collision is one in thirty million.
"""

from __future__ import annotations

import secrets
from array import array
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from rage.bots.interface import BaseBot, check_turn
from rage.bots.root import Root, spend
from rage.rules.values import MOVES
from rage.say import NotAllowed

try:
    import cython
except ImportError:
    from rage.engine import uncompiled as cython

if not cython.compiled:
    from math import log, sqrt

    from rage.bots.root import lead_of
    from rage.bots.steady import DEFAULT_WEIGHTS
    from rage.bots.uncompiled import Tree
    from rage.bots.worlds import draw_world, fill_bids, fill_world
    from rage.engine.kernel import (
        BIDDING,
        M64,
        MIX_A,
        MIX_B,
        PLAYING,
        TRUMP_SET,
        TURNED_UP,
        apply,
        known_bid,
        legal_set,
        lowest,
        next_below,
        play_out,
        popcount,
    )
    from rage.engine.position import Position
    from rage.engine.uncompiled import Generator, Moves, RuleTable, State
    from rage.rules.cards import BID

    MAX_EDGES = 128

    def numbers(values: array[int]) -> Any:
        """How a struct refers to an array: by address when compiled."""
        return values

    wide_numbers = digests = numbers

if TYPE_CHECKING:
    from rage.bots.interface import Budget
    from rage.game.view import View
    from rage.rules.values import Move


# --- digests -------------------------------------------------------------------------------


def mix(digest: int, number: int) -> int:
    """A digest with one more number in it; any change of either may change every bit."""
    digest = ((digest ^ number) * MIX_A) & M64
    digest = ((digest ^ (digest >> 32)) * MIX_B) & M64
    return digest ^ (digest >> 29)


def digest_of(s: State, r: RuleTable, past: int) -> int:
    """A digest of what the seat to act may know: its cards, the bids known to it, and the public
    events since the root."""
    bids = 0
    for i in range(r.n):
        bids = (bids << 8) | known_bid(s, r, i, s.turn)
    digest = mix(mix(past, s.turn), bids)
    return mix(mix(digest, s.held[2 * s.turn]), s.held[2 * s.turn + 1])


def past_after(s: State, past: int, move: int, happened: int) -> int:
    """The digest of the public events since the root, after one more move. Bids are added by
    `digest_of`, because they can be hidden."""
    if move < BID:
        past = mix(past, move)
    if happened & (TURNED_UP | TRUMP_SET):
        past = mix(mix(mix(past, s.trump), s.seen[0]), s.seen[1])
    return past


# --- the tree ------------------------------------------------------------------------------


def find_node(t: Tree, digest: int) -> int:
    """The node of a digest, created if there is none yet."""
    slot = digest & t.slot_mask
    while t.slots[slot]:
        node = t.slots[slot] - 1
        if t.digests[node] == digest:
            return node
        slot = (slot + 1) & t.slot_mask
    node = t.nodes
    t.nodes += 1
    t.slots[slot] = node + 1
    t.digests[node] = digest
    t.visits[node] = -1
    t.tried[node] = 0
    t.first[node] = -1
    return node


def add_edges(t: Tree, node: int, moves: Moves) -> None:
    """Give a node an edge for each legal move, all untried."""
    t.first[node] = t.edges
    while moves.lo | moves.hi:
        if moves.lo:
            move = lowest(moves.lo)
            moves.lo &= moves.lo - 1
        else:
            move = 64 + lowest(moves.hi)
            moves.hi &= moves.hi - 1
        t.moves[t.edges] = move
        t.times[t.edges] = 0
        t.sums[t.edges] = 0
        t.edges += 1


def untried_edge(t: Tree, g: Generator, node: int) -> int:
    """One of the untried edges, all equally likely; there must be one."""
    edge = t.first[node]
    k = next_below(g, t.sizes[node] - t.tried[node])
    t.tried[node] += 1
    while t.times[edge] or k > 0:
        if t.times[edge] == 0:
            k -= 1
        edge += 1
    return edge


def best_edge(t: Tree, g: Generator, r: RuleTable, node: int) -> int:
    """The edge with the highest upper confidence bound; ties are broken at random."""
    best = -1.0e9
    equal = 0
    chosen = t.first[node]
    explored = t.explore * t.explore * log(t.visits[node])
    for edge in range(t.first[node], t.first[node] + t.sizes[node]):
        bound = t.sums[edge] / ((r.sides - 1.0) * t.times[edge])
        bound += sqrt(explored / t.times[edge])
        if bound > best + 1.0e-5:
            best = bound
            equal = 0
        elif bound < best - 1.0e-5:
            continue
        equal += 1
        if equal == 1 or next_below(g, equal) == 0:
            chosen = edge
    return chosen


def simulate(t: Tree, g: Generator, r: RuleTable) -> bool:
    """Draw a world, descend the tree in it, and play it out. Returns whether there is a world."""
    if not draw_world(t.u, g):
        return False
    s = t.world
    fill_world(t.u, g, s, t.root, r)
    fill_bids(t.weights, s, t.scratch, r, 0)
    past = depth = 0
    while s.phase == PLAYING or s.phase == BIDDING:
        node = find_node(t, digest_of(s, r, past))
        if t.visits[node] < 0:
            t.visits[node] = 0
            play_out(g, s, r)
            break
        if t.first[node] < 0:
            moves = legal_set(s, r)
            t.sizes[node] = popcount(moves.lo) + popcount(moves.hi)
            add_edges(t, node, moves)
        if t.tried[node] < t.sizes[node]:
            edge = untried_edge(t, g, node)
        else:
            edge = best_edge(t, g, r, node)
        t.visits[node] += 1
        t.times[edge] += 1
        t.path[depth] = edge
        t.path_side[depth] = s.turn % r.sides
        depth += 1
        past = past_after(s, past, t.moves[edge], apply(s, r, t.moves[edge]))
    for i in range(depth):
        side = t.path_side[i]
        t.sums[t.path[i]] += lead_of(s, r, side) - lead_of(t.root, r, side)
    return True


def simulate_until(t: Tree, g: Generator, r: RuleTable, count: int) -> bool:
    """Simulate until there are ``count`` simulations, or no room for one more. Returns whether
    there was a world each time."""
    while t.worlds < count and t.nodes < t.most_nodes and t.edges + MAX_EDGES <= t.most_edges:
        if not simulate(t, g, r):
            return False
        t.worlds += 1
    return True


# --- for Python ----------------------------------------------------------------------------


#: The exploration constant of UCT, in points: the factor of the square root of the logarithm of all
#: tries over the tries of the move. Values from 12 to 24 play alike; 3 and 6 lose 0.8 points a
#: round.
EXPLORE: Final = 16.0


class MoveTries(NamedTuple):
    """A legal move, as a number; how often it was tried, and the mean result: the points of its
    side in this round less the mean of the other sides, 0 before the first try."""

    move: int
    tries: int
    points: float


class TreeSearch:
    """The tree of the seat to act, which grows with every simulation.

    Equal seeds and positions grow equal trees, whatever is hidden in the position. Raises
    :class:`rage.NotAllowed` if no seat is to act, and if no deal fits what the seat has seen."""

    def __cinit__(self) -> None:
        """When compiled, take the addresses of the embedded structs."""
        if cython.compiled:
            self.t = cython.address(self.own_tree)
            self.t.world = cython.address(self.own_world)
            self.t.scratch = cython.address(self.own_scratch)

    def __init__(self, position: Position, seed: int, explore: float = EXPLORE) -> None:
        if not cython.compiled:
            self.t = Tree()
            self.t.world, self.t.scratch = State(), State()
        self.root = Root(position, seed)
        t = self.t
        t.u = self.root.u
        t.root = self.root.s
        t.weights = DEFAULT_WEIGHTS.w
        t.explore = explore
        self.by_node = [array("Q"), *(array("i") for _ in range(4))]
        self.by_edge = [array("q"), array("i"), array("i")]
        self.table = array("i")
        self.grow(64, 1024)

    def grow(self, nodes: int, edges: int) -> None:
        """Make room for ``nodes`` nodes and ``edges`` edges in all."""
        t = self.t
        for values, count in ((self.by_node, nodes), (self.by_edge, edges)):
            for each in values:
                each.frombytes(bytes(each.itemsize * (count - len(each))))
        slots = 2
        while slots < 2 * nodes:
            slots *= 2
        self.table = array("i", bytes(4 * slots))
        for node in range(t.nodes):
            slot = self.by_node[0][node] & (slots - 1)
            while self.table[slot]:
                slot = (slot + 1) & (slots - 1)
            self.table[slot] = node + 1
        t.slot_mask = slots - 1
        t.most_nodes = nodes
        t.most_edges = edges
        t.slots = numbers(self.table)
        t.digests = digests(self.by_node[0])
        t.visits = numbers(self.by_node[1])
        t.tried = numbers(self.by_node[2])
        t.first = numbers(self.by_node[3])
        t.sizes = numbers(self.by_node[4])
        t.sums = wide_numbers(self.by_edge[0])
        t.times = numbers(self.by_edge[1])
        t.moves = numbers(self.by_edge[2])

    def run(self, worlds: int) -> None:
        """Simulate ``worlds`` more times, without the GIL. Raises :class:`rage.NotAllowed` if no
        deal fits what the seat has seen."""
        t = self.t
        wanted = t.worlds + worlds
        while True:
            with cython.nogil:
                found = simulate_until(t, self.root.g, self.root.r, wanted)
            if not found:
                raise NotAllowed("world.none")
            if t.worlds == wanted:
                return
            nodes = t.most_nodes if t.nodes < t.most_nodes else 4 * t.most_nodes
            self.grow(nodes, t.most_edges if nodes > t.most_nodes else 2 * t.most_edges)

    @property
    def worlds(self) -> int:
        """The number of simulations, each in its own world."""
        return self.t.worlds

    @property
    def tries(self) -> list[MoveTries]:
        """The legal moves in canonical order, with their tries."""
        t = self.t
        by_move = dict.fromkeys(self.root.actual, (0, 0))
        if t.nodes and t.first[0] >= 0:
            for edge in range(t.first[0], t.first[0] + t.sizes[0]):
                by_move[t.moves[edge]] = (t.times[edge], t.sums[edge])
        others = self.root.r.sides - 1
        return [
            MoveTries(self.root.actual[move], tries, total / (others * max(1, tries)))
            for move, (tries, total) in sorted(by_move.items())
        ]


class Ismcts(BaseBot):
    """A bot that grows a tree by simulations and takes the most-tried move. With a seed, the same
    view and the same budget of simulations (the worlds of a :class:`rage.bots.Budget`) always lead
    to the same move."""

    name = "ismcts"

    def __init__(self, usual: Budget, seed: int | None = None) -> None:
        self._usual: Budget = usual
        self._seed = secrets.randbits(32) if seed is None else seed

    def choose(self, view: View, budget: Budget | None = None) -> Move:
        """The most-tried legal move; among equals, the one with the most points. Raises
        :class:`rage.NotAllowed` if it is not the turn of the view's seat."""
        moves = check_turn(view)
        if len(moves) == 1:
            return moves[0]
        found = self._search(view, budget).tries
        return MOVES[max(found, key=lambda each: (each.tries, each.points)).move]

    def values(self, view: View, budget: Budget | None = None) -> dict[Move, float]:
        """The legal moves in canonical order, with the mean result of each: the points of the
        seat's side in this round less the mean of the other sides. Each is tried at least once,
        whatever the budget; a bad move is tried rarely, so its mean is rough. Raises
        :class:`rage.NotAllowed` if it is not the turn of the view's seat."""
        search = self._search(view, budget)
        while not all(each.tries for each in search.tries):
            search.run(1)
        return {MOVES[each.move]: each.points for each in search.tries}

    def _search(self, view: View, budget: Budget | None) -> TreeSearch:
        check_turn(view)
        search = TreeSearch(view.position, self._seed)
        spend(search, self._usual if budget is None else budget)
        return search
