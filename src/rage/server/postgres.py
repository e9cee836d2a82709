"""The store on PostgreSQL, for several servers: everything that arrives during a commit goes into
the next one together, over one connection; a pool of others reads.

The statements are those of the embedded store (:mod:`rage.place.store.statements`).
"""

from __future__ import annotations

import asyncio
import functools
import logging
import random
import re
import secrets
import time
from collections import deque
from collections.abc import Awaitable, Sequence
from importlib.resources import files
from typing import Any, Final, TypeAlias, TypeVar

import asyncpg

from rage.place.codes import table_fingerprint
from rage.place.room.turns import settle
from rage.place.store import Append, Conflict, Recovered, StoreFailed
from rage.place.store.sql import SqlStore
from rage.place.store.statements import (
    Operation,
    Statement,
    Steps,
    remove_tables,
    write_changes,
)
from rage.place.store.writer import is_plain, is_unseen
from rage.say import text

log: Final = logging.getLogger(__name__)
#: The format of the database; whatever changes it must upgrade those of an earlier one.
VERSION: Final = 1
#: The most connections that read.
READERS: Final = 4
#: Seconds for which a lost database is awaited, while everybody waits for their moves.
PATIENCE: Final = 5.0
#: Seconds between two attempts to connect.
RETRY_AFTER: Final = 0.2
#: The most jobs in one commit; more wait for the next.
MAX_JOBS: Final = 1000
#: How often a job is tried that other servers keep from being stored.
MAX_ATTEMPTS: Final = 10
#: The key of the lock under which the tables are made: "rage".
_LOCK: Final = 0x72616765
#: All events of a commit, in one statement.
_INSERT: Final = (
    "INSERT INTO events (table_id, seq, at, data)"
    " SELECT * FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::bytea[])"
)
#: Tables with gaps in their events.
_GAPS: Final = (
    "SELECT table_id, min(seq) FROM events GROUP BY table_id"
    " HAVING max(seq) - min(seq) + 1 <> count(*) OR min(seq) > 1 + coalesce("
    "(SELECT dropped FROM snapshots WHERE snapshots.table_id = events.table_id), 0) LIMIT 20"
)
#: Seconds between two signs of life of a server, and after how many of them without one its tables
#: are anybody's.
BEAT: Final = 1.0
DEAD_AFTER: Final = 5.0
#: The channel on which servers tell each other of tables and sessions.
_CHANNEL: Final = "rage"
#: The clock that counts, in milliseconds: that of the database.
_NOW: Final = "CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)"
#: What servers need beside the tables of the embedded store.
_SERVERS: Final = """
CREATE TABLE servers (server TEXT PRIMARY KEY, seen BIGINT NOT NULL);
CREATE TABLE owners (table_id TEXT PRIMARY KEY, server TEXT NOT NULL);
CREATE INDEX owners_of ON owners (server);
"""
#: Errors of the connection, not of what was asked.
_LOST: Final = (OSError, asyncpg.InterfaceError, asyncpg.PostgresConnectionError, TimeoutError,
                asyncpg.OperatorInterventionError)  # fmt: skip
#: What another server has done at the same time.
_RACES: Final = (
    asyncpg.UniqueViolationError,
    asyncpg.SerializationError,
    asyncpg.DeadlockDetectedError,
)

#: Settings of all connections: names in ``pg_stat_activity``, and an end of waiting.
_SETTINGS: Final[Any] = {
    "timeout": PATIENCE,
    "command_timeout": 30.0,
    "server_settings": {"application_name": "rage"},
}

T = TypeVar("T")
Connection: TypeAlias = "asyncpg.Connection[asyncpg.Record]"
Job = tuple[Append | Operation[Any], "asyncio.Future[Any]"]


