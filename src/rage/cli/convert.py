"""``rage convert``: a game as a record, as readable text, or as a link."""

from __future__ import annotations

import argparse
import sys
from typing import Final

from rage.cli.files import read_game_file
from rage.cli.parser import FILES, Parser
from rage.notation import complete, replay, write_link, write_record, write_text

VARIABLES: Final = ("RAGE_DATA",)
FORMS: Final = ("record", "text", "link")


def configure(parser: Parser) -> None:
    """Add the options."""
    parser.option("file", code="cli.file", metavar="FILE", values=FILES)
    parser.choice("--to", code="cli.convert.to", of=FORMS, usual="text", default="text")


def run(arguments: argparse.Namespace) -> int:
    """Check the game and print it in the form asked for, with every result that is due."""
    record = read_game_file(arguments.file)
    complete(record, replay(record))
    if arguments.to == "record":
        data = write_record(record)
    elif arguments.to == "text":
        data = write_text(record).encode("utf-8")
    else:
        data = (write_link(record) + "\n").encode("ascii")
    sys.stdout.flush()
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()
    return 0
