"""The figures of the server, as rows of the table."""

from __future__ import annotations

from collections.abc import Callable
from statistics import median
from typing import Final

from lab.benchmarks.bench import Bench, Row
from lab.benchmarks.server.asleep import Asleep
from lab.benchmarks.server.runs import HALF, OURS, PEERS, POSTGRES, TWO, Run

#: Extracts one figure from a run.
Figure = Callable[[Run], float]


def speed(bench: Bench) -> Row:
    """Moves per second at 50 tables, saturated; ours durable, theirs in memory."""
    results = bench.servers.results
    ours, theirs = (results.of(name, _rate) for name in (OURS, "boardgameio"))
    ratios = sorted(a / b for a, b in zip(ours, theirs, strict=True))
    return Row(
        f"{median(ours):,.0f}/s",
        f"{median(theirs):,.0f}/s",
        f"{median(ratios):.3g}x",
        f"{ratios[0]:.3g}-{ratios[-1]:.3g}",
        ">= 2x",
        median(ratios) >= 2,
    )


def _rate(run: Run) -> float:
    return run.saturated.rate


def delay(bench: Bench) -> Row:
    """The 99th percentile of the time from sending a move until all others have decoded it."""
    row = _row(bench, lambda run: run.paced.p99, "ms", 15)
    results = bench.servers.results
    best = min(results.median(name, lambda run: run.paced.p99) for name in PEERS)
    met = row.met and results.median(OURS, lambda run: run.paced.p99) < best
    return row._replace(wanted=f"{row.wanted}, < theirs", met=met)


def update(bench: Bench) -> Row:
    """The mean WebSocket payload that a seat gets for a move, over whole games."""
    return _row(bench, lambda run: run.saturated.update, "B", 150)


def sockets(bench: Bench) -> Row:
    """The memory of a connected socket, with its share of a table in the middle of a game."""
    return _row(bench, lambda run: run.socket, "kB", 40)


def memory(bench: Bench) -> Row:
    """The memory of the whole process with 800 sockets, in the middle of their games."""
    return _row(bench, lambda run: max(run.paced.connected, run.paced.memory), "MB", 200)


def bots(bench: Bench) -> Row:
    """As ``delay``, with a steady bot in two of the four seats."""
    return _row(bench, lambda run: run.bots.p99 if run.bots else 0.0, "ms", 30, ours_only=True)


def start(bench: Bench) -> Row:
    """From the start of the process until ``/healthz`` answers."""
    return _row(bench, lambda run: run.started, "s", 2, ours_only=True)


def postgres(bench: Bench) -> Row:
    """Processor time per move on PostgreSQL, including its own, against SQLite."""
    return _processor(bench, POSTGRES, OURS, 1.1)


def two(bench: Bench) -> Row:
    """Processor time per move of two servers on one PostgreSQL, including its own, against one that
    has as much to do as each of them."""
    return _processor(bench, TWO, HALF, 1.15)


def asleep(bench: Bench) -> Row:
    """What a server needs to start on a store of many tables, on SQLite and on PostgreSQL."""
    found = bench.servers.asleep
    wanted = Asleep(2, 50, 200)
    medians = [Asleep(*map(median, zip(*runs, strict=True))) for runs in found.values()]
    runs = list(zip(*(run for each in found.values() for run in each), strict=True))
    return Row(
        _asleep(medians[0]),
        _asleep(medians[1]),
        _asleep(Asleep(*map(max, zip(*medians, strict=True)))),
        f"{_asleep(Asleep(*map(min, runs)))} - {_asleep(Asleep(*map(max, runs)))}",
        f"<= {_asleep(wanted)}",
        all(a <= b for each in medians for a, b in zip(each, wanted, strict=True)),
    )


def _asleep(found: Asleep) -> str:
    return f"{found.started:.2g} s, {found.listed:.3g} ms, {found.memory:.3g} MB"


def _processor(bench: Bench, ours: str, theirs: str, most: float) -> Row:
    """A row for the processor time per move of ``ours``, saturated and paced, that may be ``most``
    times that of ``theirs`` at most."""
    results = bench.servers.in_turn((ours, theirs))
    loads: tuple[Figure, ...] = (
        lambda run: run.saturated.processor,
        lambda run: run.paced.processor,
    )
    ratios = [
        sorted(a / b for a, b in zip(results.of(ours, of), results.of(theirs, of), strict=True))
        for of in loads
    ]
    return Row(
        " / ".join(f"{results.median(ours, of):.0f}" for of in loads) + " µs",
        " / ".join(f"{results.median(theirs, of):.0f}" for of in loads) + " µs",
        " / ".join(f"{median(each):.3g}x" for each in ratios),
        " / ".join(f"{each[0]:.3g}-{each[-1]:.3g}" for each in ratios),
        f"<= {most:g}x",
        all(median(each) <= most for each in ratios),
    )


def _row(bench: Bench, figure: Figure, unit: str, most: float, *, ours_only: bool = False) -> Row:
    """A row for a figure of ours that may be ``most`` at most, with the medians of theirs beside it
    unless it is ``ours_only``."""
    results = bench.servers.results
    ours = sorted(results.of(OURS, figure))
    theirs = [] if ours_only else [f"{results.median(name, figure):.3g}" for name in PEERS]
    return Row(
        f"{median(ours):.3g} {unit}",
        f"{' / '.join(theirs)} {unit}" if theirs else "",
        f"{median(ours):.3g} {unit}",
        f"{ours[0]:.3g}-{ours[-1]:.3g}",
        f"<= {most:g} {unit}",
        median(ours) <= most,
    )


_BOTH: Final = " / ".join(PEERS.values())
#: Each figure by its name, and what it is compared with.
SERVER_FIGURES: Final[dict[str, tuple[str, Callable[[Bench], Row]]]] = {
    "server-speed": ("boardgame.io, in memory", speed),
    "server-delay": (_BOTH, delay),
    "server-update": (_BOTH, update),
    "server-socket": (_BOTH, sockets),
    "server-memory": (_BOTH, memory),
    "server-bots": ("", bots),
    "server-start": ("", start),
    "server-postgres": ("SQLite, saturated / paced", postgres),
    "server-two": ("one, saturated / paced", two),
    "server-asleep": ("SQLite, PostgreSQL", asleep),
}
