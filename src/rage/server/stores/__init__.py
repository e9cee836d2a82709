"""Stores by location: opened by servers, read and copied by operators."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from rage.house.alone.storage import SerialWriter
from rage.house.store.sql import Store
from rage.house.store.sqlite import SqliteStore
from rage.server.embedded.store_process import StoreProcess

#: A data folder, or the address of a PostgreSQL database.
Location = Path | str
#: The file of the embedded store, in the data folder.
STORE: Final = "tables.sqlite"


async def open_store(location: Location, *, serves: bool = True, name: str = "") -> Store:
    """Open the store in a data folder, or in the PostgreSQL database at an address. A server has a
    ``name``; an operator's command does not serve. Raises :class:`rage.house.store.StoreFailed`."""
    if isinstance(location, Path):
        return SqliteStore(location / STORE, StoreProcess if serves else SerialWriter)
    from rage.server.postgres.store import postgres_store  # needs an extra

    return await postgres_store(location, serves=serves, name=name)
