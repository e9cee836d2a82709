"""A store without threads: for a page's worker, where a file is only memory until it is kept, and
for single commands of an operator."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Final, TypeVar

from rage.house.store import Append, StoreFailed
from rage.house.store.transactions import Operation as Transaction
from rage.house.store.writer import Operation, Writer
from rage.house.tables.turns import settle

T = TypeVar("T")
#: Makes all commits durable, or undoes them and raises.
Keep = Callable[[], Awaitable[object]]


async def _kept() -> None:
    """Keep nothing: the file is on a disk."""


class SerialWriter:
    """Reads and writes in the event loop, one at a time. A commit ends when ``keep`` has made it
    durable: until then nothing is read, so nothing is shown that could be undone."""

    def __init__(self, writer: Writer, keep: Keep = _kept) -> None:
        self._writer: Final = writer
        self._keep: Final = keep
        self._turn: Final = asyncio.Lock()
        self._jobs: list[tuple[Operation, asyncio.Future[Any]]] = []
        self._writing: asyncio.Task[None] | None = None
        self._closed = False

    async def read(self, work: Callable[[], T]) -> T:
        async with self._turn:
            return work()

    read_aside = read

    def write(self, operation: Append | Transaction[T]) -> asyncio.Future[T]:
        loop = asyncio.get_running_loop()
        future: asyncio.Future[T] = loop.create_future()
        if self._closed:
            future.set_exception(StoreFailed("store closed"))
            return future
        self._jobs.append((operation, future))
        if self._writing is None or self._writing.done():
            self._writing = loop.create_task(self._write())
        return future

    async def _write(self) -> None:
        """Commit and keep all waiting operations together, until there are no more."""
        while self._jobs:
            async with self._turn:
                jobs, self._jobs = self._jobs, []
                answers = self._writer.commit([operation for operation, _ in jobs])
                try:
                    await self._keep()
                except Exception as error:
                    answers = [StoreFailed(error)] * len(jobs)
            for (_, future), answer in zip(jobs, answers, strict=True):
                settle(future, answer)

    @property
    def waiting(self) -> int:
        return len(self._jobs)

    async def close(self) -> None:
        self._closed = True
        if self._writing is not None:
            await self._writing
        self._writer.close()
