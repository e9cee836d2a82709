"""Reads a PostgreSQL database for an operator."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from typing import Any

import asyncpg

from rage.house.store import StoreFailed
from rage.house.store.queries import StoreReader
from rage.say import NotReadable
from rage.server.postgres.connection import LOST, SCAN_TIMEOUT, Connection, connect, unreachable
from rage.server.postgres.schema import VERSION
from rage.server.postgres.store import ALIVE, CONTAINS
from rage.server.postgres.url import called
from rage.server.postgres.writer import dollars


class PostgresReader(StoreReader):
    """Reads a store over a connection."""

    def __init__(self, url: str, connection: Connection) -> None:
        super().__init__()
        self.contains = CONTAINS
        self._url = url
        self._connection = connection

    async def _read(self, query: str, *values: object) -> list[Any]:
        try:  # no one else waits for an operator
            rows: list[Any] = await self._connection.fetch(
                dollars(query), *values, timeout=SCAN_TIMEOUT
            )
            return rows
        except LOST as error:
            raise unreachable(self._url, error) from error
        except asyncpg.PostgresError as error:
            raise StoreFailed(error) from error

    async def is_served(self) -> bool:
        """Whether a server uses the store."""
        return bool(await self._read(f"SELECT 1 FROM servers WHERE {ALIVE} LIMIT 1"))

    async def server_of(self, table: str) -> str | None:
        """The name of the server that has a table, if any."""
        query = (
            f"SELECT name FROM owners JOIN servers USING (server) WHERE table_id = ?1 AND {ALIVE}"
        )
        return next((row[0] for row in await self._read(query, table)), None)


async def check_database(connection: Connection, url: str) -> None:
    """Raise :class:`rage.NotReadable` for a database that is not Rage's, or of another version."""
    if await connection.fetchval("SELECT to_regclass('rage_version')") is None:
        raise NotReadable("backup.not_one", file=called(url))
    version = await connection.fetchval("SELECT number FROM rage_version")
    if version != VERSION:
        raise NotReadable("backup.other_version", file=called(url), version=version)


@contextlib.asynccontextmanager
async def postgres_reader(url: str) -> AsyncIterator[PostgresReader]:
    """Open the database at ``url`` for reading. Raises :class:`rage.NotReadable` if it has no
    tables of Rage or another version's, and :class:`StoreFailed`."""
    connection: Connection | None = None
    try:
        try:
            connection = await connect(url, writes=False)
            await connection.execute("SET default_transaction_read_only = on")
            await check_database(connection, url)
        except NotReadable:
            raise
        except (*LOST, asyncpg.PostgresError, ValueError) as error:
            raise unreachable(url, error) from error
        yield PostgresReader(url, connection)
    finally:
        if connection is not None:
            connection.terminate()
