"""PostgreSQL dies, fails over or is restored while several servers write everything they can: what
was acknowledged is there, and every table can be opened."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from functools import partial
from random import Random
from typing import Any

import pytest

from house.recording import RecordingClient, connect, create_table, hub_with
from house.test_set_back import Copy
from rage.house.base.errors import ServerFull
from rage.house.store import StoreFailed
from rage.house.store.transactions import Steps
from rage.house.tables.hub import Hub
from rage.house.tables.loading import load
from rage.say import NotAllowed
from rage.server.postgres.store import PostgresStore, postgres_store
from rage.table import Chat, Rematch, Start
from server.postgres import SETTINGS, cluster, standby
from server.running import wait_until
from tools.postgres import Cluster

#: How many servers write, and how many tables each of them has.
SERVERS, TABLES = 3, 3
SCHEMA = "failing"


class Writers:
    """Servers that write at once, and what they were told is stored: by the name of a setting, and
    by person, their name, recovery code and passkey."""

    def __init__(self, url: str, rng: Random) -> None:
        self.url, self.rng = url, rng
        self.told: dict[str, bytes] = {}
        self.seen: dict[str, int] = {}  # by table, the last event that was shown
        self.lost = 0
        self._hubs: list[Hub] = []
        self._stopping = False
        self._number = itertools.count(rng.getrandbits(40))  # others have used the same database

    @asynccontextmanager
    async def writing(self) -> AsyncIterator[None]:
        """A context in which they write."""
        self._stopping = False
        for _ in range(SERVERS):
            store = await postgres_store(self.url)
            await store.sessions()
            self._hubs.append(hub_with(store))
        tasks = [asyncio.ensure_future(work(hub)) for hub in self._hubs for work in self._works()]
        try:
            yield
        finally:
            self._stopping = True
            await asyncio.gather(*tasks)
            for hub in self._hubs:
                await hub.close()
            self._hubs.clear()

    def _works(self) -> list[Callable[[Hub], Coroutine[Any, Any, None]]]:
        return [self._put, self._name, *[self._play] * TABLES]

    async def _put(self, hub: Hub) -> None:
        while not self._stopping:
            name, value = f"put {next(self._number)}", self.rng.randbytes(8)
            with suppress(StoreFailed):
                await hub.services.store.put(name, value)
                self.told[name] = value
            await asyncio.sleep(0)

    async def _name(self, hub: Hub) -> None:
        """A name, a code and the end of sessions, one after the other."""
        store = hub.services.store
        while not self._stopping:
            person = f"person {next(self._number)}"
            with suppress(StoreFailed):
                await store.keep_profile(person, "Ann")
                self.told[f"name {person}"] = b"Ann"
                await store.keep_code(person, person.encode())
                self.told[f"code {person}"] = b""
                assert await store.spend(person.encode())
                self.told[f"spent {person}"] = b""
            await asyncio.sleep(0)

    async def _play(self, hub: Hub) -> None:
        """A table where two people play and talk, and which is opened again when it is lost."""
        while not self._stopping:
            with suppress(StoreFailed, NotAllowed, ServerFull):
                code = await create_table(hub, "ann", "ben")
                people = [await connect(hub, code, name) for name in ("ann", "ben")]
                await self._play_on(hub, code, people)
            await asyncio.sleep(0.01)

    async def _play_on(self, hub: Hub, code: str, people: list[RecordingClient]) -> None:
        while not self._stopping and not any(each.close_codes for each in people):
            room = hub.rooms.get(code)
            if room is None:
                return
            with suppress(StoreFailed, NotAllowed):
                match room.table.phase:
                    case "gathering":
                        await room.do(Start(), "ann")
                    case "over":
                        await room.do(Rematch(), "ann")
                    case _:
                        mover = next((each for each in people if each.turn is not None), None)
                        if mover is not None:
                            await room.do(mover.choice(self.rng), mover.person)
                        if self.rng.random() < 0.05:
                            await room.do(Chat("hello"), "ann")
            self.seen[code] = max(self.seen.get(code, 0), *(each.seq for each in people))
            await asyncio.sleep(0.002)

    async def all_write(self) -> None:
        """Until everybody has written something again."""
        before, seen = len(self.told), dict(self.seen)
        await wait_until(lambda: len(self.told) > before + 20)
        await wait_until(lambda: self.seen != seen)

    async def check(self, *, all_kept: bool) -> None:
        """Check that every table can be opened, and how much of what was told is lost."""
        store = await postgres_store(self.url)
        assert await store.problems() == []
        for code, seq in self.seen.items():
            table = (await load(store, code)).table
            assert not table.state.gap
            self.lost += max(0, seq - table.seq)
        for (code,) in await store._read("SELECT DISTINCT table_id FROM events"):
            assert not (await load(store, code)).table.state.gap
        for name, value in self.told.items():
            kept = await store._write(partial(_kept, name, value))
            self.lost += not kept
        await store.close()
        if all_kept:
            assert self.lost == 0


def _kept(name: str, value: bytes) -> Steps[bool]:
    kind, _, person = name.partition(" ")
    values: tuple[object, ...]
    match kind:
        case "put":
            query, values = "SELECT 1 FROM settings WHERE name = $1 AND value = $2", (name, value)
        case "name":
            query, values = "SELECT 1 FROM names WHERE person = $1", (person,)
        case "code":
            query, values = "SELECT 1 FROM codes WHERE person = $1", (person,)
        case _:
            query, values = "SELECT 1 FROM spent WHERE token = $1", (person.encode(),)
    return bool((yield query, values))


@pytest.mark.parametrize(
    "crashes", [3, pytest.param(50, marks=[pytest.mark.long, pytest.mark.timeout(3600)])]
)
async def test_nothing_that_was_told_is_lost_when_postgresql_crashes(crashes: int) -> None:
    rng = Random(crashes)
    writers = Writers(await cluster().url(f"crashes_{crashes}"), rng)
    async with writers.writing():
        for _ in range(crashes):
            await writers.all_write()
            await asyncio.sleep(rng.uniform(0, 0.3))
            await asyncio.to_thread(cluster().stop)
            await asyncio.to_thread(cluster().start)
        await writers.all_write()
    await writers.check(all_kept=True)
    print(f"{crashes} crashes: {len(writers.told)} told, {sum(writers.seen.values())} events shown")


@pytest.mark.parametrize("synchronous", [True, False])
@pytest.mark.parametrize(
    "times", [1, pytest.param(10, marks=[pytest.mark.long, pytest.mark.timeout(3600)])]
)
async def test_a_fail_over_loses_no_more_than_its_lag(synchronous: bool, times: int) -> None:
    """Nothing at all if commits wait for the replica; and no table is unreadable afterwards."""
    rng, lost = Random(times), []
    for _ in range(times):
        first = Cluster(str(cluster().bin / "postgres"), *SETTINGS)
        second = await standby(first, SCHEMA)
        if synchronous:
            await first.set("synchronous_standby_names", "*")
        hosts = f"host={first.folder},{second.folder}&port=5432,5432"
        url = f"postgresql://rage@/postgres?{hosts}&search_path={SCHEMA}"
        writers = Writers(url, rng)
        try:
            async with writers.writing():
                await writers.all_write()
                await second.set("primary_conninfo", "")  # from now on it lags behind
                await asyncio.sleep(rng.uniform(0.2, 1))
                await asyncio.to_thread(first.stop)
                await asyncio.to_thread(second.promote)
                if synchronous:
                    await second.set("synchronous_standby_names", "")
                await writers.all_write()
            await writers.check(all_kept=synchronous)
        finally:
            first.end()
            second.end()
        lost.append(writers.lost)
    print(f"{times} promotions, {synchronous=}: lost {lost}")


@pytest.mark.parametrize(
    "times", [1, pytest.param(10, marks=[pytest.mark.long, pytest.mark.timeout(3600)])]
)
async def test_a_restore_under_servers_leaves_no_table_unreadable(times: int) -> None:
    rng, lost = Random(times), []
    url = await cluster().url(f"restores_{times}")
    for _ in range(times):
        writers, copy = Writers(url, rng), Copy(url)
        async with writers.writing():
            await writers.all_write()
            await copy.keep()
            await asyncio.sleep(rng.uniform(1.2, 2))
            store = writers._hubs[0].services.store
            assert isinstance(store, PostgresStore)
            await copy.restore(store)
            await writers.all_write()
        await writers.check(all_kept=False)
        lost.append(writers.lost)
    print(f"{times} restores: lost {lost}")
