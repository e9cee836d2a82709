"""A client that does not read is dropped, costs little until then, delays nobody, and can
reconnect."""

from __future__ import annotations

import asyncio
import json
import time
from pathlib import Path
from random import Random
from typing import Any

import pytest

from rage.house import limits
from rage.house.limits.rate import Rate
from rage.house.operating import housekeeping
from rage.house.tables import conversation
from rage.house.tables.room import Room
from rage.server.app import App
from rage.server.config import Config
from rage.server.wire import websocket
from rage.server.wire.websocket import WebSocket
from server.inside import server_in_process
from server.raw_client import RawClient, frame
from server.running import PATIENCE, STANDSTILL, busy, open_table, people, wait_until
from server.table_client import connected, cookie

#: What a client that does not read may cost, in bytes, and in how many seconds it is dropped once
#: anything waits for it.
MAX_COST = 256 * 1024
SOON = 10.0


class NonReadingClient(RawClient):
    """A client that reads the handshake and then nothing, with the smallest buffers there are."""

    def __init__(self, url: str, code: str, who: str) -> None:
        super().__init__(url, code, who, buffer=4096)


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


def room_of(app: App, code: str) -> Room:
    assert app.site is not None
    return app.site.hub.rooms[code]


def test_the_settings_keep_the_promises() -> None:
    # That something was taken is seen by one look, and that nothing more was, by a later one.
    assert housekeeping.SWEEP_INTERVAL + limits.MAX_STALL + housekeeping.SWEEP_INTERVAL < SOON
    # The system takes twice what it is told to.
    assert 2 * websocket.SEND_BUFFER + limits.MAX_UNSENT <= MAX_COST


async def test_a_client_that_asks_and_never_reads_is_dropped_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, worst: list[int]
) -> None:
    """Much is asked for at once, and nobody listens: dropped then and there."""
    monkeypatch.setattr(websocket, "SEND_BUFFER", 2048)
    monkeypatch.setattr(limits, "MAX_UNSENT", 16 * 1024)
    monkeypatch.setattr(housekeeping, "SWEEP_INTERVAL", 1000)
    with (
        server_in_process(Config(tmp_path / "data")) as (url, _, app),
        people(url, "Ann", "Eve") as (ann, eve),
    ):
        code = open_table(ann, players=6, bots=["random"] * 5, start=True)
        async with connected(url, code, eve) as watching:
            await watching.do("watch", name="Eve")
            size = max(len(json.dumps(message)) for message in watching.messages)
        room = room_of(app, code)
        with NonReadingClient(url, code, cookie(eve)) as non_reader:
            non_reader.send(frame(b'{"since":9007199254740991}') * 20)
            await wait_until(lambda: worst[0] > limits.MAX_UNSENT)
            await wait_until(lambda: not room.clients)
        assert worst[0] <= limits.MAX_UNSENT + 2 * size


async def test_others_are_not_held_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, worst: list[int]
) -> None:
    """One of three at a table stops reading in the middle of the game."""
    monkeypatch.setattr(websocket, "SEND_BUFFER", 2048)
    monkeypatch.setattr(limits, "MAX_STALL", 1.0)
    monkeypatch.setattr(housekeeping, "SWEEP_INTERVAL", 0.2)
    with (
        server_in_process(Config(tmp_path / "data", bot_delay=0)) as (url, _, app),
        people(url, "Ann", "Eve") as (ann, eve),
    ):
        code = open_table(ann, players=6, bots=["random"] * 5)
        async with connected(url, code, eve) as watching:
            await watching.do("watch", name="Eve")
        person = watching.table["me"]["person"]
        room, rng = room_of(app, code), Random(1)
        with NonReadingClient(url, code, cookie(eve)):
            async with connected(url, code, ann) as guest:
                await guest.ask("start")
                await guest.fact("dealt")
                waits, stuck = [], None
                while person in room.clients:
                    while guest.turn is None:
                        await guest.receive()
                    asked = time.monotonic()
                    await guest.play(rng)
                    waits.append(time.monotonic() - asked)
                    await asyncio.sleep(0.03)
                    line = room.clients.get(person)
                    if stuck is None and line is not None and line.connection.unsent:
                        stuck = time.monotonic()
                    assert stuck is None or time.monotonic() < stuck + PATIENCE, "not dropped"
        assert stuck is not None
        assert 0 < worst[0] < limits.MAX_UNSENT
        assert sorted(waits)[len(waits) // 2] < 0.25 * busy()
        assert app.site is not None
        assert app.site.hub.services.counts.dropped == 1
        async with connected(url, code, eve) as again:
            assert again.table["me"]["person"] == person


@pytest.mark.long
async def test_a_client_that_reads_slowly_may_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, worst: list[int]
) -> None:
    """Something waits for them all the time, and a little of it is taken: until they stop."""
    monkeypatch.setattr(websocket, "SEND_BUFFER", 2048)
    monkeypatch.setattr(conversation, "REPLAYS", Rate(100, 0.01))
    monkeypatch.setattr(limits, "MAX_STALL", 0.5 + STANDSTILL)
    monkeypatch.setattr(housekeeping, "SWEEP_INTERVAL", 0.1)
    with (
        server_in_process(Config(tmp_path / "data")) as (url, _, app),
        people(url, "Ann", "Eve") as (ann, eve),
    ):
        code = open_table(ann, players=6, bots=["random"] * 5, start=True)
        room, asked = room_of(app, code), frame(b'{"since":9007199254740991}')
        with NonReadingClient(url, code, cookie(eve)) as non_reader:
            non_reader.send(asked * 10)
            await wait_until(lambda: room.clients)
            (client,) = room.clients.values()
            began, waited = time.monotonic(), 0
            while time.monotonic() < began + 2 * limits.MAX_STALL:
                non_reader.send(asked * 3)
                assert await asyncio.to_thread(non_reader.socket.recv, 4096)
                await asyncio.sleep(0.25)
                waited += client.connection.unsent > 0
                assert not client.dropped
            assert waited > 8
            took = await wait_until(lambda: client.dropped)
        assert took < limits.MAX_STALL + 2 * busy() + STANDSTILL
        assert worst[0] < limits.MAX_UNSENT


