"""The process that writes the embedded store: killed, it costs nobody a move, and it ends with the
server. What it stores is tried in ``test_store.py``. A few moves at a time need no process."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sqlite3
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random

import pytest

from house.recording import connect, create_table, hub_with
from rage.house.store import Append, Conflict, Expiry, Finished, Row, StoreFailed
from rage.house.store.sqlite import SqliteStore
from rage.server.embedded import store_process
from rage.server.embedded.store_process import StoreProcess
from rage.server.stores import STORE
from rage.table import Start
from server.conftest import Launch
from server.running import is_writer, open_table, people, wait_until, writers


@contextlib.asynccontextmanager
async def opened(folder: Path) -> AsyncIterator[SqliteStore]:
    store = SqliteStore(folder / STORE, StoreProcess)
    try:
        yield store
    finally:
        await store.close()


@pytest.fixture
def slow_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """A disk for which the event loop does not wait."""
    monkeypatch.setattr(store_process, "QUICK", -1.0)


async def test_each_of_many_at_once_has_its_own_outcome(tmp_path: Path) -> None:
    """In a few commits, and all of it is kept."""
    async with opened(tmp_path) as store:
        commits: list[int] = []
        store.on_commit = lambda seconds, jobs: commits.append(jobs)
        wanted = [Append("same", (Row(1, 0, b"1"),)) for _ in range(3)]
        wanted += [Append(f"t{number}", (Row(1, 0, bytes(9000)),)) for number in range(50)]
        wanted[3] = wanted[3]._replace(finished=(Finished(1, 5, b"{}", b"[]", {"ann": 0}),))
        answers = await asyncio.gather(
            *map(store.append, wanted), store.setting("a", b"b"), return_exceptions=True
        )
        assert [type(answer) for answer in answers[:3]].count(Conflict) == 2
        assert answers[3:] == [None] * 50 + [b"b"]
        assert (sum(commits), len(commits) < 10) == (54, True)
        assert await store.say("t0", 0, b"hello", 9, 999) == 1
        assert await store.end_sessions("ann") == 1
        assert not await store.tidy(Expiry(None, None, None, None, 0), 9)
        game = await store.finished_game("t0", 1)
    async with opened(tmp_path) as store:
        assert await store.events("t9") == [Row(1, 0, bytes(9000))]
        assert await store.finished_game("t0", 1) == game is not None
        assert await store.sessions() == {"ann": 1}


async def test_a_few_moves_need_no_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Unless another program is writing: then they wait in the process, and the server does not."""
    monkeypatch.setattr(store_process, "QUICK", 9.0)
    async with opened(tmp_path) as store:
        await store.check_writable()
        (writer,) = writers(os.getpid())
        os.kill(writer, signal.SIGSTOP)
        some = [Append(name, (Row(1, 0, b"1"),)) for name in ("a", "b", "a")]
        answers = await asyncio.gather(*map(store.append, some), return_exceptions=True)
        assert [type(answer) for answer in answers] == [type(None), type(None), Conflict]
        os.kill(writer, signal.SIGCONT)
        with contextlib.closing(sqlite3.connect(tmp_path / STORE, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            waiting = asyncio.ensure_future(store.append(Append("c", (Row(1, 0, b"1"),))))
            await asyncio.sleep(0.05)
            assert not waiting.done()
            other.execute("ROLLBACK")
        await waiting
        assert await store.events("c") == [Row(1, 0, b"1")]


async def test_the_log_of_many_moves_is_copied_into_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store_process, "QUICK", 9.0)
    monkeypatch.setattr(store_process, "IN_A_ROW", 5)
    async with opened(tmp_path) as store:
        for number in range(100):
            await store.append(Append("a", (Row(number, 0, bytes(400_000)),)))
        assert (tmp_path / f"{STORE}-wal").stat().st_size < 24 * 1024 * 1024


@pytest.mark.usefixtures("slow_disk")
async def test_play_goes_on_when_the_writer_is_killed(tmp_path: Path) -> None:
    """Again and again, at any moment: every move that was shown is stored, once, and a move whose
    answer was lost is either stored or not."""
    hub, rng = hub_with(SqliteStore(tmp_path / STORE, StoreProcess)), Random(3)
    code = await create_table(hub, "ann", "ben")
    recorders = [await connect(hub, code, person) for person in ("ann", "ben")]
    await hub.do(code, Start(), "ann")
    failed = 0
    for number in range(60):
        one = next(recorder for recorder in recorders if recorder.turn is not None)
        doing = asyncio.ensure_future(hub.do(code, one.choice(rng), one.person))
        if number % 6 == 0:
            await asyncio.sleep(rng.uniform(0, 0.002))
            for each in writers(os.getpid()):
                os.kill(each, signal.SIGKILL)
        try:
            await doing
        except StoreFailed:
            failed += 1
            await (await hub.room(code)).ready()
        await wait_until(lambda: any(each.turn is not None for each in recorders))
    assert failed
    stored = await hub.services.store.events(code)
    assert [row.seq for row in stored] == list(range(1, len(stored) + 1))
    assert len(stored) == recorders[0].seq == recorders[1].seq
    await hub.close()
    assert writers(os.getpid()) == []


async def test_what_waits_fails_with_the_writer(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        await store.check_writable()
        (writer,) = writers(os.getpid())
        os.kill(writer, signal.SIGSTOP)
        waiting = [store.append(Append(name, (Row(1, 0, b"1"),))) for name in "abcdef"]
        await asyncio.sleep(0)
        os.kill(writer, signal.SIGKILL)
        answers = await asyncio.gather(*waiting, return_exceptions=True)
        assert {type(answer) for answer in answers} == {StoreFailed}
        await store.append(Append("a", (Row(1, 0, b"1"),)))
        assert await store.events("a") == [Row(1, 0, b"1")]


@pytest.mark.usefixtures("slow_disk")
async def test_a_writer_that_cannot_start_is_a_failure(tmp_path: Path) -> None:
    """Its file is gone, and it makes no new one."""
    async with opened(tmp_path) as store:
        await store.check_writable()
        for path in tmp_path.iterdir():
            path.unlink()
        for each in writers(os.getpid()):
            os.kill(each, signal.SIGKILL)
        for _ in range(2):
            with pytest.raises(StoreFailed):
                await store.append(Append("a", (Row(1, 0, b"1"),)))
        assert not (tmp_path / STORE).exists()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_writer_is_ended_by_its_server(launch: Launch, number: int) -> None:
    """Not by a signal that the system sends to both."""
    server = launch()
    with people(server.url, "Ann") as (ann,):
        (writer,) = writers(server.process.pid)
        os.kill(writer, number)
        open_table(ann)
        assert writers(server.process.pid) == [writer]
    assert server.end(number) == 0
    assert not is_writer(writer)


async def test_the_writer_ends_when_its_server_is_killed(launch: Launch) -> None:
    server = launch()
    (writer,) = writers(server.process.pid)
    server.end(signal.SIGKILL)
    await wait_until(lambda: not is_writer(writer))
