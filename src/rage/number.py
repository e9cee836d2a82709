"""Whole numbers as people type them."""

from __future__ import annotations


def read_number(written: str, least: int, most: int) -> int | None:
    """The number that is written, if it is one from ``least`` to ``most``, which is below a
    billion: in ASCII digits, nine at most, for others raise where Python reads them (``²``, or
    thousands of digits)."""
    if not (written.isascii() and written.isdigit() and len(written) < 10):
        return None
    number = int(written)
    return number if least <= number <= most else None
