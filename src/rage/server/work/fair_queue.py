"""The order in which jobs are started.

Jobs for connected people come first. Otherwise addresses take turns: first the one with the fewest
running jobs and, among equals, the fewest seconds used. An address that asks for more than its
share delays only itself.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Future
from math import ceil
from time import perf_counter
from typing import Final, TypeVar

from rage.house.base.thinking import Asker
from rage.house.limits.networks import shares

T = TypeVar("T")


class Job:
    """A job, queued or running. ``address``: the one it counts towards, or the name of the asker if
    addresses are not limited."""

    __slots__ = ("address", "asker", "started", "started_at")

    def __init__(self, asker: Asker, address: str) -> None:
        self.asker = asker
        self.address = address
        self.started_at = 0.0
        self.started: asyncio.Future[None] = asyncio.get_running_loop().create_future()


class FairQueue:
    """Queued and running jobs. At most ``most`` run at once, and one fewer for a single address, so
    that others find a free processor."""

    def __init__(self, most: int) -> None:
        self._most: Final = most
        self._most_of_address: Final = max(1, most - 1)
        self._waiting = list[Job]()
        self._running = set[Job]()
        self._busy = set[str]()  # the names of their askers
        self._of_address = Counter[str]()  # running jobs, also by the networks around an address
        # The seconds that each has used; of a network, the average over the addresses it counts
        # for. A returning address starts level with the others, as if it had used as much as the
        # last that began.
        self._used = dict[str, float]()
        self._baseline = 0.0

    def __len__(self) -> int:
        return len(self._waiting) + len(self._running)

    @property
    def crowded(self) -> bool:
        """Whether any job waits."""
        return bool(self._waiting)

    async def run(self, asker: Asker, begin: Callable[[], Future[T]]) -> T:
        """The result of a job, started with ``begin`` once it is this asker's turn. It counts as
        running until it ends, even if its result is no longer wanted."""
        job = await self._enter(asker)
        loop = asyncio.get_running_loop()

        def ended(_: Future[T]) -> None:
            with contextlib.suppress(RuntimeError):  # the server has stopped
                loop.call_soon_threadsafe(self._leave, job)

        try:
            work = begin()
        except BaseException:
            self._leave(job)
            raise
        work.add_done_callback(ended)
        return await asyncio.wrap_future(work)

    async def _enter(self, asker: Asker) -> Job:
        job = Job(asker, self._address_for(asker))
        self._waiting.append(job)
        self._let_in()
        try:
            await job.started
        except asyncio.CancelledError:
            if job in self._running:
                self._leave(job)
            else:
                self._waiting.remove(job)
            raise
        return job

    def _leave(self, job: Job) -> None:
        self._running.remove(job)
        self._busy.remove(job.asker.name)
        took = perf_counter() - job.started_at
        for network, factor in shares(job.address):
            self._of_address[network] -= 1
            self._used[network] += took / factor
        self._let_in()
        self._forget()

    def _address_for(self, asker: Asker) -> str:
        """The address that a job counts towards: the one with the best claim, so that no one can
        join a table to make its bots wait."""
        known = [each for each in asker.addresses if each is not None]
        if len(known) < len(asker.addresses) or not known:
            return asker.name
        return min(known, key=self._claim)

    def _claim(self, address: str) -> tuple[int, float]:
        """The sort key of an address: the lowest comes first. A larger network counts for several
        addresses, so that owning more addresses does not bring more turns."""
        found = shares(address)
        used = max(self._used.get(network, 0.0) for network, _ in found)
        running = max(self._of_address[network] / factor for network, factor in found)
        return ceil(running), max(used, self._baseline)

    def _let_in(self) -> None:
        while len(self._running) < self._most:
            eligible = [each for each in self._waiting if self._may_begin(each)]
            if not eligible:
                return
            first = min(eligible, key=lambda job: (not job.asker.here, *self._claim(job.address)))
            self._waiting.remove(first)
            self._begin(first)

    def _may_begin(self, job: Job) -> bool:
        most = max(self._of_address[network] for network, _ in shares(job.address))
        return job.asker.name not in self._busy and most < self._most_of_address

    def _begin(self, job: Job) -> None:
        self._baseline = self._claim(job.address)[1]
        for network, _ in shares(job.address):
            self._used[network] = max(self._used.get(network, 0.0), self._baseline)
            self._of_address[network] += 1
        self._running.add(job)
        self._busy.add(job.asker.name)
        job.started_at = perf_counter()
        if not job.started.cancelled():
            job.started.set_result(None)

    def _forget(self) -> None:
        """Forget the addresses without jobs that would start level with a new one."""
        jobs = (*self._waiting, *self._running)
        active = {network for job in jobs for network, _ in shares(job.address)}
        baseline = self._baseline if active else float("inf")
        for address in [*self._used]:
            if address not in active and self._used[address] <= baseline:
                del self._used[address]
        self._of_address = +self._of_address
