"""The standing of an event: points, points over par, and what they can tell."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import NamedTuple

from msgspec import Struct

from rage.house.contests.contest import Contest, TableResult


class EventLine(Struct):
    """A line of the standing: an entrant, the ``deals`` played, their ``points``, those ``over``
    the par of bots with the same cards, and the standard ``error`` of the latter; ``bots``: a bot
    has finished a game for them; ``corrected``: a director has changed a result."""

    entrant: int
    deals: int
    points: int
    over: float
    error: float
    bots: bool
    corrected: bool


class Played(NamedTuple):
    """A result of a table, one of its seats, and the par of that seat."""

    result: TableResult
    seat: int
    par: float


class Standing(NamedTuple):
    """The lines, the most points over par a deal first, and how many of the first ones could as
    well have been first: chance alone explains what lies between them."""

    lines: list[EventLine]
    open: int


def standing(contest: Contest) -> Standing:
    """The standing after all closed rounds: by points over par, which is what bots score with the
    same cards in the same seat."""
    results = [_results_of(contest, number) for number in range(len(contest.entrants))]
    spread = _spread([each for played in results for each in played])
    lines = []
    for number, played in enumerate(results):
        if deals := sum(len(result.points[seat]) for result, seat, _ in played):
            points = sum(result.total(seat) for result, seat, _ in played)
            over = points - sum(par for _, _, par in played)
            bots = any(result.bots[seat] for result, seat, _ in played)
            corrected = any(seat in result.corrected for result, seat, _ in played)
            error = spread * sqrt(deals)
            lines.append(EventLine(number, deals, points, over, error, bots, corrected))
    lines.sort(key=lambda line: (-line.over, -line.points, line.entrant))
    return Standing(lines, sum(_may_be_first(line, lines[0]) for line in lines))


def _may_be_first(line: EventLine, first: EventLine) -> bool:
    return first.over - line.over < 1.96 * sqrt(first.error**2 + line.error**2)


def _spread(results: Sequence[Played]) -> float:
    """The standard deviation of the points over par of a deal."""
    squares = sum((sum(result.points[seat]) - par) ** 2 for result, seat, par in results)
    deals = sum(len(result.points[seat]) for result, seat, _ in results)
    return sqrt(squares / deals) if deals else 0.0


def _results_of(contest: Contest, number: int) -> list[Played]:
    """The results of an entrant in the closed rounds."""
    return [
        Played(result, (seat := seats.index(number)), each.par[seat])
        for each in contest.played
        for seats, result in zip(each.tables, each.results or (), strict=False)
        if number in seats and result is not None
    ]
