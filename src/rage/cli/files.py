"""Files that the command line reads: a path, or ``-`` for standard input."""

from __future__ import annotations

import os
import sys

from rage.cli.program import program_name
from rage.notation import NotARecord, Record, read_game
from rage.notation.record import MAX_BYTES
from rage.tui import saved


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


def read_game_file(path: str) -> Record:
    """The game of a file, whichever form it has; or that of a finished game, by the name that
    ``rage games`` has for it. Raises :class:`rage.notation.NotARecord`."""
    if not os.path.exists(path):
        by_name = {saved.name_of_game(each): each for each in saved.finished()}
        path = str(by_name.get(path, path))
    data = read_bytes(path)
    if data.startswith(saved.HEAD):
        raise NotARecord("cli.game_goes_on", file=path, command=program_name())
    return read_game(data)
