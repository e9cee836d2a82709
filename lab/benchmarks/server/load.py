"""One run of the load generator against one server."""

from __future__ import annotations

import json
import os
import subprocess
from threading import Timer
from time import sleep
from typing import Any, Final, NamedTuple

from lab.benchmarks.server.node import LOAD, node, peers
from lab.benchmarks.server.processes import Server

#: Seconds within which the tables must be set up.
_TIMEOUT: Final = 60


class Load(NamedTuple):
    """A load: ``tables`` of four at once, with ``spare`` ones to replace finished games; ``rate``
    moves per second (0: each player moves at once); ``bots`` of the four seats are played by the
    server."""

    tables: int
    spare: int = 0
    rate: float = 0
    bots: int = 0

    def part(self, share: float) -> Load:
        """A share of this load."""
        return self._replace(tables=int(share * self.tables), rate=share * self.rate)


class Result(NamedTuple):
    """The results: moves per second; latencies in milliseconds; ``update``: bytes of WebSocket
    payload per seat and move; ``cpu`` and ``database``: microseconds of the server and of its
    database per move; ``connected`` and ``memory``: the server's megabytes once all ``sockets`` are
    connected, and at the end; ``busy``: the share of a core that the load generator used."""

    rate: float
    p50: float
    p99: float
    update: float
    cpu: float
    database: float
    connected: float
    memory: float
    sockets: int
    busy: float

    @property
    def processor(self) -> float:
        """Microseconds of processor time per move, of the server and its database."""
        return self.cpu + self.database


def run_load(server: Server, load: Load, warm: float, seconds: float) -> Result:
    """Play for ``warm`` seconds and then, measured, for ``seconds``. Raises :class:`Failure`."""
    asked = load._asdict() | {
        "server": server.name,
        "addresses": server.addresses,
        "warm": warm,
        "seconds": seconds,
    }
    home = peers() if server.name == "colyseus" else LOAD.parent
    process = subprocess.Popen(
        [str(node()), str(LOAD), json.dumps(asked)],
        env=os.environ | {"RAGE_PEERS": str(home)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    watch = Timer(_TIMEOUT + warm + seconds, process.kill)
    watch.start()
    try:
        return _watched(server, process, load)
    finally:
        watch.cancel()
        process.kill()
        process.communicate()


def _watched(server: Server, process: subprocess.Popen[str], load: Load) -> Result:
    sockets = _next(server, process)["sockets"]
    sleep(0.5)
    connected = server.memory
    _go_on(process)
    _next(server, process)
    before = server.cpu, server.database_cpu
    found = _next(server, process)
    spent, database = server.cpu - before[0], server.database_cpu - before[1]
    memory = server.memory
    _go_on(process)
    moves = found["moves"]
    if not moves or not found["samples"]:
        raise server.failure("has transmitted no move")
    return Result(
        rate=moves / found["seconds"],
        p50=found["p50"],
        p99=found["p99"],
        update=found["bytes"] / moves / (4 - load.bots),
        cpu=1e6 * spent / moves,
        database=1e6 * database / moves,
        connected=connected,
        memory=memory,
        sockets=sockets,
        busy=found["load"],
    )


def _next(server: Server, process: subprocess.Popen[str]) -> dict[str, Any]:
    """The next message of the load generator. Raises :class:`Failure` if it has exited."""
    assert process.stdout is not None
    line = process.stdout.readline()
    if not line:
        raise server.failure("failed under load; the load generator's error is above")
    found: dict[str, Any] = json.loads(line)
    return found


def _go_on(process: subprocess.Popen[str]) -> None:
    assert process.stdin is not None
    print(file=process.stdin, flush=True)
