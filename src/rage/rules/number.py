"""Whole numbers as people type them, and as programs give them."""

from __future__ import annotations

from operator import index
from typing import Any


def read_number(written: str, least: int, most: int) -> int | None:
    """The number that is written, if it is one from ``least`` to ``most``, which is below a
    billion. Only up to nine ASCII digits are read: ``int()`` raises for others that ``isdigit``
    lets through (``²``), and for thousands of them."""
    if not (written.isascii() and written.isdigit() and len(written) < 10):
        return None
    number = int(written)
    return number if least <= number <= most else None


def whole(value: Any) -> int | None:
    """The whole number that a value is, of whatever type (NumPy has its own); ``None`` for what is
    no whole number, such as 1.5 or 2.0."""
    try:
        return index(value)
    except TypeError:
        return None
