"""Bots: each chooses a move from a View, and from nothing else."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from typing import Final, Protocol

from rage.history import Move
from rage.say import NotAllowed, NotReadable
from rage.view import View


class Bot(Protocol):
    """Who plays a seat without being a person."""

    @property
    def name(self) -> str:
        """What the bot is called on a command line and in a record."""

    def choose(self, view: View) -> Move:
        """One of the legal moves of ``view``, whose turn it must be."""


class Random:
    """Plays any legal move, each as likely as the other."""

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


def _steady(seed: int | None) -> Bot:
    from rage.bots.steady import Steady

    return Steady()


BOTS: Final[Mapping[str, Callable[[int | None], Bot]]] = {"random": Random, "steady": _steady}


def bot(name: str, seed: int | None = None) -> Bot:
    """The bot of a name; ``seed`` makes one that draws repeatable. Raises
    :class:`rage.NotReadable` for an unknown name."""
    make = BOTS.get(name)
    if make is None:
        raise NotReadable("bot.unknown", bot=name, allowed=", ".join(BOTS))
    return make(seed)


def lets_go(name: str) -> bool:
    """Whether others get on while a bot thinks: it is compiled and lets go of the interpreter, or
    thinks for microseconds only. Any other is better asked in a process of its own."""
    from rage.kernel import COMPILED

    return name == "random" or (name == "steady" and COMPILED)
