"""Draws the log of a run: the gain of the network, over the minutes that it has learned."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path

import matplotlib as mpl

mpl.use("svg")
from matplotlib import pyplot as plt  # after the choice of the backend

from lab.training.measuring import MEASURED


def plot(
    folder: Path, measured: Sequence[tuple[str, int]] = MEASURED, other: str = "steady"
) -> None:
    """Write `log.svg` beside `log.csv`: for each of ``measured``, a curve of the gain on
    ``other``."""
    mpl.rcParams["svg.hashsalt"] = "rage"  # the same log gives the same file
    with (folder / "log.csv").open(encoding="utf-8") as file:
        lines = list(csv.DictReader(file))
    minutes = [float(line["minutes"]) for line in lines]
    figure, axes = plt.subplots(figsize=(7, 4), layout="constrained")
    for (name, players), marker in zip(measured, "os^", strict=False):
        key = f"{name}_{players}"
        points = [float(line[key]) for line in lines]
        halves = [float(line[f"{key}_half"]) for line in lines]
        label = f"{name}, {players} players"
        axes.errorbar(minutes, points, halves, marker=marker, capsize=2, label=label)
    axes.axhline(0, color="0.5", linewidth=1)
    axes.set_xlabel("minutes of training")
    axes.set_ylabel(f"points a game more than {other}")
    axes.legend()
    figure.savefig(folder / "log.svg", metadata={"Date": None})
    plt.close(figure)
