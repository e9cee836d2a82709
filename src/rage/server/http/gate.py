"""The gate: plain ASGI middleware that every request passes first.

It strips the base path, refuses host names that aren't this server's and requests forged by other
sites, adds the security headers to every answer, and routes to the API, the page or the WebSocket.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections import Counter
from typing import Final

from rage.house.base.errors import Forbidden, ServerFull, TooManyRequests, UpgradeRequired
from rage.house.base.messages import FOREIGN
from rage.house.limits.limiting import Limits
from rage.house.limits.rate import Rate, RateLimit
from rage.house.requests.routes import ROUTES
from rage.say import RageError
from rage.server.asgi import (
    Application,
    Message,
    Receive,
    Scope,
    Send,
    address_of,
    header,
    is_same_origin,
    is_secure,
    refuse,
)
from rage.server.config import Config, Hosts, split_host
from rage.server.http.open_sockets import OpenSockets
from rage.server.http.page import is_asset
from rage.server.http.players import Players
from rage.server.logs import redacted_path

_log: Final = logging.getLogger(__name__)
#: First parts of paths that belong to the API; every other path is the page.
API: Final = frozenset(("schema", *(route.path.split("/")[1] for route in ROUTES)))
#: How often each status was answered since the start.
ANSWERED: Final[Counter[int]] = Counter()
_PROBES: Final = ("/healthz", "/readyz")
_SOCKETS: Final = "/ws/"
#: The headers that RFC 9110 requires with a 426.
_UPGRADE: Final = ((b"upgrade", b"websocket"), (b"connection", b"upgrade"))
#: How often to log that a proxy lets no WebSocket through.
_BLOCKED: Final = Rate(1, 60)
#: How often to log that a proxy hides HTTPS, and how often a page may ask before that is logged.
_HIDDEN: Final = Rate(1, 24 * 3600)
_ASKED: Final = Rate(3, 60)
_SAFE_METHODS: Final = ("GET", "HEAD", "OPTIONS")
#: Browser features that a card game does not need. (It does need the camera, to read QR codes.)
_DENIED: Final = (
    b"accelerometer", b"display-capture", b"geolocation", b"gyroscope",
    b"magnetometer", b"microphone", b"midi", b"payment", b"usb",
)  # fmt: skip
#: The seconds that the API waits for each part of a request's body.
BODY_PART_TIMEOUT: Final = 10.0
#: How many bytes of a refused request's body are read, and for how many seconds.
MAX_DISCARDED: Final = 1 << 20
DISCARD_TIMEOUT: Final = 2.0
_BODY_HEADERS: Final = frozenset((b"content-length", b"transfer-encoding"))
_ON_EVERYTHING: Final = (
    (b"x-content-type-options", b"nosniff"),
    (b"cross-origin-resource-policy", b"same-origin"),
)
#: For answers that aren't pages and run no code.
_CSP_NOTHING: Final = (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'")
_NO_STORE: Final = (b"cache-control", b"no-store")
_ON_PAGES: Final = (
    (b"referrer-policy", b"same-origin"),
    (b"x-frame-options", b"DENY"),
    (b"permissions-policy", b", ".join([b"camera=(self)", *(each + b"=()" for each in _DENIED)])),
)
_CSP: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:;"
    " font-src 'self'; media-src 'self'; connect-src 'self'{sockets}; manifest-src 'self';"
    " worker-src 'self'; frame-ancestors 'none'; base-uri 'self'; form-action 'none'"
)


class Gate:
    """An ASGI application in front of the API, the page and the WebSocket."""

    def __init__(
        self,
        config: Config,
        sockets: OpenSockets,
        limits: Limits,
        players: Players,
        *,
        api: Application,
        page: Application,
        socket: Application,
    ) -> None:
        self._base = config.base_path
        self._sockets, self._limits, self._players = sockets, limits, players
        self._hsts = None if config.hsts is None else b"max-age=%d" % (config.hsts * 86_400)
        self._hosts = Hosts(config.allowed_hosts)
        self._api, self._page, self._socket = api, page, socket
        self._blocked, self._foreign = RateLimit(_BLOCKED), RateLimit(_BLOCKED)
        self._hidden, self._asked = RateLimit(_HIDDEN), RateLimit(_ASKED)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or serve one WebSocket until it closes."""
        scope = without_base(self._base, scope)
        if scope["type"] == "websocket":
            await self._to_socket(scope, receive, send)
        else:
            receive, send = _discarding(scope, receive, send)
            send = _logging(scope, _securing(scope, send, self._hsts))
            await self._to_http(scope, receive, send)

    async def _to_socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        known = self._hosts.allow(header(scope, b"host")) and is_same_origin(scope)
        if not known and self._foreign.try_acquire():
            _log.warning(
                "a WebSocket was refused: its Host is not this server's, or not that of its"
                " Origin; a proxy must pass Host on (docs/hosting.md: A small server)"
            )
        if not known or not scope["path"].startswith(_SOCKETS):
            await receive()
            await send({"type": "websocket.close", "code": FOREIGN})  # as a status, 403
            return
        try:  # only now: pages of other sites must not use up the limits of their visitors
            await self._count("socket", scope)
            await self._add_socket(scope)
        except RageError as error:
            await refuse(error, scope, _securing(scope, _denying(send), self._hsts))
            return
        try:
            await self._socket(scope, receive, send)
        finally:
            self._sockets.remove(address_of(scope))

    async def _add_socket(self, scope: Scope) -> None:
        """Count a new WebSocket. Raises :class:`ServerFull` or :class:`TooManyRequests`."""
        try:
            self._sockets.add(address_of(scope))
        except (ServerFull, TooManyRequests):
            if await self._players.seated_person(scope) is None:
                raise
            self._sockets.add(address_of(scope), seated=True)

    async def _count(self, what: str, scope: Scope) -> None:
        """Count a request. Raises :class:`TooManyRequests`."""
        try:
            self._limits.acquire(what, address_of(scope), None)
        except TooManyRequests:
            person = await self._players.seated_person(scope)
            if person is None:
                raise
            self._limits.acquire(what, address_of(scope), person)

    async def _to_http(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = scope["path"]
        try:
            await self._count("request", scope)
            if path not in _PROBES and not self._hosts.allow(header(scope, b"host")):
                raise Forbidden("http.host", name=header(scope, b"host"))
            if scope["method"] not in _SAFE_METHODS:
                _check_forgery(scope)
                self._check_scheme(scope)
            if path.startswith(_SOCKETS):
                self._check_upgrade(scope)
        except UpgradeRequired as error:
            await refuse(error, scope, send, _UPGRADE)
            return
        except RageError as error:
            await refuse(error, scope, send)
            return
        if path[1:].partition("/")[0] in API:
            if scope["method"] == "HEAD":  # the HTTP protocol leaves the body out
                scope["method"] = "GET"
            await self._api(scope, _timing_out(receive), send)
        else:
            await self._page(scope, receive, send)

    def _check_scheme(self, scope: Scope) -> None:
        """Log that a proxy hides that pages come over HTTPS."""
        hidden = header(scope, b"origin").startswith("https:") and not is_secure(scope)
        if hidden and self._hidden.try_acquire():
            _log.warning(
                "pages come over HTTPS, but the proxy does not say so: without X-Forwarded-Proto,"
                " and --proxy with its address, there are no passkeys, and links begin with"
                " http:// (docs/hosting.md: A small server)"
            )

    def _check_upgrade(self, scope: Scope) -> None:
        """Refuse a plain HTTP request for a WebSocket. The page sends these too, by POST, to learn
        why it gets no connection: once after its network returns, or repeatedly if something blocks
        its WebSockets."""
        address = address_of(scope)
        self._limits.check("socket", address, time.monotonic())
        asks = scope["method"] == "POST"
        if asks and self._asked.try_acquire((address, scope["path"])):
            raise UpgradeRequired("http.no_upgrade")
        blocked = self._blocked.try_acquire()
        if blocked and asks:
            _log.warning(
                "a page asks again and again why it gets no WebSocket: its network, or a proxy that"
                " must pass Upgrade and Connection on, lets none through"
                " (docs/hosting.md: A small server)"
            )
        elif blocked:
            _log.warning(
                "a request for a WebSocket came without its Upgrade header: a proxy must pass"
                " Upgrade and Connection on (docs/hosting.md: A small server)"
            )
        raise UpgradeRequired("http.no_upgrade")


def without_base(base: str, scope: Scope) -> Scope:
    """A copy of a request's scope without the base path, which a proxy may have removed already."""
    path, raw = scope["path"], scope.get("raw_path") or b""
    if base and (path == base or path.startswith(base + "/")):
        path = path[len(base) :] or "/"
        raw = raw[len(base) :] or b"/"
    return {**scope, "path": path, "raw_path": raw, "root_path": ""}


def _check_forgery(scope: Scope) -> None:
    """Refuse an unsafe request without the header that only a page of this server can send
    (CSRF)."""
    if header(scope, b"x-rage") != "1":
        raise Forbidden("http.no_header")
    if not is_same_origin(scope):
        raise Forbidden("http.origin")


def _denying(send: Send) -> Send:
    """A ``send`` for HTTP messages that answers a WebSocket handshake with them
    (the ASGI extension ``websocket.http.response``)."""

    async def deny(message: Message) -> None:
        await send({**message, "type": "websocket." + message["type"]})

    return deny


def _discarding(scope: Scope, receive: Receive, send: Send) -> tuple[Receive, Send]:
    """Wrap both so that the rest of a request's body is read before its answer ends. If a
    connection is closed with unread data, TCP resets it and the answer is lost; a proxy then
    reports a 502."""
    names = {name for name, _ in scope["headers"]}
    if names.isdisjoint(_BODY_HEADERS) or b"expect" in names:  # such a client waits for a 100
        return receive, send
    more_body = True

    async def counting_receive() -> Message:
        nonlocal more_body
        message = await receive()
        more_body = bool(message.get("more_body"))
        return message

    async def discard() -> None:
        left = MAX_DISCARDED
        while more_body and left > 0:
            left -= len((await counting_receive()).get("body", b""))

    async def discarding_send(message: Message) -> None:
        is_last = message["type"] == "http.response.body" and not message.get("more_body")
        if is_last and more_body:
            await send({**message, "more_body": True})
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(discard(), DISCARD_TIMEOUT)
            message = {"type": "http.response.body"}
        await send(message)

    return counting_receive, discarding_send


def _timing_out(receive: Receive) -> Receive:
    """Wrap ``receive`` to report a disconnect if the body doesn't arrive in time."""

    async def timed_receive() -> Message:
        try:
            return await asyncio.wait_for(receive(), BODY_PART_TIMEOUT)
        except TimeoutError:
            return {"type": "http.disconnect"}

    return timed_receive


def _logging(scope: Scope, send: Send) -> Send:
    """Wrap ``send`` to log the answer, except successful probes, which proxies send constantly."""
    if not _log.isEnabledFor(logging.INFO):
        return send
    begun, method, path = time.perf_counter(), scope["method"], redacted_path(scope["path"])

    async def logging_send(message: Message) -> None:
        probed = path in _PROBES and message.get("status") == 200
        if message["type"] == "http.response.start" and not probed:
            ms = round(1000 * (time.perf_counter() - begun), 1)
            about = {"method": method, "path": path, "status": message["status"], "ms": ms}
            _log.info("request", extra={"about": about})
        await send(message)

    return logging_send


def _securing(scope: Scope, send: Send, hsts: bytes | None) -> Send:
    """Wrap ``send`` to add security headers: all of them to answers that a browser could open as a
    page or run as a worker. On the rest they would only add some 8 kB to a first visit."""

    async def securing_send(message: Message) -> None:
        if message["type"] == "http.response.start":
            ANSWERED[message["status"]] += 1
            headers = [*message.get("headers", ()), *_ON_EVERYTHING]
            named = {name.lower(): value for name, value in headers}
            inert = is_asset(scope["path"].lstrip("/")) or named.get(
                b"content-type", b""
            ).startswith(b"application/json")
            headers += [_CSP_NOTHING] if inert else _on_pages(scope)
            if hsts is not None and scope["scheme"] in ("https", "wss"):
                headers.append((b"strict-transport-security", hsts))
            if b"cache-control" not in named:
                headers.append(_NO_STORE)
            message = {**message, "headers": headers}
        await send(message)

    return securing_send


def _on_pages(scope: Scope) -> list[tuple[bytes, bytes]]:
    host = header(scope, b"host")
    sockets = f" ws://{host} wss://{host}" if split_host(host) is not None else ""
    found = [*_ON_PAGES, (b"content-security-policy", _CSP.format(sockets=sockets).encode())]
    if is_secure(scope):  # elsewhere browsers ignore it, and complain in the console
        found.append((b"cross-origin-opener-policy", b"same-origin"))
    return found