class PostgresStore(SqlStore):
    """A store in the PostgreSQL database at ``url``; :func:`postgres_store` opens it.

    One server has a table at a time, so that its people, its bots and its clock are in one place:
    the last one that has claimed it. The others learn that by a notification, and, should it be
    lost, by looking. Nothing depends on it but peace: of two servers that decide at one table, the
    key of its events lets one be first.
    """

    def __init__(self, url: str, readers: asyncpg.Pool[asyncpg.Record]) -> None:
        self.server = secrets.token_hex(8)
        #: The other servers that are alive.
        self._others = (
            f"(SELECT server FROM servers WHERE server <> '{self.server}'"
            f" AND seen > {_NOW} - {int(1000 * DEAD_AFTER)})"
        )
        super().__init__(
            "EXISTS (SELECT 1 FROM owners WHERE owners.table_id = tables.table_id"
            f" AND owners.server IN {self._others})",
            shared=True,
        )
        self._mine: set[str] = set()
        self._url = url
        self._readers = readers
        self._writer: Connection | None = None
        self._jobs: deque[Job] = deque()
        self._bell = asyncio.Event()
        self._ended = False
        self._writing = asyncio.get_running_loop().create_task(self._write_on())
        self._watching = asyncio.get_running_loop().create_task(self._watch())
        self._numbers: dict[str, int] = {}  # of sessions, as far as told
        self._listening = asyncio.Event()

    def append(self, append: Append) -> Awaitable[None]:
        return self._submit(append)

    def _write(self, begin: Operation[T]) -> Awaitable[T]:
        return self._submit(begin)

    def _submit(self, operation: Append | Operation[T]) -> asyncio.Future[Any]:
        future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        if self._ended:
            future.set_exception(StoreFailed("store closed"))
        else:
            self._jobs.append((operation, future))
            self._bell.set()
        return future

    async def _read(self, query: str, *values: object) -> list[Any]:
        patience = _Patience()
        while True:
            try:
                rows: list[Any] = await self._readers.fetch(_dollars(query), *values)
                return rows
            except _LOST as error:
                await patience.wait(error)
            except asyncpg.PostgresError as error:
                raise StoreFailed(str(error)) from error

    # Who has which table.

    async def claim(self, table: str) -> None:
        if (await self._write(lambda: self._claim(table))) is not None:
            self._mine.add(table)

    def _claim(self, table: str) -> Steps[str | None]:
        query = (
            "INSERT INTO owners SELECT table_id, $2 FROM tables WHERE table_id = $1"
            " ON CONFLICT (table_id) DO UPDATE SET server = excluded.server RETURNING table_id"
        )
        before = yield "SELECT server FROM owners WHERE table_id = $1 FOR UPDATE", (table,)
        rows = yield query, (table, self.server)
        if before and before[0][0] != self.server:
            yield _notify("moved", table, self.server)
        return rows[0][0] if rows else None

    async def release(self, table: str) -> None:
        self._mine.discard(table)
        await self._write(lambda: self._release(table))

    def _release(self, table: str) -> Steps[None]:
        yield "DELETE FROM owners WHERE table_id = $1 AND server = $2", (table, self.server)

    async def remove(self, tables: Sequence[str]) -> None:
        await self._write(lambda: self._remove(tables))

    def _remove(self, tables: Sequence[str]) -> Steps[None]:
        """Remove tables that no living server has; one that claims them meanwhile has to wait, and
        finds nothing."""
        query = (
            "INSERT INTO owners SELECT unnest($1::text[]), $2 ON CONFLICT (table_id) DO UPDATE"
            f" SET server = excluded.server WHERE owners.server NOT IN {self._others}"
            " RETURNING table_id"
        )
        free = [row[0] for row in (yield query, (sorted(tables), self.server))]
        yield from remove_tables(free)
        yield "DELETE FROM owners WHERE table_id = ANY($1)", (free,)

    # Sessions, which end at every server.

    async def sessions(self) -> dict[str, int]:
        try:  # what is ended from now on is told
            await asyncio.wait_for(self._listening.wait(), PATIENCE)
        except TimeoutError as error:
            raise StoreFailed(text("store.unreachable", reason="LISTEN")) from error
        return await super().sessions()

    def _tell_ended(self, found: Recovered | None) -> Steps[None]:
        if found is not None and found.number is not None:
            yield _notify("ended", found.person, str(found.number), self.server)

    # The task that watches the other servers.

    async def _watch(self) -> None:
        """Show that this server lives, and learn what the others have done, until the store is
        closed."""
        connection: Connection | None = None
        while True:
            try:
                if connection is None or connection.is_closed():
                    connection = await _connect(self._url)
                    await connection.add_listener(_CHANNEL, self._on_notification)
                    await self._catch_up(connection)
                await self._beat(connection)
                await asyncio.sleep(BEAT)
            except asyncio.CancelledError:
                if connection is not None:
                    connection.terminate()
                raise
            except Exception as error:  # the writer reports it, if anybody wants to write
                log.warning("the database is not reached: %s", error)
                if connection is not None:
                    connection.terminate()
                await asyncio.sleep(RETRY_AFTER)

    async def _beat(self, connection: Connection) -> None:
        """Show that this server lives, measure the clock, and let go what others have claimed."""
        query = (
            f"INSERT INTO servers VALUES ($1, {_NOW}) ON CONFLICT (server)"
            " DO UPDATE SET seen = excluded.seen RETURNING seen"
        )
        before = time.time()
        seen: int = await connection.fetchval(query, self.server)
        self.ahead = seen - int(500 * (before + time.time()))
        query = "SELECT table_id FROM owners WHERE table_id = ANY($1) AND server <> $2"
        for row in await connection.fetch(query, list(self._mine), self.server):
            self._lose(row[0])

    async def _catch_up(self, connection: Connection) -> None:
        """Learn which sessions were ended while nobody listened."""
        numbers = dict(await connection.fetch("SELECT person, number FROM sessions"))
        for person, number in numbers.items():
            if self._numbers.get(person) != number:
                self.on_ended(person, number)
        self._numbers = numbers
        self._listening.set()

    def _on_notification(self, connection: object, pid: int, channel: str, said: object) -> None:
        match str(said).split():
            case ["moved", table, server] if server != self.server:
                self._lose(table)
            case ["ended", person, number, server]:
                self._numbers[person] = int(number)
                if server != self.server:
                    self.on_ended(person, int(number))

    def _lose(self, table: str) -> None:
        if table in self._mine:
            self._mine.discard(table)
            self.on_lost(table)

    async def size(self) -> int:
        rows = await self._read("SELECT pg_database_size(current_database())")
        return int(rows[0][0])

    async def problems(self) -> list[str]:
        rows = await self._read(_GAPS)
        return [
            text("store.unreadable", table=table_fingerprint(table), place=seq)
            for table, seq in rows
        ]

    async def close(self) -> None:
        self._ended = True
        self._bell.set()
        await self._writing
        self._watching.cancel()
        if self._writer is not None:
            await self._writer.close()
        await self._readers.close()

    # The task that writes.

    async def _write_on(self) -> None:
        """Commit everything that has arrived during the last commit, until the store is closed."""
        while True:
            jobs: list[Job] = []
            while self._jobs and len(jobs) < MAX_JOBS:
                jobs.append(self._jobs.popleft())
            if jobs:
                answers = await self._commit([operation for operation, _ in jobs])
                for (_, future), answer in zip(jobs, answers, strict=True):
                    settle(future, answer)
            elif self._ended:
                return
            else:
                self._bell.clear()
                await self._bell.wait()

    async def _commit(self, operations: list[Append | Operation[Any]]) -> list[Any]:
        """The results of all operations, or their errors. It raises nothing, because everything
        later would wait forever."""
        begun = time.perf_counter()
        try:
            answers = await self._do_all(operations)
        except Exception as error:
            if not isinstance(error, StoreFailed):
                log.exception("a commit has failed")
            return [StoreFailed(str(error)) for _ in operations]
        if counted := sum(not is_unseen(operation) for operation in operations):
            self.on_commit(time.perf_counter() - begun, counted)
        return answers

    async def _do_all(self, operations: list[Append | Operation[Any]]) -> list[Any]:
        """The results of all operations: done together, or, if one of them fails, one by one; and
        again while the database cannot be reached. Raises :class:`StoreFailed`."""
        patience, in_doubt = _Patience(), False
        while True:
            connection = None
            try:
                connection = self._writer = self._writer or await _connect(self._url)
                try:
                    return await _do_at_once(connection, operations)
                except Exception:
                    if connection.is_closed():
                        raise
                    return [await _do_alone(connection, each, in_doubt) for each in operations]
            except _LOST as error:
                if connection is not None:
                    connection.terminate()
                    in_doubt = True
                self._writer = None
                await patience.wait(error)


