"""The default edition."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

from rage.files import changed_at
from rage.notation import read_record
from rage.say import NotReadable, RageError, text
from rage.tui import game_files


def usual_edition(language: str) -> str:
    """The edition of the last game in the data folder; without one, the edition that most
    speakers of a language own."""
    return next(_used(), text("edition.usual", language))


def _used() -> Iterator[str]:
    """The editions of the last games that can be read, most recent first."""
    try:
        kinds = game_files.unfinished_games(), game_files.finished_games()
    except NotReadable:  # there is no folder where anything could be kept
        return
    for path in sorted((kind[0] for kind in kinds if kind), key=changed_at, reverse=True):
        # Without what the terminal needs, an unfinished game cannot be read.
        with contextlib.suppress(RageError, OSError, ModuleNotFoundError):
            yield _edition_of(path)


def _edition_of(path: Path) -> str:
    if path.name.endswith(game_files.LOG):
        from rage.tui import saved

        return saved.load(path).table.state.ruleset().edition
    return read_record(path.read_bytes()).rules.edition