async def test_a_client_that_answers_no_ping_is_dropped(tmp_path: Path) -> None:
    """Nothing waits for them here, and no ping comes back."""
    with (
        server_in_process(Config(tmp_path / "data"), ws_ping_interval=0.3) as (
            url, server, app,
        ),
        people(url, "Ann") as (ann,),
    ):  # fmt: skip
        code = open_table(ann)
        with NonReadingClient(url, code, cookie(ann)):
            await wait_until(lambda: room_of(app, code).clients)
            await wait_until(lambda: not room_of(app, code).clients)
            ann.close()
            await wait_until(lambda: not server.server_state.connections)


async def test_a_pong_is_waited_for_while_the_client_still_reads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before it lies what was written earlier, of which they read a little all the time."""
    patience = 0.5 + STANDSTILL
    monkeypatch.setattr(websocket, "SEND_BUFFER", 2048)
    monkeypatch.setattr(conversation, "REPLAYS", Rate(100, 0.01))
    with (
        server_in_process(Config(tmp_path / "data"), ws_ping_interval=patience) as (url, _, app),
        people(url, "Ann", "Eve") as (ann, eve),
    ):
        code = open_table(ann, players=6, bots=["random"] * 5, start=True)
        room = room_of(app, code)
        with NonReadingClient(url, code, cookie(eve)) as non_reader:
            non_reader.send(frame(b'{"since":9007199254740991}') * 50)
            await wait_until(lambda: room.clients)
            (client,) = room.clients.values()
            began, behind = time.monotonic(), 0.0
            while time.monotonic() < began + 3 * patience:
                await asyncio.to_thread(non_reader.read, 4096)
                await asyncio.sleep(0.25)
                if client.connection.unsent:
                    behind = time.monotonic() - began
                assert room.clients
            assert behind > patience
            await wait_until(lambda: not room.clients)


@pytest.mark.parametrize("end", ["elsewhere", "removed", "unreadable", "goodbye"])
async def test_a_client_that_does_not_read_its_goodbye_is_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, end: str
) -> None:
    """The goodbye cannot be said, for what waits before it; the connection ends all the same."""
    monkeypatch.setattr(websocket, "SEND_BUFFER", 2048)
    monkeypatch.setattr(websocket, "LINGER", 0.3)
    with (
        server_in_process(Config(tmp_path / "data")) as (url, server, app),
        people(url, "Ann", "Eve") as (ann, eve),
    ):
        code = open_table(ann, players=6)
        async with connected(url, code, ann) as guest:
            async with connected(url, code, eve) as watching:
                await watching.do("watch", name="Eve")
            person = watching.table["me"]["person"]
            with NonReadingClient(url, code, cookie(eve)) as non_reader:
                non_reader.send(frame(b'{"since":9007199254740991}') * 15)
                room = room_of(app, code)
                await wait_until(lambda: person in room.clients and waits(room, person))
                before = {id(each) for each in server.server_state.connections}
                line: Any = room.clients[person].connection
                if end == "elsewhere":
                    async with connected(url, code, eve):
                        pass
                elif end == "removed":
                    await guest.do("remove", person=person)
                elif end == "unreadable":
                    non_reader.send(frame(b"nonsense"))
                else:
                    non_reader.send(frame(b"\x03\xe8", 8))
                assert id(line) in before
                await wait_until(lambda: line not in server.server_state.connections)


def waits(room: Room, person: str) -> int:
    return room.clients[person].connection.unsent
