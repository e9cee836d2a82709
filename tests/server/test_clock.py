"""The friendly clock and bots that step in, over real sockets, through restarts."""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import threading
import time
from concurrent.futures import BrokenExecutor
from pathlib import Path
from random import Random as Chance
from typing import ClassVar, Literal

import pytest

from house.recording import RecordingClient, connect, create_table, hub_on, wait_until_idle
from rage import Game
from rage.bots import Budget, Random
from rage.game.view import View
from rage.house.base.thinking import Asker
from rage.house.operating.housekeeping import Housekeeping
from rage.house.tables import automation, room, services
from rage.house.tables import hub as hubs
from rage.house.tables.hub import Hub
from rage.house.tables.presence import Presence
from rage.rules.values import MOVES, Move
from rage.server import app
from rage.server.config import Config
from rage.server.work import bot_pool
from rage.table import Clock, Options, Start
from server.conftest import Launch
from server.inside import server_in_process
from server.running import PATIENCE, STANDSTILL, Running, open_table, people, wait_until
from server.table_client import TableClient, connected, sit_down, start

Takeover = Literal["at_once", "vote"]
NOBODY = Asker("nobody", frozenset())
CLOCK = {"nudge": 1, "ask": 2, "hand_over": 3}


async def nobody_awaited(_self: Presence, _seat: int) -> bool:
    """For a room in which nobody is expected back."""
    return False


async def started_by_two(guests: list[TableClient]) -> tuple[TableClient, TableClient]:
    """Who is to act, and who waits, after the start of a game of two."""
    ann, ben = guests
    await sit_down(guests)
    await start(ann, ben)
    return (ann, ben) if ann.turn is not None else (ben, ann)


async def test_the_clock_nudges_asks_and_hands_over(server: Running) -> None:
    """And the seat is given back with one message."""
    a, b = server.someone("Ann"), server.someone("Ben")
    options = {"clock": CLOCK, "takeover": "at_once"}
    code = open_table(a, "poof", players=2, options=options)
    async with connected(server.url, code, a) as ann, connected(server.url, code, b) as ben:
        late, waiting = await started_by_two([ann, ben])
        times = {}
        for kind in ("nudged", "takeover_vote_opened", "stepped_in"):
            await waiting.fact(kind)
            times[kind] = waiting.messages[-1]["at"]
        dealt = next(m["at"] for m in waiting.messages if "dealt" in str(m))
        waits = [times[kind] - dealt for kind in ("nudged", "takeover_vote_opened", "stepped_in")]
        for wait, wanted in zip(waits, (1000, 2000, 3000), strict=True):
            assert wanted <= wait
        assert (await waiting.fact("played"))["by"] == "bot"
        seat = late.table["me"]["seat"]
        await late.do("take_back")
        assert (await waiting.fact("took_back")).get("seat", 0) == seat


