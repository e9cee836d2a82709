"""Seconds of a processor: who gets them when there are not enough for all."""

from __future__ import annotations

import asyncio
from bisect import bisect_right
from concurrent.futures import Future
from functools import partial
from math import sqrt
from pathlib import Path
from random import Random as Chance
from typing import ClassVar

import pytest

from house.recording import connect, create_table, hub_on
from rage import Game
from rage.bots import Budget, Random
from rage.game.view import View
from rage.house.base.thinking import Asker
from rage.house.limits import THINKING, THINKING_IN_CROWD
from rage.house.operating.housekeeping import Housekeeping
from rage.house.tables import audience, automation
from rage.house.tables import services as place_services
from rage.house.tables.hub import Hub
from rage.house.tables.room import Room
from rage.house.tables.services import Services
from rage.rules.values import Move
from rage.server.stores import STORE
from rage.server.work import bot_pool
from rage.server.work.bot_pool import BotPool
from rage.server.work.fair_queue import FairQueue
from rage.table import BotTurn, Start, StepIn
from server.running import wait_until
from server.stored import sqlite_store


class Worker:
    """Work in a queue that ends when a test says so. ``begun``: what has begun, in order."""

    def __init__(self, most: int) -> None:
        self.queue = FairQueue(most)
        self.begun: list[Asker] = []
        self.at_work: dict[Asker, Future[None]] = {}
        self.tasks: list[asyncio.Task[None]] = []

    def add(self, asker: Asker) -> None:
        """One more piece of work."""

        def begin() -> Future[None]:
            assert asker not in self.at_work
            self.begun.append(asker)
            self.at_work[asker] = Future()
            self.at_work[asker].set_running_or_notify_cancel()
            return self.at_work[asker]

        self.tasks.append(asyncio.ensure_future(self.queue.run(asker, begin)))

    async def end(self, asker: Asker) -> None:
        """Let a piece of work end."""
        self.at_work.pop(asker).set_result(None)
        for _ in range(4):
            await asyncio.sleep(0)


def asker(name: str, address: str | None, *, here: bool = True) -> Asker:
    return Asker(name, frozenset((address,)), here)


async def test_who_asks_for_much_waits_for_themselves() -> None:
    """However many tables one address has, another finds a free processor."""
    work = Worker(2)
    for number in range(60):
        work.add(asker(f"table {number}", "1.1.1.1"))
    await asyncio.sleep(0)
    assert len(work.at_work) == 1
    for turn in range(5):
        other = asker(f"other {turn}", "2.2.2.2")
        work.add(other)
        await asyncio.sleep(0)
        assert other in work.at_work
        await work.end(work.begun[-2])
        await work.end(other)
    assert [each.name for each in work.begun if each.addresses == {"1.1.1.1"}] == [
        f"table {number}" for number in range(6)
    ]


async def test_a_home_with_many_networks_has_a_few_turns() -> None:
    """Ann, who asks last, waits for one piece of work, not for that of each network."""
    work = Worker(1)
    for number in range(60):
        work.add(asker(f"table {number}", f"2001:db8:0:{number:x}::/64"))
    await asyncio.sleep(0)
    work.add(asker("ann", "192.0.2.1"))
    await work.end(work.begun[-1])
    assert work.begun[-1].name == "ann"


async def test_people_who_are_connected_come_first() -> None:
    work = Worker(1)
    for name, here in (("first", False), ("absent", False), ("present", True)):
        work.add(asker(name, name, here=here))
    await asyncio.sleep(0)
    await work.end(work.begun[-1])
    await work.end(work.begun[-1])
    assert [each.name for each in work.begun] == ["first", "present", "absent"]


@pytest.mark.parametrize("seed", range(8))
async def test_no_work_is_lost_and_none_is_done_out_of_turn(seed: int) -> None:
    chance, most = Chance(seed), 1 + seed % 4
    work = Worker(most)
    askers = [
        Asker(f"table {number}", frozenset(chance.sample(("1", "2", "3", None), 1 + number % 2)))
        for number in range(6)
    ]
    added = 0
    while added < 100 or work.at_work:
        if added < 100 and chance.random() < 0.6:
            work.add(chance.choice(askers))
            added += 1
            await asyncio.sleep(0)
        elif work.at_work:
            if chance.random() < 0.1:
                chance.choice(work.tasks).cancel()
            await work.end(chance.choice([*work.at_work]))
        assert len(work.at_work) <= most
        for address in "123":
            here = [each for each in work.at_work if each.addresses == {address}]
            assert len(here) <= max(1, most - 1)
    await asyncio.wait(work.tasks)
    assert (len(work.queue), work.queue._used) == (0, {})


class Looks(Random):
    """A bot that notes how much it may think."""

    budgets: ClassVar[list[Budget | None]] = []

    def choose(self, view: View, budget: Budget | None = None) -> Move:
        self.budgets.append(budget)
        return super().choose(view, budget)


