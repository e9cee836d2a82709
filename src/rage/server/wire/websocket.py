"""The WebSocket of a game. ``picows`` parses its frames in C and calls back for each.

uvicorn creates a :class:`WebSocket` (its setting ``ws=``) and hands it the connection together with
the request. The application answers the handshake in ASGI. From then on it uses the connection
itself, which it finds in ``scope["extensions"]``, for what ASGI cannot do: receive a message at
once, write one now, see how much is unread, and abort.
"""

from __future__ import annotations

import asyncio
import base64
import binascii
import contextlib
import logging
import socket
from asyncio.transports import BaseTransport, Transport
from collections.abc import Callable
from http import HTTPStatus
from typing import Any, Final, cast
from urllib.parse import unquote

import uvicorn
from picows import WSAutoPingStrategy, WSCloseCode, WSFrame, WSListener, WSMsgType, WSTransport
from picows.picows import WSProtocol  # type: ignore[attr-defined]  # missing in its stubs
from uvicorn.server import ServerState

from rage.house.base.messages import RESTART, TOO_MANY
from rage.house.limits import CONTROL_FRAMES, MAX_UNANSWERED
from rage.house.limits.rate import RateLimit
from rage.server.asgi import Message, Scope
from rage.server.wire.send_buffer import unacknowledged

#: The name of the connection in ``scope["extensions"]``.
EXTENSION: Final = "rage.websocket"
#: The most seconds for the handshake, and for closing.
HANDSHAKE_TIMEOUT: Final = 10.0
LINGER: Final = 2.0
#: The size of the system's send buffer, in bytes. The rest stays in our own buffer, where it can be
#: counted.
SEND_BUFFER: Final = 64 * 1024
#: Close codes of RFC 6455.
_PROTOCOL_ERROR, _TOO_LONG, _INTERNAL_ERROR = 1002, 1009, 1011
_TEXT, _CLOSE = WSMsgType.TEXT, WSMsgType.CLOSE
_DATA: Final = (_TEXT, WSMsgType.BINARY)

_log: Final = logging.getLogger(__name__)
_picows_log: Final = logging.getLogger("picows")
_picows_log.setLevel(logging.CRITICAL)  # protocol errors of clients are not ours


