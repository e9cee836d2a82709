"""Where other devices of this network find this machine, and codes to point a camera at."""

from __future__ import annotations

import ipaddress
import socket

import segno

from rage.server.config import USUAL_PORTS, Config, Hosts

#: Addresses that are nobody's; asking for the way to one sends nothing, and says which address
#: of this machine would be used.
_NOWHERE = ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1"))


def addresses(config: Config) -> list[str]:
    """Where other devices find this server, as links; none where it listens here alone, or may
    not be called by an address."""
    if config.listens_here_alone:
        return []
    if config.host in ("", "0.0.0.0", "::"):
        hosts = _own_addresses(only=None if config.host != "0.0.0.0" else socket.AF_INET)
    else:
        hosts = [config.host]
    known = Hosts(config.allowed_hosts)
    return [_url(config, host) for host in hosts if known.allow(_named(host))]


def own_url(config: Config) -> str:
    """Where this server is found on this machine."""
    everywhere = config.host in ("", "0.0.0.0", "::")
    return _url(config, "localhost" if everywhere else config.host)


def _url(config: Config, host: str) -> str:
    usual = config.port == USUAL_PORTS[config.scheme]
    port = "" if usual else f":{config.port}"
    return f"{config.scheme}://{_named(host)}{port}{config.base_path}"


def _named(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _own_addresses(only: int | None) -> list[str]:
    """This machine's addresses in its networks, those of version 4 first."""
    found: list[str] = []
    for family, nowhere in _NOWHERE:
        if only is not None and family != only:
            continue
        try:
            with socket.socket(family, socket.SOCK_DGRAM) as probe:
                probe.connect((nowhere, 9))
                found.append(probe.getsockname()[0])
        except OSError:  # no such network
            continue
    try:
        listed = socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)
    except OSError:  # a name that nobody knows
        listed = []
    found += [str(info[4][0]) for info in listed]
    return [each for each in dict.fromkeys(found) if _reachable(each)]


def _reachable(address: str) -> bool:
    parsed = ipaddress.ip_address(address)
    return not (parsed.is_loopback or parsed.is_link_local or parsed.is_unspecified)


def qr_svg(link: str) -> str:
    """A link as an SVG image, dark on white, with the margin that cameras need."""
    code = segno.make_qr(link, error="m")
    image: str = code.svg_inline(scale=4, border=4, dark="#000", light="#fff", omitsize=True)
    return image.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)


def qr_data(link: str) -> str:
    """A link as an image for ``<img src>``."""
    code = segno.make_qr(link, error="m")
    image: str = code.svg_data_uri(scale=4, border=4, dark="#000", light="#fff", omitsize=True)
    return image


def qr_lines(link: str) -> str:
    """A link as a code for a terminal."""
    from io import StringIO

    out = StringIO()
    segno.make_qr(link, error="l").terminal(out, border=2, compact=True)
    return out.getvalue()
