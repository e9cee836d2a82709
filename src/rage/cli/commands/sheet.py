"""``rage sheet``: writes a score sheet to print, blank or filled in; or the page that keeps scores,
as a folder for any web host."""

from __future__ import annotations

import argparse
import json
import sys
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Final

from rage.cli.arguments import read_sheet_file, rule_sets, usual_edition
from rage.cli.parser import FILES, Parser
from rage.cli.terminal import has_browser, open_in_browser
from rage.files import write_file, write_out
from rage.notation.typed import split_list
from rage.rules.editions import ruleset
from rage.say import LANGUAGES, NotAllowed, NotReadable, text
from rage.score.checking import check_names
from rage.score.paper import PAPERS, blank_sheet, write_page
from rage.score.sheet import Sheet

VARIABLES: Final = ("RAGE_DATA",)
_PAPER: Final = "a4"
_USUAL: Final = "rage-sheet.html"
#: The options of a blank sheet; they do not go with a file.
_BLANK: Final = ("rules", "players", "names")

#: The files that the page shares with the table, one folder up.
_BESIDE: Final = (
    "worker.js", "icon.svg", "icon-192.png", "icon-512.png", "icon-maskable-512.png",
    "apple-touch-icon.png", "licenses.json",
)  # fmt: skip
_MANIFEST: Final = "sheet.webmanifest"
#: The views of the page with an address of their own.
_STARTS: Final = ("index.html", "judge.html")


def configure(parser: Parser) -> None:
    """Add the arguments of ``rage sheet``."""
    each = text("cli.sheet.usual.players", parser.language)
    none = text("cli.none", parser.language)
    option = parser.option
    option("file", code="cli.sheet.file", nargs="?", metavar="FILE", values=FILES)
    usual = text("cli.usual.rules", parser.language)
    option("--rules", code="cli.rules_name", metavar="NAME", usual=usual, values=rule_sets)
    option("--players", code="cli.players", type=int, metavar="N", usual=each)
    option("--names", code="cli.sheet.names", metavar="NAME,NAME,...", usual=none)
    parser.choice("--paper", code="cli.sheet.paper", of=tuple(PAPERS), usual=_PAPER)
    option("--out", code="cli.sheet.out", metavar="FILE", usual=_USUAL, values=FILES)
    option("--static", code="cli.sheet.static", metavar="DIR", usual=none, values=FILES)


def run(arguments: argparse.Namespace) -> int:
    """Write the sheet, print its path, and open it unless ``--out`` is given; or write the page for
    scores as a folder."""
    if arguments.static is not None:
        return _write_static(arguments)
    path = Path(_USUAL if arguments.out is None else arguments.out)
    if arguments.out != "-" and path.suffix.lower() not in (".html", ".htm"):
        raise NotAllowed("cli.sheet.not_html", file=str(path))
    sheet = _blank(arguments) if arguments.file is None else _filled(arguments)
    data = write_page(sheet, arguments.language, arguments.paper or _PAPER).encode()
    if arguments.out == "-":
        sys.stdout.buffer.write(data)
        return 0
    write_out(str(path), data)
    print(text("cli.sheet.to_print", arguments.language, file=str(path)), flush=True)
    if arguments.out is None and has_browser():
        open_in_browser(path.resolve().as_uri())
    return 0


def _filled(arguments: argparse.Namespace) -> Sheet:
    """The sheet of a file."""
    for name in _BLANK:
        if getattr(arguments, name) is not None:
            raise NotAllowed("cli.sheet.file_alone", option=f"--{name}")
    return read_sheet_file(arguments.file)


def _blank(arguments: argparse.Namespace) -> Sheet:
    """A sheet with nothing entered, with the given names or room for names."""
    names = [] if arguments.names is None else split_list(arguments.names)
    if names:
        check_names(names)
    rules = ruleset(arguments.rules or usual_edition(arguments.language))
    players = arguments.players
    if players is None:
        players = len(names) or rules.usual_players
    rules.for_players(players, real_cards=True)
    if len(names) > players:
        raise NotAllowed("judge.names", names=len(names), players=players)
    return blank_sheet(rules, [*names, *[""] * (players - len(names))])


def _write_static(arguments: argparse.Namespace) -> int:
    """Write the page; other options are refused, because it serves all editions and players."""
    for name in (*_BLANK, "paper", "out"):
        if getattr(arguments, name) is not None:
            raise NotAllowed("cli.sheet.static_alone", option=f"--{name}")
    if arguments.file is not None:
        raise NotAllowed("cli.sheet.static_alone", option=arguments.file)
    write_folder(arguments.static)
    print(text("cli.sheet.static.written", arguments.language, folder=arguments.static))
    return 0


def built_sheet(page: Traversable | None = None) -> tuple[Traversable, Traversable]:
    """The folder of the built page, and the sheet's folder in it. Raises :class:`rage.NotAllowed`
    if the page is not built."""
    from rage.server.http.page import SHEET

    page = files("rage.server").joinpath("page") if page is None else page
    if not (sheet := page.joinpath(SHEET)).joinpath("index.html").is_file():
        raise NotAllowed("cli.sheet.no_page")
    return page, sheet


def write_folder(folder: str, page: Traversable | None = None) -> None:
    """Write the page into ``folder``, creating it if needed; its paths are relative, so it can be
    anywhere. Raises :class:`rage.NotReadable` if the folder cannot be written."""
    page, sheet = built_sheet(page)
    target = Path(folder)
    try:
        (target / "assets").mkdir(parents=True, exist_ok=True)
        _write(page, sheet, target)
    except OSError as error:
        message = error.strerror or str(error)
        raise NotReadable("cli.no_out", file=folder, message=message) from None


def _double_click() -> str:
    """The text, in every language, for a page that cannot start because it is opened as a file."""
    said = ((language, text("cli.sheet.double_click", language)) for language in LANGUAGES)
    return "".join(f'<p class="unstarted" lang="{language}">{each}</p>' for language, each in said)


def _write(page: Traversable, sheet: Traversable, target: Path) -> None:
    start = sheet.joinpath("index.html").read_text(encoding="utf-8")
    start = start.replace('"../', '"./').replace("</noscript>", f"</noscript>{_double_click()}")
    manifest = json.loads(page.joinpath(_MANIFEST).read_text(encoding="utf-8"))
    manifest |= {"id": "./", "start_url": "./"}
    copied = [
        (each, f"assets/{each.name}")
        for each in sheet.joinpath("assets").iterdir()
        if not each.name.endswith((".br", ".gz"))  # a host compresses by itself
    ]
    copied += [(page.joinpath(name), name) for name in _BESIDE]
    copied += [(sheet.joinpath(name), name) for name in ("files.json",)]
    written = [(name, source.read_bytes()) for source, name in copied]
    written += [(_MANIFEST, (json.dumps(manifest, indent=2) + "\n").encode())]
    # The pages last: until the disk has all that they load, earlier ones stay as they are.
    written += [(name, start.encode()) for name in _STARTS]
    for name, data in written:
        write_file(target / name, data, 0o666)
