"""The processes that do the work, one for each build, and the comparison of two kinds of work."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any, Final, NamedTuple

from lab.benchmarks.builds import ROOT, Builds
from lab.benchmarks.progress import Failure, say
from lab.benchmarks.server.node import cache_folder


class Worker:
    """A process that waits for tasks, and first says what it is."""

    def __init__(self, command: Sequence[str], environment: Mapping[str, str]) -> None:
        self._process = subprocess.Popen(
            command,
            env=environment,
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.about = self.receive()

    def send(self, task: str, size: int, seed: int) -> None:
        """Start a task."""
        assert self._process.stdin is not None
        print(json.dumps({"task": task, "size": size, "seed": seed}), file=self._process.stdin)
        self._process.stdin.flush()

    def receive(self) -> dict[str, Any]:
        """Wait for the outcome of the task. Raises :class:`Failure` if the process has died."""
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise Failure("a worker has stopped; its error is above")
        answer: dict[str, Any] = json.loads(line)
        return answer

    def stop(self) -> None:
        """Kill the process."""
        self._process.kill()
        self._process.communicate()


class Workers:
    """The workers of a run, started when they are first needed."""

    def __init__(self, builds: Builds) -> None:
        self._builds = builds
        self._started: dict[tuple[str, int], Worker] = {}

    def get(self, build: str, number: int = 0) -> Worker:
        """The worker of a build; a second one of it is number 1."""
        if (build, number) not in self._started:
            command = [sys.executable, "-m", "lab.benchmarks.tasks"]
            worker = Worker(command, self._builds.environment(build))
            self._started[build, number] = worker
            if worker.about["compiled"] != (build != "uncompiled"):
                raise Failure(f"the {build} build is {'not ' * (build != 'uncompiled')}compiled")
        return self._started[build, number]

    def peer(self, name: str) -> Worker:
        """The worker `peers/NAME.py`, in an environment of its own with the packages of
        `peers/NAME.txt`."""
        if (name, 0) not in self._started:
            command = [str(python_with(name)), str(PEERS / f"{name}.py")]
            self._started[name, 0] = Worker(command, dict(os.environ))
        return self._started[name, 0]

    def stop(self) -> None:
        """Kill all of them."""
        for worker in self._started.values():
            worker.stop()


PEERS: Final = ROOT / "lab" / "benchmarks" / "peers"


def python_with(name: str) -> Path:
    """A Python with the packages that `peers/NAME.txt` lists, in a folder of the user's cache where
    it is made once. Raises :class:`Failure` if it cannot be."""
    listed = PEERS / f"{name}.txt"
    made = sha256(listed.read_bytes() + sys.version.encode()).hexdigest()[:12]
    folder = cache_folder() / f"{name}-{made}"
    python = folder / "bin" / "python"
    if not (folder / "made").exists():
        say(f"installing what {name} needs, once, into {folder}")
        for command in (
            [sys.executable, "-m", "venv", "--clear", str(folder)],
            [str(python), "-m", "pip", "install", "--quiet", "--requirement", str(listed)],
        ):
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            if done.returncode:
                raise Failure(f"{listed.name} could not be installed:\n{done.stderr}")
        (folder / "made").touch()
    return python


class Speed(NamedTuple):
    """One run: decisions per second, how long it took, and the digest of its results."""

    rate: float
    seconds: float
    digest: int | None = None


#: One side of a comparison: a function that does work of a given size, with a seed.
Side = Callable[[int, int], Speed]


def task(worker: Worker, name: str) -> Side:
    """A task of one worker, timed by it."""

    def run(size: int, seed: int) -> Speed:
        worker.send(name, size, seed)
        done = worker.receive()
        return Speed(done["moves"] / done["seconds"], done["seconds"], done["digest"])

    return run


def concurrently(workers: Sequence[Worker], name: str) -> Side:
    """The same task for several workers at once, timed from here until the last is done."""

    def run(size: int, seed: int) -> Speed:
        started = perf_counter()
        for number, worker in enumerate(workers):
            worker.send(name, size, seed + number)
        moves = sum(worker.receive()["moves"] for worker in workers)
        seconds = perf_counter() - started
        return Speed(moves / seconds, seconds)

    return run


class Comparison(NamedTuple):
    """Medians of alternating runs, and the ratios of the pairs in ascending order."""

    ours: float
    theirs: float
    ratios: list[float]

    @property
    def ratio(self) -> float:
        """How many times as fast ours is: the median over the pairs, which ran side by side."""
        return median(self.ratios)


def compare(ours: Side, theirs: Side, seconds: float, runs: int) -> Comparison:
    """Run both alternately, ``runs`` times, each for about ``seconds``; they take turns at going
    first."""
    sides = (ours, theirs)
    sizes = [_calibrate(side, seconds) for side in sides]
    rates: list[list[float]] = [[], []]
    for number in range(runs):
        say(f"run {number + 1} of {runs}")
        for which in (0, 1) if number % 2 == 0 else (1, 0):
            rates[which].append(sides[which](sizes[which], number).rate)
    pairs = zip(*rates, strict=True)
    return Comparison(median(rates[0]), median(rates[1]), sorted(a / b for a, b in pairs))


def _calibrate(side: Side, seconds: float) -> int:
    """The size of work that takes about ``seconds``; the first runs also warm everything up."""
    size = 1
    while (took := side(size, 0).seconds) < seconds / 4:
        size *= max(2, min(10, int(seconds / 2 / took)))
    return max(1, round(size * seconds / took))
