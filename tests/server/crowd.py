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


class Talk:
    """What many who talk at a table have in common, and what came of it."""

    def __init__(self, url: str, code: str, line: str, rate: float) -> None:
        self.url, self.code, self.rate = url, code, rate
        self.line = frame(_said({"type": "chat", "text": line}))
        self.begun = asyncio.Event()
        self.bytes = self.ended = 0

    async def join(self, who: str, number: int) -> None:
        """Talk all the time, and when that has ended connect again as the page does, from the last
        thing that was told, until cancelled."""
        told = dict[bytes, bytes]()
        there = urlsplit(self.url)
        while True:
            query = b"?" + b"&".join(b"%b=%b" % each for each in told.items())
            reader, writer = await asyncio.open_connection(there.hostname, there.port)
            with contextlib.suppress(ConnectionError):
                writer.write(handshake(self.url, self.code, who, query.decode()))
                await reader.readuntil(b"\r\n\r\n")
                writer.write(frame(_said({"type": "watch", "name": f"Guest {number}"})))
                talking = asyncio.create_task(self._talk(writer))
                while data := await reader.read(MUCH):
                    self.bytes += len(data)
                    for name, found in ((b"since", _SEQ), (b"chat", _LINE)):
                        told.update((name, last) for last in found.findall(data))
            talking.cancel()
            writer.close()
            self.ended += 1
            await asyncio.sleep(AWAY)

    async def _talk(self, writer: asyncio.StreamWriter) -> None:
        await self.begun.wait()
        begun = time.monotonic()
        for turn in itertools.count():
            writer.write(self.line)
            await asyncio.sleep(max(0.0, begun + turn / self.rate - time.monotonic()))


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
    talk = Talk(url, code, line, rate)
    until = time.monotonic() + seconds + 1
    tasks = [asyncio.create_task(talk.join(who, number)) for number, who in enumerate(people)]
    reading = asyncio.create_task(asyncio.to_thread(read_slowly, url, code, slow, until))
    await asyncio.sleep(1)
    before = talk.bytes
    print(READY, flush=True)
    talk.begun.set()
    await asyncio.sleep(seconds)
    for task in tasks:
        task.cancel()
    failed = await asyncio.gather(*tasks, return_exceptions=True)
    assert all(isinstance(each, asyncio.CancelledError) for each in failed), failed
    still_there, slow_bytes = await reading
    return {"bytes": talk.bytes - before + slow_bytes, "ended": talk.ended, "slow": still_there}


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
