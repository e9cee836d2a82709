"""Limits on open tables, which everybody finds: by host, and by the address that opened them."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable

from rage.place.limiting import for_people
from rage.place.limits import MAX_OPEN, MAX_OPEN_FROM, MAX_OPENED
from rage.place.store import Store
from rage.say import NotAllowed


class OpenTables:
    """The limits on the open tables of a ``store``; ``people``: how many may share an address."""

    def __init__(self, store: Store, people: int) -> None:
        self._store = store
        self._most_from = for_people(MAX_OPEN_FROM, people)
        self._opening = asyncio.Lock()  # held while tables are counted and one is opened
        self._opened_from: OrderedDict[str, str] = OrderedDict()

    async def add(
        self, person: str, address: str | None, opening: Callable[[], Awaitable[str]]
    ) -> str:
        """Open a table by ``opening``. Returns its code, from ``opening``. ``address``: as rate
        limits count it. Raises :class:`rage.NotAllowed` if the person, or the address, has too many
        open tables already."""
        async with self._opening:
            await self._check(person, address)
            name = await opening()
            if address is not None:
                self._note(name, address)
            return name

    async def _check(self, person: str, address: str | None) -> None:
        if await self._store.count_open(person) >= MAX_OPEN:
            raise NotAllowed("http.too_many_open", most=MAX_OPEN)
        from_there = [name for name, at in self._opened_from.items() if at == address]
        if address is not None and len(from_there) >= self._most_from:
            still = set(await self._store.still_open(from_there))
            for name in from_there:
                if name not in still:
                    self._opened_from.pop(name, None)
            if len(still) >= self._most_from:
                raise NotAllowed("http.too_many_open_from", most=self._most_from)

    def _note(self, name: str, address: str) -> None:
        """Record which address has opened a table."""
        self._opened_from[name] = address
        while len(self._opened_from) > MAX_OPENED:
            self._opened_from.popitem(last=False)
