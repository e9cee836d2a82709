"""What every store promises, tried on a real file and on a real PostgreSQL; and what only the
embedded one promises."""

from __future__ import annotations

import asyncio
import contextlib
import re
import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path

import asyncpg
import pytest

from rage.house.store import (
    Append,
    ChangedBids,
    Conflict,
    Expiry,
    Finished,
    GameEntry,
    Index,
    Recovered,
    Row,
    Snapshot,
    StoredTable,
    StoreFailed,
    sql,
    transactions,
)
from rage.house.store.sql import Store
from rage.house.store.sqlite import SqliteStore
from rage.server.postgres.store import CHECK_INTERVAL, CHECK_LOCK, postgres_store
from server.postgres import cluster
from server.running import PATIENCE
from server.stored import sqlite_store

#: Opens the same store again and again.
Reopen = Callable[[], AbstractAsyncContextManager[Store]]


@contextlib.asynccontextmanager
async def kept(path: Path) -> AsyncIterator[SqliteStore]:
    """A store in a file, closed afterwards."""
    store = sqlite_store(path)
    try:
        yield store
    finally:
        await store.close()


@contextlib.asynccontextmanager
async def kept_on_postgres(schema: str) -> AsyncIterator[Store]:
    """A store on PostgreSQL, closed afterwards."""
    store = await postgres_store(await cluster().url(schema))
    try:
        yield store
    finally:
        await store.close()


@pytest.fixture(params=["sqlite", "postgres"])
def reopen(request: pytest.FixtureRequest, tmp_path: Path) -> Reopen:
    if request.param == "sqlite":
        return lambda: kept(tmp_path / "deep" / "rage.sqlite")
    return lambda: kept_on_postgres(tmp_path.name)


@pytest.fixture
async def store(reopen: Reopen) -> AsyncIterator[Store]:
    async with reopen() as found:
        yield found


def rows(first: int, count: int = 1) -> tuple[Row, ...]:
    return tuple(Row(seq, seq * 10, b"%d" % seq) for seq in range(first, first + count))


def indexed(
    phase: str = "gathering",
    *,
    found: bool = True,
    people: tuple[str, ...] = (),
    due_at: int | None = None,
    host: str = "ann",
    started: bool = False,
    used: int = 0,
) -> Index:
    return Index(phase, found, people, due_at, host, started, used)


def names(found: list[StoredTable]) -> list[str]:
    return [each.table for each in found]


async def test_events_come_back_in_order(store: Store) -> None:
    await store.append(Append("t", rows(1, 3)))
    await store.append(Append("t", rows(4)))
    await store.append(Append("other", rows(1)))
    assert await store.events("t") == list(rows(1, 4))
    assert await store.events("t", 3) == list(rows(4))
    assert await store.events("t", 1, 2) == list(rows(2, 2))
    assert await store.events("nobody") == []


async def test_the_last_reports_are_kept_and_those_that_have_not_expired(store: Store) -> None:
    store.now = lambda: 5
    await store.keep_report(b"old", 9)
    store.now = lambda: 7
    for text in (b"1", b"2", b"3"):
        await store.keep_report(text, 3)
        store.now = lambda: 1_800_000_000_000
    assert sorted((await store.reports()).values()) == [b"1", b"2", b"3"]
    await store.put("admin read-only", b"true")
    await store.tidy(Expiry(None, None, None, None, 0, reports=8), 9)
    assert sorted((await store.reports()).values()) == [b"2", b"3"]
    assert list(await store.orders()) == ["admin read-only"]


async def test_an_append_is_whole_or_nothing(store: Store) -> None:
    """Its second event is taken, so its first one, its index and its game aren't there either."""
    stored = (Row(1, 0, b"1"), Row(2, 0, b"2"))
    await store.append(Append("t", stored))
    index = indexed("playing", people=("ann",), due_at=5)
    over, snapshot = Finished(1, 0, b"{}", b"{}", {"ann": 0}), Snapshot(2, b"{}", 1)
    with pytest.raises(Conflict):
        await store.append(Append("t", rows(2, 2)[::-1], index, (over,), snapshot))
    assert await store.events("t") == list(stored)
    assert await store.snapshot("t") is None
    assert await store.tables_of("ann", 9) == []
    assert await store.finished_game("t", 1) is None


