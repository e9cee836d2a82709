"""The embedded store: one SQLite file, one writer thread, many appends in one commit.

A commit with ``synchronous=FULL`` waits for the disk, and costs the same for one event as for a
hundred. So everything that has arrived during a commit goes into the next one together.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import queue
import sqlite3
import threading
import time
import zlib
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final, TypeVar

from rage.server.pending import settle
from rage.server.sqlite_file import StoreFile, connect, find_problems, prepare
from rage.server.sqlite_rows import (
    EXPIRED,
    free_space,
    remove_games,
    remove_tables,
    write_game,
    write_index,
    write_snapshot,
)
from rage.server.store import (
    MAX_READ,
    MAX_SPENT,
    Append,
    ChatRow,
    Conflict,
    Expiry,
    Finished,
    GameEntry,
    Row,
    Snapshot,
    StoredTable,
    StoreFailed,
)

#: How many jobs one commit takes at most; more wait for the next.
MAX_JOBS: Final = 1000
#: How many events one statement writes at most: a power of two. There is one for each power.
MAX_ROWS: Final = 128
_INSERTS: Final = [
    f"INSERT INTO events SELECT * FROM (VALUES {', '.join(['(?, ?, ?, ?)'] * (1 << power))})"
    " WHERE column1 IS NOT NULL"
    for power in range(MAX_ROWS.bit_length())
]
#: Errors of a job itself, and not of the file: what it would write is there, or cannot be written.
_OWN: Final = (
    sqlite3.IntegrityError,
    sqlite3.DataError,
    sqlite3.InterfaceError,
    sqlite3.ProgrammingError,
)
#: The tables that a list shows to everybody.
_OPEN: Final = "open = 1 AND phase <> 'over'"
T = TypeVar("T")
Operation = Append | Callable[[sqlite3.Connection], Any]
Job = tuple[Operation, "asyncio.Future[Any]"]


class SqliteStore:
    """A store in the file ``path``, which is created if needed. Raises :class:`StoreFailed` if it
    cannot be used."""

    def __init__(self, path: Path) -> None:
        self._jobs: deque[Job] = deque()
        self._bell: queue.SimpleQueue[None] = queue.SimpleQueue()
        self._awake = self._ended = False
        self._reader = ThreadPoolExecutor(1, "rage-read")
        self.on_commit: Callable[[float, int], None] = lambda seconds, appends: None
        #: The clock, in milliseconds since 1970.
        self.now: Callable[[], int] = lambda: int(time.time() * 1000)
        with contextlib.ExitStack() as opened:
            try:
                self._writing = opened.enter_context(contextlib.closing(connect(path)))
                prepare(self._writing, path)
                self._reading = connect(path)
            except (sqlite3.Error, OSError) as error:
                raise StoreFailed(f"{path}: {error}") from error
            opened.pop_all()
        self._file = StoreFile(path)
        self._loop = asyncio.get_running_loop()
        self._writer = threading.Thread(target=self._write_on, name="rage-write", daemon=True)
        self._writer.start()

    # Writing.

    def _write(self, operation: Append | Callable[[sqlite3.Connection], T]) -> asyncio.Future[T]:
        future: asyncio.Future[T] = self._loop.create_future()
        if self._ended:
            future.set_exception(StoreFailed("store closed"))
            return future
        self._jobs.append((operation, future))
        if not self._awake:
            self._awake = True
            self._bell.put(None)
        return future

    def _write_on(self) -> None:
        """The writer thread: commit everything that has arrived while it was writing, sleep if
        nothing has, until the store is closed."""
        while True:
            jobs: list[Job] = []
            while self._jobs and len(jobs) < MAX_JOBS:
                jobs.append(self._jobs.popleft())
            if jobs:
                self._loop.call_soon_threadsafe(_settle, self._commit(jobs))
                continue
            if self._ended:
                break
            self._awake = False
            # A job may have arrived just before, without ringing, because this thread was awake.
            if not self._jobs and not self._ended:
                self._bell.get()
        self._writing.close()

    def _commit(self, jobs: list[Job]) -> list[tuple[asyncio.Future[Any], Any]]:
        """Do all jobs in one transaction: together, or, if one of them fails, one by one. If the
        file itself fails, all have failed."""
        begun = time.perf_counter()
        operations = [operation for operation, _ in jobs]
        try:
            self._file.check()
            try:
                answers = self._do_at_once(operations)
            except Exception as error:
                _check(error)
                answers = self._transact(_do_one_by_one, operations)
            self._file.check()  # if it was deleted meanwhile, so was this commit
        except (sqlite3.Error, StoreFailed) as error:
            return [(future, StoreFailed(str(error))) for _, future in jobs]
        self.on_commit(time.perf_counter() - begun, len(jobs))
        return list(zip([future for _, future in jobs], answers, strict=True))

    def _do_at_once(self, operations: list[Operation]) -> list[Any]:
        """The results of all operations, with the events of all appends written together. If there
        is nothing else, that takes one statement, which is a transaction by itself: after every
        statement the thread has to wait for the interpreter lock. So events come before whatever
        arrived with them: a table that is being removed must get none (the hub sees to that)."""
        rows = _rows(operation for operation in operations if isinstance(operation, Append))
        if len(rows) <= MAX_ROWS and all(_is_plain(operation) for operation in operations):
            _insert(self._writing, rows)
            return [None] * len(operations)

        def do(connection: sqlite3.Connection, operations: list[Operation]) -> list[Any]:
            _insert(connection, rows)
            return [_do(connection, operation, _note) for operation in operations]

        return self._transact(do, operations)

    def _transact(self, do: Callable[..., list[Any]], operations: list[Operation]) -> list[Any]:
        """The results of all operations, once they are durable; on any error nothing has
        happened."""
        connection = self._writing
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

    def append(self, append: Append) -> asyncio.Future[None]:
        """See :class:`rage.server.store.Store`."""
        return self._write(append)

    async def prove(self) -> None:
        """See :class:`rage.server.store.Store`."""

        def come_and_go(connection: sqlite3.Connection) -> None:
            connection.execute("INSERT OR REPLACE INTO settings VALUES ('proof', x'')")
            connection.execute("DELETE FROM settings WHERE name = 'proof'")

        await self._write(come_and_go)

    async def setting(self, name: str, value: bytes) -> bytes:
        """See :class:`rage.server.store.Store`."""

        def keep(connection: sqlite3.Connection) -> bytes:
            connection.execute("INSERT OR IGNORE INTO settings VALUES (?, ?)", (name, value))
            query = "SELECT value FROM settings WHERE name = ?"
            kept: bytes = connection.execute(query, (name,)).fetchone()[0]
            return kept

        return await self._write(keep)

    async def spend(self, token: bytes) -> bool:
        """See :class:`rage.server.store.Store`."""

        def use(connection: sqlite3.Connection) -> bool:
            query = "INSERT OR IGNORE INTO spent (token) VALUES (?)"
            if connection.execute(query, (token,)).rowcount != 1:
                return False
            oldest = (
                "DELETE FROM spent WHERE number <="
                " (SELECT number FROM spent ORDER BY number DESC LIMIT 1 OFFSET ?)"
            )
            connection.execute(oldest, (MAX_SPENT,))
            return True

        return await self._write(use)

    async def end_sessions(self, person: str) -> int:
        """See :class:`rage.server.store.Store`."""

        def more(connection: sqlite3.Connection) -> int:
            connection.execute(
                "INSERT INTO sessions VALUES (?, 1) ON CONFLICT DO UPDATE SET number = number + 1",
                (person,),
            )
            query = "SELECT number FROM sessions WHERE person = ?"
            number: int = connection.execute(query, (person,)).fetchone()[0]
            return number

        return await self._write(more)

    async def sessions(self) -> dict[str, int]:
        """See :class:`rage.server.store.Store`."""
        return dict(await self._read("SELECT person, number FROM sessions"))

    async def rename(self, person: str, name: str) -> None:
        """See :class:`rage.server.store.Store`."""
        query = "INSERT OR REPLACE INTO names VALUES (?, ?, ?)"
        values = person, name, self.now()
        await self._write(lambda connection: connection.execute(query, values))

    async def say(self, table: str, at: int, data: bytes, most: int) -> int:
        """See :class:`rage.server.store.Store`."""
        query = (
            "INSERT INTO chat SELECT ?1, coalesce(max(number), 0) + 1, ?2, ?3 FROM chat"
            " WHERE table_id = ?1 RETURNING number"
        )

        def add(connection: sqlite3.Connection) -> int:
            number: int = connection.execute(query, (table, at, data)).fetchone()[0]
            forget = "DELETE FROM chat WHERE table_id = ? AND number <= ?"
            connection.execute(forget, (table, number - most))
            return number

        return await self._write(add)

    async def summarize(self, table: str, seq: int, summary: bytes) -> None:
        """See :class:`rage.server.store.Store`."""
        query = (
            "UPDATE tables SET summary = ?3 WHERE table_id = ?1"
            " AND NOT EXISTS (SELECT 1 FROM events WHERE table_id = ?1 AND seq > ?2)"
        )
        await self._write(lambda connection: connection.execute(query, (table, seq, summary)))

    async def remove(self, tables: Sequence[str]) -> None:
        """See :class:`rage.server.store.Store`."""
        await self._write(lambda connection: remove_tables(connection, tables))

    async def tidy(self, expiry: Expiry, most: int) -> bool:
        """See :class:`rage.server.store.Store`."""

        def remove(connection: sqlite3.Connection) -> bool:
            removed = remove_games(connection, expiry, most)
            return free_space(connection) or removed

        return await self._write(remove)

    # Reading.

    async def _read(self, query: str, *values: object) -> list[Any]:
        def ask() -> list[Any]:
            self._file.check()
            try:
                return self._reading.execute(query, values).fetchall()
            except sqlite3.Error as error:
                raise StoreFailed(str(error)) from error

        return await self._loop.run_in_executor(self._reader, ask)

    async def events(self, table: str, after: int = 0, most: int = MAX_READ) -> list[Row]:
        """See :class:`rage.server.store.Store`."""
        query = (
            "SELECT seq, at, data FROM events WHERE table_id = ? AND seq > ? ORDER BY seq LIMIT ?"
        )
        return [Row(*row) for row in await self._read(query, table, after, most)]

    async def snapshot(self, table: str) -> Snapshot | None:
        """See :class:`rage.server.store.Store`."""
        query = "SELECT seq, data, dropped FROM snapshots WHERE table_id = ?"
        rows = await self._read(query, table)
        return Snapshot(*rows[0]) if rows else None

    async def chat(self, table: str, after: int = 0) -> list[ChatRow]:
        """See :class:`rage.server.store.Store`."""
        query = (
            "SELECT number, at, data FROM chat WHERE table_id = ? AND number > ? ORDER BY number"
        )
        return [ChatRow(*row) for row in await self._read(query, table, after)]

    async def tables_of(self, person: str, most: int) -> list[StoredTable]:
        """See :class:`rage.server.store.Store`."""
        query = (
            "SELECT table_id, summary FROM people JOIN tables USING (table_id)"
            " WHERE person = ? ORDER BY used DESC LIMIT ?"
        )
        return [StoredTable(*row) for row in await self._read(query, person, most)]

    async def open_tables(self, most: int) -> list[StoredTable]:
        """See :class:`rage.server.store.Store`."""
        query = (
            "WITH ranked AS (SELECT table_id, used, row_number()"
            f" OVER (PARTITION BY host ORDER BY used DESC) AS place FROM tables WHERE {_OPEN})"
            " SELECT table_id, summary FROM (SELECT table_id, place FROM ranked"
            " ORDER BY place, used DESC LIMIT ?) JOIN tables USING (table_id)"
            " ORDER BY place, used DESC"
        )
        return [StoredTable(*row) for row in await self._read(query, most)]

    async def count_open(self, host: str) -> int:
        """See :class:`rage.server.store.Store`."""
        query = f"SELECT count(*) FROM tables WHERE {_OPEN} AND host = ?"
        count: int = (await self._read(query, host))[0][0]
        return count

    async def still_open(self, tables: Sequence[str]) -> list[str]:
        """See :class:`rage.server.store.Store`."""
        query = (
            f"SELECT table_id FROM tables WHERE {_OPEN}"
            " AND table_id IN (SELECT value FROM json_each(?))"
        )
        return _firsts(await self._read(query, json.dumps(list(tables))))

    async def table(self, table: str) -> StoredTable | None:
        """See :class:`rage.server.store.Store`."""
        query = "SELECT table_id, summary FROM tables WHERE table_id = ?"
        rows = await self._read(query, table)
        return StoredTable(*rows[0]) if rows else None

    async def due(self, now: int, most: int) -> list[str]:
        """See :class:`rage.server.store.Store`."""
        query = "SELECT table_id FROM tables WHERE due_at <= ? ORDER BY due_at LIMIT ?"
        return _firsts(await self._read(query, now, most))

    async def expired(self, expiry: Expiry, most: int) -> list[str]:
        """See :class:`rage.server.store.Store`."""
        values = [-1 if each is None else each for each in expiry[:3]]
        return _firsts(await self._read(EXPIRED, *values, most))

    async def problems(self) -> list[str]:
        """See :class:`rage.server.store.Store`."""
        return await asyncio.to_thread(find_problems, self._file.path, lambda: self._ended)

    async def games_of(self, person: str, most: int) -> list[GameEntry]:
        """See :class:`rage.server.store.Store`."""
        query = (
            "SELECT table_id, game, ended, line, seat FROM players"
            " JOIN games USING (table_id, game) WHERE person = ? ORDER BY ended DESC LIMIT ?"
        )
        return [GameEntry(*row) for row in await self._read(query, person, most)]

    async def finished(self, table: str, game: int) -> Finished | None:
        """See :class:`rage.server.store.Store`."""
        query = "SELECT game, ended, line, record FROM games WHERE table_id = ? AND game = ?"
        rows = await self._read(query, table, game)
        if not rows:
            return None
        query = "SELECT person, seat FROM players WHERE table_id = ? AND game = ?"
        seats = dict(await self._read(query, table, game))
        number, ended, line, record = rows[0]
        return Finished(number, ended, line, zlib.decompress(record), seats)

    async def count_games_since(self, ended: int, part: bytes) -> int:
        """See :class:`rage.server.store.Store`."""
        query = "SELECT count(*) FROM games WHERE ended >= ? AND instr(line, ?)"
        count: int = (await self._read(query, ended, part))[0][0]
        return count

    async def best_games_since(self, ended: int, part: bytes, most: int) -> list[GameEntry]:
        """See :class:`rage.server.store.Store`."""
        query = (
            "SELECT table_id, game, ended, line, NULL FROM games WHERE ended >= ?"
            " AND instr(line, ?)"
            " ORDER BY json_extract(CAST(line AS TEXT), '$.scores[0]') DESC, ended LIMIT ?"
        )
        return [GameEntry(*row) for row in await self._read(query, ended, part, most)]

    async def name_of(self, person: str) -> str | None:
        """See :class:`rage.server.store.Store`."""
        rows = await self._read("SELECT name FROM names WHERE person = ?", person)
        return rows[0][0] if rows else None

    async def close(self) -> None:
        """See :class:`rage.server.store.Store`."""
        self._ended = True
        self._bell.put(None)
        await self._loop.run_in_executor(self._reader, self._writer.join)
        self._reader.shutdown()
        self._reading.close()


def _do_one_by_one(connection: sqlite3.Connection, operations: list[Operation]) -> list[Any]:
    """The result of each operation, or its error, in which case it is rolled back. Raises
    ``sqlite3.Error`` if it is the file that has failed."""
    answers: list[Any] = []
    for operation in operations:
        connection.execute("SAVEPOINT job")
        try:
            answers.append(_do(connection, operation, _append))
        except Exception as error:  # whatever it is, it must not end the writer thread
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
    return operation(connection)


def _check(error: Exception) -> None:
    """Raises the error again if it means that the file has failed."""
    if isinstance(error, sqlite3.Error) and not isinstance(error, _OWN):
        raise error


def _is_plain(operation: Operation) -> bool:
    """Whether an operation only appends events."""
    return isinstance(operation, Append) and not (
        operation.new_index or operation.finished or operation.snapshot
    )


def _rows(appends: Iterable[Append]) -> list[tuple[str, int, int, bytes]]:
    return [(append.table, *row) for append in appends for row in append.rows]


def _insert(connection: sqlite3.Connection, rows: list[tuple[str, int, int, bytes]]) -> None:
    """Write events, many with each statement. Raises :class:`Conflict` if there already is an event
    with one of the numbers."""
    try:
        for start in range(0, len(rows), MAX_ROWS):
            some = rows[start : start + MAX_ROWS]
            power = (len(some) - 1).bit_length()
            values: list[object] = [value for row in some for value in row]
            values += [None] * (4 * (1 << power) - len(values))
            connection.execute(_INSERTS[power], values)
    except sqlite3.IntegrityError:
        raise Conflict from None


def _append(connection: sqlite3.Connection, append: Append) -> None:
    """Write one command's events, and what has changed with them. Raises :class:`Conflict`."""
    _insert(connection, _rows([append]))
    _note(connection, append)


def _note(connection: sqlite3.Connection, append: Append) -> None:
    """Write what one command has changed beside the events."""
    table = append.table
    if (index := append.new_index) is not None:
        write_index(connection, table, index)
    for over in append.finished:
        write_game(connection, table, over)
    if append.snapshot is not None:
        write_snapshot(connection, table, append.snapshot)


def _settle(answered: Iterable[tuple[asyncio.Future[Any], Any]]) -> None:
    """Settle futures, on the event loop."""
    for future, answer in answered:
        settle(future, answer)


def _firsts(rows: list[Any]) -> list[str]:
    return [row[0] for row in rows]
