"""Upgrades stores of older versions.

Version 1 kept every event of a table for ever, the chat included, and read finished games from the
events: whole logs become snapshots, and finished games become records. Version 2 had to read every
line of the finished games to find those of a day, and knew no sealed bids.
"""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Callable

from rage.place.room import index
from rage.place.store import Finished, Index, Snapshot
from rage.place.store.rows import write_game, write_index, write_snapshot
from rage.server.logs import set_secret, table_fingerprint
from rage.table import Table, read_event
from rage.table.events import GameOver

log = logging.getLogger(__name__)
_OLD = ("tables", "people", "games", "players", "names")
_INDEXES = ("tables_due", "tables_open", "people_at")
_DATE_PLAYERS = (
    "UPDATE players SET ended = games.ended FROM games"
    " WHERE games.table_id = players.table_id AND games.game = players.game"
)
_FROM_2 = (
    "CREATE TABLE changed_bids (table_id TEXT PRIMARY KEY, data BLOB NOT NULL) WITHOUT ROWID",
    "ALTER TABLE games ADD COLUMN of TEXT",
    "ALTER TABLE games ADD COLUMN points INTEGER",
    "UPDATE games SET of = json_extract(CAST(line AS TEXT), '$.of')",
    "UPDATE games SET points = json_extract(CAST(line AS TEXT), '$.scores[0]')",
    "CREATE INDEX games_of ON games (of, points DESC, ended) WHERE of IS NOT NULL",
    "ALTER TABLE players ADD COLUMN ended INTEGER NOT NULL DEFAULT 0",
    _DATE_PLAYERS,
    "CREATE INDEX players_last ON players (person, ended, seat)",
)


def upgrade_2(connection: sqlite3.Connection) -> None:
    """Upgrade a file of version 2, within a transaction."""
    for statement in _FROM_2:
        connection.execute(statement)


def upgrade_1(connection: sqlite3.Connection, create: Callable[[sqlite3.Connection], None]) -> None:
    """Upgrade a file of version 1, within a transaction; ``create`` makes the tables of this
    version. A table that cannot be read is left as it was, and nobody can find it."""
    for name in _INDEXES:
        connection.execute(f"DROP INDEX {name}")
    for name in (*_OLD, "events", "settings", "tokens"):
        connection.execute(f"ALTER TABLE {name} RENAME TO old_{name}")
    create(connection)
    connection.execute("INSERT INTO events SELECT * FROM old_events")
    connection.execute("INSERT INTO settings SELECT * FROM old_settings")
    connection.execute("INSERT INTO spent (token) SELECT token FROM old_tokens")
    connection.execute("INSERT INTO names SELECT person, name, 0 FROM old_names")
    secret = connection.execute("SELECT value FROM settings WHERE name = 'secret'").fetchone()
    if secret is not None:
        set_secret(secret[0])  # so that the log calls a table the same as it will later
    rows = connection.execute("SELECT table_id, used FROM old_tables").fetchall()
    for number, (table, used) in enumerate(rows, 1):
        _upgrade_table(connection, table, used)
        if number % 1000 == 0:
            log.warning("upgrading the store: %d of %d tables", number, len(rows))
    for name in (*_OLD, "events", "settings", "tokens"):
        connection.execute(f"DROP TABLE old_{name}")


def _upgrade_table(connection: sqlite3.Connection, name: str, used: int) -> None:
    table, games = Table(), list[Finished]()
    query = "SELECT data FROM events WHERE table_id = ? ORDER BY seq"
    try:
        for (data,) in connection.execute(query, (name,)):
            event = read_event(data)
            table.apply(event)
            if isinstance(event.fact, GameOver):
                games += index.finished(table, [event])
        found = index.derive(table, used)._replace(used=used)
    except Exception as error:  # whatever it is, only this table is affected
        log.error("table %s cannot be read: %s", table_fingerprint(name), type(error).__name__)
        write_index(connection, name, Index("over", False, (), None, None, True, used))
        return
    write_index(connection, name, found)
    for game in games:
        seats = dict(_seats(connection, name, game.game)) or game.seats
        write_game(connection, name, game._replace(seats=seats))
    write_snapshot(connection, name, Snapshot(table.seq, table.snapshot(), table.seq))


def _seats(connection: sqlite3.Connection, table: str, game: int) -> list[tuple[str, int | None]]:
    """Who was at the table when a game ended, with their seats."""
    query = "SELECT person, seat FROM old_players WHERE table_id = ? AND game = ?"
    return connection.execute(query, (table, game)).fetchall()
