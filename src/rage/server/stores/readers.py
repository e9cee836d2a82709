"""Reads a store for an operator, whether or not servers are using it. Nothing is written: no table
is created, and the right to read is enough."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from rage.house.store.copies import FileRows, stored_rows
from rage.house.store.queries import StoreReader
from rage.server.embedded.folder import is_locked
from rage.server.stores import STORE, Location
from rage.server.stores.copies import check_folder

if TYPE_CHECKING:
    from rage.server.postgres.reader import PostgresReader


class FolderReader(StoreReader):
    """Reads the store in a data folder."""

    def __init__(self, folder: Path, rows: FileRows) -> None:
        super().__init__()
        self._folder = folder
        self._rows = rows

    async def _read(self, query: str, *values: object) -> list[Any]:
        return self._rows.fetch(query, *values)

    async def is_served(self) -> bool:
        """Whether a server uses the store."""
        return is_locked(self._folder)

    async def server_of(self, table: str) -> str | None:
        """``None``, because a folder has at most one server, which needs no name."""
        return None


Reader: TypeAlias = "FolderReader | PostgresReader"


@contextlib.asynccontextmanager
async def reader_of(location: Location) -> AsyncIterator[Reader]:
    """Open the store at a location for reading. Raises :class:`rage.NotReadable` if there is none
    of Rage, and :class:`rage.house.store.StoreFailed`."""
    if isinstance(location, Path):
        check_folder(location)
        with stored_rows(location / STORE) as rows:
            yield FolderReader(location, rows)
        return
    from rage.server.postgres.reader import postgres_reader  # needs an extra

    async with postgres_reader(location) as reader:
        yield reader
