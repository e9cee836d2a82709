"""The interface for work that takes a processor for a while: bots' moves, advice and others."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, Protocol, TypeVar

from rage.bots.advice import Advice
from rage.game.view import View
from rage.rules.values import Move

T = TypeVar("T")


class Asker(NamedTuple):
    """The table or person that work is done for. ``name``: each name has one piece of work done at
    a time; ``addresses``: of its people, as rate limits count them (``None`` is not limited);
    ``here``: whether any of them is connected."""

    name: str
    addresses: frozenset[str | None]
    here: bool = True


class Thinking(Protocol):
    """Does work off the event loop, in a fair order. The server uses threads and processes for
    it."""

    @property
    def waiting(self) -> int:
        """The number of pieces of work that are under way or wait."""

    async def choose(self, name: str, seed: int, view: View, asker: Asker) -> Move:
        """The move that the bot called ``name`` chooses for a view. Raises whatever the bot raises,
        or an error if it died."""

    async def advise(self, view: View, asker: Asker) -> Advice:
        """Advise the seat of a view."""

    async def run(self, piece: Callable[[], T], asker: Asker) -> T:
        """Do a short piece of other work."""

    def close(self) -> None:
        """Stop without waiting for bots that are still thinking."""