async def test_people_are_written_when_they_change(store: Store) -> None:
    """More of them than one statement writes."""
    crowd = tuple(f"person {number:02}" for number in range(20))
    await store.append(Append("t", rows(1), indexed(people=crowd)))
    await store.append(Append("t", rows(2), indexed("playing")._replace(people=None)))
    for person in crowd:
        assert names(await store.tables_of(person, 9)) == ["t"]
    await store.append(Append("t", rows(3), indexed(people=crowd[:1])))
    assert await store.is_guest("t", crowd[0])
    assert not await store.is_guest("t", crowd[1])


async def test_each_of_many_appends_has_its_own_outcome(store: Store) -> None:
    """Fifty want the same number, fifty another each; all in a commit or two."""
    wanted = [Append("same", rows(1)) for _ in range(50)]
    wanted += [Append(f"t{number}", rows(1)) for number in range(50)]
    answers = await asyncio.gather(*map(store.append, wanted), return_exceptions=True)
    assert [type(answer) for answer in answers[:50]].count(Conflict) == 49
    assert answers[50:] == [None] * 50


async def test_many_appends_share_a_commit(store: Store) -> None:
    commits: list[int] = []
    store.on_commit = lambda seconds, appends: commits.append(appends)
    await asyncio.gather(*(store.append(Append(f"t{n}", rows(1))) for n in range(500)))
    assert sum(commits) == 500
    assert len(commits) < 50


async def test_what_is_stored_is_there_after_a_restart(reopen: Reopen) -> None:
    async with reopen() as store:
        await store.append(Append("t", rows(1, 2)))
        assert await store.setting("secret", b"one") == b"one"
    async with reopen() as store:
        assert await store.events("t") == list(rows(1, 2))
        assert await store.setting("secret", b"two") == b"one"


async def test_an_append_waits_for_the_disk(tmp_path: Path) -> None:
    """Durable means synchronous=FULL in write-ahead mode."""
    async with kept(tmp_path / "rage.sqlite") as store:
        pragma = store.writer.connection.execute
        assert pragma("PRAGMA synchronous").fetchone()[0] == 2
        assert pragma("PRAGMA journal_mode").fetchone()[0] == "wal"


async def test_tables_are_found_again(store: Store) -> None:
    index = indexed("playing", people=("ann", "ben"), used=1)
    await store.append(Append("a", rows(1), index))
    index = indexed("gathering", found=False, people=("ann",), due_at=50, used=2)
    await store.append(Append("b", rows(1), index))
    await store.append(Append("c", rows(1), indexed("over", people=("ben",), used=3)))
    assert names(await store.tables_of("ann", 9)) == ["b", "a"]
    assert names(await store.tables_of("ann", 1)) == ["b"]
    assert names(await store.open_tables(9)) == ["a"]
    assert await store.table("c") == StoredTable("c", None)
    assert await store.table("d") is None
    assert await store.still_open(["a", "b", "c", "d"]) == ["a"]
    assert await store.due(49, 9) == []
    assert await store.due(50, 9) == ["b"]
    index = indexed("gathering", found=False, people=("ben",), used=4)
    await store.append(Append("b", rows(2), index))
    assert names(await store.tables_of("ann", 9)) == ["a"]
    assert await store.due(99, 9) == []


async def test_nothing_is_stored_of_a_table_that_is_lost(store: Store) -> None:
    """What follows from no new event is stored only after the last one, which a database that was
    restored has not."""
    changes = [
        Append("t", new_index=indexed("playing"), after=2),
        Append("t", snapshot=Snapshot(2, b"{}", 2), after=2),
        Append("t", bids=ChangedBids(None, b"{}"), after=2),
    ]
    for each in changes:
        with pytest.raises(Conflict):
            await store.append(each)
    assert await store.table("t") is None
    assert await store.problems() == []
    await store.append(Append("t", rows(1, 2)))
    await store.append(changes[0])
    assert await store.table("t") is not None


async def test_games_are_found_again(store: Store) -> None:
    first = Finished(1, 1000, b'{"rules":"poof"}', b"the record", {"ann": 0, "eve": None})
    await store.append(Append("t", rows(1), finished=(first,)))
    await store.append(Append("t", rows(2), finished=(first._replace(game=2, ended=2000),)))
    assert [line.game for line in await store.games_of("ann", 9)] == [2, 1]
    assert (await store.games_of("ann", 9))[1] == GameEntry("t", 1, 1000, first.line, 0)
    assert [line.seat for line in await store.games_of("eve", 9)] == [None, None]
    assert await store.finished_game("t", 1) == first
    assert await store.finished_game("t", 3) is None
    assert await store.games_of("dan", 9) == []


