"""Copies between any two stores: access to the rows at a location, and the rows of a PostgreSQL
database."""

from __future__ import annotations

import asyncio
import contextlib
import os
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from rage.house.operating.retention import DEFAULT_RETENTION
from rage.house.store.copies import (
    BATCH,
    Rows,
    check_unused,
    counts,
    is_unused,
    new_rows,
    select,
    stored_rows,
)
from rage.house.store.file import files_beside
from rage.say import NotAllowed, NotReadable, Reason
from rage.server.embedded.folder import LOCK, is_locked, lock_folder
from rage.server.postgres.url import called
from rage.server.stores import STORE, Location

if TYPE_CHECKING:
    from rage.server.postgres.connection import Connection

T = TypeVar("T")


@contextlib.contextmanager
def rows_of(location: Location) -> Iterator[Rows]:
    """Open a snapshot of all rows of a store; servers may be using it. Raises
    :class:`rage.NotReadable` if there is no store, :class:`rage.NotAllowed` if it has no tables
    and no people, and :class:`rage.house.store.StoreFailed`."""
    if isinstance(location, Path):
        check_folder(location)
        with stored_rows(location / STORE) as rows:
            rows.alone = not is_locked(location)
            _check_used(rows, str(location / STORE))
            yield rows
        return
    with _connected(location) as found, found.transaction("repeatable_read", readonly=True):
        found.check()
        _check_used(found, called(location))
        yield found


def _check_used(store: Rows, name: str) -> None:
    """Raise :class:`rage.NotAllowed` if there is nothing to copy: an empty copy could replace a
    good one."""
    if is_unused(store):
        raise NotAllowed("backup.nothing", store=name)


def check_folder(folder: Path) -> None:
    """Raise :class:`rage.NotReadable` if there is no store in a folder."""
    if not (folder / STORE).exists():
        raise NotReadable("backup.no_store", folder=str(folder))


def check_new(file: Path, *, force: bool) -> None:
    """Raise :class:`rage.NotAllowed` or :class:`rage.NotReadable` if a copy of a store must not or
    cannot be written to ``file``, and :class:`rage.house.store.StoreFailed` if an earlier copy is
    damaged."""
    if file.is_dir():
        raise NotAllowed("backup.folder", file=str(file))
    if not file.parent.is_dir():
        raise NotReadable("backup.no_folder", folder=str(file.parent))
    target = Path(os.path.realpath(file))  # unlike resolve(), also of a link that leads to itself
    if target.name == STORE:
        raise NotAllowed("backup.own_file", file=str(file))
    in_folder = [each for name in (LOCK, STORE) if (each := target.with_name(name)).exists()]
    for beside in (*files_beside(target), *in_folder):
        raise NotAllowed("backup.in_use", file=str(file), beside=beside.name)
    if not file.exists():
        return
    if not file.is_file():  # a device would be replaced, too
        raise NotAllowed("backup.not_file", file=str(file))
    if not force:
        raise NotAllowed("backup.exists", file=str(file))
    try:
        with stored_rows(file):
            pass
    except NotReadable as error:
        if error.reason.code != "backup.not_one":
            raise
        raise NotAllowed("backup.not_backup", file=str(file)) from error


def check_successor(file: Path, new: Rows) -> None:
    """Raise :class:`rage.NotAllowed` if an earlier copy in ``file`` is of another store, or has
    what the store has lost since: of a table, its last events; or anything later than all that the
    store has, and too young to have been removed by a rule. (Removed on purpose, it leaves later
    traces: a table outlives its games.)"""
    with stored_rows(file) as old:
        secrets = [dict(_values(each, "settings", "name", "value")).get("secret")
                   for each in (old, new)]  # fmt: skip
        if secrets[0] not in (None, secrets[1]):
            raise NotAllowed("backup.other_store", file=str(file))
        until = max((at for *_, at in _moments(new)), default=0)
        expiry = DEFAULT_RETENTION.expiry(int(time.time() * 1000))
        lost = Counter(tables=0, games=0, people=0)
        lost.update(kind for kind, rule, at in _moments(old)
                    if at > max(until, getattr(expiry, rule)))  # fmt: skip
        before, last = _last_events(old), _last_events(new)
        lost["tables"] += sum(seq > last.get(table, seq) for table, seq in before.items())
    if lost.total():
        raise NotAllowed("backup.loses", file=str(file), **lost)


def _moments(rows: Rows) -> Iterator[tuple[str, str, int]]:
    """When each table was last used, each finished game ended and each name was chosen, with what
    is counted and the rule by which it is removed."""
    for phase, begun, used in _values(rows, "tables", "phase", "started", "used"):
        rule = "finished" if phase == "over" else "abandoned" if begun else "unstarted"
        yield "tables", rule, used
    for (ended,) in _values(rows, "games", "ended"):
        yield "games", "games", ended
    for (at,) in _values(rows, "names", "at"):
        yield "people", "names", at


def _last_events(rows: Rows) -> dict[str, int]:
    """The number of the last event of each table, except those that went on without some."""
    found: dict[str, int] = {}
    for name in ("events", "snapshots"):
        for table, seq in _values(rows, name, "table_id", "seq"):
            found[table] = max(seq, found.get(table, 0))
    for table, _ in _values(rows, "lost", "table_id", "seq"):
        found.pop(table, None)
    return found


def _values(rows: Rows, table: str, *columns: str) -> Iterator[Any]:
    """Some columns of a table, unless the last one is damaged, as in a file it may be."""
    for some in rows.read(table, columns):
        yield from (row for row in some if type(row[-1]) in (int, bytes))


