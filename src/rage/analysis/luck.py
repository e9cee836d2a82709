"""Luck of the deal: what bots get in each seat with the same cards.

The bots are `medium`, which plays well and fast, and not always alike: so a round can be played
many times, and the mean is what the cards are worth rather than what came of them once. Without its
network, `steady` would sit in, which always plays alike; so `flat` does.
"""

from __future__ import annotations

from collections.abc import Callable
from math import sqrt
from statistics import fmean, stdev
from typing import Final, NamedTuple

from rage.bots import Budget, bot
from rage.bots.learned import usable_network
from rage.bots.root import CalledOff
from rage.engine.kernel import COMPILED
from rage.game.account import leads
from rage.game.game import Game
from rage.game.history import Round

#: Who plays the deals again, and who does so where there is no network.
BOT: Final = "medium"
OTHER_BOT: Final = "flat"
#: How much the latter thinks of a move: without a compiler, little.
BUDGET: Final = None if COMPILED else Budget(4)
#: How often: a game of four takes some 4 s of a processor.
TIMES: Final = 200 if COMPILED else 2


class RoundLuck(NamedTuple):
    """A round that was over, and what bots made of its deal: by side the ``points`` that it had,
    the mean of what ``bots`` get in its place, how far these are ``ahead`` of the mean of the other
    sides, and the standard ``error`` of that."""

    number: int
    points: tuple[int, ...]
    bots: tuple[float, ...]
    ahead: tuple[float, ...]
    error: tuple[float, ...]


def luck_of(
    game: Game,
    played: Round,
    times: int,
    seed: int,
    called_off: Callable[[], bool] | None = None,
) -> RoundLuck | None:
    """What bots make of the deal of a round; ``None`` where the round is not over, or the record
    has too little of the stock for another course of it. Raises
    :class:`rage.bots.root.CalledOff` once ``called_off`` says that nobody wants it any more."""
    if played.points is None or played.deal is None:
        return None
    found = []
    name = BOT if usable_network() else OTHER_BOT
    for again in range(times):
        if called_off is not None and called_off():
            raise CalledOff
        other = Game(game.rules, game.names, deals=[played.deal], first_round=played.number)
        player = bot(name, seed + again)
        while other.to_act is not None:
            other.play(player.choose(other.view(other.to_act), BUDGET))
        if other.position.stock_short:
            return None
        points = other.rounds[0].points
        assert points is not None
        found.append(points)
    ahead = [*zip(*map(leads, found), strict=True)]
    return RoundLuck(
        played.number,
        tuple(played.points),
        tuple(fmean(side) for side in zip(*found, strict=True)),
        tuple(fmean(side) for side in ahead),
        tuple(stdev(side) / sqrt(times) if times > 1 else 0.0 for side in ahead),
    )
