"""Results as text: players, tables of a match, and the analysis of a game."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final

from rage.analysis import Analysis, Decision, Side
from rage.arena import Results
from rage.arena.intervals import FIRST, Estimate
from rage.arena.results import Tally
from rage.bots.learned import usable_network
from rage.bots.learned_rules import has_learned
from rage.extras import install_command
from rage.notation import Record, holders_of, names_by_round
from rage.notation.record import Holder
from rage.say import (
    Reason,
    decimal,
    join,
    percent,
    seat_name,
    sentence,
    short_name,
    signed,
    text,
    visible,
)


def players_of(record: Record, language: str) -> list[str]:
    """By seat, everyone who held it."""
    return [tell_holders(each, language) for each in holders_of(record)]


def tell_holders(holders: Sequence[Holder[str]], language: str) -> str:
    """Everyone who held a seat: "Fox, from round 6 Hare"."""
    told = visible(holders[0].who, language)
    for each in holders[1:]:
        code, name = "seat.then" if each.first is None else "seat.from", visible(each.who, language)
        told = text(code, language, before=told, round=each.first, name=name)
    return told


def tables(found: Results, language: str, points: float | None = None) -> Iterator[str]:
    """The lines: for each pair of bots, for each bot and, given ``points``, whether the difference
    of the first pair is clearly above or below that."""
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
    if found.ratings is None and len(match.bots) > 2:  # with two, the pair says it all
        yield ""
        yield text("cli.arena.no_ratings", language, command=install_command("arena"))


def _clear(found: Estimate, points: float, language: str) -> str:
    """The sentence that says whether the interval valid for early stopping excludes a difference of
    ``points``."""
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
    """The shares of games won and of bids met, and the milliseconds per move."""
    shares = [percent(share, ".1f", language) for share in (tally.wins, tally.bids_met)]
    return [*shares, decimal(tally.ms_per_move, ".3g", language)]


def align_columns(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """The lines of a table: the first column aligned left, all others right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for first, *others in rows:
        cells = [each.rjust(width) for each, width in zip(others, widths[1:], strict=True)]
        yield "  ".join([first.ljust(widths[0]), *cells])


#: The most columns of the chart.
_CHART: Final = 60
#: From the lowest to the highest; the digits are for terminals without blocks.
_BLOCKS: Final = "▁▂▃▄▅▆▇█"
_DIGITS: Final = "0123456789"


def report(found: Analysis, record: Record, language: str) -> Iterator[str]:
    """The whole report on the game of a record, line by line."""
    names, dealt = players_of(record, language), names_by_round(record)
    choices = [each.advice for each in found.decisions if each.advice is not None]
    told = {
        "rules": found.game.rules.name,
        "n": len(choices),
        "worlds": found.worlds,
        "all": sum(each.all_worlds for each in choices),
        "exact": sum(each.exact for each in choices),
    }
    yield sentence(Reason("cli.analyse.head", told), language)
    if usable_network() is None:
        yield text("cli.analyse.no_network", language)
    elif not all(has_learned(found.game.rules, each.hand_size) for each in found.game.rounds):
        yield text("cli.analyse.unlearned", language)
    for seat in range(found.game.players):
        yield ""
        yield from _costliest(found, names, seat, language)
    if found.rounds:
        yield ""
        yield from align_columns([*_sides(found, names, language)])
        yield text("cli.analyse.luck", language)
    yield ""
    yield from _chart(found, names, language)
    yield ""
    yield text("cli.analyse.legend", language)
    columns = ("decision", "player", "done", "worth", "best", "worth", "cost")
    heads = [text(f"cli.analyse.of.{column}", language) for column in columns]
    for number, made in groupby(found.decisions, lambda each: each.place.round):
        rows = [_row(each, dealt[number], language) for each in made if each.advice is not None]
        if rows:
            yield ""
            yield text("place.round", language, round=number)
            yield from align_columns([heads, *rows])


