"""Many clients that ask and talk at once, in a process of their own, so that what a test measures
of other clients is the server's doing and not theirs.

Run as a program, ``python -m server.crowd <kind>`` reads what it is to do as JSON from its input,
and prints what came of it as JSON: ``attacker`` sends the same frames again and again, ``chatters``
watch a table and talk, the ``stranger`` does all that one address can.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from server.raw_client import CONT, PING, PONG, RawClient, frame, handshake

#: For how many seconds one who was hung up on stays away.
AWAY: Final = 1.0
#: How much somebody with a bad line reads, in bytes, and how often.
SIP: Final = 4096
SIPS: Final = 0.25
#: The same for somebody with a good one, and for how many seconds an answer may take.
MUCH: Final = 1 << 20
PATIENCE: Final = 10.0
#: After how many seconds an attack gives up that nobody disconnects.
LONGEST: Final = 30.0
READY: Final = "ready"
#: The number of the last event, and of a line of the chat, in what a server tells.
_SEQ: Final = re.compile(rb'"seq":(\d+)')
_LINE: Final = re.compile(rb'{"number":(\d+),"at":')


@contextlib.contextmanager
def crowd(kind: str, **told: object) -> Iterator[subprocess.Popen[str]]:
    """A context with a crowd that is connected and at work. :func:`outcome` waits for what came of
    it; leaving the context before that ends it."""
    paths = filter(None, (str(Path(__file__).parents[1]), os.environ.get("PYTHONPATH")))
    process = subprocess.Popen(
        [sys.executable, "-m", "server.crowd", kind],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
    )
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        process.stdin.write(json.dumps(told) + "\n")
        process.stdin.flush()
        assert process.stdout.readline().strip() == READY
        yield process
    finally:
        process.kill()
        process.wait()
        process.stdin.close()
        process.stdout.close()


#: What an attacker sends again and again until it is disconnected, and how often a second, if not
#: as often as it can.
ATTACKS: Final[dict[str, tuple[bytes, float]]] = {
    "pings": (frame(b"", PING) * 10_000, 0),
    "pongs": (frame(b"", PONG) * 10_000, 0),
    "messages": (frame(b'{"ping":1}') * 10_000, 0),
    "fragments": (frame(b'{"ping":', fin=False) + frame(b"", CONT, fin=False) * 10_000, 0),
    "plays": (frame(b'{"id":1,"do":{"type":"play","ply":0,"move":"R1"}}') * 10_000, 0),
    "claims": (frame(b'{"id":1,"do":{"type":"claim","ply":0,"tricks":[0,0,0,9]}}') * 60, 0),
    "since": (frame(b'{"since":1}') * 200, 0),
    "deep": (frame(b'{"do":{"a":' + b"[" * 1900 + b"]" * 1900 + b"}}"), 0),
    "long": (frame(b'{"do":{"a":"' + b"x" * 16_384 + b'"}}'), 0),
    "more after the close": (frame(b"nonsense") + frame(b'{"ping":1}') * 10_000, 0),
    "just too often": (frame(b'{"ping":1}'), 60),
    "nothing": (b"", 0),
}


async def attacker(url: str, code: str, who: str, seconds: float, name: str) -> dict[str, Any]:
    """Attack for some ``seconds``, connecting again each time, and on a busy machine until the
    server has disconnected once, or for as long as that may take."""
    ended, begun = 0, time.monotonic()
    data, rate = ATTACKS[name]
    print(READY, flush=True)
    while (passed := time.monotonic() - begun) < seconds or not (ended or passed > LONGEST):
        try:
            client = RawClient(url, code, who)
        except (EOFError, OSError):
            time.sleep(0.01)
            continue
        client.socket.settimeout(max(0.1, (seconds if ended else LONGEST) - passed))
        with client:
            try:
                for turn in itertools.count() if data else ():
                    client.send(data)
                    if rate:
                        time.sleep(max(0.0, begun + passed + turn / rate - time.monotonic()))
            except TimeoutError:
                continue  # the time is up: it was not the server that ended this
            except OSError:
                pass
            ended += 1
    return {"ended": ended}


def outcome(process: subprocess.Popen[str]) -> dict[str, Any]:
    """What came of a crowd, once it is done."""
    assert process.stdout is not None
    found: dict[str, Any] = json.loads(process.stdout.readline())
    return found


class Chatter(asyncio.Protocol):
    """A client that talks all the time, counts what is said, and reconnects as the page does, from
    the last thing it was told."""

    def __init__(self, url: str, code: str, who: str, number: int, line: bytes) -> None:
        self._url, self._code, self._who, self._line = url, code, who, line
        self._watch = frame(_said({"type": "watch", "name": f"Guest {number}"}))
        self._told: dict[bytes, bytes] = {}
        self._answered = False
        self.transport: asyncio.Transport | None = None
        self.bytes = 0

    async def come(self) -> None:
        """Connect to the table."""
        self._answered = False
        there = urlsplit(self._url)
        loop = asyncio.get_running_loop()
        await loop.create_connection(lambda: self, there.hostname, there.port)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        query = b"?" + b"&".join(b"%b=%b" % each for each in self._told.items())
        transport.write(handshake(self._url, self._code, self._who, query.decode()))

    def data_received(self, data: bytes) -> None:
        if not self._answered and self.transport is not None:
            self._answered = True
            self.transport.write(self._watch)
        self.bytes += len(data)
        for name, found in ((b"since", _SEQ), (b"chat", _LINE)):
            for number in found.findall(data):
                self._told[name] = number

    def connection_lost(self, error: Exception | None) -> None:
        self.transport = None

    def talk(self) -> None:
        """Say the line once more."""
        if self._answered and self.transport is not None and not self.transport.is_closing():
            self.transport.write(self._line)


def read_slowly(url: str, code: str, who: str, until: float) -> tuple[bool, int]:
    """At a table, read a little now and then. Returns whether they are still connected at the end,
    when they ask for the first time, and how many bytes they have read."""
    with (
        RawClient(url, code, who, buffer=SIP) as one,
        contextlib.suppress(OSError, EOFError),
    ):
        one.socket.settimeout(SIPS)
        while time.monotonic() < until:
            with contextlib.suppress(TimeoutError):
                one.read(SIP)
            time.sleep(SIPS)
        one.socket.settimeout(PATIENCE)
        one.send(frame(b'{"ping":1}'))
        while True:
            if any(b'"pong"' in said for _, said in one.read(MUCH)):
                return True, one.bytes_read
    return False, one.bytes_read


async def chatters(
    url: str, code: str, people: list[str], slow: str, seconds: float, rate: float, line: str
) -> dict[str, Any]:
    """All ``people``, by their cookies, say a line ``rate`` times a second, and reconnect after a
    moment when they are disconnected. ``slow``: one more, who only reads, and slowly."""
    said = frame(_said({"type": "chat", "text": line}))
    here = [Chatter(url, code, who, number, said) for number, who in enumerate(people)]
    for each in here:
        await each.come()
    until = time.monotonic() + seconds + 1
    reading = asyncio.create_task(asyncio.to_thread(read_slowly, url, code, slow, until))
    await asyncio.sleep(1)
    before = sum(each.bytes for each in here)
    print(READY, flush=True)
    ended = await _talk(here, seconds, rate)
    still_there, slow_bytes = await reading
    read = sum(each.bytes for each in here) - before + slow_bytes
    return {"bytes": read, "ended": ended, "slow": still_there}


async def _talk(here: list[Chatter], seconds: float, rate: float) -> int:
    """Let all of them talk; how often any was disconnected."""
    ended, turn, begun = 0, 0, time.monotonic()
    away: dict[Chatter, float] = {}
    while (now := time.monotonic()) < begun + seconds:
        for each in here:
            if each.transport is not None:
                each.talk()
            elif each not in away:
                ended += 1
                away[each] = now + AWAY
            elif now >= away[each]:
                del away[each]
                await each.come()
        turn += 1
        await asyncio.sleep(max(0.0, begun + turn / rate - time.monotonic()))
    return ended


def _said(command: dict[str, Any]) -> bytes:
    return json.dumps({"id": 1, "do": command}, ensure_ascii=False).encode()


async def stranger(**told: Any) -> dict[str, Any]:
    """See :mod:`server.stranger`."""
    from server.stranger import attack

    return await attack(**told)


KINDS: Final[dict[str, Callable[..., Any]]] = {
    "attacker": attacker, "chatters": chatters, "stranger": stranger,
}  # fmt: skip


def main(kind: str) -> None:
    """Run what the input asks for."""
    told = json.loads(sys.stdin.readline())
    print(json.dumps(asyncio.run(KINDS[kind](**told))), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
