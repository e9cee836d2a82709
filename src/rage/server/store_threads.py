"""The threads of the embedded store: one that writes, and one that reads."""

from __future__ import annotations

import asyncio
import queue
import threading
from collections import deque
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final, TypeVar

from rage.place.room.turns import settle
from rage.place.store import Append, StoreFailed
from rage.place.store.sqlite import SqliteStore
from rage.place.store.statements import Operation as Transaction
from rage.place.store.writer import Operation, Writer

#: The most jobs in one commit; more wait for the next.
MAX_JOBS: Final = 1000
T = TypeVar("T")
Job = tuple[Operation, "asyncio.Future[Any]"]


def sqlite_store(path: Path) -> SqliteStore:
    """The embedded store in a file, which is created if needed, written by a thread. Raises
    :class:`StoreFailed`."""
    return SqliteStore(path, StoreThreads)


class StoreQueue:
    """The jobs that wait to be written to a store, and the thread that reads from it.
    ``wake`` sees to it that what waits is written."""

    def __init__(self, wake: Callable[[], None]) -> None:
        self._loop = asyncio.get_running_loop()
        self._reader = ThreadPoolExecutor(1, "rage-read")
        self._jobs: deque[Job] = deque()
        self._wake = wake
        self._closing = False

    def write(self, operation: Append | Transaction[T]) -> asyncio.Future[T]:
        """See :class:`rage.place.store.sqlite.Workers`."""
        future: asyncio.Future[T] = self._loop.create_future()
        if self._closing:
            future.set_exception(StoreFailed("store closed"))
            return future
        self._jobs.append((operation, future))
        self._wake()
        return future

    @property
    def waiting(self) -> int:
        """See :class:`rage.place.store.sqlite.Workers`."""
        return len(self._jobs)

    def read(self, work: Callable[[], T]) -> asyncio.Future[T]:
        """See :class:`rage.place.store.sqlite.Workers`."""
        return self._loop.run_in_executor(self._reader, work)

    def read_aside(self, work: Callable[[], T]) -> Awaitable[T]:
        """See :class:`rage.place.store.sqlite.Workers`."""
        return asyncio.to_thread(work)


class StoreThreads(StoreQueue):
    """The threads of a store. Everything that has arrived during a commit goes into the next one
    together."""

    def __init__(self, writer: Writer) -> None:
        super().__init__(self._ring)
        self._writer = writer
        self._bell: queue.SimpleQueue[None] = queue.SimpleQueue()
        self._awake = False
        self._thread = threading.Thread(target=self._write_on, name="rage-write", daemon=True)
        self._thread.start()

    def _ring(self) -> None:
        if not self._awake:
            self._awake = True
            self._bell.put(None)

    async def close(self) -> None:
        """See :class:`rage.place.store.sqlite.Workers`."""
        self._closing = True
        self._bell.put(None)
        await self.read(self._thread.join)
        self._reader.shutdown()

    def _write_on(self) -> None:
        """The thread that writes: commit everything that has arrived while it was writing, sleep if
        nothing has, until the store is closed."""
        while True:
            jobs: list[Job] = []
            while self._jobs and len(jobs) < MAX_JOBS:
                jobs.append(self._jobs.popleft())
            if jobs:
                answers = self._writer.commit([operation for operation, _ in jobs])
                self._loop.call_soon_threadsafe(_settle, jobs, answers)
                continue
            if self._closing:
                break
            self._awake = False
            # A job may have arrived just before, without ringing, because this thread was awake.
            if not self._jobs and not self._closing:
                self._bell.get()
        self._writer.close()


def _settle(jobs: list[Job], answers: list[Any]) -> None:
    """Settle the futures of jobs, on the event loop."""
    for (_, future), answer in zip(jobs, answers, strict=True):
        settle(future, answer)
