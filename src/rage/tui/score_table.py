"""A score sheet as lines of text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rage.say import Reason, join, seat_name, sentence, text, visible
from rage.score.grid import Block, Cell, Row, blocks, rows
from rage.score.sheet import Sheet
from rage.score.standing import leaders, members, met, met_most, scores, winners


def table(sheet: Sheet, language: str, width: int) -> Iterator[str]:
    """The sheet, its sides below each other in as many tables as the width needs; then how things
    stand. Of each player the tricks won and the bid, the points and the total."""
    shown = rows(sheet, language)[: len(sheet.rounds)]
    columns = [_column(shown, at, block) for at, block in enumerate(blocks(sheet, language))]
    corner, total = text("score.printed.corner", language), text("score.csv.total", language)
    head = [corner, *(f"{row.number}: {row.cards}" for row in shown), total.capitalize()]
    first = max(map(len, head))
    while columns:
        line = first
        taken = 0
        while taken < len(columns) and (not taken or line + 3 + len(columns[taken][0]) <= width):
            line += 3 + len(columns[taken][0])
            taken += 1
        for at, name in enumerate(head):
            cells = (column[at] for column in columns[:taken])
            yield "   ".join([name.ljust(first), *cells]).rstrip()
        yield ""
        columns = columns[taken:]
    yield text("scorer.table.legend", language)
    yield from standing(sheet, language)


def _column(shown: list[Row], at: int, block: Block) -> list[str]:
    """The cells of a side, all as wide: its name, each round, the total."""
    name = visible(block.name)
    if block.players:
        name += ": " + ", ".join(map(visible, block.players))
    cells = [
        _cell(row.cells[at], deals=row.dealer[1] if row.dealer and row.dealer[0] == at else None)
        for row in shown
    ]
    width = max(len(name), len(block.total), *map(len, cells))
    return [each.rjust(width) for each in (name, *cells, block.total)]


def _cell(cells: Sequence[Cell], deals: int | None) -> str:
    """``*4/3 (+5)  -5   12``: deals, has won 4 and bid 3, with 5 points for cards, 5 less in the
    round, and 12 in all."""
    *own, points, total = cells
    if all(cell.away for cell in own):
        return "-"
    parts = []
    for member, (bid, won) in enumerate(zip(own[::2], own[1::2], strict=True)):
        if not (bid.text or won.text):
            parts.append("*" if member == deals else "")
            continue
        mark = "*" if member == deals else ""
        cards = f" ({won.note})" if won.note else ""
        parts.append(f"{mark}{won.text or '?'}/{bid.text or '?'}{cards}")
    if points.text:
        plus = "" if points.text.startswith("−") else "+"
        parts += [f"{plus}{points.text}".rjust(3), total.text.rjust(4)]
    return " ".join(parts).strip()


def standing(sheet: Sheet, language: str) -> Iterator[str]:
    """Who leads or has won, and who has met most bids."""
    if not sheet.finished:
        return
    now = scores(sheet)
    won = winners(sheet)
    ahead = leaders(sheet) if won is None else won
    people = [player for side in ahead for player in members(sheet, side)]
    said = {"players": people, "n": len(people), "points": now[ahead[0]]}
    code = "scorer.leads" if won is None else "event.end"
    yield sentence(Reason(code, said), language, names=sheet.players)
    if best := met_most(sheet):
        names = join([side_name(sheet, side, language) for side in best], language)
        yield text("score.met_most", language, names=names, n=met(sheet)[best[0]])


def side_name(sheet: Sheet, side: int, language: str) -> str:
    """The name of a player, or those of a team."""
    people = members(sheet, side)
    return join([seat_name(each, language, sheet.players) for each in people], language)
