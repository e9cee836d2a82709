"""Where bots think, off the event loop: in threads if they release the GIL, otherwise in processes,
and never more at once than there are processors."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, ProcessPoolExecutor, ThreadPoolExecutor
from typing import Final, TypeVar

from rage.bots import Bot, bot
from rage.bots.advice import Advice, advise
from rage.history import Move
from rage.kernel import COMPILED
from rage.view import View

T = TypeVar("T")
#: How many bots may think at once.
MAX_THINKING: Final = os.cpu_count() or 1


class BotPool:
    """Threads and processes for bots. ``waiting`` counts the moves that are not chosen yet."""

    def __init__(self) -> None:
        self.waiting = 0
        self._threads: Executor = ThreadPoolExecutor(MAX_THINKING, "rage-think")
        self._processes: Executor | None = None

    async def choose(self, name: str, seed: int, view: View) -> Move:
        """The move that the bot called ``name`` chooses for a view. Raises whatever the bot
        raises, and :class:`BrokenExecutor` if its process dies."""
        self.waiting += 1
        chosen = bot(name, seed)
        pool = self._pool(chosen)
        try:
            loop = asyncio.get_running_loop()
            if pool is self._threads:
                return await loop.run_in_executor(pool, chosen.choose, view)
            return await loop.run_in_executor(pool, _think, name, seed, view)
        except BrokenExecutor:  # a process has died, and its pool with it
            if pool is self._processes:
                self._processes = None
            raise
        finally:
            self.waiting -= 1

    async def run(self, piece: Callable[[], T]) -> T:
        """Do a short piece of other work that releases the GIL, in a thread of the bots."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, piece)

    async def advise(self, view: View) -> Advice:
        """What to do, of the seat of a view, and why."""
        loop = asyncio.get_running_loop()
        if COMPILED:
            return await loop.run_in_executor(self._threads, advise, view)
        return await loop.run_in_executor(self._in_processes(), advise, view)

    def _pool(self, chosen: Bot) -> Executor:
        return self._threads if chosen.releases_gil else self._in_processes()

    def _in_processes(self) -> Executor:
        if self._processes is None:  # most servers never need it
            context = multiprocessing.get_context("spawn")
            self._processes = ProcessPoolExecutor(MAX_THINKING, context)
        return self._processes

    def close(self) -> None:
        """Stop without waiting for bots that are still thinking."""
        for pool in (self._threads, self._processes):
            if pool is not None:
                pool.shutdown(wait=False, cancel_futures=True)
        if self._processes is not None:
            for process in multiprocessing.active_children():
                process.kill()


def _think(name: str, seed: int, view: View) -> Move:
    return bot(name, seed).choose(view)
