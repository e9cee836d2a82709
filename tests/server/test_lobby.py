"""Looking for a table takes nobody's seat: tables that are listed while they are opened keep the
people who sit at them."""

from __future__ import annotations

import asyncio
import contextlib
import time
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import pytest

from rage.place import housekeeping, hub
from rage.place.room import room
from rage.server.config import Config
from server.conftest import Launch
from server.crowd import crowd, end
from server.inside import server_in_process
from server.running import OURS, STANDSTILL, open_table
from server.table_client import TableClient, connected

#: A bot plays at once for whoever is away, and everybody finds the table.
OPTIONS = {"takeover": "at_once", "access": "open", "grace": 1}
#: How many tables one person opens here.
EACH = 4
LOBBIES = 8


class Pair(NamedTuple):
    """Two who are connected to their table from its beginning on."""

    ann: TableClient
    ben: TableClient


class Tables:
    """Tables that are opened one after another, their people, and all connections."""

    def __init__(self, url: str, stack: contextlib.AsyncExitStack) -> None:
        self.url = url
        self.pairs: list[Pair] = []
        self._stack = stack
        self._people: list[httpx.Client] = []

    def _person(self, name: str) -> httpx.Client:
        client = self._stack.enter_context(httpx.Client(base_url=self.url, headers=OURS))
        client.get("/api/me")
        client.put("/api/me", json={"name": name})
        return client

    async def open(self) -> None:
        """One more table, where two sit down and begin."""
        if len(self.pairs) % EACH == 0:
            self._people = [self._person(name) for name in ("Ann", "Ben")]
        ann, ben = self._people
        code = open_table(ann, "poof", 2, options=OPTIONS)
        pair = Pair(*[
            await self._stack.enter_async_context(connected(self.url, code, each, max_queue=None))
            for each in (ann, ben)
        ])  # fmt: skip
        await pair.ben.do("join", name="Ben")
        await pair.ann.ask("start")
        self.pairs.append(pair)

    async def taken(self) -> list[str]:
        """The tables where somebody who is connected counts as away, or was said to, or where a
        bot plays for them."""
        return [pair.ann.code for pair in self.pairs if await _misses(pair)]


async def _misses(pair: Pair) -> list[Any]:
    """What is wrong with the seats of a table. The pause is stored, so that whatever else has
    been stored meanwhile is told, too."""
    await pair.ann.do("pause")
    for each in pair:
        await each.send({"since": 0})
        await each.until(lambda message: message["type"] == "table")
    facts = [fact for each in pair for fact in each.facts if _is_wrong(fact)]
    seats = [seat for each in pair for seat in each.table["seats"] if _is_left(seat)]
    return [*facts, *seats]


def _is_left(seat: dict[str, Any]) -> bool:
    return bool(seat["bot"]) or not seat["here"]


def _is_wrong(fact: dict[str, Any]) -> bool:
    return fact["type"] == "stepped_in" or (
        fact["type"] == "presence_set" and not fact.get("present", True)
    )


async def seats_taken(url: str, tables: int, rate: float, wait: float) -> int:
    """At how many of so many tables a seat was taken, ``wait`` seconds after they were opened, with
    eight lobbies that ask so often (0: without a pause)."""
    async with contextlib.AsyncExitStack() as stack:
        made = Tables(url, stack)
        begun = time.monotonic()
        with crowd("lobbies", url=url, count=LOBBIES, rate=rate) as asking:
            for _ in range(tables):
                await made.open()
            took = time.monotonic() - begun
            asked = end(asking)
        until = time.monotonic() + wait
        while time.monotonic() < until:
            await asyncio.sleep(0.2)  # nobody may send as fast as a quiet machine would
            for pair in made.pairs:
                for each in pair:
                    await each.send({"ping": 1})
                    await each.until(lambda message: message["type"] == "pong")
        taken = await made.taken()
    print(f"{tables} tables in {took:.1f} s, {asked['asked']} lists, {asked['refused']} refused:"
          f" {len(taken)} seats taken")  # fmt: skip
    assert asked["asked"] > tables
    assert not asked["refused"]
    return len(taken)


@pytest.mark.parametrize("tables", [8, pytest.param(60, marks=pytest.mark.long)])
async def test_no_seat_is_taken_while_lobbies_ask(
    tables: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Lobbies ask as fast as they are answered; who has not come back after a restart is missed at
    once."""
    monkeypatch.setattr(hub, "RETURN_GRACE", STANDSTILL)
    monkeypatch.setattr(housekeeping, "SWEEP_INTERVAL", 0.2)
    monkeypatch.setattr(room, "ABSENCE_GRACE", 0.1)
    with server_in_process(Config(tmp_path / "data", bot_delay=0)) as (url, _, _):
        assert await seats_taken(url, tables, 0, STANDSTILL + 1.5) == 0


@pytest.mark.long
async def test_no_seat_of_three_hundred_is_taken_while_lobbies_ask(launch: Launch) -> None:
    """Twenty lists a second for each of eight lobbies."""
    assert await seats_taken(launch().url, 300, 20, hub.RETURN_GRACE + 6) == 0
