"""How long the levels think: the 95th percentile of the processor's time for a move."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from statistics import median
from typing import Final

from lab.benchmarks.bench import Bench, Row
from lab.benchmarks.progress import say

#: The most milliseconds that a level may take for 95 of 100 moves.
MOST: Final = {"easy": 1, "medium": 2, "hard": 50, "master": 300, "deep": 1000}


def thinking(level: str, bench: Bench) -> Row:
    """The 95th percentile for a level, over games of four and of eight."""
    worker = bench.workers.get("portable")
    found = []
    for number in range(3 if level in ("easy", "medium", "hard") else 1):
        say(f"game {number + 1}")
        worker.send(f"thinking_{level}", 1, number)
        found.append(1e3 * worker.receive()["seconds"])
    found.sort()
    took = median(found)
    return Row(
        f"{took:.3g} ms",
        "",
        f"{took / MOST[level]:.2g}x",
        f"{found[0]:.3g}-{found[-1]:.3g}",
        f"<= {MOST[level]} ms",
        took <= MOST[level],
    )


#: Each level's figure by its name, and what it is compared with.
THINKING_FIGURES: Final[dict[str, tuple[str, Callable[[Bench], Row]]]] = {
    f"thinking-{level}": ("", partial(thinking, level)) for level in MOST
}
