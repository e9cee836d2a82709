"""``rage score``: opens the page's score sheet in a browser, or prints a sheet."""

from __future__ import annotations

import argparse
import shutil
import threading
import zlib
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Final
from urllib.parse import urlencode

from rage.cli.arguments import is_link, print_bytes, read_sheet_file, rule_sets
from rage.cli.commands import serve
from rage.cli.commands.sheet import built_sheet
from rage.cli.parser import FILES, Parser
from rage.cli.terminal import has_browser, open_in_browser
from rage.notation.digits import to_base64url
from rage.notation.typed import split_list
from rage.rules.editions import ruleset
from rage.say import (
    NotAllowed,
    NotReadable,
    Reason,
    join,
    seat_name,
    sentence,
    text,
    visible,
    with_colon,
)
from rage.score.bidding import as_seen
from rage.score.checking import check_names
from rage.score.file import write_sheet
from rage.score.grid import Block, Cell, Row, blocks, rows
from rage.score.link import write_link
from rage.score.sheet import Sheet
from rage.score.spreadsheet import write_csv
from rage.score.standing import leaders, members, met, met_most, scores, winners

if TYPE_CHECKING:
    from rage.server.config import Config

#: Other environment variables that it reads, for the help.
VARIABLES: Final = ("RAGE_DATA",)
#: The options of a new sheet; they do not go with a file.
_NEW: Final = ("rules", "names", "dealer")
#: The longest address that hands over a file: systems limit the arguments of a program.
MAX_ADDRESS: Final = 100_000


def configure(parser: Parser) -> None:
    """Add the arguments of ``rage score``."""
    page = text("cli.score.usual.page", parser.language)
    new = text("cli.score.usual.new", parser.language)
    option = parser.option
    option("file", code="cli.score.file", nargs="?", metavar="FILE", usual=new, values=FILES)
    option("--rules", code="cli.rules_name", metavar="NAME", usual=page, values=rule_sets)
    option("--names", code="cli.judge.names", metavar="NAME,NAME,...", usual=page)
    first = text("cli.judge.usual.lead", parser.language)
    option("--dealer", code="cli.score.dealer", metavar="NAME", usual=first)
    only = parser.add_mutually_exclusive_group()
    for name in _FORMS:
        option(f"--{name}", code=f"cli.score.{name}", group=only, action="store_true")


def run(arguments: argparse.Namespace) -> int:
    """Open the sheet on the page, or print one in another form."""
    form = next((name for name in _FORMS if getattr(arguments, name)), None)
    if arguments.file is not None:
        for name in _NEW:
            if getattr(arguments, name) is not None:
                raise NotAllowed("cli.sheet.file_alone", option=f"--{name}")
    if form is None:
        fragment = _new(arguments) if arguments.file is None else _existing(arguments.file)
        built_sheet()
        return _open(f"sheet{fragment}", arguments.language)
    if arguments.file is None:
        raise NotAllowed("cli.score.no_file", option=f"--{form}")
    _FORMS[form](read_sheet_file(arguments.file), arguments.language)
    return 0


# Sheets on the page.


def _existing(file: str) -> str:
    """The fragment that hands over a sheet: a link in its own form, a file in full."""
    sheet = read_sheet_file(file)
    if is_link(file):
        return f"#{write_link(sheet)}"
    packed = to_base64url(zlib.compress(write_sheet(sheet), 9))
    if len(packed) > MAX_ADDRESS:
        raise NotAllowed("cli.score.too_large", file=file)
    return f"#file={packed}"


def _new(arguments: argparse.Namespace) -> str:
    """The fragment that fills in the form for a new sheet; empty without options. Raises
    :class:`rage.NotReadable` and :class:`rage.NotAllowed` if the form would refuse them."""
    fields = []
    names = [] if arguments.names is None else split_list(arguments.names)
    if arguments.rules is not None:
        rules = ruleset(arguments.rules)
        if names:
            rules.for_players(len(names), real_cards=True)
        fields.append(("rules", rules.name))
    if arguments.names is not None:
        check_names(names)
        fields += [("name", name) for name in names]
    if arguments.dealer is not None:
        if arguments.dealer not in names:
            raise NotReadable("cli.score.no_dealer", given=arguments.dealer)
        fields.append(("dealer", arguments.dealer))
    return f"#new?{urlencode(fields)}" if fields else ""


