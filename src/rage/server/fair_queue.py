"""The order in which work gets a thread.

Work for people who are connected comes first. Otherwise addresses take turns: the one with the
least work under way, and of several the one that has used the fewest seconds. An address that asks
for more than its share delays only itself.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Future
from time import perf_counter
from typing import Final, TypeVar

from rage.place.thinking import Asker

T = TypeVar("T")


class Place:
    """A place in the queue, and then at work. ``address``: the one that the work counts towards, or
    the name of the asker if addresses are not limited."""

    __slots__ = ("address", "asker", "begun", "given")

    def __init__(self, asker: Asker, address: str) -> None:
        self.asker = asker
        self.address = address
        self.begun = 0.0
        self.given: asyncio.Future[None] = asyncio.get_running_loop().create_future()


class FairQueue:
    """Work that waits, and work under way: at most ``most`` pieces at once, and one fewer of one
    address, so that others find a free processor."""

    def __init__(self, most: int) -> None:
        self._most: Final = most
        self._most_of_address: Final = max(1, most - 1)
        self._waiting = list[Place]()
        self._at_work = set[Place]()
        self._busy = set[str]()  # the names of their askers
        self._of_address = Counter[str]()
        # The seconds that each address has used. One that comes back starts level with the others,
        # as if it had used as much as the last one that began.
        self._used = dict[str, float]()
        self._level = 0.0

    def __len__(self) -> int:
        return len(self._waiting) + len(self._at_work)

    @property
    def crowded(self) -> bool:
        """Whether any work waits."""
        return bool(self._waiting)

    async def run(self, asker: Asker, begin: Callable[[], Future[T]]) -> T:
        """The result of work, which begins once it is this asker's turn. It keeps its place until
        it ends, even if its result is no longer wanted."""
        place = await self._enter(asker)
        loop = asyncio.get_running_loop()

        def ended(_: Future[T]) -> None:
            with contextlib.suppress(RuntimeError):  # the server has stopped
                loop.call_soon_threadsafe(self._leave, place)

        try:
            work = begin()
        except BaseException:
            self._leave(place)
            raise
        work.add_done_callback(ended)
        return await asyncio.wrap_future(work)

    async def _enter(self, asker: Asker) -> Place:
        place = Place(asker, self._address_for(asker))
        self._waiting.append(place)
        self._let_in()
        try:
            await place.given
        except asyncio.CancelledError:
            if place in self._at_work:
                self._leave(place)
            else:
                self._waiting.remove(place)
            raise
        return place

    def _leave(self, place: Place) -> None:
        self._at_work.remove(place)
        self._busy.remove(place.asker.name)
        self._of_address[place.address] -= 1
        self._used[place.address] += perf_counter() - place.begun
        self._let_in()
        self._forget()

    def _address_for(self, asker: Asker) -> str:
        """The address that work counts towards: of several the one with the best claim, so that
        nobody can join a table to make its bots wait."""
        known = [each for each in asker.addresses if each is not None]
        if len(known) < len(asker.addresses) or not known:
            return asker.name
        return min(known, key=self._claim)

    def _claim(self, address: str) -> tuple[int, float]:
        """The sort key of an address: the lowest comes first."""
        return self._of_address[address], max(self._used.get(address, 0.0), self._level)

    def _let_in(self) -> None:
        while len(self._at_work) < self._most:
            able = [each for each in self._waiting if self._may_begin(each)]
            if not able:
                return
            first = min(able, key=lambda each: (not each.asker.here, *self._claim(each.address)))
            self._waiting.remove(first)
            self._begin(first)

    def _may_begin(self, place: Place) -> bool:
        of_address = self._of_address[place.address]
        return place.asker.name not in self._busy and of_address < self._most_of_address

    def _begin(self, place: Place) -> None:
        address = place.address
        self._level = self._used[address] = max(self._used.get(address, 0.0), self._level)
        self._at_work.add(place)
        self._busy.add(place.asker.name)
        self._of_address[address] += 1
        place.begun = perf_counter()
        if not place.given.cancelled():
            place.given.set_result(None)

    def _forget(self) -> None:
        """Forget the addresses without work that would start level with a new one."""
        active = {each.address for each in (*self._waiting, *self._at_work)}
        level = self._level if active else float("inf")
        for address in [*self._used]:
            if address not in active and self._used[address] <= level:
                del self._used[address]
        self._of_address = +self._of_address
