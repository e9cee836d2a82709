"""Progress messages, and the error of a figure that cannot be measured."""

from __future__ import annotations

import sys


class Failure(Exception):
    """A figure could not be measured; the message says why."""


def say(text: str) -> None:
    """Report progress on the standard error; only the table goes to the standard output."""
    print(f"  {text}", file=sys.stderr, flush=True)
