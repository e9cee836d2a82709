"""The signs that people choose: a shape, a stone, and up to two letters in place of the name's.

A sign is a text: the numbers of its shape and its stone, from 0 to 7, and the letters, as in ``35``
or ``35Zo``. An empty text is no choice. If two players choose the same, the page tells them apart
(``web/src/cards/signs.ts``).
"""

from __future__ import annotations

from typing import Final
from unicodedata import category

from rage.say import NotReadable
from rage.table.people.names import read_name

MAX_LETTERS: Final = 2
_NUMBERS: Final = frozenset("01234567")


def read_sign(text: str) -> str:
    """The stored form of a sign. Raises :class:`rage.NotReadable` for text that is not one."""
    if not text:
        return ""
    letters = text[2:]
    try:
        letters = letters and read_name(letters)
    except NotReadable:
        raise NotReadable("table.sign", most=MAX_LETTERS) from None
    kinds = [category(each)[0] for each in letters]
    right = set(kinds) <= set("LMN") and len(kinds) - kinds.count("M") <= MAX_LETTERS
    if len(text) < 2 or not set(text[:2]) <= _NUMBERS or not right:
        raise NotReadable("table.sign", most=MAX_LETTERS)
    return text[:2] + letters
