"""An HTTP connection that does not wait for ever: uvicorn's own does, for a request that is only
begun, and so could be filled with connections that say nothing."""

from __future__ import annotations

import asyncio
from asyncio.transports import Transport
from typing import Any, Final

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

#: In how many seconds the head of a request has come.
HEAD: Final = 10.0
#: And then all of its body.
BODY: Final = 20.0


class Patient(H11Protocol):
    """A connection, to be given to uvicorn as ``http``."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._late: asyncio.TimerHandle | None = None
        self._stage: object = None

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]  # as uvicorn
        """Called by the event loop when somebody connects."""
        super().connection_made(transport)
        self._look()

    def data_received(self, data: bytes) -> None:
        """Called by the event loop: each part of a request has its time, from its beginning on;
        the answer takes what it takes."""
        super().data_received(data)
        self._look()

    def connection_lost(self, exc: Exception | None) -> None:
        """Called by the event loop at the end."""
        self._rest()
        super().connection_lost(exc)

    def _look(self) -> None:
        if self.transport.get_protocol() is not self:  # a WebSocket now, which has its own times
            self._rest()
            return
        stage = self.conn.their_state
        if stage is self._stage:
            return
        self._rest()
        self._stage = stage
        if stage is h11.IDLE:
            self._late = self.loop.call_later(HEAD, self.transport.abort)
        elif stage is h11.SEND_BODY:
            self._late = self.loop.call_later(BODY, self.transport.abort)

    def _rest(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None
