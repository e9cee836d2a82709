"""What nobody uses is removed, and what somebody uses is not."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from random import Random
from types import SimpleNamespace

import asyncpg
import pytest

from house.recording import connect, create_table, hub_on, hub_with, play_out
from rage.house.base.codes import NoTable
from rage.house.limits import FINISHED_AFTER
from rage.house.operating import housekeeping
from rage.house.operating.housekeeping import Housekeeping
from rage.house.operating.retention import Retention, read_retention
from rage.house.store import MAX_READ, Append, Passkey, Row
from rage.house.store.file import free_space
from rage.house.store.sql import Store
from rage.house.store.writer import run
from rage.house.tables.loading import final_snapshot, load
from rage.say import NotReadable
from rage.server.postgres.store import postgres_store
from rage.server.stores import STORE
from rage.table import (
    Chat,
    Rematch,
    Rename,
    Start,
)
from server.postgres import cluster
from server.running import PATIENCE, wait_until
from server.stored import count, sqlite_store

DAY = 24 * 3600 * 1000


@pytest.mark.parametrize(
    ("text", "keep"),
    [
        ("", Retention()),
        ("games=forever", Retention(games=None)),
        (" unstarted=0 , finished = 7,", Retention(unstarted=0, finished=7)),
    ],
)  # fmt: skip
def test_retention_can_be_configured(text: str, keep: Retention) -> None:
    assert read_retention(text) == keep


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("tables=3", "serve.keep"), ("games=1,games=2", "serve.keep"), ("7", "serve.keep"),
        ("games", "serve.keep_days"), ("games=-1", "serve.keep_days"),
        ("games=1.5", "serve.keep_days"), ("games=99999999", "serve.keep_days"),
        ("games=²", "serve.keep_days"), (f"games={'9' * 5000}", "serve.keep_days"),
    ],
)  # fmt: skip
def test_a_retention_that_cannot_be_read_is_refused(text: str, code: str) -> None:
    with pytest.raises(NotReadable) as refused:
        read_retention(text)
    assert refused.value.reason.code == code
    assert text.partition(",")[0][:20] in str(refused.value) or "games=2" in str(refused.value)


async def test_unused_tables_and_games_expire(tmp_path: Path) -> None:
    """Tables by what became of them; finished games long after their tables."""
    now = [100 * DAY]
    hub = hub_on(tmp_path, now=lambda: now[0])
    keep = Retention(1, 20, 10, 40)
    unstarted = await create_table(hub, "ann", "ben")
    codes = [await create_table(hub, "ann", "ben", rules="poof+schedule:1") for _ in range(2)]
    finished, abandoned = codes
    for code in codes:
        await hub.do(code, Chat("hello"), "ann")
        await hub.do(code, Start(), "ann")
    recorders = [await connect(hub, finished, person) for person in ("ann", "ben")]
    await play_out(hub, finished, recorders, Random(1))
    for recorder in recorders:
        hub.rooms[finished].leave(recorder.client)
    hub.rooms.clear()
    left = {unstarted: 1, finished: 10, abandoned: 20}
    for days in (0, 2, 11, 21):
        now[0] = (100 + days) * DAY
        await Housekeeping(hub, keep).clear()
        for code, kept in left.items():
            for name in ("events", "tables", "people", "chat"):
                if days > kept:
                    assert count(tmp_path, name, code) == 0, (days, name)
            assert (await hub.services.store.table(code) is None) == (days > kept)
        assert len(await hub.services.store.games_of("ann", 9)) == 1
    with pytest.raises(NoTable):
        await hub.room(abandoned)
    now[0] = 141 * DAY
    await Housekeeping(hub, keep).clear()
    assert await hub.services.store.games_of("ann", 9) == []
    await hub.close()


@pytest.mark.parametrize("database", ["sqlite", "postgres"])
async def test_a_finished_table_goes_on_from_what_is_left_of_its_events(
    tmp_path: Path, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An hour after the last one left: who returns finds it as it was, and can play again."""
    now, people = [100 * DAY], ("ann", "ben")
    if database == "sqlite":
        store: Store = sqlite_store(tmp_path / STORE)
    else:
        store = await postgres_store(await cluster().url(tmp_path.name))
    hub = hub_with(store, now=lambda: now[0])
    code = await create_table(hub, *people, rules="poof+schedule:1")
    await hub.do(code, Chat("hello"), "ann")
    await hub.do(code, Start(), "ann")
    recorders = [await connect(hub, code, person) for person in people]
    await play_out(hub, code, recorders, Random(1))
    shown = [(await connect(hub, code, person)).messages[0] for person in people]
    hub.drop(hub.rooms[code])
    before, keeping = await store.events(code), Housekeeping(hub)
    for passed, left in ((FINISHED_AFTER, len(before)), (1, 0), (FINISHED_AFTER + 1, 0)):
        now[0] += passed
        await keeping.compact()
        assert len(await store.events(code)) == left
        await store.release(code)
    table = await hub.table(code)
    assert (table.seq, table.phase) == (before[-1].seq, "over")
    for person, old in zip(people, recorders, strict=True):
        known = await connect(hub, code, person, since=old.seq)
        late = await connect(hub, code, person, since=1)
        assert [each.messages[0]["type"] for each in (known, late)] == ["update", "table"]
    again = [await connect(hub, code, person) for person in people]
    assert [each.messages[0]["table"] for each in again] == [each["table"] for each in shown]
    await hub.do(code, Rematch(), "ann")
    await hub.do(code, Start(), "ann")
    await play_out(hub, code, again, Random(2))
    hub.drop(hub.rooms[code])
    assert (await load(store, code)).table.state.games == 2
    assert [each.game for each in await store.games_of("ben", 9)] == [2, 1]
    now[0] += 2 * FINISHED_AFTER
    monkeypatch.setattr(housekeeping, "SWEEP_INTERVAL", 0.01)
    monkeypatch.setattr(housekeeping, "COMPACT_INTERVAL", 0.01)
    sweeping = asyncio.ensure_future(keeping.sweep())  # a server looks after it by itself
    async with asyncio.timeout(PATIENCE):
        while await store.events(code):
            await asyncio.sleep(0.05)
    sweeping.cancel()
    assert (await load(store, code)).table.state.games == 2
    await hub.close()


