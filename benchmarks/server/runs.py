"""What is measured of all servers: each in turn, in one window of time, so many times."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from statistics import median
from typing import Final, NamedTuple

from benchmarks.builds import Builds
from benchmarks.server.playing import Load, Played, played
from benchmarks.server.processes import Server, serving
from benchmarks.words import say

OURS: Final = "rage"
PEERS: Final = {"boardgameio": "boardgame.io", "colyseus": "Colyseus"}

#: Fifty tables of four at once, each next mover sends at once; those whose game ends make room.
SATURATED: Final = Load(50, spare=250)
#: 800 moves a second over 200 tables, 800 sockets.
PACED: Final = Load(200, rate=800)
#: The same with a bot in two of four seats: people make half of the moves.
BOTS: Final = Load(200, rate=400, bots=2)
_WARMING: Final = Load(8, spare=32)


class Lengths(NamedTuple):
    """How many runs, and the seconds that each is measured."""

    runs: int
    saturated: float
    paced: float


class Run(NamedTuple):
    """One run of one server; ``idle``: megabytes before the first of the 800 sockets."""

    started: float
    idle: float
    paced: Played
    saturated: Played
    bots: Played | None

    @property
    def socket(self) -> float:
        """Kilobytes a connected socket, with all that belongs to it, at the end of play."""
        return 1e3 * (self.paced.memory - self.idle) / self.paced.sockets


class Found(NamedTuple):
    """All runs of all servers, by the server's name."""

    runs: dict[str, list[Run]]

    def of(self, name: str, what: Callable[[Run], float]) -> list[float]:
        """One figure of a server in each run."""
        return [what(run) for run in self.runs[name]]

    def median(self, name: str, what: Callable[[Run], float]) -> float:
        """The median of it."""
        return median(self.of(name, what))


class Servers:
    """All servers, measured when the first figure of theirs is asked for."""

    def __init__(self, builds: Builds, folder: Path, *, quick: bool) -> None:
        self._builds = builds
        self._folder = folder
        self._lengths = Lengths(1, 2, 4) if quick else Lengths(3, 4, 8)

    @cached_property
    def found(self) -> Found:
        """Every run; all servers in turn, and who begins takes turns. Raises ``Failure``."""
        environment = self._builds.environment("portable")
        names = [OURS, *PEERS]
        found: dict[str, list[Run]] = {name: [] for name in names}
        for number in range(self._lengths.runs):
            for name in names[number % 3 :] + names[: number % 3]:
                say(f"run {number + 1} of {self._lengths.runs}: {PEERS.get(name, name)}")
                with serving(name, self._folder, environment) as server:
                    found[name].append(run_of(server, self._lengths))
                _tell(found[name][-1])
        return Found(found)


def run_of(server: Server, lengths: Lengths) -> Run:
    """One run: warmed up, 800 sockets, saturated, and for ours the bots."""
    played(server, _WARMING, 0.5, 0.5)
    idle = server.memory
    paced = played(server, PACED, 2, lengths.paced)
    saturated = played(server, SATURATED, 1, lengths.saturated)
    bots = played(server, BOTS, 2, lengths.paced) if server.name == OURS else None
    return Run(server.started, idle, paced, saturated, bots)


def _tell(run: Run) -> None:
    """Everything that was measured, also what no figure asks for."""
    for name, each in (("paced", run.paced), ("saturated", run.saturated), ("bots", run.bots)):
        if each is not None:
            say(
                f"  {name}: {each.rate:.0f} moves/s, p50 {each.p50:.2f} ms, p99 {each.p99:.2f} ms,"
                f" {each.update:.0f} B an update, {each.cpu:.0f} µs a move,"
                f" {each.memory:.0f} MB with {each.sockets} sockets, load generator"
                f" {100 * each.busy:.0f} % of a core"
            )
    say(f"  answers after {run.started:.2f} s, {run.idle:.0f} MB, {run.socket:.1f} kB a socket")