async def test_a_game_that_is_over_stays_what_it_was(store: Store) -> None:
    """Only a name in it is replaced, where somebody is erased."""
    first = Finished(1, 1000, b"{}", b"the record", {"ann": 0})
    other = Finished(1, 2000, b"{}", b"another", {"eve": 0})
    await store.append(Append("t", rows(1), finished=(first,)))
    await store.append(Append("t", rows(2), finished=(other,)))
    assert await store.finished_game("t", 1) == first
    assert await store.games_of("eve", 9) == []
    erased = first._replace(record=b"without a name")
    await store.replace_game("t", erased._replace(seats={}))
    assert await store.finished_game("t", 1) == erased


async def test_each_person_keeps_the_last_games_played_and_watched(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A game that several share is kept while one of them has it."""
    monkeypatch.setattr(transactions, "MAX_GAMES", 2)
    games: list[dict[str, int | None]]
    games = [{"ann": 0}, {"ann": 0, "eve": None}, {"ann": 1}, {"ann": 0}]
    for game, seats in enumerate(games, 1):
        over = Finished(game, 1000 * game, b"{}", b"a record", seats)
        await store.append(Append("t", finished=(over,)))
    await store.append(Append("u", finished=(Finished(1, 9000, b"{}", b"", {"ann": None}),)))
    assert [line.game for line in await store.games_of("ann", 9)] == [1, 4, 3]
    assert [line.game for line in await store.games_of("eve", 9)] == [2]
    found = [await store.finished_game("t", game) for game in (1, 2, 3, 4)]
    assert [each is not None for each in found] == [False, True, True, True]


async def test_nothing_is_read_by_searching_all_of_it(tmp_path: Path) -> None:
    """Otherwise one person's question takes the longer the more others have stored."""
    async with kept(tmp_path / "rage.sqlite") as store:
        asked: list[str] = []
        reading = store._reading
        reading.set_trace_callback(asked.append)
        for answer in (
            store.events("t"), store.snapshot("t"), store.chat("t"), store.tables_of("ann", 9),
            store.known("t"),
            store.open_tables(9), store.count_open("ann"), store.still_open(["t"]),
            store.table("t"), store.due(0, 9), store.expired_tables(Expiry(1, 1, 1, 1, 1), 9),
            store.games_of("ann", 9), store.finished_game("t", 1), store.count_games("today"),
            store.best_games("today", 9), store.profile_of("ann"),
        ):  # fmt: skip
            await answer
        reading.set_trace_callback(None)
        assert len(asked) >= 15
        for query in asked:
            plan = [row[3] for row in reading.execute(f"EXPLAIN QUERY PLAN {query}").fetchall()]
            scans = [step for step in plan if re.match(r"SCAN \w+$", step)]
            assert not scans or scans == ["SCAN ranked", "SCAN first"], (query, plan)


async def test_the_last_spent_tokens_are_remembered(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By their order, for a clock can be put back."""
    monkeypatch.setattr(transactions, "MAX_SPENT", 3)
    for token in (b"1", b"2", b"3"):
        assert await store.spend(token)
    assert not await store.spend(b"1")
    assert await store.spend(b"4")
    assert [await store.spend(token) for token in (b"2", b"3", b"4")] == [False] * 3
    assert await store.spend(b"1")


async def test_sessions_are_ended_again_and_again(reopen: Reopen) -> None:
    async with reopen() as store:
        assert await store.sessions() == {}
        assert [await store.end_sessions(each) for each in ("ann", "ann", "ben")] == [1, 2, 1]
    async with reopen() as store:
        assert await store.sessions() == {"ann": 2, "ben": 1}


async def test_of_two_devices_that_end_the_old_session_at_once_one_is_answered(
    store: Store,
) -> None:
    await store.keep_code("ann", b"digest")
    both = [store.recover([b"other", b"digest"], end=True) for _ in range(2)]
    assert sorted(await asyncio.gather(*both), key=str) == [None, Recovered("ann", 1)]
    assert await store.sessions() == {"ann": 1}
    assert await store.code_since("ann") is None


async def test_a_name_is_kept(store: Store) -> None:
    assert (await store.profile_of("ann")).name is None
    await store.keep_profile("ann", "Ann")
    await store.keep_profile("ann", "Anna")
    assert (await store.profile_of("ann")).name == "Anna"


async def test_that_it_can_store_is_proved_by_a_commit_of_which_nothing_is_left(
    tmp_path: Path,
) -> None:
    path = tmp_path / "rage.sqlite"
    async with kept(path) as store:
        await store.keep_profile("ann", "Ann")
        with contextlib.closing(sqlite3.connect(path)) as other:
            seen = "PRAGMA data_version"  # another one after each commit of somebody else
            before, content = other.execute(seen).fetchone(), [*other.iterdump()]
            await store.check_writable()
            assert other.execute(seen).fetchone() != before
            assert [*other.iterdump()] == content
        store.writer.connection.execute("PRAGMA query_only = 1")
        with pytest.raises(StoreFailed):
            await store.check_writable()


async def test_a_full_disk_loses_nothing_that_was_stored(tmp_path: Path) -> None:
    path = tmp_path / "rage.sqlite"
    async with kept(path) as store:
        await store.append(Append("t", rows(1, 5)))
        pages = store.writer.connection.execute("PRAGMA page_count").fetchone()[0]
        store.writer.connection.execute(f"PRAGMA max_page_count = {pages}")
        with pytest.raises(StoreFailed, match="full"):
            await store.append(Append("big", (Row(1, 0, bytes(100_000)),)))
        assert await store.events("big") == []
        store.writer.connection.execute("PRAGMA max_page_count = 100000")
        await store.append(Append("t", rows(6)))
        assert len(await store.events("t")) == 6


async def test_a_file_that_is_no_store_or_of_another_version_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "rage.sqlite"
    path.write_bytes(b"not a database at all, but long enough to be looked at" * 50)
    with pytest.raises(StoreFailed, match=r"rage\.sqlite"):
        sqlite_store(path)
    newer = tmp_path / "newer.sqlite"
    with contextlib.closing(sqlite3.connect(newer)) as connection:
        connection.execute("PRAGMA user_version = 99")
    with pytest.raises(StoreFailed, match="another version"):
        sqlite_store(newer)
    early = tmp_path / "early.sqlite"
    async with kept(early):
        pass
    with contextlib.closing(sqlite3.connect(early)) as connection:
        connection.execute("ALTER TABLE games RENAME COLUMN deals_id TO dealt")
    with pytest.raises(StoreFailed, match="another version"):
        sqlite_store(early)


async def test_an_older_file_gets_the_tables_it_lacks(tmp_path: Path) -> None:
    path = tmp_path / "rage.sqlite"
    async with kept(path) as store:
        await store.keep_code("ann", b"digest")
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.execute("DROP TABLE passkeys")
    async with kept(path) as store:
        assert await store.passkeys_of("ann") == []
        assert await store.code_since("ann") is not None


async def test_closing_stores_pending_appends(reopen: Reopen) -> None:
    async with reopen() as store:
        waiting = [asyncio.ensure_future(store.append(Append(f"t{n}", rows(1)))) for n in range(99)]
        await asyncio.sleep(0)
    assert await asyncio.gather(*waiting) == [None] * 99
    async with reopen() as store:
        assert await store.events("t98") == list(rows(1))


async def test_the_database_is_checked_by_one_server_and_once_a_day(tmp_path: Path) -> None:
    """Until something is found, which every start says."""
    url = await cluster().url(tmp_path.name)
    now = [0]
    async with kept_on_postgres(tmp_path.name) as store:
        store.now = lambda: now[0]
        other = await asyncpg.connect(url)
        await store.append(Append("t", rows(1, 3), indexed()))
        assert await store.problems() == []
        await other.execute("UPDATE events SET data = '' WHERE seq = 2")
        assert await store.problems() == []
        now[0] = 1000 * CHECK_INTERVAL
        await other.execute("SELECT pg_advisory_lock($1)", CHECK_LOCK)
        assert await store.problems() == []
        await other.close()
        async with asyncio.timeout(PATIENCE):
            while not (found := await store.problems()):  # until the lock is free again
                await asyncio.sleep(0.05)
        assert [each.params["place"] for each in found] == [2]


async def test_what_changes_during_a_check_is_not_damaged(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A snapshot that replaces half of the events between two of its looks."""
    monkeypatch.setattr(sql, "CHECK_BATCH", 2)
    await store.append(Append("t", rows(1, 6), indexed()))
    sleeping = asyncio.sleep

    async def change(seconds: float) -> None:
        if seconds == sql.CHECK_PAUSE:
            await store.append(Append("t", snapshot=Snapshot(6, b"{}", 5)))
        await sleeping(0)

    monkeypatch.setattr(asyncio, "sleep", change)
    assert await store.problems() == []
