"""A store with many tables where nobody is playing, and what a server needs to start on it."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path
from time import perf_counter
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from lab.benchmarks.progress import Failure, say
from lab.benchmarks.server.databases import Database, new_database, vacuum
from lab.benchmarks.server.load import Load, run_load
from lab.benchmarks.server.processes import Server, serving

#: The games that all others are copies of, each interrupted after some ten moves.
_PLAYED: Final = Load(25, rate=100)
#: How many tables one person is at, and how often they are listed.
_MINE: Final = 30
_LISTS: Final = 20


class Asleep(NamedTuple):
    """``started``: the seconds until the server answers; ``listed``: the milliseconds for the
    slowest of several lists of one person's tables; ``memory``: its megabytes afterwards, without
    the database."""

    started: float
    listed: float
    memory: float


class Sleeping:
    """The same tables of interrupted games on SQLite and on PostgreSQL. Raises :class:`Failure`."""

    def __init__(self, folder: Path, environment: dict[str, str], tables: int) -> None:
        self._folder = folder
        self._environment = environment
        say(f"filling two stores with {tables:,} tables")
        data = folder / "asleep"
        with serving("rage", folder, environment, data) as server:
            run_load(server, _PLAYED, 0.5, 2)
            self._cookie, person = _somebody(server)
        (file,) = data.glob("*.sqlite")
        _multiply(file, tables, person)
        database = new_database()
        _restore(file, database, environment)
        vacuum()
        #: Both, by name.
        self.stores: Final[dict[str, Path | Database]] = {"SQLite": data, "PostgreSQL": database}

    def measure(self, name: str) -> Asleep:
        """Start a server on one of the stores, and list one person's tables."""
        store = self.stores[name]
        with serving("rage", self._folder, self._environment, store) as server:
            listed = max(_list(server, self._cookie) for _ in range(_LISTS))
            found = Asleep(server.started, listed, server.memory)
        say(f"  {name}: {found.started:.2f} s, {found.listed:.1f} ms, {found.memory:.0f} MB")
        return found


def _multiply(file: Path, count: int, person: str) -> None:
    """Copy the tables of a store until there are ``count``, with other people at each, and a
    ``person`` at some of them."""
    from rage.house.base.codes import new_code
    from rage.house.store.checking import UNCHECKED, checksum, seal_summary, sealed
    from rage.house.store.file import tables

    with closing(sqlite3.connect(file)) as connection, connection:
        connection.create_function("checksum", -1, checksum)
        connection.create_function(
            "again", 2, lambda table, summary: summary and seal_summary(table, summary[8:])
        )
        originals = [row[0] for row in connection.execute("SELECT table_id FROM tables")]
        copies = [
            (new_code(), originals[number % len(originals)])
            for number in range(count - len(originals))
        ]
        connection.execute("CREATE TEMPORARY TABLE copies (code TEXT, original TEXT)")
        connection.executemany("INSERT INTO copies VALUES (?, ?)", sorted(copies))
        for table, columns in tables().items():
            if "table_id" not in columns:
                continue
            other = {
                "table_id": "code",
                "person": "code || substr(person, 1, 4)",
                "summary": "again(code, summary)",
            }
            copied = [other.get(column, column) for column in columns[:-1]]
            checked = [
                value
                for column, value in zip(columns, copied, strict=False)
                if column not in UNCHECKED.get(table, ())
            ]
            values = ", ".join([*copied, f"checksum('{table}', {', '.join(checked)})"])
            connection.execute(
                f"INSERT INTO {table} ({', '.join(columns)}) SELECT {values}"
                f" FROM copies JOIN {table} ON table_id = original"
            )
        mine = [sealed("people", person, code) for code, _ in copies[:_MINE]]
        connection.executemany("INSERT INTO people (person, table_id, crc) VALUES (?, ?, ?)", mine)


def _restore(file: Path, database: Database, environment: dict[str, str]) -> None:
    """Copy a store to an empty database."""
    command = [sys.executable, "-m", "rage", "restore", "--store", database.url, str(file)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Failure(f"the store was not restored:\n{done.stdout}{done.stderr}")


def _somebody(server: Server) -> tuple[str, str]:
    """The cookie of somebody new, and who that is."""
    with closing(HTTPConnection(urlsplit(server.address).netloc, timeout=10)) as connection:
        connection.request("GET", "/api/me")
        response = connection.getresponse()
        return response.headers["set-cookie"].split(";")[0], json.load(response)["person"]


def _list(server: Server, cookie: str) -> float:
    """How many milliseconds the list of somebody's tables takes."""
    with closing(HTTPConnection(urlsplit(server.address).netloc, timeout=10)) as connection:
        connection.connect()
        begun = perf_counter()
        connection.request("GET", "/api/tables", headers={"Cookie": cookie})
        response = connection.getresponse()
        found = json.load(response)
        taken = 1e3 * (perf_counter() - begun)
    if response.status != 200 or not found["mine"] or found["broken"]:
        raise server.failure(f"does not list the tables: {found}")
    return taken
