"""Pools of processes, for bots that do not release the GIL."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing.process import BaseProcess
from typing import Final

#: The most processes that Windows can wait for at once.
_MOST_ON_WINDOWS: Final = 61


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
