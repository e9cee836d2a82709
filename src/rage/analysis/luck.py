"""Luck of the deal: what bots get in each seat with the same cards.

The bots are `medium`, which plays well and fast, and not always alike: so a round can be played
many times, and the mean is what the cards are worth rather than one outcome. Without its network,
and in rounds that this has not learned, `steady` plays for it, which would always play alike: so
one card in ten is any that it may play.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from math import sqrt
from statistics import fmean, stdev
from typing import Final, NamedTuple

from rage.bots import Random, bot
from rage.bots.interface import BaseBot, Budget
from rage.bots.learned import usable_network
from rage.bots.root import CalledOff
from rage.bots.steady import Steady
from rage.engine.kernel import COMPILED
from rage.game.account import leads
from rage.game.game import Game
from rage.game.history import Round
from rage.game.view import View
from rage.rules.values import Move

#: The bot that plays the deals again, and the share of the cards that another one lets slip.
BOT: Final = "medium"
SLIPS: Final = 0.1
#: How often: a game of four takes some 4 s of processor time.
TIMES: Final = 200 if COMPILED else 2


class _Slipping(BaseBot):
    """Steady, except for some cards."""

    name = "steady"

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(seed)
        self._slip = Random(seed)

    def choose(self, view: View, budget: Budget | None = None) -> Move:
        """Steady's bid or card, or any card that is legal."""
        slips = not view.bidding and self._chance.random() < SLIPS
        return (self._slip if slips else Steady()).choose(view)


class RoundLuck(NamedTuple):
    """A finished round, and what bots got from its deal. By side: the ``points`` it had, the mean
    of what ``bots`` get in its place, their lead (``ahead``) over the mean of the other sides, and
    the standard ``error`` of that."""

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
    """What bots get from the deal of a round; ``None`` if the round is not over, or the record has
    too little of the stock for another course of it. Raises :class:`rage.bots.root.CalledOff` once
    ``called_off`` returns true."""
    if played.points is None or played.deal is None:
        return None
    found = []
    for again in range(times):
        if called_off is not None and called_off():
            raise CalledOff
        other = Game(game.rules, game.names, deals=[played.deal], first_round=played.number)
        learned = usable_network(other.view(None))
        player = bot(BOT, seed + again) if learned else _Slipping(seed + again)
        while other.to_act is not None:
            other.play(player.choose(other.view(other.to_act)))
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
