"""The results of a match as tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rage.arena import Results
from rage.arena.intervals import FIRST, Estimate
from rage.arena.results import Tally
from rage.extras import install_command
from rage.say import Reason, decimal, percent, sentence, text


def tables(found: Results, language: str, points: float | None = None) -> Iterator[str]:
    """The lines: first for each pair of bots, then for each bot, and whether the difference of two
    bots is clearly more than some points."""
    match = found.match
    told = {**match._asdict(), "deals": found.deals, "games": found.games}
    yield sentence(Reason("cli.arena.head", told), language)
    yield ""
    yield from align_columns(list(_pairs(found, language)))
    yield ""
    yield from align_columns(list(_bots(found, language)))
    if points is not None:
        yield ""
        yield _clear(found.pairs[0].ahead, points, language)
    if found.ratings is None and len(match.bots) > 2:  # of two, the pair says all
        yield ""
        yield text("cli.arena.no_ratings", language, command=install_command("arena"))


def _clear(found: Estimate, points: float, language: str) -> str:
    """Returns whether the interval at which a match may be stopped excludes a difference of some
    points."""
    interval = found.interval(found.half_sequence)
    if interval is None:
        return text("cli.arena.not_begun", language, deals=FIRST)
    low, high = interval
    code = "cli.arena.unclear" if low <= points <= high else "cli.arena.clear"
    told = {
        "low": decimal(low, "+.2f", language),
        "high": decimal(high, "+.2f", language),
        "points": decimal(points, "g", language),
    }
    return text(code, language, deals=found.deals, **told)


def _pairs(found: Results, language: str) -> Iterator[Sequence[str]]:
    heads = ("pair", "points", "wins", "met", "ms")
    yield [text(f"cli.arena.head.{head}", language) for head in heads]
    for pair in found.pairs:
        names = " - ".join(found.match.bots[bot] for bot in pair.bots)
        one, other = (_tally(each, language) for each in pair.tallies)
        both = [f"{mine} : {theirs}" for mine, theirs in zip(one, other, strict=True)]
        yield [names, _estimate(pair.ahead, language), *both]


def _bots(found: Results, language: str) -> Iterator[Sequence[str]]:
    heads = ["bot", *(["mixed"] if found.mixed else []), "met", "ms", "cpu"]
    heads += ["rating"] if found.ratings else []
    yield [text(f"cli.arena.head.{head}", language) for head in heads]
    for place, name in enumerate(found.match.bots):
        row = [name]
        if found.mixed:
            row.append(_estimate(found.mixed[place], language))
        tally = found.tallies[place]
        row += [*_tally(tally, language)[1:], decimal(tally.cpu_ms_per_move, ".3g", language)]
        if found.ratings:
            rating = found.ratings[place]
            mu, sigma = (decimal(each, ".1f", language) for each in (rating.mu, rating.sigma))
            row.append(f"{mu} ± {sigma}")
        yield row


def _estimate(found: Estimate, language: str) -> str:
    """A difference with half the width of its 95 % interval."""
    half = "" if found.half_95 is None else f" ± {decimal(found.half_95, '.2f', language)}"
    return decimal(found.mean, "+.2f", language) + half


def _tally(tally: Tally, language: str) -> list[str]:
    """The share of games won, that of bids met, and the milliseconds of a move."""
    shares = [percent(share, ".1f", language) for share in (tally.wins, tally.bids_met)]
    return [*shares, decimal(tally.ms_per_move, ".3g", language)]


def align_columns(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """A table: the first column to the left, all others to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for first, *others in rows:
        cells = [each.rjust(width) for each, width in zip(others, widths[1:], strict=True)]
        yield "  ".join([first.ljust(widths[0]), *cells])
