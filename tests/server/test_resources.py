"""Many tables and many broken connections: afterwards everything is where it was; and the end of
the server, with many connected."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import os
import signal
import time
from pathlib import Path
from random import Random

import pytest

from rage.house.operating import housekeeping
from rage.house.tables import hub, room
from rage.house.tables.client import Client
from rage.house.tables.conversation import Conversation
from rage.server.app import App
from rage.server.config import Config
from rage.server.wire.websocket import WebSocket
from rage.table import Create
from server.conftest import Launch
from server.inside import server_in_process
from server.raw_client import RawClient, frame
from server.running import (
    PATIENCE,
    STANDSTILL,
    Running,
    busy,
    memory,
    open_table,
    people,
    wait_until,
)
from server.table_client import TableClient, connected, cookie

pytestmark = pytest.mark.skipif(
    not Path("/proc/self/fd").exists(), reason="what a process has is read from /proc"
)


def files(folder: Path) -> int:
    """How many files and sockets this process has open, except those of the store."""
    found = 0
    for each in Path("/proc/self/fd").iterdir():
        with contextlib.suppress(OSError):  # that of the listing itself is gone
            found += not os.readlink(each).startswith(str(folder))
    return found


#: The tasks of a server that nobody is connected to: some never end, others come again and again.
OF_THE_SERVER = ("Housekeeping.", "Operator.", "_check")


class HubState:
    """What lives in a server of this process."""

    def __init__(self, app: App) -> None:
        assert app.site is not None
        self.hub = app.site.hub

    @property
    def rooms(self) -> int:
        return len(self.hub.rooms)

    @property
    def tasks(self) -> int:
        """The tasks of tables and connections."""
        names = [getattr(each.get_coro(), "__qualname__", "") for each in self.hub.services._tasks]
        return len([name for name in names if not name.startswith(OF_THE_SERVER)])


async def drop_connection(url: str, code: str, who: str, rng: Random) -> None:
    """A connection that ends somehow."""
    way = rng.randrange(5)
    with contextlib.suppress(OSError, EOFError), RawClient(url, code, who, wait=way != 0) as one:
        if way == 0:
            one.send(one.request[: rng.randrange(len(one.request))])
        elif way == 1:
            one.send(frame(b'{"do":{"type":"chat","preset":"hello"},"id":1}') * 3)
        elif way == 2:
            one.send(frame(b'{"ping":1}')[: rng.randrange(6)])
        elif way == 3:
            one.send(frame(b"", 8))
        else:
            one.send(rng.randbytes(40))


@pytest.fixture
def short_timeouts(monkeypatch: pytest.MonkeyPatch) -> None:
    """What happens after a minute, at once."""
    monkeypatch.setattr(housekeeping, "SWEEP_INTERVAL", 0.1)
    monkeypatch.setattr(housekeeping, "IDLE_AFTER", 300)
    monkeypatch.setattr(hub, "RETURN_GRACE", 0.2)
    monkeypatch.setattr(room, "ABSENCE_GRACE", 0.1)


async def load_and_measure(
    folder: Path, rounds: int, tables: int, broken: int
) -> list[tuple[int, int]]:
    """Play at ``tables`` tables and break ``broken`` connections, ``rounds`` times. Returns, after
    each time, when all is quiet, the open files and the memory of this process."""
    rng, found = Random(1), list[tuple[int, int]]()
    with server_in_process(Config(folder, bot_delay=0)) as (url, server, app):
        inside, state = HubState(app), server.server_state
        for _ in range(rounds):
            with people(url, "Ann") as (ann,):
                codes = [
                    open_table(ann, "poof", players=3, bots=["random"] * 2, start=True)
                    for _ in range(8)
                ]
                who = cookie(ann)
            for number in range(tables):
                create = Create("poof", 3, "Ben")
                asked = inside.hub.create(create, f"ben{number}")
                loop = inside.hub.services.store._workers._loop  # type: ignore[attr-defined]
                asyncio.run_coroutine_threadsafe(asked, loop).result(10)
            for number in range(broken):
                await drop_connection(url, codes[number % 8], who if number % 4 else "", rng)
            await wait_until(lambda: not inside.rooms and not inside.tasks)
            await wait_until(lambda: not state.connections and not state.tasks)
            gc.collect()
            if found:  # a socket is closed some time after its connection is forgotten
                await wait_until(lambda: files(folder) <= found[-1][0] + 2)
            found.append((files(folder), memory("self")))
    return found


@pytest.mark.timeout(3000)
@pytest.mark.parametrize(
    ("rounds", "tables", "broken"),
    [(2, 50, 80), pytest.param(10, 2000, 2000, marks=pytest.mark.long)],
)
async def test_idle_tables_and_broken_connections_leave_nothing(
    tmp_path: Path, short_timeouts: None, rounds: int, tables: int, broken: int
) -> None:
    found = await load_and_measure(tmp_path / "data", rounds, tables, broken)
    print([(count, size // 2**20) for count, size in found])
    # What is made once, and what a process gives back to itself and not to the system at once, is
    # there after the first rounds.
    assert found[-1][0] <= found[min(1, rounds - 2)][0] + 2
    assert rounds < 4 or found[-1][1] - found[2][1] < 16 * 2**20


async def test_connections_that_end_are_freed_without_a_garbage_collection(tmp_path: Path) -> None:
    """Nothing that belongs to one holds itself: otherwise everybody would have to wait, again and
    again, while all objects of the server are searched for garbage."""
    parts = (WebSocket, Conversation, Client)
    with (
        server_in_process(Config(tmp_path / "data", bot_delay=0)) as (url, _, _),
        people(url, "Ann") as (ann,),
    ):
        code, rng = open_table(ann, "poof", players=3, bots=["random"] * 2, start=True), Random(3)
        gc.collect()
        gc.disable()
        try:
            async with connected(url, code, ann) as older, connected(url, code, ann) as guest:
                assert await older.close_code() == 4001
                while guest.turn is None:  # a bot may bid first
                    await guest.receive()
                await guest.play(rng)
            for _ in range(30):
                await drop_connection(url, code, cookie(ann), rng)
            await wait_until(lambda: not any(type(each) in parts for each in gc.get_objects()))
        finally:
            gc.enable()


async def test_a_dropped_table_is_loaded_again(tmp_path: Path, short_timeouts: None) -> None:
    with (
        server_in_process(Config(tmp_path / "data", bot_delay=0)) as (url, _, app),
        people(url, "Ann") as (ann,),
    ):
        inside, rng = HubState(app), Random(2)
        code = open_table(ann, "poof", players=3, bots=["random"] * 2, start=True)
        seq = None
        for _ in range(2):
            async with connected(url, code, ann, since=seq) as guest:
                for _ in range(2):
                    while guest.turn is None:
                        await guest.receive()
                    await guest.play(rng)
                seq = guest.seq
                await asyncio.sleep(0.5)
                assert inside.rooms == 1  # not while somebody is there
            await wait_until(lambda: not inside.rooms)


@pytest.mark.parametrize(
    ("sockets", "tables"), [(80, 10), pytest.param(800, 200, marks=pytest.mark.long)]
)
async def test_it_ends_within_five_seconds_with_many_connected(
    launch: Launch, sockets: int, tables: int
) -> None:
    """And everybody has been told to come again; those who do not read hold up nobody."""
    server: Running = launch()
    codes, guests = list[str](), list[TableClient]()
    async with contextlib.AsyncExitStack() as stack:
        for number in range(tables):
            if number % 10 == 0:  # nobody opens as many
                ann = server.someone("Ann")
            codes.append(open_table(ann))
        for who in [cookie(server.someone()) for _ in range(sockets // tables)]:
            for code in codes:
                at = connected(server.url, code, who, ping_interval=None)
                guests.append(await stack.enter_async_context(at))
        for _ in range(3):
            who = cookie(server.someone())
            stack.enter_context(RawClient(server.url, codes[0], who))  # and it reads nothing
        begun = time.monotonic()
        server.process.send_signal(signal.SIGTERM)
        ended = [await each.close_code(PATIENCE) for each in guests]
        assert await asyncio.to_thread(server.process.wait, PATIENCE) == 0
        took = time.monotonic() - begun
    print(f"{sockets} sockets: ended in {took:.2f} s")
    assert set(ended) == {1012}
    assert took < 5 * busy(server) + STANDSTILL
