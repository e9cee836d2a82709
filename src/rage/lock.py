"""Files that one process has to itself: a lock of the system, which lets go however that ends."""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Final

#: What systems say of a lock that another has; whatever else they say is a trouble of its own.
_ANOTHER: Final = (errno.EACCES, errno.EAGAIN, errno.EDEADLK)
#: The byte that is locked on Windows, where others can't read what is: behind all that is written.
_BYTE: Final = 1 << 30
#: How much of what another has written is read, in bytes.
_MOST: Final = 1000


class InUse(Exception):
    """Another has the file. ``said``: what it has written there."""

    def __init__(self, said: str) -> None:
        super().__init__(said)
        self.said = said


@contextlib.contextmanager
def locked(path: Path, *, keep: bool = True) -> Iterator[IO[bytes]]:
    """A file for this process alone, to add to; made where it is not there, and removed in the
    end unless it is to ``keep``. Raises :class:`InUse`, and ``OSError`` where it can't be made."""
    file = open(path, "a+b")  # noqa: SIM115  # closed below, whatever happens
    with contextlib.ExitStack() as stack:
        stack.callback(file.close)
        try:
            _lock(file)
        except OSError as error:
            if error.errno not in _ANOTHER:
                raise
            file.seek(0)
            raise InUse(file.read(_MOST).decode("utf-8", "replace").strip()) from None
        if not keep:
            stack.callback(_remove, path, file)
        yield file


def _remove(path: Path, file: IO[bytes]) -> None:
    """Remove a file before anybody else can have it; on Windows it must be closed first."""
    if os.name == "nt":
        file.close()
    with contextlib.suppress(OSError):
        path.unlink()


def _lock(file: IO[bytes]) -> None:
    """Lock a file for this process. Raises ``OSError`` where another has done so."""
    if os.name == "nt":
        import msvcrt

        file.seek(_BYTE)
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]  # Windows
    else:
        try:
            import fcntl
        except ImportError:  # neither Windows nor Unix: nobody else is there
            return
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
