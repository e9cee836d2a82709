"""``rage convert``: a game as a record, as readable text, or as a link."""

from __future__ import annotations

import argparse
import sys

from rage.cli.files import read_bytes, read_game
from rage.notation import complete, replay, write_link, write_record, write_text
from rage.say import text


def configure(parser: argparse.ArgumentParser, language: str) -> None:
    """Add the options."""
    parser.add_argument("file", metavar="FILE", help=text("cli.file", language))
    parser.add_argument(
        "--to",
        choices=("record", "text", "link"),
        default="text",
        help=text("cli.convert.to", language),
    )


def run(arguments: argparse.Namespace) -> int:
    """Check the game and print it in the form asked for, with every result that is due."""
    record = read_game(read_bytes(arguments.file))
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
