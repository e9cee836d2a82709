"""The address of a PostgreSQL database: its checks, and its form in errors, without a password."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import parse_qs, unquote, urlsplit

from rage.rules.number import read_number
from rage.say import NotReadable

MAX_PORT: Final = 65535
_SCHEMES: Final = ("postgresql://", "postgres://")
_SSL_MODES: Final = ("disable", "allow", "prefer", "require", "verify-ca", "verify-full")


def check_address(address: str) -> None:
    """Raise :class:`rage.NotReadable` for the part of an address that cannot be right: the library
    that connects would name another, or the whole with its password."""
    if not address.startswith(_SCHEMES):
        raise NotReadable("serve.store_address")
    there, _, more = address.partition("://")[2].partition("/")
    if there.count("@") > 1 or ("@" not in there and "@" in more.partition("?")[0]):
        raise NotReadable("serve.store_password")
    if "?" in there or "#" in there:  # there is no path, or the password contains it
        before, after = re.split(r"[?#]", there, maxsplit=1)
        if "@" in after and "@" not in before:
            raise NotReadable("serve.store_password")
        there = before
    for port in re.findall(r":([^:,\]]+)(?=,|$)", there.rpartition("@")[2]):
        if read_number(port, 1, MAX_PORT) is None:
            raise NotReadable("serve.store_port", port=port)
    try:
        query = urlsplit(address).query
    except ValueError:  # brackets that are no IPv6 address, or letters that stand for others
        raise NotReadable("serve.store_address") from None
    for mode in parse_qs(query).get("sslmode", ()):
        if mode not in _SSL_MODES:
            allowed = ", ".join(_SSL_MODES)
            raise NotReadable("serve.store_sslmode", mode=mode, allowed=allowed)


def called(address: str) -> str:
    """The name of a database in errors: its hosts, with any ports given, and its own name."""
    parts = urlsplit(address)
    more = parse_qs(parts.query)
    there = parts.netloc.rpartition("@")[2] or ":".join(more.get("host", []) + more.get("port", []))
    return "PostgreSQL " + unquote(there + parts.path if there else parts.path[1:])
