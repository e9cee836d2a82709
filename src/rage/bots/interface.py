"""What a bot is, to all that play with one."""

from __future__ import annotations

from typing import Final, NamedTuple, Protocol

from rage.engine.position import Position
from rage.game.history import Move
from rage.game.view import View
from rage.say import NotAllowed, NotReadable, RageError, brief

#: What the name of a bot begins with that is a program of somebody's own.
PROGRAM: Final = "program:"
#: The most worlds that a budget may have.
MOST_WORLDS: Final = 1_000_000_000
#: The most seconds, some thirty years.
MOST_SECONDS: Final = 1e9


class Budget(NamedTuple):
    """How much a bot may think about one move: how many worlds it may try, and for how many
    seconds; what is ``None`` is not bounded. With ``seconds`` the same view can lead to another
    move, for a busy machine tries fewer worlds."""

    worlds: int | None = None
    seconds: float | None = None


def check_budget(budget: Budget) -> None:
    """Raises :class:`rage.NotAllowed` for a budget without an end, and for one whose numbers cannot
    be spent. Less than nothing is nothing."""
    worlds, seconds = budget
    if worlds is None and seconds is None:
        raise NotAllowed("bot.no_bound")
    whole = worlds is None or (isinstance(worlds, int) and worlds <= MOST_WORLDS)
    finite = seconds is None or (isinstance(seconds, int | float) and abs(seconds) <= MOST_SECONDS)
    if not (whole and finite):
        given = str(seconds if whole else worlds)
        raise NotAllowed("bot.budget", most=MOST_WORLDS, given=given)


def acting_seat(position: Position) -> int:
    """The seat whose turn it is, and whose hand the position has. Raises :class:`rage.NotAllowed`
    where nobody is to act, or the hand is masked."""
    seat = None if position is None else position.to_act
    if seat is None or not position.hand(seat):
        raise NotAllowed("bot.not_to_move")
    return seat


class Bot(Protocol):
    """A program that plays a seat."""

    @property
    def name(self) -> str:
        """What the bot is called on a command line and in a record."""

    @property
    def releases_gil(self) -> bool:
        """Whether other threads can run while it thinks: it is compiled and releases the GIL, or
        thinks for microseconds only. Any other bot should run in a process of its own."""

    def choose(self, view: View, budget: Budget | None = None) -> Move:
        """One of the legal moves of ``view``, whose turn it must be. Without a budget it takes the
        time that it usually takes; a bot that does not search takes that in any case."""


class Adviser(Bot, Protocol):
    """A bot that can say what each move is worth."""

    def values(self, view: View, budget: Budget | None = None) -> dict[Move, float]:
        """The legal moves of ``view`` with the points to expect after each: those of the seat's
        side in this round, less the mean of the other sides."""


def checked(name: str, answer: object, view: View) -> Move:
    """The legal move that a bot's answer means. Raises :class:`rage.NotAllowed`, with the bot's
    name and the reason."""
    try:
        if not isinstance(answer, str | Move):
            raise NotReadable("move.no_code", card=in_words(answer))
        move = Move.parse(str.__str__(answer)) if isinstance(answer, str) else answer
    except RageError as error:
        said = in_words(answer)
        raise NotAllowed("bot.own.illegal", bot=name, move=said, why=error.reason) from None
    why = view.why_not(move)
    if why is not None:
        raise NotAllowed("bot.own.illegal", bot=name, move=str(move), why=why)
    return move


def in_words(answer: object) -> str:
    """Somebody's answer in a few words, whatever it is: an error that names it may have to go
    from one process to another."""
    try:
        return brief(" ".join(str(answer).split()))
    except Exception:  # it is theirs how it is written
        return type(answer).__name__
