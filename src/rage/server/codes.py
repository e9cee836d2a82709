"""Codes that name tables and people: easy to read aloud, hard to guess."""

from __future__ import annotations

import secrets
from typing import Final

from rage.say import NotReadable

#: Letters and digits, without those that look alike.
ALPHABET: Final = "abcdefghjkmnpqrstuvwxyz23456789"
#: How many of them name a table.
TABLE: Final = 8


class NoTable(NotReadable):
    """There is no such table, or no such game of it."""


def new_code(length: int = TABLE) -> str:
    """A code nobody can guess."""
    return "".join(secrets.choice(ALPHABET) for _ in range(length))


def read_code(text: str) -> str:
    """A table's code as people type it: in capitals, with spaces or lines between. Raises
    :class:`NoTable`."""
    code = "".join(text[:40].lower().replace("-", " ").split())
    if len(code) != TABLE or not set(code) <= set(ALPHABET):
        raise NoTable("http.no_table", table=text[:40])
    return code
