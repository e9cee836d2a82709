"""The embedded store: one SQLite file, with a writer (:mod:`rage.house.store.writer`) and a
connection for reading."""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
import time
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Any, Literal, Protocol, TypeVar

from rage.house.store import Append, Expiry, Pressure, StoreFailed, file_failed
from rage.house.store.file import (
    DAMAGE,
    MAX_REWRITTEN,
    REWRITE_INTERVAL,
    StoreFile,
    connect,
    is_sound,
    prepare,
    rewrite,
    tidy,
    used_bytes,
)
from rage.house.store.sql import Store
from rage.house.store.transactions import Operation
from rage.house.store.writer import Writer
from rage.say import Reason, sentence

T = TypeVar("T")


class Workers(Protocol):
    """Do the work of the store, so that the event loop never waits for a slow disk."""

    def read(self, work: Callable[[], T]) -> Awaitable[T]:
        """Read something; reads run one at a time."""

    def read_aside(self, work: Callable[[], T]) -> Awaitable[T]:
        """Read something that takes long, in parallel to everything else."""

    def write(self, operation: Append | Operation[T]) -> Awaitable[T]:
        """Begin to write; the result is ready once it is durable. Raises :class:`StoreFailed`. The
        operation may be pickled, and done in another process."""

    @property
    def waiting(self) -> int:
        """How many operations wait to be written."""

    async def close(self) -> None:
        """Write what has been accepted, close the connection for writing, and accept no more."""


class SqliteStore(Store):
    """A store in the file ``path``, which is created if needed; ``work`` makes the workers with its
    writer; ``journal``: see :func:`connect`. Raises :class:`StoreFailed` if it cannot be used."""

    def __init__(
        self,
        path: Path,
        work: Callable[[Writer], Workers],
        journal: Literal["WAL", "MEMORY"] = "WAL",
    ) -> None:
        super().__init__()
        with contextlib.ExitStack() as opened:
            try:
                writing = opened.enter_context(contextlib.closing(connect(path, journal)))
                prepare(writing, path)
                self._reading = connect(path, journal)
            except (sqlite3.Error, OSError) as error:
                raise file_failed(path, error) from error
            opened.pop_all()
        self._file = StoreFile(path)
        self._closed = False
        self._removed = False  # whether traces of removed data may be in the file
        self._rewriting, self._rewritten = asyncio.Lock(), -REWRITE_INTERVAL
        self.writer = Writer(writing, self._file, lambda *what: self.on_commit(*what))
        self._workers = work(self.writer)

    @property
    def damage(self) -> str:
        return self._file.damage

    @property
    def pressure(self) -> Pressure:
        return Pressure(self._workers.waiting)

    def append(self, append: Append) -> Awaitable[None]:
        return self._workers.write(append)

    def _write(self, begin: Operation[T]) -> Awaitable[T]:
        return self._workers.write(begin)

    async def _read(self, query: str, *values: object) -> list[Any]:
        def ask() -> list[Any]:
            self._file.check()
            try:
                return self._reading.execute(query, values).fetchall()
            except sqlite3.Error as error:
                self._file.note(error)
                raise StoreFailed(error) from error

        return await self._workers.read(ask)

    async def _scan(self, query: str, *values: object) -> list[Any]:
        def ask() -> list[Any]:
            with contextlib.closing(sqlite3.connect(self._file.path)) as connection:
                return connection.execute(query, values).fetchall()

        try:
            return await self._workers.read_aside(ask)
        except sqlite3.Error as error:
            raise StoreFailed(error) from error

    async def rewrite(self) -> None:
        self._removed = True
        async with self._rewriting:
            await asyncio.sleep(self._rewritten + REWRITE_INTERVAL - time.monotonic())
            await self._rewrite()

    async def _rewrite(self) -> None:
        if self._removed and await self.size() < MAX_REWRITTEN:
            self._removed, self._rewritten = False, time.monotonic()
            await self._workers.read_aside(partial(rewrite, self._file.path))

    async def check_writable(self) -> None:
        await super().check_writable()
        if self.damage:
            raise StoreFailed(self.damage)

    async def tidy(self, expiry: Expiry, most: int) -> bool:
        return await self._write(partial(tidy, expiry, most))

    async def size(self) -> int:
        return await self._workers.read(partial(used_bytes, self._reading))

    async def problems(self) -> list[Reason]:
        if not await self._workers.read_aside(self._pages_are_sound):
            self._file.damage = sentence(DAMAGE)
            return [DAMAGE]
        return await self.look()

    def _pages_are_sound(self) -> bool:
        """Return whether all pages of the file are sound, unless the store is closed meanwhile."""
        with contextlib.closing(sqlite3.connect(self._file.path)) as connection:
            connection.set_progress_handler(lambda: self._closed, 100_000)
            try:
                return is_sound(connection, "quick_check")
            except sqlite3.Error as error:
                raise StoreFailed(error) from error

    async def close(self) -> None:
        with contextlib.suppress(StoreFailed):
            await self._rewrite()
        self._closed = True
        await self._workers.close()
        self._reading.close()
