"""How fast ``rage simulate`` writes games."""

from __future__ import annotations

import resource
import shutil
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from statistics import median
from typing import Final

from lab.benchmarks.bench import Bench, Row
from lab.benchmarks.progress import Failure, say

#: The simplest bot that somebody might write.
_FIRST: Final = """
class First:
    def __init__(self, seed):
        pass

    def choose(self, view):
        return view.legal_moves[0]
"""
#: By figure: the bots, the games of a run, so many that starting counts little, and the games a
#: second on two cores that are wanted.
SIMULATED: Final = {
    "simulate-steady": ("steady", 30_000, 4500),
    "simulate-easy": ("easy", 3000, 400),
    "simulate-custom": ("python:first:First", 3000, 600),
}


def simulating(name: str, bench: Bench) -> Row:
    """Games a second that two cores write, from the processor time of all processes."""
    bots, games, least = SIMULATED[name]
    (bench.folder / "first.py").write_text(_FIRST, encoding="utf-8")
    rates = []
    for number in range(1 + -(-bench.runs // 3)):
        say(f"run {number}" if number else "warming up")
        rates.append(2 * games / _processor_seconds(bench, bots, games))
    rates = sorted(rates[1:])
    found = median(rates)
    return Row(
        f"{found:.0f} /s", "", f"{found:.0f} /s", f"{rates[0]:.0f}-{rates[-1]:.0f}",
        f">= {least} /s", found >= least,
    )  # fmt: skip


def _processor_seconds(bench: Bench, bots: str, games: int) -> float:
    """Those of a whole command with two processes, and of everything that it starts."""
    out = bench.folder / "simulated"
    shutil.rmtree(out, ignore_errors=True)
    program = "import sys; from rage.cli import main; sys.exit(main())"
    words = ["simulate", "--bots", bots, "--games", str(games), "--out", str(out)]
    before = _children()
    done = subprocess.run(
        [sys.executable, "-c", program, *words, "--processes", "2"],
        env=bench.builds.environment("portable"), cwd=bench.folder, capture_output=True,
        text=True, check=False,
    )  # fmt: skip
    if done.returncode:
        raise Failure(f"rage simulate failed:\n{done.stderr}")
    return _children() - before


def _children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


#: Each figure by its name, and what it is compared with.
SIMULATION_FIGURES: Final[dict[str, tuple[str, Callable[[Bench], Row]]]] = {
    name: ("", partial(simulating, name)) for name in SIMULATED
}
