"""Files that the command line reads: a path, or ``-`` for standard input."""

from __future__ import annotations

import sys

from rage.notation import NotARecord
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
