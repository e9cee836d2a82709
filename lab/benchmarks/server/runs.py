"""Measurements of all servers, in several runs, each server in turn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from functools import cached_property
from pathlib import Path
from statistics import median
from typing import Final, NamedTuple

from lab.benchmarks.builds import Builds
from lab.benchmarks.progress import say
from lab.benchmarks.server.asleep import Asleep, Sleeping
from lab.benchmarks.server.databases import new_database
from lab.benchmarks.server.load import Load, Result, run_load
from lab.benchmarks.server.processes import Server, serving

OURS: Final = "rage"
#: Ours on PostgreSQL; with half of each load; and two of ours on the same, with half of it each.
POSTGRES: Final = "rage on PostgreSQL"
HALF: Final = "rage on PostgreSQL, half the load"
TWO: Final = "two of rage on PostgreSQL"
PEERS: Final = {"boardgameio": "boardgame.io", "colyseus": "Colyseus"}

#: Fifty tables of four at once, where each player moves at once; finished tables are replaced.
SATURATED: Final = Load(50, spare=250)
#: 800 moves per second over 200 tables, with 800 sockets.
PACED: Final = Load(200, rate=800)
#: The same with bots in two of the four seats: people make half of the moves.
BOTS: Final = Load(200, rate=400, bots=2)
_WARMING: Final = Load(8, spare=32)


class Lengths(NamedTuple):
    """How many runs there are, and how many seconds each load is measured."""

    runs: int
    saturated: float
    paced: float


class Run(NamedTuple):
    """One run of one server; ``idle``: megabytes before the sockets of ``paced`` connect."""

    started: float
    idle: float
    paced: Result
    saturated: Result
    bots: Result | None

    @property
    def socket(self) -> float:
        """Kilobytes per connected socket, with everything that belongs to it, at the end of the
        run."""
        return 1e3 * (self.paced.memory - self.idle) / self.paced.sockets


class Results(NamedTuple):
    """All runs of all servers, by the server's name."""

    runs: dict[str, list[Run]]

    def of(self, name: str, what: Callable[[Run], float]) -> list[float]:
        """One figure of a server, for each run."""
        return [what(run) for run in self.runs[name]]

    def median(self, name: str, what: Callable[[Run], float]) -> float:
        """The median of a figure of a server."""
        return median(self.of(name, what))


class Servers:
    """All servers; they are measured when the first of their figures is needed."""

    def __init__(self, builds: Builds, folder: Path, *, quick: bool) -> None:
        self._builds = builds
        self._folder = folder
        self._lengths = Lengths(1, 2, 4) if quick else Lengths(3, 4, 8)
        self._tables = 10_000 if quick else 100_000

    @cached_property
    def results(self) -> Results:
        """Every run of ours and the peers. Raises :class:`Failure`."""
        return self.in_turn((OURS, *PEERS), bots=True)

    @cached_property
    def asleep(self) -> dict[str, list[Asleep]]:
        """Starts of ours on stores with many tables, by the name of the store; they take turns.
        Raises :class:`Failure`."""
        sleeping = Sleeping(self._folder, self._builds.environment("portable"), self._tables)
        found: dict[str, list[Asleep]] = {name: [] for name in sleeping.stores}
        for _ in range(self._lengths.runs):
            for name, runs in found.items():
                runs.append(sleeping.measure(name))
        return found

    def in_turn(self, names: Sequence[str], *, bots: bool = False) -> Results:
        """Every run of these servers; they take turns at going first. ``bots``: ours is measured
        with bots, too. Raises :class:`Failure`."""
        found: dict[str, list[Run]] = {name: [] for name in names}
        for number in range(self._lengths.runs):
            first = number % len(names)
            for name in (*names[first:], *names[:first]):
                say(f"run {number + 1} of {self._lengths.runs}: {PEERS.get(name, name)}")
                share = 0.5 if name == HALF else 1
                with self._serving(name) as server:
                    run = run_of(server, self._lengths, share, bots=bots and name == OURS)
                found[name].append(run)
                _report(run)
        return Results(found)

    def _serving(self, name: str) -> AbstractContextManager[Server]:
        environment = self._builds.environment("portable")
        if name in (OURS, *PEERS):
            return serving(name, self._folder, environment)
        count = 2 if name == TWO else 1
        return serving(OURS, self._folder, environment, new_database(), count)


def run_of(server: Server, lengths: Lengths, share: float, *, bots: bool) -> Run:
    """One run with a share of the loads: warming up, paced, saturated, and perhaps with bots."""
    run_load(server, _WARMING, 0.5, 0.5)
    idle = server.memory
    paced = run_load(server, PACED.part(share), 2, lengths.paced)
    saturated = run_load(server, SATURATED.part(share), 1, lengths.saturated)
    with_bots = run_load(server, BOTS, 2, lengths.paced) if bots else None
    return Run(server.started, idle, paced, saturated, with_bots)


def _report(run: Run) -> None:
    """Report everything that was measured, including what is not a figure."""
    for name, each in (("paced", run.paced), ("saturated", run.saturated), ("bots", run.bots)):
        if each is not None:
            say(
                f"  {name}: {each.rate:.0f} moves/s, p50 {each.p50:.2f} ms, p99 {each.p99:.2f} ms,"
                f" {each.update:.0f} B an update, {each.cpu:.0f} µs a move"
                f" and {each.database:.0f} in the database,"
                f" {each.memory:.0f} MB with {each.sockets} sockets, load generator"
                f" {100 * each.busy:.0f} % of a core"
            )
    say(f"  answers after {run.started:.2f} s, {run.idle:.0f} MB, {run.socket:.1f} kB a socket")
