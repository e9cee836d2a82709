"""Between clients and server is a proxy that drops messages, doubles them, swaps them and cuts
lines. Every move is made exactly once all the same, everything is answered, and all converge."""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from random import Random
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed
from websockets.typing import Origin

from server.conftest import Launch
from server.reconnecting import (
    Decision,
    ReconnectingClient,
    check_against,
    gather_tables,
    stored_decisions,
)
from server.running import Running

Pass = Callable[[str], Awaitable[None]]


class Fate:
    """What becomes of messages, by chance; what became of them so far."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.counts = {"drop": 0, "double": 0, "swap": 0, "cut": 0}

    def draw(self) -> str:
        """The fate of one message."""
        kind = self.rng.choices(
            ("pass", "drop", "double", "swap", "cut"), (0.88, 0.03, 0.04, 0.04, 0.01)
        )[0]
        if kind in self.counts:
            self.counts[kind] += 1
        return kind


async def pump(source: Any, sink: Pass, fate: Fate) -> None:
    """Pass messages on, after their fate, until one side ends or the line is cut."""
    kept: str | None = None
    while True:
        try:
            text = str(await asyncio.wait_for(source.recv(), 0.02 if kept else None))
        except TimeoutError:
            assert kept is not None
            await sink(kept)
            kept = None
            continue
        kind = fate.draw()
        if kind == "cut":
            return
        if kind == "swap" and kept is None:
            kept = text
            continue
        if kind != "drop":
            await sink(text)
        if kind == "double":
            await sink(text)
        if kept is not None:
            await sink(kept)
            kept = None


@contextlib.asynccontextmanager
async def lossy(server: Running, fate: Fate) -> AsyncIterator[str]:
    """The address of one who stands between."""

    async def between(client: ServerConnection) -> None:
        assert client.request is not None
        address = server.url.replace("http", "ws", 1) + client.request.path
        headers = {"Cookie": client.request.headers["Cookie"]}
        async with connect(
            address, additional_headers=headers, origin=Origin(server.url), compression=None,
            close_timeout=0.2, ping_interval=None,
        ) as upstream:  # fmt: skip
            pumps = [
                asyncio.create_task(pump(client, upstream.send, fate)),
                asyncio.create_task(pump(upstream, client.send, fate)),
            ]
            _, going = await asyncio.wait(pumps, return_when=asyncio.FIRST_COMPLETED)
            for task in going:
                task.cancel()
            for task in pumps:
                with contextlib.suppress(asyncio.CancelledError, ConnectionClosed):
                    await task

    async with serve(
        between, "127.0.0.1", 0, compression=None, close_timeout=0.2, ping_interval=None
    ) as proxy:
        yield f"http://127.0.0.1:{proxy.sockets[0].getsockname()[1]}"


class Careful(ReconnectingClient):
    """One who also notices what a reliable line would not do to them."""

    poll = 0.05

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.sent: dict[int, set[str]] = {}
        self.gaps = 0
        self._sent_at = self._asked_at = 0.0

    def note(self, message: dict[str, Any]) -> None:
        """Take in what was told, if it is not old."""
        if message["type"] == "table" and message["seq"] < self.seq:
            return
        asked = self.asked
        super().note(message)
        if asked is not None and self.asked is None and self.ply <= asked[1]:
            self.turn = None  # it is done, and what it has led to is not known yet

    def _join(self, message: dict[str, Any]) -> None:
        first = message["seq"] - len(message["events"]) + 1
        if first == self.seq + 1:
            super()._join(message)
        elif message["seq"] > self.seq:
            self.gaps += 1
            self.turn = None

    async def _act(self, socket: ClientConnection) -> None:
        if self.asked is None:
            await super()._act(socket)

    async def _send_move(self, socket: ClientConnection) -> None:
        assert self.asked is not None
        self.sent.setdefault(self.asked[1], set()).add(self.asked[2])
        self._sent_at = time.monotonic()
        await super()._send_move(socket)

    async def _idle(self, socket: ClientConnection) -> None:
        now = time.monotonic()
        if self.asked is not None and now - self._sent_at > 0.25:
            self.again += 1
            await self._send_move(socket)
        if now - max(self.told_at, self._asked_at) > 0.3:  # something may have been lost
            self._asked_at = now
            await socket.send(json.dumps({"since": max(self.seq, 0)}))
        await self._ask_house(socket)


async def play_through(url: str, tables: list[list[Careful]], games: int, seconds: float) -> None:
    """All tables play until everybody has seen the end of that many games."""
    everybody = [each for clients in tables for each in clients]
    for each in everybody:
        each.url = url
    playing = [asyncio.create_task(each.run()) for each in everybody]
    async with asyncio.timeout(seconds):
        while not all(ends(each) >= games for each in everybody):
            done = [task for task in playing if task.done()]
            assert not done, [task.exception() for task in done]
            await asyncio.sleep(0.05)
    for each in everybody:
        each.stop()
    await asyncio.gather(*playing)


def ends(client: ReconnectingClient) -> int:
    return sum(fact["type"] == "game_over" for fact in client.log.values())


def survive(launch: Launch, *, tables: int, seed: int, seconds: float, **fields: Any) -> None:
    server, rng = launch(), Random(seed)
    made = gather_tables(server, tables, 3, rng, kind=Careful, bots=["random"], **fields)
    gathered = [[each for each in clients if isinstance(each, Careful)] for clients in made]
    fate = Fate(rng)

    async def run() -> None:
        async with lossy(server, fate) as url:
            await play_through(url, gathered, 1, seconds)

    asyncio.run(run())
    assert server.end() == 0
    logs = stored_decisions(server.data)
    again = sum(each.again for clients in gathered for each in clients)
    gaps = sum(each.gaps for clients in gathered for each in clients)
    moves = sum(check_against(logs[clients[0].code], clients) for clients in gathered)
    print(f"{moves} moves, {again} sent again, {gaps} gaps, {fate.counts}")
    assert min(fate.counts.values()) > 0
    assert again
    assert gaps
    for clients in gathered:
        check_once(logs[clients[0].code], clients)


def check_once(kept: list[Decision], clients: list[Careful]) -> None:
    """Every decision of a person that is stored was sent by one of them, as it is, and no other
    for the same decision; what nobody sent was for a bot to decide."""
    people, bots = set[int](), set[int]()
    for ply, (seat, move) in enumerate(kept):
        senders = [each for each in clients if ply in each.sent]
        (people if senders else bots).add(seat)
        assert len(senders) <= 1
        assert all(each.sent[ply] == {move} for each in senders)
    assert people
    assert not people & bots


def test_every_move_is_made_once(launch: Launch) -> None:
    survive(launch, tables=3, seed=5, seconds=60, rules="poof+schedule:4.3")


@pytest.mark.long
@pytest.mark.parametrize("seed", range(5))
def test_every_move_of_many_games_is_made_once(launch: Launch, seed: int) -> None:
    survive(launch, tables=12, seed=seed, seconds=300)
