"""One WebSocket connection as uvicorn has it, with three things that ASGI cannot say: write a
frame now, how much has not been read yet, and hang up without a goodbye.

A move is told to all at a table by one frame, made once and written to each connection. Whoever
does not read is seen by what waits, and dropped, instead of holding up a task in ``send``.
"""

from __future__ import annotations

import socket
from asyncio.transports import BaseTransport
from typing import Any, Final

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame, Opcode
from websockets.http11 import Request

#: Under this name an application finds its connection in ``scope["extensions"]``.
EXTENSION: Final = "rage.wire"
#: What the system keeps for a connection that does not read, in bytes; the rest waits with us.
SEND_BUFFER: Final = 64 * 1024


class Wire(WebSocketsSansIOProtocol):
    """A connection, to be given to uvicorn as ``ws``."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.close_timeout = 2.0

    def connection_made(self, transport: BaseTransport) -> None:
        """Called by the event loop when somebody connects."""
        super().connection_made(transport)
        connection = transport.get_extra_info("socket")
        if connection is not None and connection.family != getattr(socket, "AF_UNIX", None):
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)

    def handle_connect(self, event: Request) -> None:
        """Called by uvicorn at the handshake."""
        super().handle_connect(event)
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
        return self.close_sent or self.disconnected or self.transport.is_closing()

    def write(self, frame: bytes) -> None:
        """Write a frame made by :func:`frame`; nothing where the connection ends."""
        if not self.gone:
            self.transport.write(frame)

    def hang_up(self) -> None:
        """End the connection at once, with what was not read yet."""
        self.transport.abort()


def frame(payload: bytes) -> bytes:
    """A text frame from a server, the same for every connection."""
    return Frame(Opcode.TEXT, payload).serialize(mask=False)