async def test_bots_look_less_far_ahead_while_others_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot_pool, "bot", lambda name, seed: Looks(seed))
    monkeypatch.setattr(Looks, "budgets", [])
    pool, game = BotPool(1), Game("poof", 4, seed="1")
    view = game.view(game.to_act)
    asked = [pool.choose("deep", 1, view, asker(f"table {at}", "1.1.1.1")) for at in range(3)]
    await asyncio.gather(*asked)
    assert [each and each.seconds for each in Looks.budgets] == [
        THINKING, THINKING_IN_CROWD, THINKING,
    ]  # fmt: skip
    await pool.choose("steady", 1, view, asker("table", "1.1.1.1"))
    assert Looks.budgets[-1] is None
    pool.close()


async def test_bots_rest_where_nobody_has_been_for_a_minute(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Until somebody connects, through restarts too."""
    monkeypatch.setattr(audience, "REST_AFTER", 0.2)
    hub = hub_on(tmp_path, delay=0.02)
    code = await create_table(hub, "ann", players=4, rules="poof")
    ann = await connect(hub, code, "ann")
    await hub.do(code, Start("random"), "ann")
    await hub.do(code, StepIn(0), "ann")
    here = hub.rooms[code]
    seq = here.table.seq
    await wait_until(lambda: here.table.seq > seq)
    here.leave(ann.client)
    await wait_until(lambda: not here.automation.at_work)
    assert here.table.bot_to_act() is not None
    seq = here.table.seq
    await connect(hub, code, "ann")
    await wait_until(lambda: here.table.seq > seq + 5)
    await hub.close()
    again = hub_on(tmp_path)
    await Housekeeping(again).wake()
    seq = (await again.table(code)).seq
    again.rooms[code].automation.update()
    assert not again.rooms[code].automation.at_work
    assert again.rooms[code].idle or again.rooms[code].presence.unsettled
    await connect(again, code, "ann")
    await wait_until(lambda: again.rooms[code].table.seq > seq + 5)
    await again.close()


async def test_how_long_a_bot_thought_shows_in_whole_steps_only(tmp_path: Path) -> None:
    hub = hub_on(tmp_path, delay=0.7)
    pauses = [hub.services.bot_delay(0) for _ in range(200)]
    assert 0.35 <= min(pauses) < max(pauses) <= 1.05
    for thought in (0.2, 0.9, 3.3):
        hub.services._random.seed(1)
        pause = hub.services.bot_delay(0)
        hub.services._random.seed(1)
        more = thought + hub.services.bot_delay(thought) - pause
        assert more / 0.35 == pytest.approx(round(more / 0.35))
        assert max(thought, pause) <= pause + more + 1e-9
    assert Services(hub.services.store, hub.services.thinking, delay=0).bot_delay(0.3) == 0
    await hub.close()


class Timed(BotPool):
    """Thinks by a clock of its own, for longer the more it may choose from."""

    def __init__(self) -> None:
        super().__init__(1)
        self.chance, self.now = Chance(5), 0.0

    async def choose(self, name: str, seed: int, view: View, asker: Asker) -> Move:
        legal = view.legal_moves
        self.now += 0.0 if len(legal) == 1 else self.chance.uniform(0.1, 0.09 * len(legal))
        return self.chance.choice(legal)


def is_over(room: Room) -> bool:
    return room.table.phase == "over"


async def test_how_long_a_bot_takes_does_not_tell_whether_it_had_a_choice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the test of Kolmogorov and Smirnov at 5 %, over the cards of several games of eight."""
    clock, pauses = Timed(), {True: list[float](), False: list[float]()}
    hold = automation.Automation._pause

    def pause(self: automation.Automation, turn: BotTurn, thought: float | None) -> float:
        seconds = hold(self, turn, thought)
        if not turn.view.bidding:
            pauses[len(turn.view.legal_moves) == 1].append(seconds + (thought or 0.0))
        return 0.0

    seeds = Chance(7)
    monkeypatch.setattr(place_services, "new_seed", lambda: seeds.randbytes(16))
    monkeypatch.setattr(automation, "monotonic", lambda: clock.now)
    monkeypatch.setattr(automation.Automation, "_pause", pause)
    services = Services(sqlite_store(tmp_path / STORE), clock, delay=0.4)
    services._random.seed(3)
    services.store.now = services.now
    hub = Hub(services)
    for game in range(4):
        code = await create_table(hub, f"ann{game}", players=8, rules="poof+schedule:11.8")
        ann = await connect(hub, code, f"ann{game}")
        await hub.do(code, Start("deep"), ann.person)
        await hub.do(code, StepIn(0), ann.person)
        await wait_until(partial(is_over, hub.rooms[code]), 120)
    forced, free = (sorted(pauses[kind]) for kind in (True, False))
    assert min(len(forced), len(free)) > 150
    gap = max(
        abs(bisect_right(forced, at) / len(forced) - bisect_right(free, at) / len(free))
        for at in (*forced, *free)
    )
    assert gap < 1.358 * sqrt(1 / len(forced) + 1 / len(free))
    await hub.close()
