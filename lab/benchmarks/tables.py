"""The work of the benchmarks with many tables in one call."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from time import perf_counter, process_time
from typing import Any, Final

#: The tables of a step.
TABLES: Final = 1024
#: The steps of a unit of work: a round of ten cards with four players, and the next deal.
STEPS: Final = 45
#: By task, what is observed.
OBSERVED: Final[dict[str, Any]] = {
    "envs-legal": None,
    "envs-compact": "compact",
    "envs-full": "full",
}


@cache
def _tables(observe: Any, count: int, threads: int) -> Any:
    """Tables at which random legal moves are made, in the middle of their play."""
    from rage.envs import Tables

    tables = Tables("poof", count, 1, observe=observe, illegal="random", threads=threads)
    out = tables.reset()
    return tables, out


def play(name: str, size: int, seed: int) -> tuple[int, float]:
    """``size`` rounds at every table: the steps, and the processor time that they took."""
    import numpy as np

    tables, out = _tables(OBSERVED[name], TABLES, 1)
    actions = np.full(TABLES, -1)
    started = process_time()
    for _ in range(STEPS * size):
        tables.step(actions, out=out)
    return STEPS * size * TABLES, process_time() - started


def play_threads(threads: int, size: int, seed: int) -> tuple[int, float]:
    """The same with full observations, eight times the tables, and by the clock."""
    import numpy as np

    tables, out = _tables("full", 8 * TABLES, threads)
    actions = np.full(8 * TABLES, -1)
    started = perf_counter()
    for _ in range(size):
        tables.step(actions, out=out)
    return size * 8 * TABLES, perf_counter() - started


TABLES_TASKS: Final[dict[str, Callable[[int, int], tuple[int, float]]]] = {
    **{name: partial(play, name) for name in OBSERVED},
    **{f"envs-{count}-threads": partial(play_threads, count) for count in (1, 2)},
}
