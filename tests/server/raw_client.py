"""Clients that do to a server what no browser does: frames made by hand, over a plain socket."""

from __future__ import annotations

import contextlib
import json
import socket
import struct
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


def handshake(url: str, code: str, who: str, query: str = "", more: str = "") -> bytes:
    """The request of somebody with a cookie for a WebSocket to a table."""
    fields = {"Host": urlsplit(url).netloc, **UPGRADE, "Origin": url, "Cookie": who}
    lines = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
    return f"GET /ws/{code}{query} HTTP/1.1\r\n{lines}{more}\r\n".encode()


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
        self.request = handshake(url, code, who, query, more)
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
