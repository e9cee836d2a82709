"""Many games at once, for a learner that makes many moves at a time."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from rage.bots.steady import best_move_of
from rage.engine.kernel import Phase, Rules
from rage.engine.position import Position
from rage.features.encode import SIZE, actual_move, colour_places, encode_into
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
            moves = position.legal()
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
        rng = random.Random(seed)
        self.count = count
        self.ring = Ring(count * steps, trace)
        self.start = 0
        self._games = [
            Environment(rules, random.Random(rng.random()), share, other) for _ in range(count)
        ]
        for game in self._games:
            game.go(self.ring)

    def look(self) -> NDArray[np.int16]:
        """The features of all tables, a row each, for the seat to act there."""
        ring, start = self.ring, self.start
        rows = ring.rows
        for number, game in enumerate(self._games):
            seat = game.position.to_act
            assert seat is not None
            encode_into(game.position, seat, rows[start + number])
        ring.tricks[start : start + self.count] = UNSETTLED
        return rows[start : start + self.count]

    def play(self, moves: NDArray[Any]) -> None:
        """Make a canonical move in each game, and go on."""
        ring, start = self.ring, self.start
        ring.moves[start : start + self.count] = moves
        for number, (game, move) in enumerate(zip(self._games, moves.tolist(), strict=True)):
            position = game.position
            seat = position.to_act
            assert seat is not None
            game.decisions.append((start + number, seat))
            game.make(actual_move(move, colour_places(position, seat)), ring)
            game.go(ring)
        self.start = (start + self.count) % ring.size
