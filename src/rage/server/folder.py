"""The data folder: whether it can be used, and that no other server uses it."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from rage.say import NotAllowed

_LOCK = "server.lock"


@contextlib.contextmanager
def held(folder: Path) -> Iterator[None]:
    """A data folder for this server alone; made where it is not there. The system lets go of it
    however this ends. Raises :class:`rage.NotAllowed` where it can't be used, or another server
    uses it."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        file = open(folder / _LOCK, "a+b")  # noqa: SIM115  # closed below, whatever happens
    except OSError as error:
        reason = error.strerror or str(error)
        raise NotAllowed("serve.folder", folder=str(folder), reason=reason) from None
    with file:
        try:
            _lock(file)
        except OSError:
            raise NotAllowed("serve.folder_in_use", folder=str(folder)) from None
        yield


def _lock(file: IO[bytes]) -> None:
    """Lock a file for this process. Raises ``OSError`` where another has done so."""
    if os.name == "nt":
        import msvcrt

        file.seek(0)
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]  # Windows
    else:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