async def test_a_bot_plays_for_an_absent_player_until_they_return(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(room, "ABSENCE_GRACE", 0.2)
    with (
        server_in_process(Config(tmp_path / "data", bot_delay=0)) as (url, _, _),
        people(url, "Ann", "Ben") as (a, b),
    ):
        code = open_table(a, "poof", players=2, options={"takeover": "at_once", "grace": 1})
        async with connected(url, code, a) as ann:
            async with connected(url, code, b) as ben:
                await started_by_two([ann, ben])
                seat = ben.table["me"]["seat"]
                away = time.monotonic()
            assert (await ann.fact("stepped_in"))["seat"] == seat
            assert time.monotonic() - away > 1.1
            rng = Chance(1)
            while not any(fact.get("by") == "bot" for fact in ann.facts):
                if ann.turn is not None:
                    await ann.play(rng)
                else:
                    await ann.receive()
            async with connected(url, code, b) as again:
                await again.do("take_back")
                await ann.fact("took_back")
                while again.turn is None:
                    if ann.turn is not None:
                        await ann.play(rng)
                    await again.receive()


async def test_the_hand_of_somebody_who_was_here_just_now_is_nobody_elses(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not for the word of the only other person; and with the cookie that had it, it comes back."""
    ahead = [0]
    monkeypatch.setattr(room, "ABSENCE_GRACE", 0.05)
    monkeypatch.setattr(services, "_clock", lambda: int(time.time() * 1000) + ahead[0])
    with (
        server_in_process(Config(tmp_path / "data", bot_delay=0)) as (url, _, _),
        people(url, "Ann", "Ben", "Eve") as (a, b, e),
    ):
        code = open_table(a, "poof", players=4, bots=["random"] * 2)
        async with connected(url, code, a) as ann, connected(url, code, e) as eve:
            async with connected(url, code, b) as ben:
                await ben.do("join", name="Ben")
                await start(ann, ben)
                seat = ben.table["me"]["seat"]
            await ann.fact("presence_set")
            refused = await eve.do("ask_for_seat", seat=seat, name="Ben (new)")
            assert refused["reason"]["code"] == "table.away_shortly"
            assert 0 < refused["reason"]["seconds"] <= 60, refused
            ahead[0] = 60_000
            await eve.do("ask_for_seat", seat=seat, name="Ben (new)")
            person = (await ann.fact("seat_requested"))["person"]
            await ann.do("give_seat", seat=seat, person=person)
            await eve.until(lambda _: (eve.table["me"] or {}).get("seat") == seat)
            async with connected(url, code, b) as again:
                await again.until(lambda _: (again.table["me"] or {}).get("seat") == seat)
                assert again.table["game"]["hand"]
                await eve.until(lambda _: eve.table["me"] is None)
                assert eve.table["game"] is None


async def table_after_a_restart(
    tmp_path: Path, takeover: Takeover = "at_once"
) -> tuple[Hub, str, list[str]]:
    """A hub on a table with everything of its clock long due; and who is to act, and the other."""
    now = [1_000_000]
    first = hub_on(tmp_path, now=lambda: now[0])
    options = Options(takeover=takeover, clock=Clock(10, 20, 30))
    code = await create_table(first, "ann", "ben", rules="poof", options=options)
    await first.do(code, Start(), "ann")
    state = (await first.table(code)).state
    assert state.to_act is not None
    people = [str(state.seats[seat].person) for seat in (state.to_act, 1 - state.to_act)]
    await first.close()
    now[0] += 3_600_000
    return hub_on(tmp_path, now=lambda: now[0]), code, people


async def test_after_a_restart_no_bot_steps_in_before_people_could_come_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hubs, "RETURN_GRACE", 1.0)
    monkeypatch.setattr(automation, "DEFERRED_WAIT", 0.05)
    hub, code, (late, waiting) = await table_after_a_restart(tmp_path)
    await Housekeeping(hub).wake()
    other = await connect(hub, code, waiting)
    state = hub.rooms[code].table.state
    assert state.to_act is not None
    seat = state.seats[state.to_act]
    assert (seat.person, seat.bot) == (late, None)
    await wait_until(lambda: "stepped_in" in [f["type"] for f in other.facts.values()])
    assert seat.bot == "steady"
    await wait_until_idle(hub.rooms[code])
    await hub.close()


@pytest.mark.parametrize("takeover", ["at_once", "vote"])
@pytest.mark.parametrize("woken", [False, True])
@pytest.mark.parametrize("first", [0, 1])
async def test_who_comes_back_after_a_restart_has_the_turn_anew(
    takeover: Takeover,
    woken: bool,
    first: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """No matter who comes first, and whether the server has looked at its tables before."""
    monkeypatch.setattr(hubs, "RETURN_GRACE", STANDSTILL)
    hub, code, people = await table_after_a_restart(tmp_path, takeover)
    if woken:
        await Housekeeping(hub).wake()
    for person in (people[first], people[1 - first]):
        room = await hub.room(code)
        await hub.services.start(room.enter(RecordingClient(person).client, None))
    state = hub.rooms[code].table.state
    await wait_until(lambda: state.turn_since == hub.services.now())
    assert state.guests[people[0]].present
    assert hub.rooms[code].table.due(hub.services.now()).commands == ()
    assert [seat.bot for seat in state.seats] == [None, None]
    assert state.nudged != state.ply
    assert state.asked != state.ply
    await hub.close()


async def test_the_time_at_which_a_table_is_due_is_stored_with_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another hub on the same file wakes it then, and not before; and only once."""
    monkeypatch.setattr(Presence, "may_still_return", nobody_awaited)
    now = [1_000_000]
    first = hub_on(tmp_path, now=lambda: now[0])
    options = Options(takeover="at_once", clock=Clock(10, 20, 30))
    code = await create_table(first, "ann", "ben", rules="poof", options=options)
    await first.do(code, Start(), "ann")
    seq = (await first.table(code)).seq
    await first.close()
    second = hub_on(tmp_path, now=lambda: now[0])
    steps: tuple[tuple[int, list[str]], ...]
    steps = (
        (9, []),
        (13, ["nudged"]),
        (14, []),
        (23, ["takeover_vote_opened"]),
        (33, ["stepped_in"]),
    )
    for seconds, kinds in steps:
        now[0] = 1_000_000 + 1000 * seconds
        await Housekeeping(second).wake()
        rows = await second.services.store.events(code, seq)
        seq += len(rows)
        found = [json.loads(row.data)["type"] for row in rows]
        assert [kind for kind in found if kind != "played"] == kinds, (seconds, found)
    await second.close()


YEAR = 365 * 24 * 3_600_000


async def decide_at(folder: Path, code: str, person: str, now: int) -> None:
    """Let a person make a decision at a table that is dated so."""
    house = hub_on(folder, now=lambda: now)
    recorder = await connect(house, code, person)
    await house.do(code, recorder.choice(Chance(1)), person)
    await house.close()


async def test_a_table_dated_by_a_clock_far_ahead_goes_on(launch: Launch, tmp_path: Path) -> None:
    """The machine's clock was a year ahead for a moment: nudges, votes and bots that step in go
    on from now."""
    first: Running = launch()
    a, b = first.someone("Ann"), first.someone("Ben")
    quick = {"nudge": 1, "ask": 2, "hand_over": 3}
    code = open_table(a, "poof", players=2, options={"clock": quick, "takeover": "vote"})
    async with connected(first.url, code, a) as ann, connected(first.url, code, b) as ben:
        late, _ = await started_by_two([ann, ben])
        person = late.table["me"]["person"]
    first.end()
    await decide_at(tmp_path / "data", code, person, int(time.time() * 1000) + YEAR)
    second: Running = launch(port=first.port)
    async with connected(second.url, code, a) as ann, connected(second.url, code, b) as ben:
        late, waiting = (ann, ben) if ann.turn is not None else (ben, ann)
        await waiting.fact("nudged", 5)
        await waiting.fact("takeover_vote_opened", 5)
        await waiting.do("vote", seat=late.table["me"]["seat"], yes=True)
        await late.fact("stepped_in")


async def test_the_clock_is_corrected_even_if_nobody_acts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Presence, "may_still_return", nobody_awaited)
    now = [YEAR]
    house = hub_on(tmp_path, now=lambda: now[0])
    options = Options(takeover="at_once", clock=Clock(10, 20, 30))
    code = await create_table(house, "ann", "ben", rules="poof", options=options)
    await house.do(code, Start(), "ann")
    seat = (await house.table(code)).to_act
    await house.close()
    await decide_at(tmp_path, code, ("ann", "ben")[seat or 0], 2 * YEAR)
    again = hub_on(tmp_path, now=lambda: now[0])
    seq = (await again.table(code)).seq
    person = await connect(again, code, "ben")
    steps: tuple[tuple[int, str], ...] = (
        (0, "clock_set"),
        (10, "nudged"),
        (20, "takeover_vote_opened"),
    )
    for seconds, kind in (*steps, (30, "stepped_in")):
        now[0] = YEAR + 1000 * seconds
        await (await again.room(code)).automation.do_what_is_due()
        found = [
            json.loads(row.data)["type"] for row in await again.services.store.events(code, seq)
        ]
        assert kind in found, (seconds, found)
    assert person.seq > seq
    await again.close()


async def test_a_jump_of_the_machines_clock_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The alarm looks again now and then, however long there seemed to be nothing to do."""
    assert automation.MAX_WAIT <= 60
    monkeypatch.setattr(automation, "MAX_WAIT", 0.05)
    now = [1_000_000]
    house = hub_on(tmp_path, now=lambda: now[0])
    options = Options(takeover="vote", clock=Clock(3600, 7200, 7200))
    code = await create_table(house, "ann", "ben", rules="poof", options=options)
    ann = await connect(house, code, "ann")
    await house.do(code, Start(), "ann")
    now[0] += 3_600_000
    async with asyncio.timeout(PATIENCE):
        while not any(fact["type"] == "nudged" for fact in ann.facts.values()):
            await asyncio.sleep(0.01)
    await house.close()


# Bots that are not as they should be.


class Raises:
    """A bot with a fault."""

    name = "random"

    def choose(self, view: View, budget: Budget | None = None) -> Move:
        raise RuntimeError("a fault")


class Cheats(Raises):
    """A bot that plays what it may not."""

    def choose(self, view: View, budget: Budget | None = None) -> Move:
        legal = view.legal_moves
        return next(move for move in MOVES if move not in legal)


class Takes(Raises):
    """A bot that takes its time, and releases the GIL meanwhile."""

    thinking = most = 0
    threads: ClassVar[set[int]] = set()
    lock = threading.Lock()

    def choose(self, view: View, budget: Budget | None = None) -> Move:
        with Takes.lock:
            Takes.thinking += 1
            Takes.most = max(Takes.most, Takes.thinking)
            Takes.threads.add(threading.get_ident())
        time.sleep(0.05)
        with Takes.lock:
            Takes.thinking -= 1
        return Random(1).choose(view)


async def play_out(folder: Path, tables: int = 1, thinking: int = 0) -> None:
    """Games of bots and one person who answers at once, until they are over."""

    async def one(number: int) -> None:
        code = await create_table(house, "ann", players=3, rules="poof+schedule:2")
        ann, rng = await connect(house, code, "ann"), Chance(number)
        await house.do(code, Start("random"), "ann")
        while not any(fact["type"] == "game_over" for fact in ann.facts.values()):
            if ann.turn is not None:
                await house.do(code, ann.choice(rng), "ann")
            await asyncio.sleep(0.002)

    house = hub_on(folder, thinking=thinking)
    try:
        async with asyncio.timeout(PATIENCE):
            await asyncio.gather(*map(one, range(tables)))
    finally:
        await house.close()


@pytest.mark.parametrize("kind", [Raises, Cheats])
async def test_a_bot_that_fails_plays_a_random_move(
    kind: type[Raises],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr(bot_pool, "bot", lambda name, seed: kind())
    await play_out(tmp_path)
    assert "the bot random has failed" in caplog.text


async def test_a_bot_need_not_wait_for_its_network(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor anybody else: it is read when the server starts, and not on the event loop."""
    read = list[int]()
    monkeypatch.setattr(app, "usable_network", lambda: read.append(threading.get_ident()))
    async with app.running(Config(tmp_path)):
        assert len(read) == 1
    assert threading.get_ident() not in read


async def test_only_so_many_bots_think_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bot_pool, "bot", lambda name, seed: Takes())
    monkeypatch.setattr(Takes, "most", 0)
    await play_out(tmp_path, tables=8, thinking=3)
    assert Takes.most == 3
    assert threading.get_ident() not in Takes.threads, "the event loop waits meanwhile"


