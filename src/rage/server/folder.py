"""The data folder: whether it can be used, and that no other server uses it."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Final

from rage.say import NotAllowed

_LOCK: Final = "server.lock"
#: The longest address of a server that is read, in bytes.
LONGEST: Final = 1000


@contextlib.contextmanager
def held(folder: Path, url: str) -> Iterator[None]:
    """A data folder for this server alone, which is found at ``url``; made where it is not there.
    The system lets go of it however this ends. Raises :class:`rage.NotAllowed` where it can't be
    used, or another server uses it."""
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
            file.seek(0)
            there = file.read(LONGEST).decode("utf-8", "replace").strip()
            raise NotAllowed("serve.folder_in_use", folder=str(folder), url=there) from None
        file.truncate(0)
        file.write(url.encode())
        file.flush()
        yield


def _lock(file: IO[bytes]) -> None:
    """Lock a file for this process. Raises ``OSError`` where another has done so."""
    if os.name == "nt":
        import msvcrt

        file.seek(LONGEST)  # what is locked can't be read
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]  # Windows
    else:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
