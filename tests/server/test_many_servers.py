"""Several servers on one PostgreSQL: one has a table at a time, and what is ended or removed at one
is so at all of them."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from asyncpg.transaction import Transaction

from house.recording import connect, create_table, hub_with
from rage.house.base.messages import RESTART
from rage.house.operating.housekeeping import Housekeeping
from rage.house.operating.retention import Retention
from rage.house.store import Append, Conflict, Index, Row, Snapshot, StoreFailed
from rage.house.tables import hub as hub_module
from rage.house.tables.hub import Hub
from rage.server.postgres import schema
from rage.server.postgres.connection import Connection
from rage.server.postgres.store import PostgresStore, postgres_store
from rage.server.postgres.writer import Commit
from rage.table import Start
from server.postgres import cluster
from server.running import PATIENCE, wait_until

#: Of a table that is played at.
PLAYING = Index("playing", True, (), None, None, True, 0)


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
    await wait_until(lambda: code not in one.rooms)
    assert ann.close_codes == [RESTART]
    assert moved.seq == (await other.table(code)).seq
    back = await connect(one, code, "ann")
    await wait_until(lambda: code not in other.rooms)
    assert back.seq == moved.seq


async def test_a_notification_that_is_lost_is_made_up_for(hubs: tuple[Hub, Hub]) -> None:
    one, other = hubs
    code = await create_table(one, "ann", "ben")
    store = one.services.store
    assert isinstance(store, PostgresStore)
    store._on_notification = lambda *said: None  # type: ignore[method-assign]
    await connect(other, code, "ann")
    await wait_until(lambda: code not in one.rooms)


async def test_ended_sessions_are_ended_at_every_server(
    stores: tuple[PostgresStore, PostgresStore],
) -> None:
    one, other = stores
    told: list[tuple[str, int]] = []
    other.on_ended = lambda person, number: told.append((person, number))
    assert await one.end_sessions("ann") == 1
    await one.keep_code("ben", b"digest")
    assert await one.recover([b"digest"], end=True) is not None
    await wait_until(lambda: told == [("ann", 1), ("ben", 1)])


async def test_sessions_that_end_while_nobody_listens_are_ended_all_the_same(
    stores: tuple[PostgresStore, PostgresStore],
) -> None:
    one, other = stores
    told: list[tuple[str, int]] = []
    other.on_ended = lambda person, number: told.append((person, number))
    other._on_notification = lambda *said: None  # type: ignore[method-assign]
    catch_up, ended = other._catch_up, asyncio.Event()

    async def later(connection: Connection) -> None:
        await ended.wait()
        await catch_up(connection)

    other._catch_up = later  # type: ignore[method-assign]
    cluster().stop()
    cluster().start()
    await one.end_sessions("ann")
    ended.set()
    await wait_until(lambda: told == [("ann", 1)])


async def have_due_table(store: PostgresStore) -> None:
    """Let a server have a table "t" where something is due."""
    index = Index("playing", True, ("ann",), 5, "ann", True, 0)
    await store.append(Append("t", (Row(1, 0, b"1"),), index))
    await store.claim("t")


async def test_what_is_due_at_a_living_server_is_left_to_it(
    stores: tuple[PostgresStore, PostgresStore],
) -> None:
    one, other = stores
    await have_due_table(one)
    assert await one.due(9, 9) == ["t"]
    assert await other.due(9, 9) == []
    one._watching.cancel()  # it lives no longer
    await other._read("UPDATE servers SET seen = seen - 10000 WHERE server = ?1", one.server)
    assert await other.due(9, 9) == ["t"]


async def test_what_another_server_has_in_use_is_not_removed(
    hubs: tuple[Hub, Hub],
) -> None:
    one, other = hubs
    code = await create_table(one, "ann")
    unused = await create_table(one, "ben")
    one.drop(one.rooms[unused])
    await one.services.store.release(unused)
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


async def test_reads_go_on_when_connections_break_in_the_middle_of_an_answer(
    stores: tuple[PostgresStore, PostgresStore], tmp_path: Path
) -> None:
    """Which asyncpg reports in several ways."""
    store, url = stores[0], await cluster().url(tmp_path.name)
    rows = tuple(Row(number, 0, bytes(20_000)) for number in range(1, 40))
    await store.append(Append("t", rows))
    for _ in range(30):
        reading = [asyncio.ensure_future(store.events("t")) for _ in range(8)]
        await asyncio.sleep(0.005)
        await cluster().cut(url)
        assert all(len(found) == len(rows) for found in await asyncio.gather(*reading))


async def test_a_server_that_has_not_heard_stores_nothing(hubs: tuple[Hub, Hub]) -> None:
    """As one that was paused, and comes back believing that it has its tables: what it would store
    is refused, and it lets the table go."""
    one, other = hubs
    code = await create_table(one, "ann", "ben")
    ann = await connect(one, code, "ann")
    store = one.services.store
    assert isinstance(store, PostgresStore)
    store._watching.cancel()
    moved = await connect(other, code, "ben")
    with pytest.raises(StoreFailed):
        await one.do(code, Start(), "ann")
    assert ann.close_codes == [RESTART]
    assert code not in one.rooms
    await other.do(code, Start(), "ann")
    assert moved.seq == (await other.table(code)).seq == len(await store.events(code))


async def test_what_a_server_has_begun_to_store_is_read_by_the_next(
    stores: tuple[PostgresStore, PostgresStore],
) -> None:
    one, other = stores
    await one.append(Append("t", (Row(1, 0, b"1"),), PLAYING))
    await one.claim("t")
    late = asyncio.ensure_future(one.append(Append("t", (Row(2, 0, b"2"),), PLAYING)))
    await other.claim("t")
    seen = len(await other.events("t"))
    await asyncio.wait([late])
    assert seen == len(await other.events("t")) == (1 if late.exception() else 2)


async def test_who_has_seen_more_than_a_server_makes_it_look(hubs: tuple[Hub, Hub]) -> None:
    one, other = hubs
    code = await create_table(one, "ann", "ben")
    seen = await connect(one, code, "ann")
    other.services.store.claim = one.services.store.release  # type: ignore[method-assign]
    await other.table(code)
    await one.do(code, Start(), "ann")
    again = await connect(other, code, "ann", seen.seq)
    assert again.seq == seen.seq == other.rooms[code].table.seq


@pytest.mark.parametrize("plain", [True, False])
async def test_a_commit_whose_answer_is_lost_happens_once(
    stores: tuple[PostgresStore, PostgresStore], monkeypatch: pytest.MonkeyPatch, plain: bool
) -> None:
    """Whether it had happened or not."""
    store, commit, faults = stores[0], Commit.do, ["begun", "done"]

    async def do(self: Commit, connection: Connection) -> None:
        fault = faults.pop(0) if faults else None
        if fault == "begun":
            self._awaited = plain
        else:
            await commit(self, connection)
        if fault is not None:
            connection.terminate()
            raise ConnectionResetError

    monkeypatch.setattr(Commit, "do", do)
    for number in range(1, 4):
        row = Row(number, 0, b"%d" % number)
        if plain:
            await store.append(Append("t", (row,)))
        else:
            storing = store.append(Append("t", (row,), PLAYING))
            saying, spending = store.say("t", 0, b"hello", 9, 99), store.spend(row.data)
            _, line, spent = await asyncio.gather(storing, saying, spending)
            assert (line, spent) == (number, True)
        assert not faults
        faults += ["done"] if number == 1 else []
    assert [row.seq for row in await store.events("t")] == [1, 2, 3]


async def test_a_commit_that_a_crash_undid_is_not_taken_for_another_one(
    stores: tuple[PostgresStore, PostgresStore], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whose transaction PostgreSQL gave the number of the lost one."""
    one, other = stores
    await one.put("before", b"")
    commit, crashed = Transaction.__aexit__, asyncio.Event()

    async def crash(self: Transaction, *error: object) -> None:
        if crashed.is_set():
            await commit(self, *error)
            return
        crashed.set()  # while the COMMIT is on its way
        await asyncio.to_thread(cluster().stop)
        await asyncio.to_thread(cluster().start)
        for number in range(30):
            await other.put(f"other {number}", b"")
        raise ConnectionResetError

    monkeypatch.setattr(Transaction, "__aexit__", crash)
    await one.put("told", b"stored")
    assert crashed.is_set()
    assert await other.found_setting("told") == b"stored"


