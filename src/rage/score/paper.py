"""The printed score sheet: a page of HTML for a browser, blank or filled in.

It holds everything it needs, so it opens with a double click and prints without a network. The
browser draws it because browsers show names in any script and know every printer.
"""

from __future__ import annotations

import re
from html import escape
from typing import Final

from rage.game.rulebook import chapters, title_of
from rage.rules.ruleset import RuleSet
from rage.rules.settings import MAX_REAL_PLAYERS
from rage.say import Reason, html_language, sentence, text, visible, with_colon
from rage.score.grid import Block, Cell, Row, blocks, rows
from rage.score.sheet import Sheet

#: Width and height of a portrait page, in millimetres, by its name in CSS.
PAPERS: Final = {"a4": (210, 297), "letter": (216, 279)}
#: The most blocks on a page, and the most groups of columns on a portrait one.
_MAX_BLOCKS, _UPRIGHT = MAX_REAL_PLAYERS, 4
#: Heights in millimetres: the margin, everything above the rows, the total, the names of the
#: players of teams, and a line of the notes.
_MARGIN, _HEAD, _TOTAL, _TEAM, _NOTE = 11, 32, 11, 6, 4
_LOWEST_ROW, _HIGHEST_ROW = 7.0, 16.0
#: More columns than this get short labels, and more than this small figures.
_MAX_LONG, _MAX_LARGE = 20, 32
#: The labels of a player's columns, and of a side's, long and short.
_PLAYER: Final = (("score.csv.bid", "tui.sheet.bid"), ("score.csv.tricks", "tui.sheet.won"))
_SIDE: Final = (("score.csv.points", "tui.sheet.points"), ("score.csv.total", "tui.sheet.total"))
#: The beginning of a time. A file may have any text in its place.
_DATE: Final = re.compile("([0-9]{4})-([0-9]{2})-([0-9]{2})")

_STYLE: Final = """\
* { box-sizing: border-box }
body { max-width: 277mm; margin: 8mm auto; padding: 0 4mm; font: 9pt/1.25 sans-serif }
body, button { color: #000; background: #fff }
button { padding: 2mm 6mm; font: inherit }
header { display: grid; grid-template-columns: 1fr auto; height: 13mm }
h1 { margin: 0; font-size: 15pt }
table { width: 100%; border-collapse: collapse; table-layout: fixed }
th, td { position: relative; padding: 0 .5mm; border: .3mm solid; text-align: center;
  font-weight: normal; overflow-wrap: anywhere }
tr { break-inside: avoid }
tfoot { display: table-row-group }
.corner { width: 17mm; border-top-color: transparent; border-left-color: transparent }
.name { height: 9mm; font-size: 10pt; line-height: 1.1; font-weight: bold }
.name:empty::after { content: ""; display: block; margin: 4mm 2mm 0; border-bottom: .2mm solid }
.team { height: 6mm }
.label { height: 5mm; font-size: 7pt; overflow-wrap: normal }
.side { border-left-width: .6mm }
.number { white-space: nowrap; font-size: 7pt }
.number b { margin-right: 1mm; font-size: 11pt }
td { font-size: 11pt }
td sup { position: absolute; top: .5mm; right: .5mm; font-size: 6pt; line-height: 1 }
.total { height: 11mm; font-size: 12pt; font-weight: bold }
th.total { font-size: 9pt }
.met { display: inline-block; min-width: 1.7em; line-height: 1.5; border: .25mm solid;
  border-radius: 1em }
.dealer::before { content: ""; position: absolute; top: 0; left: 0; border: 1.2mm solid;
  border-right-color: transparent; border-bottom-color: transparent }
footer { display: grid; grid-template-columns: 1fr auto; column-gap: 8mm; margin-top: 3mm;
  font-size: 8pt; break-inside: avoid }
footer ul { margin: 1mm 0; padding: 0; list-style: none }
.wide ul { columns: 2 }
.mark { display: inline-block; position: relative; padding-left: 4mm }
section + section { margin-top: 10mm; break-before: page }
@media print { body { max-width: none; margin: 0; padding: 0 .3mm } nav { display: none }
  section + section { margin: 0 } }
"""
_SMALL: Final = "tbody td { padding: 0; font-size: 7pt; white-space: nowrap }\n"


def blank_sheet(rules: RuleSet, names: list[str]) -> Sheet:
    """A blank sheet to print; the ``names`` may be empty. Raises :class:`rage.NotAllowed` if the
    rules are not for that many players."""
    rules.for_players(len(names), real_cards=True)
    return Sheet(rules, tuple(names))