def _open(path: str, language: str) -> int:
    """Open a path of the page. Unless a server is using the data folder, start one until Ctrl-C,
    like ``rage serve`` without options."""
    from rage.server.network import own_url

    parser = Parser(language=language)
    serve.configure(parser)
    options = parser.parse_args([])
    options.language = language

    def ready(config: Config) -> None:
        url = f"{own_url(config)}/{path}"
        _tell(url, language)
        print(text("serve.how_to_end", language), flush=True)
        threading.Thread(target=_show, args=(url, language), daemon=True).start()

    try:
        return serve.serve_until_ended(options, ready)
    except NotAllowed as error:
        there = error.reason.params.get("url")
        if error.reason.code != "serve.folder_in_use" or not there:
            raise
        _tell(f"{there}{path}", language)
        _show(f"{there}{path}", language)
        return 0


def _tell(url: str, language: str) -> None:
    """Print an address, unwrapped however long it is."""
    print(text("cli.score.here", language), url, flush=True)


def _show(url: str, language: str) -> None:
    """Open an address in a browser, or say that there is none."""
    if not (has_browser() and open_in_browser(url)):
        print(text("cli.score.no_browser", language), flush=True)


# Sheets in the terminal.


def _print_table(sheet: Sheet, language: str) -> None:
    for line in _table(as_seen(sheet), language, shutil.get_terminal_size((100, 24)).columns):
        print(line)


#: The functions that print a sheet, by form.
_FORMS: Final[dict[str, Callable[[Sheet, str], None]]] = {
    "show": _print_table,
    "csv": lambda sheet, language: print_bytes(write_csv(sheet, language)),
    "link": lambda sheet, _: print(write_link(as_seen(sheet))),
    "json": lambda sheet, _: print_bytes(write_sheet(sheet)),
}


def _table(sheet: Sheet, language: str, width: int) -> Iterator[str]:
    """The sheet in as many tables, one below the other, as the width requires, then the standing.
    Each cell has tricks won and bid, points and total."""
    shown = rows(sheet, language)[: len(sheet.rounds)]
    columns = [_column(shown, *each, language) for each in enumerate(blocks(sheet, language))]
    corner, total = text("score.printed.corner", language), text("score.csv.total", language)
    head = [
        corner,
        *(f"{with_colon(str(row.number), language)} {row.cards}" for row in shown),
        total.capitalize(),
    ]
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
    yield text("cli.score.legend", language)
    yield from _standing(sheet, language)


def _column(shown: list[Row], at: int, block: Block, language: str) -> list[str]:
    """The cells of a side, padded to equal width: its name, each round, the total."""
    name = visible(block.name)
    if block.players:
        name = f"{with_colon(name, language)} {', '.join(map(visible, block.players))}"
    cells = [
        _cell(row.cells[at], deals=row.dealer[1] if row.dealer and row.dealer[0] == at else None)
        for row in shown
    ]
    width = max(len(name), len(block.total), *map(len, cells))
    return [each.rjust(width) for each in (name, *cells, block.total)]


def _cell(cells: Sequence[Cell], deals: int | None) -> str:
    """A round of a side. ``*4/3 (+5)  -5   12``: it deals, won 4 and bid 3, has 5 points for cards,
    -5 in the round, and 12 in all."""
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


def _standing(sheet: Sheet, language: str) -> Iterator[str]:
    """Say who leads or has won, and who has met the most bids."""
    if not sheet.finished:
        return
    now = scores(sheet)
    won = winners(sheet)
    ahead = leaders(sheet) if won is None else won
    people = [player for side in ahead for player in members(sheet, side)]
    said = {"players": people, "n": len(people), "points": now[ahead[0]]}
    code = "cli.score.leads" if won is None else "event.end"
    yield sentence(Reason(code, said), language, names=sheet.players)
    if best := met_most(sheet):
        names = join([_side_name(sheet, side, language) for side in best], language)
        yield text("score.met_most", language, names=names, n=met(sheet)[best[0]])


def _side_name(sheet: Sheet, side: int, language: str) -> str:
    """The name of a player, or the names of a team."""
    people = members(sheet, side)
    return join([seat_name(each, language, sheet.players) for each in people], language)
