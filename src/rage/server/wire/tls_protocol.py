"""TLS connections. The handshake is started here and not by the event loop, so that it has a time
limit and takes a slot like any other connection, and so that the transport below TLS is known: only
that one can tell how much the system has accepted."""

from __future__ import annotations

import asyncio
import ssl
from asyncio.transports import BaseTransport, Transport
from typing import Any, Final, cast

from rage.server.wire.http_protocol import HttpProtocol
from rage.server.wire.slots import Slots
from rage.server.wire.transports import address

#: How many seconds a handshake may take.
HANDSHAKE_TIMEOUT: Final = 10.0
#: How many seconds closing may take: longer than any answer, however slowly it is read.
#: :class:`HttpProtocol` ends connections that do not read.
SHUTDOWN_TIMEOUT: Final = 3600.0


class TlsProtocol(asyncio.Protocol):
    """A connection during its TLS handshake; afterwards :class:`HttpProtocol` takes over, with the
    ``options`` (uvicorn's arguments)."""

    def __init__(self, slots: Slots, context: ssl.SSLContext, **options: Any) -> None:
        self._slots, self._context, self._options = slots, context, options
        self._connections: set[Any] = options["server_state"].connections
        self._early: list[bytes] = []
        self._lost = False

    def connection_made(self, transport: BaseTransport) -> None:
        """Accept a connection, and begin its handshake."""
        self._raw = cast(Transport, transport)
        client = address(self._raw, "peername")
        self._slot = self._slots.acquire(client[0] if client else "", self._raw.abort)
        self._slot.mark_idle()
        self._connections.add(self)
        self._start()

    def data_received(self, data: bytes) -> None:
        """Keep data that arrived together with the end of the handshake."""
        self._early.append(data)

    def connection_lost(self, exc: Exception | None) -> None:
        """Note that the connection was lost during the handshake."""
        self._lost = True

    def shutdown(self) -> None:
        """Abort the connection, because the server stops."""
        self._raw.abort()

    def _start(self) -> None:
        """Begin the handshake at once, and not in the next iteration of the event loop, as a task
        would: uvloop goes on reading, and what it read meanwhile would be lost."""
        self._handshake = asyncio.get_running_loop().start_tls(
            self._raw, self, self._context, server_side=True,
            ssl_handshake_timeout=HANDSHAKE_TIMEOUT,
            ssl_shutdown_timeout=SHUTDOWN_TIMEOUT,
        )  # fmt: skip
        self._handshake.send(None).add_done_callback(self._on_handshake)

    def _on_handshake(self, waiter: asyncio.Future[Any]) -> None:
        """After the handshake: hand the connection to HTTP, or close it if it has failed."""
        transport: Transport | None = None
        try:
            self._handshake.send(None)
        except StopIteration as done:
            transport = done.value
        except (OSError, asyncio.CancelledError):  # TLS errors are OSErrors
            pass
        self._connections.discard(self)
        if transport is None or self._lost:
            self._raw.abort()
            self._slot.release()
            return
        protocol = HttpProtocol(self._slots, raw=self._raw, slot=self._slot, **self._options)
        transport.set_protocol(protocol)
        protocol.connection_made(transport)
        for data in self._early:
            protocol.data_received(data)
