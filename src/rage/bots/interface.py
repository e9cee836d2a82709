"""What a bot is, to all that play with one."""

from __future__ import annotations

from math import isfinite
from typing import Final, NamedTuple, Protocol

from rage.history import Move
from rage.say import NotAllowed, NotReadable, RageError, brief
from rage.view import View

#: What the name of a bot begins with that is a program of somebody's own.
PROGRAM: Final = "program:"
#: The most worlds that a budget may have.
MOST_WORLDS: Final = 1_000_000_000


class Budget(NamedTuple):
    """How much a bot may think about one move: how many worlds it may try, and for how many
    seconds; what is ``None`` is not bounded. With ``seconds`` the same view can lead to another
    move, for a busy machine tries fewer worlds."""

    worlds: int | None = None
    seconds: float | None = None


def check_budget(budget: Budget) -> None:
    """Raises :class:`rage.NotAllowed` for a budget without an end, and for one whose numbers are
    none that can be spent."""
    worlds, seconds = budget
    if worlds is None and seconds is None:
        raise NotAllowed("bot.no_bound")
    whole = worlds is None or (isinstance(worlds, int) and worlds <= MOST_WORLDS)
    finite = seconds is None or (isinstance(seconds, int | float) and isfinite(seconds))
    if not (whole and finite):
        given = str(seconds if whole else worlds)
        raise NotAllowed("bot.budget", most=MOST_WORLDS, given=given)


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
            raise NotReadable("move.no_code", card=_shown(answer))
        move = Move.parse(answer) if isinstance(answer, str) else answer
    except RageError as error:
        said = _shown(answer)
        raise NotAllowed("bot.own.illegal", bot=name, move=said, why=error.reason) from None
    why = view.why_not(move)
    if why is not None:
        raise NotAllowed("bot.own.illegal", bot=name, move=str(move), why=why)
    return move


def _shown(answer: object) -> str:
    """Somebody's answer in a few words, whatever it is: an error that names it may have to go
    from one process to another."""
    try:
        return brief(" ".join(str(answer).split()))
    except Exception:  # it is theirs how it is written
        return type(answer).__name__
