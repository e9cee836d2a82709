"""Draw what a rule changes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rage.arena.data.variants import Measured, Study
from rage.arena.plots import check_can_plot, save

_COLUMNS: Final = 3


def plot(
    study: Study, found: Sequence[Measured], titles: Sequence[str], head: str, file: str
) -> None:
    """Draw into a file, for each measure, its value under both rule sets with its 95 % interval;
    ``titles`` are the titles of the measures, ``head`` is the title of the picture. Raises
    :class:`rage.NotReadable` if it cannot be written, and as
    :func:`rage.arena.plots.check_can_plot` does."""
    check_can_plot(file)
    from matplotlib.figure import Figure

    rows = -(-len(found) // _COLUMNS)
    figure = Figure(figsize=(3.4 * _COLUMNS, 1 + 1.5 * rows), layout="constrained")
    for place, (each, title) in enumerate(zip(found, titles, strict=True), 1):
        axes = figure.add_subplot(rows, _COLUMNS, place)
        for at, (name, value) in enumerate(zip(study.rules, each.values, strict=True)):
            axes.errorbar(value.mean, at, xerr=value.half_95, fmt="o", capsize=4, label=name)
        axes.set_ylim(1.5, -0.5)  # the first above the second
        axes.set_yticks([])
        axes.margins(x=0.2)
        axes.set_title(title, loc="left", fontsize="medium", parse_math=False)
    figure.legend(*axes.get_legend_handles_labels(), loc="lower right", ncols=2)
    figure.suptitle(head, fontsize="medium", parse_math=False)
    save(figure, file)