class _Patience:
    """Waits for a lost database, but not forever."""

    def __init__(self) -> None:
        self._until = time.monotonic() + PATIENCE

    async def wait(self, error: BaseException) -> None:
        """Wait a little, or raise :class:`StoreFailed`."""
        if time.monotonic() > self._until:
            raise StoreFailed(text("store.unreachable", reason=str(error))) from error
        await asyncio.sleep(RETRY_AFTER)


async def postgres_store(url: str) -> PostgresStore:
    """The store in the PostgreSQL database at ``url``, whose tables are made if needed. Raises
    :class:`StoreFailed`."""
    try:
        connection = await _connect(url)
        try:
            await _prepare(connection)
        finally:
            await connection.close()
        readers = await asyncpg.create_pool(url, min_size=0, max_size=READERS, **_SETTINGS)
    except (*_LOST, asyncpg.PostgresError, ValueError) as error:
        raise StoreFailed(text("store.unreachable", reason=str(error))) from error
    return PostgresStore(url, readers)


async def _connect(url: str) -> Connection:
    return await asyncpg.connect(url, **_SETTINGS)


async def _prepare(connection: Connection) -> None:
    """Create the tables of an empty database. Raises :class:`StoreFailed` for one of another
    version, and leaves it as it is."""
    async with connection.transaction():
        await connection.execute("SELECT pg_advisory_xact_lock($1)", _LOCK)
        if await connection.fetchval("SELECT to_regclass('rage_version')") is None:
            await connection.execute(_schema())
        version = await connection.fetchval("SELECT number FROM rage_version")
        if version != VERSION:
            raise StoreFailed(text("store.other_version", file="PostgreSQL", version=version))


