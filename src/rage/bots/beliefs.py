"""Beliefs: which worlds are likely, by what the others have bid and played in them.

:func:`rage.bots.worlds.sample_worlds` draws all worlds that fit alike. In some of them somebody has
a hand with which nobody would have bid so high; this says how much each should count. No bot uses
it: ``docs/bots.md`` says what came of trying.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log
from typing import Final

from rage.bots.learned import GENERAL
from rage.bots.net import Network, network
from rage.bots.worlds import World
from rage.engine.deal import Deal
from rage.game.game import Game
from rage.game.history import MOVES, bidding_order, seat_after
from rage.game.view import View
from rage.rules.cards import BID, CARD_OF_MOVE
from rage.say import NotAllowed

#: How many points less a move is worth that the others choose 1/e as often, and the share of their
#: moves that are any move.
SOFTNESS: Final = 0.6
ANY_MOVE: Final = 0.03
#: The power of the likelihood that a world counts by: whoever plays otherwise than the network
#: makes all likelihoods too sharp.
POWER: Final = 0.5
#: In a world, of a seat that has not bid yet.
_NO_BID: Final = 255


def weights(view: View, worlds: Sequence[World], net: Network | None = None) -> list[float]:
    """How much each of these worlds of a view's seat counts; together 1. It is the likelihood of
    what the others have done in this round, if they play by ``net`` (usually the network of the
    bots), with some randomness, to the power of ``POWER``.

    Raises :class:`rage.NotAllowed` where no round is under way or the view is nobody's, and
    :class:`rage.NotReadable` where the network cannot be read."""
    if net is None:
        net = network(GENERAL)
    logs = [POWER * log_likelihood(view, world, net) for world in worlds]
    most = max(logs, default=0.0)
    shares = [exp(each - most) for each in logs]
    whole = sum(shares)
    return [each / whole for each in shares]


def log_likelihood(view: View, world: World, net: Network) -> float:
    """The logarithm of how likely the others' bids and cards of this round are in a world of the
    view's seat; bids that are hidden from it say nothing. The network sees each of their moments
    as they saw it, but for the points of the rounds before. Raises :class:`rage.NotAllowed` as
    :func:`weights` does."""
    if view.seat is None or view.to_act is None:
        raise NotAllowed("world.no_round")
    current = view.rounds[-1]
    hands = [list(hand) for hand in world.hands]
    for trick in current.tricks:
        for at, move in enumerate(trick.moves):
            hands[seat_after(trick.leader, at, len(hands))].append(CARD_OF_MOVE[move])
    stock = (*view.position.turned, *world.stock)
    deal = Deal(current.dealer, tuple(map(tuple, hands)), stock)
    game = Game(view.rules, len(hands), deals=[deal], first_round=current.number)
    found = 0.0
    for seat in bidding_order(current.dealer, len(hands)):
        if world.bids[seat] == _NO_BID:
            break
        move = MOVES[BID + world.bids[seat]]
        if seat != view.seat and current.bids[seat] is not None:
            found += _log_chance(game, move, net)
        game.play(move)
    for trick in current.tricks:
        for move in trick.moves:
            if game.to_act != view.seat:
                found += _log_chance(game, move, net)
            game.play(move)
    return found


def _log_chance(game: Game, move: int, net: Network) -> float:
    """The logarithm of how likely whoever is to act makes a move."""
    values = net.values(game.position)
    best = max(values.values())
    odds = {each: exp((points - best) / SOFTNESS) for each, points in values.items()}
    share = odds[move] / sum(odds.values())
    return log(ANY_MOVE / len(odds) + (1 - ANY_MOVE) * share)
