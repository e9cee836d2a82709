"""The paths and names of saved games. :mod:`rage.tui.saved` reads their contents, for which it
needs the table."""

from __future__ import annotations

import secrets
import tempfile
from collections.abc import Iterable
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from rage.files import changed_at, data_folder, lock_if_possible, sync_folder, write_file
from rage.notation.record import Record
from rage.notation.writer import write_record
from rage.say import NotAllowed

RECORD: Final = ".rage.json"
LOG: Final = ".rage.jsonl"
HEAD: Final = b'{"format": "rage-table", "version": 1}\n'


def storage_problem() -> str | None:
    """Why games cannot be saved, in the system's words; ``None`` if they can."""
    place = data_folder()
    try:
        place.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=place):
            return None
    except OSError as error:
        return error.strerror or str(error)


def new_path() -> Path:
    """A path for a new game; its name begins with the time, so that names sort by time."""
    stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
    return data_folder() / f"{stamp}-{secrets.token_hex(3)}{LOG}"


def unfinished_games() -> list[Path]:
    """The files of unfinished games, the last played first."""
    return sorted(data_folder().glob(f"*{LOG}"), key=changed_at, reverse=True)


def finished_games() -> list[Path]:
    """The records of finished games, the latest first."""
    return sorted((data_folder() / "games").glob(f"*{RECORD}"), key=changed_at, reverse=True)


def name_of_game(path: Path) -> str:
    """The name of a saved game: its file's name without the ending."""
    return _sibling(path, "").name


def games_named(name: str, among: Iterable[str]) -> list[str]:
    """The games that a name stands for: the one with exactly this name, or else all whose names
    contain it."""
    names = list(among)
    return [name] if name in names else [each for each in names if name and name in each]


def remove(path: Path) -> None:
    """Delete all files of a game. Raises ``OSError``, and :class:`rage.NotAllowed` while it is
    being played."""
    log = data_folder() / f"{name_of_game(path)}{LOG}"
    with lock_game(log):
        for each in (log, _record_of(log)):
            each.unlink(missing_ok=True)
            if each.parent.exists():
                sync_folder(each.parent)


def _sibling(path: Path, ending: str) -> Path:
    """The file with another ending that belongs to the same game."""
    return path.with_name(path.name.removesuffix(LOG).removesuffix(RECORD) + ending)


def _record_of(path: Path) -> Path:
    """The path of the future record of an unfinished game."""
    return _sibling(path.parent / "games" / path.name, RECORD)


def finish(path: Path, record: Record) -> Path:
    """Write the record of a finished game under ``games/``, delete its log and return the record's
    file. Raises ``OSError``."""
    done = _record_of(path)
    write_file(done, write_record(record))
    sync_folder(path.parent)  # it may be the first one there
    path.unlink(missing_ok=True)
    return done


def lock_game(path: Path) -> AbstractContextManager[None]:
    """Keep other processes from playing the game of a file (:func:`rage.files.lock_if_possible`).
    Raises :class:`rage.NotAllowed` if another process plays it."""
    busy = NotAllowed("saved.busy", file=str(path))
    return lock_if_possible(_sibling(path, f"{LOG}.lock"), busy)
