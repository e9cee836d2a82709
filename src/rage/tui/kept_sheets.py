"""Score sheets saved on this computer, one file each (``docs/score.md``): in the data folder, or at
a path."""

from __future__ import annotations

import os
import secrets
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from pathlib import Path

from rage.files import changed_at, data_folder, lock_if_possible, write_file
from rage.notation.record import MAX_BYTES
from rage.say import NotAllowed, NotReadable, Reason
from rage.score.entering import take_back
from rage.score.file import ENDING, write_sheet
from rage.score.link import read_pasted
from rage.score.sheet import Sheet


class KeptSheet:
    """A sheet and its file, which is rewritten as a whole, or not at all, after each change.
    ``problem`` says why the last change could not be saved."""

    def __init__(self, path: Path, sheet: Sheet) -> None:
        self.path = path
        self.sheet = sheet
        self.problem: Reason | None = None
        self._before: list[Sheet] = []

    def change(self, sheet: Sheet) -> None:
        """Take a new sheet for the old one, and write it."""
        self._before.append(self.sheet)
        self.sheet = sheet
        self.write()

    def undo(self) -> bool:
        """Undo the last change; if that was in an earlier session, remove the last thing on the
        sheet. ``False`` if there is none."""
        before = self._before.pop() if self._before else take_back(self.sheet)
        if before is None:
            return False
        self.sheet = before
        self.write()
        return True

    def write(self) -> None:
        """Write the sheet to its file, whole or not at all; ``problem`` says why it was not."""
        try:
            write_file(self.path, write_sheet(self.sheet), 0o666)
        except OSError as error:
            said = {"file": str(self.path), "message": error.strerror or str(error)}
            self.problem = Reason("cli.no_out", said)
        else:
            self.problem = None


def new_path() -> Path:
    """A file for a new sheet; its name begins with the time, so that names sort by it."""
    stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
    return _place() / f"{stamp}-{secrets.token_hex(3)}{ENDING}"


def load(path: Path) -> Sheet:
    """The sheet of a file. Raises :class:`rage.NotReadable` and :class:`rage.NotAllowed`, as
    :func:`rage.score.link.read_pasted` does."""
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        message = error.strerror or str(error)
        raise NotReadable("cli.no_file", file=str(path), message=message) from None
    return read_pasted(data)


def newest_first() -> list[Path]:
    """The sheets in the data folder, the last changed first."""
    return sorted(_place().glob(f"*{ENDING}"), key=changed_at, reverse=True)


def lock_sheet(path: Path) -> AbstractContextManager[None]:
    """A context in which no other process can use the file of a sheet, even through another link,
    by :func:`rage.files.lock_if_possible`. Raises :class:`rage.NotAllowed` if one does."""
    beside = Path(f"{os.path.realpath(path)}.lock")
    return lock_if_possible(beside, NotAllowed("score.busy", file=str(path)))


def _place() -> Path:
    return data_folder() / "sheets"
