"""Draw how the differences of a match developed."""

from __future__ import annotations

import errno
import io
import os
from pathlib import Path
from typing import Any, Final

from rage.arena.intervals import estimate
from rage.arena.results import Pair, Results
from rage.extras import install_command
from rage.files import write_out
from rage.say import NotAllowed, NotReadable, text

#: The formats of the picture, by the file's extension.
_KINDS: Final = (".svg", ".png", ".pdf")
#: The most points at which the mean is drawn.
_MAX_STEPS: Final = 200
#: The margin above and below, in points.
_MARGIN: Final = 1.0


def check_can_plot(file: str) -> None:
    """Raise :class:`rage.NotReadable` for a file of another format or in a missing folder, and
    :class:`rage.NotAllowed` without Matplotlib: before a match is played, not after."""
    if Path(file).suffix.lower() not in _KINDS:
        raise NotReadable("arena.plot_kind", file=file)
    if not Path(file).parent.is_dir():
        raise NotReadable("cli.no_out", file=file, message=os.strerror(errno.ENOENT))
    try:
        import matplotlib  # noqa: F401  # is it there?
    except ModuleNotFoundError as error:
        if error.name != "matplotlib":
            raise
        raise NotAllowed("arena.no_plots", command=install_command("arena")) from None


def plot(results: Results, file: str, language: str) -> None:
    """Draw into a file, for each pair, the mean difference after each set of deals, with its 95 %
    interval. Raises :class:`rage.NotReadable` if it cannot be written, and as
    :func:`check_can_plot` does."""
    check_can_plot(file)
    from matplotlib.figure import Figure
    from matplotlib.ticker import MaxNLocator

    rows = len(results.pairs)
    figure = Figure(figsize=(7, 1 + 2.2 * rows), layout="constrained")
    for row, pair in enumerate(results.pairs, 1):
        axes = figure.add_subplot(rows, 1, row)
        steps, means, lows, highs = _course(pair)
        axes.fill_between(steps, lows, highs, alpha=0.25, linewidth=0)
        axes.plot(steps, means, marker="o" if len(steps) == 1 else None)
        settled = [at for at, step in enumerate(steps) if step > steps[-1] // 10]
        axes.set_ylim(  # the first few sets vary widely
            min(0, *(lows[at] for at in settled)) - _MARGIN,
            max(0, *(highs[at] for at in settled)) + _MARGIN,
        )
        axes.axhline(0, color="0.5", linewidth=1)
        first, second = (results.match.bots[bot] for bot in pair.bots)
        axes.set_title(f"{first} - {second}", loc="left", parse_math=False)
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_xlabel(text("arena.plot.sets", language))
    match = results.match
    head = text(
        "cli.arena.head",
        language,
        rules=match.rules,
        players=match.players,
        deals=results.deals,
        games=results.games,
        seed=match.seed,
    )
    ahead = text("arena.plot.ahead", language)
    figure.suptitle(f"{head}\n{ahead}", fontsize="medium", parse_math=False)
    save(figure, file)


def save(figure: Any, file: str) -> None:
    """Write a figure of Matplotlib into a file. Raises :class:`rage.NotReadable`."""
    data = io.BytesIO()
    figure.savefig(data, format=Path(file).suffix[1:].lower())
    write_out(file, data.getvalue())


def _course(pair: Pair) -> tuple[list[int], list[float], list[float], list[float]]:
    """The numbers of sets, with the mean and its interval after each."""
    count = len(pair.by_set)
    every = -(-count // _MAX_STEPS)
    steps = sorted({*range(every, count + 1, every), count})
    found = [estimate(pair.by_set[:step]) for step in steps]
    means = [each.mean for each in found]
    halves = [each.half_95 or 0.0 for each in found]
    lows = [mean - half for mean, half in zip(means, halves, strict=True)]
    highs = [mean + half for mean, half in zip(means, halves, strict=True)]
    return steps, means, lows, highs
