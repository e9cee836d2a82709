"""Many clients that ask and talk at once, in a process of their own, so that what a test measures
of other clients is the server's doing and not theirs.

Run as a program, ``python -m server.crowd <kind>`` reads what it is to do as JSON from its input,
and prints what came of it as JSON: ``chatters`` watch a table and talk, the ``stranger`` does all
that one address can.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from server.raw_client import RawClient, frame

#: For how many seconds one who was hung up on stays away.
AWAY: Final = 1.0
#: How much somebody with a bad line reads, in bytes, and how often.
SIP: Final = 4096
SIPS: Final = 0.25
#: The same for somebody with a good one, and for how many seconds an answer may take.
MUCH: Final = 1 << 20
PATIENCE: Final = 10.0
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


def outcome(process: subprocess.Popen[str]) -> dict[str, Any]:
    """What came of a crowd, once it is done."""
    assert process.stdout is not None
    found: dict[str, Any] = json.loads(process.stdout.readline())
    return found


class Chatter(asyncio.Protocol):
    """A client that talks all the time, counts what is said, and reconnects as the page does, from
    the last thing it was told."""

    def __init__(self, url: str, code: str, who: str, number: int, line: bytes) -> None:
        self._where, self._code, self._who, self._line = urlsplit(url), code, who, line
        self._watch = frame(_said({"type": "watch", "name": f"Guest {number}"}))
        self._told: dict[bytes, bytes] = {}
        self._answered = False
        self.transport: asyncio.Transport | None = None
        self.bytes = 0

    async def come(self) -> None:
        """Connect to the table."""
        self._answered = False
        place = self._where.hostname or "", self._where.port or 80
        await asyncio.get_running_loop().create_connection(lambda: self, *place)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        address = f"{self._where.scheme}://{self._where.netloc}"
        query = b"&".join(b"%b=%b" % each for each in self._told.items()).decode()
        transport.write(
            (
                f"GET /ws/{self._code}?{query} HTTP/1.1\r\nHost: {self._where.netloc}\r\n"
                "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                f"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nOrigin: {address}\r\n"
                f"Cookie: {self._who}\r\n\r\n"
            ).encode()
        )

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


class Slow(threading.Thread):
    """A client at a table that reads a little now and then, and asks only at the end whether it is
    still connected."""

    def __init__(self, url: str, code: str, who: str, until: float) -> None:
        super().__init__()
        self._one, self._until = RawClient(url, code, who, buffer=SIP), until
        self.still_there = False

    @property
    def bytes(self) -> int:
        """How many it has read."""
        return self._one.bytes_read

    def run(self) -> None:
        with contextlib.suppress(OSError, EOFError):
            self._one.socket.settimeout(SIPS)
            while time.monotonic() < self._until:
                with contextlib.suppress(TimeoutError):
                    self._one.read(SIP)
                time.sleep(SIPS)
            self._one.socket.settimeout(PATIENCE)
            self._one.send(frame(b'{"ping":1}'))
            while not self.still_there:
                self.still_there = any(b'"pong"' in said for _, said in self._one.read(MUCH))
        self._one.close()


async def chatters(
    url: str, code: str, people: list[str], slow: str, seconds: float, rate: float, line: str
) -> dict[str, Any]:
    """All ``people``, by their cookies, say a line ``rate`` times a second, and reconnect after a
    moment when they are disconnected. ``slow``: one more, who only reads, and slowly."""
    said = frame(_said({"type": "chat", "text": line}))
    here = [Chatter(url, code, who, number, said) for number, who in enumerate(people)]
    for each in here:
        await each.come()
    host = Slow(url, code, slow, time.monotonic() + seconds + 1)
    host.start()
    await asyncio.sleep(1)
    before = sum(each.bytes for each in here)
    print(READY, flush=True)
    ended = await _talk(here, seconds, rate)
    await asyncio.to_thread(host.join)
    read = sum(each.bytes for each in here) - before + host.bytes
    return {"bytes": read, "ended": ended, "slow": host.still_there, "slow_bytes": host.bytes}


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


KINDS: Final[dict[str, Any]] = {"chatters": chatters, "stranger": stranger}


def main(kind: str) -> None:
    """Run what the input asks for."""
    told = json.loads(sys.stdin.readline())
    print(json.dumps(asyncio.run(KINDS[kind](**told))), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
