"""The embedded store: one SQLite file, one thread that writes, many appends in one commit.

A commit with ``synchronous=FULL`` waits for the disk, and costs the same for one event as for a
hundred. So whatever has arrived while the last commit was under way goes into the next one.
"""

from __future__ import annotations

import asyncio
import contextlib
import queue
import sqlite3
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from importlib.resources import files
from pathlib import Path
from typing import Any, Final, TypeVar

from rage.say import text
from rage.server.asked import settle
from rage.server.store import Append, Finished, Line, StoreFailed, Taken

VERSION: Final = 1
#: How many appends one commit takes at most; more wait for the next.
MOST: Final = 1000
#: How many events one statement writes at most: a power of two. There is one for each power.
MOST_ROWS: Final = 128
_INSERTS: Final = [
    f"INSERT INTO events SELECT * FROM (VALUES {', '.join(['(?, ?, ?, ?)'] * (1 << power))})"
    " WHERE column1 IS NOT NULL"
    for power in range(MOST_ROWS.bit_length())
]
#: After how many pages of the log they are carried over to the file. Most are written again and
#: again, as the same tables play on; each is carried once.
CHECKPOINT: Final = 4000
T = TypeVar("T")
Work = Append | Callable[[sqlite3.Connection], Any]
Job = tuple[Work, "asyncio.Future[Any]"]


