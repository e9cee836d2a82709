"""Clients that go on by themselves, as the page does: they come again from their last event on,
and send again the move of which nobody knows whether it arrived."""

from __future__ import annotations

import asyncio
import contextlib
import json
import sqlite3
import time
from collections.abc import Iterable
from pathlib import Path
from random import Random
from typing import Any

import httpx
import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidHandshake, InvalidMessage, WebSocketException
from websockets.typing import Origin

from rage.table import Event, Table, read_event
from server.running import Running, opened
from server.sitting import cookie, sitting

#: How long the page waits before it tries again, in seconds.
WAITS = (0.0, 0.15, 0.3, 0.5, 0.8, 1.0, 1.2, 1.5)
GONE = (OSError, EOFError, TimeoutError, WebSocketException, InvalidHandshake, InvalidMessage)


class Steadfast:
    """One person at one table, who plays whatever is legal until told to stop. ``log`` is all
    that they were shown, by number; what was shown twice must be the same."""

    #: After how many seconds without a word something is done about it.
    poll = 0.5

    def __init__(self, url: str, code: str, who: str, rng: Random, *, host: bool = False) -> None:
        self.url, self.code, self.who, self.rng, self.host = url, code, who, rng, host
        self.seq = -1
        self.ply = 0
        self.phase = "new"
        self.turn: dict[str, Any] | None = None
        self.log: dict[int, dict[str, Any]] = {}
        self.done: set[int] = set()
        self.refusals: list[dict[str, Any]] = []
        self.resets = self.resumes = self.again = 0
        self.asked: tuple[int, int, str] | None = None  # number, ply, move
        self.moved_at = self.told_at = 0.0
        #: Seconds between two moves.
        self.pace = 0.0
        self._number = self._tries = 0
        self._stopping = False

    async def run(self) -> None:
        """Stay at the table until :meth:`stop`."""
        while not self._stopping:
            with contextlib.suppress(*GONE):
                await self._stay()
            if not self._stopping:
                await asyncio.sleep(WAITS[min(self._tries, len(WAITS) - 1)])
                self._tries += 1

    def stop(self) -> None:
        """End it with the next message, or now where there is none."""
        self._stopping = True

    async def _stay(self) -> None:
        query = f"?since={self.seq}" if self.seq >= 0 else ""
        address = f"{self.url.replace('http', 'ws', 1)}/ws/{self.code}{query}"
        async with connect(
            address, additional_headers={"Cookie": self.who}, origin=Origin(self.url),
            compression=None, open_timeout=6, close_timeout=0.2, ping_interval=None,
        ) as socket:  # fmt: skip
            if self.asked is not None:
                self.again += 1
                await self._send_move(socket)
            while not self._stopping:
                try:
                    text = await asyncio.wait_for(socket.recv(), self.poll)
                except TimeoutError:
                    await self._idle(socket)
                    continue
                self._tries = 0
                self.note(json.loads(text))
                await self._act(socket)

    def note(self, message: dict[str, Any]) -> None:
        """Take in what was told."""
        self.told_at = time.monotonic()
        if message["type"] == "table":
            self.resets += 1
            self.seq, self.ply = message["seq"], message["table"]["ply"]
            self.phase, self.turn = message["table"]["phase"], message.get("turn")
        elif message["type"] == "update":
            self._join(message)
        elif message["type"] == "refused":
            self._note_refusal(message)
        if self.asked is not None and message.get("id") == self.asked[0]:
            if message["type"] == "update" or message["reason"]["code"] == "table.doubled":
                self.done.add(self.asked[1])
            self.asked = None

    def _join(self, message: dict[str, Any]) -> None:
        first = message["seq"] - len(message["events"]) + 1
        assert first == self.seq + 1, (self.seq, message)
        self.resumes += len(message["events"]) > 1
        for seq, fact in enumerate(message["events"], first):
            assert self.log.setdefault(seq, fact) == fact, (seq, fact)
            self._fold(fact)
        self.seq = message["seq"]
        if message.get("turn") is not None:
            self.turn = message["turn"]

    def _fold(self, fact: dict[str, Any]) -> None:
        kind = fact["type"]
        if kind == "played":
            self.ply, self.turn = fact["ply"] + 1, None
            self.moved_at = time.monotonic()
        elif kind in ("started", "game_over"):
            self.phase = {"started": "playing", "game_over": "over"}[kind]

    def _note_refusal(self, message: dict[str, Any]) -> None:
        assert message["reason"]["code"] != "unreadable"
        self.refusals.append(message)

    async def _act(self, socket: ClientConnection) -> None:
        if self.turn is not None and self.asked is None:
            if self.pace:
                await asyncio.sleep(self.pace)
            self._number += 1
            self.asked = (self._number, self.ply, self.rng.choice(self.turn["legal"].split()))
            await self._send_move(socket)
        elif self.phase in ("over", "gathering"):
            await self._ask_house(socket)

    async def _idle(self, socket: ClientConnection) -> None:
        """Nothing was said for a while."""
        await self._ask_house(socket)

    async def _send_move(self, socket: ClientConnection) -> None:
        assert self.asked is not None
        number, ply, move = self.asked
        command = {"type": "play", "ply": ply, "move": move}
        await socket.send(json.dumps({"id": number, "do": command}))

    async def _ask_house(self, socket: ClientConnection) -> None:
        """The host goes on after a game."""
        kind = {"over": "rematch", "gathering": "start"}.get(self.phase)
        if self.host and kind is not None:
            await socket.send(json.dumps({"do": {"type": kind}}))

    @property
    def shown(self) -> dict[int, tuple[int, str | None]]:
        """The moves that were shown: seat and move by number of the event."""
        plays = ((seq, fact) for seq, fact in self.log.items() if fact["type"] == "played")
        return {seq: (fact["seat"], fact.get("move")) for seq, fact in plays}


