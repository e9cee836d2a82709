"""What a store asks its database: the queries, the same for every database.

A store of a database says how it reads (:class:`SqlReader`) and writes (:class:`SqlStore`); what it
writes is in :mod:`rage.place.store.statements`.
"""

from __future__ import annotations

import asyncio
import time
import zlib
from abc import abstractmethod
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import suppress
from functools import partial
from secrets import token_hex
from typing import Any, Final, TypeVar

from rage.place.store import (
    MAX_READ,
    Append,
    BrokenTable,
    ChatRow,
    Expiry,
    Finished,
    GameEntry,
    Given,
    ListedTable,
    OverTable,
    Passkey,
    Profile,
    Recovered,
    Row,
    Snapshot,
    Store,
    StoredTable,
    statements,
)
from rage.place.store.checking import Look, checksum, snapshot_json, stored_summary
from rage.place.store.file import keys, tables
from rage.place.store.statements import EXPIRED, PASSKEY, Operation
from rage.say import Reason
from rage.table.facts import PRACTICE

#: The finished games of a person, as entries of a list.
_GAMES: Final = (
    "SELECT table_id, game, games.ended, line, seat, deals_id FROM players"
    " JOIN games USING (table_id, game) WHERE person = ?1"
)
#: The tables that a list shows to everybody.
_OPEN: Final = "open = 1 AND phase <> 'over'"

#: The rows that a check of the whole store reads together, and the seconds of a pause after them.
CHECK_BATCH: Final = 500
CHECK_PAUSE: Final = 0.02
#: In place of what is not what was written: it cannot be read.
DAMAGED: Final = b""

T = TypeVar("T")