class SqliteStore:
    """A store in the file ``path``, which is made where it is not there. Raises
    :class:`StoreFailed` where it cannot be used."""

    def __init__(self, path: Path) -> None:
        self._jobs: deque[Job] = deque()
        self._bell: queue.SimpleQueue[None] = queue.SimpleQueue()
        self._awake = self._ended = False
        self._reader = ThreadPoolExecutor(1, "rage-read")
        self.commit_seconds: Callable[[float, int], None] = lambda seconds, appends: None
        try:
            self._writing = _connect(path)
            _upgrade(self._writing, path)
            self._reading = _connect(path)
        except sqlite3.Error as error:
            raise StoreFailed(f"{path}: {error}") from error
        self._loop = asyncio.get_running_loop()
        self._writer = threading.Thread(target=self._write_on, name="rage-write", daemon=True)
        self._writer.start()

    # Writing.

    def _write(self, work: Append | Callable[[sqlite3.Connection], T]) -> asyncio.Future[T]:
        future: asyncio.Future[T] = self._loop.create_future()
        self._jobs.append((work, future))
        if not self._awake:
            self._awake = True
            self._bell.put(None)
        return future

    def _write_on(self) -> None:
        """What the writing thread does until it is told to end: take all that has come while it
        was writing, and sleep when nothing has."""
        while True:
            jobs: list[Job] = []
            while self._jobs and len(jobs) < MOST:
                jobs.append(self._jobs.popleft())
            if jobs:
                self._loop.call_soon_threadsafe(_settle, self._commit(jobs))
                continue
            if self._ended:
                break
            self._awake = False
            if not self._jobs and not self._ended:  # not where somebody thought it still awake
                self._bell.get()
        self._writing.close()

    def _commit(self, jobs: list[Job]) -> list[tuple[asyncio.Future[Any], Any]]:
        """Do all jobs in one transaction: at once, or, where one of them cannot be done, one by
        one. Where the file itself fails, all have failed."""
        begun = time.perf_counter()
        works = [work for work, _ in jobs]
        try:
            try:
                answers = self._do_at_once(works)
            except Exception as error:
                _check(error)
                answers = self._transact(_do_one_by_one, works)
        except sqlite3.Error as error:
            return [(future, StoreFailed(str(error))) for _, future in jobs]
        self.commit_seconds(time.perf_counter() - begun, len(jobs))
        return list(zip([future for _, future in jobs], answers, strict=True))

    def _do_at_once(self, works: list[Work]) -> list[Any]:
        """The answers of all works, the events of all appends written in one go. Where that is
        all, one statement does it, which is a transaction of its own: after each the event loop
        has to be waited for."""
        rows = _rows(work for work in works if isinstance(work, Append))
        if len(rows) <= MOST_ROWS and all(_is_plain(work) for work in works):
            _insert(self._writing, rows)
            return [None] * len(works)

        def do(connection: sqlite3.Connection, works: list[Work]) -> list[Any]:
            _insert(connection, rows)
            return [_do(connection, work, _note) for work in works]

        return self._transact(do, works)

    def _transact(self, do: Callable[..., list[Any]], works: list[Work]) -> list[Any]:
        """The answers of all works once they are durable; on any error nothing of them is left."""
        connection = self._writing
        connection.execute("BEGIN IMMEDIATE")
        try:
            answers = do(connection, works)
            connection.execute("COMMIT")
        except BaseException:
            with contextlib.suppress(sqlite3.Error):  # a disk that is gone refuses this, too
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
            raise
        return answers

    def append(self, append: Append) -> asyncio.Future[None]:
        """See :class:`rage.server.store.Store`."""
        return self._write(append)

    async def setting(self, name: str, value: bytes) -> bytes:
        """See :class:`rage.server.store.Store`."""

        def keep(connection: sqlite3.Connection) -> bytes:
            connection.execute("INSERT OR IGNORE INTO settings VALUES (?, ?)", (name, value))
            query = "SELECT value FROM settings WHERE name = ?"
            kept: bytes = connection.execute(query, (name,)).fetchone()[0]
            return kept

        return await self._write(keep)

    async def spend(self, token: bytes, until: int) -> bool:
        """See :class:`rage.server.store.Store`."""

        def use(connection: sqlite3.Connection) -> bool:
            connection.execute("DELETE FROM tokens WHERE until < ?", (time.time() * 1000,))
            query = "INSERT OR IGNORE INTO tokens VALUES (?, ?)"
            return connection.execute(query, (token, until)).rowcount == 1

        return await self._write(use)

    async def rename(self, person: str, name: str) -> None:
        """See :class:`rage.server.store.Store`."""
        query = "INSERT OR REPLACE INTO names VALUES (?, ?)"
        await self._write(lambda connection: connection.execute(query, (person, name)))

    # Reading.

    async def _read(self, query: str, *values: object) -> list[Any]:
        def ask() -> list[Any]:
            try:
                return self._reading.execute(query, values).fetchall()
            except sqlite3.Error as error:
                raise StoreFailed(str(error)) from error

        return await self._loop.run_in_executor(self._reader, ask)

    async def events(self, table: str, after: int = 0) -> list[bytes]:
        """See :class:`rage.server.store.Store`."""
        query = "SELECT data FROM events WHERE table_id = ? AND seq > ? ORDER BY seq"
        return [row[0] for row in await self._read(query, table, after)]

    async def tables_of(self, person: str, most: int) -> list[str]:
        """See :class:`rage.server.store.Store`."""
        query = (
            "SELECT table_id FROM people JOIN tables USING (table_id)"
            " WHERE person = ? ORDER BY used DESC LIMIT ?"
        )
        return _firsts(await self._read(query, person, most))

    async def open_tables(self, most: int) -> list[str]:
        """See :class:`rage.server.store.Store`."""
        query = (
            "SELECT table_id FROM tables WHERE open = 1 AND phase <> 'over'"
            " ORDER BY used DESC LIMIT ?"
        )
        return _firsts(await self._read(query, most))

    async def due(self, now: int, most: int) -> list[str]:
        """See :class:`rage.server.store.Store`."""
        query = "SELECT table_id FROM tables WHERE due_at <= ? ORDER BY due_at LIMIT ?"
        return _firsts(await self._read(query, now, most))

    async def games_of(self, person: str, most: int) -> list[Line]:
        """See :class:`rage.server.store.Store`."""
        query = (
            "SELECT table_id, game, seq, ended, line, seat FROM players"
            " JOIN games USING (table_id, game) WHERE person = ? ORDER BY ended DESC LIMIT ?"
        )
        rows = await self._read(query, person, most)
        return [_line(row) for row in rows]

    async def finished(self, table: str, game: int) -> Finished | None:
        """See :class:`rage.server.store.Store`."""
        query = "SELECT game, seq, ended, line FROM games WHERE table_id = ? AND game = ?"
        rows = await self._read(query, table, game)
        if not rows:
            return None
        query = "SELECT person, seat FROM players WHERE table_id = ? AND game = ?"
        seats = dict(await self._read(query, table, game))
        game_number, seq, ended, line = rows[0]
        return Finished(game_number, seq, ended, line, seats)

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