async def test_what_nobody_wants_any_more_counts_until_it_is_done() -> None:
    """As its thread is taken for so long (the gauge ``rage_bots_waiting``)."""
    pool, begun, done = bot_pool.BotPool(), threading.Event(), threading.Event()

    def piece() -> None:
        begun.set()
        done.wait(PATIENCE)

    work = asyncio.ensure_future(pool.run(piece, NOBODY))
    await wait_until(begun.is_set)
    work.cancel()
    await asyncio.wait([work])
    assert (work.cancelled(), pool.waiting) == (True, 1)
    done.set()
    await wait_until(lambda: pool.waiting == 0)
    pool.close()


async def test_uncompiled_bots_think_in_processes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One of which is killed in the middle; the next move is thought about in another."""
    monkeypatch.setattr(bot_pool, "COMPILED", False)
    house = hub_on(tmp_path, thinking=1)
    code = await create_table(house, "ann", players=3, rules="poof+schedule:8")
    ann, rng = await connect(house, code, "ann"), Chance(1)
    await house.do(code, Start("random"), "ann")
    thinking = set[int | None]()
    async with asyncio.timeout(PATIENCE):
        while not any(fact["type"] == "game_over" for fact in ann.facts.values()):
            if ann.turn is not None:
                await house.do(code, ann.choice(rng), "ann")
            if not thinking and len(ann.facts) > 6:
                for child in multiprocessing.active_children():
                    thinking.add(child.pid)
                    child.kill()
            await asyncio.sleep(0.005)
    thinking |= {child.pid for child in multiprocessing.active_children()}
    await house.close()
    await wait_until(lambda: not multiprocessing.active_children())
    assert len(thinking) == 2


async def test_a_pool_counts_what_it_does_and_ends_only_what_is_its_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Whatever it is asked for, and though a process of it dies while it makes advice."""
    monkeypatch.setattr(bot_pool, "COMPILED", False)
    pool, game = bot_pool.BotPool(1), Game("poof+schedule:2", ["Ann", "Ben"], seed="1")
    assert game.to_act is not None
    view = game.view(game.to_act)
    with pytest.raises(ValueError, match="nobody"):
        await pool.choose("nobody", 1, view, NOBODY)
    assert pool.waiting == 0
    advising = asyncio.ensure_future(pool.advise(view, NOBODY))
    await asyncio.sleep(0)
    assert pool.waiting == 1
    (child,) = multiprocessing.active_children()
    child.kill()
    with pytest.raises(BrokenExecutor):
        await advising
    assert (await pool.advise(view, NOBODY)).moves
    assert pool.waiting == 0
    other = multiprocessing.get_context("spawn").Process(target=time.sleep, args=(60,))
    other.start()
    try:
        pool.close()
        await wait_until(lambda: multiprocessing.active_children() == [other])
        await asyncio.sleep(0.1)
        assert other.is_alive()
    finally:
        other.kill()
        other.join()
