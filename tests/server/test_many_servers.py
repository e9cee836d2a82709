"""Several servers on one PostgreSQL: one has a table at a time, and what is ended or removed at one
is so at all of them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from rage.place import hub as hub_module
from rage.place.housekeeping import Housekeeping
from rage.place.hub import Hub
from rage.place.messages import RESTART
from rage.place.retention import Retention
from rage.place.store import Append, Index, Row
from rage.server import postgres
from rage.server.postgres import PostgresStore, postgres_store
from rage.table import Start
from server.postgres import cluster
from server.recording import connect, create_table, hub_with
from server.running import wait_until


@pytest.fixture
async def stores(tmp_path: Path) -> AsyncIterator[tuple[PostgresStore, PostgresStore]]:
    """Two stores on one database."""
    url = await cluster().url(tmp_path.name)
    both = await postgres_store(url), await postgres_store(url)
    for each in both:
        await each.sessions()  # it listens
    yield both
    for each in both:
        await each.close()


@pytest.fixture
async def hubs(stores: tuple[PostgresStore, PostgresStore]) -> tuple[Hub, Hub]:
    """Two hubs on them."""
    one, other = stores
    return hub_with(one), hub_with(other)


async def test_the_last_server_asked_has_a_table(hubs: tuple[Hub, Hub]) -> None:
    """The other one sends everybody there to reconnect, and has lost nothing."""
    one, other = hubs
    code = await create_table(one, "ann", "ben")
    ann = await connect(one, code, "ann")
    await one.do(code, Start(), "ann")
    moved = await connect(other, code, "ann")
    await wait_until(lambda: code not in one.rooms, 30)
    assert ann.close_codes == [RESTART]
    assert moved.seq == (await other.table(code)).seq
    back = await connect(one, code, "ann")
    await wait_until(lambda: code not in other.rooms, 30)
    assert back.seq == moved.seq


async def test_a_notification_that_is_lost_is_made_up_for(hubs: tuple[Hub, Hub]) -> None:
    one, other = hubs
    code = await create_table(one, "ann", "ben")
    store = one.services.store
    assert isinstance(store, PostgresStore)
    store._on_notification = lambda *said: None  # type: ignore[method-assign]
    await connect(other, code, "ann")
    await wait_until(lambda: code not in one.rooms, 30)


async def test_ended_sessions_are_ended_at_every_server(
    stores: tuple[PostgresStore, PostgresStore],
) -> None:
    one, other = stores
    told: list[tuple[str, int]] = []
    other.on_ended = lambda person, number: told.append((person, number))
    assert await one.end_sessions("ann") == 1
    await one.keep_code("ben", b"digest")
    assert await one.recover([b"digest"], end=True) is not None
    await wait_until(lambda: told == [("ann", 1), ("ben", 1)], 30)


async def test_sessions_that_end_while_nobody_listens_are_ended_all_the_same(
    stores: tuple[PostgresStore, PostgresStore], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = stores
    told: list[tuple[str, int]] = []
    other.on_ended = lambda person, number: told.append((person, number))
    other._on_notification = lambda *said: None  # type: ignore[method-assign]
    cluster().stop()
    cluster().start()
    await one.end_sessions("ann")
    await wait_until(lambda: told == [("ann", 1)], 30)


async def test_what_is_due_at_a_living_server_is_left_to_it(
    stores: tuple[PostgresStore, PostgresStore], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres, "DEAD_AFTER", 2.0)
    one, other = stores
    index = Index("playing", True, ("ann",), 5, "ann", True, 0)
    await one.append(Append("t", (Row(1, 0, b"1"),), index))
    await one.claim("t")
    await asyncio.sleep(1.5)  # it has shown that it lives
    assert await one.due(9, 9) == ["t"]
    assert await other.due(9, 9) == []
    one._watching.cancel()  # it lives no longer
    async with asyncio.timeout(20):
        while await other.due(9, 9) != ["t"]:
            await asyncio.sleep(0.1)


async def test_what_another_server_has_in_use_is_not_removed(
    hubs: tuple[Hub, Hub],
) -> None:
    one, other = hubs
    code = await create_table(one, "ann")
    unused = await create_table(one, "ben")
    one.drop(one.rooms[unused])
    await one.services.store.release(unused)
    await asyncio.sleep(1.5)
    other.services.now = lambda: 10**13
    await Housekeeping(other, Retention(1, 1, 1, 1)).clear()
    assert await one.services.store.table(unused) is None
    assert await one.services.store.table(code) is not None
    assert (await one.table(code)).seq


async def test_a_list_shows_tables_of_other_servers_without_reading_their_events(
    hubs: tuple[Hub, Hub], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As they were some seconds ago, and who is there."""
    one, other = hubs
    code = await create_table(one, "ann", "ben")
    await connect(one, code, "ann")
    await asyncio.sleep(1.5)  # the server has shown that it lives
    await Housekeeping(one)._look_after_store()
    await one.do(code, Start(), "ann")
    monkeypatch.setattr(hub_module, "load", None)
    (stored,) = await other.services.store.tables_of("ben", 9)
    summary = await other.summary(stored)
    assert summary.phase == "gathering"
    assert all(seat.here for seat in summary.seats)
    await Housekeeping(one)._look_after_store()
    (stored,) = await other.services.store.tables_of("ben", 9)
    assert (await other.summary(stored)).phase == "playing"


async def test_a_restart_of_the_database_loses_nothing(
    stores: tuple[PostgresStore, PostgresStore],
) -> None:
    """What was told as stored is there, and what arrives meanwhile is stored once it is back."""
    store = stores[0]
    stored = []
    for number in range(1, 200):
        await store.append(Append("t", (Row(number, 0, b"%d" % number),)))
        stored.append(number)
        if number == 60:
            cluster().stop()
            waiting = asyncio.ensure_future(store.append(Append("other", (Row(1, 0, b"1"),))))
            await asyncio.to_thread(cluster().start)
            await waiting
    assert [row.seq for row in await store.events("t")] == stored
    assert len(await store.events("other")) == 1
