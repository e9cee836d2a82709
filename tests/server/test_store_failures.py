"""A store that fails while people play: commands are refused with a clear reason, nothing is told
that is not stored, and afterwards play goes on."""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from house.recording import connect, create_table, hub_on, play_out
from rage.house.operating.housekeeping import Housekeeping
from rage.house.store import Append, Row, StoreFailed
from rage.house.store.file import StoreFile
from rage.house.store.transactions import Steps
from rage.house.tables import automation, loading, presence, room
from rage.house.tables.hub import Hub
from rage.server.config import Config
from rage.server.stores import STORE
from rage.table import Chat, LookAt, Rename, ShowHand, Start, Watch
from server.inside import server_in_process
from server.running import PATIENCE, open_table, people, wait_until
from server.stored import sqlite_store
from server.table_client import connected, sit_down, start


@contextlib.asynccontextmanager
async def failing(folder: Path) -> AsyncIterator[tuple[Hub, list[bool]]]:
    """A hub whose store fails while the list holds ``True``."""
    hub, fails = hub_on(folder), [False]
    append, say = hub.services.store.append, hub.services.store.say

    def failing_at(real: Callable[..., Any]) -> Callable[..., Any]:
        def store(*what: Any) -> Any:
            if fails[0]:
                answer: asyncio.Future[None] = asyncio.get_running_loop().create_future()
                answer.set_exception(StoreFailed("database or disk is full"))
                return answer
            return real(*what)

        return store

    hub.services.store.append = failing_at(append)  # type: ignore[method-assign]
    hub.services.store.say = failing_at(say)  # type: ignore[method-assign]
    try:
        yield hub, fails
    finally:
        await hub.close()


async def test_nothing_is_told_that_is_not_stored(tmp_path: Path) -> None:
    rng = Random(1)
    async with failing(tmp_path) as (hub, fails):
        code = await create_table(hub, "ann", "ben")
        recorders = [await connect(hub, code, person) for person in ("ann", "ben")]
        await hub.do(code, Start(), "ann")
        for _ in range(12):
            await play_out(hub, code, recorders, rng, 1)
            one, other = sorted(recorders, key=lambda recorder: recorder.turn is None)
            before = [len(recorder.messages) for recorder in recorders]
            move = one.choice(rng)
            fails[0] = True
            for command, person in ((move, one.person), (Chat(preset="oops"), other.person)):
                with pytest.raises(StoreFailed):
                    await hub.do(code, command, person)
            fails[0] = False
            assert [len(recorder.messages) for recorder in recorders] == before
            stored = await hub.services.store.events(code)
            assert len(stored) == recorders[0].seq == (await hub.table(code)).seq
            await hub.do(code, move, one.person)  # and whose turn it is then, is told
            assert [recorder.turn is not None for recorder in (one, other)].count(True) == 1
        assert len(await hub.services.store.events(code)) == recorders[0].seq == recorders[1].seq


async def test_a_line_of_the_chat_is_not_lost_with_a_table_that_was_not_stored(
    tmp_path: Path,
) -> None:
    """Somebody who reads slowly would have been told it in the table."""
    async with failing(tmp_path) as (hub, fails):
        code = await create_table(hub, "ann", "ben")
        await hub.do(code, Watch("Eve"), "eve")
        await hub.do(code, ShowHand(True), "ann")
        eve = await connect(hub, code, "eve")
        eve.unsent = 1
        await hub.do(code, Chat(preset="hello"), "ann")
        told = len(eve.messages)
        fails[0] = True
        with pytest.raises(StoreFailed):
            await hub.do(code, LookAt(0), "eve")
        fails[0] = False
        eve.unsent = 0
        await hub.table(code)
        Housekeeping(hub).tidy()
        assert [each["type"] for each in eve.messages[told:]] == ["chat"]


