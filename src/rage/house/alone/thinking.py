"""Where bots think: in the event loop, because there are no threads. A move takes a moment, and
longer work comes in pieces."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TypeVar

from rage.bots import bot
from rage.bots.advice import Advice, advise
from rage.bots.learned import within
from rage.game.view import View
from rage.house.base.thinking import Asker
from rage.house.limits import THINKING
from rage.rules.values import Move

T = TypeVar("T")


class InTheLoop:
    """See :class:`rage.house.base.thinking.Thinking`."""

    waiting = 0

    async def choose(self, name: str, seed: int, view: View, asker: Asker) -> Move:
        """The move that the bot called ``name`` chooses for a view. Raises whatever it raises."""
        return bot(name, seed).choose(view, within(name, THINKING))

    async def advise(self, view: View, asker: Asker) -> Advice:
        """Advise the seat of a view."""
        return advise(view)

    async def run(self, piece: Callable[[], T], asker: Asker) -> T:
        """Do a short piece of other work, after what is due at the tables."""
        await asyncio.sleep(0)
        return piece()

    def close(self) -> None:
        """Do nothing: nothing is under way."""
