"""A client that does not read is dropped, costs little until then, holds up nobody, and can come
back."""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest

from rage.server import client as clients
from rage.server import hub, wire
from rage.server.app import App
from rage.server.config import Config
from rage.server.room import Room
from server.inside import living
from server.rude import Rude, frame
from server.running import OURS, opened
from server.sitting import cookie, sitting

#: What a client that does not read may cost, in bytes, and in how many seconds it is dropped once
#: anything waits for it (issue 3).
MOST = 256 * 1024
SOON = 10.0


class Deaf(Rude):
    """Somebody who hears the handshake and then nothing, with as little room as there is."""

    def __init__(self, url: str, code: str, who: str) -> None:
        super().__init__(url, code, who, wait=False)
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        self.send(self.request)
        self.answer()


@pytest.fixture
def worst(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How much has waited at most for anybody, after each write."""
    found = [0]
    write = wire.Wire.write

    def watched(line: wire.Wire, made: bytes) -> None:
        write(line, made)
        found[0] = max(found[0], line.waiting)

    monkeypatch.setattr(wire.Wire, "write", watched)
    return found


@contextlib.contextmanager
def people(url: str, *names: str) -> Iterator[list[httpx.Client]]:
    """Persons with a name and a cookie."""
    with contextlib.ExitStack() as stack:
        made = [stack.enter_context(httpx.Client(base_url=url, headers=OURS)) for _ in names]
        for one, name in zip(made, names, strict=True):
            one.get("/api/me")
            one.put("/api/me", json={"name": name})
        yield made


def room_of(app: App, code: str) -> Room:
    assert app.site is not None
    return app.site.hub.rooms[code]


async def gone(condition: Callable[[], object], seconds: float) -> float:
    """How long until something is so."""
    begun = time.monotonic()
    while not condition():
        assert time.monotonic() < begun + seconds
        await asyncio.sleep(0.01)
    return time.monotonic() - begun


def test_what_is_promised_is_what_is_set() -> None:
    assert clients.LONGEST_WAIT + hub.SWEEP < SOON
    # The system takes twice what it is told to.
    assert 2 * wire.SEND_BUFFER + clients.MOST_WAITING <= MOST


async def test_who_asks_and_never_reads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, worst: list[int]
) -> None:
    """Much is asked for at once, and nobody listens: dropped then and there."""
    monkeypatch.setattr(wire, "SEND_BUFFER", 2048)
    monkeypatch.setattr(clients, "MOST_WAITING", 16 * 1024)
    monkeypatch.setattr(hub, "SWEEP", 1000)
    with (
        living(Config(tmp_path / "data")) as (url, _, app),
        people(url, "Ann", "Eve") as (ann, eve),
    ):
        code = opened(ann, players=6, bots=["random"] * 5, start=True)
        async with sitting(url, code, eve) as watching:
            await watching.do("watch", name="Eve")
            size = len(json.dumps(watching.told[-1]))
        room = room_of(app, code)
        with Deaf(url, code, cookie(eve)) as deaf:
            deaf.send(frame(b'{"since":9007199254740991}') * 20)
            await gone(lambda: worst[0] > clients.MOST_WAITING, 5)
            await gone(lambda: not room.clients, 5)
        assert worst[0] <= clients.MOST_WAITING + 2 * size


async def test_others_are_not_held_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, worst: list[int]
) -> None:
    """One of three at a table stops reading in the middle of the game."""
    monkeypatch.setattr(wire, "SEND_BUFFER", 2048)
    monkeypatch.setattr(clients, "LONGEST_WAIT", 1.0)
    monkeypatch.setattr(hub, "SWEEP", 0.2)
    with (
        living(Config(tmp_path / "data", bot_delay=0)) as (url, _, app),
        people(url, "Ann", "Eve") as (ann, eve),
    ):
        code = opened(ann, players=6, bots=["random"] * 5)
        async with sitting(url, code, eve) as watching:
            await watching.do("watch", name="Eve")
        person = watching.table["me"]["person"]
        room, rng = room_of(app, code), Random(1)
        with Deaf(url, code, cookie(eve)):
            async with sitting(url, code, ann) as guest:
                await guest.ask("start")
                await guest.fact("dealt")
                waits, stuck = [], None
                while person in room.clients:
                    while guest.turn is None:
                        await guest.hear()
                    asked = time.monotonic()
                    await guest.play(rng)
                    waits.append(time.monotonic() - asked)
                    await asyncio.sleep(0.03)
                    line = room.clients.get(person)
                    if stuck is None and line is not None and line.line.waiting:
                        stuck = time.monotonic()
                    assert stuck is None or time.monotonic() < stuck + 4, "not dropped"
        assert stuck is not None
        assert 0 < worst[0] < clients.MOST_WAITING
        assert sorted(waits)[len(waits) // 2] < 0.25
        assert app.site is not None
        assert app.site.hub.counts.dropped == 1
        async with sitting(url, code, eve) as again:
            assert again.table["me"]["person"] == person


async def test_who_is_stuck_and_not_written_to_is_missed(tmp_path: Path) -> None:
    """Nothing waits for them here, and no ping comes back."""
    with (
        living(Config(tmp_path / "data"), ws_ping_interval=0.2, ws_ping_timeout=0.3) as (
            url, server, app,
        ),
        people(url, "Ann") as (ann,),
    ):  # fmt: skip
        code = opened(ann)
        with Deaf(url, code, cookie(ann)):
            await gone(lambda: room_of(app, code).clients, 5)
            await gone(lambda: not room_of(app, code).clients, 5)
            ann.close()
            await gone(lambda: not server.server_state.connections, 5)


@pytest.mark.parametrize("end", ["elsewhere", "removed", "unreadable", "goodbye"])
async def test_who_is_to_go_and_does_not_read_goes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, end: str
) -> None:
    """The goodbye cannot be said, for what waits before it; the connection ends all the same."""
    monkeypatch.setattr(wire, "SEND_BUFFER", 2048)
    monkeypatch.setattr(wire, "LINGER", 0.3)
    with (
        living(Config(tmp_path / "data")) as (url, server, app),
        people(url, "Ann", "Eve") as (ann, eve),
    ):
        code = opened(ann, players=6)
        async with sitting(url, code, ann) as guest:
            async with sitting(url, code, eve) as watching:
                await watching.do("watch", name="Eve")
            person = watching.table["me"]["person"]
            with Deaf(url, code, cookie(eve)) as deaf:
                deaf.send(frame(b'{"since":9007199254740991}') * 15)
                room = room_of(app, code)
                await gone(lambda: person in room.clients and waits(room, person), 5)
                before = {id(each) for each in server.server_state.connections}
                line: Any = room.clients[person].line
                if end == "elsewhere":
                    async with sitting(url, code, eve):
                        pass
                elif end == "removed":
                    await guest.do("remove", person=person)
                elif end == "unreadable":
                    deaf.send(frame(b"nonsense"))
                else:
                    deaf.send(frame(b"\x03\xe8", 8))
                assert id(line) in before
                await gone(lambda: line not in server.server_state.connections, 3)


def waits(room: Room, person: str) -> int:
    return room.clients[person].line.waiting
