"""Files that the command line reads: a path, or ``-`` for standard input."""

from __future__ import annotations

import sys

from rage.notation import NotARecord, Record, read_link, read_record, read_text
from rage.notation.record import MAX_BYTES


def read_bytes(path: str) -> bytes:
    """The bytes of a file, one more at most than a record may have. Raises
    :class:`rage.notation.NotARecord` where it cannot be read."""
    try:
        if path == "-":
            return sys.stdin.buffer.read(MAX_BYTES + 1)
        with open(path, "rb") as file:
            return file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        message = getattr(error, "strerror", None) or str(error)
        raise NotARecord("cli.no_file", file=path, message=message) from None


def read_game(data: bytes) -> Record:
    """The record in ``data``, be it JSON, text or a link. Raises
    :class:`rage.notation.NotARecord`."""
    if len(data) > MAX_BYTES:
        raise NotARecord("notation.too_large", most=MAX_BYTES)
    start = data.lstrip()[:200]
    if start.startswith(b"["):
        try:
            return read_text(data.decode("utf-8"))
        except UnicodeDecodeError as error:
            raise NotARecord("notation.not_utf8", at=error.start) from None
    if start.startswith((b"1.", b"http", b"#")):
        return read_link(data.decode("utf-8", "replace"))
    return read_record(data)
