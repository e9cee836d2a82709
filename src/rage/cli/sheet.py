"""``rage sheet``: a score sheet to print, blank or filled in, as a PDF."""

from __future__ import annotations

import argparse
import sys
from typing import Final

from rage.cli.files import read_bytes
from rage.cli.parser import FILES, Parser
from rage.cli.usual import usual_edition
from rage.cli.values import rule_sets
from rage.extras import install_command
from rage.rules.editions import ruleset
from rage.say import NotAllowed, NotReadable, text
from rage.score.checking import check_names
from rage.score.link import read_pasted
from rage.score.printed import blank_sheet, printed
from rage.score.sheet import Sheet
from rage.tui.typed import listed

_PAPERS: Final = ("a4", "letter")
_USUAL: Final = "rage-sheet.pdf"
#: The packages of the extra ``sheet``.
_LIBRARIES: Final = ("arabic_reshaper", "bidi", "reportlab")
#: What describes a blank sheet; a file has it all.
_BLANK: Final = ("rules", "players", "names")


def configure(parser: Parser) -> None:
    """Add the options."""
    each = text("cli.sheet.usual.players", parser.language)
    none = text("cli.none", parser.language)
    option = parser.option
    option("file", code="cli.sheet.file", nargs="?", metavar="FILE", values=FILES)
    usual = text("cli.usual.rules", parser.language)
    option("--rules", code="cli.rules_name", metavar="NAME", usual=usual, values=rule_sets)
    option("--players", code="cli.players", type=int, metavar="N", usual=each)
    option("--names", code="cli.sheet.names", metavar="NAME,NAME,...", usual=none)
    parser.choice("--paper", code="cli.sheet.paper", of=_PAPERS, usual=_PAPERS[0])
    option("--font", code="cli.sheet.font", metavar="FILE", usual=none, values=FILES)
    option("--out", code="cli.sheet.out", metavar="FILE", usual=_USUAL, values=FILES)
    option("--static", code="cli.sheet.static", metavar="DIR", usual=none, values=FILES)


def run(arguments: argparse.Namespace) -> int:
    """Write the PDF, or the page for scores as a folder, and say where."""
    if arguments.static is not None:
        return _write_static(arguments)
    sheet = _blank(arguments) if arguments.file is None else _filled(arguments)
    try:
        from rage.score.pdf import write_pdf
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] not in _LIBRARIES:
            raise
        raise NotAllowed("cli.sheet.no_library", command=install_command("sheet")) from None
    paper = arguments.paper or _PAPERS[0]
    data, missing = write_pdf(printed(sheet, arguments.language), paper, arguments.font)
    if missing:
        print(text("score.no_font", arguments.language, letters=missing), file=sys.stderr)
    out = _USUAL if arguments.out is None else arguments.out
    if out == "-":
        sys.stdout.buffer.write(data)
        return 0
    try:
        with open(out, "wb") as file:
            file.write(data)
    except OSError as error:
        message = error.strerror or str(error)
        raise NotReadable("cli.no_out", file=out, message=message) from None
    print(text("cli.sheet.written", arguments.language, file=out))
    return 0


def _filled(arguments: argparse.Namespace) -> Sheet:
    """The sheet of a file."""
    for name in _BLANK:
        if getattr(arguments, name) is not None:
            raise NotAllowed("cli.sheet.file_alone", option=f"--{name}")
    return read_pasted(read_bytes(arguments.file))


def _blank(arguments: argparse.Namespace) -> Sheet:
    """A sheet on which nothing has been entered, with the names given, or room for them."""
    names = [] if arguments.names is None else listed(arguments.names)
    if names:
        check_names(names)
    rules = ruleset(arguments.rules or usual_edition(arguments.language))
    players = arguments.players
    if players is None:
        players = len(names) or rules.usual_players()
    rules.for_players(players)
    if len(names) > players:
        raise NotAllowed("judge.names", names=len(names), players=players)
    return blank_sheet(rules, [*names, *[""] * (players - len(names))])


def _write_static(arguments: argparse.Namespace) -> int:
    """The page is for every edition and all players, so nothing else can be said with it."""
    for name in (*_BLANK, "paper", "font", "out"):
        if getattr(arguments, name) is not None:
            raise NotAllowed("cli.sheet.static_alone", option=f"--{name}")
    if arguments.file is not None:
        raise NotAllowed("cli.sheet.static_alone", option=arguments.file)
    from rage.cli.sheet_folder import write_folder

    write_folder(arguments.static)
    print(text("cli.sheet.static.written", arguments.language, folder=arguments.static))
    return 0
