"""The friendly clock and bots that step in, over real sockets, through restarts."""

from __future__ import annotations

import asyncio
import contextlib
import json
import multiprocessing
import signal
import threading
import time
from pathlib import Path
from random import Random as Chance

import pytest

from rage.bots import Random
from rage.history import MOVES, Move
from rage.server import hub, room, thinking
from rage.server.config import Config
from rage.table import Clock, Options, Start
from rage.view import View
from server.conftest import Launch
from server.ears import gathered, hub_on, listening, settled
from server.inside import living
from server.running import Running, opened
from server.sitting import Guest, sitting
from server.test_slow import gone, people

CLOCK = {"nudge": 1, "ask": 2, "hand_over": 3}


async def seated(guests: list[Guest]) -> tuple[Guest, Guest]:
    """Who is to act, and who waits, after the start of a game of two."""
    ann, ben = guests
    await ben.do("join", name="Ben")
    await ann.ask("start")
    for guest in guests:
        await guest.fact("dealt")
    return (ann, ben) if ann.turn is not None else (ben, ann)


async def test_the_clock_nudges_asks_and_hands_over(server: Running) -> None:
    """And the seat is given back with one message."""
    a, b = server.someone("Ann"), server.someone("Ben")
    options = {"clock": CLOCK, "takeover": "at_once"}
    code = opened(a, "poof", players=2, options=options)
    async with sitting(server.url, code, a) as ann, sitting(server.url, code, b) as ben:
        late, waiting = await seated([ann, ben])
        times = {}
        for kind in ("nudged", "asked", "stepped_in"):
            await waiting.fact(kind)
            times[kind] = waiting.told[-1]["at"]
        dealt = next(m["at"] for m in waiting.told if "dealt" in str(m))
        waits = [times[kind] - dealt for kind in ("nudged", "asked", "stepped_in")]
        for wait, wanted in zip(waits, (1000, 2000, 3000), strict=True):
            assert wanted <= wait < wanted + 700
        assert (await waiting.fact("played"))["by"] == "bot"
        seat = late.table["me"]["seat"]
        await late.do("take_back")
        assert (await waiting.fact("took_back")).get("seat", 0) == seat


async def test_a_bot_plays_for_who_is_gone_until_they_come_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(room, "MISSED", 0.2)
    with (
        living(Config(tmp_path / "data", bot_delay=0)) as (url, _, _),
        people(url, "Ann", "Ben") as (a, b),
    ):
        code = opened(a, "poof", players=2, options={"takeover": "at_once", "grace": 1})
        async with sitting(url, code, a) as ann:
            async with sitting(url, code, b) as ben:
                await seated([ann, ben])
                seat = ben.table["me"]["seat"]
            away = time.monotonic()
            assert (await ann.fact("stepped_in"))["seat"] == seat
            assert 1.1 < time.monotonic() - away < 3
            rng = Chance(1)
            while not any(fact.get("by") == "bot" for fact in ann.facts):
                if ann.turn is not None:
                    await ann.play(rng)
                else:
                    await ann.hear()
            async with sitting(url, code, b) as again:
                await again.do("take_back")
                await ann.fact("took_back")
                while again.turn is None:
                    if ann.turn is not None:
                        await ann.play(rng)
                    await again.hear()


async def test_a_vote_lets_a_bot_step_in(server: Running) -> None:
    quick = {"nudge": 1, "ask": 1, "hand_over": 1}
    a, b = server.someone("Ann"), server.someone("Ben")
    code = opened(a, "poof", players=2, options={"clock": quick, "takeover": "vote"})
    async with sitting(server.url, code, a) as ann, sitting(server.url, code, b) as ben:
        late, waiting = await seated([ann, ben])
        await waiting.fact("asked")
        await waiting.do("vote", seat=late.table["me"]["seat"], yes=True)
        await late.fact("stepped_in")


async def test_the_time_at_which_a_table_is_due_is_stored_with_it(tmp_path: Path) -> None:
    """Another hub on the same file wakes it then, and not before; and only once."""
    now = [1_000_000]
    first = hub_on(tmp_path, now=lambda: now[0])
    options = Options(takeover="at_once", clock=Clock(10, 20, 30))
    code = await gathered(first, "ann", "ben", rules="poof", options=options)
    await first.do(code, Start(), "ann")
    seq = (await first.table(code)).seq
    await first.close()
    second = hub_on(tmp_path, now=lambda: now[0])
    steps: tuple[tuple[int, list[str]], ...]
    steps = ((9, []), (13, ["nudged"]), (14, []), (23, ["asked"]), (33, ["stepped_in"]))
    for seconds, kinds in steps:
        now[0] = 1_000_000 + 1000 * seconds
        await second.wake()
        if code in second.rooms:
            await settled(second.rooms[code])
        rows = await second.store.events(code, seq)
        seq += len(rows)
        found = [json.loads(row)["type"] for row in rows]
        assert [kind for kind in found if kind != "played"] == kinds, (seconds, found)
    await second.close()