def gather_tables(
    server: Running,
    tables: int,
    people: int,
    rng: Random,
    kind: type[Steadfast] = Steadfast,
    **fields: Any,
) -> list[list[Steadfast]]:
    """Tables where people have sat down and the host is ready to start."""
    made = []
    for _ in range(tables):
        clients: list[httpx.Client] = [server.someone(f"P{seat}") for seat in range(people)]
        code = opened(clients[0], **{"players": 4, "rules": "poof", **fields})
        for seat, client in enumerate(clients[1:], 1):
            asyncio.run(_join(server.url, code, cookie(client), f"P{seat}"))
        made.append([
            kind(server.url, code, cookie(client), Random(rng.random()), host=not seat)
            for seat, client in enumerate(clients)
        ])  # fmt: skip
    return made


async def _join(url: str, code: str, who: str, name: str) -> None:
    async with sitting(url, code, who) as guest:
        answer = await guest.do("join", name=name)
        assert answer["type"] != "refused", answer


def stored(data: Path) -> dict[str, list[Event]]:
    """The events of all tables in a data folder, which nobody uses now."""
    tables: dict[str, list[Event]] = {}
    with contextlib.closing(sqlite3.connect(data / "tables.sqlite")) as connection:
        query = "SELECT table_id, seq, data FROM events ORDER BY table_id, seq"
        for table, seq, text in connection.execute(query):
            event = read_event(msgspec.json.decode(text))
            assert event.seq == seq
            tables.setdefault(table, []).append(event)
    return tables


def check_against(events: list[Event], shown: Iterable[Steadfast]) -> int:
    """Whatever anybody was shown is stored, where it was and once; the moves that are stored."""
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    Table.from_events(events)  # and what is stored is a table
    plays = {
        event.seq: (event.fact.seat, event.fact.move)  # type: ignore[attr-defined]  # a Played
        for event in events
        if type(event.fact).__name__ == "Played"
    }
    numbers = [
        (event.as_data()["ply"]) for event in events if type(event.fact).__name__ == "Played"
    ]
    assert len(set(numbers)) == len(numbers)
    for client in shown:
        for seq, move in client.shown.items():
            assert seq in plays, ("lost", client.code, seq, move)
            assert plays[seq][0] == move[0]
            assert move[1] in (None, plays[seq][1])
        assert client.done <= set(numbers)
    return len(plays)
