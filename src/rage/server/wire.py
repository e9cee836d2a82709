"""One WebSocket connection as uvicorn has it, with four things that ASGI cannot say: hear a message
at once, write a frame now, how much has not been read yet, and hang up without a goodbye.

And with what uvicorn lets a stranger do, but not us: send frames by the ten thousand, which are
all parsed before anybody else has a turn, or keep for ever a connection that has been closed.

A move is told to all at a table by one frame, made once and written to each connection. Whoever
does not read is seen by what waits, and dropped, instead of holding up a task in ``send``.

What is heard goes to one function, without a queue and a task between. And a frame of one short
text with nothing beside it, which is all that a player sends, is read here; the library gets the
rest. Both were dear, move by move.
"""

from __future__ import annotations

import asyncio
import socket
import struct
from asyncio.transports import BaseTransport
from collections.abc import Callable
from typing import Any, Final

from uvicorn._types import ASGISendEvent
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame, apply_mask  # type: ignore[attr-defined]  # the faster one
from websockets.http11 import Request

from rage.server.messages import TOO_MANY

#: Under this name an application finds its connection in ``scope["extensions"]``.
EXTENSION: Final = "rage.wire"
#: What the system keeps for a connection that does not read, in bytes; the rest waits with us.
SEND_BUFFER: Final = 64 * 1024
#: How many bytes are read before others have a look at the connection.
SLICE: Final = 4096
#: How many messages may wait to be answered.
MOST_UNANSWERED: Final = 64
#: How many pings, pongs and pieces of messages one may send at once, and how many a second.
MOST_BESIDE: Final = 100
BESIDE: Final = 10.0
#: What is read after the end, in bytes, until the other side has ended, too.
MOST_AFTER: Final = 64 * 1024
#: For how many seconds a connection may linger that is closed, or has not shaken hands.
LINGER: Final = 2.0
HANDSHAKE: Final = 10.0
#: The first byte of a frame that holds a whole text (RFC 6455, 5.2).
_WHOLE_TEXT: Final = 0x81
#: What a frame of a client has beside its payload, if that is short: two bytes and the mask.
_HEAD: Final = 6
_SHORT: Final = 126
#: How many bytes more a longer payload needs to say its length.
_LONGER: Final = ((_SHORT, 2), (0x10000, 6))
Hear = Callable[[bytes], None]


