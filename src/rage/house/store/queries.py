"""The queries that read a store, the same for every database."""

from __future__ import annotations

import asyncio
import zlib
from abc import abstractmethod
from collections.abc import Awaitable, Sequence
from contextlib import suppress
from typing import Any, Final

from rage.house.store import (
    MAX_READ,
    BrokenTable,
    ChatRow,
    Expiry,
    Finished,
    GameEntry,
    ListedTable,
    OverTable,
    Passkey,
    Profile,
    Row,
    Snapshot,
    StoredTable,
)
from rage.house.store.checking import checksum, snapshot_json, stored_summary
from rage.house.store.identity import PASSKEY
from rage.house.store.transactions import EXPIRED
from rage.table.facts.table_facts import PRACTICE

#: The finished games of a person, as entries of a list.
_GAMES: Final = (
    "SELECT table_id, game, games.ended, line, seat, deals_id FROM players"
    " JOIN games USING (table_id, game) WHERE person = ?1"
)
#: The tables that a list shows to everyone.
_OPEN: Final = "open = 1 AND phase <> 'over'"

#: Stands for damaged data: it cannot be read.
DAMAGED: Final = b""


class StoreReader:
    """Reads a store. All methods may raise :class:`rage.house.store.StoreFailed`. ``elsewhere`` is
    a condition for a table that another server has."""

    def __init__(self, elsewhere: str = "1 = 0") -> None:
        self._elsewhere = elsewhere
        #: The condition that a column of bytes contains a parameter.
        self.contains = "instr({}, ?{}) > 0"
        #: A table in a list.
        self._listed = f"table_id, CASE WHEN stale = 0 OR {elsewhere} THEN summary END, {elsewhere}"

    def _scan(self, query: str, *values: object) -> Awaitable[list[Any]]:
        """The rows of a query that may take long. Raises :class:`rage.house.store.StoreFailed`."""
        return self._read(query, *values)

    @abstractmethod
    def _read(self, query: str, *values: object) -> Awaitable[list[Any]]:
        """The rows of a query. Raises :class:`rage.house.store.StoreFailed`."""

    async def events(self, table: str, after: int = 0, most: int = MAX_READ) -> list[Row]:
        """Up to ``most`` kept events of a table after a number, in order."""
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
        """The last snapshot of a table, if any."""
        query = "SELECT seq, data, dropped, crc FROM snapshots WHERE table_id = ?1"
        for seq, data, dropped, crc in await self._read(query, table):
            whole = crc in (None, checksum("snapshots", table, seq, dropped, data))
            return Snapshot(seq, data if whole else DAMAGED, dropped)
        return None

    async def known(self, table: str) -> tuple[bytes | None, int]:
        """The last summary of a table, even if it is out of date, and the number of its last
        finished game (0: none)."""
        query = (
            "SELECT (SELECT summary FROM tables WHERE table_id = ?1),"
            " (SELECT max(game) FROM games WHERE table_id = ?1)"
        )
        ((summary, game),) = await self._read(query, table)
        return stored_summary(table, summary), game or 0

    async def chat(self, table: str, after: int = 0) -> list[ChatRow]:
        """The kept lines of a table's chat after a number, in order."""
        query = (
            "SELECT number, at, data FROM chat WHERE table_id = ?1 AND number > ?2 ORDER BY number"
        )
        return [ChatRow(*row) for row in await self._read(query, table, after)]

    async def changed_bids(self, table: str) -> bytes | None:
        """The changed bids of a table, if any."""
        rows = await self._read("SELECT data FROM changed_bids WHERE table_id = ?1", table)
        return rows[0][0] if rows else None

    async def tables_of(self, person: str, most: int) -> list[StoredTable]:
        """The tables a person is at, most recently used first."""
        query = (
            f"SELECT {self._listed} FROM people JOIN tables USING (table_id)"
            " WHERE person = ?1 ORDER BY used DESC LIMIT ?2"
        )
        return [_listed(*row) for row in await self._read(query, person, most)]

    async def is_guest(self, table: str, person: str) -> bool:
        """Return whether a person is at a table."""
        query = "SELECT 1 FROM people WHERE person = ?1 AND table_id = ?2"
        return bool(await self._read(query, person, table))

    async def open_tables(self, most: int) -> list[StoredTable]:
        """Open tables where people gather or play: one of each host, then a second one of each, and
        so on; each time, most recently used first."""
        query = (
            "WITH ranked AS (SELECT table_id, used, row_number()"
            f" OVER (PARTITION BY host ORDER BY used DESC) AS place FROM tables WHERE {_OPEN})"
            f" SELECT {self._listed} FROM (SELECT table_id, place FROM ranked"
            " ORDER BY place, used DESC LIMIT ?1) AS first JOIN tables USING (table_id)"
            " ORDER BY place, used DESC"
        )
        return [_listed(*row) for row in await self._read(query, most)]

    async def count_open(self, host: str) -> int:
        """The number of open tables, where people gather or play, with this host."""
        query = f"SELECT count(*) FROM tables WHERE {_OPEN} AND host = ?1"
        count: int = (await self._read(query, host))[0][0]
        return count

    async def still_open(self, tables: Sequence[str]) -> list[str]:
        """The tables among these that are open and where people gather or play."""
        places = ", ".join(f"?{number}" for number in range(1, len(tables) + 1))
        query = f"SELECT table_id FROM tables WHERE {_OPEN} AND table_id IN ({places})"
        return _firsts(await self._read(query, *tables)) if tables else []

    async def sessions(self) -> dict[str, int]:
        """The session numbers, by person, of all who have ended sessions."""
        rows = await self._read("SELECT person, number FROM sessions")
        return dict(rows)

    async def table(self, table: str) -> StoredTable | None:
        """A table, if there is one."""
        query = f"SELECT {self._listed} FROM tables WHERE table_id = ?1"
        rows = await self._read(query, table)
        return _listed(*rows[0]) if rows else None

    async def due(self, now: int, most: int) -> list[str]:
        """Tables whose clock was due at ``now`` or earlier, and which no other server has."""
        query = (
            f"SELECT table_id FROM tables WHERE due_at <= ?1 AND NOT {self._elsewhere}"
            " ORDER BY due_at LIMIT ?2"
        )
        return _firsts(await self._read(query, now, most))

    async def expired_tables(self, expiry: Expiry, most: int) -> list[str]:
        """Up to ``most`` tables that have expired, and which no other server has."""
        values = [-1 if each is None else each for each in expiry[:3]]
        return _firsts(await self._read(EXPIRED.format(self._elsewhere), *values, most))

    async def over_tables(self, until: int, after: OverTable, most: int) -> list[OverTable]:
        """Up to ``most`` tables whose game is over and which no other server has, last used after
        one of them and before ``until``, in this order."""
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
        """The reports by name, the oldest first; :meth:`rage.house.store.sql.Store.take` removes
        one."""
        return await self._settings("report 0", "report 9")

    async def orders(self) -> dict[str, bytes]:
        """The values stored under names that begin with ``admin``."""
        return await self._settings("admin a", "admin z")

    async def _settings(self, first: str, last: str) -> dict[str, bytes]:
        """The settings between two names, in their order."""
        query = "SELECT name, value FROM settings WHERE name BETWEEN ?1 AND ?2 ORDER BY name"
        return dict(await self._read(query, first, last))

    async def all_tables(self, phase: str | None, *, found: bool, most: int) -> list[ListedTable]:
        """Up to ``most`` tables, most recently used first: all, or only those in a phase;
        ``found``: only those that anyone may find."""
        query = (
            f"SELECT {self._listed}, phase, open, used FROM tables"
            " WHERE (phase = ?1 OR CAST(?2 AS BIGINT) = 1) AND open >= ?3"
            " ORDER BY used DESC LIMIT ?4"
        )
        values = phase or "", int(phase is None), int(found), most
        return [_for_operator(row) for row in await self._read(query, *values)]

    async def listed_table(self, table: str) -> ListedTable | None:
        """A table as in the operator's list, if there is one."""
        query = f"SELECT {self._listed}, phase, open, used FROM tables WHERE table_id = ?1"
        rows = await self._read(query, table)
        return _for_operator(rows[0]) if rows else None

    async def all_games(self, after: GameEntry | None, most: int) -> list[GameEntry]:
        """Up to ``most`` finished games after one of them, in the order in which they ended;
        without seats."""
        query = (
            "SELECT table_id, game, ended, line, NULL, deals_id FROM games"
            " WHERE (ended, table_id, game) > (?1, ?2, ?3)"
            " ORDER BY ended, table_id, game LIMIT ?4"
        )
        key = (-1, "", 0) if after is None else (after.ended, after.table, after.game)
        return [GameEntry(*row) for row in await self._read(query, *key, most)]

    async def games_of(self, person: str, most: int) -> list[GameEntry]:
        """The finished games of a person, latest first."""
        query = (
            f"{_GAMES} AND (deals_id IS NULL OR deals_id NOT LIKE '%{PRACTICE}%')"
            " ORDER BY players.ended DESC LIMIT ?2"
        )
        return [GameEntry(*row) for row in await self._read(query, person, most)]

    async def has_played(self, person: str, before: int) -> bool:
        """Return whether a person has a seat in a finished game that ended before then."""
        query = "SELECT 1 FROM players WHERE person = ?1 AND seat >= 0 AND ended <= ?2 LIMIT 1"
        return bool(await self._read(query, person, before))

    async def finished_game(self, table: str, game: int) -> Finished | None:
        """A finished game of a table."""
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
            raise BrokenTable
        return Finished(number, ended, line, zlib.decompress(record), seats, deals_id, points)

    async def count_games(self, deals_id: str) -> int:
        """The number of finished games with these deals."""
        query = "SELECT count(*) FROM games WHERE deals_id = ?1"
        count: int = (await self._read(query, deals_id))[0][0]
        return count

    async def best_games(self, deals_id: str, most: int) -> list[GameEntry]:
        """Up to ``most`` of them, most points first; without seats."""
        query = (
            "SELECT table_id, game, ended, line, NULL, deals_id FROM games WHERE deals_id = ?1"
            " ORDER BY points DESC, ended LIMIT ?2"
        )
        return [GameEntry(*row) for row in await self._read(query, deals_id, most)]

    async def contest(self, contest: str) -> tuple[int, bytes] | None:
        """The version of an event, and the event."""
        rows = await self._read("SELECT version, data FROM contests WHERE contest = ?1", contest)
        return (rows[0][0], rows[0][1]) if rows else None

    async def contests_of(self, person: str, most: int) -> list[tuple[str, bytes]]:
        """Up to ``most`` events of a person, last used first."""
        query = (
            "SELECT contest, data FROM contests WHERE contest IN"
            " (SELECT contest FROM entrants WHERE person = ?1) ORDER BY used DESC LIMIT ?2"
        )
        return [(row[0], row[1]) for row in await self._read(query, person, most)]

    async def days_of(self, person: str, edition: str, most: int) -> list[GameEntry]:
        """The finished games of a person with the deals of days for an edition, latest first."""
        query = (
            f"{_GAMES} AND seat = 0 AND deals_id LIKE '____-__-__ ' || ?2"
            " ORDER BY deals_id DESC LIMIT ?3"
        )
        return [GameEntry(*row) for row in await self._read(query, person, edition, most)]

    async def traces_of(self, people: Sequence[str]) -> list[str]:
        """The tables whose stored data names any of these people. Reads the whole store."""
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
        """By table, the lines of the chat that name a person. Reads all of them."""
        query = (
            f"SELECT table_id, number, at, data FROM chat WHERE {self._naming('data', [person])}"
        )
        found: dict[str, list[ChatRow]] = {}
        for table, *row in await self._scan(f"{query} ORDER BY 1, 2", person.encode()):
            found.setdefault(table, []).append(ChatRow(*row))
        return found

    async def games_with(self, people: Sequence[str]) -> list[tuple[str, int]]:
        """The finished games, each by table and number, that name any of these people, or are in
        their lists. Reads the lines of all games."""
        query = f"SELECT table_id, game FROM games WHERE {self._naming('line', people)}"
        found = await self._scan(query, *(person.encode() for person in people))
        for person in people:
            query = "SELECT table_id, game FROM players WHERE person = ?1"
            found += await self._read(query, person)
        return sorted({(table, game) for table, game in found})

    def _naming(self, column: str, people: Sequence[str]) -> str:
        """The condition that a column of bytes names any of these people, the parameters."""
        return " OR ".join(self.contains.format(column, n + 1) for n in range(len(people)))

    async def profile_of(self, person: str) -> Profile:
        """The name and the sign of a person."""
        rows = await self._read("SELECT name, sign FROM names WHERE person = ?1", person)
        return Profile(*rows[0]) if rows else Profile()

    async def code_since(self, person: str) -> int | None:
        """When a person's recovery code was made (milliseconds), if they have one."""
        rows = await self._read("SELECT at FROM codes WHERE person = ?1", person)
        return rows[0][0] if rows else None

    async def passkey(self, number: bytes) -> Passkey | None:
        """The passkey with this id, if any."""
        rows = await self._read(f"SELECT {PASSKEY} FROM passkeys WHERE id = ?1", number)
        return Passkey(*rows[0]) if rows else None

    async def passkeys_of(self, person: str) -> list[Passkey]:
        """The passkeys of a person, oldest first."""
        query = f"SELECT {PASSKEY} FROM passkeys WHERE person = ?1 ORDER BY at"
        return [Passkey(*row) for row in await self._read(query, person)]


def _listed(table: str, summary: bytes | None, elsewhere: object) -> StoredTable:
    return StoredTable(table, stored_summary(table, summary), bool(elsewhere))


def _for_operator(row: Any) -> ListedTable:
    return ListedTable(_listed(*row[:3]), row[3], bool(row[4]), row[5])


def _holding(snapshots: list[Any], words: list[bytes]) -> list[str]:
    """The tables whose snapshots, which may be compressed, contain any of these words."""
    found = []
    for table, data in snapshots:
        with suppress(zlib.error):  # it is damaged
            text = snapshot_json(data)
            found += [table] if any(word in text for word in words) else []
    return found


def _firsts(rows: list[Any]) -> list[str]:
    return [row[0] for row in rows]
