"""What stands on a printed score sheet: a block of columns for each side, a row for each round,
and the scoring in a corner. :mod:`rage.score.pdf` draws it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from rage.game.account import Account
from rage.game.rulebook import chapters, title_of
from rage.rules.ruleset import RuleSet
from rage.say import Reason, sentence, text
from rage.score.sheet import Sheet, SheetRound
from rage.score.standing import by_side, card_points, members, scores, totals

#: The columns, by the codes of their labels and of shorter ones: of a player the first two are the
#: player's own in a game of teams, too, and the others the team's.
_COLUMNS: Final = (
    ("score.csv.bid", "tui.sheet.bid"),
    ("score.csv.tricks", "tui.sheet.won"),
    ("score.csv.points", "tui.sheet.points"),
    ("score.csv.total", "tui.sheet.total"),
)
_OWN: Final = 2
#: How a time begins, in whose place a file may have any text.
#: The numbers of teams, as on the page.
_TEAMS: Final = ("I", "II", "III")
_DATE: Final = re.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}")


class Cell(NamedTuple):
    """One cell of a row. ``note`` is small beside it: the points for Bonus and Mad cards.
    ``met`` marks a bid that was met, ``away`` a round in which its player had no seat."""

    text: str = ""
    note: str = ""
    met: bool = False
    away: bool = False


class Group(NamedTuple):
    """Columns with their labels, and shorter ones for narrow columns; below a name in a game of
    teams."""

    name: str
    labels: tuple[str, ...]
    short: tuple[str, ...]


class Block(NamedTuple):
    """The columns of a side: its name (empty: a line to write it on), and its total."""

    name: str
    groups: tuple[Group, ...]
    total: str

    @property
    def columns(self) -> int:
        """How many columns all its groups have together."""
        return sum(len(group.labels) for group in self.groups)


class Row(NamedTuple):
    """A round: its number, its cards, the cells of each block, and the block and the group of the
    dealer."""

    number: int
    cards: str
    cells: tuple[tuple[Cell, ...], ...]
    dealer: tuple[int, int] | None


class Printed(NamedTuple):
    """A whole sheet. ``corner`` labels the rounds, ``dealer`` and ``met`` explain the marks (no
    bid is marked where ``met`` is empty), and ``notes`` say how a round scores."""

    title: str
    rules: str
    date: str
    corner: str
    total: str
    dealer: str
    met: str
    blocks: tuple[Block, ...]
    rows: tuple[Row, ...]
    heading: str
    notes: tuple[str, ...]


def blank_sheet(rules: RuleSet, names: Sequence[str]) -> Sheet:
    """A sheet to be printed: ``names`` may be empty. Raises :class:`rage.NotAllowed` where the
    rules are not for so many players."""
    rules.for_players(len(names))
    return Sheet(rules, tuple(names))


def printed(sheet: Sheet, language: str) -> Printed:
    """What stands on the sheet, in a language."""
    people = _people(sheet)
    edition = sheet.rules.edition

    def say(reason: Reason) -> str:
        return sentence(reason, language, edition=edition)

    started = sheet.extra.get("started")
    date = _DATE.match(started) if isinstance(started, str) else None
    return Printed(
        title=text("score.printed.title", language),
        rules=title_of(sheet.rules, language),
        date=f"{text('score.printed.date', language)}: {_written(date, language)}",
        corner=text("score.printed.corner", language),
        total=text("score.csv.total", language).capitalize(),
        dealer=text("score.printed.dealer", language),
        met=text("score.printed.met", language) if sheet.finished else "",
        blocks=tuple(_blocks(sheet, people, language)),
        rows=tuple(_rows(sheet, people, language)),
        heading=say(Reason("rules.score")),
        notes=tuple(map(say, _notes(sheet.rules))),
    )


def _written(date: re.Match[str] | None, language: str) -> str:
    """A date as it is written in a language; nothing where there is none."""
    if date is None:
        return ""
    year, month, day = date[0].split("-")
    return text("score.printed.day", language, year=year, month=month, day=day)


def _people(sheet: Sheet) -> list[list[int]]:
    """By block, the players whose columns it has."""
    if sheet.rules.teams:
        return [members(sheet, side) for side in range(sheet.rules.teams)]
    lists = [each.seats for each in sheet.rounds] or [sheet.seats]
    return [[player] for player in dict.fromkeys(player for seats in lists for player in seats)]


def _blocks(sheet: Sheet, people: list[list[int]], language: str) -> Iterator[Block]:
    def group(name: str, columns: Sequence[tuple[str, str]]) -> Group:
        long, short = (
            tuple(text(code, language) for code in codes) for codes in zip(*columns, strict=True)
        )
        return Group(name, long, short)

    now = scores(sheet) if sheet.finished else None
    for side, players in enumerate(people):
        if sheet.rules.teams:
            groups = [group(sheet.players[each], _COLUMNS[:_OWN]) for each in players]
            groups.append(group("", _COLUMNS[_OWN:]))
            name = text("score.printed.team", language, n=_TEAMS[side])
        else:
            groups = [group("", _COLUMNS)]
            name = sheet.players[players[0]]
        of = side if sheet.rules.teams else players[0]
        yield Block(name, tuple(groups), "" if now is None else str(now[of]))


def _rows(sheet: Sheet, people: list[list[int]], language: str) -> Iterator[Row]:
    sums = totals(sheet)
    last = len(sheet.rounds) if sheet.stopped else len(sheet.rules.schedule)
    for index in range(last):
        current = sheet.rounds[index] if index < len(sheet.rounds) else None
        size = sheet.rules.schedule[index] if current is None else current.hand_size
        after = sums[index] if index < len(sums) else None
        yield Row(
            index + 1,
            text("sheet.hand", language, n=size),
            tuple(_cells(sheet, current, after, people)),
            _place(_dealer(sheet, index), people),
        )


def _dealer(sheet: Sheet, index: int) -> int:
    """Who deals a round: as entered, and after that each to the left of the last."""
    if index < len(sheet.rounds):
        return sheet.rounds[index].dealer
    seats = sheet.seats
    if not sheet.rounds:
        return seats[index % len(seats)]
    ahead = index - len(sheet.rounds) + 1
    return seats[(seats.index(sheet.rounds[-1].dealer) + ahead) % len(seats)]


def _place(player: int, people: list[list[int]]) -> tuple[int, int] | None:
    """The block and the group of a player."""
    for block, players in enumerate(people):
        if player in players:
            return block, players.index(player)
    return None


def _cells(
    sheet: Sheet, current: SheetRound | None, after: list[int] | None, people: list[list[int]]
) -> Iterator[tuple[Cell, ...]]:
    found = by_side(sheet, current) if current is not None and after is not None else {}
    for block, players in enumerate(people):
        side = block if sheet.rules.teams else players[0]
        cells = [
            cell for player in players for cell in _own(sheet, current, player, found.get(side))
        ]
        if side in found and after is not None:
            cells += [Cell(str(found[side].points)), Cell(str(after[side]))]
        else:
            away = bool(cells) and all(cell.away for cell in cells)
            cells += [Cell(away=away)] * 2
        yield tuple(cells)


def _own(
    sheet: Sheet, current: SheetRound | None, player: int, account: Account | None
) -> tuple[Cell, Cell]:
    """A player's bid and tricks."""
    if current is None:
        return Cell(), Cell()
    if player not in current.seats:
        return Cell(away=True), Cell(away=True)
    place = current.seats.index(player)
    bid, won = current.bids[place], current.won[place]
    cards = card_points(sheet, current, place)
    return (
        Cell("" if bid is None else str(bid), met=account is not None and account.met),
        Cell("" if won is None else str(won), note=f"{cards:+d}" if cards else ""),
    )


def _notes(rules: RuleSet) -> Iterator[Reason]:
    """How a round scores, and what the bids may not add up to."""
    book = {chapter.code: chapter for chapter in chapters(rules)}
    if rules.bid_total == "not_tricks":
        yield Reason("rules.bids.not_tricks")
    for line in book["rules.score"].lines:
        if line.code != "rules.score.examples":
            yield line
