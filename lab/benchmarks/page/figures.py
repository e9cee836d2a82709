"""The figures of the page, as rows of the table."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from statistics import median
from typing import Final

from lab.benchmarks.bench import Bench, Row
from lab.benchmarks.page.lighthouse import Scores

#: The most milliseconds that bots may take for 95 of 100 moves in the folder without a server.
ALONE_MOVES: Final = {"steady": 50, "medium": 100, "hard": 300}


def weight(bench: Bench) -> Row:
    """Bytes received from opening the page to the first card, in the heaviest language."""
    found = sorted(bench.pages.weights.values())
    most = found[-1] / 1e3
    spread = f"{found[0] / 1e3:.1f}-{most:.1f}"
    return Row(f"{most:.1f} kB", "", f"{most:.1f} kB", spread, "<= 125 kB", most <= 125)


def home_speed(bench: Bench) -> Row:
    """Lighthouse's performance of the first page, on a slow phone."""
    return _of_100(bench.pages.home, lambda each: each.performance, 95)


def home_access(bench: Bench) -> Row:
    """Lighthouse's accessibility of the first page."""
    return _of_100(bench.pages.home, lambda each: each.accessibility, 100)


def table_speed(bench: Bench) -> Row:
    """Lighthouse's performance of a table in play, on a slow phone."""
    return _of_100(bench.pages.table, lambda each: each.performance, 95)


def table_access(bench: Bench) -> Row:
    """Lighthouse's accessibility of a table in play."""
    return _of_100(bench.pages.table, lambda each: each.accessibility, 100)


def card(bench: Bench) -> Row:
    """The time from the click on a card until it is visible in the trick."""
    found = bench.pages.moves.painted
    most = median(found)
    spread = f"{found[0]:.0f}-{found[-1]:.0f}"
    return Row(f"{most:.0f} ms", "", f"{most:.0f} ms", spread, "<= 100 ms", most <= 100)


def frames(bench: Bench) -> Row:
    """Frames a second while the table moves, in the worst kind of motion, beside an empty page."""
    worst = min(bench.pages.motions.values(), key=lambda all_: median(each.frames for each in all_))
    found = sorted(each.frames for each in worst)
    ours, empty = median(found), median(each.empty for each in worst)
    spread = f"{found[0]:.0f}-{found[-1]:.0f}"
    return Row(f"{ours:.0f}/s", f"{empty:.0f}/s", f"{ours / empty:.2f}x", spread, ">= 50/s",
               ours >= 50)  # fmt: skip


def tasks(bench: Bench) -> Row:
    """The longest task while the table moves, in the worst kind of motion."""
    worst = max(bench.pages.motions.values(), key=lambda all_: median(each.task for each in all_))
    found = sorted(each.task for each in worst)
    most = f"{median(found):.0f} ms"
    return Row(most, "", most, f"{found[0]:.0f}-{found[-1]:.0f}", "<= 100 ms", median(found) <= 100)


def alone_weight(bench: Bench) -> Row:
    """Bytes received from opening the folder without a server to the first card, with Brotli."""
    return _at_most([each.received / 1e6 for each in bench.pages.visits], 6, "MB")


def alone_start(bench: Bench) -> Row:
    """Seconds until its start can be used, on a slow phone."""
    return _at_most([each.start for each in bench.pages.visits], 2, "s")


def alone_first(bench: Bench) -> Row:
    """Seconds from a first visit to the first own card there."""
    return _at_most([each.first for each in bench.pages.visits], 15, "s")


def alone_again(bench: Bench) -> Row:
    """Seconds from a second visit to the cards there."""
    return _at_most([each.again for each in bench.pages.visits], 10, "s")


def alone_memory(bench: Bench) -> Row:
    """What the browser needs at a table there, beyond the same table of a server."""
    pairs = [(ours / 1e6, theirs / 1e6) for ours, theirs in bench.pages.memory_alone]
    more = sorted(ours - theirs for ours, theirs in pairs)
    ours, theirs = (median(column) for column in zip(*pairs, strict=True))
    return Row(
        f"{ours:.0f} MB", f"{theirs:.0f} MB", f"+{median(more):.0f} MB",
        f"{more[0]:.0f}-{more[-1]:.0f}", "<= 110 MB more", median(more) <= 110,
    )  # fmt: skip


def alone_moves(name: str, bench: Bench) -> Row:
    """The milliseconds within which a bot makes 95 of 100 moves there, on a slow phone."""
    found, most = bench.pages.thoughts.moves[name], ALONE_MOVES[name]
    took = found[len(found) * 95 // 100]
    spread = f"{found[0]:.3g}-{found[-1]:.3g}"
    return Row(f"{took:.3g} ms", "", f"{took:.3g} ms", spread, f"<= {most} ms", took <= most)


def alone_analysis(bench: Bench) -> Row:
    """Seconds that the analysis of a game takes there, on a slow phone."""
    return _at_most([bench.pages.thoughts.analysis], 60, "s")


def _at_most(found: list[float], most: float, unit: str) -> Row:
    middle = f"{median(found):.1f} {unit}"
    spread = f"{min(found):.1f}-{max(found):.1f}"
    return Row(middle, "", middle, spread, f"<= {most:g} {unit}", median(found) <= most)


def _of_100(found: list[Scores], figure: Callable[[Scores], float], least: float) -> Row:
    ours = sorted(round(figure(each)) for each in found)
    middle = f"{median(ours):g}"
    spread = f"{ours[0]}-{ours[-1]}"
    return Row(middle, "", middle, spread, f">= {least:g}", median(ours) >= least)


#: Each figure by its name, and what it is compared with.
PAGE_FIGURES: Final[dict[str, tuple[str, Callable[[Bench], Row]]]] = {
    "page-weight": ("", weight),
    "page-home": ("", home_speed),
    "page-home-access": ("", home_access),
    "page-table": ("", table_speed),
    "page-table-access": ("", table_access),
    "page-card": ("", card),
    "page-frames": ("an empty page", frames),
    "page-tasks": ("", tasks),
    "alone-weight": ("", alone_weight),
    "alone-start": ("", alone_start),
    "alone-first": ("", alone_first),
    "alone-again": ("", alone_again),
    "alone-memory": ("from a server", alone_memory),
    **{f"alone-{name}": ("", partial(alone_moves, name)) for name in ALONE_MOVES},
    "alone-analysis": ("", alone_analysis),
}
