"""The embedded store: one SQLite file, which is written (:mod:`rage.place.store.writer`) and read
off the event loop."""

from __future__ import annotations

import contextlib
import json
import sqlite3
import time
import zlib
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final, Protocol, TypeVar

from rage.place.limits import MAX_SPENT
from rage.place.store import (
    MAX_READ,
    Append,
    ChatRow,
    Expiry,
    Finished,
    GameEntry,
    Passkey,
    Profile,
    Recovered,
    Row,
    Snapshot,
    Store,
    StoredTable,
    StoreFailed,
)
from rage.place.store.file import StoreFile, connect, find_problems, prepare
from rage.place.store.rows import (
    EXPIRED,
    FORGET_CHAT,
    end_sessions,
    free_space,
    remove_games,
    remove_tables,
    used_bytes,
)
from rage.place.store.writer import Writer
from rage.table.facts import PRACTICE

#: The finished games of a person, as entries of a list.
_GAMES: Final = (
    "SELECT table_id, game, games.ended, line, seat, deals_id FROM players"
    " JOIN games USING (table_id, game) WHERE person = ?"
)
#: The tables that a list shows to everybody.
_OPEN: Final = "open = 1 AND phase <> 'over'"


T = TypeVar("T")


class Workers(Protocol):
    """What does the work of the store, so that the event loop never waits for the disk."""

    def read(self, work: Callable[[], T]) -> Awaitable[T]:
        """Read something, one after the other."""

    def write(self, operation: Append | Callable[[sqlite3.Connection], T]) -> Awaitable[T]:
        """Begin to write; the result is ready once it is durable. Raises :class:`StoreFailed`."""

    async def close(self) -> None:
        """Write what has been accepted, close the connection for writing, and accept no more."""


