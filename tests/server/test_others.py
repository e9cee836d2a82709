"""Whatever somebody does, alone or as a crowd, those who play notice nothing, and neither the line
nor the disk is filled.

    RAGE_STRANGER_SECONDS=600 pytest -m "" -s -n 0 -k stranger tests/server/test_others.py

prints the figures of the longest of these tests."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import sqlite3
import time
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest
from websockets.asyncio.client import ClientConnection

from rage.table.people.speech import MAX_CHAT
from server.conftest import Launch
from server.crowd import ATTACKS, crowd, outcome
from server.running import OURS, Running, busy, open_table
from server.table_client import TableClient, connected, cookie, game_of

#: How many seconds a player thinks, and how many moves are measured at least.
THOUGHT = 0.15
LEAST = 5
#: The most seconds until all players are told of a move, and the most for half of the moves, while
#: the attacker runs on the same machine.
MAX_WAIT = 0.1
AT_ONCE = 0.25


async def play(one: TableClient, rng: Random, until: float) -> None:
    """Play on until a moment, and until some moves were made."""
    while time.monotonic() < until or len(one.told_at) < LEAST:
        if one.turn is None:
            with contextlib.suppress(TimeoutError):
                await one.receive(0.2)
            continue
        await asyncio.sleep(THOUGHT)
        answer = await one.play(rng)
        assert answer["type"] == "update", answer


async def play_beside(
    tables: list[list[TableClient]], kind: str, seconds: float, **told: Any
) -> dict[str, Any]:
    """What came of a crowd, during which the people at some tables play on."""
    with crowd(kind, seconds=seconds, **told) as process:
        until = time.monotonic() + seconds
        players = [each for table in tables for each in table]
        await asyncio.gather(*(play(each, Random(n), until) for n, each in enumerate(players)))
        return await asyncio.to_thread(outcome, process)


def most(waits: list[float], share: float, what: str = "moves") -> float:
    """How long a share of them took at most."""
    waits.sort()
    found = waits[int(share * (len(waits) - 1))]
    at = {50: waits[len(waits) // 2], round(100 * share): found, 100: waits[-1]}
    print(f"{len(waits)} {what}:", ", ".join(f"{1000 * at[each]:.0f} ms p{each}" for each in at))
    return found


def waits(table: list[TableClient]) -> list[float]:
    """How long each move took, from when it was sent until all at the table had been told."""
    found = [
        max(each.told_at[ply] for each in table) - sent
        for player in table
        for ply, sent in player.sent_at.items()
        if all(ply in each.told_at for each in table)
    ]
    assert len(found) >= LEAST - 1
    return found


def size(data: Path) -> int:
    """How much of the disk the store takes, with nothing left in its log."""
    with contextlib.closing(sqlite3.connect(data / "tables.sqlite", timeout=10)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    return sum(each.stat().st_size for each in data.rglob("*") if each.is_file())


# One who sends the same frames again and again.

#: The attacks of every run; all of them are tried in the long ones.
OFTEN = ("messages", "fragments", "since", "more after the close")


@pytest.mark.parametrize(
    "name",
    [each if each in OFTEN else pytest.param(each, marks=pytest.mark.long) for each in ATTACKS],
)
async def test_who_attacks_is_hung_up_on(server: Running, name: str) -> None:
    """At the same table as one of two pairs who play."""
    pairs = [[server.someone(name) for name in ("Ann", "Ben")] for _ in range(2)]
    mallory = server.someone("Mallory")
    async with game_of(server.url, pairs[0]) as here, game_of(server.url, pairs[1]) as elsewhere:
        code = here[0].code
        async with connected(server.url, code, mallory) as watching:
            await watching.do("watch", name="Mallory")
        told = {"url": server.url, "code": code, "who": cookie(mallory), "name": name}
        found = await play_beside([here, elsewhere], "attacker", 0.7, **told)
    for pair in (here, elsewhere):
        assert most(waits(pair), 0.5) < AT_ONCE * busy(server)
    assert found["ended"]
    assert server.process.poll() is None


# A hundred spectators who talk as fast as they can.

#: What a minute of it may cost: what the server sends to all together and what its folder grows,
#: in bytes.
MAX_SENT = 50e6
MAX_TALK = 1e6
MINUTE = 60.0
#: As much as one may send without being hung up on is 45 messages a second.
RATE = 40.0
#: The longest line there is, in characters of four bytes.
LINE = "🂡" * MAX_CHAT
NAMES = ("Ben", "Cleo", "Dan", "Eva")


def long_game(cards: int, rounds: int) -> str:
    """Rules of a game that goes on for long enough."""
    return "poof+schedule:" + ".".join([str(cards)] * rounds)


class Counted(ClientConnection):
    """A connection that counts what it is sent."""

    heard = 0

    def data_received(self, data: bytes) -> None:
        self.heard += len(data)
        super().data_received(data)


def heard(players: list[TableClient]) -> int:
    return sum(each.socket.heard for each in players if isinstance(each.socket, Counted))


@contextlib.asynccontextmanager
async def four(server: Running, host: httpx.Client) -> AsyncIterator[list[TableClient]]:
    """Four who play, at the table of a host who only watches and has a bot in their seat."""
    code = open_table(host, long_game(10, 14), len(NAMES) + 1)
    # What they have not read yet at the end holds up no goodbye.
    options: dict[str, Any] = {"create_connection": Counted, "max_queue": None}
    async with contextlib.AsyncExitStack() as stack:
        found = [
            await stack.enter_async_context(
                connected(server.url, code, server.someone(name), **options)
            )
            for name in NAMES
        ]
        ann = await stack.enter_async_context(connected(server.url, code, host, **options))
        asked = [await each.do("join", name=name) for each, name in zip(found, NAMES, strict=True)]
        asked += [await ann.do("give_seat", seat=0, bot="random"), await ann.do("start")]
        assert all(each["type"] == "update" for each in asked), asked
        for each in found:
            await each.fact("dealt")
        yield found


@pytest.mark.parametrize(
    ("spectators", "seconds", "share"),
    [(30, 5, 0.9), pytest.param(100, MINUTE, 0.99, marks=pytest.mark.long)],
)
async def test_constant_talkers_cost_little(
    launch: Launch, spectators: int, seconds: float, share: float
) -> None:
    """And the host, who reads slowly, is not hung up on. Of a few seconds, the first lines, which
    come all at once, take the most, and a busy machine may hold up a move or two."""
    server = launch()
    ann = server.someone("Ann")
    people = [cookie(server.someone()) for _ in range(spectators)]
    async with four(server, ann) as players:
        grown, sent = size(server.data), heard(players)
        told = {"code": players[0].code, "people": people, "slow": cookie(ann)}
        found = await play_beside(
            [players], "chatters", seconds, url=server.url, rate=RATE, line=LINE, **told
        )
        sent = found["bytes"] + heard(players) - sent
    slower = busy(server)
    assert server.end() == 0
    grown = size(server.data) - grown
    print(f"{sent / 1e6:.2f} MB sent, {grown / 1e6:.3f} MB stored, {found['ended']} hung up on")
    assert most(waits(players), share) < MAX_WAIT * (slower if seconds < MINUTE else 1)
    assert sent <= MAX_SENT * seconds / MINUTE
    assert grown <= MAX_TALK
    assert found["slow"]


# A stranger who does all that one address can.

#: For how many seconds, unless ``RAGE_STRANGER_SECONDS`` says so.
SECONDS = 600.0
#: How long a steady bot takes at most, whose pause is 1.05 s at most, and a page of the lobby, 99
#: of 100 times, in seconds; and what all may add to the store, in bytes.
MAX_BOT = 1.5
MAX_LOBBY = 0.5
MAX_GROWTH = 20e6
#: The seat of the bot.
BOT = 2
HOME = {"x-forwarded-for": "198.51.100.7"}


def waits_of_the_bot(guest: TableClient) -> list[float]:
    """How many seconds the bot took for each of its decisions, but for the first of a round, as a
    guest of its table was told."""
    found, since = list[float](), None
    for fact in guest.facts:
        if fact["type"] == "dealt":
            since = None
        elif fact["type"] == "played":
            now = guest.told_at[fact["ply"]]
            if fact["seat"] == BOT and since is not None:
                found.append(now - since)
            since = now
    return found


async def look_at_the_lobby(server: Running, until: float) -> list[float]:
    """How long it takes to see the lobby, once a second."""
    waits = list[float]()
    headers = {**OURS, "x-forwarded-for": "198.51.100.8"}
    async with httpx.AsyncClient(base_url=server.url, headers=headers, timeout=60) as dan:
        await dan.get("/api/me")
        while time.monotonic() < until:
            begun = time.monotonic()
            assert (await dan.get("/api/tables")).status_code == 200
            waits.append(time.monotonic() - begun)
            await asyncio.sleep(1)
    return waits


@pytest.mark.long
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("line", ["", "/56"], ids=["one address", "a home of 40 networks"])
async def test_two_people_play_on_whatever_a_stranger_does(launch: Launch, line: str) -> None:
    """They are at another address and play with a bot; and somebody looks at the lobby."""
    seconds = float(os.environ.get("RAGE_STRANGER_SECONDS", SECONDS))
    server = launch("--proxy", "127.0.0.1,::1", "--bot-delay", "0.7")
    people = [server.someone(name, **HOME) for name in ("Ann", "Ben")]
    code = open_table(people[0], long_game(15, 30), 3, bots=[None, "steady"])
    async with (
        connected(server.url, code, people[0]) as ann,
        connected(server.url, code, people[1]) as ben,
    ):
        await ben.do("join", name="Ben")
        await ann.ask("start")
        for each in (ann, ben):
            await each.fact("dealt")
        grown = size(server.data)
        lobby, found = await asyncio.gather(
            look_at_the_lobby(server, time.monotonic() + seconds),
            play_beside([[ann, ben]], "stranger", seconds, url=server.url, line=line),
        )
    assert server.end() == 0
    grown = size(server.data) - grown
    print(json.dumps(found, sort_keys=True), f"{grown / 1e6:.1f} MB stored")
    assert len(ann.sent_at) + len(ben.sent_at) > seconds / 4
    assert grown <= MAX_GROWTH
    assert most(waits([ann, ben]), 0.99) < MAX_WAIT
    assert most(lobby, 0.99, "looks at the lobby") < MAX_LOBBY
    assert most(waits_of_the_bot(ben), 1, "moves of the bot") < MAX_BOT
