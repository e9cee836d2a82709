"""The learned bots: they play by a network (`net.py`).

They differ in how soft their choice is (how often they make a move that the network values less),
in whether they remember past tricks, and in how far they look ahead when the network hesitates
between moves. None sees a hidden card.
"""

from __future__ import annotations

import secrets
from bisect import bisect
from itertools import accumulate
from math import exp
from time import perf_counter
from typing import Final, NamedTuple
from zlib import crc32

from rage.bots.interface import BaseBot, Budget, check_budget, check_turn
from rage.bots.learned_rules import has_learned
from rage.bots.net import Network, network
from rage.bots.rollouts import Rollouts
from rage.bots.steady import best_move_of
from rage.engine.position import Position
from rage.features.encode import encode
from rage.game.view import View
from rage.rules.cards import BID
from rage.rules.values import MOVES, Move
from rage.say import NotAllowed, NotReadable, Reason

#: The golden ratio in 32 bits: multiplying by it mixes the bits of a checksum.
_MIX: Final = 0x9E3779B1
#: The network of all these bots.
GENERAL: Final = "general"


class LookAhead(NamedTuple):
    """How a bot looks ahead when it hesitates: it tries the ``moves`` best moves by the network, as
    far as they are within ``margin`` points of the best, in at most ``worlds`` worlds. The network
    plays each up to the bot's next decision after ``plies`` more moves (0: to the end of the
    round), and its own value counts as ``trust`` worlds."""

    worlds: int
    plies: int = 0
    moves: int = 10
    margin: float = 4.0
    trust: int = 8


#: All candidates are first tried in ``FIRST`` worlds. Then, and after every ``STEP`` more, those
#: with a gap to the best of at least ``MAX_GAP`` standard errors are dropped. An error is at least
#: ``LEAST_ERROR`` points, because a few worlds can all show the same difference.
FIRST: Final = 32
STEP: Final = 16
MAX_GAP: Final = 2.0
LEAST_ERROR: Final = 0.1
#: In rounds that the network has not learned, steady plays the worlds out, and its own move starts
#: ``STEADY_AHEAD`` points ahead. Only bids within ``NEAR_BIDS`` of its own are tried, and none more
#: than ``NEAR_HALF`` above half the hand, which some worlds would make look safe.
STEADY_AHEAD: Final = 3.0
NEAR_BIDS: Final = 2
NEAR_HALF: Final = 3


class Level(NamedTuple):
    """How well a bot plays. A move that the network values ``softness`` points less than the best
    is chosen with odds of one to e (2.7); 0 always takes the best. A ``careless`` bot slips in this
    share of its decisions to what lies beside the best: a bid of one more or one less, or the next
    card of its hand that may be played. A ``forgetful`` bot does not remember past tricks. With a
    ``look``, it looks ahead."""

    softness: float = 0.0
    careless: float = 0.0
    forgetful: bool = False
    look: LookAhead | None = None


#: The levels by name, by how much they think.
LEVELS: Final = {
    "easy": Level(careless=0.6, forgetful=True),
    "medium": Level(softness=0.2),
    "hard": Level(look=LookAhead(worlds=64, plies=10)),
    "master": Level(look=LookAhead(worlds=1024, plies=10)),
    "deep": Level(look=LookAhead(worlds=1024)),
}


def within(name: str, seconds: float) -> Budget | None:
    """The usual budget of a bot that looks ahead, limited to ``seconds``; ``None`` for other
    bots."""
    level = LEVELS.get(name)
    return None if level is None or level.look is None else Budget(level.look.worlds, seconds)


def usable_network(view: View | None = None) -> Network | None:
    """The network of these bots, or ``None`` if it cannot be read, or has not learned the round of
    a view."""
    if view is not None and not has_learned(view.rules, view.position.hand_size):
        return None
    try:
        return network(GENERAL)
    except NotReadable:
        return None


