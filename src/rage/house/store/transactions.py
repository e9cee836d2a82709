"""All that stores write except events: transactions as generators, the same for every database.

A transaction yields its statements one by one, is sent the rows of each, and returns its result. It
never touches a connection, so the embedded store runs it on ``sqlite3`` and the other one on
PostgreSQL, and no statement is written twice. Parameters are ``?1``, ``?2``, and so on; nothing
depends on the types or functions of one database. A transaction may be restarted.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Generator, Sequence
from typing import Any, Final, TypeVar

from rage.house.limits import MAX_GAMES, MAX_SPENT
from rage.house.store import (
    BAN,
    Append,
    ChangedBids,
    Conflict,
    Expiry,
    Finished,
    Given,
    Index,
    Row,
    Snapshot,
)
from rage.house.store.checking import checksum, seal_summary, sealed

T = TypeVar("T")
#: A statement, and the values of its parameters.
Statement = tuple[str, tuple[object, ...]]
#: A transaction: it yields statements, and is sent their rows.
Steps = Generator[Statement, list[Any], T]
#: Begins a transaction.
Operation = Callable[[], Steps[T]]


#: The most people written with one statement; there is one for each number.
MAX_PEOPLE: Final = 8


def put_row(table: str, *columns: str, key: int = 1, replace: bool = True) -> str:
    """A statement that writes a row of a table with its checksum. A row with the same ``key`` (the
    first columns) is replaced or, if not ``replace``, stays; then a new one gives an answer."""
    columns = (*columns, "crc")
    values = ", ".join(f"?{number}" for number in range(1, len(columns) + 1))
    sets = ", ".join(f"{name} = excluded.{name}" for name in columns[key:])
    return (
        f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({values})"
        f" ON CONFLICT ({', '.join(columns[:key])})"
        f" DO {f'UPDATE SET {sets}' if replace else 'NOTHING RETURNING 1'}"
    )


_PUT_TABLE: Final = put_row(
    "tables", "table_id", "phase", "open", "due_at", "host", "started", "used", "stale"
)
_GAME: Final = "games", "table_id", "game", "ended", "line", "record", "deals_id", "points"
_PUT_GAME: Final = put_row(*_GAME, key=2)
_NEW_GAME: Final = put_row(*_GAME, key=2, replace=False)
_PUT_PLAYER: Final = put_row("players", "person", "table_id", "game", "seat", "ended", key=3)
_PUT_SNAPSHOT: Final = put_row("snapshots", "table_id", "seq", "dropped", "data")
_NEWER: Final = " WHERE snapshots.seq <= excluded.seq"
_PUT_ENTRANT: Final = put_row("entrants", "person", "contest", key=2)
_PUT_SETTING: Final = put_row("settings", "name", "value")
#: Expired tables, except those that meet a condition; the parameters are in the order of
#: :class:`Expiry`.
EXPIRED: Final = (
    "SELECT table_id FROM tables WHERE NOT {0}"
    " AND used < CASE WHEN started = 0 THEN CAST(?1 AS BIGINT)"
    " WHEN phase <> 'over' THEN CAST(?2 AS BIGINT) ELSE CAST(?3 AS BIGINT) END"
    " ORDER BY used LIMIT ?4"
)
#: Lines of a chat beyond the most lines, or the most bytes.
_FORGET_CHAT: Final = (
    "DELETE FROM chat WHERE table_id = ?1 AND (number <= ?2 OR number <= ("
    "SELECT max(number) FROM (SELECT number, sum(length(data)) OVER (ORDER BY number DESC) AS total"
    " FROM chat WHERE table_id = ?1) AS lines WHERE total > ?3))"
)
#: Games that a person has played or watched, beyond the last ones.
_DROP_OLDEST: Final = (
    "DELETE FROM players WHERE person = ?1 AND (seat IS NULL) = ?2 AND ended <"
    " (SELECT ended FROM players WHERE person = ?1 AND (seat IS NULL) = ?2"
    " ORDER BY ended DESC LIMIT 1 OFFSET ?3) RETURNING table_id, game"
)
_REMOVE_UNWANTED: Final = (
    "DELETE FROM games WHERE table_id = ?1 AND game = ?2"
    " AND NOT EXISTS (SELECT 1 FROM players WHERE table_id = ?1 AND game = ?2)"
)
#: Games that only one person keeps.
_REMOVE_THEIRS: Final = (
    "DELETE FROM games WHERE (table_id, game) IN (SELECT table_id, game FROM players"
    " WHERE person = ?1) AND NOT EXISTS (SELECT 1 FROM players AS others WHERE others.table_id ="
    " games.table_id AND others.game = games.game AND others.person <> ?1)"
)
_TABLES: Final = ("events", "lost", "snapshots", "changed_bids", "chat", "people", "tables")
#: Names, recovery codes or passkeys of people at no table and in no list of games, after one time
#: and person and up to another.
_UNUSED: Final = (
    "DELETE FROM {0} WHERE (at, person) > (?1, ?2) AND (at, person) <= (?3, ?4)"
    " AND NOT EXISTS (SELECT 1 FROM people WHERE people.person = {0}.person)"
    " AND NOT EXISTS (SELECT 1 FROM players WHERE players.person = {0}.person)"
)
_FORGET_SPENT: Final = (
    "DELETE FROM spent WHERE number <="
    " (SELECT number FROM spent ORDER BY number DESC LIMIT 1 OFFSET ?1)"
)


def write_changes(append: Append) -> Steps[None]:
    """Write the changes of one command, except the events. Raises :class:`Conflict`."""
    table = append.table
    if append.after is not None:
        yield from _check_stored(table, append.after)
    if append.instead:
        yield from _go_on(table, append.instead)
    if (index := append.new_index) is not None:
        yield from _write_index(table, index)
    for over in append.finished:  # one that is stored stays: people were shown it
        yield from write_game(table, over, replace=False)
    if append.snapshot is not None:
        yield from _write_snapshot(table, append.snapshot)
    if append.bids is not None:
        yield from _write_bids(table, append.bids)


def _check_stored(table: str, seq: int) -> Steps[None]:
    """Raise :class:`Conflict` unless an event is stored, or a snapshot just after it."""
    query = "SELECT 1 FROM {} WHERE table_id = ?1 AND seq = ?2"
    if not (yield f"{query.format('events')} UNION {query.format('snapshots')}", (table, seq)):
        raise Conflict


_ROW: Final = "INSERT INTO {} (table_id, seq, at, data, crc) VALUES (?1, ?2, ?3, ?4, ?5)"


def _go_on(table: str, rows: tuple[Row, ...]) -> Steps[None]:
    """Write events in place of all from the number of the first one on, which move to ``lost``.
    Raises :class:`Conflict` unless the one before is stored."""
    first = (table, rows[0].seq)
    yield from _check_stored(table, rows[0].seq - 1)
    for old in (yield "SELECT seq, at, data FROM events WHERE table_id = ?1 AND seq >= ?2", first):
        yield f"{_ROW.format('lost')} ON CONFLICT DO NOTHING", sealed("lost", table, *old)
    for name in ("events", "snapshots"):
        yield f"DELETE FROM {name} WHERE table_id = ?1 AND seq >= ?2", first
    yield "UPDATE tables SET summary = NULL, stale = 1 WHERE table_id = ?1", (table,)
    yield "DELETE FROM changed_bids WHERE table_id = ?1", (table,)
    for row in rows:
        yield _ROW.format("events"), sealed("events", table, *row)


def _write_index(table: str, index: Index) -> Steps[None]:
    """Write the index of a table, whose summary is now out of date."""
    found, started = int(index.open), int(index.started)
    row = (table, index.phase, found, index.due_at, index.host, started, index.used)
    yield _PUT_TABLE, (*row, 1, checksum("tables", *row))
    if index.people is None:
        return
    yield "DELETE FROM people WHERE table_id = ?1", (table,)
    for start in range(0, len(index.people), MAX_PEOPLE):
        some = index.people[start : start + MAX_PEOPLE]
        rows = ", ".join(f"(?{2 * n}, ?1, ?{2 * n + 1})" for n in range(1, len(some) + 1))
        query = f"INSERT INTO people (person, table_id, crc) VALUES {rows}"
        sums = (value for person in some for value in (person, checksum("people", person, table)))
        yield query, (table, *sums)


def write_game(table: str, over: Finished, *, replace: bool = True) -> Steps[None]:
    """Write a finished game, its record compressed, and remove the oldest games of people who now
    have too many. Without ``replace``, a game that is stored already stays as it is."""
    record = zlib.compress(over.record)
    game = (table, over.game, over.ended, over.line, record, over.deals_id, over.points)
    written = yield _PUT_GAME if replace else _NEW_GAME, sealed("games", *game)
    if not (written or replace):
        return
    for person, seat in over.seats.items():
        yield _PUT_PLAYER, sealed("players", person, table, over.game, seat, over.ended)
    for person, seat in over.seats.items():
        for dropped in (yield _DROP_OLDEST, (person, seat is None, MAX_GAMES - 1)):
            yield _REMOVE_UNWANTED, tuple(dropped)


def _write_snapshot(table: str, snapshot: Snapshot) -> Steps[None]:
    """Replace the snapshot of a table, and remove the events that it covers."""
    row = sealed("snapshots", table, snapshot.seq, snapshot.dropped, snapshot.data)
    yield _PUT_SNAPSHOT + _NEWER, row
    yield "DELETE FROM events WHERE table_id = ?1 AND seq <= ?2", (table, snapshot.dropped)


def _write_bids(table: str, bids: ChangedBids) -> Steps[None]:
    """Write the changed bids of a table. Raises :class:`Conflict` if the stored ones are not as
    expected."""
    before, after = bids
    if before is None and after is None:
        query = "SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM changed_bids WHERE table_id = ?1)"
        matched = yield query, (table,)
    elif before is None:
        query = "INSERT INTO changed_bids VALUES (?1, ?2, ?3) ON CONFLICT (table_id) DO NOTHING"
        matched = yield f"{query} RETURNING 1", sealed("changed_bids", table, after)
    elif after is None:
        query = "DELETE FROM changed_bids WHERE table_id = ?1 AND data = ?2 RETURNING 1"
        matched = yield query, (table, before)
    else:
        query = "UPDATE changed_bids SET data = ?3, crc = ?4 WHERE table_id = ?1 AND data = ?2"
        values = table, before, after, checksum("changed_bids", table, after)
        matched = yield f"{query} RETURNING 1", values
    if not matched:
        raise Conflict


def remove_tables(tables: Sequence[str]) -> Steps[None]:
    """Remove tables and everything that belongs to them except their finished games."""
    places = ", ".join(f"?{number}" for number in range(1, len(tables) + 1))
    for name in _TABLES if tables else ():
        yield f"DELETE FROM {name} WHERE table_id IN ({places})", tuple(tables)


def remove_expired(expiry: Expiry, most: int) -> Steps[bool]:
    """Remove expired reports, and up to ``most`` expired games. Returns whether there were any such
    games."""
    query = "DELETE FROM settings WHERE name BETWEEN 'report 0' AND ?1"
    yield query, (f"report {expiry.reports:013}",)
    old = "SELECT contest FROM contests WHERE used < CAST(?1 AS BIGINT)"
    for name in ("entrants", "contests"):
        yield f"DELETE FROM {name} WHERE contest IN ({old})", (expiry.finished,)
    query = "SELECT table_id, game FROM games WHERE ended < ?1 ORDER BY ended LIMIT ?2"
    games = yield query, (expiry.games, most)  # with NULL there are none
    rows = ", ".join(f"(?{2 * n + 1}, CAST(?{2 * n + 2} AS BIGINT))" for n in range(len(games)))
    for name in ("players", "games") if games else ():
        query = f"DELETE FROM {name} WHERE (table_id, game) IN (VALUES {rows})"
        yield query, tuple(value for game in games for value in game)
    return bool(games)


def forget(name: str, before: int, after: Given, most: int) -> Steps[Given | None]:
    """See :meth:`rage.house.store.sql.Store.forget`."""
    query = (
        f"SELECT at, person FROM {name} WHERE at < ?1 AND (at, person) > (?2, ?3)"
        " ORDER BY at, person LIMIT ?4"
    )
    rows = yield query, (before, *after, most)
    if not rows:
        return None
    last = Given(*rows[-1])
    yield _UNUSED.format(name), (*after, *last)
    return last


def keep_contest(
    contest: str, version: int, used: int, data: bytes, people: Sequence[str]
) -> Steps[bool]:
    """Store the next ``version`` of an event, and who else takes part; version 1 is a new one.
    Returns whether it was the next version."""
    row = sealed("contests", contest, version, used, data)
    if version == 1:
        query = "INSERT INTO contests VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT (contest) DO NOTHING"
    else:
        query = (
            "UPDATE contests SET version = ?2, used = ?3, data = ?4, crc = ?5"
            " WHERE contest = ?1 AND version = ?2 - 1"
        )
    if not (yield f"{query} RETURNING 1", row):
        return False
    for person in people:
        yield _PUT_ENTRANT, sealed("entrants", person, contest)
    return True


def prove_writable() -> Steps[None]:
    """Write and delete a row."""
    yield _PUT_SETTING, sealed("settings", "proof", b"")
    yield "DELETE FROM settings WHERE name = 'proof'", ()


def keep_setting(name: str, value: bytes) -> Steps[bytes]:
    """Store a value under a name, unless there is one. Returns the stored one."""
    query = "INSERT INTO settings VALUES (?1, ?2, ?3) ON CONFLICT (name) DO NOTHING"
    yield query, sealed("settings", name, value)
    rows = yield "SELECT value FROM settings WHERE name = ?1", (name,)
    kept: bytes = rows[0][0]
    return kept


def put(name: str, value: bytes) -> Steps[None]:
    """Store a value under a name, in place of an earlier one."""
    yield _PUT_SETTING, sealed("settings", name, value)


def take(name: str) -> Steps[bytes | None]:
    """Remove the value stored under a name, if there is one, and return it."""
    rows = yield "DELETE FROM settings WHERE name = ?1 RETURNING value", (name,)
    return rows[0][0] if rows else None


def keep_report(name: str, report: bytes, most: int) -> Steps[None]:
    """Store a report, and remove the oldest beyond ``most``; names sort by time."""
    yield from put(name, report)
    reports = "FROM settings WHERE name BETWEEN 'report 0' AND"
    last = f"(SELECT name {reports} 'report 9' ORDER BY name DESC LIMIT 1 OFFSET ?1)"
    yield f"DELETE {reports} {last}", (most,)


def spend(token: bytes) -> Steps[bool]:
    """Return whether a token is new; the last :data:`MAX_SPENT` are remembered."""
    query = "INSERT INTO spent (token, crc) VALUES (?1, 0) ON CONFLICT (token) DO NOTHING"
    if not (rows := (yield f"{query} RETURNING number", (token,))):
        return False
    number = rows[0][0]
    yield "UPDATE spent SET crc = ?2 WHERE number = ?1", (number, checksum("spent", number, token))
    yield _FORGET_SPENT, (MAX_SPENT,)
    return True


def say(table: str, at: int, data: bytes, most: int, most_bytes: int) -> Steps[int]:
    """Store a line of a table's chat, and remove the oldest lines. Returns its number there."""
    query = "SELECT coalesce(max(number), 0) + 1 FROM chat WHERE table_id = ?1"
    number: int = (yield query, (table,))[0][0]
    yield "INSERT INTO chat VALUES (?1, ?2, ?3, ?4, ?5)", sealed("chat", table, number, at, data)
    yield _FORGET_CHAT, (table, number - most, most_bytes)
    return number


