"""`kill -9` of the server in the middle of games under load, and again, and again."""

from __future__ import annotations

import asyncio
import signal
import time
from random import Random

import pytest

from server.conftest import Launch
from server.reconnecting import Siege, gather_tables
from server.running import PATIENCE, STANDSTILL, Running, busy

#: The seconds within which every table moves after the server answers again.
SOON = 2.0


def besiege(
    launch: Launch,
    *,
    tables: int,
    kills: int,
    moves: int = 0,
    pause: tuple[float, float],
    seed: int = 7,
) -> None:
    """Kill a server as often as asked, and until enough moves were shown; each time, start it again
    and see everybody go on."""
    rng, server = Random(seed), launch()
    gathered = gather_tables(server, tables, 4, rng)
    gathered += gather_tables(server, max(1, tables // 4), 2, rng, bots=["steady", "random"])
    siege = Siege(gathered)

    async def strike() -> Running:
        """Returns the last server."""
        killed, last = 0, server
        async with siege.playing():
            await siege.until_all_move(PATIENCE, time.monotonic())
            while killed < kills or siege.moves < moves:
                killed += 1
                await asyncio.sleep(rng.uniform(*pause))
                await asyncio.to_thread(last.end, signal.SIGKILL)
                last = await asyncio.to_thread(launch, port=last.port)
                await siege.until_all_move(SOON * busy(last) + STANDSTILL, time.monotonic())
        return last

    assert asyncio.run(strike()).end() == 0
    assert moves <= siege.moves <= siege.check_against(server.data)


def test_no_move_that_was_shown_is_lost(launch: Launch) -> None:
    besiege(launch, tables=4, kills=2, pause=(0.2, 0.6))


@pytest.mark.long
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("seed", range(10))
def test_no_move_of_a_hundred_thousand_is_lost(launch: Launch, seed: int) -> None:
    """Thirty kills, in ten runs with twenty tables each: people play five games and go home, they
    don't stay at one table for a hundred."""
    besiege(launch, tables=16, kills=3, moves=10_000, pause=(1, 2), seed=seed)
