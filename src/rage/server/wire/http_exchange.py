"""One HTTP request and its response: ASGI on one side, an h11 connection on the other."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from http import HTTPStatus
from typing import Final, Protocol

import h11

from rage.server.http.asgi import Application, Message, Scope

_log: Final = logging.getLogger(__name__)
#: How many bytes of a body may wait for the application before reading pauses.
MAX_UNREAD: Final = 64 * 1024
_CLOSE: Final = (b"connection", b"close")


class Connection(Protocol):
    """What an exchange needs of its connection."""

    @property
    def closing(self) -> bool:
        """Whether nothing more can be sent."""

    def send(self, event: h11.Event) -> None:
        """Send a part of a response."""

    async def drain(self) -> None:
        """Wait until there is room to send more."""

    def pause_reading(self) -> None:
        """Read no more from the client until :meth:`resume_reading`."""

    def resume_reading(self) -> None:
        """Read from the client again."""

    def close(self) -> None:
        """Close the connection when everything is sent."""


class Exchange:
    """A request that is being answered; ``headers`` are added to the response, and ``on_complete``
    is called when all of it has been sent."""

    def __init__(
        self,
        connection: Connection,
        scope: Scope,
        headers: list[tuple[bytes, bytes]],
        *,
        expects_continue: bool,
        on_complete: Callable[[], None],
    ) -> None:
        self._connection = connection
        self._scope = scope
        self._headers = headers
        self._expects_continue = expects_continue
        self._on_complete = on_complete
        self._body = bytearray()
        self._more_body = True
        self._changed = asyncio.Event()  # more of the body has come, or the end
        self._started = False
        #: Whether the whole response has been sent, and whether the client has gone.
        self.complete = False
        self.disconnected = False
        #: Whether the connection may be used for another request.
        self.keep_alive = True

    async def run(self, application: Application) -> None:
        """Let the application answer; if it does not, answer with an internal server error."""
        try:
            await application(self._scope, self._receive, self._send)
            if not self.complete and not self.disconnected:
                _log.error("a request was not answered")
        except Exception:
            _log.exception("a request has failed")
        if self.complete or self.disconnected:
            return
        if self._started:
            self._connection.close()
        else:
            await self._send_error(HTTPStatus.INTERNAL_SERVER_ERROR)

    async def _send_error(self, status: HTTPStatus) -> None:
        headers = [(b"content-type", b"text/plain; charset=utf-8"), _CLOSE]
        await self._send({"type": "http.response.start", "status": status, "headers": headers})
        await self._send({"type": "http.response.body", "body": status.phrase.encode()})

    # Called by the connection.

    def feed(self, data: bytes | bytearray) -> None:
        """Add a piece of the body."""
        self._body += data
        if len(self._body) > MAX_UNREAD:
            self._connection.pause_reading()
        self._changed.set()

    def feed_end(self) -> None:
        """Note that the body is complete."""
        self._more_body = False
        self._changed.set()

    def disconnect(self) -> None:
        """Note that the client has gone."""
        self.disconnected = True
        self._changed.set()

    # Called by the application.

    async def _receive(self) -> Message:
        if self._expects_continue and not self._connection.closing:
            self._expects_continue = False
            self._connection.send(h11.InformationalResponse(status_code=100, headers=[]))
        if not self.disconnected and not self.complete:
            self._connection.resume_reading()
            await self._changed.wait()
            self._changed.clear()
        if self.disconnected or self.complete:
            return {"type": "http.disconnect"}
        body, self._body = bytes(self._body), bytearray()
        return {"type": "http.request", "body": body, "more_body": self._more_body}

    async def _send(self, message: Message) -> None:
        if not self.disconnected:
            await self._connection.drain()
        if self.disconnected:
            return
        wanted = "http.response.body" if self._started else "http.response.start"
        if message["type"] != wanted or self.complete:
            raise RuntimeError(f"unexpected {message['type']}")
        if self._started:
            self._send_body(message.get("body", b""), more=message.get("more_body", False))
        else:
            self._start(message["status"], [*self._headers, *message.get("headers", ())])

    def _start(self, status: int, headers: list[tuple[bytes, bytes]]) -> None:
        self._started, self._expects_continue = True, False
        if _CLOSE in self._scope["headers"] and _CLOSE not in headers:
            headers.append(_CLOSE)
        reason = HTTPStatus(status).phrase.encode()
        self._connection.send(h11.Response(status_code=status, headers=headers, reason=reason))

    def _send_body(self, body: bytes, *, more: bool) -> None:
        self._connection.send(h11.Data(data=b"" if self._scope["method"] == "HEAD" else body))
        if not more:
            self.complete = True
            self._changed.set()
            self._connection.send(h11.EndOfMessage())
            self._on_complete()