async def test_bots_go_on_afterwards(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(automation, "RETRY_AFTER", 0.01)
    async with failing(tmp_path) as (hub, fails):
        code = await create_table(hub, "ann", players=3, rules="poof+schedule:2")
        ann, rng = await connect(hub, code, "ann"), Random(2)
        await hub.do(code, Start("random"), "ann")
        async with asyncio.timeout(PATIENCE):
            while not any(fact["type"] == "game_over" for fact in ann.facts.values()):
                fails[0] = rng.random() < 0.4
                if ann.turn is not None:
                    with contextlib.suppress(StoreFailed):
                        await hub.do(code, ann.choice(rng), "ann")
                await asyncio.sleep(0.003)
        assert (await hub.table(code)).seq == ann.seq == len(await hub.services.store.events(code))


async def test_presence_is_stored_when_the_store_works_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(presence, "RETRY_AFTER", 0.01)
    monkeypatch.setattr(room, "ABSENCE_GRACE", 0.01)
    async with failing(tmp_path) as (hub, fails):
        code = await create_table(hub, "ann", "ben")
        ann, ben = [await connect(hub, code, person) for person in ("ann", "ben")]
        fails[0] = True
        hub.rooms[code].leave(ben.client)
        await asyncio.sleep(0.1)
        assert not ann.facts
        fails[0] = False
        await wait_until(lambda: ann.facts)
        assert [fact["type"] for fact in ann.facts.values()] == ["presence_set"]


async def test_a_command_is_done_though_its_sender_disconnects(tmp_path: Path) -> None:
    """And the others are told."""
    with (
        server_in_process(Config(tmp_path / "data")) as (url, _, _),
        people(url, "Ann", "Ben") as (a, b),
    ):
        code = open_table(a, "poof", players=2)
        async with connected(url, code, a) as ann:
            async with connected(url, code, b) as ben:
                await ben.do("join", name="Ben")
                await ben.ask("chat", preset="hello")
            assert (await ann.next_chat_line())["preset"] == "hello"


async def test_a_table_of_many_games_is_fetched_without_holding_up_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A fold gives way now and then; and so the end of it can be waited for, once for all."""
    async with failing(tmp_path) as (hub, _):
        code = await create_table(hub, "ann", "ben")
        for _ in range(300):
            for name in ("Anna", "Ann"):
                await hub.do(code, Rename(name), "ann")
        seq = hub.rooms.pop(code).table.seq
        pauses: list[float] = []
        wait = asyncio.sleep

        async def sleep(seconds: float) -> None:
            pauses.append(seconds)
            await wait(0)

        monkeypatch.setattr(asyncio, "sleep", sleep)
        fetching = [asyncio.ensure_future(hub.room(code)) for _ in range(5)]
        await asyncio.gather(*fetching)
        monkeypatch.undo()
        assert pauses == [0] * (seq // loading.FOLD_BATCH + 1)
        assert {id(task.result()) for task in fetching} == {id(hub.rooms[code])}


@contextlib.contextmanager
def locked(data: Path) -> Iterator[sqlite3.Connection]:
    """Another program holds the file."""
    with contextlib.closing(sqlite3.connect(data / STORE, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield other
        if other.in_transaction:
            other.execute("ROLLBACK")


async def test_a_locked_file_is_a_refusal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Over a real socket; who comes meanwhile is told to come again, or waits."""
    with (
        server_in_process(Config(tmp_path / "data")) as (url, _, app),
        people(url, "Ann", "Ben") as (a, b),
    ):
        assert app.site is not None
        code = open_table(a, "poof", players=2)
        async with connected(url, code, a) as ann, connected(url, code, b) as ben:
            await sit_down([ann, ben])
            await start(ann, ben)
            one, other = (ann, ben) if ann.turn else (ben, ann)
            assert one.turn is not None
            move, seq = one.turn["legal"].split()[0], other.seq
            with locked(tmp_path / "data"):
                refused, named, ready = await asyncio.gather(  # all wait as long as SQLite does
                    one.refusal_code("play", ply=one.ply, move=move),
                    asyncio.to_thread(b.put, "/api/me", json={"name": "Bea"}, timeout=30),
                    asyncio.to_thread(a.get, "/readyz", timeout=30),
                )
                assert refused == "http.not_stored"
                assert named.status_code == ready.status_code == 503
                await other.send({"ping": 1})
                assert (await other.receive())["type"] == "pong"
                assert other.seq == seq
            assert (await one.do("play", ply=one.ply, move=move))["type"] == "update"
            assert (await other.fact("played"))["move"] == move
            assert other.turn is not None


async def test_a_file_that_cannot_be_read_ends_a_connection_and_no_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with server_in_process(Config(tmp_path / "data")) as (url, _, app), people(url, "Ann") as (a,):
        code = open_table(a)
        assert app.site is not None
        store: Any = app.site.store
        real = store.events

        async def events(*asked: object) -> list[Row]:
            raise StoreFailed("disk I/O error")

        store.events = events
        app.site.hub.rooms.clear()
        from websockets.exceptions import ConnectionClosed

        with pytest.raises(ConnectionClosed) as ended:
            async with connected(url, code, a):
                pass
        assert ended.value.rcvd is not None
        assert ended.value.rcvd.code == 1012
        store.events = real
        async with connected(url, code, a) as again:
            assert again.table["me"]["seat"] == 0


def failing_statement(*values: object) -> Steps[None]:
    yield "INSERT INTO settings VALUES (?1, ?2, 0)", values


def broken() -> Steps[None]:
    yield "SELECT 1", ()
    raise ZeroDivisionError


FAULTS: list[Callable[[], Steps[None]]] = [
    broken,
    lambda: failing_statement("x", "\ud800"),
    lambda: failing_statement("x", 1 << 70),
    lambda: failing_statement(None, None),
]


@pytest.mark.parametrize("fault", range(len(FAULTS)))
async def test_an_error_does_not_end_the_writer_thread(tmp_path: Path, fault: int) -> None:
    store = sqlite_store(tmp_path / STORE)
    wrong = store._workers.write(FAULTS[fault])
    right = store.append(Append("t", (Row(1, 0, b"1"),)))
    answers = await asyncio.wait_for(asyncio.gather(wrong, right, return_exceptions=True), PATIENCE)
    assert isinstance(answers[0], Exception)
    assert answers[1] is None
    assert await store.events("t") == [Row(1, 0, b"1")]
    await store.close()


async def test_nothing_that_goes_wrong_with_a_commit_ends_the_writer_thread(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Before it, or after it: then everything is stored."""
    store = sqlite_store(tmp_path / STORE)
    rows = [Row(number, 0, b"1") for number in (1, 2)]

    def fail(*given: object) -> None:
        raise RuntimeError("odd")

    async with asyncio.timeout(PATIENCE):
        with monkeypatch.context() as broken:
            broken.setattr(StoreFile, "check", fail)
            with pytest.raises(StoreFailed, match="odd"):
                await store.append(Append("t", (rows[0],)))
        store.on_commit = fail
        for row in rows:
            await store.append(Append("t", (row,)))
    assert await store.events("t") == rows
    assert "a commit has failed" in caplog.text
    await store.close()
