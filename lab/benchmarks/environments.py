"""How fast :class:`rage.envs.Tables` plays, compared with Pgx."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from lab.benchmarks.bench import Bench, Row
from lab.benchmarks.workers import Side, Speed, task

#: The batches among which the peer's best is taken.
BATCHES: Final = (256, 1024, 4096)
#: By figure, how many times as fast as the peer it is to be.
LEAST: Final = {"envs-legal": 10, "envs-compact": 3.5, "envs-full": 2}


def _best_batch(bench: Bench) -> Side:
    """Pgx's leduc_holdem, with the batch that is fastest just now."""
    sides = [task(bench.workers.peer("leduc"), str(batch)) for batch in BATCHES]

    def run(size: int, seed: int) -> Speed:
        done = [side(size, seed) for side in sides]
        return Speed(max(each.rate for each in done), sum(each.seconds for each in done))

    return run


def observing(name: str, bench: Bench) -> Row:
    """Steps of a table with random legal moves, against those of Pgx."""
    return bench.compare(bench.side("portable", name), _best_batch(bench), LEAST[name])


def two_threads(bench: Bench) -> Row:
    """Two threads against one."""
    two, one = (bench.side("portable", f"envs-{count}-threads") for count in (2, 1))
    return bench.compare(two, one, 1.7)


#: Each figure by its name, and what it is compared with.
TABLES_FIGURES: Final[dict[str, tuple[str, Callable[[Bench], Row]]]] = {
    **{name: ("Pgx's leduc_holdem", partial(observing, name)) for name in LEAST},
    "envs-threads": ("one thread", two_threads),
}
