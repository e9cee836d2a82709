"""The bots that have learned: they play by a network (`net.py`).

They differ in how soft their choice is, which is how often a move is made that the network values
less; in whether they remember the tricks that are over; and in how far they look ahead where the
network hesitates between moves. None sees a hidden card.
"""

from __future__ import annotations

import logging
import random
import secrets
from functools import cache
from math import exp
from typing import Final, Literal, NamedTuple
from zlib import crc32

from rage.bots.interface import Budget
from rage.bots.net import Network, network
from rage.bots.rollouts import Rollouts
from rage.bots.steady import Steady
from rage.encode import encode
from rage.history import MOVES, Move
from rage.kernel import COMPILED
from rage.position import Position
from rage.say import NotAllowed, NotReadable
from rage.view import View

log: Final = logging.getLogger(__name__)

#: The network of all these bots.
GENERAL: Final = "general"


class Look(NamedTuple):
    """How far a bot looks ahead where it hesitates: it tries the ``moves`` that the network values
    most, as far as they are at most ``margin`` points apart, in so many ``worlds``, plays them out
    by the moves of steady or of the network itself, and takes the network's value for as much as
    ``trust`` worlds."""

    worlds: int
    policy: Literal["steady", "network"] = "steady"
    moves: int = 10
    margin: float = 4.0
    trust: int = 64


class Level(NamedTuple):
    """How well a bot plays. A move that the network values ``softness`` points less than the best
    is chosen with a chance of one to e (2.7) against it; 0 is always the best. A ``forgetful`` bot
    does not remember the tricks that are over. With a ``look``, it looks ahead."""

    softness: float = 0.0
    forgetful: bool = False
    look: Look | None = None


#: The levels by their names, from the weakest on.
LEVELS: Final = {
    "easy": Level(softness=0.75, forgetful=True),
    "medium": Level(softness=0.15),
    "hard": Level(look=Look(worlds=200)),
    "master": Level(look=Look(worlds=64, policy="network")),
    "deep": Level(look=Look(worlds=320, policy="network")),
}


@cache
def _report(name: str, error: str) -> None:
    """Log once, and not for every move, why steady plays for a bot."""
    log.warning("%s; steady plays for %s", error, name)


class Learned:
    """A bot that plays by a network. With a seed, the same view always leads to the same move.
    Where the network can't be read, that is logged, and steady plays instead."""

    releases_gil = COMPILED

    def __init__(self, name: str, seed: int | None = None) -> None:
        self.name = name
        self._level = LEVELS[name]
        self._seed = secrets.randbits(32) if seed is None else seed
        self._network: Network | None = None
        try:
            self._network = network(GENERAL)
        except NotReadable as error:
            _report(name, str(error))

    def choose(self, view: View, budget: Budget | None = None) -> Move:
        """One of the legal moves: the one that it values most, or one that is worth a little less.
        Raises :class:`rage.NotAllowed` where it is not the turn of the view's seat."""
        moves = view.legal_moves()
        if len(moves) == 1:
            return moves[0]
        if self._network is None:
            return Steady().choose(view)
        values = self.values(view, budget)
        if not self._level.softness:
            return max(values, key=lambda move: values[move])
        best = max(values.values())
        odds = [exp((points - best) / self._level.softness) for points in values.values()]
        seat = view.seat
        assert seat is not None
        chance = random.Random(crc32(encode(view.position, seat), self._seed))
        return chance.choices(list(values), odds)[0]

    def values(self, view: View, budget: Budget | None = None) -> dict[Move, float]:
        """The legal moves in canonical order, with the points to expect after each: those of the
        seat's side in this round, less the mean of the other sides. Raises :class:`rage.NotAllowed`
        where it is not the turn of the view's seat, and :class:`rage.NotReadable` where there is
        no network."""
        if not view.my_turn:
            raise NotAllowed("bot.not_to_move")
        position = view.position.forgetful() if self._level.forgetful else view.position
        values = network(GENERAL).values(position)
        if self._level.look is not None:
            values |= self._look_ahead(position, values, self._level.look, budget)
        return {MOVES[move]: points for move, points in values.items()}

    def _look_ahead(
        self, position: Position, values: dict[int, float], look: Look, budget: Budget | None
    ) -> dict[int, float]:
        """The values of the moves that come into question, by the network and by trying them."""
        best = max(values.values())
        ranked = sorted(values, key=lambda move: -values[move])[: look.moves]
        tried = [move for move in ranked if values[move] > best - look.margin]
        if len(tried) == 1:
            return {}
        policy = network(GENERAL) if look.policy == "network" else look.policy
        rollouts = Rollouts(position, self._seed, policy)
        rollouts.keep(tried)
        rollouts.spend(budget or Budget(look.worlds))
        found = dict(rollouts.values)
        weight = rollouts.worlds / (rollouts.worlds + look.trust)
        return {move: values[move] + weight * (found[move] - values[move]) for move in tried}
