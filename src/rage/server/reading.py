"""What an operator reads of a store, beside the servers that use it or without any. Nothing is
written: no table is made, and the right to read is enough."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from rage.place.store.copies import FileRows, stored_rows
from rage.place.store.queries import StoreReader
from rage.server.app import STORE
from rage.server.copies import Place, check_folder
from rage.server.folder import is_locked

if TYPE_CHECKING:
    from rage.server.postgres_reader import PostgresReader


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
        """``None``: a folder has one server at most, which need not be named."""
        return None


Reader: TypeAlias = "FolderReader | PostgresReader"


@contextlib.asynccontextmanager
async def reading(place: Place) -> AsyncIterator[Reader]:
    """What is stored at a place. Raises :class:`rage.NotReadable` if that is nothing of Rage, and
    :class:`StoreFailed`."""
    if isinstance(place, Path):
        check_folder(place)
        with stored_rows(place / STORE) as rows:
            yield FolderReader(place, rows)
        return
    from rage.server.postgres_reader import postgres_reader  # needs an extra

    async with postgres_reader(place) as reader:
        yield reader
