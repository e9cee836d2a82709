"""Bots think beside the event loop: those that let go of the interpreter in threads, others in
processes of their own, and never more at once than there are processors."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
from concurrent.futures import BrokenExecutor, Executor, ProcessPoolExecutor, ThreadPoolExecutor
from typing import Final

from rage.bots import bot, lets_go
from rage.history import Move
from rage.view import View

#: How many bots may think at once.
AT_ONCE: Final = os.cpu_count() or 1


class Thinkers:
    """Where bots think. ``waiting`` counts those that have not answered yet."""

    def __init__(self) -> None:
        self.waiting = 0
        self._threads: Executor = ThreadPoolExecutor(AT_ONCE, "rage-think")
        self._processes: Executor | None = None

    async def choose(self, name: str, seed: int, view: View) -> Move:
        """What the bot called ``name`` chooses from a view."""
        self.waiting += 1
        pool = self._pool(name)
        try:
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(pool, _think, name, seed, view)
        except BrokenExecutor:  # a process has died, and its pool with it
            if pool is self._processes:
                self._processes = None
            raise
        finally:
            self.waiting -= 1

    def _pool(self, name: str) -> Executor:
        if lets_go(name):
            return self._threads
        if self._processes is None:  # most servers never need it
            context = multiprocessing.get_context("spawn")
            self._processes = ProcessPoolExecutor(AT_ONCE, context)
        return self._processes

    def close(self) -> None:
        """Wait for nobody."""
        for pool in (self._threads, self._processes):
            if pool is not None:
                pool.shutdown(wait=False, cancel_futures=True)
        if self._processes is not None:
            for process in multiprocessing.active_children():
                process.kill()


def _think(name: str, seed: int, view: View) -> Move:
    return bot(name, seed).choose(view)
