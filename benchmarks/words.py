"""What a run says while it goes on, and how it fails."""

from __future__ import annotations

import sys


class Failure(Exception):
    """A figure could not be measured at all; its text says why."""


def say(text: str) -> None:
    """Tell whoever watches what is going on; the table alone goes to standard output."""
    print(f"  {text}", file=sys.stderr, flush=True)
