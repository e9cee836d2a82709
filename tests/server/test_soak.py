"""Many tables leave nothing in memory: they are opened, played and abandoned, lists
are asked for, connections come and go, and when everybody has gone the server is as large as it
was before."""

from __future__ import annotations

import asyncio
import contextlib
import os
import time
from collections.abc import AsyncIterator
from random import Random

import httpx
import pytest
from websockets.exceptions import WebSocketException

from rage.place import housekeeping
from server.conftest import Launch
from server.raw_client import RawClient, frame
from server.running import OURS, Running, memory
from server.table_client import TableClient, connected

#: How many minutes it takes, unless ``RAGE_SOAK_MINUTES`` says so.
MINUTES = 18.0
#: What part of them comes before the first look, so that all that is kept anyway is there.
WARM_UP = 1 / 6
#: How much memory may be left over, in bytes.
MAX_LEFT = 5 * 2**20
#: How many tables one person opens, and how many do so at a time.
EACH = 4
HOSTS = 12
#: How many seconds a player thinks, and how long nothing is said where nothing is to be said.
THOUGHT = 0.01
MOMENT = 0.2
#: How many seconds who asks for lists, or comes and goes, waits in between.
PAUSE = 0.1
RULES = ("poof", "amigo+sweep", "fundex+schedule:2.1", "poof+schedule:1")
LISTS = ("/api/tables", "/api/games", "/api/me", "/api/rules", "/api/rules/amigo", "/")


class Traffic:
    """All that happens on a server in the course of a long run."""

    def __init__(self, server: Running, seed: int) -> None:
        self.server = server
        self.rng = Random(seed)
        self.codes: list[str] = []
        self.opened = self.moves = self.lists = self.sockets = 0
        self._until = 0.0

    async def run(self, seconds: float) -> None:
        """Let it go on for so long, until nobody is left."""
        self._until = time.monotonic() + seconds
        kinds = [self._host] * HOSTS + [self._look_around] * 2 + [self._come_and_go] * 2
        async with asyncio.TaskGroup() as group:
            for kind in kinds:
                group.create_task(kind())

    @property
    def _on(self) -> bool:
        return time.monotonic() < self._until

    @contextlib.asynccontextmanager
    async def _client(self, name: str = "Ann") -> AsyncIterator[httpx.AsyncClient]:
        # Not so long that a request goes out on a connection that the server is just closing.
        limits = httpx.Limits(keepalive_expiry=2)
        async with httpx.AsyncClient(
            base_url=self.server.url, headers=OURS, timeout=30, limits=limits
        ) as client:
            await client.get("/api/me")
            await client.put("/api/me", json={"name": name})
            yield client

    async def _host(self) -> None:
        """Open tables one after another, and play a while at some of them."""
        while self._on:
            async with self._client() as ann, self._client("Ben") as ben:
                for _ in range(EACH):
                    await self._table(ann, ben)

    async def _table(self, ann: httpx.AsyncClient, ben: httpx.AsyncClient) -> None:
        """One table, with bots, with a friend, or where nobody ever comes."""
        rules = self.rng.choice(RULES)
        bots: list[str | None] = self.rng.choice([["random", "steady"], [], [None]])
        alone = bool(bots and bots[0])
        asked = {"rules": rules, "players": 3, "bots": bots, "start": alone}
        options = {"access": self.rng.choice(["open", "link"])}
        answer = await ann.post("/api/tables", json={**asked, "options": options})
        assert answer.status_code == 201, answer.text
        code: str = answer.json()["table"]
        self.opened += 1
        self.codes = [*self.codes[-100:], code]
        if self.rng.random() < 0.2:
            return
        async with connected(self.server.url, code, _cookie(ann)) as host:
            if alone:
                await self._play([host], self.rng.randrange(40))
                return
            async with connected(self.server.url, code, _cookie(ben)) as friend:
                await friend.do("join", name="Ben")
                await host.do("start", bot="random")
                await self._play([host, friend], self.rng.randrange(80))
                if self.rng.random() < 0.3:
                    await friend.do("leave")

    async def _play(self, guests: list[TableClient], moves: int) -> None:
        """So many moves at most, after which it is abandoned, as is a game that is over."""
        for _ in range(moves):
            one = next((each for each in guests if each.turn is not None), None)
            if one is None:
                if not [each for each in guests if await _heard(each)]:
                    return  # a bot thinks, or the game is over
                continue
            await asyncio.sleep(THOUGHT)
            ply = one.ply
            await one.play(self.rng)
            self.moves += 1
            for each in guests:
                with contextlib.suppress(TimeoutError):
                    while each.ply <= ply:
                        await each.receive(1)

    async def _look_around(self) -> None:
        """Ask for lists."""
        async with self._client("Eve") as eve:
            while self._on:
                answer = await eve.get(self.rng.choice(LISTS))
                assert answer.status_code == 200, answer.text
                self.lists += 1
                await asyncio.sleep(PAUSE)

    async def _come_and_go(self) -> None:
        """Connect to tables of others, and break off in one way or another."""
        while self._on:
            async with self._client("Eve") as eve:
                for _ in range(20):
                    if self.codes:
                        await asyncio.to_thread(self._break_off, _cookie(eve))
                    await asyncio.sleep(PAUSE)

    def _break_off(self, who: str) -> None:
        with (
            contextlib.suppress(OSError, EOFError, WebSocketException),
            RawClient(self.server.url, self.rng.choice(self.codes), who) as one,
        ):
            self.sockets += 1
            ways = (b"", b"{", b'{"since":0}', b'{"id":1,"do":{"type":"watch","name":"Eve"}}')
            one.send(frame(self.rng.choice(ways))[: self.rng.choice((3, 1000))])


async def _heard(guest: TableClient) -> bool:
    """Whether a player is told anything in a moment."""
    try:
        await guest.receive(MOMENT)
    except TimeoutError:
        return False
    return True


def _cookie(client: httpx.AsyncClient) -> str:
    return "; ".join(f"{name}={value}" for name, value in client.cookies.items())


async def quiet(server: Running) -> int:
    """Wait until all tables have been let go; the memory then."""
    await asyncio.sleep(housekeeping.IDLE_AFTER / 1000 + 15)
    return memory(server.process.pid)


@pytest.mark.long
@pytest.mark.timeout(7200)
@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="memory is read from /proc")
async def test_long_use_leaves_no_memory_behind(launch: Launch) -> None:
    """18 minutes, or as many as ``RAGE_SOAK_MINUTES`` says; three more are for being quiet."""
    server, seconds = launch(), 60 * float(os.environ.get("RAGE_SOAK_MINUTES", MINUTES))
    traffic = Traffic(server, 1)
    await traffic.run(seconds * WARM_UP)
    before = await quiet(server)
    await traffic.run(seconds * (1 - WARM_UP))
    busy = memory(server.process.pid)
    after = await quiet(server)
    sizes = ", ".join(f"{each / 2**20:.1f}" for each in (before, busy, after))
    print(f"{traffic.opened} tables, {traffic.moves} moves, {traffic.lists} lists,"
          f" {traffic.sockets} broken connections in {seconds / 60:.1f} minutes;"
          f" {sizes} MB before, at the end, and after it")  # fmt: skip
    assert traffic.opened > seconds / 2
    assert after - before < MAX_LEFT
    assert server.end() == 0
