"""The file of an embedded store, for looking at it, or for spoiling it."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from rage.house.alone.storage import SerialWriter
from rage.house.store.file import tables
from rage.house.store.sqlite import SqliteStore
from rage.server.stores import STORE

#: The bytes of a page.
PAGE = 4096


def sqlite_store(path: Path) -> SqliteStore:
    """The embedded store in a file, which is created if needed."""
    return SqliteStore(path, SerialWriter)


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


def logical_rows(file: Path) -> dict[str, list[tuple[object, ...]]]:
    """The same without summaries, which are derived again if they are lost."""
    found = rows_in(file)
    names = tables()["tables"]
    kept = [n for n, name in enumerate(names) if name not in ("summary", "stale")]
    found["tables"] = [tuple(row[n] for n in kept) for row in found["tables"]]
    return found


def leaf_with(file: Path, table: str) -> int:
    """The number of the page of a file that has most rows of a game table, from 1."""
    data = file.read_bytes()
    pages = [data[start : start + PAGE] for start in range(0, len(data), PAGE)]
    leaves = [n for n, page in enumerate(pages) if page[0] == 10]  # of a table without rowids
    return 1 + max(leaves, key=lambda n: pages[n].count(table.encode()))


def overwrite(file: Path, page: int, data: bytes, place: int = 0) -> None:
    """Write something over a page of a file, from 1, or over a part of it."""
    with file.open("r+b") as opened:
        opened.seek((page - 1) * PAGE + place)
        opened.write(data)