def _schema() -> str:
    """The tables of the embedded store, in PostgreSQL's types."""
    script = files("rage.place.store").joinpath("schema.sql").read_text("utf-8")
    for ours, theirs in (
        (" WITHOUT ROWID", ""),
        ("number INTEGER PRIMARY KEY", "number BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY"),
        ("INTEGER", "BIGINT"),
        ("BLOB", "BYTEA"),
    ):
        script = script.replace(ours, theirs)
    return f"{script}{_SERVERS}CREATE TABLE rage_version AS SELECT {VERSION} AS number;"


async def _do_at_once(
    connection: Connection, operations: list[Append | Operation[Any]]
) -> list[Any]:
    """The results of all operations, with the events of all appends written together. If there is
    nothing else, that is one statement, which is a transaction by itself."""
    appends = [operation for operation in operations if isinstance(operation, Append)]
    if len(appends) == len(operations) and all(map(is_plain, appends)):
        await _insert(connection, appends)
        return [None] * len(operations)
    async with connection.transaction():
        await _insert(connection, appends)
        return [await _run(connection, _steps(operation)) for operation in operations]


async def _do_alone(
    connection: Connection, operation: Append | Operation[Any], in_doubt: bool
) -> Any:
    """The result of an operation in a transaction of its own, or its error; ``in_doubt``: it may
    have been committed before. Raises an error if the connection is lost."""
    for attempt in range(1, MAX_ATTEMPTS + 1):
        try:
            async with connection.transaction():
                if isinstance(operation, Append):
                    try:
                        await _insert(connection, [operation])
                    except asyncpg.UniqueViolationError:
                        raise Conflict from None
                return await _run(connection, _steps(operation))
        except Conflict as error:
            return None if in_doubt and await _is_stored(connection, operation) else error
        except Exception as error:
            if connection.is_closed():
                raise
            if not isinstance(error, _RACES) or attempt == MAX_ATTEMPTS:
                return StoreFailed(str(error))
            await asyncio.sleep(attempt * random.uniform(0, 0.01))
    raise AssertionError


async def _is_stored(connection: Connection, append: Append | Operation[Any]) -> bool:
    """Whether an append is stored already."""
    if not isinstance(append, Append) or not append.rows:
        return False
    query = "SELECT seq, at, data FROM events WHERE table_id = $1 AND seq BETWEEN $2 AND $3"
    values = append.table, append.rows[0].seq, append.rows[-1].seq
    stored = await connection.fetch(f"{query} ORDER BY seq", *values)
    return [tuple(row) for row in stored] == [tuple(row) for row in append.rows]


async def _insert(connection: Connection, appends: list[Append]) -> None:
    """Write the events of appends, in the order of their keys, so that two servers never wait for
    each other."""
    rows = sorted((append.table, *row) for append in appends for row in append.rows)
    if rows:
        await connection.execute(_INSERT, *map(list, zip(*rows, strict=True)))


def _notify(*words: str) -> Statement:
    """Tell the other servers something, once this is committed."""
    return "SELECT pg_notify($1, $2)", (_CHANNEL, " ".join(words))


def _steps(operation: Append | Operation[Any]) -> Steps[Any]:
    return write_changes(operation) if isinstance(operation, Append) else operation()


async def _run(connection: Connection, steps: Steps[T]) -> T:
    """The result of a transaction, all of whose statements are executed."""
    try:
        query, values = next(steps)
        while True:
            query, values = steps.send(await connection.fetch(_dollars(query), *values))
    except StopIteration as end:
        result: T = end.value
        return result


@functools.cache
def _dollars(query: str) -> str:
    """A statement with PostgreSQL's parameters."""
    return re.sub(r"\?(\d)", r"$\1", query)
