"""The writing side of the store on PostgreSQL: many appends in one commit, over a connection that
is reopened when it is lost.

Everything that arrives during a commit goes into the next one together. Nothing is written for a
table that another server has claimed, nor any event without its predecessor, which the database
may have lost. If the answer to a commit is lost, the database is asked for something that only this
commit wrote, so that it happens just once.
"""

from __future__ import annotations

import asyncio
import functools
import itertools
import logging
import random
import re
import time
from collections import deque
from collections.abc import Callable
from typing import Any, Final, TypeAlias, TypeVar

import asyncpg

from rage.house.store import Append, Conflict, Elsewhere, StoreFailed
from rage.house.store.checking import checksum
from rage.house.store.transactions import Operation, Steps, write_changes
from rage.house.store.writer import is_plain, is_unseen
from rage.house.tables.turns import settle
from rage.server.postgres.connection import LOST, Connection, Patience, Unreachable, connect

log: Final = logging.getLogger(__name__)
#: The most jobs in one commit; more wait for the next.
MAX_JOBS: Final = 1000
#: The most attempts at a job that conflicts with other servers.
MAX_ATTEMPTS: Final = 10
#: The errors of a conflict with another server.
_RACES: Final = (
    asyncpg.UniqueViolationError,
    asyncpg.SerializationError,
    asyncpg.DeadlockDetectedError,
)
#: Insert all events of a commit in one statement. It fails with a NULL ``seq`` if another server
#: has one of the tables, and with a NULL ``at`` if neither the event before (``prior``; NULL for
#: the first of a table, or if it is in the same commit) nor a snapshot taken there is stored. It
#: holds the lock of this server until the commit is over.
_INSERT: Final = (
    "WITH held AS MATERIALIZED (SELECT pg_advisory_xact_lock_shared($6))"
    " INSERT INTO events (table_id, seq, at, data, crc)"
    " SELECT table_id, CASE WHEN coalesce((SELECT server FROM owners"
    " WHERE owners.table_id = new.table_id), $7) = $7 THEN seq END,"
    " CASE WHEN prior IS NULL OR 1 = coalesce("  # not EXISTS, for which the planner may read all
    "(SELECT 1 FROM events WHERE events.table_id = new.table_id AND events.seq = prior),"
    " (SELECT 1 FROM snapshots WHERE snapshots.table_id = new.table_id AND snapshots.seq = prior)"
    ") THEN at END, data, crc FROM held,"
    " unnest($1::text[], $2::bigint[], $3::bigint[], $4::bytea[], $5::bigint[], $8::bigint[])"
    " AS new (table_id, seq, at, data, prior, crc)"
)
#: Count how many of the events are stored.
_COUNT: Final = (
    "SELECT count(*) FROM events JOIN unnest($1::text[], $2::bigint[], $3::bigint[], $4::bytea[])"
    " AS new (table_id, seq, at, data) USING (table_id, seq, at, data)"
)
_ELSEWHERE: Final = "SELECT 1 FROM owners WHERE table_id = $1 AND server <> $2"
#: Note the number of a commit, which shows later whether it has happened: a transaction ID would
#: not do, because PostgreSQL may reuse it after a crash. This takes the lock of this server before
#: later statements look at which server has which table.
_NOTE: Final = (
    "INSERT INTO commits SELECT $1, $2, CAST(extract(epoch FROM clock_timestamp()) AS BIGINT)"
    " FROM pg_advisory_xact_lock_shared($3)"
    " ON CONFLICT (server) DO UPDATE SET number = excluded.number, at = excluded.at"
)
_NOTED: Final = "SELECT 1 FROM commits WHERE server = $1 AND number = $2"
#: Wait until a server has finished its commit.
AWAIT_COMMIT: Final = "SELECT pg_advisory_xact_lock($1)"
T = TypeVar("T")
Writing: TypeAlias = Append | Operation[Any]


def lock_of(server: str) -> int:
    """The key of the lock that a server holds while it commits."""
    return int(server, 16) >> 1


