"""HTTP/1.1: the sans-I/O protocol of ``h11`` on an asyncio transport.

Every part of a request has a time limit, and so has an answer that nobody reads; otherwise the
server could be filled with connections that do nothing. A connection takes a slot, and gives it up
to a newcomer while it waits for its next request.
"""

from __future__ import annotations

import asyncio
import socket
import struct
from asyncio.transports import BaseTransport, Transport
from typing import Any, Final, cast
from urllib.parse import unquote

import h11
import msgspec
import uvicorn
from uvicorn.server import ServerState

from rage.place.errors import problem
from rage.say import NotReadable
from rage.server.http.asgi import Scope
from rage.server.http.gate import ON_JSON
from rage.server.wire.http_exchange import Exchange
from rage.server.wire.slots import Slot, Slots
from rage.server.wire.strict import StrictConnection
from rage.server.wire.transports import SEND_BUFFER, address, set_option, unacknowledged
from rage.server.wire.websocket_protocol import WebSocketProtocol

#: How many seconds the head of a request may take, also on a connection that is refused anyway.
HEAD_TIMEOUT: Final = 10.0
HEAD_TIMEOUT_REFUSED: Final = 3.0
#: And its body after that.
BODY_TIMEOUT: Final = 20.0
#: For how many seconds a client may read nothing of an answer.
UNSENT_TIMEOUT: Final = 15.0
#: How often, in seconds, that is checked.
CHECK_INTERVAL: Final = 3.0


