"""``rage verify``: prove that the deals of a record came from its seed."""

from __future__ import annotations

import argparse

from rage.cli.files import read_bytes, read_game
from rage.fair import verify
from rage.say import sentence, text

_MARKS = {True: "+", False: "!", None: "?"}


def configure(parser: argparse.ArgumentParser, language: str) -> None:
    """Add the options."""
    parser.add_argument("file", metavar="FILE", help=text("cli.file", language))


def run(arguments: argparse.Namespace) -> int:
    """0 if every deal came from the seed (and the seed from its commitment, if there is one)."""
    record = read_game(read_bytes(arguments.file))
    proven = True
    for finding in verify(record):
        proven = proven and finding.right is not False
        print(f"{_MARKS[finding.right]} {sentence(finding.reason, arguments.language)}")
    print(text("verify.proven" if proven else "verify.not_proven", arguments.language))
    return 0 if proven else 1
