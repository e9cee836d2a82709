"""Runs bots off the event loop: in threads if they are compiled and so release the GIL, otherwise
in processes, and only a limited number at once. Advice and analyses wait in the same queue."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import (
    BrokenExecutor,
    Executor,
    Future,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
)
from functools import partial
from typing import TypeVar

from rage.bots import bot
from rage.bots.advice import USUAL, Advice, advise
from rage.bots.cores import cores
from rage.bots.learned import within
from rage.bots.processes import process_pool, processes_of
from rage.engine.kernel import COMPILED
from rage.game.view import View
from rage.house.base.thinking import Asker
from rage.house.limits import THINKING, THINKING_IN_CROWD
from rage.rules.values import Move
from rage.server.work.fair_queue import FairQueue

T = TypeVar("T")


class BotPool:
    """Threads and processes for bots: ``most`` of them, by default one for each processor."""

    def __init__(self, most: int = 0) -> None:
        self._most = most or cores()
        self._queue = FairQueue(self._most)
        self._threads: Executor = ThreadPoolExecutor(self._most, "rage-think")
        self._processes: ProcessPoolExecutor | None = None

    @property
    def waiting(self) -> int:
        """How many pieces of work are running or waiting for a thread or process, including
        unwanted ones that cannot be stopped."""
        return len(self._queue)

    async def choose(self, name: str, seed: int, view: View, asker: Asker) -> Move:
        """The move that the bot called ``name`` chooses for a view; while other work waits, it
        looks less far ahead. Raises whatever the bot raises, and :class:`BrokenExecutor` if its
        process dies."""
        return await self._do(partial(_think, name, seed, view), asker, COMPILED)

    async def advise(self, view: View, asker: Asker) -> Advice:
        """Advice for the seat of a view, from fewer worlds while other work waits. Raises
        :class:`BrokenExecutor` like :meth:`choose`."""
        return await self._do(partial(_advise, view), asker, COMPILED)

    async def run(self, piece: Callable[[], T], asker: Asker) -> T:
        """Do a short piece of other work in one of the bots' threads."""
        return await self._do(lambda _: piece(), asker, in_thread=True)

    async def _do(self, work: Callable[[float], T], asker: Asker, in_thread: bool) -> T:
        """The result of work, which is passed the seconds it may think. If a process of the pool
        dies, so does the pool, and the next work gets a new one."""
        pool: Executor = self._threads

        def begin() -> Future[T]:
            nonlocal pool
            pool = self._threads if in_thread else self._in_processes()
            return pool.submit(work, THINKING_IN_CROWD if self._queue.crowded else THINKING)

        try:
            return await self._queue.run(asker, begin)
        except BrokenExecutor:
            if pool is self._processes:
                self._processes = None
            raise

    def _in_processes(self) -> ProcessPoolExecutor:
        if self._processes is None:  # most servers never need it
            self._processes = process_pool(self._most)
        return self._processes

    def close(self) -> None:
        """Stop without waiting for bots that are still thinking."""
        self._threads.shutdown(wait=False, cancel_futures=True)
        if self._processes is not None:
            own = processes_of(self._processes)
            self._processes.shutdown(wait=False, cancel_futures=True)
            for process in own:
                process.kill()


def _think(name: str, seed: int, view: View, seconds: float) -> Move:
    return bot(name, seed).choose(view, within(name, seconds))


def _advise(view: View, seconds: float) -> Advice:
    return advise(view, budget=USUAL.replace(seconds=seconds))
