"""Those who do to a server what no browser does: frames made by hand, over a plain socket.

Run as a program, ``rude.py <attack> <address> <table> <cookie> <seconds>`` attacks from a process
of its own, so that what others notice is the server's doing; it prints how often it was hung up on.
"""

from __future__ import annotations

import base64
import contextlib
import os
import socket
import struct
import sys
import time
from collections.abc import Callable
from typing import Final, Self
from urllib.parse import urlsplit

TEXT, BINARY, CONT, CLOSE, PING, PONG = 1, 2, 0, 8, 9, 10
_MASK: Final = b"\x01\x02\x03\x04"


def frame(payload: bytes, opcode: int = TEXT, *, fin: bool = True, masked: bool = True) -> bytes:
    """A frame of a client, right or wrong."""
    size = len(payload)
    short = size if size < 126 else 126 if size < 65536 else 127
    head = struct.pack("!BB", opcode | 128 * fin, short | 128 * masked)
    if short > 125:
        head += struct.pack("!H" if short == 126 else "!Q", size)
    if not masked:
        return head + payload
    mask = (_MASK * (size // 4 + 1))[:size]
    return head + _MASK + bytes(a ^ b for a, b in zip(payload, mask, strict=True))


class Rude:
    """A connection to a table, after its handshake unless ``request`` says otherwise."""

    def __init__(
        self, url: str, code: str, who: str, *, query: str = "", more: str = "", wait: bool = True
    ) -> None:
        parts = urlsplit(url)
        self.socket = socket.create_connection((parts.hostname or "", parts.port or 80), 10)
        key = base64.b64encode(os.urandom(16)).decode()
        self.request = (
            f"GET /ws/{code}{query} HTTP/1.1\r\nHost: {parts.netloc}\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n"
            f"Origin: {url}\r\nCookie: {who}\r\n{more}\r\n"
        ).encode()
        self._read = b""
        if wait:
            self.socket.sendall(self.request)
            self.answered = self.answer()

    def answer(self) -> int:
        """The status of the answer to the handshake."""
        while b"\r\n\r\n" not in self._read:
            self._more()
        head, _, self._read = self._read.partition(b"\r\n\r\n")
        return int(head.split()[1])

    def _more(self) -> None:
        more = self.socket.recv(65536)
        if not more:
            raise EOFError
        self._read += more

    def send(self, data: bytes) -> None:
        """Write bytes as they are."""
        self.socket.sendall(data)

    def hear(self) -> tuple[int, bytes]:
        """The next frame: opcode and payload."""
        while (frame := self._frame()) is None:
            self._more()
        return frame

    def _frame(self) -> tuple[int, bytes] | None:
        if len(self._read) < 2:
            return None
        size, begin = self._read[1] & 127, 2
        if size > 125:
            begin = 4 if size == 126 else 10
            size = int.from_bytes(self._read[2:begin], "big")
        if len(self._read) < begin + size:
            return None
        made = self._read[0] & 15, self._read[begin : begin + size]
        self._read = self._read[begin + size :]
        return made

    def closed(self, seconds: float = 10) -> int:
        """The code with which the server ends it; 1006 where it says none."""
        self.socket.settimeout(seconds)
        with contextlib.suppress(EOFError, ConnectionError):
            while True:
                opcode, payload = self.hear()
                if opcode == CLOSE:
                    return int.from_bytes(payload[:2], "big") if payload else 1005
        return 1006

    def close(self) -> None:
        """Go without a word."""
        self.socket.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


PINGS: Final = frame(b"", PING) * 10_000
MESSAGES: Final = frame(b'{"ping":1}') * 10_000
PIECES: Final = frame(b'{"ping":', fin=False) + frame(b"", CONT, fin=False) * 10_000
PLAYS: Final = frame(b'{"id":1,"do":{"type":"play","ply":0,"move":"R1"}}') * 10_000
SINCE: Final = frame(b'{"since":1}') * 200
DEEP: Final = frame(b'{"do":{"a":' + b"[" * 1900 + b"]" * 1900 + b"}}")
LONG: Final = frame(b'{"do":{"a":"' + b"x" * 16_384 + b'"}}')
CLAIMS: Final = frame(b'{"id":1,"do":{"type":"claim","ply":0,"tricks":[0,0,0,9]}}') * 60


def blasts(data: bytes) -> Callable[[Rude], None]:
    """An attack that sends the same again and again until it is hung up on."""

    def blast(rude: Rude) -> None:
        while True:
            rude.send(data)

    return blast


def steady(rude: Rude) -> None:
    """Fifty messages a second, which is more than a person can say."""
    while True:
        rude.send(frame(b'{"ping":1}'))
        time.sleep(0.02)


def after(rude: Rude) -> None:
    """On and on after the end."""
    rude.send(frame(b"nonsense"))
    while True:
        rude.send(MESSAGES)


def come_and_go(rude: Rude) -> None:
    """Connect, and nothing."""
    raise ConnectionError


ATTACKS: Final[dict[str, Callable[[Rude], None]]] = {
    "pings": blasts(PINGS), "messages": blasts(MESSAGES), "pieces": blasts(PIECES),
    "plays": blasts(PLAYS), "since": blasts(SINCE), "deep": blasts(DEEP), "long": blasts(LONG),
    "claims": blasts(CLAIMS), "pongs": blasts(frame(b"", PONG) * 10_000),
    "steady": steady, "after": after, "connects": come_and_go,
}  # fmt: skip


def main(name: str, url: str, code: str, who: str, seconds: str) -> None:
    """Attack for so many seconds, coming again after each end."""
    ends, until = 0, time.monotonic() + float(seconds)
    while time.monotonic() < until:
        try:
            rude = Rude(url, code, who)
        except (EOFError, OSError):
            time.sleep(0.01)
            continue
        rude.socket.settimeout(max(0.1, until - time.monotonic()))
        with contextlib.suppress(OSError, EOFError):
            ATTACKS[name](rude)
        ends += time.monotonic() < until
        rude.close()
    print(ends)


if __name__ == "__main__":
    main(*sys.argv[1:])
