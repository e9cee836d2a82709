"""Many games at once: in processes, for a bot may hold the interpreter's lock while it thinks."""

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

#: How many games each process is given at a time, so that none waits for the next.
_AHEAD: Final = 3
#: For how many seconds all processes together may end the programs that play there.
_ENDING: Final = 2.0


def play_all(
    match: Match, games: Iterable[Planned], processes: int
) -> Generator[Played, None, None]:
    """Play games, and return them as they end; with one process in this one, in their order.
    Raises what a bot raises, and :class:`rage.NotAllowed` where a process dies."""
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
    finally:  # also where whoever asked wants no more
        own = processes_of(pool)
        pool.shutdown(wait=False, cancel_futures=True)
        for process in own:
            process.terminate()
        until = monotonic() + _ENDING
        for process in own:
            process.join(max(0, until - monotonic()))
            process.kill()


def _begin() -> None:
    """Prepare a process: Ctrl-C is for the first one, and none outlives it, even if it is
    killed; nor do the programs that play in it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        kill_programs()
        os._exit(1)
