"""``rage restore``: copies all tables from a backup into an empty store."""

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
    """Add the arguments of ``rage restore``."""
    parser.option("file", code="cli.restore.file", metavar="FILE", values=FILES)
    configure_partial(parser)
    configure_location(parser)


def run(arguments: argparse.Namespace) -> int:
    """Copy all tables, leaving out and naming damaged data; if pages of the file are damaged, copy
    nothing without ``--partial``. Raises :class:`rage.NotAllowed` if anything is damaged."""
    from rage.house.store import StoreFailed
    from rage.house.store.copies import stored_rows
    from rage.house.store.file import DAMAGE, is_damage
    from rage.server.stores.copies import unused_rows

    location, file = read_location(arguments), read_file(arguments.file)
    words = text("cli.restore.words", arguments.language)
    partial: bool = arguments.partial
    with store_refusals():
        try:
            with stored_rows(file) as source, unused_rows(location) as target:
                counts, problems = copy_all(source, target, words, partial=partial)
                if DAMAGE in problems and not partial:
                    raise NotAllowed("restore.malformed", file=str(file), problems=problems)
        except StoreFailed as error:
            if not is_damage(error.__cause__):
                raise
            raise NotAllowed("restore.malformed", file=str(file), problems=[DAMAGE]) from error
    print(text("cli.restore.done", arguments.language, file=str(file), **counts))
    if problems:
        raise NotAllowed("restore.damaged", file=str(file), problems=named(problems))
    return 0
