"""The interface of a bot."""

from __future__ import annotations

from typing import Any, Final, NamedTuple, Protocol

from rage.engine.position import Position
from rage.game.view import View
from rage.rules.hands import Moves
from rage.rules.values import Move
from rage.say import NotAllowed, RageError, check_kind, in_words

#: The prefix in the name of a bot that is a custom program.
PROGRAM: Final = "program:"
#: The most worlds that a budget may have.
MOST_WORLDS: Final = 1_000_000_000
#: The most seconds, some thirty years.
MOST_SECONDS: Final = 1e9


class Budget(NamedTuple):
    """How much a bot may think about one move: the worlds it may try, 1 or more, and the seconds it
    may take, 0 or more; ``None`` is unlimited. With ``seconds`` the same view can lead to another
    move, because a busy machine tries fewer worlds."""

    worlds: int | None = None
    seconds: float | None = None


def check_budget(budget: Budget) -> None:
    """Raises :class:`rage.NotAllowed` for an unlimited budget, and for one whose numbers cannot be
    spent."""
    check_kind(budget, Budget, "budget")
    worlds, seconds = budget
    if worlds is None and seconds is None:
        raise NotAllowed("bot.no_bound")
    whole = worlds is None or (isinstance(worlds, int) and 1 <= worlds <= MOST_WORLDS)
    finite = seconds is None or (isinstance(seconds, int | float) and 0 <= seconds <= MOST_SECONDS)
    if not (whole and finite):
        given = str(seconds if whole else worlds)
        raise NotAllowed("bot.budget", most=MOST_WORLDS, given=given)


def check_turn(view: View) -> Moves:
    """The legal moves of a view. Raises :class:`rage.NotAllowed` if it is not the turn of its seat,
    and :class:`rage.NotReadable` for anything but a view."""
    check_kind(view, View, "view")
    moves = view.legal_moves()
    if not moves:
        raise NotAllowed("bot.not_to_move")
    return moves


def acting_seat(position: Position) -> int:
    """The seat to act, whose hand the position has. Raises :class:`rage.NotAllowed` if nobody is to
    act, or the hand is masked."""
    seat = None if position is None else position.to_act
    if seat is None or not position.hand(seat):
        raise NotAllowed("bot.not_to_move")
    return seat


class BaseBot:
    """What the bots of Rage have in common: each prints in one line."""

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
        """One of the legal moves of ``view``, whose turn it must be. Without a budget it takes its
        usual time, as a bot that does not search always does."""


class Adviser(Bot, Protocol):
    """A bot that can value each move."""

    def values(self, view: View, budget: Budget | None = None) -> dict[Move, float]:
        """The legal moves of ``view`` with the points to expect after each: those of the seat's
        side in this round, less the mean of the other sides."""


def check_answer(name: str, answer: object, view: View) -> Move:
    """The legal move that a bot's answer stands for. Raises :class:`rage.NotAllowed`, with the
    bot's name and the reason."""
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
