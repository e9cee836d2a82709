"""A WebSocket connection: the sans-I/O protocol of ``websockets`` on an asyncio transport.

The application sees ASGI, but also finds the connection itself under ``scope["extensions"]``, for
what ASGI cannot do: receive a message at once, write a frame now, see how much is unread, and
abort. Messages are delivered only in that way, to a callback, without a queue or a task in between.

And it limits what a stranger can do: send frames by the ten thousand, never complete the handshake,
never read, or never close.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import socket
from asyncio.transports import BaseTransport, Transport
from collections.abc import Callable
from email.utils import formatdate
from http import HTTPStatus
from typing import Any, Final, cast
from urllib.parse import unquote

import uvicorn
from uvicorn.server import ServerState
from websockets.datastructures import Headers
from websockets.frames import Frame, Opcode
from websockets.http11 import Request, Response
from websockets.server import ServerProtocol

from rage.place.limits import CONTROL_FRAMES, MAX_UNANSWERED
from rage.place.messages import RESTART, TOO_MANY
from rage.place.rate import RateLimit
from rage.server.http.asgi import Message, Scope
from rage.server.wire.slots import Slot
from rage.server.wire.transports import SEND_BUFFER, address, set_option, unacknowledged

_log: Final = logging.getLogger(__name__)
#: The name of the connection in ``scope["extensions"]``.
EXTENSION: Final = "rage.websocket"
#: How many bytes are parsed in one turn of the event loop.
SLICE: Final = 4096
#: How many bytes are read after our close frame, while waiting for the other side's.
MAX_AFTER_CLOSE: Final = 64 * 1024
#: How many seconds closing may take, and how many the handshake.
LINGER: Final = 2.0
HANDSHAKE_TIMEOUT: Final = 10.0
#: Close codes (RFC 6455, 7.4.1) that never go over the wire.
_NO_STATUS: Final = 1005
_ABNORMAL: Final = 1006
_INTERNAL_ERROR: Final = 1011


class Disconnected(OSError):
    """Raised when an application sends over a connection that is closed."""


class WebSocketProtocol(asyncio.Protocol):
    """A connection, with the arguments that uvicorn gives to a protocol. The HTTP protocol, which
    has read the head of the request, passes it on together with the transport."""

    def __init__(
        self, config: uvicorn.Config, server_state: ServerState, app_state: dict[str, Any]
    ) -> None:
        self._config = config
        self._state = server_state
        self._connections: set[Any] = server_state.connections
        self._app_state = app_state
        self._loop = asyncio.get_running_loop()
        self._websocket = ServerProtocol(max_size=config.ws_max_size)
        self._transport: Transport = cast(Transport, None)
        #: The connection's slot among those of the server.
        self.slot: Slot | None = None
        # The handshake, and the end.
        self._accepting: Response | None = None
        self._refusal: tuple[int, Headers] | None = None
        self._answered = False  # whether the handshake was answered, in whatever way
        self._close_sent = False
        self._after_close = 0  # bytes
        self._deaf = False  # whether what is read is dropped
        # What was read and is not parsed yet.
        self._backlog = b""
        self._next_slice: asyncio.Handle | None = None
        self._connect_received = False
        self._ended = asyncio.Event()
        self._end_code = _ABNORMAL
        self._closing_timer: asyncio.TimerHandle | None = None
        self._abort_timer: asyncio.TimerHandle | None = None
        self._lost = False
        # Messages.
        self._on_message: Callable[[bytes], None] | None = None
        self._early: list[bytes] = []  # messages that arrived before anybody listened
        self._fragments: list[bytes] = []  # of a message that is not complete yet
        self._is_text = False
        self._control_frames = RateLimit(CONTROL_FRAMES)
        # Frames of ours, and the keepalive.
        self._written = 0  # bytes
        self._ping_timer: asyncio.TimerHandle | None = None
        self._pong_timer: asyncio.TimerHandle | None = None
        self._ping: bytes | None = None  # the one that has not been answered yet
        self._pinged_at = 0.0
        self._at_ping = 0, 0  # bytes written, and bytes acknowledged at the last check

    # Called by the event loop, and by uvicorn.

    def connection_made(self, transport: BaseTransport) -> None:
        """Note the connection, and give its handshake a time limit."""
        self._transport = cast(Transport, transport)
        self._connections.add(self)
        connection = transport.get_extra_info("socket")
        if connection is not None and connection.family != getattr(socket, "AF_UNIX", None):
            set_option(transport, socket.SO_SNDBUF, SEND_BUFFER)
        self._abort_after(HANDSHAKE_TIMEOUT)

    def connection_lost(self, exc: Exception | None) -> None:
        """Note that the connection is gone."""
        self._lost = True
        for timer in (self._closing_timer, self._abort_timer):
            if timer is not None:
                timer.cancel()
        self._closing_timer = None
        self._end(_NO_STATUS if self._answered else _ABNORMAL)
        self._answered = self._close_sent = True
        if self._next_slice is not None:
            self._next_slice.cancel()
        self._on_message = None  # a reference cycle would wait for the garbage collector
        self._connections.discard(self)
        if self.slot is not None:
            self.slot.release()

    def shutdown(self) -> None:
        """Close the connection, because the server stops."""
        if self._close_sent:
            self._transport.close()
        elif self._answered:
            self._fail(RESTART)
        else:
            self._reject(HTTPStatus.INTERNAL_SERVER_ERROR)

    def data_received(self, data: bytes) -> None:
        """Parse what was read, a slice of it in each turn of the event loop: so many connections
        that send much at once hold nobody up for long."""
        self._backlog += data
        if self._next_slice is None:
            self._parse_slice()

    def _parse_slice(self) -> None:
        """Parse a slice, as long as the connection is well-behaved."""
        self._next_slice = None
        piece, self._backlog = self._backlog[:SLICE], self._backlog[SLICE:]
        if self._transport.is_closing():
            self._backlog = b""
            return
        if self._close_sent:
            self._after_close += len(piece)
            if self._after_close > MAX_AFTER_CLOSE:
                self._backlog = b""
                self.abort()
                return
        if not self._deaf:
            self._websocket.receive_data(piece)
            self._handle_events()
        if self._backlog:
            self._next_slice = self._loop.call_soon(self._parse_slice)
        self._choose_reading()

    def _choose_reading(self) -> None:
        """Read on, unless something waits that was read."""
        if self._backlog or self._early:
            self._transport.pause_reading()
        else:
            self._transport.resume_reading()

    # Parsing.

    def _handle_events(self) -> None:
        websocket = self._websocket
        if websocket.handshake_exc is not None:
            self._answered = self._close_sent = True
            self._flush()
            self._close_transport()
        elif websocket.parser_exc is not None:
            if websocket.close_sent is None:  # it has ended, or never begun
                self.abort()
            elif not self._transport.is_closing():
                self._close_sent = True
                self._end(websocket.close_sent.code)
                self._flush()
                self._close_transport()
        else:
            for event in websocket.events_received():
                if isinstance(event, Request):
                    self._begin(event)
                elif isinstance(event, Frame):
                    self._handle_frame(event)

    def _handle_frame(self, frame: Frame) -> None:
        if frame.opcode is Opcode.CLOSE:
            self._handle_close()
            return
        if frame.opcode is Opcode.TEXT or frame.opcode is Opcode.BINARY:
            self._is_text = frame.opcode is Opcode.TEXT
            self._fragments = [bytes(frame.data)]
        else:
            if not self._control_frames.try_acquire():
                self._fail(TOO_MANY)
            if frame.opcode is Opcode.PING:
                pong = b"".join(self._websocket.data_to_send())
                if not self._gone:
                    self._transport.write(pong)
            if frame.opcode is Opcode.PONG and frame.data == self._ping:
                self._handle_pong()
            if frame.opcode is not Opcode.CONT:
                return
            self._fragments.append(bytes(frame.data))
        if frame.fin:
            message, self._fragments = b"".join(self._fragments), []
            if not self._close_sent:
                self._handle_message(message if self._is_text else b"")

    def _handle_message(self, message: bytes) -> None:
        if self._on_message is not None:
            self._on_message(message)
            return
        self._early.append(message)
        self._choose_reading()
        if len(self._early) > MAX_UNANSWERED:
            self._fail(TOO_MANY)

    def _handle_close(self) -> None:
        """The other side has closed, of its own accord or in answer to us."""
        received = self._websocket.close_rcvd
        self._end(_NO_STATUS if received is None else received.code)
        if not self._transport.is_closing():
            self._flush()
            self._close_transport()

    # The handshake.

    def _begin(self, request: Request) -> None:
        """Ask the application about a handshake."""
        self._accepting = self._websocket.accept(request)
        if self._accepting.status_code != HTTPStatus.SWITCHING_PROTOCOLS:
            self._answer(self._accepting)
            return
        task = self._loop.create_task(self._run(self._scope(request)))
        self._state.tasks.add(task)
        task.add_done_callback(self._state.tasks.discard)

    def _scope(self, request: Request) -> Scope:
        path, _, query = request.path.partition("?")
        root = self._config.root_path
        headers = request.headers.raw_items()
        subprotocols = request.headers.get_all("Sec-WebSocket-Protocol")
        return {
            "type": "websocket",
            "asgi": {"version": self._config.asgi_version, "spec_version": "2.4"},
            "http_version": "1.1",
            "scheme": "wss" if self._transport.get_extra_info("sslcontext") else "ws",
            "server": address(self._transport, "sockname"),
            "client": address(self._transport, "peername"),
            "root_path": root,
            "path": root + unquote(path),
            "raw_path": (root + path).encode("ascii"),
            "query_string": query.encode("ascii"),
            "headers": [(name.encode("ascii"), value.encode("latin-1")) for name, value in headers],
            "subprotocols": [part.strip() for each in subprotocols for part in each.split(",")],
            "state": self._app_state.copy(),
            "extensions": {"websocket.http.response": {}, EXTENSION: self},
        }

    async def _run(self, scope: Scope) -> None:
        application: Any = self._config.loaded_app
        try:
            await application(scope, self._receive, self._send)
            if not self._answered:
                _log.error("a handshake was not answered")
        except Disconnected:
            pass
        except Exception:
            _log.exception("a WebSocket has failed")
        if not self._answered:
            self._reject(HTTPStatus.INTERNAL_SERVER_ERROR)
        elif self._closing_timer is None:
            self._close_transport()

    def _reject(self, status: HTTPStatus) -> None:
        text = "" if status is HTTPStatus.FORBIDDEN else status.phrase
        self._answer(self._websocket.reject(status, text))

    def _answer(self, response: Response) -> None:
        """Answer the handshake; unless it is accepted, that closes the connection."""
        self._answered = True
        self._websocket.send_response(response)
        self._flush()
        if response.status_code != HTTPStatus.SWITCHING_PROTOCOLS:
            self._close_sent = True
            self._end(_ABNORMAL)
            self._close_transport()

    # Called by the application.

    async def _receive(self) -> Message:
        """The ASGI messages: ``websocket.connect``, and at the end ``websocket.disconnect``."""
        if not self._connect_received:
            self._connect_received = True
            return {"type": "websocket.connect"}
        await self._ended.wait()
        return {"type": "websocket.disconnect", "code": self._end_code}

    async def _send(self, message: Message) -> None:
        """Accept, refuse or close. Frames are sent with :meth:`write`."""
        kind = message["type"]
        if kind == "websocket.close" and self._answered:
            self._close(message.get("code", 1000))
        elif self._answered:
            raise Disconnected if self._gone else RuntimeError(f"unexpected {kind}")
        elif kind == "websocket.accept":
            self._accept()
        elif kind == "websocket.close":
            self._reject(HTTPStatus.FORBIDDEN)
        elif kind == "websocket.http.response.start":
            headers = Headers(Date=formatdate(usegmt=True), Connection="close")
            for name, value in message.get("headers", ()):
                headers[name.decode("latin-1")] = value.decode("latin-1")
            self._refusal = message["status"], headers
        elif kind == "websocket.http.response.body" and self._refusal is not None:
            status, headers = self._refusal
            body = message.get("body", b"")
            self._answer(Response(status, HTTPStatus(status).phrase, headers, body))
        else:
            raise RuntimeError(f"unexpected {kind}")

    def _accept(self) -> None:
        if self._transport.is_closing():
            raise Disconnected
        assert self._accepting is not None
        if self._abort_timer is not None:
            self._abort_timer.cancel()
        self._answer(self._accepting)
        self._schedule_ping()

    def listen(self, on_message: Callable[[bytes], None]) -> None:
        """Call ``on_message`` with every message, those that have already arrived first; a binary
        message counts as an empty one."""
        if not self._lost:  # otherwise nothing would ever undo the reference cycle
            self._on_message = on_message
        early, self._early = self._early, []
        if early and not self._gone:
            self._choose_reading()
        for message in early:
            on_message(message)

    @property
    def unsent(self) -> int:
        """How many bytes have been written that the system has not accepted yet."""
        return 0 if self._gone else self._transport.get_write_buffer_size()

    @property
    def acknowledged(self) -> int:
        """How many bytes of our frames have arrived, as far as the system knows. (Pings and pongs
        in transit make it slightly less.)"""
        unsent = self._transport.get_write_buffer_size() + unacknowledged(self._transport)
        return self._written - unsent

    def write(self, message: bytes) -> None:
        """Write a message as one frame; does nothing if the connection is closing."""
        if not self._gone:
            frame = Frame(Opcode.TEXT, message).serialize(mask=False)
            self._written += len(frame)
            self._transport.write(frame)

    def abort(self) -> None:
        """Abort the connection at once; what was not sent yet is lost."""
        self._transport.abort()

    # The end.

    @property
    def _gone(self) -> bool:
        """Whether nothing more can be written."""
        return self._close_sent or self._transport.is_closing()

    def _close(self, code: int) -> None:
        """Begin the closing handshake, and give the other side a moment to answer."""
        if self._gone:
            return
        self._websocket.send_close(code)
        self._flush()
        self._close_sent = True
        self._end(code)
        self._early.clear()
        self._deaf = code == TOO_MANY  # what it sends is not even parsed
        self._choose_reading()
        self._closing_timer = self._loop.call_later(LINGER, self._transport.close)
        self._abort_after(2 * LINGER)

    def _fail(self, code: int) -> None:
        """Close the connection with a close code, without reading any more from it."""
        if not self._gone:
            self._websocket.fail(code)
            self._flush()
            self._close_sent = True
            self._end(code)
            self._close_transport()

    def _close_transport(self) -> None:
        """Close when everything is sent, but don't wait long for a client that does not read."""
        self._transport.close()
        self._abort_after(LINGER)

    def _abort_after(self, seconds: float) -> None:
        if self._abort_timer is not None:
            self._abort_timer.cancel()
        if not self._lost:
            self._abort_timer = self._loop.call_later(seconds, self.abort)

    def _end(self, code: int) -> None:
        """Tell the application, once, that the connection has ended."""
        self._stop_pinging()
        if not self._ended.is_set():
            self._end_code = code
            self._ended.set()

    def _flush(self) -> None:
        """Write what the library wants to send, unless the transport is already closing."""
        data = b"".join(self._websocket.data_to_send())
        if data and not self._transport.is_closing():
            self._transport.write(data)

    # Whether somebody is still there.

    def _schedule_ping(self, delay: float | None = None) -> None:
        interval = self._config.ws_ping_interval
        if interval:
            self._ping_timer = self._loop.call_later(
                interval if delay is None else max(0.0, delay), self._send_ping
            )

    def _stop_pinging(self) -> None:
        for timer in (self._ping_timer, self._pong_timer):
            if timer is not None:
                timer.cancel()
        self._ping_timer = self._pong_timer = self._ping = None

    def _send_ping(self) -> None:
        if self._gone:
            return
        self._ping = secrets.token_bytes(4)
        self._pinged_at = self._loop.time()
        self._websocket.send_ping(self._ping)
        self._flush()
        self._at_ping = self._written, self.acknowledged
        self._wait_for_pong()

    def _wait_for_pong(self) -> None:
        if (timeout := self._config.ws_ping_timeout) is not None:
            self._pong_timer = self._loop.call_later(timeout, self._miss_pong)

    def _handle_pong(self) -> None:
        took = self._loop.time() - self._pinged_at
        self._stop_pinging()
        self._schedule_ping((self._config.ws_ping_interval or 0.0) - took)

    def _miss_pong(self) -> None:
        """Abort the connection. But a client that is still reading what was written before the ping
        gets the same time once more."""
        written, before = self._at_ping
        acknowledged = self.acknowledged
        if before < acknowledged < written and not self._gone:
            self._at_ping = written, acknowledged
            self._wait_for_pong()
            return
        self._fail(_INTERNAL_ERROR)
        self.abort()