@contextlib.contextmanager
def unused_rows(location: Location) -> Iterator[Rows]:
    """Open a store without rows to copy to, creating it if needed. The copy is kept only if it is
    complete. Raises :class:`rage.NotAllowed` if a server uses the store or it has any tables, and
    :class:`rage.house.store.StoreFailed`."""
    if isinstance(location, Path):
        with _removed_if_new(location), lock_folder(location, "rage restore"):
            file = location / STORE
            for beside in files_beside(file):  # SQLite would read old tables from it
                raise NotAllowed("restore.leftover", file=str(file), beside=beside.name)
            if file.exists():
                with stored_rows(file) as before:
                    check_unused(before, str(file))
            with new_rows(file) as rows:
                yield rows
                written = counts(rows)
            with stored_rows(file) as found:
                if counts(found) != written:
                    raise NotAllowed("restore.not_kept", file=str(file))
        return
    with _connected(location) as found_there:
        found_there.make()
        with found_there.transaction("read_committed"):
            found_there.check_unused()
            yield found_there
            found_there.count_on()


@contextlib.contextmanager
def _removed_if_new(folder: Path) -> Iterator[None]:
    """Remove a folder again after an error, if it is new."""
    new = [each for each in (folder, *folder.parents) if not each.exists()]
    try:
        yield
    except BaseException:
        if new:
            with contextlib.suppress(OSError):
                (folder / LOCK).unlink(missing_ok=True)
                for each in new:
                    each.rmdir()
        raise


class PostgresRows:
    """The rows of the PostgreSQL database at ``url``."""

    #: See :class:`Rows`: if PostgreSQL itself cannot read the rows, nothing is copied.
    partial = False

    def __init__(
        self, url: str, connection: Connection, run: Callable[[Awaitable[Any]], Any]
    ) -> None:
        self._url = url
        self._connection = connection
        self._run = run

    def value(self, query: str, *values: object) -> Any:
        """The first value of a query."""
        return self._run(self._connection.fetchval(query, *values))

    @contextlib.contextmanager
    def transaction(self, isolation: str, *, readonly: bool = False) -> Iterator[None]:
        """A transaction that is rolled back after an error."""
        transaction = self._connection.transaction(isolation=isolation, readonly=readonly)
        self._run(transaction.start())
        try:
            yield
            self._run(transaction.commit())
        except BaseException:
            with contextlib.suppress(Exception):  # if the database is gone, so is the transaction
                self._run(transaction.rollback())
            raise

    def make(self) -> None:
        """Create the tables of an empty database."""
        from rage.server.postgres.schema import prepare

        self._run(prepare(self._connection))

    def check(self) -> None:
        """Raise :class:`rage.NotReadable` for a database that has no store of this version."""
        from rage.server.postgres.reader import check_database

        self._run(check_database(self._connection, self._url))

    def check_unused(self) -> None:
        """Make servers that start wait, and raise :class:`rage.NotAllowed` if any is running or
        anything is stored."""
        from rage.server.postgres.schema import LOCK
        from rage.server.postgres.store import ALIVE

        self._run(self._connection.execute("SELECT pg_advisory_xact_lock($1)", LOCK))
        if self.value(f"SELECT count(*) FROM servers WHERE {ALIVE}"):
            raise NotAllowed("restore.in_use", store=called(self._url))
        check_unused(self, called(self._url))
        self._run(self._connection.execute("DELETE FROM settings"))

    def count_on(self) -> None:
        """Make the database continue its numbering after the copied rows."""
        self.value(
            "SELECT setval(pg_get_serial_sequence('spent', 'number'),"
            " (SELECT coalesce(max(number), 0) + 1 FROM spent), false)"
        )

    def has_checksums(self) -> bool:
        return bool(
            self.value(
                "SELECT attnotnull FROM pg_attribute"
                " WHERE attrelid = to_regclass('events') AND attname = 'crc'"
            )
        )

    def damage(self) -> Reason | None:
        """See :meth:`Rows.damage`: PostgreSQL itself reports damage when it reads."""
        return None

    def count(self, table: str) -> int:
        return int(self.value(f"SELECT count(*) FROM {table}"))

    def read(self, table: str, columns: Sequence[str]) -> Iterator[list[Any]]:
        cursor = self._run(self._connection.cursor(select(table, columns)))
        while rows := self._run(cursor.fetch(BATCH)):
            yield [tuple(row) for row in rows]

    def write(self, table: str, columns: Sequence[str], rows: list[Any]) -> None:
        self._run(
            self._connection.copy_records_to_table(table, records=rows, columns=list(columns))
        )


@contextlib.contextmanager
def _connected(url: str) -> Iterator[PostgresRows]:
    """Connect to the rows of a database. Raises :class:`rage.house.store.StoreFailed`."""
    import asyncpg

    from rage.server.postgres.connection import LOST, PATIENCE, unreachable

    settings: Any = {"application_name": "rage copy"}
    with asyncio.Runner() as runner:

        def run(work: Awaitable[T]) -> T:
            async def wait() -> T:
                return await work

            return runner.run(wait())

        try:
            connecting = asyncpg.connect(url, timeout=PATIENCE, server_settings=settings)
            connection = run(connecting)
            try:
                yield PostgresRows(url, connection, run)
            finally:
                connection.terminate()
        except (*LOST, asyncpg.PostgresError, ValueError) as error:
            if isinstance(error, NotReadable | NotAllowed):
                raise
            raise unreachable(url, error) from error
