"""Servers whose database is behind PgBouncer, or that are given a standby."""

from __future__ import annotations

import asyncio
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import asyncpg
import pytest

from rage.house.store import Append, Row, StoreFailed
from rage.server.postgres.store import postgres_store
from server.postgres import cluster, standby
from server.running import PATIENCE, free_port
from tools.services import found

#: With no settings but its mode. So that transactions get the same session whenever they can, there
#: are more sessions than a server asks for.
CONFIG = """
[databases]
{name} = host={folder} port=5432 dbname={name}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {port}
unix_socket_dir =
auth_type = trust
auth_file = {users}
pool_mode = {mode}
"""


@pytest.fixture
def pooled(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The address of an empty database behind a PgBouncer in some mode."""
    program = found("pgbouncer")
    if program is None:
        pytest.skip("PgBouncer is not installed (python -m tools.services)")
    name, port = f"pooled_{request.param}", free_port()
    asyncio.run(_make_database(name))
    folder = cluster().folder / name
    folder.mkdir()
    config, users = folder / "pgbouncer.ini", folder / "users"
    users.write_text('"rage" ""\n')
    config.write_text(
        CONFIG.format(
            name=name, folder=cluster().folder, port=port, users=users, mode=request.param
        )
    )
    if (user := cluster().user) is not None:
        shutil.chown(folder, user)
    process = subprocess.Popen(
        [program, config], user=cluster().user, cwd=folder, stderr=subprocess.DEVNULL
    )
    url = f"postgresql://rage@127.0.0.1:{port}/{name}"
    asyncio.run(_reached(url))
    yield url
    process.terminate()
    process.wait()


async def _make_database(name: str) -> None:
    connection = await asyncpg.connect(await cluster().url("pooled"))
    await connection.execute(f"CREATE DATABASE {name}")
    await connection.close()


async def _reached(url: str) -> None:
    """Wait for the pooler."""
    async with asyncio.timeout(PATIENCE):
        while True:
            try:
                connection = await asyncpg.connect(url)
            except OSError:
                await asyncio.sleep(0.05)
            else:
                await connection.close()
                return


@pytest.mark.parametrize("pooled", ["session"], indirect=True)
async def test_a_pooler_of_sessions_needs_no_settings(pooled: str) -> None:
    one, other = await postgres_store(pooled), await postgres_store(pooled)
    assert await one.sessions() == {}
    await one.append(Append("t", (Row(1, 0, b"1"),)))
    assert await other.events("t") == [Row(1, 0, b"1")]
    await one.close()
    await other.close()


@pytest.mark.parametrize("pooled", ["transaction", "statement"], indirect=True)
async def test_a_pooler_of_transactions_is_refused(pooled: str) -> None:
    """Also where everybody happens to get the same session again and again."""
    for _ in range(2):
        with pytest.raises(StoreFailed, match="set pool_mode = session in PgBouncer"):
            await postgres_store(pooled)


async def test_a_standby_in_the_address_is_passed_over_or_explained() -> None:
    """Whichever comes first, the primary is used; alone, a standby is refused with the remedy."""
    second = await standby(cluster(), "passed")
    here, there = cluster().folder, second.folder
    try:
        for hosts in (f"{here},{there}", f"{there},{here}"):
            url = f"postgresql://rage@/postgres?host={hosts}&port=5432,5432&search_path=passed"
            store = await postgres_store(url)
            await store.put("found", hosts.encode())
            await store.close()
        for also in ("", "&target_session_attrs=any"):
            with pytest.raises(StoreFailed, match="target_session_attrs=read-write") as failed:
                await postgres_store(f"postgresql://rage@/postgres?host={there}&port=5432{also}")
            assert "\n" not in str(failed.value)
    finally:
        second.end()
