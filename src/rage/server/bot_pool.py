"""Where bots think, off the event loop: in threads if they release the GIL, otherwise in processes,
and never more at once than there are processors."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import (
    BrokenExecutor,
    Executor,
    Future,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
)
from typing import Any, Final, TypeVar, TypeVarTuple

from rage.bots import bot
from rage.bots.advice import Advice, advise
from rage.cores import cores, process_pool, processes_of
from rage.history import Move
from rage.kernel import COMPILED
from rage.view import View

T = TypeVar("T")
Given = TypeVarTuple("Given")
#: How many bots may think at once.
MAX_THINKING: Final = cores()


class BotPool:
    """Threads and processes for bots."""

    def __init__(self) -> None:
        self._undone: set[Future[Any]] = set()
        self._threads: Executor = ThreadPoolExecutor(MAX_THINKING, "rage-think")
        self._processes: ProcessPoolExecutor | None = None
        self._advising = asyncio.Semaphore(max(1, MAX_THINKING // 2))

    @property
    def waiting(self) -> int:
        """How many pieces of work are being done, or wait for a thread or process: those too that
        nobody wants any more but that cannot be stopped."""
        return len(self._undone)

    async def choose(self, name: str, seed: int, view: View) -> Move:
        """The move that the bot called ``name`` chooses for a view. Raises whatever the bot
        raises, and :class:`BrokenExecutor` if its process dies."""
        chosen = bot(name, seed)
        if chosen.releases_gil:
            return await self._submit(self._threads, chosen.choose, view)
        return await self._submit(self._in_processes(), _think, name, seed, view)

    async def run(self, piece: Callable[[], T]) -> T:
        """Do a short piece of other work that releases the GIL, in a thread of the bots."""
        return await self._submit(self._threads, piece)

    async def advise(self, view: View) -> Advice:
        """What to do, of the seat of a view, and why; of not all processors at once, so that bots
        need not wait for it. Raises :class:`BrokenExecutor` as :meth:`choose` does."""
        async with self._advising:
            pool = self._threads if COMPILED else self._in_processes()
            return await self._submit(pool, advise, view)

    async def _submit(self, pool: Executor, work: Callable[[*Given], T], *given: *Given) -> T:
        """The result of work in a pool. If a process of it dies, so does the pool, and the next
        work gets a new one."""
        try:
            future = pool.submit(work, *given)
            self._undone.add(future)
            future.add_done_callback(self._undone.discard)
            return await asyncio.wrap_future(future)
        except BrokenExecutor:
            if pool is self._processes:
                self._processes = None
            raise

    def _in_processes(self) -> ProcessPoolExecutor:
        if self._processes is None:  # most servers never need it
            self._processes = process_pool(MAX_THINKING)
        return self._processes

    def close(self) -> None:
        """Stop without waiting for bots that are still thinking."""
        self._threads.shutdown(wait=False, cancel_futures=True)
        if self._processes is not None:
            own = processes_of(self._processes)
            self._processes.shutdown(wait=False, cancel_futures=True)
            for process in own:
                process.kill()


def _think(name: str, seed: int, view: View) -> Move:
    return bot(name, seed).choose(view)
