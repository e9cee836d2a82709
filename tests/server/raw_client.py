"""Clients that do to a server what no browser does: frames made by hand, over a plain socket.

Run as a program, ``raw_client.py <attack> <address> <table> <cookie> <seconds>`` attacks from a
process of its own, so that what others notice is the server's doing; it prints how often it was
disconnected.
"""

from __future__ import annotations

import base64
import contextlib
import json
import os
import socket
import struct
import sys
import time
from collections.abc import Callable
from typing import Any, Final, Self
from urllib.parse import urlsplit

TEXT, BINARY, CONT, CLOSE, PING, PONG = 1, 2, 0, 8, 9, 10
_MASK: Final = b"\x01\x02\x03\x04"
#: The headers that ask for a WebSocket.
UPGRADE: Final = {
    "Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==",
}  # fmt: skip


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


class RawClient:
    """A connection to a table, after its handshake unless ``wait`` says otherwise; ``buffer``: how
    many bytes the system keeps at most until they are read, if not as usual."""

    def __init__(
        self,
        url: str,
        code: str,
        who: str,
        *,
        query: str = "",
        more: str = "",
        wait: bool = True,
        buffer: int | None = None,
    ) -> None:
        parts = urlsplit(url)
        self.socket = socket.socket()
        self.socket.settimeout(60)
        if buffer is not None:  # before it connects: so much, and never more, is offered
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
            # And in packets as they are on a real line, of which several have room.
            self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG, min(1400, buffer // 8))
        self.socket.connect((parts.hostname or "", parts.port or 80))
        key = base64.b64encode(os.urandom(16)).decode()
        self.request = (
            f"GET /ws/{code}{query} HTTP/1.1\r\nHost: {parts.netloc}\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n"
            f"Origin: {url}\r\nCookie: {who}\r\n{more}\r\n"
        ).encode()
        self._read = b""
        #: How many bytes it has read.
        self.bytes_read = 0
        if wait:
            self.socket.sendall(self.request)
            self.handshake_status = self.answer()

    def answer(self) -> int:
        """The status of the answer to the handshake."""
        while b"\r\n\r\n" not in self._read:
            self._more()
        head, _, self._read = self._read.partition(b"\r\n\r\n")
        return int(head.split()[1])

    def _more(self, most: int = 65536) -> None:
        more = self.socket.recv(most)
        if not more:
            raise EOFError
        self.bytes_read += len(more)
        self._read += more

    def send(self, data: bytes) -> None:
        """Write bytes as they are."""
        self.socket.sendall(data)

    def receive_frame(self) -> tuple[int, bytes]:
        """The next frame: opcode and payload."""
        while (frame := self._frame()) is None:
            self._more()
        return frame

    def message(self) -> Any:
        """The next message; the server's pings, whose payload is any bytes, are answered."""
        while (received := self.receive_frame())[0] != TEXT:
            if received[0] == PING:
                self.send(frame(received[1], PONG))
        return json.loads(received[1])

    def read(self, most: int) -> list[tuple[int, bytes]]:
        """Read ``most`` bytes at most, once, and answer pings. Returns the complete frames.
        Raises ``TimeoutError``, and ``EOFError`` at the end."""
        self._more(most)
        found = list(iter(self._frame, None))
        for opcode, payload in found:
            if opcode == PING:
                self.send(frame(payload, PONG))
        return found

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

    def close_code(self, seconds: float = 60) -> int:
        """The close code of the server; 1006 if there is none."""
        self.socket.settimeout(seconds)
        with contextlib.suppress(EOFError, ConnectionError):
            while True:
                opcode, payload = self.receive_frame()
                if opcode == CLOSE:
                    return int.from_bytes(payload[:2], "big") if payload else 1005
        return 1006

    def close(self) -> None:
        """Disconnect without a close frame."""
        self.socket.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


PINGS: Final = frame(b"", PING) * 10_000
MESSAGES: Final = frame(b'{"ping":1}') * 10_000
FRAGMENTS: Final = frame(b'{"ping":', fin=False) + frame(b"", CONT, fin=False) * 10_000
PLAYS: Final = frame(b'{"id":1,"do":{"type":"play","ply":0,"move":"R1"}}') * 10_000
SINCE: Final = frame(b'{"since":1}') * 200
DEEP: Final = frame(b'{"do":{"a":' + b"[" * 1900 + b"]" * 1900 + b"}}")
LONG: Final = frame(b'{"do":{"a":"' + b"x" * 16_384 + b'"}}')
CLAIMS: Final = frame(b'{"id":1,"do":{"type":"claim","ply":0,"tricks":[0,0,0,9]}}') * 60


def flood_with(data: bytes) -> Callable[[RawClient], None]:
    """An attack that sends the same again and again until it is disconnected."""

    def blast(client: RawClient) -> None:
        while True:
            client.send(data)

    return blast


def just_too_fast(client: RawClient) -> None:
    """Fifty messages a second, which is more than a person can say."""
    while True:
        client.send(frame(b'{"ping":1}'))
        time.sleep(0.02)


def send_after_close(client: RawClient) -> None:
    """Go on sending after the close."""
    client.send(frame(b"nonsense"))
    while True:
        client.send(MESSAGES)


def come_and_go(client: RawClient) -> None:
    """Connect, and do nothing."""
    raise ConnectionError


ATTACKS: Final[dict[str, Callable[[RawClient], None]]] = {
    "pings": flood_with(PINGS), "messages": flood_with(MESSAGES),
    "fragments": flood_with(FRAGMENTS), "plays": flood_with(PLAYS), "since": flood_with(SINCE),
    "deep": flood_with(DEEP), "long": flood_with(LONG), "claims": flood_with(CLAIMS),
    "pongs": flood_with(frame(b"", PONG) * 10_000), "just_too_fast": just_too_fast,
    "send_after_close": send_after_close, "connects": come_and_go,
}  # fmt: skip


#: Seconds until an attack gives up that nobody disconnects.
PATIENCE: Final = 10


def main(name: str, url: str, code: str, who: str, seconds: str) -> None:
    """Attack for some ``seconds``, reconnecting each time, and on a busy machine until the server
    has disconnected once, `PATIENCE` at most."""
    ends, begun = 0, time.monotonic()
    while (passed := time.monotonic() - begun) < float(seconds) or not (ends or passed > PATIENCE):
        try:
            client = RawClient(url, code, who)
        except (EOFError, OSError):
            time.sleep(0.01)
            continue
        client.socket.settimeout(max(0.1, (PATIENCE if not ends else float(seconds)) - passed))
        try:
            ATTACKS[name](client)
        except TimeoutError:
            pass  # the time is up: it was not the server that ended this
        except (OSError, EOFError):
            ends += 1
        client.close()
    print(ends)


if __name__ == "__main__":
    main(*sys.argv[1:])
