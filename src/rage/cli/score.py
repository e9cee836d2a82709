"""``rage score``: keeps the score of a game with real cards in the terminal."""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from rage.cli.files import is_link, read_sheet_file
from rage.cli.parser import FILES, Parser
from rage.cli.program import program_name
from rage.cli.question import ask
from rage.cli.usual import usual_edition
from rage.cli.values import rule_sets
from rage.extras import command_line
from rage.notation.typed import split_list
from rage.rules.editions import name_of, ruleset
from rage.say import NotAllowed, NotReadable, RageError, join, sentence, text, visible
from rage.score.bidding import as_seen
from rage.score.entering import begin_round, new_sheet
from rage.score.file import write_sheet
from rage.score.link import write_link
from rage.score.sheet import Sheet
from rage.score.spreadsheet import write_csv
from rage.tui import kept_sheets
from rage.tui.kept_sheets import KeptSheet
from rage.tui.score_table import table
from rage.tui.scorer import Scorer

#: Other environment variables that it reads, for the help.
VARIABLES: Final = ("RAGE_DATA",)
#: What describes a new sheet.
_NEW: Final = ("rules", "names", "dealer")


def configure(parser: Parser) -> None:
    """Add the options."""
    kept = text("cli.score.usual.file", parser.language)
    asked = text("cli.score.usual.names", parser.language)
    first = text("cli.judge.usual.lead", parser.language)
    option = parser.option
    option("file", code="cli.score.file", nargs="?", metavar="FILE", usual=kept, values=FILES)
    usual = text("cli.usual.rules", parser.language)
    option("--rules", code="cli.rules_name", metavar="NAME", usual=usual, values=rule_sets)
    option("--names", code="cli.judge.names", metavar="NAME,NAME,...", usual=asked)
    option("--dealer", code="cli.score.dealer", metavar="NAME", usual=first)
    option("--new", code="cli.score.new", action="store_true")
    only = parser.add_mutually_exclusive_group()
    for name in _FORMS:
        option(f"--{name}", code=f"cli.score.{name}", group=only, action="store_true")


def run(arguments: argparse.Namespace) -> int:
    """Keep a sheet until the game or the input ends, or print one in another form."""
    form = next((name for name in _FORMS if getattr(arguments, name)), None)
    if form is not None:
        _FORMS[form](_existing(arguments), arguments.language)
        return 0
    found = _find(arguments)
    if found is None:
        return 0
    path, sheet = found
    with kept_sheets.lock_sheet(path):
        if sheet is not None and path.exists():
            raise NotAllowed("cli.score.made_meanwhile", file=str(path))
        kept = KeptSheet(path, kept_sheets.load(path) if sheet is None else sheet)
        if sheet is not None:
            kept.write()
        command = f"{program_name()} score"
        if arguments.file is not None and path == Path(arguments.file):  # no link
            command += f" {command_line([arguments.file])}"
        return Scorer(kept, arguments.language, sys.stdin, sys.stdout, command).run()


def _print_table(sheet: Sheet, language: str) -> None:
    for line in table(as_seen(sheet), language, shutil.get_terminal_size((100, 24)).columns):
        print(line)


def _print_bytes(data: bytes) -> None:
    sys.stdout.flush()
    sys.stdout.buffer.write(data)


#: What a sheet can be printed as instead.
_FORMS: Final[dict[str, Callable[[Sheet, str], None]]] = {
    "show": _print_table,
    "csv": lambda sheet, language: _print_bytes(write_csv(sheet, language)),
    "link": lambda sheet, _: print(write_link(as_seen(sheet))),
    "json": lambda sheet, _: _print_bytes(write_sheet(sheet)),
}


def _existing(arguments: argparse.Namespace) -> Sheet:
    """The sheet to print. Raises :class:`rage.NotAllowed` if there is none."""
    for name in (*_NEW, "new"):
        if getattr(arguments, name):
            raise NotAllowed("cli.score.new_alone", option=f"--{name}")
    if arguments.file is not None:
        return read_sheet_file(arguments.file)
    if not (kept := kept_sheets.newest_first()):
        raise NotAllowed("cli.score.none")
    return kept_sheets.load(kept[0])


def _is_pasted(file: str) -> bool:
    """Whether a sheet is no file to go on with: a link, or standard input."""
    return file == "-" or is_link(file)


def _find(arguments: argparse.Namespace) -> tuple[Path, Sheet | None] | None:
    """The file to keep the sheet in, and the sheet if it is new; ``None`` if the input ended before
    that was decided."""
    language = arguments.language
    given = [f"--{name}" for name in _NEW if getattr(arguments, name) is not None]
    if arguments.file is not None and _is_pasted(arguments.file):
        if given:
            raise NotAllowed("cli.score.exists", file=arguments.file, option=given[0])
        return kept_sheets.new_path(), read_sheet_file(arguments.file)
    if arguments.file is not None:
        path = Path(arguments.file)
        if path.exists():
            if given or arguments.new:
                raise NotAllowed("cli.score.exists", file=str(path), option=(*given, "--new")[0])
            read_sheet_file(arguments.file)  # or it is said what it is instead
            return path, None
    else:
        last = None if given or arguments.new else _last(language)
        if last is not None:
            path, sheet = last
            print(text("cli.score.offer", language, **_outline(sheet, language)))
            answer = ask("play.resume?", language)
            if answer is None:
                return None
            if answer:
                return path, None
        path = kept_sheets.new_path()
    begun = _new(arguments)
    return None if begun is None else (path, begun)


def _last(language: str) -> tuple[Path, Sheet] | None:
    """The last sheet in the data folder, if its game is not over; prints which sheets cannot be
    read."""
    for path in kept_sheets.newest_first():
        try:
            sheet = kept_sheets.load(path)
        except RageError as error:
            said = sentence(error.reason, language)
            if error.reason.code != "cli.no_file":  # that one names the file
                said = text("cli.no_file", language, file=str(path), message=said)
            print(f"rage: {said}", file=sys.stderr)
        else:
            return None if sheet.over else (path, sheet)
    return None


def _outline(sheet: Sheet, language: str) -> dict[str, Any]:
    """The parameters of the sentence that offers an unfinished sheet."""
    return {
        "rules": name_of(sheet.rules),
        "names": join([visible(each) for each in sheet.players], language),
        "round": len(sheet.rounds) or 1,
        "last": len(sheet.rules.schedule),
    }


def _new(arguments: argparse.Namespace) -> Sheet | None:
    """A new sheet; asks for the names if they are not given. ``None`` if the input ended."""
    rules = ruleset(
        usual_edition(arguments.language) if arguments.rules is None else arguments.rules
    )
    written = arguments.names
    while True:
        if written is None:
            print(text("cli.score.names?", arguments.language), end=" ", flush=True)
            written = sys.stdin.readline()
            if not written:
                print()
                return None
        names = split_list(written)
        try:
            started = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
            sheet = new_sheet(rules, names, started=started)
            break
        except (NotAllowed, NotReadable) as error:
            if arguments.names is not None:
                raise
            print(sentence(error.reason, arguments.language))
            written = None
    if arguments.dealer is None:
        return sheet
    if arguments.dealer not in names:
        raise NotReadable("scorer.no_player", given=arguments.dealer, names=", ".join(names))
    return begin_round(sheet, dealer=names.index(arguments.dealer))
