"""Tools to measure figures, and a row of the resulting table."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from lab.benchmarks.builds import Builds
from lab.benchmarks.page.runs import Pages
from lab.benchmarks.server.runs import Servers
from lab.benchmarks.workers import Comparison, Side, Workers, compare, task


class Row(NamedTuple):
    """A row of the table, formatted, and whether the figure is met."""

    ours: str
    theirs: str
    figure: str
    spread: str
    wanted: str
    met: bool


class Bench(NamedTuple):
    """The tools to measure figures: builds, workers, servers, the page, a temporary folder, and the
    length (``seconds``) and number (``runs``) of the runs."""

    builds: Builds
    workers: Workers
    servers: Servers
    pages: Pages
    folder: Path
    seconds: float
    runs: int

    def side(self, build: str, name: str) -> Side:
        """A task in a build."""
        return task(self.workers.get(build), name)

    def compare(self, ours: Side, theirs: Side, least: float) -> Row:
        """A row for a figure that is met if ours is ``least`` times as fast as theirs."""
        return _ratio_row(compare(ours, theirs, self.seconds, self.runs), least)


def _ratio_row(found: Comparison, least: float) -> Row:
    return Row(
        f"{found.ours / 1e6:.3g} M/s",
        f"{found.theirs / 1e6:.3g} M/s",
        f"{found.ratio:.3g}x",
        f"{found.ratios[0]:.3g}-{found.ratios[-1]:.3g}",
        f">= {least:g}x",
        found.ratio >= least,
    )
