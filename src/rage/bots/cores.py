"""The processors of this machine, and pools that use them."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, wait
from itertools import islice
from multiprocessing.process import BaseProcess
from typing import Final, TypeVar

T = TypeVar("T")
#: The most processes that Windows can wait for at once.
_MOST_ON_WINDOWS: Final = 61


def cores() -> int:
    """The number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def process_pool(most: int, begin: Callable[[], None] | None = None) -> ProcessPoolExecutor:
    """A pool of at most ``most`` processes (on Windows, at most 61), each of which calls ``begin``
    first. They are spawned, not forked from this one with its threads and locks."""
    if os.name == "nt":
        most = min(most, _MOST_ON_WINDOWS)
    return ProcessPoolExecutor(most, multiprocessing.get_context("spawn"), begin)


def processes_of(pool: ProcessPoolExecutor) -> list[BaseProcess]:
    """The processes of a pool that has not been shut down; this process may have other children.
    (From Python 3.14 on, a pool can end them itself.)"""
    return list((pool._processes or {}).values())


def as_they_end(pool: Executor, jobs: Iterable[Callable[[], T]], most: int) -> Iterator[T]:
    """Yield the results of jobs as they end, with at most ``most`` jobs in the pool. Raises what a
    job raises, after the results of the jobs that ended along with it."""
    waiting = iter(jobs)
    pending = set[Future[T]]()
    while True:
        pending |= {pool.submit(each) for each in islice(waiting, most - len(pending))}
        if not pending:
            return
        ended, pending = wait(pending, return_when=FIRST_COMPLETED)
        for each in sorted(ended, key=lambda each: each.exception() is not None):
            yield each.result()
