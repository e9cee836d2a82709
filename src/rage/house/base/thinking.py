"""Who thinks for bots, advises people and does other work that takes a processor for a while."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, Protocol, TypeVar

from rage.bots.advice import Advice
from rage.game.view import View
from rage.rules.values import Move

T = TypeVar("T")


class Asker(NamedTuple):
    """For whom work is done. ``name``: of a table or a person, who has one piece of work done at a
    time; ``addresses``: where its people are, as rate limits count them (``None`` is not limited);
    ``here``: whether any of them is connected."""

    name: str
    addresses: frozenset[str | None]
    here: bool = True


class Thinking(Protocol):
    """Where work is done off the event loop, in a fair order. The server has threads and processes
    for it."""

    @property
    def waiting(self) -> int:
        """How many pieces of work are being done or wait."""

    async def choose(self, name: str, seed: int, view: View, asker: Asker) -> Move:
        """The move that the bot called ``name`` chooses for a view. Raises whatever the bot
        raises, or an error because it died."""

    async def advise(self, view: View, asker: Asker) -> Advice:
        """What the seat of a view could do, and why."""

    async def run(self, piece: Callable[[], T], asker: Asker) -> T:
        """Do a short piece of other work."""

    def close(self) -> None:
        """Stop without waiting for bots that are still thinking."""
