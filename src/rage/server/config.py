"""The settings of a server: where it listens, under which names, where it keeps its tables."""

from __future__ import annotations

import ipaddress
import re
import socket
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal

from rage.house.limits import MAX_CONNECTIONS, MAX_STORE, PEOPLE
from rage.house.limits.rate import Rate
from rage.house.operating.retention import DEFAULT_RETENTION, Retention
from rage.say import NotReadable
from rage.server.notices import Notice

PORT: Final = 7243
#: A host name, an IPv4 address or an IPv6 address in brackets, with a port or without.
_HOST: Final = re.compile(r"(\[[0-9A-Fa-f:.]{2,45}\]|[A-Za-z0-9_.-]{1,253})(?::([0-9]{1,5}))?")
_BASE: Final = re.compile(r"(?:/[A-Za-z0-9_.~-]+)+")
_NAME: Final = re.compile(
    r"\*|(?:\*\.)?[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*"
)
_SERVER: Final = re.compile(r"[A-Za-z0-9_.:-]{1,64}")
#: Domains that home routers append to the name of a machine.
_HOME_DOMAINS: Final = ("local", "lan", "home", "home.arpa", "internal", "fritz.box", "localdomain")
DEFAULT_PORTS: Final = {"http": 80, "ws": 80, "https": 443, "wss": 443}


@dataclass(frozen=True, slots=True)
class Config:
    """The settings of one server. ``store``: the address of a PostgreSQL database, instead of the
    ``data`` folder; ``base_path`` is empty, or begins with a slash and doesn't end with one; empty
    ``allowed_hosts`` allow this machine's own names and any address; ``proxies``: whose
    ``X-Forwarded-`` headers are trusted; ``bot_delay``: the seconds a bot takes, ``None`` for the
    default; ``max_connections``: how many may be open; ``people_per_address``: how many may share
    an address; ``limits``: rates by address that replace the defaults; ``hsts``: for how many days
    browsers are told to use only HTTPS, if at all; ``secret`` signs the cookies, instead of the
    store's own; ``keep``: how long unused tables and games are kept; ``max_store``: the bytes of
    the store in use above which nothing new begins; ``thinking``: the number of processors for bots
    and analyses (0: all); ``name``: this server in metrics and logs; ``notices``: the operator's
    own texts, by name."""

    data: Path
    store: str | None = field(default=None, repr=False)
    host: str = "127.0.0.1"
    port: int = PORT
    base_path: str = ""
    allowed_hosts: tuple[str, ...] = ()
    proxies: tuple[str, ...] = ()
    certfile: Path | None = None
    keyfile: Path | None = None
    metrics: tuple[str, int] | None = None
    bot_delay: float | None = None
    log: Literal["text", "json"] = "text"
    max_connections: int = MAX_CONNECTIONS
    people_per_address: int = PEOPLE
    limits: Mapping[str, Rate] = field(default_factory=dict)
    max_store: int = MAX_STORE
    thinking: int = 0
    name: str = field(default_factory=socket.gethostname)
    hsts: int | None = None
    secret: bytes | None = field(default=None, repr=False)
    keep: Retention = DEFAULT_RETENTION
    notices: Mapping[str, Notice] = field(default_factory=dict)

    @property
    def scheme(self) -> str:
        """``http`` or ``https``, whichever this server itself speaks."""
        return "http" if self.certfile is None else "https"

    @property
    def is_local_only(self) -> bool:
        """Whether only this machine can reach it."""
        return is_loopback(self.host)


def is_loopback(host: str) -> bool:
    """Whether a host name or address is this machine itself."""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def read_base_path(path: str) -> str:
    """A base path for :class:`Config`. Raises :class:`rage.NotReadable`."""
    path = "/" + path.strip("/")
    if path == "/":
        return ""
    if _BASE.fullmatch(path) is None or {".", ".."} & set(path.split("/")):
        raise NotReadable("serve.base_path", path=path)
    return path


def read_host(written: str) -> str:
    """A host to listen on, for :class:`Config`; ``*`` means all addresses. Raises
    :class:`rage.NotReadable` for an empty one, which must not."""
    host = strip_brackets(written.strip())
    if not host:
        raise NotReadable("serve.no_host", host="''")
    return "" if host == "*" else host


def strip_brackets(host: str) -> str:
    """An IPv6 address without the brackets that it has in a URL."""
    return host[1:-1] if host.startswith("[") and host.endswith("]") else host


def read_hosts(names: str) -> tuple[str, ...]:
    """A comma-separated list of host names. Raises :class:`rage.NotReadable`."""
    found = [name.strip().lower().strip("[]") for name in names.split(",") if name.strip()]
    for name in found:
        if _NAME.fullmatch(name) is None:
            raise NotReadable("serve.host_name", name=name)
    return tuple(found)


def read_name(name: str) -> str:
    """The name of a server. Raises :class:`rage.NotReadable`."""
    if _SERVER.fullmatch(name) is None:
        raise NotReadable("serve.name", name=name)
    return name


def read_proxies(addresses: str) -> tuple[str, ...]:
    """A comma-separated list of the addresses and networks of proxies. Raises
    :class:`rage.NotReadable`."""
    found = []
    for each in (strip_brackets(part.strip()) for part in addresses.split(",") if part.strip()):
        try:
            network = ipaddress.ip_network(each, strict=False)
        except ValueError:
            raise NotReadable("serve.proxy_address", address=each) from None
        found.append(str(network) if "/" in each else each)
    return tuple(found)


def split_host(header: str) -> tuple[str, int | None] | None:
    """The name (in lower case, without brackets) and the port of a ``Host`` header; ``None`` if it
    is malformed."""
    match = _HOST.fullmatch(header)
    if match is None:
        return None
    port = None if match[2] is None else int(match[2])
    return match[1].lower().strip("[]").rstrip("."), port


class Hosts:
    """The host names of this server. A request for any other comes from a site that tricks a
    browser into believing that this server belongs to it (DNS rebinding)."""

    def __init__(self, allowed: tuple[str, ...]) -> None:
        self._any = "*" in allowed
        self._addresses = not allowed
        self._names = {name for name in allowed if not name.startswith("*")}
        self._endings = tuple(name[1:] for name in allowed if name.startswith("*."))
        if not allowed:
            full = socket.gethostname().lower()
            short = full.partition(".")[0]
            self._names |= {short, full, *(f"{short}.{domain}" for domain in _HOME_DOMAINS)}

    def allow(self, header: str) -> bool:
        """Whether a ``Host`` header is one of this server's names."""
        parts = split_host(header)
        if parts is None:
            return False
        name = parts[0]
        if self._any or is_loopback(name) or name in self._names or name.endswith(self._endings):
            return True
        return self._addresses and _is_address(name)


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
