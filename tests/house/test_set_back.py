"""Servers under which the database goes back: it has lost what people were shown."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random
from typing import Any

import asyncpg
import pytest

from house.recording import RecordingClient, connect, create_table, hub_with, play_out
from rage.house.base.codes import NoTable
from rage.house.base.messages import NO_TABLE, RESTART
from rage.house.store.sql import Store
from rage.house.tables.hub import Hub
from rage.server.postgres.store import PostgresStore, postgres_store
from rage.table import Chat, Options, Start
from server.postgres import cluster
from server.running import wait_until


@pytest.fixture
async def url(tmp_path: Path) -> str:
    return await cluster().url(tmp_path.name)


@pytest.fixture
async def hub(url: str) -> AsyncIterator[Hub]:
    store = await postgres_store(url)
    await store.sessions()
    hub = hub_with(store)
    yield hub
    await hub.close()


class Copy:
    """All tables of a database as they are at one moment."""

    def __init__(self, url: str) -> None:
        self.url, self.rows = url, dict[str, list[asyncpg.Record]]()

    async def keep(self) -> None:
        """Keep what is stored now."""
        connection = await asyncpg.connect(self.url)
        async with connection.transaction(isolation="repeatable_read"):
            names = await connection.fetch(
                "SELECT relname FROM pg_class WHERE relkind = 'r'"
                " AND relnamespace = CAST(current_schema() AS regnamespace)"
            )
            for (name,) in names:
                self.rows[name] = await connection.fetch(f"SELECT * FROM {name}")
        await connection.close()

    async def restore(self, store: Store) -> None:
        """Restore it, under a server that has shown since that it lives."""
        assert isinstance(store, PostgresStore)
        kept = {row["server"]: row["seen"] for row in self.rows["servers"]}[store.server]
        await wait_until(lambda: store._seen != kept)
        connection = await asyncpg.connect(self.url)
        while True:
            try:
                await self._refill(connection)
                break
            except asyncpg.DeadlockDetectedError:  # with somebody who is writing
                await asyncio.sleep(0.1)
        await connection.close()

    async def _refill(self, connection: asyncpg.Connection[asyncpg.Record]) -> None:
        async with connection.transaction():
            await connection.execute(f"TRUNCATE {', '.join(self.rows)}")
            for name, rows in self.rows.items():
                if rows and name != "spent":
                    await connection.copy_records_to_table(name, records=rows)


def lost(person: RecordingClient) -> list[dict[str, Any]]:
    """The messages that say that something is lost."""
    return [each for each in person.messages if "lost" in each]


@pytest.mark.parametrize("cut", [False, True])
async def test_people_are_told_what_the_database_has_lost(hub: Hub, url: str, cut: bool) -> None:
    """Also where nobody does anything; a table that is lost as a whole ends; and nothing of what
    follows is added to what was lost, not even for those who were away meanwhile."""
    copy = Copy(url)
    code = await create_table(hub, "ann", "ben", options=Options(takeover="never"))
    people = [await connect(hub, code, name) for name in ("ann", "ben")]
    await hub.do(code, Start(), "ann")
    await play_out(hub, code, people, Random(4), 4)
    await hub.do(code, Chat("kept"), "ann")
    await copy.keep()
    kept = people[0].seq
    await hub.do(code, Chat("lost"), "ann")
    await play_out(hub, code, people, Random(5), 5)
    away = people[0].seq
    gone = await create_table(hub, "cem", "eve")
    cem = await connect(hub, gone, "cem")
    store = hub.services.store
    assert isinstance(store, PostgresStore)
    await store.end_sessions("dan")
    await copy.restore(store)
    if cut:  # as with a fail-over: every connection is new
        await cluster().cut(url)
    await wait_until(lambda: all(map(lost, people)))
    for each in people:
        (told,) = lost(each)
        assert (told["lost"], told["table"]["ply"]) == (away - kept, 4)
        assert [line["text"] for line in told["table"]["chat"]] == ["kept"]
    await wait_until(lambda: gone not in hub.rooms)
    assert cem.close_codes[0] in (NO_TABLE, RESTART)
    with pytest.raises(NoTable):
        await hub.room(gone)
    await hub.do(code, Chat("after"), "ben")
    assert people[0].messages[-1]["lines"][0]["text"] == "after"
    await play_out(hub, code, people, Random(9), 9)
    late = await connect(hub, code, "ben", away)
    assert late.messages[0]["type"] == "table"
    await wait_until(lambda: store._numbers.get("dan") == 1)
    other = await postgres_store(url)
    assert await other.problems() == []
    assert (await other.sessions())["dan"] == 1
    await other.close()


async def test_bots_go_on_from_what_is_left(hub: Hub, url: str) -> None:
    """And the clock, and who is there is known again."""
    copy = Copy(url)
    code = await create_table(hub, "ann", players=3)
    await copy.keep()
    ann = await connect(hub, code, "ann")
    await hub.do(code, Start(), "ann")
    await wait_until(lambda: ann.turn is not None)
    await copy.restore(hub.services.store)
    await wait_until(lambda: hub.rooms[code].table.phase == "gathering")
    await wait_until(lambda: hub.rooms[code].table.state.guests["ann"].present)
    await hub.do(code, Start(), "ann")
    await wait_until(lambda: ann.turn is not None)
    await play_out(hub, code, [ann], Random(1), 1)
    await wait_until(lambda: ann.turn is not None)