@pytest.mark.long
async def test_due_clocks_fire_after_a_restart(launch: Launch) -> None:
    """Though nobody comes back."""
    first: Running = launch()
    a, b = first.someone("Ann"), first.someone("Ben")
    code = opened(a, "poof", players=2, options={"clock": CLOCK, "takeover": "at_once"})
    async with sitting(first.url, code, a) as ann, sitting(first.url, code, b) as ben:
        _, waiting = await seated([ann, ben])
        seq = waiting.seq
        first.process.send_signal(signal.SIGKILL)
    first.process.wait()
    second: Running = launch(port=first.port)
    await asyncio.sleep(hub.SWEEP + CLOCK["nudge"] + 1)
    async with sitting(second.url, code, waiting.client, since=seq) as again:
        assert "nudged" in {fact["type"] for fact in again.facts}


async def test_bots_go_on_after_a_restart(launch: Launch) -> None:
    first: Running = launch()
    a = first.someone("Ann")
    code = opened(a, "poof", players=4, bots=["random", "steady", "random"], start=True)
    rng = Chance(4)
    async with sitting(first.url, code, a) as ann:
        for _ in range(8):
            while ann.turn is None:
                await ann.hear()
            await ann.play(rng)
        first.process.send_signal(signal.SIGKILL)
    first.process.wait()
    second: Running = launch(port=first.port)
    async with sitting(second.url, code, a, since=ann.seq) as again:
        for _ in range(3):
            while again.turn is None:
                await again.hear()
            await again.play(rng)


# Bots that are not as they should be.


class Raises:
    """A bot with a fault."""

    name = "random"

    def choose(self, view: View) -> Move:
        raise RuntimeError("a fault")


class Cheats(Raises):
    """A bot that plays what it may not."""

    def choose(self, view: View) -> Move:
        legal = view.legal_moves()
        return next(move for move in MOVES if move not in legal)


class Takes(Raises):
    """A bot that takes its time, and lets go of the interpreter meanwhile."""

    thinking = most = 0
    lock = threading.Lock()

    def choose(self, view: View) -> Move:
        with Takes.lock:
            Takes.thinking += 1
            Takes.most = max(Takes.most, Takes.thinking)
        time.sleep(0.05)
        with Takes.lock:
            Takes.thinking -= 1
        return Random(1).choose(view)


async def played_out(folder: Path, tables: int = 1) -> float:
    """Games of bots and one person who answers at once, until they are over; for how long at
    most nothing else had a turn."""
    held_up = 0.0

    async def watch() -> None:
        nonlocal held_up
        while True:
            before = time.monotonic()
            await asyncio.sleep(0.005)
            held_up = max(held_up, time.monotonic() - before - 0.005)

    async def one(number: int) -> None:
        code = await gathered(house, "ann", players=3, rules="poof+schedule:2")
        ann, rng = await listening(house, code, "ann"), Chance(number)
        await house.do(code, Start("random"), "ann")
        while not any(fact["type"] == "game_over" for fact in ann.facts.values()):
            if ann.turn is not None:
                await house.do(code, ann.choice(rng), "ann")
            await asyncio.sleep(0.002)

    house = hub_on(folder)
    watching = asyncio.create_task(watch())
    try:
        async with asyncio.timeout(30):
            await asyncio.gather(*map(one, range(tables)))
    finally:
        watching.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await watching
        await house.close()
    return held_up


@pytest.mark.parametrize("kind", [Raises, Cheats])
async def test_chance_speaks_for_a_bot_that_fails(
    kind: type[Raises],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr(thinking, "bot", lambda name, seed: kind())
    await played_out(tmp_path)
    assert "the bot random has failed" in caplog.text


async def test_only_so_many_bots_think_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(thinking, "bot", lambda name, seed: Takes())
    monkeypatch.setattr(Takes, "most", 0)
    monkeypatch.setattr(thinking, "AT_ONCE", 3)
    held_up = await played_out(tmp_path, tables=8)
    assert Takes.most == 3
    assert held_up < 0.5


async def test_bots_that_hold_the_interpreter_think_in_processes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One of which is killed in the middle; the next move is thought about in another."""
    monkeypatch.setattr(thinking, "lets_go", lambda name: False)
    monkeypatch.setattr(thinking, "AT_ONCE", 1)
    house = hub_on(tmp_path)
    code = await gathered(house, "ann", players=3, rules="poof+schedule:4")
    ann, rng = await listening(house, code, "ann"), Chance(1)
    await house.do(code, Start("random"), "ann")
    victims: set[int | None] = set()
    async with asyncio.timeout(40):
        while not any(fact["type"] == "game_over" for fact in ann.facts.values()):
            if ann.turn is not None:
                await house.do(code, ann.choice(rng), "ann")
            if len(victims) < 2:
                victims |= {child.pid for child in multiprocessing.active_children()}
            if len(victims) == 1 and len(ann.facts) > 12:
                for child in multiprocessing.active_children():
                    child.kill()
            await asyncio.sleep(0.005)
    await house.close()
    await gone(lambda: not multiprocessing.active_children(), 5)
    assert len(victims) == 2