class Learned(BaseBot):
    """A bot that plays by a network if it has learned the rules (:mod:`rage.bots.learned_rules`),
    and otherwise plays like steady, or looks ahead from steady's move. With a seed, the same view
    always leads to the same move (on the same kind of processor: others round differently, which
    can decide between equal moves). Raises :class:`rage.NotReadable` if there is no network
    (:mod:`rage.bots.stand_in`)."""

    def __init__(self, name: str, seed: int | None = None) -> None:
        self.name = name
        self._level = LEVELS[name]
        self._seed = secrets.randbits(32) if seed is None else seed
        self._network = network(GENERAL)

    def __reduce__(self) -> tuple[type[Learned], tuple[str, int]]:
        return (type(self), (self.name, self._seed))

    def choose(self, view: View, budget: Budget | None = None) -> Move:
        """The legal move that it values most, or one worth a little less. Raises
        :class:`rage.NotAllowed` if it is not the turn of the view's seat."""
        moves = check_turn(view)
        if len(moves) == 1:
            return moves[0]
        if self._level.look is None and not _is_learned(view):
            return MOVES[best_move_of(view.position)]
        values = self.values(view, budget)
        softness, careless = self._level.softness, self._level.careless
        if not softness and not careless:
            return max(values, key=lambda move: values[move])
        best = max(values.values())
        if softness:
            odds = [exp((points - best) / softness) for points in values.values()]
        else:
            odds = _beside(list(values.values()).index(best), len(values), careless)
        sums = list(accumulate(odds))
        return list(values)[bisect(sums, self._chance(view) * sums[-1], hi=len(sums) - 1)]

    def _chance(self, view: View) -> float:
        """A number from 0 to 1 that follows from the seed and what the seat knows. (Seeding a
        generator takes longer than running the network.)"""
        seat = view.seat
        assert seat is not None
        known = crc32(encode(view.position, seat), self._seed)
        return (known * _MIX % 2**32) / 2**32

    def values(self, view: View, budget: Budget | None = None) -> dict[Move, float]:
        """The legal moves in canonical order, with the expected points of each: for the seat's side
        in this round, less the mean of the other sides. Raises :class:`rage.NotAllowed` if it is
        not the turn of the view's seat, or steady plays the round for this bot."""
        check_turn(view)
        look = self._level.look
        position = view.position.forgetful() if self._level.forgetful else view.position
        if not _is_learned(view):
            if look is None:
                why = Reason("bot.unlearned.values")
                raise NotAllowed("bot.stand_in.cannot", bot=self.name, why=why)
            values = self._look_from_steady(position, look, budget)
        else:
            values = self._network.values(position)
            if look is not None:
                values = self._look_ahead(position, values, look, budget)
        return {MOVES[move]: points for move, points in values.items()}

    def _look_ahead(
        self, position: Position, values: dict[int, float], look: LookAhead, budget: Budget | None
    ) -> dict[int, float]:
        """Network values, refined by rollouts for the candidates."""
        best = max(values.values())
        ranked = sorted(values, key=lambda move: -values[move])[: look.moves]
        tried = [move for move in ranked if values[move] > best - look.margin]
        budget = budget or Budget(look.worlds)
        check_budget(budget)
        if len(tried) == 1:
            return values
        search = Rollouts(position, self._seed, self._network, look.plies)
        return _refined(values, tried, search, budget, look.trust)

    def _look_from_steady(
        self, position: Position, look: LookAhead, budget: Budget | None
    ) -> dict[int, float]:
        """The mean results of worlds that steady plays out. Its own move starts a little ahead, and
        bids far from its own are not tried."""
        chosen = best_move_of(position)
        search = Rollouts(position, self._seed)
        moves = [move for move, _ in search.values]
        values = {move: 0.0 if move == chosen else -STEADY_AHEAD for move in moves}
        tried = moves
        if chosen >= BID:
            most = max(chosen, BID + (position.hand_size + 1) // 2 + NEAR_HALF)
            tried = [bid for bid in moves if abs(bid - chosen) <= NEAR_BIDS and bid <= most]
        return _refined(values, tried, search, budget or Budget(look.worlds), look.trust, share=1.0)


def _refined(
    values: dict[int, float],
    tried: list[int],
    search: Rollouts,
    budget: Budget,
    trust: int,
    share: float | None = None,
) -> dict[int, float]:
    """Values refined by rollouts for the moves in ``tried``. The values count as ``trust`` worlds,
    the means of the rollouts as all the rest, or with the weight ``share``. A move that is dropped,
    or never tried, keeps its last gap to the best."""
    best = max(values.values())
    begun = perf_counter()
    gaps = {move: best - points for move, points in values.items() if move not in tried}
    found = {move: values[move] for move in tried}
    while len(tried) > 1:
        search.keep(tried)
        search.spend(_next_step(budget, search.worlds, perf_counter() - begun))
        weight = search.worlds / (search.worlds + trust)
        for move, points in search.values:
            if move in tried:
                found[move] = (share or weight) * points + (1 - weight) * values[move]
        first = max(tried, key=lambda move: found[move])
        if _is_spent(budget, search.worlds, perf_counter() - begun):
            break
        for move in tried:
            gap = found[first] - found[move]
            error = max(search.difference(first, move)[1], LEAST_ERROR)
            if move != first and gap >= MAX_GAP * weight * error:
                gaps[move] = gap
        tried = [move for move in tried if move not in gaps]
    most = max(found[move] for move in tried)
    found |= {move: most - points for move, points in gaps.items()}
    return {move: found[move] for move in values}


def _is_learned(view: View) -> bool:
    """Whether the network has learned the round of a view."""
    return has_learned(view.rules, view.position.hand_size)


def _beside(best: int, moves: int, slips: float) -> list[float]:
    """The odds of the moves in canonical order: a share goes to those beside the best one."""
    near = [at for at in (best - 1, best + 1) if 0 <= at < moves]
    odds = [0.0] * moves
    for at in near:
        odds[at] = slips / len(near)
    odds[best] = 1 - slips
    return odds


def _next_step(budget: Budget, worlds: int, seconds: float) -> Budget:
    """The budget until moves are dropped again, after this many worlds and seconds."""
    step = worlds + (STEP if worlds else FIRST)
    return Budget(
        step if budget.worlds is None else min(step, budget.worlds),
        None if budget.seconds is None else max(0.0, budget.seconds - seconds),
    )


def _is_spent(budget: Budget, worlds: int, seconds: float) -> bool:
    return (budget.worlds is not None and worlds >= budget.worlds) or (
        budget.seconds is not None and seconds >= budget.seconds
    )
