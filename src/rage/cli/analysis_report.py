"""An analysis as text: first what was costly, then luck, a chart, and all decisions."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final

from rage.analysis import Analysis, Decision, Side
from rage.bots.learned import usable_network
from rage.bots.learned_rules import has_learned
from rage.cli.arena_table import align_columns
from rage.cli.players import players_of
from rage.notation import Record, names_by_round
from rage.rules.editions import name_of
from rage.say import Reason, decimal, join, seat_name, sentence, short_name, signed, text

#: How many columns the chart may have.
_CHART: Final = 60
#: From the lowest to the highest, and for a terminal that has only letters.
_BLOCKS: Final = "▁▂▃▄▅▆▇█"
_DIGITS: Final = "0123456789"


def report(found: Analysis, record: Record, language: str) -> Iterator[str]:
    """The whole report on the game of a record, line by line."""
    names, dealt = players_of(record, language), names_by_round(record)
    choices = [each.advice for each in found.decisions if each.advice is not None]
    told = {
        "rules": name_of(found.game.rules),
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
    """A player, what their decisions cost, and the costliest of them."""
    edition = found.game.rules.edition
    whole = {"player": seat, "cost": found.cost(seat), "n": len(found.of_seat(seat))}
    yield sentence(Reason("cli.analyse.player", whole), language, names=names)
    for each in found.costliest(seat):
        reason = tell_cost(each)
        line = Reason("cli.analyse.at", {"place": _place(each), "what": reason})
        yield f"  {sentence(line, language, edition=edition)}"


def tell_cost(each: Decision) -> Reason:
    """What a decision cost, what would have been better, and whether that is exact."""
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
    """Where in the game a decision was made."""
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
    """A line through the game for each side: how far it was ahead of the others."""
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
    """A decision in the list of all."""
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
