"""The figures: how each is measured, and its target."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Sequence
from random import Random
from statistics import median
from time import perf_counter
from typing import Final

from lab.benchmarks.bench import Bench, Row
from lab.benchmarks.builds import ROOT
from lab.benchmarks.environments import TABLES_FIGURES
from lab.benchmarks.interfaces import INTERFACE_FIGURES
from lab.benchmarks.page.figures import PAGE_FIGURES
from lab.benchmarks.progress import Failure, say
from lab.benchmarks.server.figures import SERVER_FIGURES
from lab.benchmarks.simulating import SIMULATION_FIGURES
from lab.benchmarks.thinking import THINKING_FIGURES
from lab.benchmarks.workers import concurrently


def bulk_native(bench: Bench) -> Row:
    """Bulk play of oh_hell, built for this machine, against the rollouts of OpenSpiel."""
    return bench.compare(bench.side("native", "bulk"), bench.side("portable", "rollouts"), 8)


def bulk_portable(bench: Bench) -> Row:
    """Bulk play of oh_hell, portable build, against the rollouts of OpenSpiel."""
    return bench.compare(bench.side("portable", "bulk"), bench.side("portable", "rollouts"), 5)


def calls_integers(bench: Bench) -> Row:
    """Oh_hell with the kernel's integers, one call per move, against pyspiel."""
    ours = bench.side("portable", "position_calls")
    return bench.compare(ours, bench.side("portable", "spiel_calls"), 3)


def calls_game(bench: Bench) -> Row:
    """Oh_hell with ``Game`` and ``Move``, one call per move, against pyspiel."""
    ours = bench.side("portable", "game_calls")
    return bench.compare(ours, bench.side("portable", "spiel_calls"), 1)


def views_game(bench: Bench) -> Row:
    """Whole games of four random bots through views, a second on one core."""
    ours = bench.side("portable", "view_games")
    rates = []
    for number in range(bench.runs + 1):  # the first warms up
        say(f"run {number} of {bench.runs}" if number else "warming up")
        rates.append(ours(100, number).rate)
    rates = sorted(rates[1:])
    return Row(
        f"{median(rates):.0f} /s", "", f"{median(rates):.0f} /s",
        f"{rates[0]:.0f}-{rates[-1]:.0f}", ">= 500 /s", median(rates) >= 500,
    )  # fmt: skip


def tree_search(bench: Bench) -> Row:
    """Simulations of our tree search in oh_hell against OpenSpiel's."""
    ours = bench.side("portable", "tree_search")
    return bench.compare(ours, bench.side("portable", "spiel_tree_search"), 10)


def compiled(bench: Bench) -> Row:
    """Ten-round games of poof, compiled against uncompiled."""
    ours, theirs = bench.side("portable", "poof"), bench.side("uncompiled", "poof")
    if ours(5, 1).digest != theirs(5, 1).digest:
        raise Failure("compiled and uncompiled do not play the same games")
    return bench.compare(ours, theirs, 100)


def threads(bench: Bench) -> Row:
    """Bulk play of poof, two threads against two processes."""
    workers = [bench.workers.get("portable", number) for number in range(2)]
    ours = concurrently(workers[:1], "two_threads")
    return bench.compare(ours, concurrently(workers, "poof"), 0.9)


def importing(bench: Bench) -> Row:
    """What ``import rage`` adds to a bare interpreter, ``rage.Game`` loaded or not."""
    environment = bench.builds.environment("portable")
    everything = "import sys, rage; [getattr(rage, name) for name in rage.__all__]; "
    _run(["-c", f"{everything} sys.exit('numpy' in sys.modules)"], environment)
    programs = ("pass", "import rage", "import rage; rage.Game")
    times = _interleaved([["-c", program] for program in programs], environment, 3 * bench.runs)
    beyond = [sorted(a - b for a, b in zip(each, times[0], strict=True)) for each in times[1:]]
    worst = max(beyond, key=median)
    return Row(
        f"{1e3 * max(median(each) for each in times[1:]):.3g} ms",
        f"{1e3 * median(times[0]):.3g} ms",
        f"+{1e3 * median(worst):.3g} ms",
        f"{1e3 * worst[0]:.3g}-{1e3 * worst[-1]:.3g}",
        "<= 40 ms",
        median(worst) <= 0.040,
    )