class PostgresWriter:
    """Writes for a ``server`` to the database at ``url``. ``on_commit`` is called for each commit
    with the seconds it took and its number of jobs, ``on_lost`` with a table that another server
    has, ``on_doubt`` when the database is reached again, possibly in another state."""

    def __init__(
        self,
        url: str,
        server: str,
        on_commit: Callable[[float, int], None],
        on_lost: Callable[[str], None],
        on_doubt: Callable[[], None],
    ) -> None:
        self._url = url
        self._server = server
        self._on_commit = on_commit
        self._on_lost = on_lost
        self._on_doubt = on_doubt
        self._reached = False
        self._connection: Connection | None = None
        self._jobs: deque[tuple[Writing, asyncio.Future[Any]]] = deque()
        self._bell = asyncio.Event()
        self._ended = False
        #: How many times operations were retried.
        self.retried = 0
        self._numbers = itertools.count(1)  # of commits
        self._writing = asyncio.get_running_loop().create_task(self._write_on())

    def submit(self, operation: Append | Operation[T]) -> asyncio.Future[Any]:
        """Queue an operation; its result is ready once durable. Raises :class:`StoreFailed`."""
        future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        if self._ended:
            future.set_exception(StoreFailed("store closed"))
        else:
            self._jobs.append((operation, future))
            self._bell.set()
        return future

    @property
    def waiting(self) -> int:
        """How many operations wait to be written."""
        return len(self._jobs)

    async def close(self) -> None:
        """Write all accepted operations, close the connection, and accept no more."""
        self._ended = True
        self._bell.set()
        await self._writing
        if self._connection is not None:
            await self._connection.close()

    async def _write_on(self) -> None:
        """Commit everything that arrived during the last commit, until the store is closed."""
        while True:
            jobs = [self._jobs.popleft() for _ in range(min(len(self._jobs), MAX_JOBS))]
            if jobs:
                answers = await self._commit([operation for operation, _ in jobs])
                for (_, future), answer in zip(jobs, answers, strict=True):
                    settle(future, answer)
            elif self._ended:
                return
            else:
                self._bell.clear()
                await self._bell.wait()

    async def _commit(self, operations: list[Writing]) -> list[Any]:
        """The results of all operations, or their errors. Raises nothing: all later operations
        would wait forever."""
        begun = time.perf_counter()
        try:
            answers = await self._do_all(operations)
        except Exception as error:
            log.exception("a commit has failed")
            return [StoreFailed(error) for _ in operations]
        try:
            if counted := sum(not is_unseen(operation) for operation in operations):
                self._on_commit(time.perf_counter() - begun, counted)
        except Exception:
            log.exception("a commit was not counted")
        return answers

    async def _do_all(self, operations: list[Writing]) -> list[Any]:
        """The results of all operations, or their errors: done together, or, if one of them fails,
        one by one."""
        patience = Patience(self._url)
        try:
            return await self._do_at_once(operations, patience)
        except Unreachable as error:
            return [error for _ in operations]
        except Exception:
            answers: list[Any] = []
            for operation in operations:
                if answers and isinstance(answers[-1], Unreachable):
                    answers.append(answers[-1])
                else:
                    answers.append(await self._do_alone(operation, patience))
            return answers

    async def _do_alone(self, operation: Writing, patience: Patience) -> Any:
        """The result of an operation in a transaction of its own, or its error."""
        for attempt in range(1, MAX_ATTEMPTS + 1):
            try:
                return (await self._do_at_once([operation], patience))[0]
            except (Conflict, StoreFailed) as error:
                if isinstance(error, Elsewhere) and isinstance(operation, Append):
                    self._on_lost(operation.table)
                return error
            except Exception as error:
                if not isinstance(error, _RACES) or attempt == MAX_ATTEMPTS:
                    return StoreFailed(error)
                self.retried += 1
                await asyncio.sleep(attempt * random.uniform(0, 0.01))
        raise AssertionError

    async def _do_at_once(self, operations: list[Writing], patience: Patience) -> list[Any]:
        """Do all operations in one transaction, retrying while the database cannot be reached, and
        return their results. Raises the error of any of them, in which case nothing has happened,
        and :class:`Unreachable`."""
        commit = Commit(self._server, operations, next(self._numbers))
        while True:
            connection = self._connection
            try:
                if connection is None:
                    connection = self._connection = await connect(self._url)
                    if self._reached:
                        self._on_doubt()
                    self._reached = True
                if not await commit.has_happened(connection):
                    await commit.do(connection)
                return commit.answers
            except Exception as error:
                if connection is not None:
                    if not isinstance(error, LOST) and not connection.is_closed():
                        raise
                    connection.terminate()
                self._connection = None
                self.retried += 1
                await patience.wait(error)