class HttpProtocol(asyncio.Protocol):
    """A connection, with the arguments that uvicorn gives to a protocol. With TLS, ``raw`` is the
    transport below it, and ``slot`` the one that was acquired for the handshake."""

    def __init__(
        self,
        slots: Slots,
        *,
        config: uvicorn.Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        raw: Transport | None = None,
        slot: Slot | None = None,
        **_: Any,
    ) -> None:
        self._slots = slots
        self._config = config
        self._state = server_state
        self._connections: set[Any] = server_state.connections
        self._app_state = app_state
        self._loop = asyncio.get_running_loop()
        self._h11 = StrictConnection(h11.SERVER)
        self._raw, self._slot = cast(Transport, raw), cast(Slot, slot)
        self._transport = cast(Transport, None)
        self._exchange: Exchange | None = None
        self._read_paused = False
        self._writable = asyncio.Event()
        self._writable.set()
        # How long a request may take to arrive.
        self._stage: object = None  # the state of h11 for which the timer was set
        self._late_timer: asyncio.TimerHandle | None = None
        self._idle_timer: asyncio.TimerHandle | None = None
        # How long an answer may take to be read; what is counted are bytes.
        self._check_timer: asyncio.TimerHandle | None = None
        self._written = 0
        self._delivered, self._delivered_at = 0, 0.0

    # Called by the event loop, and by uvicorn.

    def connection_made(self, transport: BaseTransport) -> None:
        """Take a slot for the connection, and begin to limit what it may take."""
        self._transport = cast(Transport, transport)
        self._connections.add(self)
        if self._raw is None:
            self._raw = self._transport
            client = address(transport, "peername")
            self._slot = self._slots.acquire(client[0] if client else "", self._make_room)
        else:
            self._slot.evict_with(self._make_room)
        self._app_state = {**self._app_state, "slot": self._slot}
        set_option(self._raw, socket.SO_SNDBUF, SEND_BUFFER)
        self._watch_stage()

    def data_received(self, data: bytes) -> None:
        """Parse what was read."""
        self._stop_idling()
        self._h11.receive_data(data)
        self._handle_events()
        self._watch_stage()

    def connection_lost(self, exc: Exception | None) -> None:
        """Note that the connection is gone."""
        self._connections.discard(self)
        if self._exchange is not None:
            self._exchange.disconnect()
            self._exchange = None
        self._writable.set()
        self._stop_timers()
        self._slot.release()

    def pause_writing(self) -> None:
        """Make the application wait, because too much is unsent."""
        self._writable.clear()

    def resume_writing(self) -> None:
        """Let the application continue."""
        self._writable.set()

    def shutdown(self) -> None:
        """Close the connection, because the server stops, once the current answer is sent."""
        if self._exchange is None:
            self._transport.close()
        else:
            self._exchange.keep_alive = False

    # Requests.

    def _handle_events(self) -> None:
        while True:
            try:
                event = self._h11.next_event()
            except h11.RemoteProtocolError:
                self._refuse()
                return
            if event is h11.NEED_DATA:
                return
            if event is h11.PAUSED:  # another request, before the answer to this one
                self.pause_reading()
                return
            if isinstance(event, h11.Request):
                self._stop_idling()
                if _is_websocket(event):
                    self._upgrade(event)
                    return
                self._begin(event)
            elif isinstance(event, h11.Data):
                if self._exchange is not None:
                    self._exchange.feed(event.data)
            elif isinstance(event, h11.EndOfMessage):
                if self._exchange is not None:
                    self._exchange.feed_end()
                elif self._h11.our_state is h11.DONE:  # it was answered before it had ended
                    self.resume_reading()
                    self._h11.start_next_cycle()
                if self._h11.their_state is h11.MUST_CLOSE:
                    return

    def _begin(self, request: h11.Request) -> None:
        """Let the application answer a request."""
        exchange = self._exchange = Exchange(
            self,
            self._scope(request),
            self._state.default_headers,
            expects_continue=self._h11.they_are_waiting_for_100_continue,
            on_complete=self._on_complete,
        )
        application: Any = self._config.loaded_app
        task = self._loop.create_task(exchange.run(application))
        self._state.tasks.add(task)
        task.add_done_callback(self._state.tasks.discard)

    def _scope(self, request: h11.Request) -> Scope:
        path, _, query = request.target.partition(b"?")
        root = self._config.root_path
        return {
            "type": "http",
            "asgi": {"version": self._config.asgi_version, "spec_version": "2.3"},
            "http_version": request.http_version.decode("ascii"),
            "scheme": "https" if self._transport.get_extra_info("sslcontext") else "http",
            "server": address(self._transport, "sockname"),
            "client": address(self._transport, "peername"),
            "method": request.method.decode("ascii"),
            "root_path": root,
            "path": root + unquote(path.decode("ascii")),
            "raw_path": root.encode("ascii") + path,
            "query_string": query,
            "headers": list(request.headers),
            "state": self._app_state.copy(),
        }

    def _on_complete(self) -> None:
        """After an answer: wait for the next request, for a limited time."""
        assert self._exchange is not None
        exchange, self._exchange = self._exchange, None
        if self._h11.our_state is h11.MUST_CLOSE or not exchange.keep_alive:
            self._transport.close()
        if self._transport.is_closing():
            return
        self._stop_idling()
        self._idle_timer = self._loop.call_later(self._config.timeout_keep_alive, self.close)
        self.resume_reading()
        if self._h11.our_state is h11.DONE and self._h11.their_state is h11.DONE:
            self._h11.start_next_cycle()
            self._handle_events()
        if self._h11.their_state is h11.IDLE:
            self._stage = None  # the time limit of the next head begins with its first byte
            self._stop_waiting()
            self._slot.mark_idle()

    def _upgrade(self, request: h11.Request) -> None:
        """Hand the connection to a WebSocket, which keeps the slot and has time limits of its
        own."""
        self._connections.discard(self)
        self._stop_timers()
        self._slot.mark_busy()
        protocol = WebSocketProtocol(self._config, self._state, self._app_state)
        protocol.slot = self._slot
        self._slot.evict_with(protocol.abort)  # so that nothing keeps the HTTP part in memory
        self._transport.set_protocol(protocol)
        protocol.connection_made(self._transport)
        lines = [b"%b: %b\r\n" % each for each in request.headers]
        head = b"%b %b HTTP/1.1\r\n%b\r\n" % (request.method, request.target, b"".join(lines))
        protocol.data_received(head)

    def _refuse(self) -> None:
        """Close a connection that has sent a malformed request. If an earlier part of it is being
        answered, that is given up; if no answer has begun, it gets a refusal."""
        if self._exchange is not None:
            self._exchange.disconnect()
        if self._h11.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            body = msgspec.json.encode(problem(NotReadable("http.unreadable"), "en"))
            length = (b"content-length", b"%d" % len(body))
            headers = [*ON_JSON, length, (b"connection", b"close")]
            self.send(h11.Response(status_code=400, headers=headers, reason=b"Bad Request"))
            if not self._h11.head_only:
                self.send(h11.Data(data=body))
            self.send(h11.EndOfMessage())
        self._transport.close()

    # Called by exchanges.

    @property
    def closing(self) -> bool:
        """Whether nothing more can be sent."""
        return self._transport.is_closing()

    def send(self, event: h11.Event) -> None:
        """Send a part of a response, and start to check that it is read."""
        data = self._h11.send(event) or b""
        self._written += len(data)
        self._transport.write(data)
        if self._check_timer is None:
            self._delivered_at = self._loop.time()
            self._check_timer = self._loop.call_later(CHECK_INTERVAL, self._check_delivered)

    async def drain(self) -> None:
        """Wait until there is room to send more."""
        await self._writable.wait()

    def pause_reading(self) -> None:
        """See :class:`rage.server.wire.http_exchange.Connection`."""
        if not self._read_paused:
            self._read_paused = True
            self._transport.pause_reading()

    def resume_reading(self) -> None:
        """See :class:`rage.server.wire.http_exchange.Connection`."""
        if self._read_paused:
            self._read_paused = False
            self._transport.resume_reading()

    def close(self) -> None:
        """Close the connection when everything is sent."""
        self._transport.close()

    # Requests that don't arrive.

    def _watch_stage(self) -> None:
        """When the next part of a request begins, set its time limit. An answer may take as long as
        it needs, if somebody reads it."""
        stage = self._h11.their_state
        if stage is self._stage or self._transport.get_protocol() is not self:
            return
        self._stop_waiting()
        self._stage = stage
        if stage is h11.IDLE:
            seconds = HEAD_TIMEOUT if self._slot.refusal is None else HEAD_TIMEOUT_REFUSED
            self._late_timer = self._loop.call_later(seconds, self._transport.abort)
            self._slot.mark_idle()
            return
        self._slot.mark_busy()
        if stage is h11.SEND_BODY:
            self._late_timer = self._loop.call_later(BODY_TIMEOUT, self._transport.abort)

    def _make_room(self) -> None:
        """Close the connection in favour of another: properly, if that is possible at once."""
        if self._unsent:
            self._raw.abort()
        else:
            self._transport.close()
            self._raw.close()

    def _stop_waiting(self) -> None:
        if self._late_timer is not None:
            self._late_timer.cancel()
            self._late_timer = None

    def _stop_idling(self) -> None:
        if self._idle_timer is not None:
            self._idle_timer.cancel()
            self._idle_timer = None

    def _stop_timers(self) -> None:
        self._stop_waiting()
        self._stop_idling()
        if self._check_timer is not None:
            self._check_timer.cancel()
            self._check_timer = None

    # Answers that are not read.

    @property
    def _unsent(self) -> int:
        """How many bytes the system has not accepted yet."""
        unsent = self._transport.get_write_buffer_size()
        if self._raw is not self._transport:
            unsent += self._raw.get_write_buffer_size()
        return unsent

    def _check_delivered(self) -> None:
        """Abort the connection if nothing has arrived for too long. (TLS adds a few bytes to what
        is written, so slightly less seems to have arrived than has.)"""
        self._check_timer = None
        unsent, now = self._unsent, self._loop.time()
        if not unsent and not self._transport.is_closing():
            return
        delivered = self._written - unsent - unacknowledged(self._raw)
        if delivered > self._delivered:
            self._delivered, self._delivered_at = delivered, now
        if now - self._delivered_at < UNSENT_TIMEOUT:
            self._check_timer = self._loop.call_later(CHECK_INTERVAL, self._check_delivered)
            return
        set_option(self._raw, socket.SO_LINGER, struct.pack("ii", 1, 0))  # send none of it
        self._raw.abort()


def _is_websocket(request: h11.Request) -> bool:
    """Whether a request asks for an upgrade to a WebSocket."""
    named = dict(request.headers)  # the last, if there are several
    tokens = named.get(b"connection", b"").lower().replace(b" ", b"").split(b",")
    return b"upgrade" in tokens and named.get(b"upgrade", b"").lower() == b"websocket"
