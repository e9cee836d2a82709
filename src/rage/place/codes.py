"""Codes for tables and people: easy to read aloud, hard to guess."""

from __future__ import annotations

import secrets
from typing import Final

from rage.say import NotReadable

#: Letters and digits without those that look alike.
ALPHABET: Final = "abcdefghjkmnpqrstuvwxyz23456789"
#: How many of them the code of a table has.
TABLE_LENGTH: Final = 8


class NoTable(NotReadable):
    """There is no such table, or it has no such game."""


def new_code(length: int = TABLE_LENGTH) -> str:
    """A code that nobody can guess: ``length`` characters of :data:`ALPHABET`."""
    return "".join(secrets.choice(ALPHABET) for _ in range(length))


def read_code(text: str) -> str:
    """The code of a table as people type it: perhaps in capitals, with spaces or hyphens. Raises
    :class:`NoTable`."""
    code = "".join(text[:40].lower().replace("-", " ").split())
    if len(code) != TABLE_LENGTH or not set(code) <= set(ALPHABET):
        raise NoTable("http.no_table", table=text[:40])
    return code
