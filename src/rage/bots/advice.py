"""Advice: the value of each move, how certain it is, and why, in a sentence for people.

Points are for the seat's side in this round, less the mean of the other sides. All legal moves are
tried in the same worlds, which steady plays to the end of the round, so that tricks and bids are
known too. The network's values count as ``TRUST`` more worlds (without a network, and in rounds
that it has not learned, the worlds alone count, as in ``flat+``). If all possible worlds can be
tried, each is tried once, and nothing is left to chance. Any other bot that values its moves can be
asked instead; ``flat`` and ``flat+`` give full results.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import hypot
from time import perf_counter
from typing import Final, TypedDict

from rage.bots.flat import Flat
from rage.bots.interface import Adviser, Budget, check_budget, check_turn
from rage.bots.learned import Learned, usable_network
from rage.bots.net import Network
from rage.bots.rollouts import Rollouts
from rage.engine.kernel import COMPILED
from rage.game.view import View
from rage.rules.frozen import Value
from rage.rules.number import whole_number
from rage.rules.values import MOVES, Card, Move
from rage.say import NotAllowed, Reason, ReasonData, check_kind, in_words

#: The budget of a hint: some 50 ms if compiled, up to a second if few cards are left.
USUAL: Final = Budget(worlds=400, seconds=1.0)
#: The number of worlds that the network's values count as.
TRUST: Final = 64
#: With at most ``FEW_CARDS`` in the hand, a world takes so little time that ``FEW_CARDS_FACTOR``
#: times the worlds of a budget can be tried, perhaps all there are.
FEW_CARDS: Final = 2
FEW_CARDS_FACTOR: Final = 400 if COMPILED else 1
#: But no more than this many worlds: a few seconds, during which the search cannot be cancelled.
MOST_AT_ONCE: Final = 1_000_000
#: The number of worlds used to measure their speed.
CALIBRATION_WORLDS: Final = 8
#: The points by which two moves could differ in one more world, though a few show no difference: a
#: bid met or missed.
SURPRISE: Final = 10.0
#: A difference of fewer points counts as none.
NEGLIGIBLE: Final = 0.25


class MoveAdvice(Value):
    """A legal move: its expected ``points``, its ``gap`` to the best move, and the standard
    ``error`` of the gap. ``tricks``: by number, the chance that the seat wins that many; ``meets``:
    the chance that its side meets its bid. ``None`` is unknown."""

    move: Move
    points: float
    gap: float
    error: float | None = None
    tricks: tuple[float, ...] | None = None
    meets: float | None = None

    @property
    def clear(self) -> bool:
        """Whether it is certainly worse than the best move: by two standard errors, and by a
        difference that counts."""
        return self.gap >= max(NEGLIGIBLE, 2 * (self.error or 0.0))


class MoveData(TypedDict):
    """A legal move (:class:`MoveAdvice`) as plain data, rounded for people. The expected ``points``
    are for the seat's side in this round, less the mean of the others."""

    move: str
    points: float
    gap: float
    error: float | None
    tricks: list[float] | None
    meets: float | None


class AdviceData(TypedDict):
    """Advice (:class:`Advice`) as plain data: the legal moves, best first, and a sentence."""

    moves: list[MoveData]
    worlds: int
    all_worlds: bool
    exact: bool
    reason: ReasonData


class Advice(Value):
    """The legal moves, best first, and the sentence. ``worlds``: how many were tried;
    ``all_worlds``: whether these are all possible worlds, each tried once; ``exact``: whether, in
    addition, no seat has a choice after these moves and no bid is hidden, so only the deal is
    unknown."""

    moves: tuple[MoveAdvice, ...]
    worlds: int
    all_worlds: bool
    exact: bool
    reason: Reason

    @property
    def best(self) -> MoveAdvice:
        """The move with the most points."""
        return self.moves[0]

    def of(self, move: Move | Card | str) -> MoveAdvice:
        """The advice on a legal move. Raises :class:`rage.NotAllowed` for any other move, and
        :class:`rage.NotReadable` for anything but a move."""
        wanted = Move(move)
        for each in self.moves:
            if each.move is wanted:
                return each
        if wanted.is_bid:
            raise NotAllowed("move.bid_not_legal", bid=wanted.tricks)
        raise NotAllowed("move.card_not_legal", card=str(wanted))

    def __repr__(self) -> str:
        return f"<Advice: {self.best.move}, moves={len(self.moves)}, worlds={self.worlds}>"

    def as_data(self) -> AdviceData:
        """The advice as plain data for JSON."""
        return {
            "moves": [_move_data(each) for each in self.moves],
            "worlds": self.worlds,
            "all_worlds": self.all_worlds,
            "exact": self.exact,
            "reason": self.reason.as_data(),
        }


def _move_data(each: MoveAdvice) -> MoveData:
    return {
        "move": str(each.move),
        "points": rounded_points(each.points),
        "gap": rounded_points(each.gap),
        "error": None if each.error is None else rounded_points(each.error),
        "tricks": None if each.tricks is None else [round(share, 4) for share in each.tricks],
        "meets": None if each.meets is None else round(each.meets, 4),
    }


def rounded_points(points: float) -> float:
    """Points for display, with two decimals and no negative zero."""
    return round(points, 2) + 0.0


