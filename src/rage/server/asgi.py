"""ASGI in plain functions, shared by the gate, the page, the API and the WebSocket."""

from __future__ import annotations

import ipaddress
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit

import msgspec

from rage.house.base.errors import problem, status_of
from rage.say import LANGUAGES, RageError, catalogue
from rage.server.config import DEFAULT_PORTS, is_loopback, split_host

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

#: Where a gateway maps IPv4 addresses for a server that has only IPv6.
_NAT64: Final = ipaddress.IPv6Network("64:ff9b::/96")
JSON: Final = (b"content-type", b"application/json")


def header(scope: Scope, name: bytes) -> str:
    """A header of a request, the first of several; empty if there is none."""
    for key, value in scope["headers"]:
        if key == name:
            found: str = value.decode("latin-1")
            return found
    return ""


def is_secure(scope: Scope) -> bool:
    """Whether the browser treats a page of this request as a secure context: served over HTTPS,
    or from its own machine."""
    host = split_host(header(scope, b"host"))
    return scope["scheme"] in ("https", "wss") or (host is not None and is_loopback(host[0]))


def url_of(scope: Scope) -> str:
    """The origin of this server as the browser of a request sees it, in the form browsers use: in
    lower case, without the default port. (A proxy may write the ``Host`` differently.)"""
    scheme, host = scope["scheme"], header(scope, b"host")
    if (parts := split_host(host)) is None:
        return f"{scheme}://{host}"
    name, port = parts
    name = f"[{name}]" if ":" in name else name
    return f"{scheme}://{name}" + (f":{port}" if port not in (None, DEFAULT_PORTS[scheme]) else "")


def address_of(scope: Scope) -> str | None:
    """The client address of a request or a WebSocket, as limits count it. A forwarded connection
    from this machine itself comes from a proxy."""
    client = scope.get("client") or ("", 0)
    return rate_key(client[0], direct=not header(scope, b"x-forwarded-for"))


def rate_key(host: str, *, direct: bool) -> str | None:
    """The address of a client as limits count it: for IPv6 its /64 network, because a single device
    has all of it, unless it embeds an IPv4 address; ``None`` for this machine itself, unless a
    proxy is in between (``direct`` is false)."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is not None:
            return rate_key(str(address.ipv4_mapped), direct=direct)
        if (old := _embedded(address)) is not None:
            return str(old)  # even if it is this machine's: then it is forged
        if not address.is_loopback:
            return str(ipaddress.IPv6Network((int(address), 64), strict=False))
    return None if direct and address.is_loopback else str(address)


def _embedded(address: ipaddress.IPv6Address) -> ipaddress.IPv4Address | None:
    """The IPv4 address embedded in an IPv6 one: 6to4 gives it a whole /48, NAT64 and Teredo make
    it share a /64 with everyone else."""
    if address in _NAT64:
        return ipaddress.IPv4Address(int(address) & 0xFFFF_FFFF)
    return address.sixtofour or (address.teredo or (None, None))[1]


def is_same_origin(scope: Scope) -> bool:
    """Return whether a request comes from a page of this server: its ``Origin``, if any, has the
    host and port the request was sent to. (The scheme isn't compared: a proxy may have changed it.)
    Browsers send an ``Origin`` with every WebSocket and with every unsafe request."""
    origin = header(scope, b"origin")
    host = split_host(header(scope, b"host"))
    if not origin:
        return True
    try:
        parts = urlsplit(origin)
        given = (parts.hostname or "").rstrip("."), parts.port
    except ValueError:
        return False
    usual = DEFAULT_PORTS.get(parts.scheme)
    if host is None or usual is None:
        return False
    ours = DEFAULT_PORTS.get(scope["scheme"])
    return given[0] == host[0] and (given[1] or usual) in {host[1] or usual, host[1] or ours}


def language_of(query: bytes, accepted: str) -> str:
    """The language of ``?lang=``, or the one that ``Accept-Language`` prefers, or English.
    Raises :class:`rage.NotReadable` for an unknown ``lang``."""
    if b"lang=" in query:
        asked = parse_qs(query.decode("latin-1")).get("lang")
        if asked:
            catalogue(asked[-1])
            return asked[-1]
    return preferred_language(accepted)


def answer_language(query: bytes, accepted: str) -> str:
    """Like :func:`language_of`, but ignore an unknown ``lang``: answering must not fail."""
    try:
        return language_of(query, accepted)
    except RageError:
        return preferred_language(accepted)


def preferred_language(accepted: str) -> str:
    """The language that an ``Accept-Language`` header prefers; English if it names none of ours."""
    best, quality = "en", 0.0
    for each in accepted[:500].split(","):
        tag, _, rest = each.strip().partition(";")
        code = tag.strip().lower().partition("-")[0]
        weight = _weight(rest)
        if code in LANGUAGES and weight > quality:
            best, quality = code, weight
    return best


def _weight(parameter: str) -> float:
    name, _, value = parameter.strip().partition("=")
    if name.strip() != "q":
        return 1.0
    try:
        return min(1.0, float(value))
    except ValueError:
        return 0.0


async def refuse(
    error: RageError, scope: Scope, send: Send, headers: Iterable[tuple[bytes, bytes]] = ()
) -> None:
    """Answer with an error, in the language of the request."""
    language = answer_language(scope["query_string"], header(scope, b"accept-language"))
    body = msgspec.json.encode(problem(error, language))
    headers = [*headers, JSON]
    if (seconds := error.reason.params.get("seconds")) is not None:
        headers.append((b"retry-after", b"%d" % seconds))
    await respond(send, status_of(error), body, headers)


async def respond(send: Send, status: int, body: bytes, headers: list[tuple[bytes, bytes]]) -> None:
    """Send a whole response; a 204 has neither body nor length."""
    if status != 204:
        headers = [*headers, (b"content-length", b"%d" % len(body))]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
