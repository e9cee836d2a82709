"""The PostgreSQL of the benchmarks: its own cluster with the settings of a fresh installation,
so that every commit is on the disk."""

from __future__ import annotations

import asyncio
import atexit
from functools import cache
from typing import NamedTuple
from uuid import uuid4

from lab.benchmarks.progress import Failure
from tools.postgres import PORT, Cluster
from tools.services import found


class Database(NamedTuple):
    """A database: its address, and the process whose children do its work."""

    url: str
    pid: int


def new_database() -> Database:
    """An empty database. Raises :class:`Failure` if PostgreSQL is not installed."""
    made = _cluster()
    return Database(asyncio.run(made.url(f"rage_{uuid4().hex}")), made.pid)


def vacuum() -> None:
    """Vacuum and analyze everything, as the cluster does by itself some minutes after it was
    filled."""
    made = _cluster()
    made.call("vacuumdb", "-h", made.folder, "-p", PORT, "-U", "rage", "--analyze", "postgres")


@cache
def _cluster() -> Cluster:
    program = found("postgres")
    if program is None:
        raise Failure("PostgreSQL is not installed: python -m tools.services")
    made = Cluster(program)
    atexit.register(made.end)
    return made
