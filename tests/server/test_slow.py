"""A client that does not read is dropped, costs little until then, delays nobody, and can
reconnect."""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import httpx
import pytest
import uvicorn

from rage.house import limits
from rage.house.limits.rate import Rate
from rage.house.operating import housekeeping
from rage.house.tables import conversation
from rage.house.tables.hub import Hub
from rage.house.tables.room import Room
from rage.server.config import Config
from rage.server.wire import websocket
from rage.server.wire.websocket import WebSocket
from server.inside import server_in_process
from server.raw_client import CLOSE, RawClient, frame
from server.running import PATIENCE, STANDSTILL, busy, open_table, people, wait_until
from server.table_client import connected, cookie, start

#: What a client that does not read may cost, in bytes, and in how many seconds it is dropped once
#: anything waits for it.
MAX_COST = 256 * 1024
SOON = 10.0
#: Asks for the whole table, which is the longest message there is.
ALL = frame(b'{"since":9007199254740991}')


@pytest.fixture
def worst(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The most that was unsent for any client after a write, in bytes."""
    found = [0]
    write = WebSocket.write

    def watched(line: WebSocket, made: bytes) -> None:
        write(line, made)
        found[0] = max(found[0], line.unsent)

    monkeypatch.setattr(WebSocket, "write", watched)
    return found


class Place(NamedTuple):
    """A table in this process, with a hub around it, of which Ann is the host, and Eve, who watches
    it."""

    url: str
    server: uvicorn.Server
    hub: Hub
    code: str
    ann: httpx.Client
    eve: httpx.Client

    @property
    def room(self) -> Room:
        return self.hub.rooms[self.code]

    @property
    def line(self) -> Any:
        """Eve's connection, if she has one."""
        person = self.eve.get("/api/me").json()["person"]
        client = self.room.clients.get(person)
        return None if client is None else client.connection

    def without_reading(self) -> RawClient:
        """A connection of Eve's that reads the handshake and then nothing, with the smallest
        buffers there are."""
        return RawClient(self.url, self.code, cookie(self.eve), buffer=4096)


@pytest.fixture
def place_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """Starts a server with little room for what is not read; ``start``: whether they play already;
    ``bots``: how long a bot takes; ``options`` of uvicorn."""
    monkeypatch.setattr(websocket, "SEND_BUFFER", 2048)

    @contextlib.asynccontextmanager
    async def begun(
        *, start: bool = False, bots: float = 1.0, **options: object
    ) -> AsyncIterator[Place]:
        with (
            server_in_process(Config(tmp_path / "data", bot_delay=bots), **options) as inside,
            people(inside[0], "Ann", "Eve") as (ann, eve),
        ):
            url, server, app = inside
            assert app.site is not None
            code = open_table(ann, players=6, bots=["random"] * 5, start=start)
            async with connected(url, code, eve) as watching:
                await watching.do("watch", name="Eve")
            yield Place(url, server, app.site.hub, code, ann, eve)

    return begun


def test_the_settings_keep_the_promises() -> None:
    # That something was taken is seen by one look, and that nothing more was, by a later one.
    assert housekeeping.SWEEP_INTERVAL + limits.MAX_STALL + housekeeping.SWEEP_INTERVAL < SOON
    # The system takes twice what it is told to.
    assert 2 * websocket.SEND_BUFFER + limits.MAX_UNSENT <= MAX_COST


async def test_a_client_that_asks_and_never_reads_is_dropped_at_once(
    place_of: Any, monkeypatch: pytest.MonkeyPatch, worst: list[int]
) -> None:
    """Much is asked for at once, and nobody listens: dropped then and there."""
    monkeypatch.setattr(limits, "MAX_UNSENT", 16 * 1024)
    monkeypatch.setattr(housekeeping, "SWEEP_INTERVAL", 1000)
    async with place_of(start=True) as place:
        async with connected(place.url, place.code, place.eve) as watching:
            size = max(len(json.dumps(message)) for message in watching.messages)
        with place.without_reading() as non_reader:
            non_reader.send(ALL * 20)
            await wait_until(lambda: worst[0] > limits.MAX_UNSENT)
            await wait_until(lambda: not place.room.clients)
        assert worst[0] <= limits.MAX_UNSENT + 2 * size


async def test_others_are_not_held_up(
    place_of: Any, monkeypatch: pytest.MonkeyPatch, worst: list[int]
) -> None:
    """While the other one who is at the table reads nothing, and when they are dropped."""
    monkeypatch.setattr(limits, "MAX_STALL", 1.0)
    monkeypatch.setattr(housekeeping, "SWEEP_INTERVAL", 0.2)
    async with place_of(bots=0.0) as place:
        rng = Random(1)
        with place.without_reading():
            line, waits, stuck = place.line, list[float](), None
            async with connected(place.url, place.code, place.ann) as guest:
                await start(guest)
                while len(place.room.clients) > 1:
                    while guest.turn is None:
                        await guest.receive()
                    asked = time.monotonic()
                    await guest.play(rng)
                    waits.append(time.monotonic() - asked)
                    await asyncio.sleep(0.03)
                    if stuck is None and line.unsent:
                        stuck = time.monotonic()
                    assert stuck is None or time.monotonic() < stuck + PATIENCE, "not dropped"
        assert stuck is not None
        assert 0 < worst[0] < limits.MAX_UNSENT
        assert sorted(waits)[len(waits) // 2] < 0.25 * busy()
        assert place.hub.services.counts.dropped == 1
        async with connected(place.url, place.code, place.eve) as again:
            assert again.table["me"]["name"] == "Eve"


async def test_a_client_that_answers_no_ping_is_dropped(place_of: Any) -> None:
    """Nothing waits for them here, and no ping comes back."""
    async with place_of(ws_ping_interval=0.3) as place:
        with place.without_reading():
            await wait_until(lambda: place.room.clients)
            await wait_until(lambda: not place.room.clients)
            for each in (place.ann, place.eve):
                each.close()
            await wait_until(lambda: not place.server.server_state.connections)


async def test_a_client_that_reads_slowly_may_stay_until_it_stops(
    place_of: Any, monkeypatch: pytest.MonkeyPatch, worst: list[int]
) -> None:
    """Something waits for them all the time, of which a little is taken, so neither that nor a pong
    behind it is missed."""
    patience = 0.5 + STANDSTILL
    monkeypatch.setattr(conversation, "REPLAYS", Rate(100, 0.01))
    monkeypatch.setattr(limits, "MAX_STALL", patience)
    monkeypatch.setattr(housekeeping, "SWEEP_INTERVAL", 0.1)
    async with place_of(start=True, ws_ping_interval=patience) as place:
        with place.without_reading() as non_reader:
            non_reader.send(ALL * 40)
            await wait_until(lambda: place.room.clients)
            began, behind, line = time.monotonic(), 0.0, place.line
            while time.monotonic() < began + 2.3 * patience:
                non_reader.send(ALL)
                await asyncio.to_thread(non_reader.read, 4096)
                await asyncio.sleep(0.25)
                if line.unsent:
                    behind = time.monotonic() - began
                assert place.room.clients
            assert behind > 2 * patience
            await wait_until(lambda: not place.room.clients)
        assert worst[0] < limits.MAX_UNSENT


@pytest.mark.parametrize("end", ["elsewhere", "removed", "unreadable", "goodbye"])
async def test_a_client_that_does_not_read_its_goodbye_is_closed(
    place_of: Any, monkeypatch: pytest.MonkeyPatch, end: str
) -> None:
    """The goodbye cannot be said, for what waits before it; the connection ends all the same."""
    monkeypatch.setattr(websocket, "LINGER", 0.3)
    async with (
        place_of() as place,
        connected(place.url, place.code, place.ann) as guest,
    ):
        with place.without_reading() as non_reader:
            non_reader.send(ALL * 15)
            line = place.line
            await wait_until(lambda: line.unsent)
            assert line in place.server.server_state.connections
            if end == "elsewhere":
                async with connected(place.url, place.code, place.eve):
                    pass
            elif end == "removed":
                (watching,) = guest.table["spectators"]
                await guest.do("remove", person=watching["person"])
            elif end == "unreadable":
                non_reader.send(frame(b"nonsense"))
            else:
                non_reader.send(frame(b"\x03\xe8", CLOSE))
            await wait_until(lambda: line not in place.server.server_state.connections)
