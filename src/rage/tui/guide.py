"""The coach at this terminal: whether it is on, and which lessons it has given.

Both are saved in the data folder. By default it is on until the first game here is finished."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Final, Self

import msgspec

from rage.coach import Coach, Hint
from rage.files import data_folder, write_file
from rage.game.view import View
from rage.tui import game_files

_FILE: Final = "coach.json"


class SavedProgress(msgspec.Struct, omit_defaults=True):
    """The content of the file. ``hints``: whether the person wants hints, if they have chosen."""

    hints: bool | None = None
    taught: list[str] = []


class Guide:
    """The coach for this person. ``on``: whether it gives hints now. Without a ``path`` nothing is
    saved."""

    def __init__(self, path: Path | None, kept: SavedProgress, *, on: bool) -> None:
        self.on = on
        self._path = path
        self._kept = kept
        self._coach = Coach(kept.taught)

    @classmethod
    def open(cls, asked: bool | None = None, *, keep: bool = True) -> Self:
        """The coach in its saved state. ``asked``, from the command line: on, starting all lessons
        again, or off for this game. Without ``keep`` nothing is saved."""
        path = data_folder() / _FILE
        kept = _read(path)
        if asked:
            kept = SavedProgress(hints=True)
        wanted = not game_files.finished_games() if kept.hints is None else kept.hints
        guide = cls(path if keep else None, kept, on=wanted if asked is None else asked)
        if asked:
            guide._write()
        return guide

    def hint(self, view: View) -> Hint | None:
        """The hint for a view, while the coach is on."""
        if not self.on:
            return None
        found = self._coach.hint(view)
        if len(self._coach.taught) > len(self._kept.taught):
            self._write()
        return found

    def switch(self) -> None:
        """Switch the coach off for good, or on again from the first lesson."""
        self.on = not self.on
        self._kept.hints = self.on
        if self.on:
            self._coach = Coach()
        self._write()

    def _write(self) -> None:
        self._kept.taught = sorted(self._coach.taught)
        if self._path is not None:
            with contextlib.suppress(OSError):  # then the next start finds the old state
                write_file(self._path, msgspec.json.encode(self._kept))


def _read(path: Path) -> SavedProgress:
    """The saved progress; an unreadable file counts as none."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=SavedProgress)
    except (OSError, ValueError):
        return SavedProgress()