def _costliest(found: Analysis, names: Sequence[str], seat: int, language: str) -> Iterator[str]:
    """The lines about a player: the cost of their decisions, and the costliest ones."""
    edition = found.game.rules.edition
    whole = {"player": seat, "cost": found.cost(seat), "n": len(found.of_seat(seat))}
    yield sentence(Reason("cli.analyse.player", whole), language, names=names)
    for each in found.costliest(seat):
        reason = tell_cost(each)
        line = Reason("cli.analyse.at", {"place": _place(each), "what": reason})
        yield f"  {sentence(line, language, edition=edition)}"


def tell_cost(each: Decision) -> Reason:
    """Say what a decision cost, which move was better, and whether that is exact."""
    bid = each.move.is_bid
    code = "analysis.cost.bid" if bid else "analysis.cost"
    return Reason(
        f"{code}.exact" if each.advice is not None and each.advice.exact else code,
        {
            "move": each.move.tricks if bid else str(each.move),
            "best": each.best.tricks if bid else str(each.best),
            "cost": round(each.cost, 1),
        },
    )


def _place(each: Decision) -> Reason:
    """The place in the game where a decision was made."""
    place = each.place
    if place.trick == 0:
        return Reason("place.bids", {"round": place.round})
    return Reason("place.trick", {"round": place.round, "trick": place.trick})


def _sides(found: Analysis, names: Sequence[str], language: str) -> Iterator[Sequence[str]]:
    heads = ("side", "points", "bots", "ahead", "luck", "skill", "rest")
    yield [text(f"cli.analyse.head.{head}", language) for head in heads]
    for seats, side in zip(found.game.side_seats, found.sides(), strict=True):
        yield [
            _side(names, seats, language),
            signed(side.points),
            decimal(side.bots, ".1f", language),
            *_parts(side, language),
        ]


def _side(names: Sequence[str], seats: Sequence[int], language: str) -> str:
    return join([seat_name(seat, language, names) for seat in seats], language)


def _parts(side: Side, language: str) -> list[str]:
    ahead, luck, skill, rest = (
        _points(each, language) for each in (side.ahead, side.luck, side.skill, side.rest)
    )
    return [ahead, f"{luck} ± {decimal(2 * side.error, '.1f', language)}", skill, rest]


def _points(points: float, language: str) -> str:
    return decimal(points, "+.1f", language)


def _chart(found: Analysis, names: Sequence[str], language: str) -> Iterator[str]:
    """A line for each side: how far it was ahead of the others throughout the game."""
    chart = found.chart()
    if not chart:
        return
    step = max(1, -(-len(chart) // _CHART))
    shown = [chart[min(at + step, len(chart)) - 1] for at in range(0, len(chart), step)]
    low, high = min(map(min, shown)), max(map(max, shown))
    yield text(
        "cli.analyse.chart", language, low=_points(low, language), high=_points(high, language)
    )
    signs = _signs()
    rows = []
    for side, seats in enumerate(found.game.side_seats):
        line = "".join(_sign(each[side], low, high, signs) for each in shown)
        rows.append([_side(names, seats, language), line, _points(chart[-1][side], language)])
    yield from align_columns(rows)


def _sign(value: float, low: float, high: float, signs: str) -> str:
    share = (value - low) / (high - low) if high > low else 0.5
    return signs[min(int(share * len(signs)), len(signs) - 1)]


def _signs() -> str:
    """Blocks of rising height, or digits if the terminal has no blocks."""
    try:
        _BLOCKS.encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return _DIGITS
    return _BLOCKS


def _row(each: Decision, names: Sequence[str], language: str) -> list[str]:
    """One line of the full list of decisions."""
    assert each.advice is not None
    trick, card = each.place.trick, each.place.card
    at = text("cli.analyse.bid", language) if trick == 0 else f"{trick}.{card}"
    done, best = (short_name(str(move), language) for move in (each.move, each.best))
    lost = decimal(each.cost, ".1f", language)
    cost = lost if each.clear else ("-" if each.cost == 0 else f"({lost})")
    worth = [_points(each.advice.of(move).points, language) for move in (each.move, each.best)]
    exact = " =" if each.advice.exact else ""
    name = seat_name(each.seat, language, names)
    return [at, name, done, worth[0], best, worth[1], cost + exact]
