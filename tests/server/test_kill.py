"""`kill -9` of the server in the middle of games under load, and again, and again."""

from __future__ import annotations

import asyncio
import signal
import time
from random import Random

import pytest

from server.conftest import Launch
from server.reconnecting import ReconnectingClient, check_against, gather_tables, stored_decisions
from server.running import STANDSTILL, Running, busy

#: The seconds within which every table moves after the server answers again.
SOON = 2.0


class Siege:
    """A server that is killed while people play on it, and started again on the same port."""

    def __init__(
        self, launch: Launch, tables: list[list[ReconnectingClient]], server: Running
    ) -> None:
        self.launch, self.tables, self.server = launch, tables, server
        self.slowest = 0.0
        self.kills = 0

    @property
    def moves(self) -> int:
        """How many moves were shown."""
        return sum(max(len(each.shown) for each in clients) for clients in self.tables)

    async def until(self, wanted: float, since: float) -> None:
        """Until every table has moved after a moment, or this has taken too long."""
        while time.monotonic() < since + wanted:
            if all(max(c.moved_at for c in clients) > since for clients in self.tables):
                break
            await asyncio.sleep(0.01)
        late = [
            [(c.phase, c.seq, c.turn is not None, c.asked, time.monotonic() - c.told_at) for c in t]
            for t in self.tables
            if max(c.moved_at for c in t) <= since
        ]
        assert not late, late
        self.slowest = max(self.slowest, time.monotonic() - since)

    async def strike(self, rng: Random, pause: tuple[float, float]) -> None:
        """Kill it, start it, and see everybody go on."""
        await asyncio.sleep(rng.uniform(*pause))
        port = self.server.port
        self.server.process.send_signal(signal.SIGKILL)
        self.kills += 1
        await asyncio.to_thread(self.server.process.wait)
        self.server = await asyncio.to_thread(self.launch, port=port)
        await self.until(SOON * busy(self.server) + STANDSTILL, time.monotonic())

    async def withstand(
        self, kills: int, moves: int, rng: Random, pause: tuple[float, float]
    ) -> None:
        """All of it: the number of kills, and of moves shown."""
        everybody = [each for clients in self.tables for each in clients]
        playing = [asyncio.ensure_future(each.run()) for each in everybody]
        await self.until(10.0 * busy(self.server), time.monotonic())
        for _ in range(kills):
            await self.strike(rng, pause)
            ended = [task for task in playing if task.done()]
            assert not ended, [task.exception() for task in ended]
        while self.moves < moves:
            await self.strike(rng, pause)
        for each in everybody:
            each.stop()
        await asyncio.wait_for(asyncio.gather(*playing), 20)


def besiege(
    launch: Launch,
    *,
    tables: int,
    kills: int,
    moves: int = 0,
    pause: tuple[float, float],
    seed: int = 7,
) -> None:
    rng = Random(seed)
    server = launch()
    gathered = gather_tables(server, tables, 4, rng)
    gathered += gather_tables(server, max(1, tables // 4), 2, rng, bots=["steady", "random"])
    siege = Siege(launch, gathered, server)
    asyncio.run(siege.withstand(kills, moves, rng, pause))
    assert siege.server.end() == 0
    logs = stored_decisions(siege.server.data)
    kept = sum(check_against(logs[clients[0].code], clients) for clients in gathered)
    again = sum(each.again for clients in gathered for each in clients)
    doubled = [
        each for clients in gathered for c in clients for each in c.refusals
        if each["reason"]["code"] == "table.doubled"
    ]  # fmt: skip
    print(f"{siege.kills} kills, {siege.moves} moves shown, {kept} kept, {again} sent again,"
          f" {len(doubled)} doubled, slowest {siege.slowest:.2f} s")  # fmt: skip
    assert again
    assert siege.kills >= kills
    assert moves <= siege.moves <= kept


def test_no_move_that_was_shown_is_lost(launch: Launch) -> None:
    besiege(launch, tables=4, kills=2, pause=(0.2, 0.6))


@pytest.mark.long
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("seed", range(10))
def test_no_move_of_a_hundred_thousand_is_lost(launch: Launch, seed: int) -> None:
    """Thirty kills, in ten runs with twenty tables each: people play five games and go home, they
    don't stay at one table for a hundred."""
    besiege(launch, tables=16, kills=3, moves=10_000, pause=(1, 2), seed=seed)
