"""A sheet as a table for spreadsheets: CSV (``docs/score.md``)."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Final

from rage.rules.cards import BONUS, CARD_CODES, MAD
from rage.say import text
from rage.score.sheet import Sheet, SheetRound
from rage.score.standing import by_side, sides, totals

#: A spreadsheet takes text that begins with one of these for a formula.
_FORMULA: Final = tuple("=+-@＝＋－＠")


def write_csv(sheet: Sheet, language: str) -> bytes:
    """The table of a sheet in a language, with a byte order mark."""
    out = io.StringIO()
    separator = text("score.csv.separator", language)
    table: list[list[object]] = [_head(sheet, language), *_rows(sheet)]
    for row in table:
        cells = (quoted(str(cell)) for cell in row)
        out.write(separator.join(cells) + "\r\n")
    return out.getvalue().encode("utf-8-sig")


def quoted(cell: str) -> str:
    """A cell of CSV, quoted if necessary."""
    if not any(each in cell for each in ',;"\r\n'):
        return cell
    return '"' + cell.replace('"', '""') + '"'


def safe(name: str) -> str:
    """A name that no spreadsheet mistakes for a formula."""
    return f"'{name}" if name.startswith(_FORMULA) else name


def _head(sheet: Sheet, language: str) -> list[object]:
    names = ["round", "cards", "player", "dealer", *(["team"] if sheet.rules.teams else [])]
    names += ["bid", "tricks"]
    edition = sheet.rules.edition
    kinds = (CARD_CODES[BONUS], CARD_CODES[MAD])
    return [
        *(text(f"score.csv.{name}", language) for name in names),
        *(text("score.csv.won", language, edition=edition, card=card) for card in kinds),
        *(text(f"score.csv.{name}", language) for name in ("points", "total")),
    ]


def _rows(sheet: Sheet) -> Iterator[list[object]]:
    sums = [0] * sides(sheet)
    for number, (current, sums) in enumerate(zip(sheet.finished, totals(sheet), strict=True), 1):
        yield from _round_rows(sheet, number, current, sums)


def _round_rows(
    sheet: Sheet, number: int, current: SheetRound, sums: list[int]
) -> Iterator[list[object]]:
    found = by_side(sheet, current)
    for place, player in enumerate(current.seats):
        side = place % sheet.rules.teams if sheet.rules.teams else player
        yield [
            number,
            current.hand_size,
            safe(sheet.players[player]),
            "x" if player == current.dealer else "",
            *([side + 1] if sheet.rules.teams else []),
            current.bids[place],
            current.won[place],
            current.bonus[place],
            current.mad[place],
            found[side].points,
            sums[side],
        ]