class Commit:
    """Operations of a server that are done in one transaction, under a ``number`` unique to the
    server."""

    def __init__(self, server: str, operations: list[Writing], number: int) -> None:
        self.answers: list[Any] = [None] * len(operations)
        self._server = server
        self._number = number
        self._lock = lock_of(server)
        self._operations = operations
        appends = [operation for operation in operations if isinstance(operation, Append)]
        # Sorted to prevent deadlocks between two servers.
        self._rows = sorted((append.table, *row) for append in appends for row in append.rows)
        self._is_plain = bool(self._rows) and all(map(is_plain, operations))
        self._awaited = False  # whether the database still owes an answer

    async def do(self, connection: Connection) -> None:
        """Do all operations. Mere events take a single statement, which is its own transaction."""
        if self._is_plain:
            self._awaited = True
            await self._insert(connection)
            return
        async with connection.transaction():
            await connection.execute(_NOTE, self._server, self._number, self._lock)
            await self._insert(connection)
            self.answers = [await self._run(connection, each) for each in self._operations]
            self._awaited = True

    async def has_happened(self, connection: Connection) -> bool:
        """Return whether an earlier connection, lost before it could answer, did the operations."""
        if not self._awaited:
            return False
        await connection.execute(AWAIT_COMMIT, self._lock)  # by then it has ended, either way
        if self._is_plain:
            found: int = await connection.fetchval(_COUNT, *self._columns)
            done = found == len(self._rows)
        else:
            done = await connection.fetchval(_NOTED, self._server, self._number) is not None
        self._awaited = False
        return done

    @property
    def _columns(self) -> list[list[Any]]:
        return [list(column) for column in zip(*self._rows, strict=True)]

    @property
    def _prior(self) -> list[int | None]:
        """For each event, the number of the event that must be stored before it."""
        found, before = list[int | None](), ("", 0)
        for table, seq, *_ in self._rows:
            found.append(None if seq == 1 or before == (table, seq - 1) else seq - 1)
            before = (table, seq)
        return found

    async def _insert(self, connection: Connection) -> None:
        """Write the events of appends. Raises :class:`Conflict` and :class:`Elsewhere`."""
        if not self._rows:
            return
        sums = [checksum("events", *row) for row in self._rows]
        values = *self._columns, self._prior, self._lock, self._server, sums
        try:
            await connection.execute(_INSERT, *values)
        except asyncpg.UniqueViolationError:
            raise Conflict from None
        except asyncpg.NotNullViolationError as error:
            if error.column_name == "at":
                raise Conflict from None
            raise Elsewhere("table moved") from None

    async def _run(self, connection: Connection, operation: Writing) -> Any:
        """Execute an operation, except the events of an append, and return its result. Raises
        :class:`Elsewhere`."""
        steps: Steps[Any]
        if isinstance(operation, Append):
            asked = operation.table, self._server
            if not operation.rows and await connection.fetchval(_ELSEWHERE, *asked):
                raise Elsewhere("table moved")
            steps = write_changes(operation)
        else:
            steps = operation()
        return await run(connection, steps)


async def run(connection: Connection, steps: Steps[T]) -> T:
    """Execute the statements of a transaction, and return its result."""
    try:
        query, values = next(steps)
        while True:
            query, values = steps.send(await connection.fetch(dollars(query), *values))
    except StopIteration as end:
        result: T = end.value
        return result


@functools.cache
def dollars(query: str) -> str:
    """A statement with its parameters as PostgreSQL writes them."""
    return re.sub(r"\?(\d)", r"$\1", query)
