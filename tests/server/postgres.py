"""A PostgreSQL of the tests' own."""

from __future__ import annotations

import asyncio
import atexit
from functools import cache

import asyncpg
import pytest

from server.running import PATIENCE
from tools.postgres import Cluster
from tools.services import found

#: Trades nothing that the tests look at: a commit still goes to the log, and is synchronous.
SETTINGS = ("fsync=off", "full_page_writes=off", "shared_buffers=16MB", "max_connections=50")


@cache
def cluster() -> Cluster:
    """The cluster of this process, started on demand. Skips the test if there is none."""
    program = found("postgres")
    if program is None:
        pytest.skip("PostgreSQL is not installed (python -m tools.services)")
    made = Cluster(program, *SETTINGS)
    atexit.register(made.end)
    return made


async def standby(primary: Cluster, schema: str) -> Cluster:
    """A replica of a cluster, which has a ``schema``, once it has followed so far."""
    url = await primary.url(schema)
    made = Cluster(str(primary.bin / "postgres"), *SETTINGS, replica_of=primary)
    connection = await asyncpg.connect(url)
    async with asyncio.timeout(PATIENCE):
        while not await connection.fetchval(
            "SELECT count(*) FROM pg_stat_replication WHERE state = 'streaming'"
        ):
            await asyncio.sleep(0.05)
    await connection.close()
    return made
