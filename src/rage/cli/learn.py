"""``rage learn``: the guided first round, line by line."""

from __future__ import annotations

import argparse
import shutil
import sys

from rage.cli.parser import Parser
from rage.rules import PRINTED
from rage.tui.lessons import Lessons


def configure(parser: Parser) -> None:
    """Add the options."""
    parser.choice("--rules", code="cli.learn.rules", of=PRINTED, usual="poof")


def run(arguments: argparse.Namespace) -> int:
    """Play the scenes."""
    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else None
    edition = arguments.rules or "poof"
    return Lessons(edition, arguments.language, sys.stdin, sys.stdout, width).run()
