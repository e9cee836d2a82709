"""The statements with which the embedded store writes everything but events, and removes things."""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Sequence
from typing import Final

from rage.place.limits import MAX_GAMES
from rage.place.store import ChangedBids, Conflict, Expiry, Finished, Index, Snapshot

#: The most free pages of the file given back to the system at a time.
MAX_PAGES: Final = 500
#: Tables that have expired; the parameters are in the order of :class:`Expiry`.
EXPIRED: Final = (
    "SELECT table_id FROM tables WHERE used < CASE WHEN NOT started THEN ?1"
    " WHEN phase <> 'over' THEN ?2 ELSE ?3 END ORDER BY used LIMIT ?4"
)
#: Lines of a chat beyond the most lines, or the most bytes.
FORGET_CHAT: Final = (
    "DELETE FROM chat WHERE table_id = ?1 AND (number <= ?2 OR number <= ("
    "SELECT max(number) FROM (SELECT number, sum(length(data)) OVER (ORDER BY number DESC) AS total"
    " FROM chat WHERE table_id = ?1) WHERE total > ?3))"
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
_TABLES: Final = ("events", "snapshots", "changed_bids", "chat", "people", "tables")
#: Names, recovery codes and passkeys of people at no table and in no list of games.
_UNUSED: Final = (
    "DELETE FROM {0} WHERE at < ?"
    " AND NOT EXISTS (SELECT 1 FROM people WHERE people.person = {0}.person)"
    " AND NOT EXISTS (SELECT 1 FROM players WHERE players.person = {0}.person)"
)


def write_index(connection: sqlite3.Connection, table: str, index: Index) -> None:
    """Write the index of a table, and delete its summary, which is now out of date."""
    row = (table, index.phase, index.open, index.due_at, index.host, index.started, index.used)
    connection.execute("INSERT OR REPLACE INTO tables VALUES (?, ?, ?, ?, ?, ?, ?, NULL)", row)
    connection.execute("DELETE FROM people WHERE table_id = ?", (table,))
    people = [(person, table) for person in index.people]
    connection.executemany("INSERT INTO people VALUES (?, ?)", people)


def write_game(connection: sqlite3.Connection, table: str, over: Finished) -> None:
    """Write a finished game, its record compressed, and remove the games that its people then have
    too many of."""
    record = zlib.compress(over.record)
    game = (table, over.game, over.ended, over.line, record, over.deals_id, over.points)
    connection.execute("INSERT OR REPLACE INTO games VALUES (?, ?, ?, ?, ?, ?, ?)", game)
    players = [(person, table, over.game, seat, over.ended) for person, seat in over.seats.items()]
    connection.executemany("INSERT OR REPLACE INTO players VALUES (?, ?, ?, ?, ?)", players)
    for person, seat in over.seats.items():
        values = (person, seat is None, MAX_GAMES - 1)
        for dropped in connection.execute(_DROP_OLDEST, values).fetchall():
            connection.execute(_REMOVE_UNWANTED, dropped)


def write_snapshot(connection: sqlite3.Connection, table: str, snapshot: Snapshot) -> None:
    """Replace the snapshot of a table, and remove the events that it covers."""
    row = (table, snapshot.seq, snapshot.dropped, snapshot.data)
    connection.execute("INSERT OR REPLACE INTO snapshots VALUES (?, ?, ?, ?)", row)
    replaced = "DELETE FROM events WHERE table_id = ? AND seq <= ?"
    connection.execute(replaced, (table, snapshot.dropped))


def write_bids(connection: sqlite3.Connection, table: str, bids: ChangedBids) -> None:
    """Write the changed bids of a table. Raises :class:`Conflict` if the stored ones are not those
    expected."""
    query = "SELECT data FROM changed_bids WHERE table_id = ?"
    found = connection.execute(query, (table,)).fetchone()
    if (found and found[0]) != bids.before:
        raise Conflict
    connection.execute("DELETE FROM changed_bids WHERE table_id = ?", (table,))
    if bids.after is not None:
        connection.execute("INSERT INTO changed_bids VALUES (?, ?)", (table, bids.after))


def remove_tables(connection: sqlite3.Connection, tables: Sequence[str]) -> None:
    """Remove tables and everything that belongs to them except their finished games."""
    for name in _TABLES:
        rows = [(table,) for table in tables]
        connection.executemany(f"DELETE FROM {name} WHERE table_id = ?", rows)


def remove_games(connection: sqlite3.Connection, expiry: Expiry, most: int) -> bool:
    """Remove up to ``most`` expired games, and unused names, recovery codes and passkeys. Returns
    whether there were any."""
    query = "SELECT table_id, game FROM games WHERE ended < ? ORDER BY ended LIMIT ?"
    games = connection.execute(query, (expiry.games, most)).fetchall()  # with NULL there are none
    for name in ("players", "games"):
        connection.executemany(f"DELETE FROM {name} WHERE table_id = ? AND game = ?", games)
    unused = [_UNUSED.format(name) for name in ("names", "codes", "passkeys")]
    removed = [connection.execute(query, (expiry.names,)).rowcount for query in unused]
    return bool(games) or sum(removed) > 0


def end_sessions(connection: sqlite3.Connection, person: str, passkey: bytes | None = None) -> int:
    """Increment the session number of a person, and forget their recovery code and all passkeys
    but this one. Returns the number."""
    connection.execute("DELETE FROM codes WHERE person = ?", (person,))
    connection.execute("DELETE FROM passkeys WHERE person = ? AND id IS NOT ?", (person, passkey))
    connection.execute(
        "INSERT INTO sessions VALUES (?, 1) ON CONFLICT DO UPDATE SET number = number + 1",
        (person,),
    )
    query = "SELECT number FROM sessions WHERE person = ?"
    number: int = connection.execute(query, (person,)).fetchone()[0]
    return number


def used_bytes(connection: sqlite3.Connection) -> int:
    """The size of the file, without its free pages."""
    (pages,) = connection.execute("PRAGMA page_count").fetchone()
    (size,) = connection.execute("PRAGMA page_size").fetchone()
    return int((pages - _free_pages(connection)) * size)


def free_space(connection: sqlite3.Connection) -> bool:
    """Shrink the file by some of its free pages. Returns whether there are more."""
    free = _free_pages(connection)
    for _ in range(min(free, MAX_PAGES)):  # given a larger number, Python's sqlite3 frees only one
        connection.execute("PRAGMA incremental_vacuum(1)")
    return 0 < _free_pages(connection) < free


def _free_pages(connection: sqlite3.Connection) -> int:
    count: int = connection.execute("PRAGMA freelist_count").fetchone()[0]
    return count