def _connect(path: Path) -> sqlite3.Connection:
    path.parent.mkdir(parents=True, exist_ok=True)
    connection = sqlite3.connect(
        path, timeout=5, isolation_level=None, check_same_thread=False, cached_statements=64
    )
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute(f"PRAGMA wal_autocheckpoint = {CHECKPOINT}")
    return connection


def _upgrade(connection: sqlite3.Connection, path: Path) -> None:
    """Make the tables of a new file. A file of a later version is left alone."""
    connection.execute("BEGIN IMMEDIATE")
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if version > VERSION:
        connection.execute("ROLLBACK")
        raise StoreFailed(text("store.newer", file=str(path), version=version))
    if version == 0:
        script = files("rage.server").joinpath("schema.sql").read_text("utf-8")
        for statement in script.split(";\n"):
            connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {VERSION}")
    connection.execute("COMMIT")


def _do_one_by_one(connection: sqlite3.Connection, works: list[Work]) -> list[Any]:
    """The answer of each job, or its error, after which nothing of it is left. Raises
    ``sqlite3.Error`` where the file has failed, not the job."""
    answers: list[Any] = []
    for work in works:
        connection.execute("SAVEPOINT job")
        try:
            answers.append(_do(connection, work, _append))
        except Exception as error:  # whatever it is, it must not end the thread that writes
            _check(error)
            connection.execute("ROLLBACK TO job")
            answers.append(error)
        connection.execute("RELEASE job")
    return answers


def _do(
    connection: sqlite3.Connection, work: Work, how: Callable[[sqlite3.Connection, Append], None]
) -> Any:
    """The answer of a job; ``how`` an append is done."""
    if isinstance(work, Append):
        how(connection, work)
        return None
    return work(connection)


def _check(error: Exception) -> None:
    """Raises an error itself where the file has failed."""
    if isinstance(error, sqlite3.Error) and not isinstance(error, sqlite3.IntegrityError):
        raise error


def _is_plain(work: Work) -> bool:
    """Whether all there is to do are events."""
    return isinstance(work, Append) and work.about is None and work.finished is None


def _rows(appends: Iterable[Append]) -> list[tuple[str, int, int, bytes]]:
    return [(append.table, *row) for append in appends for row in append.rows]


def _insert(connection: sqlite3.Connection, rows: list[tuple[str, int, int, bytes]]) -> None:
    """Write events, many with each statement. Raises :class:`Taken` where there is one of such a
    number."""
    try:
        for start in range(0, len(rows), MOST_ROWS):
            some = rows[start : start + MOST_ROWS]
            power = (len(some) - 1).bit_length()
            values: list[object] = [value for row in some for value in row]
            values += [None] * (4 * (1 << power) - len(values))
            connection.execute(_INSERTS[power], values)
    except sqlite3.IntegrityError:
        raise Taken from None


def _append(connection: sqlite3.Connection, append: Append) -> None:
    """One command's events and what has changed in the index. Raises :class:`Taken`."""
    _insert(connection, _rows([append]))
    _note(connection, append)


def _note(connection: sqlite3.Connection, append: Append) -> None:
    """What one command has changed in the index."""
    table = append.table
    if (index := append.about) is not None:
        connection.execute(
            "INSERT OR REPLACE INTO tables VALUES (?, ?, ?, ?, ?)",
            (table, index.phase, index.open, index.due_at, index.used),
        )
        connection.execute("DELETE FROM people WHERE table_id = ?", (table,))
        people = [(person, table) for person in index.people]
        connection.executemany("INSERT INTO people VALUES (?, ?)", people)
    if (over := append.finished) is not None:
        game = (table, over.game, over.seq, over.ended, over.line)
        connection.execute("INSERT OR REPLACE INTO games VALUES (?, ?, ?, ?, ?)", game)
        players = [(person, table, over.game, seat) for person, seat in over.seats.items()]
        connection.executemany("INSERT OR REPLACE INTO players VALUES (?, ?, ?, ?)", players)


def _settle(answered: Iterable[tuple[asyncio.Future[Any], Any]]) -> None:
    """Tell who waits, on the event loop."""
    for future, answer in answered:
        settle(future, answer)


def _firsts(rows: list[Any]) -> list[str]:
    return [row[0] for row in rows]


def _line(row: tuple[Any, ...]) -> Line:
    table, game, seq, ended, line, seat = row
    return Line(table, Finished(game, seq, ended, line, {}), seat)
