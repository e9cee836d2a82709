"""The store on PostgreSQL, which several servers share: which of them has which table, and what
they tell each other. One connection writes (:mod:`rage.server.postgres.writer`), one listens, and
a pool of others reads.

It shares its statements with the embedded store (:mod:`rage.house.store.transactions`).
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final, TypeVar

import asyncpg

from rage.house.limits import FOREVER
from rage.house.store import Append, Pressure, StoreFailed
from rage.house.store.checking import sealed
from rage.house.store.sql import Store
from rage.house.store.transactions import Operation, Statement, Steps, remove_tables, summarize
from rage.say import Reason
from rage.server.postgres.connection import (
    LOST,
    PATIENCE,
    RETRY_AFTER,
    SCAN_TIMEOUT,
    SETTINGS,
    Connection,
    Patience,
    check_session,
    connect,
    primary,
    reason,
    set_up,
    unreachable,
)
from rage.server.postgres.schema import NOW, prepare
from rage.server.postgres.writer import AWAIT_COMMIT, PostgresWriter, dollars, lock_of, run

log: Final = logging.getLogger(__name__)
#: The most connections that read.
READERS: Final = 4
#: Seconds between two signs of life of a server, and without one until its tables are up for grabs.
BEAT: Final = 1.0
DEAD_AFTER: Final = 5.0
#: The key of the lock of the server that checks the database: "look".
CHECK_LOCK: Final = 0x6C6F6F6B
#: Seconds until a starting server checks the whole database again, and the setting that stores when
#: it was last found sound (milliseconds).
CHECK_INTERVAL: Final = 86_400
_CHECKED: Final = "checked"
#: The channel on which servers tell each other of tables and sessions.
_CHANNEL: Final = "rage"
#: See :attr:`rage.house.store.queries.StoreReader.contains`.
CONTAINS: Final = "position(CAST(?{1} AS bytea) in {0}) > 0"
#: The condition for a server that lives.
ALIVE: Final = f"seen > {NOW} - {int(1000 * DEAD_AFTER)}"
_END_AGAIN: Final = (
    "INSERT INTO sessions (person, number, crc) VALUES ($1, $2, $3) ON CONFLICT (person)"
    " DO UPDATE SET number = excluded.number, crc = excluded.crc"
    " WHERE sessions.number < excluded.number"
)
T = TypeVar("T")


class PostgresStore(Store):
    """A store in the PostgreSQL database at ``url``; :func:`postgres_store` opens it.

    One server at a time has a table, so that its people, its bots and its clock are in one place:
    the last server to claim it. The others learn of this by a notification or, if that is lost, by
    polling; until then nothing they write for the table is stored. If two servers decide at one
    table all the same, the key of its events lets only one win.
    """

    def __init__(
        self,
        url: str,
        readers: asyncpg.Pool[asyncpg.Record],
        *,
        serves: bool = True,
        name: str = "",
    ) -> None:
        self.server = secrets.token_hex(8)
        self._name = name
        #: The other servers that are alive.
        self._others = f"(SELECT server FROM servers WHERE server <> '{self.server}' AND {ALIVE})"
        super().__init__(
            "EXISTS (SELECT 1 FROM owners WHERE owners.table_id = tables.table_id"
            f" AND owners.server IN {self._others})",
            shared=True,
        )
        self.contains = CONTAINS
        self._mine: set[str] = set()
        self._url = url
        self._readers = readers
        self._writer = PostgresWriter(
            url,
            self.server,
            lambda *what: self.on_commit(*what),
            self._lose,
            lambda: self.on_doubt(None),
        )
        watching = self._watch() if serves else asyncio.sleep(0)
        self._watching = asyncio.get_running_loop().create_task(watching)
        self._numbers: dict[str, int] = {}  # known session numbers, by person
        self._listening = asyncio.Event()
        self._seen: int | None = None  # the last stored sign of life

    @property
    def pressure(self) -> Pressure:
        return Pressure(self._writer.waiting, self._writer.retried)

    def append(self, append: Append) -> Awaitable[None]:
        return self._writer.submit(append)

    def _write(self, begin: Operation[T]) -> Awaitable[T]:
        return self._writer.submit(begin)

    async def _read(self, query: str, *values: object) -> list[Any]:
        return await self._fetch(query, values)

    async def _scan(self, query: str, *values: object) -> list[Any]:
        return await self._fetch(query, values, SCAN_TIMEOUT)

    async def _fetch(
        self, query: str, values: Sequence[object], timeout: float | None = None
    ) -> list[Any]:
        patience = Patience(self._url)
        while True:
            try:
                rows: list[Any] = await self._readers.fetch(
                    dollars(query), *values, timeout=timeout
                )
                return rows
            except LOST as error:
                await patience.wait(error)
            except asyncpg.PostgresError as error:
                raise StoreFailed(error) from error

    # Which server has which table.

    async def claim(self, table: str) -> None:
        before, exists = await self._write(lambda: self._claim(table))
        if exists:
            self._mine.add(table)
        if before not in (None, self.server):  # its commit under way must be read
            await self._read(AWAIT_COMMIT, lock_of(before))
            # Look again later, in case a commit began just before it took the lock.
            asyncio.get_running_loop().call_later(BEAT, self._doubt, table)

    def _doubt(self, table: str) -> None:
        if table in self._mine:
            self.on_doubt(table)

    def _claim(self, table: str) -> Steps[tuple[str | None, bool]]:
        """Claim a table. Returns the server that had it, and whether the table exists."""
        query = (
            "INSERT INTO owners SELECT table_id, $2 FROM tables WHERE table_id = $1"
            " ON CONFLICT (table_id) DO UPDATE SET server = excluded.server RETURNING table_id"
        )
        rows = yield "SELECT server FROM owners WHERE table_id = $1 FOR UPDATE", (table,)
        before: str | None = rows[0][0] if rows else None
        exists = bool((yield query, (table, self.server)))
        if before not in (None, self.server):
            yield _notify("moved", table, self.server)
        return before, exists

    async def release(self, table: str) -> None:
        self._mine.discard(table)
        await self._write(lambda: self._release(table))

    def _release(self, table: str) -> Steps[None]:
        yield "DELETE FROM owners WHERE table_id = $1 AND server = $2", (table, self.server)

    async def remove(self, tables: Sequence[str]) -> None:
        await self._remove_beside(lambda: self._remove(tables))

    async def _remove_beside(self, begin: Operation[T]) -> T:
        """Run a transaction over a connection of its own, so that no move waits."""
        try:
            async with self._readers.acquire() as connection, connection.transaction():
                return await run(connection, begin())
        except (*LOST, asyncpg.PostgresError) as error:
            raise StoreFailed(error) from error

    def _remove(self, tables: Sequence[str]) -> Steps[None]:
        """Remove tables that no other living server has; a server that claims one meanwhile has to
        wait, and finds nothing."""
        query = (
            "INSERT INTO owners SELECT unnest($1::text[]), $2 ON CONFLICT (table_id) DO UPDATE"
            f" SET server = excluded.server WHERE owners.server NOT IN {self._others}"
            " RETURNING table_id"
        )
        free = [row[0] for row in (yield query, (sorted(tables), self.server))]
        yield from remove_tables(free)
        yield "DELETE FROM owners WHERE table_id = ANY($1)", (free,)

    async def summarize(self, table: str, seq: int, summary: bytes) -> None:
        for query, values in summarize(table, seq, summary):
            await self._read(query, *values)  # apart from the commits: no one waits for it

    # Sessions, which end at all servers at once.

    async def sessions(self) -> dict[str, int]:
        try:  # once listening, this server is told of later ends
            await asyncio.wait_for(self._listening.wait(), PATIENCE)
        except TimeoutError as error:
            raise unreachable(self._url, error) from error
        return await super().sessions()

    def _with_notice(
        self, begin: Operation[T], words: Callable[[T], Sequence[object]]
    ) -> Operation[T]:
        def tell() -> Steps[T]:
            result = yield from begin()
            if told := words(result):
                yield _notify(*told)
            return result

        return tell

    # The task that watches the other servers.

    async def _watch(self) -> None:
        """Show that this server is alive, and follow what the others do, until the store is
        closed."""
        connection: Connection | None = None
        failed = False
        try:
            while True:
                try:
                    if connection is None or connection.is_closed():
                        connection = await connect(self._url)
                        await connection.add_listener(_CHANNEL, self._on_notification)
                        if self._listening.is_set():  # makes the writer notice its losses, too
                            self._writer.submit(_nothing).add_done_callback(_ignore)
                        await self._beat(connection)
                        await self._catch_up(connection)
                    await self._beat(connection)
                    failed = False
                    await asyncio.sleep(BEAT)
                except Exception as error:  # the writer reports it, if anything is to be written
                    if not failed:
                        log.warning("the database is not reached: %s", reason(error))
                    failed = True
                    if connection is not None:
                        connection.terminate()
                    await asyncio.sleep(RETRY_AFTER)
        finally:
            if connection is not None:
                connection.terminate()

    async def _beat(self, connection: Connection) -> None:
        """Show that this server is alive, measure the clock, and let go of tables that others have
        claimed."""
        query = (
            f"INSERT INTO servers VALUES ($1, {NOW}, $2) ON CONFLICT (server)"
            " DO UPDATE SET seen = excluded.seen"
            " RETURNING seen, (SELECT seen FROM servers WHERE server = $1)"
        )
        before = time.time()
        seen, last = await connection.fetchrow(query, self.server, self._name)
        self.ahead = seen - int(500 * (before + time.time()))
        if self._seen not in (None, last):  # the database was set back, as by a restored backup
            self.on_doubt(None)
            await self._catch_up(connection)
        self._seen = seen
        query = (
            "SELECT table_id FROM unnest($1::text[]) AS mine (table_id)"
            " LEFT JOIN owners USING (table_id) WHERE server IS DISTINCT FROM $2"
        )
        for row in await connection.fetch(query, list(self._mine), self.server):
            self._lose(row[0])

    async def _catch_up(self, connection: Connection) -> None:
        """Learn which sessions were ended while this server did not listen, and store again any
        ends that the database has lost."""
        stored = dict(await connection.fetch("SELECT person, number FROM sessions"))
        numbers = self._numbers.items()
        lost = [sealed("sessions", *each) for each in numbers if stored.get(each[0], 0) < each[1]]
        await connection.executemany(_END_AGAIN, lost)
        for person, number in stored.items():
            self._end(person, number)
        self._listening.set()

    def _on_notification(self, connection: object, pid: int, channel: str, said: object) -> None:
        match str(said).split():
            case ["moved", table, server] if server != self.server:
                self._lose(table)
            case ["ended", person, number]:
                self._end(person, int(number))
            case ["erased", person, digest]:
                self._numbers.pop(person, None)  # or it would be stored again
                self.on_ended(person, FOREVER)
                self._end(digest, 1)

    def _end(self, person: str, number: int) -> None:
        """Note that the sessions of a person were ended, here or at another server."""
        if number > self._numbers.get(person, 0):
            self._numbers[person] = number
            self.on_ended(person, number)

    def _lose(self, table: str) -> None:
        if table in self._mine:
            self._mine.discard(table)
            self.on_lost(table)

    async def size(self) -> int:
        rows = await self._read("SELECT pg_database_size(current_database())")
        return int(rows[0][0])

    async def problems(self) -> list[Reason]:
        connection: Connection | None = None
        try:
            connection = await connect(self._url)
            if not await connection.fetchval("SELECT pg_try_advisory_lock($1)", CHECK_LOCK):
                return []  # another server checks it
            before = int(await self.found_setting(_CHECKED) or 0)
            if 0 <= self.now() - before < 1000 * CHECK_INTERVAL:
                return []
            found = await self.look()
            if not found:  # or the next start says it again
                await self.put(_CHECKED, b"%d" % self.now())
            return found
        except (*LOST, asyncpg.PostgresError) as error:
            raise unreachable(self._url, error) from error
        finally:
            if connection is not None:
                connection.terminate()

    async def close(self) -> None:
        self._watching.cancel()
        self._mine.clear()
        with contextlib.suppress(StoreFailed):  # the others soon count it as dead anyway
            await self._write(self._leave)
        await self._writer.close()
        await self._readers.close()

    def _leave(self) -> Steps[None]:
        """Give up all tables, and sign off."""
        yield "DELETE FROM owners WHERE server = $1", (self.server,)
        yield "DELETE FROM servers WHERE server = $1", (self.server,)


async def postgres_store(url: str, *, serves: bool = True, name: str = "") -> PostgresStore:
    """Open the store in the PostgreSQL database at ``url``: for a server with this ``name``, which
    creates its tables if needed, or for an operator. Raises :class:`StoreFailed`."""
    try:
        connection = await connect(url)
        try:
            await check_session(url, connection)
            await prepare(connection, serves=serves)
        finally:
            await connection.close()
        readers = await asyncpg.create_pool(
            url,
            min_size=0,
            max_size=READERS,
            init=set_up,
            reset=_leave_as_it_is,
            **SETTINGS,
            **primary(url),
        )
    except ValueError:  # its message quotes the address, with the password
        raise StoreFailed(Reason("serve.store_address")) from None
    except (*LOST, asyncpg.PostgresError) as error:
        raise unreachable(url, error) from error
    return PostgresStore(url, readers, serves=serves, name=name)


async def _leave_as_it_is(connection: object) -> None:
    """Skip the reset of a session: reading leaves nothing behind, and a reset would double the
    messages for each query."""


def _ignore(done: asyncio.Future[None]) -> None:
    """Retrieve an error without reporting it: the next writer reports it."""
    done.cancelled() or done.exception()


def _nothing() -> Steps[None]:
    yield "SELECT 1", ()


def _notify(*words: object) -> Statement:
    """Tell the other servers something, once this is committed."""
    return "SELECT pg_notify($1, $2)", (_CHANNEL, " ".join(map(str, words)))
