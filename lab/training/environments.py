"""Many games at once, for a learner that makes many moves at a time."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rage.bots.steady import best_move_of
from rage.engine.kernel import Phase, Rules
from rage.engine.position import Position
from rage.envs import Tables, unpack
from rage.features.encode import SIZE, canonical_move, colour_places
from rage.game.account import leads
from rage.rules.ruleset import pack

#: Chooses a move for the seat to act.
Policy = Callable[[Position], int]
#: The row of a decision that is not settled yet.
UNSETTLED: Final = -1


class Environment:
    """One game after another by random rules. The seats in ``others`` are played by the policy
    ``other``, at once; so are moves without a choice."""

    def __init__(
        self, rules: Sequence[Rules], rng: random.Random, share: float, other: Policy
    ) -> None:
        self._choices = rules
        self._rng = rng
        self._share = share
        self._other = other
        #: The learner's decisions of this round: the row of each, and its seat.
        self.decisions: list[tuple[int, int]] = []
        self._begin()

    def _begin(self) -> None:
        rng = self._rng
        self._rules = rng.choice(self._choices)
        self._pack = pack(self._rules.ruleset)
        self._dealer = rng.randrange(self._rules.players)
        self.position = Position(self._rules)
        seats = range(self._rules.players)
        self.others = {seat for seat in seats if rng.random() < self._share}
        self.others.discard(rng.choice(seats))

    def _deal(self) -> None:
        n = self._rules.players
        size = self._rules.ruleset.schedule[self.position.round]
        # More than any round turns over, and far from the whole pack.
        dealt = self._rng.sample(self._pack, min(len(self._pack), n * size + 40))
        hands = [dealt[seat * size : (seat + 1) * size] for seat in range(n)]
        self.position.deal(self._dealer, hands, dealt[n * size :])
        self._dealer = (self._dealer + 1) % n
        self._before = self.position.scores

    def go(self, ring: Ring) -> None:
        """Play until the learner has a choice; rounds that end on the way are settled."""
        position = self.position
        while True:
            if position.phase == Phase.DEALING:
                self._deal()
            seat = position.to_act
            moves = position.legal_moves
            if len(moves) > 1 and seat not in self.others:
                return
            self.make(moves[0] if len(moves) == 1 else self._other(position), ring)
            position = self.position

    def make(self, move: int, ring: Ring) -> None:
        """Make a move, and settle the round if it is the last one."""
        self.position.play(move)
        if self.position.phase in (Phase.BIDDING, Phase.PLAYING):
            return
        scores = self.position.scores
        gained = [now - then for now, then in zip(scores, self._before, strict=True)]
        ahead = leads(gained)
        won = self.position.won
        returns = [ahead[seat % len(ahead)] for seat in range(self._rules.players)]
        for row, seat in reversed(self.decisions):
            ring.points[row] = returns[seat]
            ring.tricks[row] = won[seat]
            returns[seat] += (1 - ring.trace) * (float(ring.values[row]) - returns[seat])
        seats = set(range(self._rules.players)) - self.others
        bids = self.position.bids
        ring.count_bids(self.position.hand_size, [bids[seat] == won[seat] for seat in seats])
        ring.leads.extend(ahead[seat % len(ahead)] for seat in seats)
        self.decisions.clear()
        if self.position.phase == Phase.OVER:
            self._begin()


class Ring:
    """The latest decisions of a learner: what it saw (``rows``, in the features of
    :mod:`rage.features.encode`), what it did (``moves``, canonical), its estimate of its best move
    (``values``, in points), and the results: ``tricks``, those that it won, and ``points``.

    These are the round's lead of its side over the mean of the others, weighted by ``trace`` for
    each of the seat's later decisions; the rest of the weight is on its estimates at these (the
    lambda-return of temporal differences: with 1 the lead alone)."""

    def __init__(self, size: int, trace: float = 1.0) -> None:
        self.size = size
        self.trace = trace
        self.rows: NDArray[np.int16] = np.zeros((size, SIZE), np.int16)
        self.moves: NDArray[np.int64] = np.zeros(size, np.int64)
        self.values: NDArray[np.float32] = np.zeros(size, np.float32)
        self.points: NDArray[np.float32] = np.zeros(size, np.float32)
        self.tricks: NDArray[np.int64] = np.full(size, UNSETTLED, np.int64)
        #: By hand size, the bids made and met; and the leads of all rounds.
        self.bids = [0] * 16
        self.met = [0] * 16
        self.leads: list[float] = []

    def count_bids(self, hand: int, met: list[bool]) -> None:
        """Count the bids of a round."""
        self.bids[hand] += len(met)
        self.met[hand] += sum(met)


class _Ended(NamedTuple):
    """Rounds that have ended at some tables: the first step of each, the leads of the seats, and
    the tricks that they won."""

    tables: NDArray[np.int64]
    first: NDArray[np.int64]
    leads: NDArray[np.float64]
    won: NDArray[np.uint8]


class Environments:
    """``count`` tables. Each step writes the features of all of them into the ring and takes a move
    for each; ``start`` is where in the ring the last step's rows begin. Of the seats, all but at
    least one, a ``share`` is played by the policy ``other``. For ``trace`` see :class:`Ring`."""

    def __init__(
        self,
        rules: Sequence[Rules],
        count: int,
        steps: int,
        seed: int,
        share: float,
        other: Policy = best_move_of,
        trace: float = 1.0,
    ) -> None:
        self.count = count
        self.ring = Ring(count * steps, trace)
        self.start = 0
        self._rng = np.random.default_rng(seed)
        self._share = share
        self._other = other
        self._tables = Tables(rules, count, seed, autoreset="same_step")
        self._sides = np.array([each.ruleset.teams or each.players for each in rules])
        self._players = np.array([each.players for each in rules])
        #: By row of the ring, the seat that decided; and the step in which each round began.
        self._seats = np.zeros(count * steps, np.int8)
        self._first = np.zeros(count, np.int64)
        self._steps = 0
        self._step = self._tables.reset()
        self._rounds = self._tables.results().rounds
        self._rules = np.zeros(count, np.int64)
        self._others = np.zeros((count, 8), np.bool_)
        self._seat(np.ones(count, np.bool_))
        self._go()

    def _seat(self, tables: NDArray[np.bool_]) -> None:
        """Draw who plays the seats in games that have begun."""
        rows = np.flatnonzero(tables)
        self._rules[rows] = [self._tables.rule_number(table) for table in rows.tolist()]
        self._others[rows] = self._rng.random((len(rows), 8)) < self._share
        learner = self._rng.integers(0, self._players[self._rules[rows]])
        self._others[rows, learner] = False

    def position(self, table: int) -> Position:
        """A copy of the position of a table."""
        return self._tables.position(table)

    def look(self) -> NDArray[np.int16]:
        """The features of all tables, a row each, for the seat to act there."""
        ring, part = self.ring, slice(self.start, self.start + self.count)
        assert self._step.observation is not None
        ring.rows[part] = self._step.observation
        ring.tricks[part] = UNSETTLED
        self._seats[part] = self._step.to_act
        return ring.rows[part]

    def play(self, moves: NDArray[Any]) -> None:
        """Make a canonical move in each game, and go on."""
        ring, start = self.ring, self.start
        ring.moves[start : start + self.count] = moves
        self._steps += 1
        self.start = (start + self.count) % ring.size
        ended = self._move(moves, np.ones(self.count, np.bool_))
        self._settle([*ended, *self._go()])

    def _go(self) -> list[_Ended]:
        """Play until the learner has a choice everywhere. Returns the rounds that ended."""
        ended: list[_Ended] = []
        while True:
            forced = np.bitwise_count(self._step.legal).sum(axis=1) == 1
            theirs = self._others[np.arange(self.count), self._step.to_act]
            due = forced | theirs
            if not due.any():
                return ended
            moves = np.zeros(self.count, np.int64)
            moves[forced] = unpack(self._step.legal[forced]).argmax(axis=1)
            asked = theirs & ~forced
            if self._other is best_move_of:
                moves = np.where(asked, self._tables.choices("steady", asked), moves)
            else:
                for table in np.flatnonzero(asked).tolist():
                    position = self._tables.position(table)
                    assert position.to_act is not None
                    places = colour_places(position, position.to_act)
                    moves[table] = canonical_move(self._other(position), places)
            ended += self._move(moves, due)

    def _move(self, moves: NDArray[Any], mask: NDArray[np.bool_]) -> list[_Ended]:
        """Make moves at some tables. Returns the rounds that ended."""
        self._step = self._tables.step(moves, mask, out=self._step)
        done = self._tables.results()
        tables = np.flatnonzero(done.rounds != self._rounds)
        self._rounds = done.rounds
        if not len(tables):
            return []
        sides = self._sides[self._rules[tables]]
        rows = np.arange(len(tables))[:, None]
        points = done.points[tables].astype(np.float64)
        ahead = points - (points.sum(axis=1, keepdims=True) - points) / (sides[:, None] - 1)
        leads = ahead[rows, np.arange(8) % sides[:, None]]
        ended = _Ended(tables, self._first[tables], leads, done.won[tables])
        seats = np.arange(8) < self._players[self._rules[tables], None]
        learner = seats & ~self._others[tables]
        self.ring.leads.extend(leads[learner].tolist())
        met = done.bids[tables] == done.won[tables]
        for hand in np.unique(done.hand[tables]).tolist():
            self.ring.count_bids(hand, met[learner & (done.hand[tables] == hand)[:, None]].tolist())
        self._first[tables] = self._steps
        if self._step.terminated.any():
            self._seat(self._step.terminated)
        return [ended]

    def _settle(self, ended: list[_Ended]) -> None:
        """Write what came of the learner's decisions in rounds that have ended, last ones first."""
        if not ended:
            return
        ring = self.ring
        tables, first, returns, won = (np.concatenate(each) for each in zip(*ended, strict=True))
        for step in range(self._steps - 1, int(first.min()) - 1, -1):
            live = np.flatnonzero(first <= step)
            rows = (step * self.count + tables[live]) % ring.size
            seats = self._seats[rows]
            ring.points[rows] = returns[live, seats]
            ring.tricks[rows] = won[live, seats]
            returns[live, seats] += (1 - ring.trace) * (ring.values[rows] - returns[live, seats])
