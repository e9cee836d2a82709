"""The interface of a bot."""

from __future__ import annotations

from typing import Any, Final, Protocol

from rage.engine.position import Position
from rage.game.view import View
from rage.rules.frozen import Value
from rage.rules.hands import Moves
from rage.rules.values import Move
from rage.say import NotAllowed, RageError, check_kind, in_words

#: The name prefix of bots that are custom programs.
PROGRAM: Final = "program:"
#: The most worlds in a budget.
MOST_WORLDS: Final = 1_000_000_000
#: The most seconds in a budget, some thirty years.
MOST_SECONDS: Final = 1e9


class Budget(Value):
    """A limit on thinking about one move: worlds to try, 1 or more, and seconds to take, 0 or more;
    ``None`` is unlimited. With ``seconds``, the same view can lead to different moves, because a
    busy machine tries fewer worlds. Raises :class:`rage.NotAllowed` for numbers out of range."""

    worlds: int | None = None
    seconds: float | None = None

    def _check(self) -> None:
        worlds, seconds = self.worlds, self.seconds
        whole = worlds is None or (isinstance(worlds, int) and 1 <= worlds <= MOST_WORLDS)
        number = isinstance(seconds, int | float)
        if not whole or not (seconds is None or (number and 0 <= seconds <= MOST_SECONDS)):
            given = str(seconds if whole else worlds)
            raise NotAllowed("bot.budget", most=MOST_WORLDS, given=given)


def check_budget(budget: Budget) -> None:
    """Raise :class:`rage.NotAllowed` for an unlimited budget."""
    check_kind(budget, Budget, "budget")
    if budget == Budget():
        raise NotAllowed("bot.no_bound")


def check_turn(view: View) -> Moves:
    """The legal moves of a view. Raises :class:`rage.NotAllowed` if it is not its seat's turn, and
    :class:`rage.NotReadable` for anything but a view."""
    check_kind(view, View, "view")
    moves = view.legal_moves
    if not moves:
        raise NotAllowed("bot.not_to_move")
    return moves


def acting_seat(position: Position) -> int:
    """The seat to act, whose hand must be known. Raises :class:`rage.NotAllowed` if no seat is to
    act or the hand is masked."""
    seat = None if position is None else position.to_act
    if seat is None or not position.hand(seat):
        raise NotAllowed("bot.not_to_move")
    return seat


class BaseBot:
    """The base class of Rage's bots, with a one-line ``repr``."""

    name: str
    _usual: Budget | None = None

    def __repr__(self) -> str:
        worlds = self._usual and self._usual.worlds
        return f"<Bot {self.name}{f', {worlds} worlds' if worlds else ''}>"


class Bot(Protocol):
    """A program that plays a seat."""

    @property
    def name(self) -> str:
        """The name of the bot on a command line and in a record."""

    def choose(self, view: View, budget: Budget | None = None) -> Move:
        """One of the legal moves of ``view``, whose seat must be to act. Without a budget the bot
        takes its usual time; one that does not search ignores budgets."""


class Adviser(Bot, Protocol):
    """A bot that can value each move."""

    def values(self, view: View, budget: Budget | None = None) -> dict[Move, float]:
        """The legal moves of ``view`` with the expected points of each: for the seat's side in this
        round, less the mean of the other sides."""


def check_answer(name: str, answer: object, view: View) -> Move:
    """The legal move that a bot's answer means. Raises :class:`rage.NotAllowed`, with the bot's
    name and the reason."""
    try:
        given: Any = answer
        move = Move(str.__str__(given) if isinstance(given, str) else given)
    except RageError as error:
        said = in_words(answer)
        raise NotAllowed("bot.own.illegal", bot=name, move=said, why=error.reason) from None
    why = view.why_not(move)
    if why is not None:
        raise NotAllowed("bot.own.illegal", bot=name, move=str(move), why=why)
    return move
