"""HTTP by uvicorn, except for malformed requests and too many connections."""

from __future__ import annotations

from asyncio import Transport
from typing import Final

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

#: The states of our side of a connection before any part of the answer is sent.
_UNANSWERED: Final = (h11.IDLE, h11.SEND_RESPONSE)
#: How many connections above uvicorn's limit may stay to be told that there are too many.
SPARE: Final = 100


class Http(H11Protocol):
    """A connection, created with the arguments that uvicorn passes to a protocol."""

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]  # TCP alone
        """Close a connection that is one too many. uvicorn would refuse its requests, but a silent
        connection would stay open."""
        super().connection_made(transport)
        most = self.limit_concurrency
        if most is not None and len(self.connections) > most + SPARE:
            transport.close()

    def send_400_response(self, msg: str) -> None:
        """Refuse a malformed request and close the connection; without an answer if one has been
        sent already or must not have a body. uvicorn would send it anyway, and then fail."""
        if self.cycle is not None:
            self.cycle.disconnected = True  # the application's answer would be a second one
        bodiless = self.conn.our_state is h11.SEND_RESPONSE and self.scope["method"] == "HEAD"
        if self.conn.our_state in _UNANSWERED and not bodiless:
            super().send_400_response(msg)
        else:
            self.transport.close()