class SqliteStore(Store):
    """A store in the file ``path``, which is created if needed; ``work`` makes what works with its
    writer. Raises :class:`StoreFailed` if it cannot be used."""

    def __init__(self, path: Path, work: Callable[[Writer], Workers]) -> None:
        #: The clock, in milliseconds since 1970.
        self.now: Callable[[], int] = lambda: int(time.time() * 1000)
        with contextlib.ExitStack() as opened:
            try:
                writing = opened.enter_context(contextlib.closing(connect(path)))
                prepare(writing, path)
                self._reading = connect(path)
            except (sqlite3.Error, OSError) as error:
                raise StoreFailed(f"{path}: {error}") from error
            opened.pop_all()
        self._file = StoreFile(path)
        self._closed = False
        self.writer = Writer(writing, self._file)
        self._workers = work(self.writer)

    # Writing.

    def append(self, append: Append) -> Awaitable[None]:
        return self._workers.write(append)

    async def check_writable(self) -> None:

        def write_and_delete(connection: sqlite3.Connection) -> None:
            connection.execute("INSERT OR REPLACE INTO settings VALUES ('proof', x'')")
            connection.execute("DELETE FROM settings WHERE name = 'proof'")

        await self._workers.write(write_and_delete)
        if self._file.damage:
            raise StoreFailed(self._file.damage)

    async def setting(self, name: str, value: bytes) -> bytes:

        def keep(connection: sqlite3.Connection) -> bytes:
            connection.execute("INSERT OR IGNORE INTO settings VALUES (?, ?)", (name, value))
            query = "SELECT value FROM settings WHERE name = ?"
            kept: bytes = connection.execute(query, (name,)).fetchone()[0]
            return kept

        return await self._workers.write(keep)

    async def spend(self, token: bytes) -> bool:

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

        return await self._workers.write(use)

    async def end_sessions(self, person: str) -> int:
        return await self._workers.write(partial(end_sessions, person=person))

    async def sessions(self) -> dict[str, int]:
        return dict(await self._read("SELECT person, number FROM sessions"))

    async def keep_code(self, person: str, digest: bytes) -> None:
        query = "INSERT OR REPLACE INTO codes VALUES (?, ?, ?)"
        values = person, digest, self.now()
        await self._workers.write(lambda connection: connection.execute(query, values))

    async def recover(self, digests: Sequence[bytes], *, end: bool) -> Recovered | None:
        query = "SELECT person FROM codes WHERE digest = ?"

        def find(connection: sqlite3.Connection) -> Recovered | None:
            for digest in digests:
                if found := connection.execute(query, (digest,)).fetchone():
                    person: str = found[0]
                    return Recovered(person, end_sessions(connection, person) if end else None)
            return None

        return await self._workers.write(find)

    async def keep_passkey(self, passkey: Passkey) -> bool:
        query = "INSERT OR IGNORE INTO passkeys VALUES (?, ?, ?, ?, ?)"
        return await self._workers.write(
            lambda connection: connection.execute(query, passkey).rowcount == 1
        )

    async def use_passkey(self, passkey: Passkey, *, end: bool) -> Recovered | None:
        query = "UPDATE passkeys SET counter = max(counter, ?) WHERE id = ?"
        person, values = passkey.person, (passkey.counter, passkey.id)

        def use(connection: sqlite3.Connection) -> Recovered | None:
            if connection.execute(query, values).rowcount != 1:
                return None
            return Recovered(person, end_sessions(connection, person, passkey.id) if end else None)

        return await self._workers.write(use)

    async def remove_passkey(self, person: str, made: int) -> None:
        query = "DELETE FROM passkeys WHERE person = ? AND at = ?"
        await self._workers.write(lambda connection: connection.execute(query, (person, made)))

    async def keep_profile(self, person: str, name: str, sign: str = "") -> None:
        query = "INSERT OR REPLACE INTO names VALUES (?, ?, ?, ?)"
        values = person, name, sign, self.now()
        await self._workers.write(lambda connection: connection.execute(query, values))

    async def say(self, table: str, at: int, data: bytes, most: int, most_bytes: int) -> int:
        query = (
            "INSERT INTO chat SELECT ?1, coalesce(max(number), 0) + 1, ?2, ?3 FROM chat"
            " WHERE table_id = ?1 RETURNING number"
        )

        def add(connection: sqlite3.Connection) -> int:
            number: int = connection.execute(query, (table, at, data)).fetchone()[0]
            connection.execute(FORGET_CHAT, (table, number - most, most_bytes))
            return number

        return await self._workers.write(add)

    async def summarize(self, table: str, seq: int, summary: bytes) -> None:
        query = (
            "UPDATE tables SET summary = ?3 WHERE table_id = ?1"
            " AND NOT EXISTS (SELECT 1 FROM events WHERE table_id = ?1 AND seq > ?2)"
        )
        await self._workers.write(
            lambda connection: connection.execute(query, (table, seq, summary))
        )

    async def remove(self, tables: Sequence[str]) -> None:
        await self._workers.write(lambda connection: remove_tables(connection, tables))

    async def tidy(self, expiry: Expiry, most: int) -> bool:

        def remove(connection: sqlite3.Connection) -> bool:
            removed = remove_games(connection, expiry, most)
            return free_space(connection) or removed

        return await self._workers.write(remove)

    # Reading.

    async def _read(self, query: str, *values: object) -> list[Any]:
        def ask() -> list[Any]:
            self._file.check()
            try:
                return self._reading.execute(query, values).fetchall()
            except sqlite3.Error as error:
                self._file.note(error)
                raise StoreFailed(str(error)) from error

        return await self._workers.read(ask)

    async def events(self, table: str, after: int = 0, most: int = MAX_READ) -> list[Row]:
        query = (
            "SELECT seq, at, data FROM events WHERE table_id = ? AND seq > ? ORDER BY seq LIMIT ?"
        )
        return [Row(*row) for row in await self._read(query, table, after, most)]

    async def snapshot(self, table: str) -> Snapshot | None:
        query = "SELECT seq, data, dropped FROM snapshots WHERE table_id = ?"
        rows = await self._read(query, table)
        return Snapshot(*rows[0]) if rows else None

    async def chat(self, table: str, after: int = 0) -> list[ChatRow]:
        query = (
            "SELECT number, at, data FROM chat WHERE table_id = ? AND number > ? ORDER BY number"
        )
        return [ChatRow(*row) for row in await self._read(query, table, after)]

    async def changed_bids(self, table: str) -> bytes | None:
        rows = await self._read("SELECT data FROM changed_bids WHERE table_id = ?", table)
        return rows[0][0] if rows else None

    async def tables_of(self, person: str, most: int) -> list[StoredTable]:
        query = (
            "SELECT table_id, summary FROM people JOIN tables USING (table_id)"
            " WHERE person = ? ORDER BY used DESC LIMIT ?"
        )
        return [StoredTable(*row) for row in await self._read(query, person, most)]

    async def is_guest(self, table: str, person: str) -> bool:
        query = "SELECT 1 FROM people WHERE person = ? AND table_id = ?"
        return bool(await self._read(query, person, table))

    async def open_tables(self, most: int) -> list[StoredTable]:
        query = (
            "WITH ranked AS (SELECT table_id, used, row_number()"
            f" OVER (PARTITION BY host ORDER BY used DESC) AS place FROM tables WHERE {_OPEN})"
            " SELECT table_id, summary FROM (SELECT table_id, place FROM ranked"
            " ORDER BY place, used DESC LIMIT ?) JOIN tables USING (table_id)"
            " ORDER BY place, used DESC"
        )
        return [StoredTable(*row) for row in await self._read(query, most)]

    async def count_open(self, host: str) -> int:
        query = f"SELECT count(*) FROM tables WHERE {_OPEN} AND host = ?"
        count: int = (await self._read(query, host))[0][0]
        return count

    async def still_open(self, tables: Sequence[str]) -> list[str]:
        query = (
            f"SELECT table_id FROM tables WHERE {_OPEN}"
            " AND table_id IN (SELECT value FROM json_each(?))"
        )
        return _firsts(await self._read(query, json.dumps(list(tables))))

    async def table(self, table: str) -> StoredTable | None:
        query = "SELECT table_id, summary FROM tables WHERE table_id = ?"
        rows = await self._read(query, table)
        return StoredTable(*rows[0]) if rows else None

    async def due(self, now: int, most: int) -> list[str]:
        query = "SELECT table_id FROM tables WHERE due_at <= ? ORDER BY due_at LIMIT ?"
        return _firsts(await self._read(query, now, most))

    async def expired_tables(self, expiry: Expiry, most: int) -> list[str]:
        values = [-1 if each is None else each for each in expiry[:3]]
        return _firsts(await self._read(EXPIRED, *values, most))

    async def size(self) -> int:
        return await self._workers.read(partial(used_bytes, self._reading))

    def problems(self) -> list[str]:
        return find_problems(self._file.path, lambda: self._closed)

    async def games_of(self, person: str, most: int) -> list[GameEntry]:
        query = (
            f"{_GAMES} AND (deals_id IS NULL OR instr(deals_id, '{PRACTICE}') = 0)"
            " ORDER BY players.ended DESC LIMIT ?"
        )
        return [GameEntry(*row) for row in await self._read(query, person, most)]

    async def finished_game(self, table: str, game: int) -> Finished | None:
        query = (
            "SELECT game, ended, line, record, deals_id, points FROM games"
            " WHERE table_id = ? AND game = ?"
        )
        rows = await self._read(query, table, game)
        if not rows:
            return None
        query = "SELECT person, seat FROM players WHERE table_id = ? AND game = ?"
        seats = dict(await self._read(query, table, game))
        number, ended, line, record, deals_id, points = rows[0]
        return Finished(number, ended, line, zlib.decompress(record), seats, deals_id, points)

    async def count_games(self, deals_id: str) -> int:
        query = "SELECT count(*) FROM games WHERE deals_id = ?"
        count: int = (await self._read(query, deals_id))[0][0]
        return count

    async def best_games(self, deals_id: str, most: int) -> list[GameEntry]:
        query = (
            "SELECT table_id, game, ended, line, NULL, deals_id FROM games WHERE deals_id = ?"
            " ORDER BY points DESC, ended LIMIT ?"
        )
        return [GameEntry(*row) for row in await self._read(query, deals_id, most)]

    async def days_of(self, person: str, edition: str, most: int) -> list[GameEntry]:
        query = (
            f"{_GAMES} AND seat = 0 AND deals_id GLOB '????-??-?? ' || ?"
            " ORDER BY deals_id DESC LIMIT ?"
        )
        return [GameEntry(*row) for row in await self._read(query, person, edition, most)]

    async def profile_of(self, person: str) -> Profile:
        rows = await self._read("SELECT name, sign FROM names WHERE person = ?", person)
        return Profile(*rows[0]) if rows else Profile()

    async def code_since(self, person: str) -> int | None:
        rows = await self._read("SELECT at FROM codes WHERE person = ?", person)
        return rows[0][0] if rows else None

    async def passkey(self, number: bytes) -> Passkey | None:
        rows = await self._read("SELECT * FROM passkeys WHERE id = ?", number)
        return Passkey(*rows[0]) if rows else None

    async def passkeys_of(self, person: str) -> list[Passkey]:
        query = "SELECT * FROM passkeys WHERE person = ? ORDER BY at"
        return [Passkey(*row) for row in await self._read(query, person)]

    async def close(self) -> None:
        self._closed = True
        await self._workers.close()
        self._reading.close()


def _firsts(rows: list[Any]) -> list[str]:
    return [row[0] for row in rows]
