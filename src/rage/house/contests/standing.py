"""The standing of an event: points, points over par, and what they can tell."""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

from rage.house.contests.contest import Contest, EventRound


class Line(NamedTuple):
    """An entrant's line: their number, how many deals they have played, their points, those over
    par, and the standard error of the latter; ``bots``: a bot has finished a game for them;
    ``corrected``: a director has put other points in place of a result."""

    entrant: int
    deals: int
    points: int
    over: float
    error: float
    bots: bool
    corrected: bool


class Standing(NamedTuple):
    """The lines, the most points over par a deal first, and how many of the first ones could as
    well have been first: chance alone explains what lies between them."""

    lines: list[Line]
    open: int


def standing(contest: Contest) -> Standing:
    """The standing after all closed rounds: by points over par, which is what bots score with the
    same cards in the same seat."""
    spread = _spread(contest)
    lines = []
    for number in range(len(contest.entrants)):
        deals, points, over, bots, corrected = 0, 0, 0.0, False, False
        for each, table, seat in _seats_of(contest, number):
            assert each.results is not None
            result = each.results[table]
            assert result is not None
            deals += len(result.points[seat])
            points += result.total(seat)
            over += result.total(seat) - each.par[seat]
            bots |= result.bots[seat]
            corrected |= seat in result.corrected
        if deals:
            error = spread * sqrt(deals)
            lines.append(Line(number, deals, points, over, error, bots, corrected))
    lines.sort(key=lambda line: (-line.over, -line.points, line.entrant))
    first = lines[0] if lines else None
    near = [line for line in lines if first is not None and _may_be_first(line, first)]
    return Standing(lines, len(near))


def _may_be_first(line: Line, first: Line) -> bool:
    return first.over - line.over < 1.96 * sqrt(first.error**2 + line.error**2)


def _spread(contest: Contest) -> float:
    """The standard deviation of the points over par of a deal, over all seats of all rounds."""
    squares, deals = 0.0, 0
    for number in range(len(contest.entrants)):
        for each, table, seat in _seats_of(contest, number):
            assert each.results is not None
            result = each.results[table]
            assert result is not None
            squares += (sum(result.points[seat]) - each.par[seat]) ** 2
            deals += len(result.points[seat])
    return sqrt(squares / deals) if deals else 0.0


def _seats_of(contest: Contest, number: int) -> list[tuple[EventRound, int, int]]:
    """The closed rounds of an entrant that have a result, each with the table and the seat."""
    return [
        (each, table, seats.index(number))
        for each in contest.played
        if each.results is not None
        for table, seats in enumerate(each.tables)
        if number in seats and each.results[table] is not None
    ]
