"""Creates the tables of a PostgreSQL database and brings them up to date."""

from __future__ import annotations

import re
from importlib.resources import files
from typing import Final

from rage.house.store import StoreFailed
from rage.house.store.file import tables
from rage.say import Reason
from rage.server.postgres.connection import Connection

#: The format of the database; a change to it must upgrade databases of earlier formats.
VERSION: Final = 1
#: The oldest PostgreSQL with all the features used here.
OLDEST: Final = 14
#: Seconds after which a dead server is forgotten.
FORGOTTEN_AFTER: Final = 86_400
#: The key of the lock held while tables are created: "rage".
LOCK: Final = 0x72616765
#: The database's clock, which all servers go by, in milliseconds.
NOW: Final = "CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)"
#: The tables that servers need in addition to those of the embedded store.
_SERVERS: Final = """
CREATE TABLE servers (server TEXT PRIMARY KEY, seen BIGINT NOT NULL, name TEXT NOT NULL);
CREATE TABLE owners (table_id TEXT PRIMARY KEY, server TEXT NOT NULL);
CREATE INDEX owners_of ON owners (server);
"""
#: Tables added since the first databases, created where they are missing.
_ADDED: Final = """
CREATE TABLE IF NOT EXISTS commits (
    server TEXT PRIMARY KEY, number BIGINT NOT NULL, at BIGINT NOT NULL
);
CREATE TABLE IF NOT EXISTS lost (
    table_id TEXT NOT NULL, seq BIGINT NOT NULL, at BIGINT NOT NULL, data BYTEA NOT NULL,
    crc BIGINT NOT NULL, PRIMARY KEY (table_id, seq, at)
);
CREATE TABLE IF NOT EXISTS contests (
    contest TEXT PRIMARY KEY, version BIGINT NOT NULL, used BIGINT NOT NULL, data BYTEA NOT NULL,
    crc BIGINT NOT NULL
);
CREATE TABLE IF NOT EXISTS entrants (
    person TEXT NOT NULL, contest TEXT NOT NULL, crc BIGINT NOT NULL, PRIMARY KEY (person, contest)
);
"""
#: Forget servers that died long ago.
_FORGET: Final = f"""
DELETE FROM servers WHERE seen < {NOW} - {1000 * FORGOTTEN_AFTER};
DELETE FROM owners WHERE server NOT IN (SELECT server FROM servers);
DELETE FROM commits WHERE at < {NOW} / 1000 - {FORGOTTEN_AFTER}
    AND server NOT IN (SELECT server FROM servers);
"""


async def prepare(connection: Connection, *, serves: bool = True) -> None:
    """Create missing tables; in an empty database all of them, if the caller ``serves``, which also
    forgets servers that died long ago. Raises :class:`StoreFailed` for a database of another
    version, and leaves it unchanged."""
    found = connection.get_server_version().major
    if found < OLDEST:
        raise StoreFailed(Reason("store.old_database", {"version": found, "oldest": OLDEST}))
    async with connection.transaction():
        await connection.execute("SELECT pg_advisory_xact_lock($1)", LOCK)
        if await connection.fetchval("SELECT to_regclass('rage_version')") is None:
            if not serves:
                return
            await connection.execute(_schema())
        version = await connection.fetchval("SELECT number FROM rage_version")
        if version != VERSION:
            key = "store.newer_database" if version > VERSION else "store.older_database"
            raise StoreFailed(Reason(key, {"version": version}))
        await _add_missing(connection)
        if serves:
            await connection.execute(_FORGET)


async def _add_missing(connection: Connection) -> None:
    """Create later additions: tables, indexes, and the checksum columns."""
    await connection.execute(_ADDED)
    query = (
        "SELECT name FROM unnest($1::text[]) AS name WHERE NOT EXISTS (SELECT 1 FROM pg_attribute"
        " WHERE attrelid = to_regclass(name) AND attname = 'crc')"
    )
    for (table,) in await connection.fetch(query, list(tables())):
        await connection.execute(f"ALTER TABLE {table} ADD COLUMN crc BIGINT")
    for statement in _schema().split(";\n"):
        found = re.match(r"CREATE INDEX IF NOT EXISTS (\w+)", statement.strip())
        if found and await connection.fetchval("SELECT to_regclass($1)", found[1]) is None:
            await connection.execute(statement)


def _schema() -> str:
    """The tables of the embedded store, in PostgreSQL's types."""
    script = files("rage.house.store").joinpath("schema.sql").read_text("utf-8")
    for ours, theirs in (
        (" WITHOUT ROWID", ""),
        ("number INTEGER PRIMARY KEY", "number BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY"),
        ("INTEGER", "BIGINT"),
        ("BLOB", "BYTEA"),
    ):
        script = script.replace(ours, theirs)
    return f"{script}{_SERVERS}CREATE TABLE rage_version AS SELECT {VERSION} AS number;"
