"""People who play on, whatever is done to the servers under them."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import time
from collections.abc import AsyncIterator
from pathlib import Path

from server.reconnecting import ReconnectingClient, check_against, stored_decisions
from server.running import PATIENCE, wait_until


class Siege:
    """The tables of a siege, and how long they have stood still. ``pace``: the seconds that
    everybody takes for a move."""

    def __init__(self, tables: list[list[ReconnectingClient]], pace: float = 0) -> None:
        self.tables = tables
        for client in itertools.chain(*tables):
            client.pace = pace
        #: For each table that lost a connection by a kill, the seconds until it moved.
        self.stalls: list[float] = []
        self._tasks: list[asyncio.Task[None]] = []

    @property
    def moves(self) -> int:
        """How many moves were shown."""
        return sum(max(len(each.shown) for each in clients) for clients in self.tables)

    @contextlib.asynccontextmanager
    async def playing(self) -> AsyncIterator[None]:
        """A context in which everybody plays, and goes home at its end."""
        everybody = [*itertools.chain(*self.tables)]
        self._tasks = tasks = [asyncio.ensure_future(each.run()) for each in everybody]
        try:
            yield
            for each in everybody:
                each.stop()
            await asyncio.wait_for(asyncio.gather(*tasks), PATIENCE)
        finally:
            for task in tasks:
                task.cancel()

    async def until_all_move(self, seconds: float, since: float, *, killed: bool = False) -> None:
        """Until every table has moved after a moment, or this has taken too long. ``killed``: at
        that moment a server was, and the stalls of the tables that it had are kept."""
        moving: dict[int, float] = {}
        while len(moving) < len(self.tables) and time.monotonic() < since + seconds:
            await asyncio.sleep(0.01)
            ended = [task for task in self._tasks if task.done()]
            assert not ended, [task.exception() for task in ended]
            for number, clients in enumerate(self.tables):
                # What was on its way when the connection broke is no sign of life.
                if any(each.moved_at > max(since, each.cut_at) for each in clients):
                    moving.setdefault(number, time.monotonic() - since)
                else:
                    moving.pop(number, None)
        late = [
            [(c.phase, c.seq, c.turn is not None, c.asked, time.monotonic() - c.told_at) for c in t]
            for number, t in enumerate(self.tables)
            if number not in moving
        ]
        assert not late, late
        if killed:
            self.stalls += [
                stall
                for number, stall in moving.items()
                if any(client.cut_at > since for client in self.tables[number])
            ]

    async def until_everybody_moves(self, seconds: float) -> None:
        """Until everybody, who has kept their seat, has made one more move."""
        before = {each: len(each.done) for each in itertools.chain(*self.tables)}
        await wait_until(lambda: all(len(each.done) > old for each, old in before.items()), seconds)

    def check_against(self, store: Path | str) -> int:
        """Check that whatever anybody was shown is stored, in its place and once; how many
        decisions are stored."""
        logs = stored_decisions(store)
        kept = sum(check_against(logs[clients[0].code], clients) for clients in self.tables)
        again = sum(each.again for each in itertools.chain(*self.tables))
        print(f"{self}, {kept} kept, {again} sent again")
        assert again
        return kept

    def __str__(self) -> str:
        moves = f"{self.moves} moves shown"
        if not self.stalls:
            return moves
        ordered = sorted(self.stalls)
        found = {share: ordered[len(ordered) * share // 101] for share in (50, 90, 99, 100)}
        within = ", ".join(f"{share} % within {stall:.2f} s" for share, stall in found.items())
        return f"{moves}, {len(ordered)} tables cut off, which moved again: {within}"
