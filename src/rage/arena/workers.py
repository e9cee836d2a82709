"""Plays many games at once, in processes, because a bot may hold the GIL while it thinks."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Generator, Iterable
from concurrent.futures import BrokenExecutor
from functools import partial
from threading import Thread
from time import monotonic
from typing import Final

from rage.arena.match import Match, Planned
from rage.arena.playing import Played, play
from rage.bots.program import kill_programs
from rage.cores import as_they_end, process_pool, processes_of
from rage.say import NotAllowed

#: How many games are queued for each process, so that none waits.
_AHEAD: Final = 3
#: Seconds that all processes together have to end the programs that play there.
_ENDING: Final = 2.0


def play_all(
    match: Match, games: Iterable[Planned], processes: int
) -> Generator[Played, None, None]:
    """Play games, and yield them as they end; with one process in this one, in their order. Raises
    what a bot raises, and :class:`rage.NotAllowed` if a process dies."""
    if processes == 1:
        yield from (play(match, each) for each in games)
        return
    pool = process_pool(processes, _begin)
    try:
        jobs = (partial(play, match, each) for each in games)
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
    """Prepare a process: Ctrl-C is for the first one, and neither this process nor the programs
    that play in it outlive it, even if it is killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        kill_programs()
        os._exit(1)
