"""Run many jobs at once, such as games, in processes, because a bot can hold the GIL while it
thinks."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import BrokenExecutor
from functools import partial
from threading import Thread
from time import monotonic
from typing import Final, TypeVar

from rage.arena.match import Match, Planned
from rage.arena.playing import Played, play
from rage.bots.cores import as_they_end
from rage.bots.processes import process_pool, processes_of
from rage.bots.program import kill_programs
from rage.say import NotAllowed

T = TypeVar("T")
#: How many jobs are queued for each process, so that none is idle.
_AHEAD: Final = 3
#: Seconds that all processes together have to end the programs that play in them.
_ENDING: Final = 2.0


def play_all(
    match: Match, games: Iterable[Planned], processes: int
) -> Generator[Played, None, None]:
    """Play games, and yield them as they end, as :func:`run_all` does."""
    return run_all((partial(play, match, each) for each in games), processes)


def run_all(jobs: Iterable[Callable[[], T]], processes: int) -> Generator[T, None, None]:
    """Yield the results of jobs as they end; ``processes=1`` runs them here, in their order. Raises
    what a job raises, and :class:`rage.NotAllowed` if a process dies."""
    if processes == 1:
        yield from (job() for job in jobs)
        return
    pool = process_pool(processes, _begin)
    try:
        yield from as_they_end(pool, jobs, processes * _AHEAD)
        pool.shutdown()
    except BrokenExecutor:
        raise NotAllowed("arena.process_died") from None
    finally:  # also if the caller stops early
        own = processes_of(pool)
        pool.shutdown(wait=False, cancel_futures=True)
        for process in own:
            process.terminate()
        until = monotonic() + _ENDING
        for process in own:
            process.join(max(0, until - monotonic()))
            process.kill()


def _begin() -> None:
    """Prepare a process: it leaves Ctrl-C to its parent, and neither it nor the programs that play
    in it outlive the parent, even one that is killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        kill_programs()
        os._exit(1)
