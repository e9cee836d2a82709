"""``rage restore``: copies all tables from a backup into an empty store."""

from __future__ import annotations

import argparse
from pathlib import Path

from rage.cli.parser import FILES, Parser
from rage.cli.stores import PLACES, configure_place, copy_all, read_place, store_refusals
from rage.say import NotAllowed, text

#: Other environment variables that it reads, for the help.
VARIABLES = PLACES


def configure(parser: Parser) -> None:
    """Add the options."""
    parser.option("file", code="cli.restore.file", metavar="FILE", values=FILES)
    configure_place(parser)


def run(arguments: argparse.Namespace) -> int:
    """Copy all tables, or nothing. What is damaged is copied as it is, and named."""
    from rage.place.store.copies import stored_rows
    from rage.place.store.file import find_problems
    from rage.server.copies import unused_rows

    place = read_place(arguments)
    words = text("cli.restore.words", arguments.language)
    file = Path(arguments.file)
    with store_refusals(), stored_rows(file) as source:
        problems = find_problems(file, name=str)
        if any(each.code != "store.unreadable" for each in problems):
            raise NotAllowed("restore.malformed", file=str(file), problems=problems)
        with unused_rows(place) as target:
            counts = copy_all(source, target, words)
    print(text("cli.restore.done", arguments.language, file=str(file), **counts))
    if problems:
        raise NotAllowed("restore.damaged", file=str(file), problems=problems)
    return 0
