"""Luck of the deal: what bots get in each seat with the same cards.

The bots are `medium`, which plays well, fast and with variation: a round is played many times, and
the mean shows what the cards are worth. Without its network, and in rounds that the network has not
learned, `steady` plays instead. It would always play alike, so one card in ten is random.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from math import sqrt
from statistics import fmean, stdev
from typing import Final

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
from rage.rules.frozen import Value
from rage.rules.values import Move
from rage.say import NotAllowed

#: The bot that replays the deals, and the share of random cards of the one that stands in for it.
BOT: Final = "medium"
SLIPS: Final = 0.1
#: How often a deal is replayed: a game of four takes about 4 s of processor time.
TIMES: Final = 200 if COMPILED else 2


class _Slipping(BaseBot):
    """Steady, except for some random cards."""

    name = "steady"

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(seed)
        self._slip = Random(seed)

    def choose(self, view: View, budget: Budget | None = None) -> Move:
        """Steady's bid or card, or a random legal card."""
        slips = not view.bidding and self._chance.random() < SLIPS
        return (self._slip if slips else Steady()).choose(view)


class RoundLuck(Value):
    """A finished round, and what bots got from its deal. By side: its ``points``, the mean points
    of ``bots`` in its place, their lead (``ahead``) over the mean of the other sides, and the
    standard ``error`` of the lead."""

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
    too little of the stock to replay it. Raises :class:`rage.bots.root.CalledOff` once
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
            move = player.choose(other.view(other.to_act))
            try:
                other.play(move)
            except NotAllowed:  # the stock is cut short
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
