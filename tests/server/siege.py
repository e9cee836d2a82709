"""People who play on, whatever is done to the servers under them."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import time
from collections.abc import AsyncIterator
from pathlib import Path
from statistics import median

from server.reconnecting import ReconnectingClient, check_against, stored_decisions
from server.running import wait_until


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
            await asyncio.wait_for(asyncio.gather(*tasks), 20)
        finally:
            for task in tasks:
                task.cancel()

    async def until_all_move(
        self, seconds: float, since: float, struck: float | None = None
    ) -> None:
        """Until every table has moved after a moment, or this has taken too long. ``struck``: from
        when on a lost connection is the work of a kill, whose stalls are kept."""
        waiting = list(self.tables)
        while waiting and time.monotonic() < since + seconds:
            await asyncio.sleep(0.01)
            ended = [task for task in self._tasks if task.done()]
            assert not ended, [task.exception() for task in ended]
            moved = [each for each in waiting if max(c.moved_at for c in each) > since]
            waiting = [each for each in waiting if each not in moved]
            self.stalls += [
                time.monotonic() - since
                for clients in moved
                if struck is not None and any(client.cut_at > struck for client in clients)
            ]
        late = [
            [(c.phase, c.seq, c.turn is not None, c.asked, time.monotonic() - c.told_at) for c in t]
            for t in waiting
        ]
        assert not late, late

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
        return (f"{moves}, {len(self.stalls)} tables cut off, which moved after"
                f" {median(self.stalls):.2f} s, at most {max(self.stalls):.2f} s")  # fmt: skip
