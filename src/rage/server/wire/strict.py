"""Strict HTTP/1.1. If a proxy and a server disagree about where a request ends, an attacker can
smuggle a second one past the proxy. So ambiguous requests are refused, even those that h11 would
accept: with both a length and chunks, with lines that end with LF alone, with folded lines."""

from __future__ import annotations

from typing import Any

import h11


class StrictConnection(h11.Connection):
    """The server's side of a connection; see :class:`h11.Connection`."""

    def __init__(self, role: type[h11.SERVER]) -> None:
        super().__init__(role)
        self._last = b""  # the last byte that was parsed
        #: Whether the answer to the request that was read last has no body.
        self.head_only = False

    def next_event(self) -> Any:
        """As in h11, but raises ``h11.RemoteProtocolError`` for ambiguous requests."""
        before = self.trailing_data[0]
        event = super().next_event()
        parsed = before[: len(before) - len(self.trailing_data[0])]
        if isinstance(event, h11.Request | h11.EndOfMessage):
            _check_lines((self._last if self._last == b"\r" else b"") + parsed)
        if isinstance(event, h11.Request):
            self.head_only = event.method == b"HEAD"
            _check_framing(event)
        self._last = parsed[-1:] or self._last
        return event


def _check_lines(parsed: bytes) -> None:
    """Check a head or trailer: every line ends with CR LF, and none is folded."""
    if parsed.count(b"\n") != parsed.count(b"\r\n"):
        raise h11.RemoteProtocolError("bare_lf")
    if b"\n " in parsed or b"\n\t" in parsed:
        raise h11.RemoteProtocolError("folded_line")


def _check_framing(request: h11.Request) -> None:
    """Check that a body does not have both a length and chunks; HTTP/1.0 has no chunks."""
    names = {name for name, _ in request.headers}
    if b"transfer-encoding" in names and (
        b"content-length" in names or request.http_version < b"1.1"
    ):
        raise h11.RemoteProtocolError("framing")
