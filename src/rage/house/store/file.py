"""The file of the embedded store: opened or created, watched and checked."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import sys
import time
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Final, Literal

from rage.files import system_reason
from rage.house.store import Expiry, StoreFailed
from rage.house.store.transactions import Steps, remove_expired
from rage.say import Reason, sentence

#: The format of the file; whatever changes it must upgrade files of an earlier one.
VERSION: Final = 1
#: The pages after which the write-ahead log is copied into the file. Most pages are written many
#: times, as the same tables keep playing, but copied once.
CHECKPOINT: Final = 4000
#: The bytes to which that log is then truncated.
MAX_LOG: Final = 32 * 1024 * 1024
#: Seconds for which the file is assumed to be the one that was opened, if its log is.
CHECK_INTERVAL: Final = 0.1
#: SQLite's value for a file whose free pages are given back to the system bit by bit.
INCREMENTAL: Final = 2
#: The most free pages of the file given back to the system at a time.
MAX_PAGES: Final = 500
#: The bytes of the largest file that is rewritten when a person is erased, and the seconds between
#: rewrites: everyone waits for one, about a second.
MAX_REWRITTEN: Final = 100_000_000
REWRITE_INTERVAL: Final = 60.0
#: The bytes of the heads of a write-ahead log and of each page in it.
_LOG_HEAD: Final = 32
_FRAME_HEAD: Final = 24
#: The reason given for damaged pages.
DAMAGE: Final = Reason("system.SQLITE_CORRUPT")


class StoreFile:
    """The opened file. If it is deleted or replaced while the server runs, everything stored from
    then on is lost; so every commit and every read checks that it is still there."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._log = f"{path}-wal"
        self._file_id = _file_id(path)
        self._log_id: tuple[int, int] | None = None
        self._checked_at = 0.0
        #: SQLite's error about damaged pages, if any.
        self.damage = ""

    def note(self, error: Exception) -> None:
        """Remember an error about damaged pages, which never heal."""
        if is_damage(error):
            self.damage = sentence(system_reason(error))

    def check(self) -> None:
        """Raise :class:`StoreFailed` if the file or its log is gone, or was replaced.

        After a system call a thread has to wait for the interpreter lock, so there are as few as
        possible: one each time for the log, which is gone if the folder is, and without which
        nothing can be recovered; and only now and then one for the file, which could be replaced
        alone.
        """
        log = _file_id(self._log)
        if self._log_id is None:
            self._log_id = log
        now = time.monotonic()
        if log == self._log_id and now - self._checked_at < CHECK_INTERVAL:
            return
        self._checked_at = now
        if log != self._log_id or _file_id(self.path) != self._file_id:
            self._checked_at = 0.0
            raise StoreFailed(Reason("store.gone", {"file": str(self.path)}))


def is_damage(error: BaseException | None) -> bool:
    """Return whether an error of SQLite is about damaged pages."""
    if isinstance(error, UnicodeDecodeError):  # in a name of a table
        return True
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    return code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


def files_beside(path: Path) -> list[Path]:
    """SQLite's files beside one that is in use, or was not closed."""
    names = (path.with_name(path.name + ending) for ending in ("-wal", "-shm", "-journal"))
    return [each for each in names if each.exists()]


def has_lost_commits(path: Path) -> bool:
    """Return whether the write-ahead log of a file that is open, and that no server writes to, has
    commits beyond the last one that SQLite has found: it stops at the first damaged frame."""
    log, index = (path.with_name(path.name + ending) for ending in ("-wal", "-shm"))
    if not (log.exists() and log.stat().st_size):
        return False
    with open(path, "rb") as main, open(log, "rb") as file, open(index, "rb") as found:
        size = int.from_bytes(main.read(18)[16:])
        frames = int.from_bytes(found.read(20)[16:], sys.byteorder)  # sqlite.org/walformat.html
        salts = file.read(_LOG_HEAD)[16:24]
        file.seek(_LOG_HEAD + frames * (_FRAME_HEAD + size))
        while len(head := file.read(_FRAME_HEAD)) == _FRAME_HEAD:
            # One of the salts may be damaged. An earlier log, which is in the file, had others.
            current = head[8:12] == salts[:4] or head[12:16] == salts[4:]
            if current and any(head[4:8]):  # the last frame of a commit
                return True
            file.seek(size, os.SEEK_CUR)
    return False


def _file_id(path: str | Path) -> tuple[int, int] | None:
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino


