"""Files that only one process may use at a time: the system releases the lock however it ends."""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Final

#: The errors for a lock that another process holds; any other is a real error.
_ANOTHER: Final = (errno.EACCES, errno.EAGAIN, errno.EDEADLK)
#: The byte that is locked on Windows, where others can't read locked bytes: far beyond the content.
_BYTE: Final = 1 << 30
#: How many bytes are read of what the other process has written.
_MAX_READ: Final = 1000


class InUse(Exception):
    """Another process uses the file. ``said``: what it has written there."""

    def __init__(self, said: str) -> None:
        super().__init__(said)
        self.said = said


@contextlib.contextmanager
def locked(path: Path, *, keep: bool = True) -> Iterator[IO[bytes]]:
    """A file for this process alone, open for appending; created if needed, and removed at the end
    unless ``keep``. Raises :class:`InUse`, and ``OSError`` if it can't be created."""
    with contextlib.ExitStack() as stack:
        file = stack.enter_context(_open_locked(path))
        if not keep:
            stack.callback(_remove, path, file)
        yield file


def _open_locked(path: Path) -> IO[bytes]:
    """The file that the path leads to, open and locked. Raises as :func:`locked`."""
    while True:
        with contextlib.ExitStack() as stack:
            file = stack.enter_context(open(path, "a+b"))
            try:
                _lock(file)
            except OSError as error:
                if error.errno not in _ANOTHER:
                    raise
                file.seek(0)
                raise InUse(file.read(_MAX_READ).decode("utf-8", "replace").strip()) from None
            if _is_there(path, file):
                stack.pop_all()  # it stays open
                return file


def _is_there(path: Path, file: IO[bytes]) -> bool:
    """Whether the path still leads to an open file: the process that had it locked may have
    removed it meanwhile, and then another may lock a new one. Windows removes no open file."""
    try:
        return os.name == "nt" or os.path.samestat(os.fstat(file.fileno()), path.stat())
    except FileNotFoundError:
        return False


def _remove(path: Path, file: IO[bytes]) -> None:
    """Remove a file before anybody else can lock it; on Windows it must be closed first."""
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
