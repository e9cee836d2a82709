"""People at a table of a hub in this process, without a network between."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from random import Random
from typing import Any

from rage.house.store.sql import Store
from rage.house.tables.client import Client
from rage.house.tables.hub import Hub
from rage.house.tables.room import Room
from rage.house.tables.services import Services
from rage.server.stores import STORE
from rage.server.work.bot_pool import BotPool
from rage.table import Create, Join, Options, Play
from server.stored import sqlite_store


class RecordingClient:
    """A connection of one person: all messages that were written to it, and what they add up to."""

    def __init__(self, person: str) -> None:
        self.person = person
        self.unsent = self.acknowledged = 0
        self.messages: list[dict[str, Any]] = []
        self.facts: dict[int, dict[str, Any]] = {}
        self.seq = self.ply = -1
        self.turn: dict[str, Any] | None = None
        self.close_codes: list[int] = []
        self.aborted = False
        self.client = Client(person, self, self.close_codes.append)

    def write(self, body: bytes) -> None:
        """Read a message that was written."""
        message: dict[str, Any] = json.loads(body)
        self.messages.append(message)
        if message["type"] == "table":
            self.seq, self.ply = message["seq"], message["table"]["ply"]
            self.turn = message.get("turn")
        elif message["type"] == "update":
            first = message["seq"] - len(message["events"]) + 1
            assert first == self.seq + 1, (self.person, self.seq, message)
            for seq, fact in enumerate(message["events"], first):
                self.facts[seq] = fact
                if fact["type"] == "played":
                    self.ply, self.turn = fact["ply"] + 1, None
            self.seq = message["seq"]
            self.turn = message.get("turn", self.turn)

    def abort(self) -> None:
        """End the connection at once."""
        self.aborted = True

    def choice(self, rng: Random) -> Play:
        """A move, any that is legal."""
        assert self.turn is not None
        return Play(self.turn.get("ply", self.ply), rng.choice(self.turn["legal"].split()))


def hub_on(folder: Path, **options: Any) -> Hub:
    """A hub on a store in a folder, which others may use, too."""
    return hub_with(sqlite_store(folder / STORE), **options)


def hub_with(store: Store, thinking: int = 0, **options: Any) -> Hub:
    """A hub on a store. ``thinking``: how many bots think at once."""
    services = Services(store, BotPool(thinking), **{"delay": 0, **options})
    store.now = services.now
    return Hub(services)


async def create_table(
    hub: Hub, *people: str, players: int = 0, rules: str = "poof", options: Options | None = None
) -> str:
    """A table at which these people have sat down."""
    host, *others = people
    create = Create(rules, players or max(2, len(people)), host.title(), options or Options())
    code = await hub.create(create, host)
    for each in others:
        await hub.do(code, Join(each.title()), each)
    return code


async def connect(hub: Hub, code: str, person: str, since: int | None = None) -> RecordingClient:
    """A person who has connected to a table."""
    recorder = RecordingClient(person)
    if since is not None:
        recorder.seq = since
    await (await hub.room(code)).enter(recorder.client, since)
    return recorder


async def read_on(hub: Hub, code: str) -> None:
    """Let a table hear what another hub has stored of it."""
    room = await hub.room(code)
    room.log.in_sync = False
    await room.ready()


async def wait_until_idle(room: Room, seconds: float = 5.0) -> None:
    """Wait until no bot is to act and nothing is being stored."""
    async with asyncio.timeout(seconds):
        while (await room.ready()).bot_to_act() is not None:
            await asyncio.sleep(0.001)


async def play_out(
    hub: Hub, code: str, recorders: list[RecordingClient], rng: Random, most: int | None = None
) -> None:
    """Play a game by random moves: ``most`` of them, or to its end."""
    while hub.rooms[code].table.phase == "playing" and most != 0:
        recorder = next(each for each in recorders if each.turn is not None)
        await hub.do(code, recorder.choice(rng), recorder.person)
        most = None if most is None else most - 1
