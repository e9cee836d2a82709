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


class Patient(H11Protocol):
    """A connection, to be given to uvicorn as ``http``."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._late: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]  # as uvicorn
        """Called by the event loop when somebody connects."""
        super().connection_made(transport)
        self._await_head()

    def data_received(self, data: bytes) -> None:
        """Called by the event loop: once the head of a request is there, it takes its time."""
        super().data_received(data)
        if self.conn.their_state is not h11.IDLE:
            self._rest()
        elif self._late is None:
            self._await_head()

    def connection_lost(self, exc: Exception | None) -> None:
        """Called by the event loop at the end."""
        self._rest()
        super().connection_lost(exc)

    def _await_head(self) -> None:
        self._late = self.loop.call_later(HEAD, self.transport.close)

    def _rest(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None
