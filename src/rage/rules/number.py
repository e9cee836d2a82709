"""Integers from people and from programs."""

from __future__ import annotations

from operator import index
from typing import Any

from rage.say import NotReadable, in_words


def read_number(written: str, least: int, most: int) -> int | None:
    """Parse an integer from ``least`` to ``most`` (below a billion); ``None`` for anything else.
    Only up to nine ASCII digits are read: ``int()`` raises for others that ``isdigit`` accepts
    (``²``), and for thousands of them."""
    if not (written.isascii() and written.isdigit() and len(written) < 10):
        return None
    number = int(written)
    return number if least <= number <= most else None


def as_int(value: Any) -> int | None:
    """Convert an integer of any type (NumPy has its own) to ``int``; ``None`` for anything else,
    such as 1.5 or 2.0."""
    try:
        return index(value)
    except TypeError:
        return None


def whole_number(value: Any) -> int:
    """Convert an integer of any type. Raises :class:`rage.NotReadable` for anything else, with text
    in quotes."""
    number = as_int(value)
    if number is None:
        given = in_words(repr(value) if isinstance(value, str) else value)
        raise NotReadable("argument.wrong", given=given, wanted="argument.number")
    return number
