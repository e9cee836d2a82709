"""The coach at this terminal: whether it speaks, and what it has taught already.

Both are kept in the data folder. Until the person says otherwise, it speaks while no game has been
played to its end here.
"""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Final, Self

import msgspec

from rage.coach import Coach, Hint
from rage.files import data_folder
from rage.game.view import View
from rage.tui import saved

_FILE: Final = "coach.json"


class Kept(msgspec.Struct, omit_defaults=True):
    """What the file says. ``hints``: whether the person wants them, if they have said so."""

    hints: bool | None = None
    taught: list[str] = []


class Guide:
    """The coach of the person here. ``on``: whether it speaks now; nothing is written without a
    ``path``."""

    def __init__(self, path: Path | None, kept: Kept, *, on: bool) -> None:
        self.on = on
        self._path = path
        self._kept = kept
        self._coach = Coach(kept.taught)

    @classmethod
    def open(cls, asked: bool | None = None, *, keep: bool = True) -> Self:
        """The coach as it was left. ``asked``: switched on, with all lessons anew, or off for
        this game, as the command line says; without ``keep`` nothing is written."""
        path = data_folder() / _FILE
        kept = _read(path)
        if asked:
            kept = Kept(hints=True)
        wanted = not saved.finished() if kept.hints is None else kept.hints
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
        """Switch the coach off for good, or on again with all lessons anew."""
        self.on = not self.on
        self._kept.hints = self.on
        if self.on:
            self._coach = Coach()
        self._write()

    def _write(self) -> None:
        self._kept.taught = sorted(self._coach.taught)
        if self._path is not None:
            with contextlib.suppress(OSError):  # then it is as it was the next time
                self._path.parent.mkdir(parents=True, exist_ok=True)
                self._path.write_bytes(msgspec.json.encode(self._kept))


def _read(path: Path) -> Kept:
    """What is kept; what cannot be read counts as nothing."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=Kept)
    except (OSError, ValueError):
        return Kept()
