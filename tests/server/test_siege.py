"""Two servers on one PostgreSQL, behind a proxy, with clocks a minute apart: killed, paused,
restarted and cut off while people play, and their database with them."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import time
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

import pytest

from server.fleet import Fleet
from server.fronts import Front
from server.postgres import cluster
from server.reconnecting import Siege, gather_tables
from server.running import STANDSTILL, busy

#: Within how many seconds of a kill every table moves, and half of those that were cut off.
SOON, SOONER = 3.0, 1.0
#: How many seconds a server may be silent, at most, before HAProxy sends its people elsewhere.
SILENT = 2.0
#: Sets the clock of a process, in seconds.
SKEWED = """
import time

now, now_ns = time.time, time.time_ns
time.time = lambda: now() + {seconds}
time.time_ns = lambda: now_ns() + {seconds} * 10**9
"""


@pytest.fixture(scope="module")
def fleet(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Fleet]:
    """Two servers whose clocks are a minute apart."""
    folder = tmp_path_factory.mktemp("siege")
    environments = []
    for seconds in (-30, 30):
        site = folder / f"clock{seconds}"
        site.mkdir()
        (site / "sitecustomize.py").write_text(SKEWED.format(seconds=seconds), encoding="utf-8")
        paths = filter(None, (str(site), os.environ.get("PYTHONPATH")))
        environments.append({"PYTHONPATH": os.pathsep.join(paths)})
    servers = Fleet(folder, environments=tuple(environments))
    yield servers
    servers.close()


@pytest.fixture
def front(fleet: Fleet, tmp_path: Path) -> Iterator[Front]:
    started = Front("haproxy", tmp_path, *fleet.ports)
    yield started
    started.end()


class Attack:
    """What is done to two servers and their database while people play."""

    def __init__(self, fleet: Fleet, siege: Siege, rng: Random, pause: float) -> None:
        self.fleet, self.siege, self.rng, self.pause = fleet, siege, rng, pause

    @property
    def busy(self) -> float:
        """How much slower everything is than on an idle machine."""
        return busy(self.fleet.servers[0])

    async def all_move(self, seconds: float, killed: float | None = None) -> None:
        """See every table move; ``killed``: when a server was."""
        allowed = seconds * self.busy + STANDSTILL
        since = time.monotonic() if killed is None else killed
        await self.siege.until_all_move(allowed, since, killed=killed is not None)

    async def kill(self) -> None:
        """Kill a server, and start it again once all play at the other one."""
        which, killed = self.rng.randrange(2), time.monotonic()
        await asyncio.to_thread(self.fleet.kill, which)
        await self.all_move(SOON, killed)
        await asyncio.to_thread(self.fleet.start, which)

    async def restart_database(self) -> None:
        """Restart the database as after a power cut."""
        await asyncio.to_thread(cluster().stop)
        await asyncio.to_thread(cluster().start)
        await self.all_move(SOON)

    async def cut(self) -> None:
        """End all connections with the database."""
        await cluster().cut(self.fleet.url)
        await self.all_move(SOON)

    async def stop(self, seconds: float) -> None:
        """Pause a server, which then believes that it has its tables, as do all others."""
        process = self.fleet.servers[self.rng.randrange(2)].process
        process.send_signal(signal.SIGSTOP)
        begun = time.monotonic()
        try:
            await self.all_move(SILENT + SOON)
            await asyncio.sleep(begun + seconds - time.monotonic())
        finally:
            process.send_signal(signal.SIGCONT)
        await self.all_move(SOON)

    async def run(self, kills: int, restarts: int, cuts: int, stops: int, stopped: float) -> None:
        """All of it, in any order, at random moments."""
        kinds = [self.kill] * kills + [self.restart_database] * restarts + [self.cut] * cuts
        kinds += [lambda: self.stop(stopped)] * stops
        self.rng.shuffle(kinds)
        async with self.siege.playing():
            await self.all_move(10)
            for strike in kinds:
                await asyncio.sleep(self.rng.uniform(0, self.pause))
                await strike()


def clock(fleet: Fleet, which: int) -> float:
    """What the clock of a server says, as it logs that."""
    fleet.servers[which].nobody().get("/")
    line = json.loads(fleet.servers[which].logged().splitlines()[-1])
    return datetime.fromisoformat(line["at"]).timestamp()


def besiege(
    fleet: Fleet, front: Front, *, tables: int, pause: float, pace: float, **strikes: Any
) -> Attack:
    """What it came to, once everything is seen to be stored."""
    assert clock(fleet, 1) - clock(fleet, 0) > 50
    rng = Random(3)
    siege = Siege(gather_tables(front, tables, 4, rng), pace)
    attack = Attack(fleet, siege, rng, pause)
    asyncio.run(attack.run(**strikes))
    siege.check_against(fleet.url)
    return attack


def test_no_move_that_was_shown_is_lost(fleet: Fleet, front: Front) -> None:
    attack = besiege(fleet, front, tables=8, kills=2, restarts=1, cuts=1, stops=1, stopped=3,
                     pause=0.5, pace=0.05)  # fmt: skip
    assert median(attack.siege.stalls) < SOONER * attack.busy


@pytest.mark.long
@pytest.mark.timeout(3600)
def test_no_move_is_lost_in_a_hundred_kills(fleet: Fleet, front: Front) -> None:
    """On a machine with nothing else to do: what it promises is not stretched. With ``-s`` it says
    how long the tables stood still."""
    attack = besiege(fleet, front, tables=50, kills=100, restarts=10, cuts=10, stops=5, stopped=10,
                     pause=2, pace=0.5)  # fmt: skip
    assert median(attack.siege.stalls) < SOONER
    assert max(attack.siege.stalls) < SOON


def test_a_rolling_restart_loses_no_move_and_no_seat(fleet: Fleet, front: Front) -> None:
    siege = Siege(gather_tables(front, 6, 3, Random(5), players=3), 0.05)
    attack = Attack(fleet, siege, Random(5), 0)

    async def restart() -> None:
        async with siege.playing():
            await attack.all_move(10)
            for which in (0, 1):
                assert await asyncio.to_thread(fleet.end, which) == 0
                await attack.all_move(SOON)
                await asyncio.to_thread(fleet.start, which)
                await siege.until_everybody_moves(20 * attack.busy)

    asyncio.run(restart())
    siege.check_against(fleet.url)
