"""The drawing of ``docs/strength.md``: the difference of each match, with its interval."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from lab.strength.outcome import Outcome


def draw(outcomes: Sequence[Outcome], path: Path) -> None:
    """Write an SVG. Raises ``ImportError`` without Matplotlib."""
    import matplotlib as mpl

    mpl.use("svg")
    from matplotlib import pyplot as plt  # after the choice of the backend

    mpl.rcParams["svg.hashsalt"] = "rage"  # the same results give the same file
    shown = [each for each in outcomes if len(each.bots) == 2 and each.interval]
    figure, axes = plt.subplots(figsize=(7, 1 + 0.3 * len(shown)), layout="constrained")
    for row, each in enumerate(reversed(shown)):
        assert each.interval is not None
        low, high = each.interval
        axes.plot([low, high], [row, row], color="C0", linewidth=2)
        axes.plot(each.difference, row, "o", color="C0")
        if each.at_least is not None:
            axes.plot(each.at_least, row, "|", color="black", markersize=12)
    names = [f"{' - '.join(each.bots)}, {each.rules} {each.players}" for each in reversed(shown)]
    axes.set_yticks(range(len(shown)), names)
    axes.axvline(0, color="0.5", linewidth=1)
    axes.set_xlabel("points a game that the first is ahead; bars: what is asked for")
    figure.savefig(path, metadata={"Date": None})
    plt.close(figure)
