"""Files that the command line reads: a path, or ``-`` for standard input."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Final

from rage.cli.program import program_name
from rage.notation import NotARecord, Record, read_game, sample
from rage.notation.pasted import fragments
from rage.notation.record import MAX_BYTES
from rage.say import NotReadable, RageError
from rage.score.file import NotASheet
from rage.score.link import is_sheet, read_pasted
from rage.score.sheet import Sheet
from rage.tui import game_files

#: The word for the game that comes with Rage.
_SAMPLE: Final = "sample"


def is_link(word: str) -> bool:
    """Returns whether a word of the command line is itself a link, not the name of a file."""
    try:
        return next(fragments(word), None) is not None and not os.path.exists(word)
    except ValueError:
        return False


def read_bytes(path: str) -> bytes:
    """The bytes of a file, at most one more than a record may have; a link stands for itself.
    Raises :class:`rage.notation.NotARecord` if it cannot be read."""
    if is_link(path):
        return path.encode("utf-8", "replace")
    try:
        if path == "-":
            return sys.stdin.buffer.read(MAX_BYTES + 1)
        with open(path, "rb") as file:
            return file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        message = getattr(error, "strerror", None) or str(error)
        raise NotARecord("cli.no_file", file=path, message=message) from None


def print_bytes(data: bytes) -> None:
    """Write bytes to the standard output, after what was printed."""
    sys.stdout.flush()
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def read_game_file(path: str) -> Record:
    """The game of a file in any form; a saved game by its name in ``rage games`` or a part of
    that; or the sample game by the word ``sample``. Raises :class:`rage.notation.NotARecord`, also
    for an unfinished game."""
    if path != "-" and not os.path.exists(path) and not is_link(path):
        if path == _SAMPLE:
            return sample()
        path = _saved_file(path)
    data = read_bytes(path)
    if data.startswith(game_files.HEAD):
        name = game_files.name_of_game(Path(path))
        raise NotARecord("cli.game_goes_on", file=path, command=program_name(), game=name)
    try:
        return read_game(data)
    except NotARecord:
        if is_sheet(data):
            raise NotARecord("cli.is_sheet", file=path, command=program_name()) from None
        raise


def read_sheet_file(path: str) -> Sheet:
    """The sheet of a file or a link. Raises as :func:`rage.score.link.read_pasted` does, and
    :class:`rage.notation.NotARecord` if the file cannot be read."""
    data = read_bytes(path)
    try:
        return read_pasted(data)
    except NotASheet as error:
        try:
            read_game(data)
        except RageError:
            raise error from None
        raise NotASheet("cli.is_game", file=path, command=program_name()) from None


def _saved_file(name: str) -> str:
    """The file of the only saved game whose name contains this one; otherwise the name as it is."""
    try:
        games = (*game_files.unfinished_games(), *game_files.finished_games())
    except NotReadable:  # there is no folder where any could be
        return name
    by_name = {game_files.name_of_game(each): each for each in games}
    found = game_files.games_named(name, by_name)
    return str(by_name[found[0]]) if len(found) == 1 else name
