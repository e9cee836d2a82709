"""The door of the server, in plain ASGI: what every request passes, before anybody answers it.

It takes the base path off, refuses names that are not ours and requests that other sites have made
a browser send, puts the security headers on every answer, and sends each where it belongs.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from typing import Any, Final
from urllib.parse import urlsplit

import msgspec

from rage.say import RageError
from rage.server.config import USUAL_PORTS, Config, Hosts, is_loopback, split_host
from rage.server.errors import NotYours, problem, status_of
from rage.server.languages import preferred

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

_log: Final = logging.getLogger(__name__)
#: What the API answers; every other path is the page.
API: Final = ("api", "schema", "healthz", "readyz")
_PROBES: Final = ("/healthz", "/readyz")
_SAFE: Final = ("GET", "HEAD", "OPTIONS")
#: What a page of cards needs nothing of. (It reads QR codes with the camera.)
_DENIED: Final = (
    b"accelerometer", b"display-capture", b"geolocation", b"gyroscope",
    b"magnetometer", b"microphone", b"midi", b"payment", b"usb",
)  # fmt: skip
#: In how many seconds the rest of a request has come.
BODY: Final = 10.0
#: How much of one that is refused is read, in bytes, and for how many seconds.
MOST_LEFT: Final = 1 << 20
LEFT: Final = 2.0
_WITH_BODY: Final = frozenset((b"content-length", b"transfer-encoding"))
_ALWAYS: Final = (
    (b"x-content-type-options", b"nosniff"),
    (b"cross-origin-resource-policy", b"same-origin"),
)
#: For what is no page, and runs nothing of its own.
_BARE: Final = (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'")
_ON_PAGES: Final = (
    (b"referrer-policy", b"same-origin"),
    (b"x-frame-options", b"DENY"),
    (b"permissions-policy", b", ".join([b"camera=(self)", *(each + b"=()" for each in _DENIED)])),
)
_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:;"
    " font-src 'self'; media-src 'self'; connect-src 'self'{sockets}; manifest-src 'self';"
    " worker-src 'self'; frame-ancestors 'none'; base-uri 'self'; form-action 'none'"
)


def header(scope: Scope, name: bytes) -> str:
    """A header of a request, the first where there are several; empty where there is none."""
    for key, value in scope["headers"]:
        if key == name:
            found: str = value.decode("latin-1")
            return found
    return ""


def is_secure(scope: Scope) -> bool:
    """Whether the browser counts a page of this request as secure: over HTTPS, or from its own
    machine."""
    host = split_host(header(scope, b"host"))
    return scope["scheme"] in ("https", "wss") or (host is not None and is_loopback(host[0]))


def own_origin(scope: Scope) -> bool:
    """Whether a request comes from a page of this server: its ``Origin``, where there is one,
    is the name and port it was sent to. (The scheme isn't compared: a proxy may have changed
    it.) Browsers send an ``Origin`` with every WebSocket and with all that changes something."""
    origin = header(scope, b"origin")
    host = split_host(header(scope, b"host"))
    if not origin:
        return True
    try:
        parts = urlsplit(origin)
        given = (parts.hostname or "").rstrip("."), parts.port
    except ValueError:
        return False
    usual = USUAL_PORTS.get(parts.scheme)
    if host is None or usual is None:
        return False
    ours = USUAL_PORTS.get(scope["scheme"])
    return given[0] == host[0] and (given[1] or usual) in {host[1] or usual, host[1] or ours}


class Gate:
    """What stands in front of API, page and WebSocket, and is an ASGI application like them."""

    def __init__(
        self, config: Config, *, api: Application, page: Application, socket: Application
    ) -> None:
        self._base = config.base_path
        self._hosts = Hosts(config.allowed_hosts)
        self._api, self._page, self._socket = api, page, socket

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or carry one WebSocket."""
        scope = below(self._base, scope)
        if scope["type"] == "websocket":
            await self._to_socket(scope, receive, send)
        else:
            heard, said = _heard_out(scope, receive, send)
            await self._to_http(scope, heard, _noted(scope, _secured(scope, said)))

    async def _to_socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        known = self._hosts.allow(header(scope, b"host"))
        if known and scope["path"].startswith("/ws/"):
            await self._socket(scope, receive, send)
        else:  # before the handshake, which answers it with a status
            await receive()
            await send({"type": "websocket.close", "code": 4003 if known else 4004})

    async def _to_http(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = scope["path"]
        try:
            if path not in _PROBES and not self._hosts.allow(header(scope, b"host")):
                raise NotYours("http.host")
            if scope["method"] not in _SAFE:
                _check_sender(scope)
        except RageError as error:
            await refuse(error, scope, send)
            return
        if path[1:].partition("/")[0] in API:
            if scope["method"] == "HEAD":  # the protocol leaves the body out
                scope["method"] = "GET"
            await self._api(scope, _timed(receive), send)
        else:
            await self._page(scope, receive, send)


def below(base: str, scope: Scope) -> Scope:
    """A copy of a request whose path begins below the base path; a proxy may have taken it off
    already."""
    path, raw = scope["path"], scope.get("raw_path") or b""
    if base and (path == base or path.startswith(base + "/")):
        path = path[len(base) :] or "/"
        raw = raw[len(base) :] or b"/"
    return {**scope, "path": path, "raw_path": raw, "root_path": "", "rage.base": base}


def _check_sender(scope: Scope) -> None:
    """What changes something has a header that only a page of this server can send."""
    if header(scope, b"x-rage") != "1":
        raise NotYours("http.no_header")
    if not own_origin(scope):
        raise NotYours("http.origin")


async def refuse(
    error: RageError, scope: Scope, send: Send, headers: Iterable[tuple[bytes, bytes]] = ()
) -> None:
    """Answer with a refusal, in the language the request prefers."""
    language = preferred(header(scope, b"accept-language"))
    body = msgspec.json.encode(problem(error, language))
    headers = [*headers, (b"content-type", b"application/json")]
    await respond(send, status_of(error), body, headers)


async def respond(send: Send, status: int, body: bytes, headers: list[tuple[bytes, bytes]]) -> None:
    """Send a whole answer."""
    if status != 204:
        headers = [*headers, (b"content-length", b"%d" % len(body))]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def _heard_out(scope: Scope, receive: Receive, send: Send) -> tuple[Receive, Send]:
    """Both, with what is left of a request read before its answer ends. Where a connection is
    closed with something unread, the system takes the answer back, and a proxy says 502."""
    names = {name for name, _ in scope["headers"]}
    if names.isdisjoint(_WITH_BODY) or b"expect" in names:  # which waits for leave to send it
        return receive, send
    more = True

    async def heard() -> Message:
        nonlocal more
        message = await receive()
        more = bool(message.get("more_body"))
        return message

    async def rest() -> None:
        left = MOST_LEFT
        while more and left > 0:
            left -= len((await heard()).get("body", b""))

    async def said(message: Message) -> None:
        if message["type"] == "http.response.body" and not message.get("more_body") and more:
            await send({**message, "more_body": True})
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(rest(), LEFT)
            message = {"type": "http.response.body"}
        await send(message)

    return heard, said


def _timed(receive: Receive) -> Receive:
    """``receive``, which waits for the rest of a request only so long."""

    async def timed() -> Message:
        try:
            return await asyncio.wait_for(receive(), BODY)
        except TimeoutError:
            return {"type": "http.disconnect"}

    return timed


def _noted(scope: Scope, send: Send) -> Send:
    """``send``, with a line in the log for the answer."""
    if not _log.isEnabledFor(logging.INFO):
        return send
    begun, method, path = time.perf_counter(), scope["method"], told_path(scope["path"])

    async def noted(message: Message) -> None:
        if message["type"] == "http.response.start":
            ms = round(1000 * (time.perf_counter() - begun), 1)
            about = {"method": method, "path": path, "status": message["status"], "ms": ms}
            _log.info("request", extra={"about": about})
        await send(message)

    return noted


def told_path(path: str) -> str:
    """A path as the log has it: without what opens a table or proves a person, which are in the
    third part and behind."""
    parts = path.split("/")
    if path.startswith(("/api/tables/", "/api/handover/")):
        return "/".join([*parts[:3], "…", *parts[4:]])
    return "/".join([*parts[:2], "…"]) if len(parts) > 2 and parts[1] != "api" else path[:200]


def _secured(scope: Scope, send: Send) -> Send:
    """``send``, with the security headers on the answer: all of them on what a browser may open
    as a page or run as a worker. On the rest they would only cost: some 8 kB of a first visit."""

    async def secured(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = [*message.get("headers", ()), *_ALWAYS]
            named = {name.lower(): value for name, value in headers}
            bare = scope["path"].startswith("/assets/") or named.get(
                b"content-type", b""
            ).startswith(b"application/json")
            headers += [_BARE] if bare else _for_pages(scope)
            if b"cache-control" not in named:
                headers.append((b"cache-control", b"no-store"))
            message = {**message, "headers": headers}
        await send(message)

    return secured


def _for_pages(scope: Scope) -> list[tuple[bytes, bytes]]:
    host = header(scope, b"host")
    sockets = f" ws://{host} wss://{host}" if split_host(host) is not None else ""
    found = [*_ON_PAGES, (b"content-security-policy", _POLICY.format(sockets=sockets).encode())]
    if is_secure(scope):  # elsewhere browsers ignore it, and complain in the console
        found.append((b"cross-origin-opener-policy", b"same-origin"))
    return found
