"""The addresses at which other devices reach this machine, QR codes for them, and why nothing can
listen on one."""

from __future__ import annotations

import asyncio
import errno
import ipaddress
import socket
import time
from typing import Final

import segno

from rage.say import NotAllowed
from rage.server.config import DEFAULT_PORTS, Config, Hosts

#: Addresses reserved for documentation. Connecting a UDP socket to one sends nothing, but shows
#: which address of this machine would be used.
_NOBODY: Final = ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1"))

#: For how many seconds the addresses are taken to be what they were.
_ADDRESSES_KEPT: Final = 10.0


def addresses(config: Config) -> list[str]:
    """The URLs at which other devices reach this server; none if it listens only locally, or does
    not accept addresses as host names. Takes as long as the system needs to resolve its own
    name."""
    if config.is_local_only:
        return []
    if config.host in ("", "0.0.0.0", "::"):
        hosts = _own_addresses(only=None if config.host != "0.0.0.0" else socket.AF_INET)
    else:
        hosts = [config.host]
    known = Hosts(config.allowed_hosts)
    return [_url(config, host) for host in hosts if known.allow(_bracketed(host))]


class Addresses:
    """The addresses of a running server, which nobody but those who ask for them waits for."""

    def __init__(self, config: Config) -> None:
        self._config = config
        self._asked: asyncio.Future[list[str]] | None = None
        self._asked_at = 0.0

    async def get(self) -> list[str]:
        """See :func:`addresses`; as they were some seconds ago."""
        now = time.monotonic()
        if self._asked is None or (self._asked.done() and now - self._asked_at > _ADDRESSES_KEPT):
            self._asked_at = now
            self._asked = asyncio.ensure_future(asyncio.to_thread(addresses, self._config))
        return await asyncio.shield(self._asked)


def own_url(config: Config) -> str:
    """The URL of this server on this machine."""
    everywhere = config.host in ("", "0.0.0.0", "::")
    return _url(config, "localhost" if everywhere else config.host)


def why_not_listening(error: OSError | UnicodeError, host: str, port: int) -> NotAllowed:
    """Why nothing can listen on a port of a host (empty: of all), given what the system says. A
    name that cannot even be written in a request for its address is a ``UnicodeError``."""
    where = {"host": host or "*", "port": port}
    if isinstance(error, socket.gaierror | UnicodeError):
        return NotAllowed("serve.no_host", **where)
    if error.errno == errno.EADDRINUSE:
        return NotAllowed("serve.port_taken", **where)
    if error.errno in (errno.EACCES, errno.EPERM):
        return NotAllowed("serve.port_forbidden", **where)
    return NotAllowed("serve.no_address", **where, reason=error.strerror or str(error))


def _url(config: Config, host: str) -> str:
    usual = config.port == DEFAULT_PORTS[config.scheme]
    port = "" if usual else f":{config.port}"
    return f"{config.scheme}://{_bracketed(host)}{port}{config.base_path}"


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _own_addresses(only: int | None) -> list[str]:
    """This machine's addresses in its networks, IPv4 first."""
    found: list[str] = []
    for family, nobody in _NOBODY:
        if only is not None and family != only:
            continue
        try:
            with socket.socket(family, socket.SOCK_DGRAM) as probe:
                probe.connect((nobody, 9))
                found.append(probe.getsockname()[0])
        except OSError:  # no such network
            continue
    try:
        listed = socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)
    except OSError:  # the name cannot be resolved
        listed = []
    found += [str(info[4][0]) for info in listed]
    return [each for each in dict.fromkeys(found) if _reachable(each)]


def _reachable(address: str) -> bool:
    parsed = ipaddress.ip_address(address)
    return not (parsed.is_loopback or parsed.is_link_local or parsed.is_unspecified)


def qr_svg(link: str) -> str:
    """A link as a QR code in SVG, dark on white, with the margin that cameras need."""
    code = segno.make_qr(link, error="m")
    image: str = code.svg_inline(scale=4, border=4, dark="#000", light="#fff", omitsize=True)
    return image.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)


def qr_data(link: str) -> str:
    """A link as a QR code for ``<img src>``."""
    code = segno.make_qr(link, error="m")
    image: str = code.svg_data_uri(scale=4, border=4, dark="#000", light="#fff", omitsize=True)
    return image


def qr_lines(link: str) -> str:
    """A link as a QR code for a terminal."""
    from io import StringIO

    out = StringIO()
    segno.make_qr(link, error="l").terminal(out, border=2, compact=True)
    return out.getvalue()
