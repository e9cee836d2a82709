"""Text as people paste it and editors write it: links in a sentence or wrapped, other encodings."""

from __future__ import annotations

import codecs
import quopri
import re
from collections.abc import Callable, Iterator
from typing import Final, TypeVar
from urllib.parse import unquote

from rage.say import RageError

T = TypeVar("T")

_MARKS: Final = {codecs.BOM_UTF8: "utf-8", codecs.BOM_UTF16_LE: "utf-16-le",
                 codecs.BOM_UTF16_BE: "utf-16-be"}  # fmt: skip
#: Where the fragment of a link may begin, and how it may continue after white space.
_START: Final = re.compile(r"(?:^|(?<=[#\s<>()\"']))1\.[\w-]")
_PIECE: Final = re.compile(r"\s*([A-Za-z0-9_.-]+)")
#: The most lines into which a mail program might have wrapped it.
_MOST_PIECES: Final = 64


def plain(data: bytes) -> bytes:
    """Text as UTF-8 without byte order mark. Notepad writes one, and PowerShell 5 writes UTF-16.
    Anything else is returned unchanged."""
    for mark, encoding in _MARKS.items():
        if data.startswith(mark):
            try:
                return data.removeprefix(mark).decode(encoding).encode()
            except UnicodeError:
                break
    return data


def read_linked(text: str, read: Callable[[str], T]) -> T:
    """The result of ``read`` for the first fragment of a link that it can read in a text: alone, in
    a sentence, in angle brackets, or wrapped. Raises what ``read`` raises for the text itself."""
    for fragment in fragments(text):
        try:
            return read(fragment)
        except RageError:  # cut short by white space: the next one is longer
            continue
    return read(text)


def fragments(text: str) -> Iterator[str]:
    """Candidates for the fragment of a link in a text, which may have escaped links or be the
    source of a mail. Each fragment has a checksum, so reading it tells whether it is complete."""
    sent = quopri.decodestring(text.encode("utf-8", "replace")).decode("utf-8", "replace")
    for form in dict.fromkeys((text, unquote(text), sent)):
        yield from _fragments_of(form)


def _fragments_of(text: str) -> Iterator[str]:
    for start in _START.finditer(text):
        found, at = "", start.start()
        for _ in range(_MOST_PIECES):
            piece = _PIECE.match(text, at)
            if piece is None:
                break
            found, at = found + piece[1], piece.end()
            yield found.rstrip(".")
