"""The processors of this machine, and pools that use them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from itertools import islice
from typing import TypeVar

T = TypeVar("T")


def cores() -> int:
    """The number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


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