class SqlReader:
    """What is read from a database that speaks SQL, as :class:`Store` says. ``elsewhere``: a
    condition for a table that another server has."""

    def __init__(self, elsewhere: str = "1 = 0") -> None:
        self._elsewhere = elsewhere
        #: The condition for a column of bytes that contains a parameter.
        self.contains = "instr({}, ?{}) > 0"
        #: A table in a list.
        self._listed = f"table_id, CASE WHEN stale = 0 OR {elsewhere} THEN summary END, {elsewhere}"

    def _scan(self, query: str, *values: object) -> Awaitable[list[Any]]:
        """The same of a query that takes long."""
        return self._read(query, *values)

    @abstractmethod
    def _read(self, query: str, *values: object) -> Awaitable[list[Any]]:
        """The rows of a query. Raises :class:`StoreFailed`."""

    async def events(self, table: str, after: int = 0, most: int = MAX_READ) -> list[Row]:
        query = (
            "SELECT seq, at, data, crc FROM events WHERE table_id = ?1 AND seq > ?2"
            " ORDER BY seq LIMIT ?3"
        )
        rows = await self._read(query, table, after, most)
        return [
            Row(
                seq,
                at,
                data if crc in (None, checksum("events", table, seq, at, data)) else DAMAGED,
            )
            for seq, at, data, crc in rows
        ]

    async def snapshot(self, table: str) -> Snapshot | None:
        query = "SELECT seq, data, dropped, crc FROM snapshots WHERE table_id = ?1"
        for seq, data, dropped, crc in await self._read(query, table):
            whole = crc in (None, checksum("snapshots", table, seq, dropped, data))
            return Snapshot(seq, data if whole else DAMAGED, dropped)
        return None

    async def chat(self, table: str, after: int = 0) -> list[ChatRow]:
        query = (
            "SELECT number, at, data FROM chat WHERE table_id = ?1 AND number > ?2 ORDER BY number"
        )
        return [ChatRow(*row) for row in await self._read(query, table, after)]

    async def changed_bids(self, table: str) -> bytes | None:
        rows = await self._read("SELECT data FROM changed_bids WHERE table_id = ?1", table)
        return rows[0][0] if rows else None

    async def tables_of(self, person: str, most: int) -> list[StoredTable]:
        query = (
            f"SELECT {self._listed} FROM people JOIN tables USING (table_id)"
            " WHERE person = ?1 ORDER BY used DESC LIMIT ?2"
        )
        return [_listed(*row) for row in await self._read(query, person, most)]

    async def is_guest(self, table: str, person: str) -> bool:
        query = "SELECT 1 FROM people WHERE person = ?1 AND table_id = ?2"
        return bool(await self._read(query, person, table))

    async def open_tables(self, most: int) -> list[StoredTable]:
        query = (
            "WITH ranked AS (SELECT table_id, used, row_number()"
            f" OVER (PARTITION BY host ORDER BY used DESC) AS place FROM tables WHERE {_OPEN})"
            f" SELECT {self._listed} FROM (SELECT table_id, place FROM ranked"
            " ORDER BY place, used DESC LIMIT ?1) AS first JOIN tables USING (table_id)"
            " ORDER BY place, used DESC"
        )
        return [_listed(*row) for row in await self._read(query, most)]

    async def count_open(self, host: str) -> int:
        query = f"SELECT count(*) FROM tables WHERE {_OPEN} AND host = ?1"
        count: int = (await self._read(query, host))[0][0]
        return count

    async def still_open(self, tables: Sequence[str]) -> list[str]:
        places = ", ".join(f"?{number}" for number in range(1, len(tables) + 1))
        query = f"SELECT table_id FROM tables WHERE {_OPEN} AND table_id IN ({places})"
        return _firsts(await self._read(query, *tables)) if tables else []

    async def sessions(self) -> dict[str, int]:
        rows = await self._read("SELECT person, number FROM sessions")
        return dict(rows)

    async def table(self, table: str) -> StoredTable | None:
        query = f"SELECT {self._listed} FROM tables WHERE table_id = ?1"
        rows = await self._read(query, table)
        return _listed(*rows[0]) if rows else None

    async def due(self, now: int, most: int) -> list[str]:
        query = (
            f"SELECT table_id FROM tables WHERE due_at <= ?1 AND NOT {self._elsewhere}"
            " ORDER BY due_at LIMIT ?2"
        )
        return _firsts(await self._read(query, now, most))

    async def expired_tables(self, expiry: Expiry, most: int) -> list[str]:
        values = [-1 if each is None else each for each in expiry[:3]]
        return _firsts(await self._read(EXPIRED.format(self._elsewhere), *values, most))

    async def over_tables(self, until: int, after: OverTable, most: int) -> list[OverTable]:
        query = (
            "SELECT used, table_id, EXISTS (SELECT 1 FROM events WHERE events.table_id ="
            " tables.table_id) FROM tables WHERE phase = 'over' AND used < ?1"
            f" AND (used, table_id) > (?2, ?3) AND NOT {self._elsewhere}"
            " ORDER BY used, table_id LIMIT ?4"
        )
        rows = await self._read(query, until, after.used, after.table, most)
        return [OverTable(used, table, bool(events)) for used, table, events in rows]

    async def found_setting(self, name: str) -> bytes | None:
        """The value stored under a name, if there is one."""
        rows = await self._read("SELECT value FROM settings WHERE name = ?1", name)
        return rows[0][0] if rows else None

    async def reports(self) -> dict[str, bytes]:
        return await self._settings("report 0", "report 9")

    async def orders(self) -> dict[str, bytes]:
        return await self._settings("admin a", "admin z")

    async def _settings(self, first: str, last: str) -> dict[str, bytes]:
        """The settings between two names, in their order."""
        query = "SELECT name, value FROM settings WHERE name BETWEEN ?1 AND ?2 ORDER BY name"
        return dict(await self._read(query, first, last))

    async def all_tables(self, phase: str | None, *, found: bool, most: int) -> list[ListedTable]:
        query = (
            f"SELECT {self._listed}, phase, open, used FROM tables"
            " WHERE (phase = ?1 OR CAST(?2 AS BIGINT) = 1) AND open >= ?3"
            " ORDER BY used DESC LIMIT ?4"
        )
        values = phase or "", int(phase is None), int(found), most
        return [_for_operator(row) for row in await self._read(query, *values)]

    async def listed_table(self, table: str) -> ListedTable | None:
        query = f"SELECT {self._listed}, phase, open, used FROM tables WHERE table_id = ?1"
        rows = await self._read(query, table)
        return _for_operator(rows[0]) if rows else None

    async def all_games(self, after: GameEntry | None, most: int) -> list[GameEntry]:
        query = (
            "SELECT table_id, game, ended, line, NULL, deals_id FROM games"
            " WHERE (ended, table_id, game) > (?1, ?2, ?3)"
            " ORDER BY ended, table_id, game LIMIT ?4"
        )
        key = (-1, "", 0) if after is None else (after.ended, after.table, after.game)
        return [GameEntry(*row) for row in await self._read(query, *key, most)]

    async def games_of(self, person: str, most: int) -> list[GameEntry]:
        query = (
            f"{_GAMES} AND (deals_id IS NULL OR deals_id NOT LIKE '%{PRACTICE}%')"
            " ORDER BY players.ended DESC LIMIT ?2"
        )
        return [GameEntry(*row) for row in await self._read(query, person, most)]

    async def has_played(self, person: str, before: int) -> bool:
        query = "SELECT 1 FROM players WHERE person = ?1 AND seat >= 0 AND ended <= ?2 LIMIT 1"
        return bool(await self._read(query, person, before))

    async def finished_game(self, table: str, game: int) -> Finished | None:
        query = (
            "SELECT game, ended, line, record, deals_id, points, crc FROM games"
            " WHERE table_id = ?1 AND game = ?2"
        )
        rows = await self._read(query, table, game)
        if not rows:
            return None
        query = "SELECT person, seat FROM players WHERE table_id = ?1 AND game = ?2"
        seats = dict(await self._read(query, table, game))
        *values, crc = rows[0]
        number, ended, line, record, deals_id, points = values
        if crc not in (None, checksum("games", table, *values)):
            raise BrokenTable(f"game {game}")
        return Finished(number, ended, line, zlib.decompress(record), seats, deals_id, points)

    async def count_games(self, deals_id: str) -> int:
        query = "SELECT count(*) FROM games WHERE deals_id = ?1"
        count: int = (await self._read(query, deals_id))[0][0]
        return count

    async def best_games(self, deals_id: str, most: int) -> list[GameEntry]:
        query = (
            "SELECT table_id, game, ended, line, NULL, deals_id FROM games WHERE deals_id = ?1"
            " ORDER BY points DESC, ended LIMIT ?2"
        )
        return [GameEntry(*row) for row in await self._read(query, deals_id, most)]

    async def days_of(self, person: str, edition: str, most: int) -> list[GameEntry]:
        query = (
            f"{_GAMES} AND seat = 0 AND deals_id LIKE '____-__-__ ' || ?2"
            " ORDER BY deals_id DESC LIMIT ?3"
        )
        return [GameEntry(*row) for row in await self._read(query, person, edition, most)]

    async def traces_of(self, people: Sequence[str]) -> list[str]:
        found, words = set[str](), [person.encode() for person in people]
        for name, column in (
            ("events", "data"), ("lost", "data"), ("chat", "data"), ("tables", "summary"),
        ):  # fmt: skip
            query = f"SELECT DISTINCT table_id FROM {name} WHERE {self._naming(column, people)}"
            found.update(_firsts(await self._scan(query, *words)))
        for person in people:
            query = "SELECT table_id FROM people WHERE person = ?1"
            found.update(_firsts(await self._read(query, person)))
        query = "SELECT table_id, data FROM snapshots WHERE table_id > ?1 ORDER BY 1 LIMIT 200"
        rows: list[Any] = [("",)]
        while rows := await self._scan(query, rows[-1][0]):
            found.update(await asyncio.to_thread(_holding, rows, words))
        return sorted(found)

    async def told_by(self, person: str) -> dict[str, list[ChatRow]]:
        query = (
            f"SELECT table_id, number, at, data FROM chat WHERE {self._naming('data', [person])}"
        )
        found: dict[str, list[ChatRow]] = {}
        for table, *row in await self._scan(f"{query} ORDER BY 1, 2", person.encode()):
            found.setdefault(table, []).append(ChatRow(*row))
        return found

    async def games_with(self, people: Sequence[str]) -> list[tuple[str, int]]:
        query = f"SELECT table_id, game FROM games WHERE {self._naming('line', people)}"
        found = await self._scan(query, *(person.encode() for person in people))
        for person in people:
            query = "SELECT table_id, game FROM players WHERE person = ?1"
            found += await self._read(query, person)
        return sorted({(table, game) for table, game in found})

    def _naming(self, column: str, people: Sequence[str]) -> str:
        """The condition for a column of bytes that names one of some people, the parameters."""
        return " OR ".join(self.contains.format(column, n + 1) for n in range(len(people)))

    async def profile_of(self, person: str) -> Profile:
        rows = await self._read("SELECT name, sign FROM names WHERE person = ?1", person)
        return Profile(*rows[0]) if rows else Profile()

    async def code_since(self, person: str) -> int | None:
        rows = await self._read("SELECT at FROM codes WHERE person = ?1", person)
        return rows[0][0] if rows else None

    async def passkey(self, number: bytes) -> Passkey | None:
        rows = await self._read(f"SELECT {PASSKEY} FROM passkeys WHERE id = ?1", number)
        return Passkey(*rows[0]) if rows else None

    async def passkeys_of(self, person: str) -> list[Passkey]:
        query = f"SELECT {PASSKEY} FROM passkeys WHERE person = ?1 ORDER BY at"
        return [Passkey(*row) for row in await self._read(query, person)]