async def test_a_table_that_is_shortened_while_it_is_loaded_is_loaded_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By another server, between its snapshot, which it did not have, and its events."""
    hub = hub_on(tmp_path)
    store = hub.services.store
    code = await create_table(hub, "ann", "ben")
    table = await hub.table(code)
    hub.drop(hub.rooms[code])
    reading = store.events

    async def events(name: str, after: int = 0, most: int = MAX_READ) -> list[Row]:
        if after == 0:
            await store.append(Append(code, snapshot=final_snapshot(table)))
        return await reading(name, after, most)

    monkeypatch.setattr(store, "events", events)
    assert (await hub.table(code)).seq == table.seq
    await hub.close()


async def test_a_table_with_somebody_at_it_is_never_removed(tmp_path: Path) -> None:
    now = [0]
    hub = hub_on(tmp_path, now=lambda: now[0])
    code = await create_table(hub, "ann", "ben")
    ann = await connect(hub, code, "ann")
    now[0] = 1000 * DAY
    await Housekeeping(hub).clear()
    await hub.do(code, Rename("Anna"), "ann")
    assert ann.seq == (await hub.table(code)).seq
    await hub.close()


async def test_few_tables_are_removed_at_a_time_and_those_in_use_keep_no_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As moves wait meanwhile. Of the tables that are to go, the first ones are in use: more than
    are removed at once."""
    monkeypatch.setattr(housekeeping, "REMOVE_BATCH", 3)
    now, sizes = [0], list[int]()
    hub = hub_on(tmp_path, now=lambda: now[0])
    used = [await create_table(hub, "ann") for _ in range(5)]
    now[0] = 1
    unused = [await create_table(hub, "ann") for _ in range(7)]
    for code in used:
        await connect(hub, code, "ann")
    for code in unused:
        del hub.rooms[code]
    removing = hub.services.store.remove

    async def remove(tables: Sequence[str]) -> None:
        sizes.append(len(tables))
        await removing(tables)

    monkeypatch.setattr(hub.services.store, "remove", remove)
    now[0] = 1000 * DAY
    await Housekeeping(hub).clear()
    assert sizes == [3, 3, 1]
    assert [await hub.services.store.table(code) for code in unused] == [None] * 7
    assert None not in [await hub.services.store.table(code) for code in used]
    await hub.close()


async def test_the_file_shrinks_when_tables_are_removed(tmp_path: Path) -> None:
    now = [0]
    hub = hub_on(tmp_path, now=lambda: now[0])
    for _ in range(5):
        code = await create_table(hub, "ann", "ben")
        for _ in range(5):
            await hub.services.store.say(code, 0, b"x" * 100_000, 200, 10**9)
    hub.rooms.clear()
    await hub.close()
    before = (tmp_path / STORE).stat().st_size
    now[0] = 1000 * DAY
    again = hub_on(tmp_path, now=lambda: now[0])
    async with asyncio.timeout(10):  # page by page it would take half a minute
        await Housekeeping(again).clear()
    await again.close()
    assert before > 2_000_000
    assert (tmp_path / STORE).stat().st_size < before / 10


