"""Bots that think in the event loop itself, where there is nothing else."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from rage.bots import bot
from rage.bots.advice import Advice, advise
from rage.game.view import View
from rage.place.thinking import Asker
from rage.rules.values import Move

T = TypeVar("T")


class Here:
    """Does work at once, while everything else waits; see :class:`rage.place.thinking.Thinking`."""

    waiting = 0

    async def choose(self, name: str, seed: int, view: View, asker: Asker) -> Move:
        """The move that the bot called ``name`` chooses for a view."""
        return bot(name, seed).choose(view)

    async def advise(self, view: View, asker: Asker) -> Advice:
        """What the seat of a view could do, and why."""
        return advise(view)

    async def run(self, piece: Callable[[], T], asker: Asker) -> T:
        """Do a short piece of other work."""
        return piece()

    def close(self) -> None:
        """There is nothing to stop."""
