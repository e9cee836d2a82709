"""A hundred spectators who talk as fast as they can: those who play notice nothing, and neither the
line nor the disk is filled."""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
import time
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection

from rage.table.people.speech import MAX_CHAT
from server.conftest import Launch
from server.crowd import crowd, outcome
from server.running import Running, busy, open_table
from server.table_client import TableClient, connected, cookie

#: What a minute of it may cost: what the server sends to all together and what its folder grows,
#: in bytes, and how long a player's move takes until it is told to them, in seconds.
MAX_SENT = 50e6
MAX_GROWTH = 1e6
MAX_WAIT = 0.1
MINUTE = 60.0
#: As much as one may send without being hung up on is 45 messages a second.
RATE = 40.0
#: The longest line there is, in characters of four bytes.
LINE = "🂡" * MAX_CHAT
#: How many seconds a player thinks.
THOUGHT = 0.15
NAMES = ("Ben", "Cleo", "Dan", "Eva")
#: Rounds enough for more than a minute.
RULES = "poof+schedule:" + ".".join(["10"] * 14)


class Counted(ClientConnection):
    """A connection that counts what it is sent."""

    heard = 0

    def data_received(self, data: bytes) -> None:
        self.heard += len(data)
        super().data_received(data)


@contextlib.asynccontextmanager
async def four(server: Running, host: Any, rules: str) -> AsyncIterator[list[TableClient]]:
    """Four who play, at the table of a host who only watches and has a bot in their seat."""
    code = open_table(host, rules, len(NAMES) + 1)
    async with contextlib.AsyncExitStack() as stack:
        found = [
            await stack.enter_async_context(
                connected(server.url, code, server.someone(name), create_connection=Counted)
            )
            for name in NAMES
        ]
        ann = await stack.enter_async_context(connected(server.url, code, host))
        asked = [await each.do("join", name=name) for each, name in zip(found, NAMES, strict=True)]
        asked += [await ann.do("give_seat", seat=0, bot="random"), await ann.do("start")]
        assert all(each["type"] == "update" for each in asked), asked
        for each in found:
            await each.fact("dealt")
        yield found


async def play(one: TableClient, rng: Random, until: float) -> list[float]:
    """How long each move of one player took, from when it was sent until they were told."""
    found = []
    while time.monotonic() < until:
        if one.turn is None:
            with contextlib.suppress(TimeoutError):
                await one.receive(0.2)
            continue
        await asyncio.sleep(THOUGHT)
        begun = time.monotonic()
        answer = await one.play(rng)
        found.append(time.monotonic() - begun)
        assert answer["type"] == "update", answer
    return found


def size(data: Path) -> int:
    """How much of the disk the store takes, with nothing left in its log."""
    with contextlib.closing(sqlite3.connect(data / "tables.sqlite", timeout=10)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    return sum(each.stat().st_size for each in data.rglob("*") if each.is_file())


async def flood(server: Running, spectators: int, seconds: float) -> dict[str, Any]:
    """Let ``spectators`` talk for ``seconds``: what they were sent, and how long moves took."""
    ann = server.someone("Ann")
    people = [cookie(server.someone()) for _ in range(spectators)]
    async with four(server, ann, RULES) as players:
        settings = {"code": players[0].code, "people": people, "slow": cookie(ann)}
        begin = asyncio.to_thread(
            contextlib.ExitStack.enter_context,
            stack := contextlib.ExitStack(),
            crowd("chatters", url=server.url, seconds=seconds, rate=RATE, line=LINE, **settings),
        )
        with stack:
            process = await begin
            grown = size(server.data)
            sent = sum(_bytes(each) for each in players)
            until = time.monotonic() + seconds
            waits = await asyncio.gather(
                *(play(each, Random(number), until) for number, each in enumerate(players))
            )
            found = await asyncio.to_thread(outcome, process)
        found["bytes"] += sum(_bytes(each) for each in players) - sent
    found["waits"] = sorted(wait for each in waits for wait in each)
    assert server.end() == 0
    found["grown"] = size(server.data) - grown
    return found


def _bytes(guest: TableClient) -> int:
    assert isinstance(guest.socket, Counted)
    return guest.socket.heard


def check(found: dict[str, Any], share: float, most_of: float = 0.99, slower: float = 1.0) -> None:
    """What was promised, for a share of a minute, of ``most_of`` the moves; ``slower``: how much
    slower everything is because of what else this machine does."""
    waits = found["waits"]
    usual = waits[int(most_of * (len(waits) - 1))]
    print(f"{found['bytes'] / 1e6:.2f} MB sent, {found['grown'] / 1e6:.3f} MB stored,"
          f" {len(waits)} moves, p{100 * most_of:.0f} {1000 * usual:.0f} ms,"
          f" at worst {1000 * waits[-1]:.0f} ms,"
          f" {found['ended']} hung up on; host {'still there' if found['slow'] else 'gone'},"
          f" {found['slow_bytes'] / 1e3:.0f} kB")  # fmt: skip
    assert len(waits) > 5
    assert found["bytes"] <= MAX_SENT * share
    assert found["grown"] <= MAX_GROWTH
    assert found["slow"]
    assert usual < MAX_WAIT * slower


async def test_a_few_constant_talkers_cost_little(launch: Launch) -> None:
    """Five seconds of thirty spectators, of whose share the first lines, which come all at once,
    take the most. In so short a time a busy machine may hold up a move or two."""
    server = launch()
    found = await flood(server, 30, 5)
    check(found, share=5 / MINUTE, most_of=0.9, slower=busy(server))


@pytest.mark.long
async def test_a_hundred_talkers_for_a_minute_cost_little(launch: Launch) -> None:
    found = await flood(launch(), 100, MINUTE)
    check(found, share=1)