def connect(path: Path, journal: Literal["WAL", "MEMORY"] = "WAL") -> sqlite3.Connection:
    """A connection to the file, which is created if needed. Without a write-ahead log (``MEMORY``)
    there is no file beside it, and an interrupted commit damages it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    connection = sqlite3.connect(
        path, timeout=5, isolation_level=None, check_same_thread=False, cached_statements=64
    )
    connection.execute("PRAGMA auto_vacuum = INCREMENTAL")  # only counts for a new file
    connection.execute(f"PRAGMA journal_mode = {journal}")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute(f"PRAGMA wal_autocheckpoint = {CHECKPOINT}")
    connection.execute(f"PRAGMA journal_size_limit = {MAX_LOG}")
    return connection


def set_impatient(connection: sqlite3.Connection) -> None:
    """Keep a connection from waiting for other writers, and from copying the write-ahead log into
    the file."""
    connection.execute("PRAGMA busy_timeout = 0")
    connection.execute("PRAGMA wal_autocheckpoint = 0")


def prepare(connection: sqlite3.Connection, path: Path) -> None:
    """Create the tables that a file lacks: all in a new one, the newer ones in an older one. Raises
    :class:`StoreFailed` for a file of another version, and leaves it unchanged."""
    connection.execute("BEGIN IMMEDIATE")
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    for table in lacking_checksums(columns_of(connection)) if version == VERSION else ():
        connection.execute(f"ALTER TABLE {table} ADD COLUMN crc INTEGER")
    if version not in (0, VERSION) or not _is_current(connection):
        connection.execute("ROLLBACK")
        about = {"file": str(path), "version": version}
        raise StoreFailed(Reason("store.other_version", about))
    create(connection)
    connection.execute(f"PRAGMA user_version = {VERSION}")
    connection.execute("COMMIT")
    # A file that sqlite3 has recovered from a damaged one never gives free pages back.
    (kept,) = connection.execute("PRAGMA auto_vacuum").fetchone()
    if kept != INCREMENTAL:
        connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
        connection.execute("VACUUM")


def _is_current(connection: sqlite3.Connection) -> bool:
    """Return whether our tables in a file have the same columns as in a new file. Before the first
    release, they changed without a new version number."""
    found = columns_of(connection)
    return all(found.get(table, columns) == columns for table, columns in tables().items())


def lacking_checksums(found: dict[str, tuple[str, ...]]) -> list[str]:
    """The tables that a version without checksums has created."""
    return [name for name, columns in tables().items() if found.get(name) == columns[:-1]]


@cache
def tables() -> dict[str, tuple[str, ...]]:
    """The tables of a store, and the names of their columns, of which the last one is the
    checksum."""
    with contextlib.closing(sqlite3.connect(":memory:")) as new:
        create(new)
        return columns_of(new)


@cache
def keys() -> dict[str, tuple[str, ...]]:
    """The columns by which the rows of each table are found."""
    query = "SELECT name FROM pragma_table_info(?) WHERE pk ORDER BY pk"
    with contextlib.closing(sqlite3.connect(":memory:")) as new:
        create(new)
        return {table: tuple(row[0] for row in new.execute(query, (table,))) for table in tables()}


def columns_of(connection: sqlite3.Connection) -> dict[str, tuple[str, ...]]:
    """The names of the columns of each table, in the order of both."""
    query = (
        "SELECT tables.name, columns.name FROM sqlite_master AS tables"
        " JOIN pragma_table_info(tables.name) AS columns"
        " WHERE tables.type = 'table' ORDER BY tables.rowid, columns.cid"
    )
    found: dict[str, tuple[str, ...]] = {}
    for table, column in connection.execute(query):
        found[table] = (*found.get(table, ()), column)
    return found


def create(connection: sqlite3.Connection) -> None:
    """Create the tables that a file lacks."""
    script = files("rage.house.store").joinpath("schema.sql").read_text("utf-8")
    for statement in script.split(";\n"):
        connection.execute(statement)


def is_sound(connection: sqlite3.Connection, how: str = "integrity_check") -> bool:
    """Return whether all pages of the file can be read, nothing is missing in any row, and, unless
    ``how`` is ``quick_check``, tables and indexes have the same rows. Raises ``sqlite3.Error``."""
    try:
        return connection.execute(f"PRAGMA {how}(1)").fetchall() == [("ok",)]
    except sqlite3.DatabaseError as error:
        if is_damage(error):
            return False
        raise


def used_bytes(connection: sqlite3.Connection) -> int:
    """The size of the file, without its free pages."""
    (pages,) = connection.execute("PRAGMA page_count").fetchone()
    (free,) = connection.execute("PRAGMA freelist_count").fetchone()
    (size,) = connection.execute("PRAGMA page_size").fetchone()
    return int((pages - free) * size)


def tidy(expiry: Expiry, most: int) -> Steps[bool]:
    """See :meth:`rage.house.store.sql.Store.tidy`."""
    removed = yield from remove_expired(expiry, most)
    return (yield from free_space()) or removed


def rewrite(path: Path) -> None:
    """Rewrite the whole file, so that nothing removed stays in unused space. Others wait."""
    with (
        contextlib.closing(sqlite3.connect(path, isolation_level=None)) as connection,
        contextlib.suppress(sqlite3.OperationalError),  # the file is written to all the time
    ):
        connection.execute("VACUUM")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def free_space() -> Steps[bool]:
    """Shrink the file by some of its free pages. Returns whether there are more."""
    count = "PRAGMA freelist_count", ()
    before: int = (yield count)[0][0]
    for _ in range(min(before, MAX_PAGES)):  # given a number, Python's sqlite3 frees only one
        yield "PRAGMA incremental_vacuum(1)", ()
    after: int = (yield count)[0][0]
    return 0 < after < before
