"""Paths as people write them, the user's data folder, atomic writes, file locks, and system errors
as reasons."""

from __future__ import annotations

import contextlib
import errno
import os
import re
import secrets
import shutil
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import IO, Final

from rage.say import NotAllowed, NotReadable, Reason, catalogue

#: The errors for a lock that another process holds; any other is a real error.
_ANOTHER: Final = (errno.EACCES, errno.EAGAIN, errno.EDEADLK)
#: The byte that is locked on Windows, where others can't read locked bytes: far beyond the content.
_BYTE: Final = 1 << 30
#: The most bytes read of the note that the other process wrote.
_MAX_READ: Final = 1000


def expand(written: str) -> str:
    """A path with the home folder in place of ``~``. A shell expands it only at the start of a
    word, and not in ``--data=~/rage``; a unit file never does. Raises :class:`rage.NotReadable` if
    there is no such home folder."""
    if not written.startswith("~"):
        return written
    found = os.path.expanduser(written)
    if found.startswith("~") or not _has_home():
        raise NotReadable("path.no_home", path=written)
    if not os.path.isabs(found):  # a relative HOME depends on the current folder
        raise NotReadable("path.home_relative", path=found)
    return found


def data_folder() -> Path:
    """The folder for data: ``RAGE_DATA``, or this system's usual place for a user's data. Raises
    :class:`rage.NotReadable` if there is neither."""
    if chosen := os.environ.get("RAGE_DATA"):
        return Path(expand(chosen))
    name = "LOCALAPPDATA" if sys.platform == "win32" else "XDG_DATA_HOME"
    given = os.environ.get(name, "") if sys.platform != "darwin" else ""
    if os.path.isabs(given):  # the XDG specification says to ignore a relative one
        return Path(given, "rage")
    usual = {"win32": "AppData/Local", "darwin": "Library/Application Support"}
    try:
        return Path(expand("~"), usual.get(sys.platform, ".local/share"), "rage")
    except NotReadable as error:
        if error.reason.code == "path.home_relative":
            raise
        raise NotReadable("path.no_data") from None


def _has_home() -> bool:
    """Whether ``HOME`` is not empty, which Python would take for the root folder."""
    return os.environ.get("HOME") != "" or sys.platform == "win32"


def changed_at(path: Path) -> float:
    """When a file was last changed; 0 if unknown."""
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


def write_file(path: Path, data: bytes, mode: int = 0o600) -> None:
    """Replace a file durably, as :func:`replacing` does."""
    with replacing(path, mode) as part:
        part.write_bytes(data)


def write_out(file: str, data: bytes) -> None:
    """Replace a file that somebody has named, in an existing folder. Raises
    :class:`rage.NotReadable`, and leaves an earlier file as it is, if that is impossible."""
    try:
        Path(file).parent.stat()
        write_file(Path(file), data, 0o666)
    except OSError as error:
        message = error.strerror or str(error)
        raise NotReadable("cli.no_out", file=file, message=message) from None


@contextlib.contextmanager
def replacing(path: Path, mode: int = 0o600) -> Iterator[Path]:
    """Yield an empty file to write and close, which then replaces this one durably; on an error,
    nothing changes. Links stay links. The file keeps its permissions; a new one is private to its
    owner, unless ``mode`` says otherwise."""
    path = Path(os.path.realpath(path))
    if path.is_symlink():  # it leads to itself
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(path))
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f"{path.name}{secrets.token_hex(4)}.part")
    try:
        with open(part, "xb", opener=partial(os.open, mode=mode)):
            pass
        yield part
        with open(part, "r+b") as file:
            os.fsync(file.fileno())
        with contextlib.suppress(OSError):  # a new file, or a system without modes
            shutil.copymode(path, part)
        os.replace(part, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(part)
        raise
    sync_folder(path.parent)


def sync_folder(place: Path) -> None:
    """Make the names of the files in a folder durable."""
    if os.name != "posix":  # other systems cannot open a folder
        return
    handle = os.open(place, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def system_reason(error: Exception | str) -> Reason:
    """An error of the system or SQLite as a reason: from the catalogue if it is common, otherwise
    in its own words."""
    said = getattr(error, "strerror", None) or str(error) or type(error).__name__
    said = said.strip().partition("\n")[0]  # the rest are a library's hints
    number = getattr(error, "errno", None)
    if number is None and (found := re.search(r"\[Errno (\d+)\]", said)):  # many addresses
        number = int(found[1])
    kind = "_".join(getattr(error, "sqlite_errorname", "").split("_")[:2])
    if isinstance(error, TimeoutError):
        kind = "ETIMEDOUT"
    elif type(error).__name__ == "gaierror":
        kind = "no_host"
    code = f"system.{kind or errno.errorcode.get(number or 0, '')}"
    return Reason(code) if code in catalogue("en") else Reason("system.other", {"said": said})


class InUse(Exception):
    """Another process holds the file; ``said`` is what it wrote there."""

    def __init__(self, said: str) -> None:
        super().__init__(said)
        self.said = said


@contextlib.contextmanager
def lock(path: Path, *, keep: bool = True) -> Iterator[IO[bytes]]:
    """Lock a file for this process and yield it, open for appending. It is created if needed, and
    removed at the end unless ``keep``. Raises :class:`InUse`, and ``OSError`` if it can't be
    created."""
    with contextlib.ExitStack() as stack:
        file = stack.enter_context(_open_locked(path))
        if not keep:
            stack.callback(_remove, path, file)
        yield file


@contextlib.contextmanager
def lock_if_possible(path: Path, busy: NotAllowed) -> Iterator[None]:
    """Hold the lock of a file, which the system releases however the program ends. Raises ``busy``
    if another process holds it. Without locks or the folder, nothing is locked."""
    with contextlib.ExitStack() as stack:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            stack.enter_context(lock(path, keep=False))
        except InUse:
            raise busy from None
        except OSError:  # writing will report it
            pass
        yield


def _open_locked(path: Path) -> IO[bytes]:
    """Open and lock the file at a path. Raises like :func:`lock`."""
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
    """Whether the path still leads to an open file: the last process to lock it may have removed
    it, and another may have locked a new one. Windows cannot remove an open file."""
    try:
        return os.name == "nt" or os.path.samestat(os.fstat(file.fileno()), path.stat())
    except FileNotFoundError:
        return False


def _remove(path: Path, file: IO[bytes]) -> None:
    """Remove a file before another process can lock it; on Windows it must be closed first."""
    if os.name == "nt":
        file.close()
    with contextlib.suppress(OSError):
        path.unlink()


def _lock(file: IO[bytes]) -> None:
    """Lock a file for this process. Raises ``OSError`` if another process holds the lock."""
    if os.name == "nt":
        import msvcrt

        file.seek(_BYTE)
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]  # Windows
    else:
        try:
            import fcntl
        except ImportError:  # neither Windows nor Unix: there is no other process
            return
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