class Wire(WebSocketsSansIOProtocol):
    """A connection, to be given to uvicorn as ``ws``."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.close_timeout = LINGER
        self._beside, self._beside_at = 0.0, 0.0
        self._after = 0
        self._hear: Hear | None = None
        self._owed = 0  # of what the library was given, what it has not made frames of
        self._last: asyncio.TimerHandle | None = None

    def connection_made(self, transport: BaseTransport) -> None:
        """Called by the event loop when somebody connects."""
        super().connection_made(transport)
        connection = transport.get_extra_info("socket")
        if connection is not None and connection.family != getattr(socket, "AF_UNIX", None):
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
        self._last = self.loop.call_later(HANDSHAKE, self._give_up)

    def connection_lost(self, exc: Exception | None) -> None:
        """Called by the event loop when the connection is gone."""
        self._forget()
        super().connection_lost(exc)

    def _forget(self) -> None:
        if self._last is not None:
            self._last.cancel()
            self._last = None

    def _give_up(self) -> None:
        """End a connection that has not shaken hands, or has been closed, for too long."""
        if not self.handshake_complete or self._closing:
            self.hang_up()

    @property
    def _closing(self) -> bool:
        return self.close_sent or self.transport.is_closing()

    def _linger(self) -> None:
        """Where it ends, and the other side does not read: not for long."""
        if self._closing and not self.disconnected:
            self._forget()
            self._last = self.loop.call_later(LINGER, self.hang_up)

    def data_received(self, data: bytes) -> None:
        """Called by the event loop with what has been read: it is parsed piece by piece, for as
        long as the connection behaves."""
        if self._hear is not None and not self._owed and not self.gone:
            message = _message(data)
            if message is not None:
                self._hear(message)
                return
        for start in range(0, len(data), SLICE):
            if self.transport.is_closing():
                break
            if self.close_sent:
                self._after += len(data) - start
                if self._after > MOST_AFTER:
                    self.hang_up()
                    return
            piece = data[start : start + SLICE]
            self._owed += len(piece)
            super().data_received(piece)
            if self.conn.handshake_exc is not None:
                self._refuse_handshake()
            elif self.queue.qsize() > MOST_UNANSWERED:
                self.fail(TOO_MANY)
        self._linger()

    def handle_events(self) -> None:
        """Called by uvicorn when something has been parsed: it is noted whether the library has
        begun a frame whose rest is still to come. (With a length written longer than need be,
        which nobody does, it would seem so for ever: slower, not wrong.)"""
        for event in self.conn.events:
            if isinstance(event, Frame):
                length = len(event.data)
                self._owed -= (
                    _HEAD + length + sum(more for least, more in _LONGER if length >= least)
                )
        super().handle_events()

    def _refuse_handshake(self) -> None:
        """Say what was wrong with it, which uvicorn leaves lying, and end."""
        self.handshake_complete = self.close_sent = True
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.transport.close()

    def fail(self, code: int) -> None:
        """End the connection with a close code, and read no more of it."""
        if not self.gone:
            self.conn.fail(code)
            self.handle_parser_exception()

    def _count_beside(self) -> None:
        """One more frame that is no message."""
        now = self.loop.time()
        self._beside = max(0.0, self._beside - (now - self._beside_at) * BESIDE) + 1
        self._beside_at = now
        if self._beside > MOST_BESIDE:
            self.fail(TOO_MANY)

    def handle_ping(self) -> None:
        """Called by uvicorn for a ping of the other side."""
        self._count_beside()
        if not self._closing:
            super().handle_ping()

    def handle_pong(self, event: Frame) -> None:
        """Called by uvicorn for a pong of the other side."""
        self._count_beside()
        super().handle_pong(event)

    def handle_cont(self, event: Frame) -> None:
        """Called by uvicorn for a piece of a message that is not its first."""
        self._count_beside()
        super().handle_cont(event)

    def listen(self, hear: Hear) -> None:
        """Give every message to ``hear`` from now on, as it came; what is no text as nothing.
        Only the end still comes to who receives."""
        self._hear = hear
        for _ in range(self.queue.qsize()):
            event = self.queue.get_nowait()
            if event["type"] == "websocket.receive":
                hear((event.get("text") or "").encode())
            else:
                self.queue.put_nowait(event)
        if self.read_paused:
            self.read_paused = False
            self.transport.resume_reading()

    def send_receive_event_to_app(self) -> None:
        """Called by uvicorn with a whole message. What is no UTF-8 is no text."""
        is_text = self.curr_msg_data_type == "text"
        if self._hear is not None:
            message, self.frames = b"".join(self.frames), []
            if not self.close_sent:
                self._hear(message if is_text else b"")
            return
        if is_text:
            try:
                b"".join(self.frames).decode()
            except UnicodeDecodeError:
                self.curr_msg_data_type = "bytes"
        super().send_receive_event_to_app()

    def keepalive_timeout(self) -> None:
        """Called by uvicorn where a ping was not answered: nobody will read a goodbye."""
        super().keepalive_timeout()
        self.hang_up()

    def handle_parser_exception(self) -> None:
        """Called by uvicorn for what is no WebSocket, or none yet."""
        if self.conn.close_sent is None:
            self.hang_up()
            return
        super().handle_parser_exception()
        self._linger()

    async def send(self, message: ASGISendEvent) -> None:
        """Called by the application. Where it ends the connection, it does not wait for long."""
        if message["type"] == "websocket.close":
            if self.handshake_complete and self.gone:  # it has ended already, for another reason
                return
            self._forget()
            self._last = self.loop.call_later(2 * LINGER, self.hang_up)
        await super().send(message)

    def shutdown(self) -> None:
        """Called by uvicorn when the server ends."""
        super().shutdown()
        self._linger()

    def handle_connect(self, event: Request) -> None:
        """Called by uvicorn at the handshake."""
        super().handle_connect(event)
        self._owed = 0  # uvicorn's HTTP hands over the head alone
        if hasattr(self, "scope"):  # not where the handshake was refused
            extensions: dict[str, object] = self.scope["extensions"]  # type: ignore[assignment]  # wider
            extensions[EXTENSION] = self

    @property
    def waiting(self) -> int:
        """How many bytes have been written that the system has not taken yet."""
        return 0 if self.gone else self.transport.get_write_buffer_size()

    @property
    def gone(self) -> bool:
        """Whether nothing more can be written."""
        return self.disconnected or self._closing

    def write(self, frame: bytes) -> None:
        """Write a frame made by :func:`frame`; nothing where the connection ends."""
        if not self.gone:
            self.transport.write(frame)

    def hang_up(self) -> None:
        """End the connection at once, with what was not read yet."""
        self.transport.abort()


def _message(data: bytes) -> bytes | None:
    """The text in a client's frame, where ``data`` is one whole frame, of one short text."""
    length = len(data) - _HEAD
    if not 0 <= length < _SHORT or data[0] != _WHOLE_TEXT or data[1] != 0x80 | length:
        return None
    return apply_mask(data[_HEAD:], data[2:_HEAD])


def frame(payload: bytes) -> bytes:
    """A text frame from a server, the same for every connection."""
    length = len(payload)
    if length < _SHORT:
        return bytes((_WHOLE_TEXT, length)) + payload
    if length < 0x10000:
        return struct.pack("!BBH", _WHOLE_TEXT, 126, length) + payload
    return struct.pack("!BBQ", _WHOLE_TEXT, 127, length) + payload
