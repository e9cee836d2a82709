"""The file of an embedded store, for looking at it, or for spoiling it."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from rage.place.store.copies import tables
from rage.server.app import STORE


@contextlib.contextmanager
def stored(data: Path) -> Iterator[sqlite3.Connection]:
    """A connection to the store in a data folder."""
    with contextlib.closing(sqlite3.connect(data / STORE, isolation_level=None)) as connection:
        yield connection


def count(data: Path, name: str, table: str) -> int:
    """How many rows of a table of the store belong to a game table."""
    with stored(data) as connection:
        query = f"SELECT count(*) FROM {name} WHERE table_id = ?"
        found: int = connection.execute(query, (table,)).fetchone()[0]
        return found


def rows_in(file: Path) -> dict[str, list[tuple[object, ...]]]:
    """All rows of a file, sorted."""
    with contextlib.closing(sqlite3.connect(file)) as connection:
        return {
            table: sorted(connection.execute(f"SELECT {', '.join(names)} FROM {table}"), key=repr)
            for table, names in tables().items()
        }