class SqlStore(SqlReader, Store):
    """A store in a database that speaks SQL; alone on it, unless it says otherwise."""

    def __init__(self, elsewhere: str = "1 = 0", *, shared: bool = False) -> None:
        super().__init__(elsewhere)
        self.shared = shared
        self.damage = ""
        self.ahead = 0
        self.now: Callable[[], int] = lambda: int(time.time() * 1000)
        self.on_commit: Callable[[float, int], None] = lambda seconds, jobs: None
        self.on_lost: Callable[[str], None] = lambda table: None
        self.on_doubt: Callable[[str | None], None] = lambda table: None
        self.on_ended: Callable[[str, int], None] = lambda person, number: None

    @abstractmethod
    def append(self, append: Append) -> Awaitable[None]: ...

    @abstractmethod
    def _write(self, begin: Operation[T]) -> Awaitable[T]:
        """Begin to write; the result is ready once it is durable. Raises :class:`StoreFailed`."""

    async def check_writable(self) -> None:
        await self._write(statements.prove_writable)

    async def setting(self, name: str, value: bytes) -> bytes:
        return await self._write(partial(statements.keep_setting, name, value))

    async def put(self, name: str, value: bytes) -> None:
        await self._write(partial(statements.put, name, value))

    async def take(self, name: str) -> bytes | None:
        return await self._write(partial(statements.take, name))

    async def keep_report(self, report: bytes, most: int) -> None:
        name = f"report {self.now():013} {token_hex(4)}"
        await self._write(partial(statements.keep_report, name, report, most))

    async def spend(self, token: bytes) -> bool:
        return await self._write(partial(statements.spend, token))

    async def end_sessions(self, person: str) -> int:
        begin = partial(statements.end_sessions, person)
        return await self._write(self._telling(begin, lambda number: ("ended", person, number)))

    def _telling(self, begin: Operation[T], words: Callable[[T], Sequence[object]]) -> Operation[T]:
        """An operation that also tells other servers of its result, in some ``words``, if any."""
        return begin

    async def keep_code(self, person: str, digest: bytes) -> None:
        at = self.now()
        await self._write(partial(statements.keep_code, person, digest, at))

    async def recover(self, digests: Sequence[bytes], *, end: bool) -> Recovered | None:
        return await self._recover(partial(statements.recover, digests, end))

    async def use_passkey(self, passkey: Passkey, *, end: bool) -> Recovered | None:
        return await self._recover(partial(statements.use_passkey, passkey, end))

    async def _recover(self, find: Operation[Recovered | None]) -> Recovered | None:
        return await self._write(self._telling(find, _ended))

    async def keep_passkey(self, passkey: Passkey) -> bool:
        return await self._write(partial(statements.keep_passkey, passkey))

    async def remove_passkey(self, person: str, made: int) -> None:
        await self._write(partial(statements.remove_passkey, person, made))

    async def keep_profile(self, person: str, name: str, sign: str = "") -> None:
        at = self.now()
        await self._write(partial(statements.keep_profile, person, name, sign, at))

    async def say(self, table: str, at: int, data: bytes, most: int, most_bytes: int) -> int:
        return await self._write(partial(statements.say, table, at, data, most, most_bytes))

    async def unsay(self, table: str, lines: Sequence[int]) -> None:
        await self._write(partial(statements.unsay, table, lines))

    async def drop_game(self, table: str, game: int, person: str | None = None) -> None:
        await self._write(partial(statements.drop_game, table, game, person))

    async def replace_game(self, table: str, over: Finished) -> None:
        await self._write(partial(statements.write_game, table, over))

    async def erase(self, people: Sequence[str], digest: str) -> list[str]:
        begin = partial(statements.erase, people, digest)
        return await self._write(self._telling(begin, lambda _: ("erased", people[0], digest)))

    async def rewrite(self) -> None:
        pass

    async def summarize(self, table: str, seq: int, summary: bytes) -> None:
        await self._write(partial(statements.summarize, table, seq, summary))

    async def remove(self, tables: Sequence[str]) -> None:
        await self._remove_beside(partial(statements.remove_tables, tables))

    async def tidy(self, expiry: Expiry, most: int) -> bool:
        return await self._remove_beside(partial(statements.remove_expired, expiry, most))

    async def forget(self, name: str, before: int, after: Given, most: int) -> Given | None:
        return await self._remove_beside(partial(statements.forget, name, before, after, most))

    def _remove_beside(self, begin: Operation[T]) -> Awaitable[T]:
        """The same as :meth:`_write` for what nobody waits for."""
        return self._write(begin)

    async def problems(self) -> list[Reason]:
        return await self.look()

    async def look(self) -> list[Reason]:
        """What is damaged, by a look at a few rows at a time, so that nobody else has to wait."""
        look, columns = Look(), tables()
        for name, names in columns.items():
            async for rows in self._ranges(name, names):
                look.sound(name, names, rows)
        if not look.suspects:
            return look.problems
        again = Look()  # for what has changed meanwhile
        for table in look.suspects:
            for name in ("events", "snapshots", "tables"):
                query = f"SELECT {', '.join(columns[name])} FROM {name} WHERE table_id = ?1"
                rows = await self._read(f"{query} ORDER BY 1, 2", table)
                again.sound(name, columns[name], rows)
        return again.problems + look.others

    async def _ranges(self, name: str, names: Sequence[str]) -> AsyncIterator[list[Any]]:
        """All rows of a table of the store, as :data:`CHECK_BATCH` says."""
        key = keys()[name]
        by, places = ", ".join(key), [names.index(each) for each in key]
        marks = ", ".join(f"?{number}" for number in range(2, len(key) + 2))
        select = f"SELECT {', '.join(names)} FROM {name}"
        rows = await self._read(f"{select} ORDER BY {by} LIMIT ?1", CHECK_BATCH)
        while rows:
            yield rows
            await asyncio.sleep(CHECK_PAUSE)
            last = [rows[-1][place] for place in places]
            query = f"{select} WHERE ({by}) > ({marks}) ORDER BY {by} LIMIT ?1"
            rows = await self._read(query, CHECK_BATCH, *last)

    async def claim(self, table: str) -> None:
        pass

    async def release(self, table: str) -> None:
        pass


def _listed(table: str, summary: bytes | None, elsewhere: object) -> StoredTable:
    return StoredTable(table, stored_summary(table, summary), bool(elsewhere))


def _for_operator(row: Any) -> ListedTable:
    return ListedTable(_listed(*row[:3]), row[3], bool(row[4]), row[5])


def _ended(found: Recovered | None) -> tuple[object, ...]:
    """What other servers are told of somebody who has recovered their seats."""
    return ("ended", *found) if found is not None and found.number is not None else ()


def _holding(snapshots: list[Any], words: list[bytes]) -> list[str]:
    """The tables whose snapshots, which may be compressed, contain one of some words."""
    found = []
    for table, data in snapshots:
        with suppress(zlib.error):  # it is damaged
            text = snapshot_json(data)
            found += [table] if any(word in text for word in words) else []
    return found


def _firsts(rows: list[Any]) -> list[str]:
    return [row[0] for row in rows]