class WebSocket(WSListener, asyncio.Protocol):
    """A connection, created with the arguments that uvicorn passes to a protocol. It is the
    protocol of its transport until the handshake is accepted, and then the listener of picows."""

    def __init__(
        self, config: uvicorn.Config, server_state: ServerState, app_state: dict[str, Any]
    ) -> None:
        self._config = config
        self._state = server_state
        self._app_state = app_state
        self._loop = asyncio.get_running_loop()
        self._transport = cast(Transport, None)
        self._frames: WSTransport | None = None  # writes frames, after the handshake
        # The handshake, and the end.
        self._key = b""
        self._refusal: tuple[int, list[tuple[bytes, bytes]]] | None = None
        self._connect_received = False
        self._closing = False  # whether messages are no longer read or written
        self._ended = asyncio.Event()
        self._abort_timer: asyncio.TimerHandle | None = None
        # Messages.
        self._on_message: Callable[[bytes], None] | None = None
        self._parts: list[bytes] | None = None  # of a message that is not complete yet
        self._is_text = False
        self._control_frames = RateLimit(CONTROL_FRAMES)
        self._crowded = False  # whether several frames were read at once
        self._ignored = 0  # frames after the end
        # Flow control, and the keepalive.
        self._written = 0  # bytes
        self._ping_timer: asyncio.TimerHandle | None = None
        self._pong_due = False
        self._at_ping = 0, 0  # bytes written, and bytes acknowledged at the last check

    # The handshake.

    def connection_made(self, transport: BaseTransport) -> None:
        """Note the connection, and give its handshake a time limit."""
        self._transport = cast(Transport, transport)
        self._state.connections.add(cast(Any, self))
        with contextlib.suppress(OSError):
            connection = transport.get_extra_info("socket")
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
        self._abort_after(HANDSHAKE_TIMEOUT)

    def data_received(self, data: bytes) -> None:
        """Begin the handshake with the head of the request, which uvicorn passes on whole. Nothing
        else is read until the application listens."""
        if self._key or self._closing:  # a client that does not wait for the answer
            self.abort()
            return
        self._transport.pause_reading()
        first, *lines = data[:-4].split(b"\r\n")
        method, target, _ = first.split(b" ", 2)
        headers = [(name, value) for name, _, value in (line.partition(b": ") for line in lines)]
        named = dict(headers)
        key = named.get(b"sec-websocket-key", b"")
        if named.get(b"sec-websocket-version") != b"13":
            self._refuse(HTTPStatus.UPGRADE_REQUIRED, [(b"sec-websocket-version", b"13")])
        elif method != b"GET" or not _is_key(key):
            self._refuse(HTTPStatus.BAD_REQUEST)
        else:
            self._key = key
            task = self._loop.create_task(self._run(self._scope(target, headers)))
            self._state.tasks.add(task)
            task.add_done_callback(self._state.tasks.discard)

    def _scope(self, target: bytes, headers: list[tuple[bytes, bytes]]) -> Scope:
        path, _, query = target.partition(b"?")
        return {
            "type": "websocket",
            "asgi": {"version": self._config.asgi_version, "spec_version": "2.4"},
            "http_version": "1.1",
            "scheme": "wss" if self._transport.get_extra_info("sslcontext") else "ws",
            "server": self._transport.get_extra_info("sockname"),
            "client": self._transport.get_extra_info("peername"),
            "root_path": self._config.root_path,
            "path": self._config.root_path + unquote(path.decode("ascii")),
            "raw_path": self._config.root_path.encode("ascii") + path,
            "query_string": query,
            "headers": headers,
            "subprotocols": [],
            "state": self._app_state.copy(),
            "extensions": {"websocket.http.response": {}, EXTENSION: self},
        }

    async def _run(self, scope: Scope) -> None:
        application: Any = self._config.loaded_app
        try:
            await application(scope, self._receive, self._send)
        except ConnectionError:
            pass
        except Exception:
            _log.exception("a WebSocket has failed")
        if self._frames is None:
            self._refuse(HTTPStatus.INTERNAL_SERVER_ERROR)
        self._close(_INTERNAL_ERROR)

    async def _receive(self) -> Message:
        """The next ASGI message: ``websocket.connect`` or, at the end, ``websocket.disconnect``."""
        if not self._connect_received:
            self._connect_received = True
            return {"type": "websocket.connect"}
        await self._ended.wait()
        return {"type": "websocket.disconnect"}

    async def _send(self, message: Message) -> None:
        """Accept, refuse or close. Messages are sent with :meth:`write`."""
        kind = message["type"]
        if kind == "websocket.accept":
            self._accept()
        elif kind == "websocket.close" and self._frames is not None:
            self._close(message["code"])
        elif kind == "websocket.close":
            self._refuse(HTTPStatus.FORBIDDEN)
        elif kind == "websocket.http.response.start":
            self._refusal = message["status"], list(message["headers"])
        else:
            assert self._refusal is not None
            self._refuse(*self._refusal, message["body"])

    def _accept(self) -> None:
        """Hand the connection over to picows. It insists on a request, so it gets one."""
        if self._closing or self._transport.is_closing():
            raise ConnectionError
        parser = _picows_protocol(self, self._config.ws_max_size)
        parser.connection_made(self._transport)
        self._transport.set_protocol(parser)
        head = b"GET / HTTP/1.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        head += b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: %b\r\n\r\n" % self._key
        parser.get_buffer(len(head))[: len(head)] = head
        parser.buffer_updated(len(head))

    def on_ws_connected(self, transport: WSTransport) -> None:
        """Note that the handshake is answered, and begin the keepalive."""
        self._frames = transport
        self._stop_timers()
        self._schedule_ping()

    def _refuse(
        self, status: int, headers: list[tuple[bytes, bytes]] | None = None, body: bytes = b""
    ) -> None:
        """Answer the handshake with an error, and close the connection."""
        if self._closing or self._transport.is_closing():
            return
        fields = [*self._state.default_headers, *(headers or ()), (b"connection", b"close")]
        lines = b"".join(b"%b: %b\r\n" % field for field in fields)
        first = b"HTTP/1.1 %d %b\r\n" % (status, HTTPStatus(status).phrase.encode())
        self._transport.write(first + lines + b"\r\n" + body)
        self._hang_up()

    # Called by the application.

    def listen(self, on_message: Callable[[bytes], None]) -> None:
        """Call ``on_message`` with every message from now on. A binary message counts as empty."""
        if not self._ended.is_set():  # otherwise nothing would ever undo the reference cycle
            self._on_message = on_message
            self._transport.resume_reading()

    def write(self, message: bytes) -> None:
        """Write a text message. Does nothing if the connection is closing."""
        if self._frames is not None and not self._closing and not self._transport.is_closing():
            self._written += len(message)
            self._frames.send(_TEXT, message)

    @property
    def unsent(self) -> int:
        """How many written bytes the system has not accepted yet."""
        return 0 if self._closing else self._transport.get_write_buffer_size()

    @property
    def acknowledged(self) -> int:
        """How many bytes of our messages have arrived, as far as the system knows."""
        unsent = self._transport.get_write_buffer_size() + unacknowledged(self._transport)
        return self._written - unsent

    def abort(self) -> None:
        """End the connection in the next turn of the event loop. Unsent data is lost."""
        # Not now: while it handles frames that were read together, picows may write to the file
        # descriptor, which may be another connection's as soon as it is closed.
        self._closing = True
        self._loop.call_soon(self._transport.abort)

    # Called by picows.

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        """Handle a frame, passing a complete message on at once."""
        if not frame.last_in_buffer and not self._crowded:
            self._crowded = True
            self._transport.pause_reading()
            self._loop.call_soon(self._read_on)
        kind = frame.msg_type
        if kind == _CLOSE:
            self._on_close(frame)
        elif self._closing:
            self._ignored += 1
            if self._ignored > MAX_UNANSWERED:
                self._transport.pause_reading()
        elif frame.rsv1 or frame.rsv2 or frame.rsv3:
            self._close(_PROTOCOL_ERROR)
        elif kind in _DATA:
            if self._parts is not None:
                self._close(_PROTOCOL_ERROR)
            self._is_text = kind == _TEXT
            self._on_part(frame, [])
        elif not self._control_frames.try_acquire():
            self._close(TOO_MANY)
        elif kind == WSMsgType.PING:
            transport.send_pong(frame.get_payload_as_bytes())
        elif kind == WSMsgType.PONG:
            self._pong_due = False
        elif self._parts is None:
            self._close(_PROTOCOL_ERROR)
        else:
            self._on_part(frame, self._parts)

    def _read_on(self) -> None:
        """Resume reading after several frames at once: in the next turn of the event loop, so that
        clients that send much at once hold no one up for long."""
        self._crowded = False
        if not self._closing and not self._transport.is_closing():
            self._transport.resume_reading()

    def _on_part(self, frame: WSFrame, parts: list[bytes]) -> None:
        parts.append(frame.get_payload_as_bytes())
        self._parts = None if frame.fin else parts
        message = b"".join(parts)
        if len(message) > self._config.ws_max_size:
            self._close(_TOO_LONG)
        elif frame.fin and self._on_message is not None and not self._closing:
            self._on_message(message if self._is_text else b"")

    def _on_close(self, frame: WSFrame) -> None:
        """Hang up once the client has closed, on its own or in answer to us."""
        if self._frames is not None and not self._closing:
            self._frames.send_close(frame.get_close_code() or WSCloseCode.OK)
        self._hang_up()

    def on_ws_disconnected(self, transport: WSTransport) -> None:
        """The connection is gone."""
        self.connection_lost(None)

    def pause_writing(self) -> None:
        """Do nothing: clients that read too slowly are dropped (`rage.house.tables.client`)."""

    resume_writing = pause_writing

    # The end.

    def connection_lost(self, exc: Exception | None) -> None:
        """Note that the connection is gone."""
        self._closing = True
        self._stop_timers()
        self._on_message = None  # a reference cycle would wait for the garbage collector
        self._ended.set()
        self._state.connections.discard(cast(Any, self))

    def shutdown(self) -> None:
        """Close the connection, because the server stops."""
        if self._frames is None:
            self._refuse(HTTPStatus.INTERNAL_SERVER_ERROR)
        self._close(RESTART)

    def _close(self, code: int) -> None:
        """Begin the closing handshake, and give the client a moment to answer. Nothing more is read
        from a client that has sent too much."""
        if self._frames is None or self._closing or self._transport.is_closing():
            return
        self._frames.send_close(cast(WSCloseCode, code))
        self._end()
        if code == TOO_MANY:
            self._transport.pause_reading()
        else:
            self._transport.resume_reading()

    def _hang_up(self) -> None:
        """Close once everything is sent, but don't wait long for a client that does not read."""
        self._end()
        self._transport.close()

    def _end(self) -> None:
        """Read and write no more messages, and tell the application."""
        if not self._closing:
            self._closing = True
            self._stop_timers()
            self._abort_after(LINGER)
            self._ended.set()

    def _abort_after(self, seconds: float) -> None:
        self._abort_timer = self._loop.call_later(seconds, self.abort)

    def _stop_timers(self) -> None:
        for timer in (self._abort_timer, self._ping_timer):
            if timer is not None:
                timer.cancel()

    # The keepalive.

    def _schedule_ping(self) -> None:
        if interval := self._config.ws_ping_interval:
            self._ping_timer = self._loop.call_later(interval, self._check_alive)

    def _check_alive(self) -> None:
        """Send a ping. Abort a client that has not answered the last one, unless it is still
        reading earlier messages."""
        assert self._frames is not None
        acknowledged = self.acknowledged
        written, before = self._at_ping
        silent = self._pong_due and not before < acknowledged < written
        if silent or self._frames.is_close_frame_sent:  # by picows, to refuse a frame
            self.abort()
            return
        if not self._pong_due:
            self._pong_due, written = True, self._written
            self._frames.send_ping()
        self._at_ping = written, acknowledged
        self._schedule_ping()


def _picows_protocol(listener: WSListener, max_size: int) -> Any:
    """The server side of picows with its own automatic features turned off: no time limit for the
    handshake, no pings, no pongs. (Its own function for this also opens the port.)"""
    return WSProtocol(
        None, None, False,  # host and path are a client's
        lambda request: listener,
        _picows_log,
        True,  # disconnect if the listener fails
        None,
        False, 0, 0, WSAutoPingStrategy.PING_PERIODICALLY,
        False,
        max_size,
        None,
        0,  # a read buffer of the smallest size
    )  # fmt: skip


def _is_key(key: bytes) -> bool:
    """Return whether this is a valid handshake key: sixteen bytes in Base64."""
    try:
        return len(base64.b64decode(key, validate=True)) == 16
    except binascii.Error:
        return False
