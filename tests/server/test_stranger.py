"""One address, or a home with 256 networks, does all it can for ten minutes: two people at another,
who play with a bot, notice nothing, nor does who looks at the lobby, and the disk is not filled.

    RAGE_STRANGER_SECONDS=600 pytest -m "" -s -n 0 tests/server/test_stranger.py

prints the figures."""

from __future__ import annotations

import asyncio
import json
import os
import time
from random import Random
from typing import Any

import httpx
import pytest

from server.conftest import Launch
from server.crowd import crowd, outcome
from server.running import OURS, Running, open_table
from server.table_client import TableClient, connected
from server.test_flood import play, size

#: From where: one address, and 40 networks of a /56.
LINES = ("", "/56")
#: For how many seconds, unless ``RAGE_STRANGER_SECONDS`` says so.
SECONDS = 600.0
#: How long 99 of 100 moves take at most until they are told to who made them, and how long a steady
#: bot does, whose pause is 1.05 s at most, in seconds; and what all may add to the store, in bytes.
MAX_WAIT = 0.1
MAX_BOT = 1.5
#: How long a page of the lobby takes at most, 99 of 100 times.
MAX_LOBBY = 0.5
MAX_GROWTH = 20e6
#: Rounds enough for more than ten minutes; the seat of the bot.
RULES = "poof+schedule:" + ".".join(["15"] * 30)
BOT = 2
HOME = {"x-forwarded-for": "198.51.100.7"}


def clocked(guest: TableClient) -> list[float]:
    """How many seconds the bot takes for each of its decisions, as a guest of its table is told."""
    taken, since, note = list[float](), [0.0], guest._note

    def timed(message: dict[str, Any]) -> None:
        now = time.monotonic()
        note(message)
        for fact in message.get("events", ()):
            if since[0] and fact["type"] == "played" and fact["seat"] == BOT:
                taken.append(now - since[0])
                since[0] = 0.0
        if message.get("to_act", -1) == BOT:
            since[0] = now

    guest._note = timed  # type: ignore[method-assign]
    return taken


async def lobby_beside(server: Running, until: float) -> list[float]:
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
    return sorted(waits)


async def game_beside(server: Running, seconds: float, line: str) -> dict[str, Any]:
    """What becomes of a game of two people and a bot while a stranger does all it can."""
    people = [server.someone(name, **HOME) for name in ("Ann", "Ben")]
    code = open_table(people[0], RULES, 3, bots=[None, "steady"])
    async with (
        connected(server.url, code, people[0]) as ann,
        connected(server.url, code, people[1]) as ben,
    ):
        taken = clocked(ben)
        await ben.do("join", name="Ben")
        await ann.ask("start")
        for each in (ann, ben):
            await each.fact("dealt")
        grown = size(server.data)
        with crowd("stranger", url=server.url, seconds=seconds, line=line) as process:
            until = time.monotonic() + seconds
            pair = enumerate((ann, ben))
            games = asyncio.gather(*(play(each, Random(n), until) for n, each in pair))
            found_lobby, waits = await asyncio.gather(lobby_beside(server, until), games)
            found: dict[str, Any] = {"answers": await asyncio.to_thread(outcome, process)}
    found["waits"] = sorted(wait for each in waits for wait in each)
    found["bot"] = sorted(taken)
    found["lobby"] = found_lobby
    assert server.end() == 0
    found["grown"] = size(server.data) - grown
    return found


@pytest.mark.long
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("line", LINES)
async def test_two_people_play_on_whatever_a_stranger_does(launch: Launch, line: str) -> None:
    seconds = float(os.environ.get("RAGE_STRANGER_SECONDS", SECONDS))
    server = launch("--proxy", "127.0.0.1,::1", "--bot-delay", "0.7")
    found = await game_beside(server, seconds, line)
    waits, bot = found["waits"], found["bot"]
    usual = waits[int(0.99 * (len(waits) - 1))]
    lobby = found["lobby"][int(0.99 * (len(found["lobby"]) - 1))]
    print(json.dumps(found["answers"], sort_keys=True))
    print(f"{len(waits)} moves, p50 {1000 * waits[len(waits) // 2]:.0f} ms, p99"
          f" {1000 * usual:.0f} ms, at worst {1000 * waits[-1]:.0f} ms; {len(bot)} of the bot,"
          f" p50 {bot[len(bot) // 2]:.2f} s, at worst {bot[-1]:.2f} s;"
          f" lobby p99 {1000 * lobby:.0f} ms, at worst {1000 * found['lobby'][-1]:.0f} ms;"
          f" {found['grown'] / 1e6:.1f} MB stored")  # fmt: skip
    assert len(waits) > seconds / 4
    assert found["grown"] <= MAX_GROWTH
    assert usual < MAX_WAIT
    assert lobby < MAX_LOBBY
    assert bot[-1] < MAX_BOT
