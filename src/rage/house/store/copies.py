"""Copies of a store: all its rows in one SQLite file, whichever database they come from or go to.

Such a file is itself an embedded store. Every copy is of one moment, even while servers keep
writing, and is written completely or not at all.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Generator, Iterator, Sequence
from pathlib import Path
from typing import Any, Final, Protocol

from rage.files import replacing
from rage.house.store import StoreFailed, file_failed
from rage.house.store.checking import Look
from rage.house.store.file import (
    DAMAGE,
    INCREMENTAL,
    VERSION,
    columns_of,
    create,
    has_lost_commits,
    is_damage,
    is_sound,
    keys,
    lacking_checksums,
    tables,
)
from rage.say import NotAllowed, NotReadable, Reason

#: The most rows read or written at once; a snapshot of a table may have 100 kB.
BATCH: Final = 500
#: The tables that have rows before a store is used.
_OF_A_NEW_STORE: Final = ("settings",)
#: The tables that every version has had.
_FROM_THE_FIRST: Final = {"events", "tables", "settings"}
#: SQLite's errors where it cannot create a log: on a full disk, or without write permission.
#: Without a server no log is needed, because everything is in the file.
_NO_LOG: Final = {
    sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY,
}  # fmt: skip


class Rows(Protocol):
    """The rows of a store, within one transaction."""

    #: Whether what cannot be read is left out.
    partial: bool

    def has_checksums(self) -> bool:
        """Return whether all rows have checksums, unlike in a store of an earlier version."""

    def damage(self) -> Reason | None:
        """What cannot be read of the whole, if anything, as far as the database looks."""

    def count(self, table: str) -> int:
        """The number of rows of a table."""

    def read(self, table: str, columns: Sequence[str]) -> Iterator[list[Any]]:
        """The rows of a table, up to :data:`BATCH` at once, in the order of their keys."""

    def write(self, table: str, columns: Sequence[str], rows: list[Any]) -> None:
        """Add rows to a table."""


def pieces(source: Rows) -> int:
    """How many pieces :func:`copy` yields."""
    return sum(-(-source.count(table) // BATCH) for table in tables())


def copy(source: Rows, target: Rows, look: Look) -> Generator[None]:
    """Copy all undamaged rows, piece by piece; ``look`` has the others."""
    for table, columns in tables().items():
        for rows in source.read(table, columns):
            target.write(table, columns, look.sound(table, columns, rows))
            yield


def select(table: str, columns: Sequence[str]) -> str:
    """The query for :meth:`Rows.read`."""
    return f"SELECT {', '.join(columns)} FROM {table} ORDER BY {_by(table)}"


def _by(table: str, order: str = "") -> str:
    """The order of the keys of a table."""
    return ", ".join(f"{key}{order}" for key in keys()[table])


class FileRows:
    """The rows of an SQLite file, over a connection that has begun a transaction. Raises
    :class:`StoreFailed`."""

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        self._connection = connection
        self._path = path
        self._found = columns_of(connection)
        #: Whether what cannot be read is left out.
        self.partial = False
        #: Whether no server uses the file.
        self.alone = False

    def fetch(self, query: str, *values: object) -> list[Any]:
        """The rows of a query."""
        with _named(self._path):
            return self._connection.execute(query, values).fetchall()

    def has_checksums(self) -> bool:
        query = "SELECT \"notnull\" FROM pragma_table_info('events') WHERE name = 'crc'"
        return self.fetch(query) == [(1,)]

    def damage(self) -> Reason | None:
        """See :meth:`Rows.damage`: unreadable pages, or a log that ends too early."""
        with _named(self._path):
            if not is_sound(self._connection):
                return DAMAGE
            lost = self.alone and has_lost_commits(self._path)
        return Reason("store.log_damaged", {"file": f"{self._path}-wal"}) if lost else None

    def count(self, table: str) -> int:
        if table not in self._found:  # an earlier version lacks it
            return 0
        try:
            with _named(self._path):
                query = f"SELECT count(*) FROM {table}"
                return int(self._connection.execute(query).fetchone()[0])
        except StoreFailed as error:
            if not is_damage(error.__cause__):
                raise
            return 1  # at least one

    def read(self, table: str, columns: Sequence[str]) -> Iterator[list[Any]]:
        """See :meth:`Rows.read`. If it is ``partial``, everything between the first unreadable page
        and the last one is left out."""
        if table not in self._found:
            return
        names = ", ".join(each if each in self._found[table] else "NULL" for each in columns)
        last: tuple[Any, ...] | None = None
        places = [columns.index(each) for each in keys()[table] if each in columns]
        try:
            for rows in self._batches(f"SELECT {names} FROM {table} ORDER BY {_by(table)}"):
                yield rows
                last = tuple(rows[-1][place] for place in places)
        except StoreFailed as error:
            if not (self.partial and is_damage(error.__cause__)):
                raise
            if (first := self._after_damage(table, last)) is not None:
                there = f"({', '.join(keys()[table])}) >= ({', '.join('?' for _ in first)})"
                query = f"SELECT {names} FROM {table} WHERE {there} ORDER BY {_by(table)}"
                yield from self._batches(query, first)

    def _batches(self, query: str, values: Sequence[Any] = ()) -> Iterator[list[Any]]:
        """The rows of a query, including all before an error."""
        rows = list[Any]()
        try:
            with _named(self._path):
                for row in self._connection.execute(query, values):
                    rows.append(row)
                    if len(rows) == BATCH:
                        yield rows
                        rows = []
        except StoreFailed:
            if rows:
                yield rows
            raise
        if rows:
            yield rows

    def _after_damage(self, table: str, last: tuple[Any, ...] | None) -> tuple[Any, ...] | None:
        """The key of the first row of a table after all unreadable pages, if it comes after
        ``last``."""
        found = None
        names = ", ".join(keys()[table])
        # Compared by SQLite, because a damaged key may be of another type.
        after = "" if last is None else f" WHERE ({names}) > ({', '.join('?' for _ in last)})"
        query = f"SELECT {names} FROM {table}{after} ORDER BY {_by(table, ' DESC')}"
        with contextlib.suppress(sqlite3.Error):
            for key in self._connection.execute(query, last or ()):
                found = key
        return found

    def write(self, table: str, columns: Sequence[str], rows: list[Any]) -> None:
        places = ", ".join("?" for _ in columns)
        query = f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({places})"
        with _named(self._path):
            self._connection.executemany(query, rows)


@contextlib.contextmanager
def _named(path: Path) -> Iterator[None]:
    """Make errors of SQLite and of the system name the file."""
    try:
        yield
    except (sqlite3.Error, OSError) as error:
        raise file_failed(path, error) from error


@contextlib.contextmanager
def stored_rows(path: Path) -> Iterator[FileRows]:
    """The rows of a store in a file, which a server may be using, as they are now. Raises
    :class:`rage.NotReadable` for any other file, and :class:`StoreFailed`."""
    if not path.is_file():
        raise NotReadable("backup.not_file" if path.exists() else "backup.no_file", file=str(path))
    with _named(path):
        found = _reading(path)
    with contextlib.closing(found) as connection:
        try:
            version = connection.execute("PRAGMA user_version").fetchone()[0]
            found_tables = columns_of(connection)
        except UnicodeDecodeError as error:  # of a message about a damaged name in the file
            raise StoreFailed(Reason("system.file", {"file": str(path), "why": DAMAGE})) from error
        except sqlite3.DatabaseError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_NOTADB:
                raise file_failed(path, error) from error
            found_tables = {}
        if not found_tables.keys() >= _FROM_THE_FIRST:
            raise NotReadable("backup.not_one", file=str(path))
        if old := lacking_checksums(found_tables):  # a version that may have had fewer tables
            expected = {name: names for name, names in tables().items() if name not in old}
            same = all(found_tables.get(name, names) == names for name, names in expected.items())
        else:
            same = found_tables.items() >= tables().items()
        if version != VERSION or not same:
            raise NotReadable("backup.other_version", file=str(path), version=version)
        yield FileRows(connection, path)


def _reading(path: Path, how: str = "") -> sqlite3.Connection:
    """A read-only connection to a file, in a transaction. (Where there is no log, not ``mode=ro``,
    with which SQLite would leave files behind. Where there is one, nothing else: at the end it
    would be removed with all that is damaged in it.)"""
    log = path.with_name(f"{path.name}-wal")
    whole = not (log.exists() and log.stat().st_size)
    how = how or ("mode=rw" if whole else "mode=ro")
    address = f"{path.absolute().as_uri()}?{how}"
    connection = sqlite3.connect(address, uri=True, timeout=5, isolation_level=None)
    connection.text_factory = lambda data: data.decode("utf-8", "surrogateescape")
    try:
        connection.execute("PRAGMA query_only = 1")
        connection.execute("BEGIN")
        connection.execute("PRAGMA user_version")
    except sqlite3.OperationalError as error:
        connection.close()
        if "rw" in how and whole and error.sqlite_errorcode & 0xFF in _NO_LOG:
            return _reading(path, "mode=ro&immutable=1")
        raise
    except sqlite3.DatabaseError:  # stored_rows runs into it again
        pass
    return connection


@contextlib.contextmanager
def new_rows(path: Path) -> Iterator[FileRows]:
    """An empty store, which takes the place of the file ``path`` once everything is written. Raises
    :class:`StoreFailed`."""
    with (
        _named(path),
        replacing(path) as part,
        contextlib.closing(sqlite3.connect(part, isolation_level=None)) as connection,
    ):
        for setting in (f"auto_vacuum = {INCREMENTAL}", "journal_mode = OFF", "synchronous = OFF",
                        f"user_version = {VERSION}"):  # fmt: skip
            connection.execute(f"PRAGMA {setting}")
        connection.execute("BEGIN")
        create(connection)
        yield FileRows(connection, path)
        connection.execute("COMMIT")


def counts(store: Rows) -> dict[str, int]:
    """How many rows each table of a store has."""
    return {table: store.count(table) for table in tables()}


def is_unused(store: Rows) -> bool:
    """Return whether a store has nothing that anyone could miss."""
    return not any(store.count(table) for table in tables() if table not in _OF_A_NEW_STORE)


def check_unused(store: Rows, name: str) -> None:
    """Raise :class:`rage.NotAllowed` if a store, which the error calls ``name``, has anything that
    anyone could miss."""
    if not is_unused(store):
        raise NotAllowed("restore.not_empty", store=name)