def test_free_pages_that_no_shrinking_gives_back_are_left(tmp_path: Path) -> None:
    """As in a file that another program has put together: clearing up has an end all the same."""
    with closing(sqlite3.connect(tmp_path / "other.sqlite", isolation_level=None)) as connection:
        connection.execute("CREATE TABLE chat (data)")
        connection.execute("INSERT INTO chat VALUES (zeroblob(100000))")
        connection.execute("DELETE FROM chat")
        assert connection.execute("PRAGMA freelist_count").fetchone()[0] > 20
        assert not run(connection, free_space())


@pytest.mark.parametrize(("games", "days"), [(40, 40), (None, 400)])
async def test_names_and_passkeys_of_people_who_are_gone_are_forgotten(
    tmp_path: Path, games: int | None, days: int
) -> None:
    """Also if games are kept for ever; people in a game keep their data."""
    now = [100 * DAY]
    hub = hub_on(tmp_path, now=lambda: now[0])
    for person in ("ann", "cem"):
        await hub.services.store.keep_profile(person, person.title())
        passkey = Passkey(person.encode(), person, b"", 0, now[0])
        assert await hub.services.store.keep_passkey(passkey)
    code = await create_table(hub, "ann", "ben")
    for days_later, known in ((days - 1, "Cem"), (days + 1, None)):
        now[0] = (100 + days_later) * DAY
        await Housekeeping(hub, Retention(games=games)).clear()
        assert (await hub.services.store.profile_of("cem")).name == known
        assert (await hub.services.store.profile_of("ann")).name == "Ann"
        assert (await hub.services.store.passkey(b"cem") is not None) == (known is not None)
        assert await hub.services.store.passkey(b"ann") is not None
    assert code in hub.rooms
    await hub.close()


async def test_a_clock_that_jumps_empties_no_store(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is cleared before the clock has stayed where it is for as long as that takes."""
    passed, ahead, sweeps, cleared = 0.0, 0, 0, list[int]()
    monkeypatch.setattr(housekeeping, "SWEEP_INTERVAL", 0.001)
    monkeypatch.setattr(housekeeping, "time", SimpleNamespace(monotonic=lambda: passed))
    hub = hub_on(tmp_path, now=lambda: int(1000 * passed) + ahead)
    code = await create_table(hub, "ann", "ben")
    hub.rooms.clear()

    class Noting(Housekeeping):
        def tidy(self) -> None:
            nonlocal sweeps
            sweeps += 1
            super().tidy()

        async def clear(self) -> None:
            cleared.append(ahead)
            await super().clear()

    async def swept() -> None:
        """Wait for a whole sweep."""
        before = sweeps
        await wait_until(lambda: sweeps > before)

    sweeping = asyncio.ensure_future(Noting(hub).sweep())
    await swept()
    for _ in range(16):
        passed += 0.9 * housekeeping.CLEAR_INTERVAL
        ahead = 3650 * DAY - ahead
        await swept()
    assert not cleared
    ahead = 3650 * DAY
    await swept()
    passed += 1.1 * housekeeping.CLEAR_INTERVAL
    async with asyncio.timeout(PATIENCE):
        while await hub.services.store.table(code) is not None:
            await asyncio.sleep(0.01)
    assert cleared == [ahead]
    sweeping.cancel()
    await hub.close()


async def test_moves_do_not_wait_for_what_is_removed(tmp_path: Path) -> None:
    """With PostgreSQL: here the removal itself has to wait, for somebody else's transaction."""
    now = [0]
    url = await cluster().url(tmp_path.name)
    hub = hub_with(await postgres_store(url), now=lambda: now[0])
    code = await create_table(hub, "ann", "ben")
    hub.drop(hub.rooms[code])
    await hub.services.store.release(code)
    other = await asyncpg.connect(url)
    holding = other.transaction()
    await holding.start()
    await other.execute("SELECT 1 FROM events WHERE table_id = $1 FOR UPDATE", code)
    now[0] = 1000 * DAY
    clearing = asyncio.ensure_future(Housekeeping(hub).clear())
    async with asyncio.timeout(PATIENCE):
        while not hub.removing:
            await asyncio.sleep(0.01)
        fresh = await create_table(hub, "ann", "ben")  # of several commits
    assert not clearing.done()
    await holding.rollback()
    await clearing
    assert await hub.services.store.table(code) is None
    assert await hub.services.store.table(fresh) is not None
    await other.close()
    await hub.close()
