"""The writer of the embedded store: many appends in one commit.

A commit with ``synchronous=FULL`` waits for the disk, and costs the same for one event as for a
hundred. So everything that has arrived during a commit goes into the next one together.
"""

from __future__ import annotations

import contextlib
import logging
import sqlite3
import time
from collections.abc import Callable, Iterable
from typing import Any, Final, TypeVar

from rage.house.store import Append, Conflict, StoreBusy, StoreFailed
from rage.house.store.checking import sealed
from rage.house.store.file import StoreFile
from rage.house.store.transactions import Operation as Transaction
from rage.house.store.transactions import Steps, write_changes

log: Final = logging.getLogger(__name__)
#: The most events that one statement writes: a power of two. There is one for each power.
MAX_ROWS: Final = 128
_INSERTS: Final = [
    f"INSERT INTO events SELECT * FROM (VALUES {', '.join(['(?, ?, ?, ?, ?)'] * (1 << power))})"
    " WHERE column1 IS NOT NULL"
    for power in range(MAX_ROWS.bit_length())
]
#: Errors of a job itself, not of the file: its row already exists, or cannot be written.
_OWN: Final = (
    sqlite3.IntegrityError,
    sqlite3.DataError,
    sqlite3.InterfaceError,
    sqlite3.ProgrammingError,
)
T = TypeVar("T")
Operation = Append | Transaction[Any]


class Writer:
    """Writes to a ``file`` over a ``connection``, and calls ``on_commit`` with the seconds that
    each commit took and how many jobs it had."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        file: StoreFile,
        on_commit: Callable[[float, int], None],
    ) -> None:
        self.connection = connection
        self.on_commit = on_commit
        self.file = file

    def close(self) -> None:
        """Close the connection."""
        self.connection.close()

    def commit(self, operations: list[Operation]) -> list[Any]:
        """Do all operations in one transaction, and return their results or errors. Raises nothing,
        because everything later would wait forever."""
        begun = time.perf_counter()
        try:
            answers = self._do_all(operations)
        except Exception as error:
            self.file.note(error)
            if not isinstance(error, sqlite3.Error | StoreFailed):
                log.exception("a commit has failed")
            if not isinstance(error, StoreFailed):
                error = StoreBusy(error) if _is_busy(error) else StoreFailed(error)
            return [error for _ in operations]
        counted = sum(not is_unseen(operation) for operation in operations)
        try:
            if counted:
                self.on_commit(time.perf_counter() - begun, counted)
        except Exception:
            log.exception("a commit was not counted")
        return answers

    def _do_all(self, operations: list[Operation]) -> list[Any]:
        """Do all operations, together or, if one of them fails, one by one, and return their
        results. If the file itself fails, all have failed."""
        self.file.check()
        try:
            answers = self._do_at_once(operations)
        except Exception as error:
            _check(error)
            answers = self._transact(_do_one_by_one, operations)
        self.file.check()  # if it was deleted meanwhile, so was this commit
        return answers

    def _do_at_once(self, operations: list[Operation]) -> list[Any]:
        """Do all operations, writing the events of all appends together, and return the results.
        Events alone take one statement, which is a transaction by itself: after every statement the
        thread has to wait for the GIL. So events come before anything that arrived with them: a
        table that is being removed must get none (the hub ensures that)."""
        rows = _rows(operation for operation in operations if isinstance(operation, Append))
        if len(rows) <= MAX_ROWS and all(is_plain(operation) for operation in operations):
            _insert(self.connection, rows)
            return [None] * len(operations)

        def do(connection: sqlite3.Connection, operations: list[Operation]) -> list[Any]:
            _insert(connection, rows)
            return [_do(connection, operation, _note) for operation in operations]

        return self._transact(do, operations)

    def _transact(self, do: Callable[..., list[Any]], operations: list[Operation]) -> list[Any]:
        """Do all operations, and return their results once durable; on any error nothing has
        happened."""
        connection = self.connection
        connection.execute("BEGIN IMMEDIATE")
        try:
            answers = do(connection, operations)
            connection.execute("COMMIT")
        except BaseException:
            with contextlib.suppress(sqlite3.Error):  # if the disk is gone, this fails too
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
            raise
        return answers


def _do_one_by_one(connection: sqlite3.Connection, operations: list[Operation]) -> list[Any]:
    """The result of each operation, or its error, in which case it is rolled back. Raises
    ``sqlite3.Error`` if the file itself has failed."""
    answers: list[Any] = []
    for operation in operations:
        connection.execute("SAVEPOINT job")
        try:
            answers.append(_do(connection, operation, _append))
        except Exception as error:  # whatever it is, it must not spoil the others
            _check(error)
            connection.execute("ROLLBACK TO job")
            answers.append(error)
        connection.execute("RELEASE job")
    return answers


def _do(
    connection: sqlite3.Connection,
    operation: Operation,
    append: Callable[[sqlite3.Connection, Append], None],
) -> Any:
    """The result of an operation; ``append`` writes the rows of an append."""
    if isinstance(operation, Append):
        append(connection, operation)
        return None
    return run(connection, operation())


def _check(error: Exception) -> None:
    """Raise the error again if it means that the file has failed."""
    if isinstance(error, sqlite3.Error) and not isinstance(error, _OWN):
        raise error


def _is_busy(error: Exception) -> bool:
    return getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_BUSY


def is_plain(operation: Operation) -> bool:
    """Return whether an operation only appends events."""
    return isinstance(operation, Append) and not (
        operation.new_index
        or operation.finished
        or operation.snapshot
        or operation.bids
        or operation.instead
    )


def is_unseen(operation: Operation) -> bool:
    """Return whether an operation only changes a bid, which must not show, not even in metrics."""
    return isinstance(operation, Append) and not operation.rows and operation.bids is not None


def _rows(appends: Iterable[Append]) -> list[tuple[object, ...]]:
    return [sealed("events", append.table, *row) for append in appends for row in append.rows]


def _insert(connection: sqlite3.Connection, rows: list[tuple[object, ...]]) -> None:
    """Write events, many with each statement. Raises :class:`Conflict` if there already is an event
    with one of the numbers."""
    try:
        for start in range(0, len(rows), MAX_ROWS):
            some = rows[start : start + MAX_ROWS]
            power = (len(some) - 1).bit_length()
            values: list[object] = [value for row in some for value in row]
            values += [None] * (5 * (1 << power) - len(values))
            connection.execute(_INSERTS[power], values)
    except sqlite3.IntegrityError:
        raise Conflict from None


def _append(connection: sqlite3.Connection, append: Append) -> None:
    """Write one command's events, and its other changes. Raises :class:`Conflict`."""
    _insert(connection, _rows([append]))
    _note(connection, append)


def _note(connection: sqlite3.Connection, append: Append) -> None:
    """Write the changes of one command, except the events."""
    run(connection, write_changes(append))


def run(connection: sqlite3.Connection, steps: Steps[T]) -> T:
    """Execute all statements of a transaction, and return its result."""
    try:
        statement = next(steps)
        while True:
            statement = steps.send(connection.execute(*statement).fetchall())
    except StopIteration as end:
        result: T = end.value
        return result