def write_page(sheet: Sheet, language: str, paper: str = "a4") -> str:
    """The sheet as a page of HTML for ``a4`` or ``letter``: portrait for up to four groups of
    columns, otherwise landscape."""
    columns, rounds, notes = blocks(sheet, language), rows(sheet, language), _notes(sheet, language)
    width, height = PAPERS[paper]
    across = sum(len(each.players) + 1 for each in columns) > _UPRIGHT
    if across:
        width, height = height, width
    lines = -(-len(notes) // 2) if across else len(notes)
    room = height - 2 * _MARGIN - _HEAD - _TOTAL - _NOTE * (lines + 3)
    room -= _TEAM if sheet.rules.teams else 0
    row = min(max(room / max(len(rounds), 1), _LOWEST_ROW), _HIGHEST_ROW)
    small = sum(each.columns for each in columns[:_MAX_BLOCKS]) > _MAX_LARGE
    pages = (range(len(columns))[at:][:_MAX_BLOCKS] for at in range(0, len(columns), _MAX_BLOCKS))
    body = "\n".join(_page(sheet, columns, rounds, each, notes, language) for each in pages)
    return (
        f'<!doctype html>\n<html {html_language(language)}><head><meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width">\n'
        f"<title>{escape(text('score.printed.title', language))}</title>\n"
        f"<style>\n@page {{ size: {width}mm {height}mm; margin: {_MARGIN}mm }}\n{_STYLE}"
        f"tbody tr {{ height: {row:.1f}mm }}\n{_SMALL if small else ''}</style></head>\n"
        f'<body class="{"wide" if across else "upright"}">\n<nav><button onclick="print()">'
        f"{escape(text('page.sheet.print', language))}</button></nav>\n{body}\n</body></html>\n"
    )


def _notes(sheet: Sheet, language: str) -> list[str]:
    """How a round scores, and which total the bids must not have."""
    book = {chapter.code: chapter for chapter in chapters(sheet.rules)}
    lines = [each for each in book["rules.score"].lines if each.code != "rules.score.examples"]
    if sheet.rules.bid_total == "not_tricks":
        lines.insert(0, Reason("rules.bids.not_tricks"))
    return [sentence(each, language, edition=sheet.rules.edition) for each in lines]


def _page(
    sheet: Sheet,
    columns: list[Block],
    rounds: list[Row],
    shown: range,
    notes: list[str],
    language: str,
) -> str:
    """One page of the sheet: the blocks that are ``shown``, with everything around them."""

    def said(code: str) -> str:
        return escape(text(code, language))

    here = [columns[at] for at in shown]
    body = "\n".join(_row(each, here, shown) for each in rounds)
    totals = "".join(
        f'<td class="total side" colspan="{each.columns}">{each.total}</td>' for each in here
    )
    met = f'<br><span class="met">&nbsp;</span> {said("score.printed.met")}'
    scoring = "".join(f"<li>{escape(note)}</li>" for note in notes)
    return (
        f"<section>\n<header><h1>{said('score.printed.title')}</h1>"
        f"<span>{with_colon(said('score.printed.date'), language)} {_date(sheet, language)}</span>"
        f"<span>{escape(title_of(sheet.rules, language))}</span></header>\n"
        f"<table>\n<thead>{_head(here, language)}</thead>\n<tbody>\n{body}\n</tbody>\n<tfoot><tr>"
        f'<th class="total" scope="row">{said("score.csv.total").capitalize()}</th>{totals}'
        f"</tr></tfoot>\n</table>\n<footer><div><b>{said('rules.score')}</b><ul>{scoring}</ul></div>"
        f'<div><span class="mark dealer">{said("score.printed.dealer")}</span>'
        f"{met if sheet.finished else ''}</div></footer>\n</section>"
    )


def _date(sheet: Sheet, language: str) -> str:
    """The day on which the game began, as written in a language, or a line to write it on."""
    started = sheet.extra.get("started")
    found = _DATE.match(started) if isinstance(started, str) else None
    if found is None:
        return "_" * 14
    year, month, day = found.groups()
    return text("score.printed.day", language, year=year, month=month, day=day)


def _head(columns: list[Block], language: str) -> str:
    """The names above the labels of the columns; with teams, the players in between."""
    names = "".join(_named(each.name, "name side", each.columns) for each in columns)
    players = "".join(
        "".join(_named(name, "team side", 2) for name in (*each.players, ""))
        for each in columns
        if each.players
    )
    short = sum(each.columns for each in columns) > _MAX_LONG
    labels = "".join(
        f'<th class="label{_side(each, at)}" scope="col">'
        f"{escape(text(codes[short], language))}</th>"
        for each in columns
        for at, codes in enumerate(_PLAYER * max(len(each.players), 1) + _SIDE)
    )
    corner = escape(text("score.printed.corner", language))
    return (
        f'<tr><th class="corner label" rowspan="{3 if players else 2}">{corner}</th>{names}</tr>'
        f"{players and f'<tr>{players}</tr>'}<tr>{labels}</tr>"
    )


def _named(name: str, kind: str, columns: int) -> str:
    """The head of some columns, with a name in whichever direction it is written."""
    shown = f"<bdi>{escape(visible(name))}</bdi>" if name else ""
    return f'<th class="{kind}" colspan="{columns}" scope="colgroup">{shown}</th>'


def _side(block: Block, at: int) -> str:
    """The class of a column with a heavy line before it: the first of a block, and with teams also
    the first of each player and of the points."""
    return " side" if at == 0 or (block.players and at % 2 == 0) else ""


def _row(row: Row, columns: list[Block], shown: range) -> str:
    cells = "".join(
        _cell(cell, _side(columns[at - shown.start], place) + _dealer(row, at, place))
        for at in shown
        for place, cell in enumerate(row.cells[at])
    )
    number = f"<b>{row.number}</b>{escape(row.cards)}"
    return f'<tr><th class="number" scope="row">{number}</th>{cells}</tr>'


def _dealer(row: Row, block: int, place: int) -> str:
    """The class of the cell that is marked because its player deals."""
    if row.dealer is None:
        return ""
    dealing, player = row.dealer
    return " dealer" if (block, place) == (dealing, 2 * player) else ""


def _cell(cell: Cell, kind: str) -> str:
    shown = "–" if cell.away else cell.text
    if cell.met:
        shown = f'<span class="met">{shown}</span>'
    note = f"<sup>{cell.note}</sup>" if cell.note else ""
    return f'<td class="{kind.strip()}">{shown}{note}</td>' if kind else f"<td>{shown}{note}</td>"
