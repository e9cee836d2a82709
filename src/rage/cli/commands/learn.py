"""``rage learn``: the guided first round, line by line."""

from __future__ import annotations

import argparse
import sys
from typing import Final

from rage.cli.arguments import usual_edition
from rage.cli.parser import Parser
from rage.cli.terminal import output_width
from rage.rules.settings import PRINTED
from rage.say import text
from rage.tui.lessons import Lessons

VARIABLES: Final = ("RAGE_DATA",)


def configure(parser: Parser) -> None:
    """Add the arguments of ``rage learn``."""
    usual = text("cli.usual.rules", parser.language)
    parser.choice("--rules", code="cli.learn.rules", of=PRINTED, usual=usual)


def run(arguments: argparse.Namespace) -> int:
    """Play the scenes of the guided round in the terminal."""
    edition = arguments.rules or usual_edition(arguments.language)
    return Lessons(edition, arguments.language, sys.stdin, sys.stdout, output_width()).run()
