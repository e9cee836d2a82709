"""Bots: each chooses a move from a View, and from nothing else."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from typing import Final, Protocol, Self

from rage.history import Move
from rage.say import NotAllowed, NotReadable
from rage.view import View


class Bot(Protocol):
    """A program that plays a seat."""

    @property
    def name(self) -> str:
        """What the bot is called on a command line and in a record."""

    def choose(self, view: View) -> Move:
        """One of the legal moves of ``view``, whose turn it must be."""


class Random:
    """Plays a random legal move, each with the same probability."""

    name = "random"

    def __init__(self, seed: int | None = None) -> None:
        self._random = random.Random(seed)

    def choose(self, view: View) -> Move:
        """One of the legal moves. Raises :class:`rage.NotAllowed` where it is not the turn of
        the view's seat."""
        moves = view.legal_moves()
        if not moves:
            raise NotAllowed("bot.not_to_move")
        return self._random.choice(moves)

    def __copy__(self) -> Self:
        """A copy with a generator of its own, which makes the same choices from here on."""
        other = self.__class__()
        other._random.setstate(self._random.getstate())
        return other


def _steady(seed: int | None) -> Bot:
    from rage.bots.steady import Steady

    return Steady()


BOTS: Final[Mapping[str, Callable[[int | None], Bot]]] = {"random": Random, "steady": _steady}


def bot(name: str, seed: int | None = None) -> Bot:
    """The bot of a name; with a ``seed``, one that chooses at random repeats its choices. Raises
    :class:`rage.NotReadable` for an unknown name."""
    make = BOTS.get(name)
    if make is None:
        raise NotReadable("bot.unknown", bot=name, allowed=", ".join(BOTS))
    return make(seed)


def releases_gil(name: str) -> bool:
    """Whether other threads can run while a bot thinks: it is compiled and releases the GIL, or
    thinks for microseconds only. Any other bot should run in a process of its own."""
    from rage.kernel import COMPILED

    return name == "random" or (name == "steady" and COMPILED)
