"""How fast the environments of PettingZoo and Gymnasium play, as users get them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from statistics import median
from typing import Final

from lab.benchmarks.bench import Bench, Row
from lab.benchmarks.progress import say
from lab.benchmarks.workers import task

#: By figure, the game of the peers, and how many times as fast it is to be.
PEERS: Final = {"envs-pettingzoo": ("hanabi", 25), "envs-pettingzoo-rlcard": ("bridge", 5)}
#: By figure, the steps a second that are wanted.
RATES: Final = {"envs-gymnasium": 40_000, "envs-gymnasium-tables": 250_000}


def against(name: str, bench: Bench) -> Row:
    """Steps of a table with four agents, against those of another card game."""
    game, least = PEERS[name]
    ours = bench.side("portable", "envs-pettingzoo")
    return bench.compare(ours, task(bench.workers.peer("cards"), game), least)


def against_steady(name: str, bench: Bench) -> Row:
    """Steps of one seat against three ``steady``, a second of processor time."""
    ours, least = bench.side("portable", name), RATES[name]
    size, rates = 1, []
    while ours(size, 0).seconds < bench.seconds / 2:
        size *= 2
    for number in range(bench.runs):
        say(f"run {number + 1} of {bench.runs}")
        rates.append(ours(size, number).rate)
    rates.sort()
    found = median(rates)
    return Row(
        f"{found:.0f} /s", "", f"{found:.0f} /s", f"{rates[0]:.0f}-{rates[-1]:.0f}",
        f">= {least} /s", found >= least,
    )  # fmt: skip


#: Each figure by its name, and what it is compared with.
INTERFACE_FIGURES: Final[dict[str, tuple[str, Callable[[Bench], Row]]]] = {
    "envs-pettingzoo": ("PettingZoo's hanabi_v5", partial(against, "envs-pettingzoo")),
    "envs-pettingzoo-rlcard": ("RLCard's bridge", partial(against, "envs-pettingzoo-rlcard")),
    **{name: ("", partial(against_steady, name)) for name in RATES},
}
