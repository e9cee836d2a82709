"""``rage backup``: copies all tables into one file, also while servers use them."""

from __future__ import annotations

import argparse

from rage.cli.arguments import (
    LOCATIONS,
    configure_location,
    configure_partial,
    copy_all,
    named,
    read_file,
    read_location,
    store_refusals,
)
from rage.cli.parser import FILES, Parser
from rage.say import NotAllowed, text

#: Other environment variables that it reads, for the help.
VARIABLES = LOCATIONS


def configure(parser: Parser) -> None:
    """Add the arguments of ``rage backup``."""
    parser.option("file", code="cli.backup.file", metavar="FILE", values=FILES)
    parser.option("--force", code="cli.backup.force", action="store_true")
    configure_partial(parser)
    configure_location(parser)


def run(arguments: argparse.Namespace) -> int:
    """Copy all tables, or nothing; with ``--partial``, the undamaged data. Raises
    :class:`rage.NotAllowed` if anything is damaged, or an earlier copy has what is lost."""
    from rage.house.store.copies import new_rows
    from rage.server.stores.copies import check_new, check_successor, rows_of

    location, file = read_location(arguments), read_file(arguments.file)
    words = text("cli.backup.words", arguments.language)
    partial: bool = arguments.partial
    with store_refusals():
        check_new(file, force=arguments.force)
        with rows_of(location) as source, new_rows(file) as target:
            counts, problems = copy_all(source, target, words, partial=partial)
            if problems and (not partial or file.exists()):
                key = "backup.damaged_kept" if file.exists() else "backup.damaged"
                raise NotAllowed(key, file=str(file), problems=named(problems))
            if file.exists():
                check_successor(file, target)
    print(text("cli.backup.done", arguments.language, file=str(file), **counts))
    if problems:
        raise NotAllowed("backup.partial", file=str(file), problems=named(problems))
    return 0
