"""The addresses at which other devices reach this machine, their QR codes, and errors of
listening."""

from __future__ import annotations

import asyncio
import errno
import ipaddress
import re
import socket
import time
from collections.abc import Iterable
from typing import Any, Final, NamedTuple

import segno

from rage.say import NotAllowed
from rage.server.config import DEFAULT_PORTS, Config, Hosts, is_loopback, split_host

#: Addresses reserved for documentation. Connecting a UDP socket to one sends nothing, but shows
#: which address of this machine would be used.
_DOCUMENTATION_ADDRESSES: Final = ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1"))

#: Names of interfaces that do not lead to the home network: tunnels, and the bridges of
#: containers and virtual machines. On Windows a device name contains them anywhere.
_VIRTUAL_INTERFACES: Final = re.compile(
    r"(utun|tun|tap|wg|ppp|ipsec|tailscale|zt|docker|podman|br-|veth|virbr|vmnet|vboxnet|lxc|lxdbr"
    r"|cni|cali|flannel)|.*(Hyper-V|VirtualBox|VMware|WireGuard|Wintun|TAP-|Tailscale|ZeroTier|VPN)",
    re.IGNORECASE,
)
#: Networks at home, the likeliest first.
_HOME: Final = tuple(
    ipaddress.ip_network(each)
    for each in ("192.168.0.0/16", "10.0.0.0/8", "172.16.0.0/12", "fc00::/7")
)

#: Seconds for which the addresses are cached.
_ADDRESSES_KEPT: Final = 10.0
#: How QR codes are drawn.
_QR: Final[dict[str, Any]] = {
    "scale": 4, "border": 4, "dark": "#000", "light": "#fff", "omitsize": True,
}  # fmt: skip


_Address = ipaddress.IPv4Address | ipaddress.IPv6Address


class Found(NamedTuple):
    """An address of this machine, and the name of its interface."""

    interface: str
    address: str


def addresses(config: Config) -> list[str]:
    """The URLs at which other devices may reach this server, the likeliest first; none if it
    listens only locally, or does not accept addresses as host names."""
    if config.is_local_only:
        return []
    if config.host in ("", "0.0.0.0", "::"):
        used = _used_addresses()
        found = [*_listed_addresses(), *(Found("", each) for each in used)]
        hosts = likeliest_first([each for each in found if _listens(config.host, each)], used)
    else:
        hosts = [config.host]
    known = Hosts(config.allowed_hosts)
    return [_url(config, host) for host in hosts if known.allow(_bracketed(host))]


class Links:
    """Links to a running server. Its addresses are looked up only when needed."""

    def __init__(self, config: Config) -> None:
        self.base_path = config.base_path
        self._config = config
        self._asked: asyncio.Future[list[str]] | None = None
        self._asked_at = 0.0

    async def addresses(self) -> list[str]:
        """See :func:`addresses`; cached for a few seconds."""
        now = time.monotonic()
        if self._asked is None or (self._asked.done() and now - self._asked_at > _ADDRESSES_KEPT):
            self._asked_at = now
            self._asked = asyncio.ensure_future(asyncio.to_thread(addresses, self._config))
        return await asyncio.shield(self._asked)

    async def link(self, path: str, url: str, at: str | None = None) -> str:
        """See :meth:`rage.house.requests.requester.Links.link`."""
        if at is not None:
            if at not in await self.addresses():
                raise NotAllowed("http.no_address", address=at)
            return at + path
        host = split_host(url.partition("://")[2])
        if host is not None and is_loopback(host[0]) and not self._config.is_local_only:
            for each in await self.addresses():
                return each + path
        return url + self.base_path + path

    def image(self, link: str) -> str:
        """A link as a QR code in SVG, dark on white, with the margin that cameras need."""
        image: str = segno.make_qr(link, error="m").svg_inline(**_QR)
        return image.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)

    def image_data(self, link: str) -> str:
        """A link as a QR code for ``<img src>``."""
        image: str = segno.make_qr(link, error="m").svg_data_uri(**_QR)
        return image


def own_url(config: Config) -> str:
    """The URL of this server on this machine."""
    everywhere = config.host in ("", "0.0.0.0", "::")
    return _url(config, "localhost" if everywhere else config.host)


def why_not_listening(error: OSError | UnicodeError, host: str, port: int) -> NotAllowed:
    """The error to raise when nothing can listen on a port of a host (empty: of all), from the
    system's error: a ``UnicodeError`` for a name that cannot be encoded in a DNS query."""
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


def _listens(host: str, found: Found) -> bool:
    """Whether a server listens on an address if its host is empty (all), 0.0.0.0 or ::."""
    return not host or (":" in host) == (":" in found.address)


def _listed_addresses() -> list[Found]:
    """The addresses of this machine that the system lists."""
    import ifaddr

    try:
        return [
            Found(adapter.nice_name, ip.ip if isinstance(ip.ip, str) else ip.ip[0])
            for adapter in ifaddr.get_adapters()
            for ip in adapter.ips
        ]
    except OSError:  # phones forbid this
        return []


def _used_addresses() -> list[str]:
    """The addresses from which this machine would reach the internet."""
    found = []
    for family, nobody in _DOCUMENTATION_ADDRESSES:
        try:
            with socket.socket(family, socket.SOCK_DGRAM) as probe:
                probe.connect((nobody, 9))
                found.append(probe.getsockname()[0])
        except OSError:  # no such network
            continue
    return found


def likeliest_first(found: Iterable[Found], used: Iterable[str] = ()) -> list[str]:
    """The addresses at which others may reach this machine. Usual home addresses come first,
    tunnels and bridges last, and among equals an address from which this machine reaches the
    internet (``used``) wins. IPv6 counts only if there is no IPv4."""
    beside: dict[_Address, bool] = {}
    for interface, written in found:
        address = ipaddress.ip_address(written.partition("%")[0])
        if not (address.is_loopback or address.is_unspecified or address.is_multicast):
            beside.setdefault(address, _VIRTUAL_INTERFACES.match(interface) is not None)
    # Without any router, keep the addresses of a cable between two computers.
    kept = [each for each in beside if not each.is_link_local] or [
        each for each in beside if each.version == 4
    ]
    if any(each.version == 4 and not beside[each] for each in kept):
        kept = [each for each in kept if each.version == 4]

    def rank(address: _Address) -> tuple[bool, int, bool]:
        home = next((n for n, network in enumerate(_HOME) if address in network), len(_HOME))
        return beside[address], home, str(address) not in used

    return [str(each) for each in sorted(kept, key=rank)]


def qr_lines(link: str) -> str:
    """A link as a QR code for a terminal."""
    from io import StringIO

    out = StringIO()
    segno.make_qr(link, error="l").terminal(out, border=2, compact=True)
    return out.getvalue()