async def test_an_event_needs_the_one_before_it(
    stores: tuple[PostgresStore, PostgresStore],
) -> None:
    """Stored, in the same commit, or in a snapshot just after it."""
    one, other = stores
    await one.append(Append("t", (Row(1, 0, b"1"), Row(2, 0, b"2"))))
    for each in (Append("t", (Row(4, 0, b"4"),)), Append("t", (Row(4, 0, b"4"),), PLAYING)):
        with pytest.raises(Conflict):
            await one.append(each)
    await one.append(Append("t", (Row(3, 0, b"3"),), snapshot=Snapshot(3, b"", 3)))
    for late in (2, 3, 5):
        with pytest.raises(Conflict):
            await other.append(Append("t", (Row(late, 0, b"late"),)))
    await one.append(Append("t", (Row(4, 0, b"4"),)))
    assert [row.seq for row in await other.events("t")] == [4]


async def test_what_a_paused_server_has_begun_does_not_lock_others_out(
    stores: tuple[PostgresStore, PostgresStore], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = stores
    begun, resumed = asyncio.Event(), asyncio.Event()

    async def pause(self: Commit, connection: Connection, operation: object) -> None:
        begun.set()
        await resumed.wait()

    with monkeypatch.context() as paused:
        paused.setattr(Commit, "_run", pause)
        late = asyncio.ensure_future(one.append(Append("t", (Row(1, 0, b"1"),), PLAYING)))
        await begun.wait()
    async with asyncio.timeout(PATIENCE):
        await other.append(Append("t", (Row(1, 0, b"other"),), PLAYING))
    resumed.set()
    with pytest.raises(Conflict):
        await late
    assert [row.data for row in await other.events("t")] == [b"other"]


async def test_two_servers_start_on_an_empty_database(tmp_path: Path) -> None:
    url = await cluster().url(f"{tmp_path.name}-empty")
    for store in await asyncio.gather(postgres_store(url), postgres_store(url)):
        await store.close()


async def test_the_clock_of_the_database_counts(
    hubs: tuple[Hub, Hub], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, real = hubs[0], time.time
    monkeypatch.setattr(time, "time", lambda: real() + 60)
    await wait_until(lambda: abs(one.services.now() - 1000 * real()) < 5000)


async def test_a_server_that_stops_leaves_its_tables_at_once(
    stores: tuple[PostgresStore, PostgresStore],
) -> None:
    one, other = stores
    await have_due_table(one)
    assert await other.due(9, 9) == []
    await one.close()
    assert await other.due(9, 9) == ["t"]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("rage@/", "rage:hunter2@/"), None),
        (("/postgres?", "/nothing?"), 'database "nothing" does not exist'),
        (("port=", "port=1"), "postgres cannot be used"),
        (("rage@/", "rage:hun@:ter2@/"), "must be the address of a PostgreSQL database"),
    ],
)
async def test_a_database_that_cannot_be_used_is_explained(
    change: tuple[str, str], said: str | None
) -> None:
    """In one line, without the password."""
    url = (await cluster().url("explained")).replace(*change)
    if said is None:
        await (await postgres_store(url)).close()
        return
    with pytest.raises(StoreFailed, match=said) as failed:
        await postgres_store(url)
    assert "\n" not in str(failed.value)
    assert "hun" not in str(failed.value)
    assert "ter2" not in str(failed.value)


async def test_another_version_of_the_database_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And left as it is to the servers that use it."""
    url = await cluster().url(tmp_path.name)
    running = await postgres_store(url)
    for ours, said in ((2, "an older version"), (0, "a newer version")):
        monkeypatch.setattr(schema, "VERSION", ours)
        with pytest.raises(StoreFailed, match=rf"by {said} of Rage \(format 1\)"):
            await postgres_store(url)
        await running.append(Append(f"t{ours}", (Row(1, 0, b"1"),)))
    await running.close()
    monkeypatch.setattr(schema, "OLDEST", 99)
    with pytest.raises(StoreFailed, match="Rage needs 99 or later"):
        await postgres_store(url)
