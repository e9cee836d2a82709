"""``rage convert``: a game as a record, as readable text, or as a link."""

from __future__ import annotations

import argparse
from typing import Final

from rage.cli.arguments import print_bytes, read_game_file
from rage.cli.parser import FILES, Parser
from rage.notation import write_game
from rage.notation.forms import FORMS

VARIABLES: Final = ("RAGE_DATA",)


def configure(parser: Parser) -> None:
    """Add the arguments of ``rage convert``."""
    parser.option("file", code="cli.file", metavar="FILE", values=FILES)
    parser.choice("--to", code="cli.convert.to", of=FORMS, usual="text", default="text")


def run(arguments: argparse.Namespace) -> int:
    """Check the game and print it in the requested form, with all its results."""
    written = write_game(read_game_file(arguments.file), arguments.to)
    if arguments.to == "link":
        written += "\n"
    print_bytes(written.encode())
    return 0