def unsay(table: str, lines: Sequence[int]) -> Steps[None]:
    """Remove lines of a table's chat, and its lost events."""
    yield "DELETE FROM lost WHERE table_id = ?1", (table,)
    for number in lines:
        yield "DELETE FROM chat WHERE table_id = ?1 AND number = ?2", (table, number)


def drop_game(table: str, game: int, person: str | None) -> Steps[None]:
    """Take a finished game out of a person's list, and remove it if no one else keeps it, or no one
    else has played it; without a person, remove it."""
    of_game = "table_id = ?1 AND game = ?2"
    if person is not None:
        query = f"DELETE FROM players WHERE {of_game} AND person = ?3 RETURNING seat"
        dropped = yield query, (table, game, person)
        query = f"SELECT 1 FROM players WHERE {of_game} AND seat IS NOT NULL"
        if not dropped or dropped[0][0] is None or (yield query, (table, game)):
            yield _REMOVE_UNWANTED, (table, game)
            return
    for name in ("players", "games"):
        yield f"DELETE FROM {name} WHERE {of_game}", (table, game)


def erase(people: Sequence[str], digest: str) -> Steps[list[str]]:
    """See :meth:`rage.house.store.sql.Store.erase`."""
    tables = list[str]()
    for person in people:
        query = "DELETE FROM people WHERE person = ?1 RETURNING table_id"
        tables += [row[0] for row in (yield query, (person,))]
        yield _REMOVE_THEIRS, (person,)
        for name in ("players", "entrants", "names", "codes", "passkeys", "sessions"):
            yield f"DELETE FROM {name} WHERE person = ?1", (person,)
        yield "DELETE FROM settings WHERE name = ?1", (f"{BAN}{person}",)
    query = "INSERT INTO sessions VALUES (?1, ?2, ?3) ON CONFLICT (person) DO NOTHING"
    yield query, sealed("sessions", digest, 1)
    return tables


def summarize(table: str, seq: int, summary: bytes) -> Steps[None]:
    """Store the summary of a table as of event ``seq``, unless that is lost or there are later
    ones."""
    query = (
        "UPDATE tables SET summary = ?3, stale = 0 WHERE table_id = ?1"
        " AND NOT EXISTS (SELECT 1 FROM events WHERE table_id = ?1 AND seq > ?2)"
        " AND (EXISTS (SELECT 1 FROM events WHERE table_id = ?1 AND seq = ?2)"
        " OR EXISTS (SELECT 1 FROM snapshots WHERE table_id = ?1 AND seq = ?2))"
    )
    yield query, (table, seq, seal_summary(table, summary))
