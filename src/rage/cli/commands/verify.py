"""``rage verify``: proves that the deals of a record came from its seed."""

from __future__ import annotations

import argparse
from typing import Final

from rage.cli.arguments import read_game_file
from rage.cli.parser import FILES, Parser
from rage.notation import names_by_round
from rage.notation.fair import conclusion, seating_of, verify
from rage.say import sentence

VARIABLES: Final = ("RAGE_DATA",)
_MARKS = {True: "+", False: "!", None: "?"}


def configure(parser: Parser) -> None:
    """Add the arguments of ``rage verify``."""
    parser.option("file", code="cli.file", metavar="FILE", values=FILES)


def run(arguments: argparse.Namespace) -> int:
    """Check a record. Returns 0 if every deal came from the seed and the words, and these match
    their commitments, if any. The last line says what that proves."""
    record = read_game_file(arguments.file)
    names = seating_of(record) or names_by_round(record).get(record.first_round, record.names)
    findings = []
    for finding in verify(record):
        findings.append(finding)
        line = sentence(
            finding.reason,
            arguments.language,
            edition=record.rules.edition,
            names=names,
        )
        print(f"{_MARKS[finding.ok]} {line}")
    print(sentence(conclusion(findings), arguments.language))
    return 1 if any(finding.ok is False for finding in findings) else 0
