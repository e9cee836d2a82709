"""Writes ``docs/strength.md``: what the results show, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lab.strength.listing import listed
from lab.strength.outcome import GOES_ON, Outcome

_HEAD = """\
# How strong the bots are

This page is made by `python -m lab.strength` from the
[results](../lab/strength/results) of matches that were
[written down](../lab/strength/matches.toml) before they were played. What has not been
played yet is missing, and nothing here says how strong a bot is against people.

Differences are in points per game of ten rounds: the mean points of the first bot less those of
the second, with the same deals played from every seat ([the arena](arena.md)). In half of
the games, one of the first sits among the second; in the others it is the reverse. A row that says
"one among three" counts the former alone. The interval (95 %) is that of a confidence sequence, so
that a match can stop as soon as the interval excludes the target; otherwise it ends after the sets
of deals that the list allows, or after six hours of the processor. A target is met if the lower end
of the interval reaches it, missed if the upper end does not, and undecided if the target lies
inside the interval. The mean of a match that stopped early is likely to lie too far from its
target. Each interval holds with 95 % by itself: of seventy, some three may not. Times are
milliseconds of the processor a move, forced moves included. Where a row says that one bot has the
time of another, or three times as much, its number of worlds was fixed beforehand to give that; the
times show what it came to.

Two levels were changed after the first matches of the list, so that neighbours differ clearly:
`hard` tries 64 worlds instead of 96, and `medium` plays with more randomness (0.2 points instead of
0.15). All their matches were then played again, with the same deals as before.
"""

_WORDS = {"yes": "met", "no": "**missed**", "unclear": "undecided", "": ""}
_ENDS = {"clear": "", "all deals": "", "hours": "time", GOES_ON: GOES_ON}


def page(outcomes: Sequence[Outcome], drawn: bool) -> str:
    """The whole page."""
    pairs = [each for each in outcomes if len(each.bots) == 2]
    alone = [each for each in outcomes if len(each.bots) == 1]
    over = {each.name for each in outcomes if each.over}
    missing = [match for match in listed() if match.name not in over]
    parts = [_HEAD]
    if pairs:
        parts.append("\n".join(["## Matches", "", *_matches(pairs)]))
        if drawn:
            parts.append("![the differences, with their intervals](strength.svg)")
        parts.append("\n".join(["## Who beats whom", "", *_matrix(pairs)]))
    if alone:
        parts.append("\n".join(["## Bids met", "", *_bids(alone)]))
    if missing:
        names = ", ".join(f"`{match.name}`" for match in missing)
        parts.append(f"Not played to the end, of the {len(listed())} matches of the list: {names}.")
    if outcomes:
        parts.append("\n".join(["## What was run", "", *_runs(outcomes)]))
    return "\n\n".join(part.strip() for part in parts if part) + "\n"


def _row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


def _matches(outcomes: Sequence[Outcome]) -> Iterator[str]:
    yield _row(
        "match", "rules, players", "target", "points a game", "95 %", "sets", "ms a move", ""
    )
    yield _row(*["---"] * 8)
    for each in outcomes:
        target = "" if each.at_least is None else f"{each.at_least:g}"
        name = " - ".join(f"`{bot}`" for bot in each.bots)
        said = f" ({each.says})" if each.says else ""
        times = " : ".join(f"{one:.2g}" for one in each.milliseconds)
        sets = _number(each)
        where = f"{each.rules}, {each.players}"
        measured = f"{each.difference:+.2f}", _interval(each, "+.2f"), sets, times
        yield _row(name + said, where, target, *measured, _WORDS[each.reached])


def _number(each: Outcome) -> str:
    """The number of sets of deals or games, and whether the match was cut short."""
    ended = _ENDS[each.ended]
    return f"{each.deals}{f' ({ended})' if ended else ''}"


def _interval(each: Outcome, form: str) -> str:
    if each.interval is None:
        return "too few sets"
    low, high = each.interval
    return f"{low:{form}} to {high:{form}}"


def _matrix(outcomes: Sequence[Outcome]) -> Iterator[str]:
    """By row and column, the lead of the row's bot over the column's: poof, four players."""
    ahead: dict[tuple[str, str], float] = {}
    for each in outcomes:
        if (each.rules, each.players) == ("poof", 4):
            one, other = each.bots
            ahead[one, other] = each.difference
            ahead[other, one] = -each.difference
    bots = list(dict.fromkeys(bot for pair in ahead for bot in pair))
    yield "The lead of the row's bot over the column's, in points a game (`poof`, four players):"
    yield ""
    yield _row("", *(f"`{bot}`" for bot in bots))
    yield _row(*["---"] * (len(bots) + 1))
    for one in bots:
        cells = (f"{ahead[one, two]:+.1f}" if (one, two) in ahead else "" for two in bots)
        yield _row(f"`{one}`", *cells)


def _bids(outcomes: Sequence[Outcome]) -> Iterator[str]:
    yield "The share of its bids that a bot meets against itself, the mean over ten hand sizes:"
    yield ""
    yield _row("bot", "rules, players", "target", "met", "95 %", "games", "")
    yield _row(*["---"] * 7)
    for each in outcomes:
        target = "" if each.at_least is None else f"{each.at_least:.2f}"
        where = f"{each.rules}, {each.players}"
        measured = f"{each.difference:.3f}", _interval(each, ".3f"), _number(each)
        yield _row(f"`{each.bots[0]}`", where, target, *measured, _WORDS[each.reached])


def _runs(outcomes: Sequence[Outcome]) -> Iterator[str]:
    hours = sum(each.hours for each in outcomes)
    yield (
        f"Matches played: {len(outcomes)}, with {hours:.1f} hours of the processor in all. The"
        " versions (of a match that was interrupted, those of its last session; a + after a commit:"
        " with changes that were not committed):"
    )
    yield ""
    made = [(each.commit, each.network or "-", each.processor) for each in outcomes]
    yield _row("commit", "network", "processor", "matches")
    yield _row(*["---"] * 4)
    for commit, network, processor in dict.fromkeys(made):
        count = made.count((commit, network, processor))
        yield _row(f"`{commit}`", f"`{network}`", processor, str(count))
    if foreign := sorted({each.against for each in outcomes if each.against}):
        yield ""
        yield f"The programs of others, where that was noted: {'; '.join(foreign)}."