def advise(
    view: View,
    bot: Adviser | None = None,
    budget: Budget | None = None,
    seed: int = 0,
    called_off: Callable[[], bool] | None = None,
) -> Advice:
    """Advise the seat of a view, by the values of a bot or, without one, by this module's own
    search. With equal seeds and a budget of worlds, the same view gets the same advice, whatever is
    hidden and whatever the colours are called.

    Raises :class:`rage.NotAllowed` if it is not the turn of the view's seat, or ``bot`` has no
    values of its own (:class:`rage.bots.Adviser`), and :class:`rage.bots.root.CalledOff` once
    ``called_off`` returns true."""
    check_turn(view)
    number = whole_number(seed)
    if budget is not None:
        check_kind(budget, Budget, "budget")
    if isinstance(bot, Flat):
        return _of_worlds(view, bot.search(view, budget), None)
    if bot is not None:
        return _from_values(view, bot, budget)
    search = Rollouts(view.position, number)
    _search(search, view, budget or USUAL, number, called_off)
    return _of_worlds(view, search, usable_network(view))


def _of_worlds(view: View, search: Rollouts, net: Network | None) -> Advice:
    """Advice from the worlds of a search and, if there is one, from a network."""
    if search.worlds == 1 and not search.all_worlds:
        search.run(1)  # one random world gives no error
    trust = 0 if net is None or search.all_worlds else TRUST
    weight = search.worlds / (search.worlds + trust)
    values = {MOVES[move]: weight * points for move, points in search.values}
    if net is not None and trust:
        for move, points in net.values(view.position).items():
            values[MOVES[move]] += (1 - weight) * points
    order = sorted(values, key=lambda move: -values[move])
    best = order[0]
    found = [
        MoveAdvice(
            move,
            values[move],
            values[best] - values[move],
            0.0 if move == best else weight * _error(search, best, move),
            tuple(search.tricks(move.number)),
            search.meets(move.number),
        )
        for move in order
    ]
    exact = search.all_worlds and not search.choices and not search.guesses_bids
    reason = why(view, found)
    return Advice(tuple(found), search.worlds, search.all_worlds, exact, reason)


def _search(
    search: Rollouts,
    view: View,
    budget: Budget,
    seed: int,
    called_off: Callable[[], bool] | None,
) -> None:
    """Try all worlds if there are few enough, otherwise as many as the budget allows."""
    check_budget(budget)
    if budget.worlds is not None and (COMPILED or budget.seconds is None):
        most = budget.worlds * (FEW_CARDS_FACTOR if len(view.hand) <= FEW_CARDS else 1)
        most = min(most, MOST_AT_ONCE)
        if budget.seconds is not None:
            most = min(most, _in_time(view, seed, budget.seconds))
        if search.exhaust(most):
            return
    search.spend(budget, called_off)


def _in_time(view: View, seed: int, seconds: float) -> int:
    """The number of worlds that half of the time allows: counting them may take the other half."""
    begun = perf_counter()
    Rollouts(view.position, seed).run(CALIBRATION_WORLDS)
    return int(CALIBRATION_WORLDS * seconds / 2 / max(perf_counter() - begun, 1e-6))


def _error(search: Rollouts, best: Move, move: Move) -> float:
    """The standard error of a move's gap to the best: 0 if all worlds were tried, otherwise no less
    than one surprising world would make it."""
    error = search.difference(best.number, move.number)[1]
    return 0.0 if search.all_worlds else hypot(error, SURPRISE / search.worlds)


def _from_values(view: View, bot: Adviser, budget: Budget | None) -> Advice:
    """Advice from the values of a bot, without error estimates. Expected tricks are known only for
    network bots."""
    if not (hasattr(bot, "choose") and hasattr(bot, "values")):
        raise NotAllowed("bot.no_values", bot=in_words(getattr(bot, "name", bot)))
    values = bot.values(view, budget)
    order = sorted(values, key=lambda move: -values[move])
    best = values[order[0]]
    found = [MoveAdvice(move, values[move], best - values[move]) for move in order]
    net = usable_network(view)
    if net is not None and view.seat is not None and isinstance(bot, Learned):
        tricks = tuple(net.tricks(view.position, view.seat))
        found[0] = found[0].replace(tricks=tricks)
    return Advice(tuple(found), 0, False, False, why(view, found))


# --- the sentence --------------------------------------------------------------------------


def why(view: View, moves: Sequence[MoveAdvice]) -> Reason:
    """The advice as a sentence; ``moves`` are ordered best first."""
    best = moves[0]
    if len(moves) == 1:
        code = "advice.only.bid" if view.bidding else "advice.only"
        return Reason(code, _named(view, best, "move"))
    if not any(each.clear for each in moves) and len(moves) > 2:
        return Reason("advice.same.bid" if view.bidding else "advice.same")
    other = moves[1]
    even = other.gap < max(NEGLIGIBLE, other.error or 0.0)
    first, second = best, other
    if even and view.bidding:
        first, second = sorted((best, other), key=lambda each: each.move.tricks or 0)
    params = _named(view, first, "move") | _named(view, second, "other")
    if not even:
        params["points"] = round(other.gap, 1)
    if not view.bidding:
        return Reason("advice.play.even" if even else "advice.play", params)
    if best.tricks is not None:
        params["tricks"] = round(expected_tricks(best.tricks), 1)
    code = "advice.bid.even" if even else "advice.bid"
    return Reason(code if best.tricks is not None else f"{code}.short", params)


def _named(view: View, each: MoveAdvice, name: str) -> dict[str, object]:
    """A move as a parameter: the number of a bid, the code of a card."""
    return {name: each.move.tricks if view.bidding else str(each.move)}


def expected_tricks(tricks: Sequence[float]) -> float:
    """The mean number of tricks."""
    return sum(number * share for number, share in enumerate(tricks))
