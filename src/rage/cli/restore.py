"""``rage restore``: copies all tables from a backup into an empty store."""

from __future__ import annotations

import argparse
import shlex
from pathlib import Path
from typing import Final

from rage.cli.parser import FILES, Parser
from rage.cli.stores import (
    PLACES,
    configure_place,
    copy_all,
    read_file,
    read_place,
    store_refusals,
)
from rage.say import NotAllowed, Reason, text

#: Other environment variables that it reads, for the help.
VARIABLES = PLACES
#: What saves the readable rows of a damaged file (docs/hosting.md).
_SALVAGE: Final = (
    "(sqlite3 {file} .dump | sed 's/^ROLLBACK.*/COMMIT;/'; echo 'PRAGMA user_version = {version};')"
    " | sqlite3 saved.sqlite"
)


def configure(parser: Parser) -> None:
    """Add the options."""
    parser.option("file", code="cli.restore.file", metavar="FILE", values=FILES)
    configure_place(parser)


def run(arguments: argparse.Namespace) -> int:
    """Copy all tables, or nothing. What is damaged is copied as it is, and named."""
    from rage.place.store.copies import stored_rows
    from rage.server.copies import unused_rows

    place, file = read_place(arguments), read_file(arguments.file)
    words = text("cli.restore.words", arguments.language)
    with store_refusals():
        problems = _problems(file)
        with stored_rows(file) as source, unused_rows(place) as target:
            counts = copy_all(source, target, words)
    print(text("cli.restore.done", arguments.language, file=str(file), **counts))
    if problems:
        raise NotAllowed("restore.damaged", file=str(file), problems=problems)
    return 0


def _problems(file: Path) -> list[Reason]:
    """The tables in a backup that cannot be read. Raises :class:`rage.NotAllowed` if its pages are
    damaged, :class:`rage.NotReadable` if it is none, and :class:`StoreFailed`."""
    from rage.place.store import StoreFailed
    from rage.place.store.copies import stored_rows
    from rage.place.store.file import DAMAGE, VERSION, find_problems, is_damage

    try:
        with stored_rows(file):
            problems = find_problems(file, name=str)
    except StoreFailed as error:
        if not is_damage(error.__cause__):
            raise
        problems = [DAMAGE]
    if any(each.code != "store.unreadable" for each in problems):
        command = _SALVAGE.format(file=shlex.quote(str(file)), version=VERSION)
        raise NotAllowed("restore.malformed", file=str(file), problems=problems, command=command)
    return problems
