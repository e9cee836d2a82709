"""A yes-or-no question to the person at the terminal."""

from __future__ import annotations

import sys

from rage.say import text


def ask(code: str, language: str, *, usual: bool = True) -> bool | None:
    """The answer to a yes-or-no question. Enter alone means ``usual``; ``None`` if the input has
    ended."""
    while True:
        print(text(code, language), end=" ", flush=True)
        line = sys.stdin.readline()
        if not line:
            print()
            return None
        word = line.strip().lower()
        if not word:
            return usual
        if word in text("play.yes", language).split():
            return True
        if word in text("play.no", language).split():
            return False
