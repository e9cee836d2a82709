"""One run of the load generator against one server."""

from __future__ import annotations

import json
import os
import subprocess
from threading import Timer
from time import sleep
from typing import Any, Final, NamedTuple

from benchmarks.server.node import LOAD, node, peers
from benchmarks.server.processes import Server

#: What setting the tables up may take, in seconds.
_PATIENCE: Final = 60


class Load(NamedTuple):
    """What is played: at so many ``tables`` of four at once, with as many ``spare`` ones that
    take the place of those whose game is over; ``rate`` moves a second, 0: as fast as they come;
    ``bots`` of the four seats are the server's own."""

    tables: int
    spare: int = 0
    rate: float = 0
    bots: int = 0


class Played(NamedTuple):
    """What came of it. Latencies in milliseconds; ``update``: bytes of WebSocket payload that a
    seat gets for a move; ``cpu``: microseconds of the server a move; ``memory``: megabytes with
    all sockets connected, and at the end of play; ``busy``: of the load generator itself."""

    rate: float
    p50: float
    p99: float
    update: float
    cpu: float
    connected: float
    memory: float
    sockets: int
    busy: float


def played(server: Server, load: Load, warm: float, seconds: float) -> Played:
    """Play for ``warm`` seconds and then, measured, for ``seconds``. Raises :class:`Failure`."""
    asked = load._asdict() | {
        "server": server.name,
        "address": server.address,
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
    watch = Timer(_PATIENCE + warm + seconds, process.kill)
    watch.start()
    try:
        return _watched(server, process, load)
    finally:
        watch.cancel()
        process.kill()
        process.communicate()


def _watched(server: Server, process: subprocess.Popen[str], load: Load) -> Played:
    sockets = _next(server, process)["sockets"]
    sleep(0.5)
    connected = server.memory
    _go_on(process)
    _next(server, process)
    before = server.cpu
    found = _next(server, process)
    spent, memory = server.cpu - before, server.memory
    _go_on(process)
    moves = found["moves"]
    if not moves or not found["samples"]:
        raise server.failure("has carried no move")
    return Played(
        rate=moves / found["seconds"],
        p50=found["p50"],
        p99=found["p99"],
        update=found["bytes"] / moves / (4 - load.bots),
        cpu=1e6 * spent / moves,
        connected=connected,
        memory=memory,
        sockets=sockets,
        busy=found["load"],
    )


def _next(server: Server, process: subprocess.Popen[str]) -> dict[str, Any]:
    """What the load generator says next."""
    assert process.stdout is not None
    line = process.stdout.readline()
    if not line:
        raise server.failure("was not to be played with; what the load generator says is above")
    found: dict[str, Any] = json.loads(line)
    return found


def _go_on(process: subprocess.Popen[str]) -> None:
    assert process.stdin is not None
    print(file=process.stdin, flush=True)