def replay(bench: Bench) -> Row:
    """The whole process of ``rage replay`` for ten rounds of eight."""
    path = bench.folder / "game.rage.json"
    path.write_bytes(_record())
    program = "import sys; from rage.cli import main; sys.exit(main())"
    commands = [["-c", program, "replay", str(path)], ["-c", "pass"]]
    ours, bare = _interleaved(commands, bench.builds.environment("portable"), 2 * bench.runs)
    return Row(
        f"{median(ours):.3g} s",
        f"{median(bare):.3g} s",
        f"{median(ours):.3g} s",
        f"{min(ours):.3g}-{max(ours):.3g}",
        "<= 0.3 s",
        median(ours) <= 0.3,
    )


def envs_openspiel(bench: Bench) -> Row:
    """Oh_hell as a game of OpenSpiel in Python, with tensors, against its own in C++."""
    ours = bench.side("portable", "python_rage_tensors")
    return bench.compare(ours, bench.side("portable", "spiel_tensors"), 1)


def envs_ppo(bench: Bench) -> Row:
    """The seconds in which PPO learns to be ten points a game ahead of random play."""
    program = [str(ROOT / "examples" / "envs" / "ppo.py"), "--until", "10", "--every", "0.1"]
    (seconds,) = _interleaved([program], bench.builds.environment("portable"), 3)
    return Row(
        f"{median(seconds):.3g} s", "", f"{median(seconds):.3g} s",
        f"{min(seconds):.3g}-{max(seconds):.3g}", "<= 180 s", median(seconds) <= 180,
    )  # fmt: skip


def _record() -> bytes:
    """The record of a whole random game: the most players, and the edition that turns up most
    cards."""
    from rage import Game
    from rage.notation import record_of, write_record

    game, random = Game("amigo", 8, seed=b"benchmark"), Random(1)
    while legal := game.legal_moves:
        game.play(random.choice(legal))
    return write_record(record_of(game))


def _run(arguments: Sequence[str], environment: dict[str, str]) -> float:
    """The seconds that a Python process takes from start to end; its output is discarded."""
    started = perf_counter()
    done = subprocess.run(
        [sys.executable, *arguments],
        env=environment,
        cwd=ROOT / "lab" / "benchmarks",
        stdout=subprocess.DEVNULL,
        check=False,
    )
    seconds = perf_counter() - started
    if done.returncode:
        raise Failure(f"exit status {done.returncode}: python {' '.join(arguments)}")
    return seconds


def _interleaved(
    commands: Sequence[Sequence[str]], environment: dict[str, str], runs: int
) -> list[list[float]]:
    """The seconds that each command takes, in alternating runs, after one to warm up."""
    times: list[list[float]] = [[] for _ in commands]
    for number in range(runs + 1):
        say(f"run {number} of {runs}" if number else "warming up")
        for command, seconds in zip(commands, times, strict=True):
            seconds.append(_run(command, environment))
    return [seconds[1:] for seconds in times]


#: Each figure by name, and what it is compared with.
FIGURES: Final[dict[str, tuple[str, Callable[[Bench], Row]]]] = {
    "bulk-native": ("OpenSpiel's rollouts", bulk_native),
    "bulk-portable": ("OpenSpiel's rollouts", bulk_portable),
    "calls-integers": ("pyspiel", calls_integers),
    "calls-game": ("pyspiel", calls_game),
    "views-game": ("", views_game),
    "ismcts": ("OpenSpiel's ISMCTS", tree_search),
    "compiled": ("uncompiled", compiled),
    "threads": ("two processes", threads),
    "import": ("a bare interpreter", importing),
    "replay": ("a bare interpreter", replay),
    "envs-openspiel": ("OpenSpiel's oh_hell", envs_openspiel),
    "envs-ppo": ("", envs_ppo),
    **THINKING_FIGURES,
    **SIMULATION_FIGURES,
    **TABLES_FIGURES,
    **INTERFACE_FIGURES,
    **SERVER_FIGURES,
    **PAGE_FIGURES,
}
