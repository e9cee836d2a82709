"""Addresses as limits count them: each by itself and, for IPv6, by the networks around it.

A home has one IPv4 address, but 256 or even 65,536 IPv6 networks of the size that a device gets:
limits on single ones would stop no one.
"""

from __future__ import annotations

import ipaddress
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from typing import Final, NamedTuple

#: By prefix length, the networks around the /64 of a device, and how many times the limit of an
#: address each has: a /56 belongs to a home, but also to 256 customers of a mobile provider; a /48
#: belongs to a company, or to anyone who rents a server.
WIDER: Final = {56: 4, 48: 16}
#: The same where the store keeps what is counted: a home fills it no faster than with IPv4.
WIDER_KEPT: Final = {56: 1, 48: 4}


class Share(NamedTuple):
    """An address or a network around it, and how many times the limit of an address it has."""

    network: str
    factor: int


def shares(address: str, *, kept: bool = False) -> tuple[Share, ...]:
    """An address and the networks around it. ``kept``: for what the store keeps."""
    return _shares(address, kept) if "/" in address else (Share(address, 1),)


@lru_cache(4096)
def _shares(address: str, kept: bool) -> tuple[Share, ...]:
    try:
        network = ipaddress.IPv6Network(address)
    except ValueError:  # a proxy may say anything
        return (Share(address, 1),)
    wider = (WIDER_KEPT if kept else WIDER).items()
    above = (Share(str(network.supernet(new_prefix=size)), factor) for size, factor in wider)
    return (Share(address, 1), *above)


class Crowd:
    """Counts by address and by each network around it; ``kept``: in the store."""

    def __init__(self, addresses: Iterable[str | None] = (), *, kept: bool = False) -> None:
        self._kept = kept
        self._counts: Counter[str] = Counter()
        for each in addresses:
            self.add(each)

    def add(self, address: str | None) -> None:
        """Count one more at an address and its networks."""
        self._counts.update(_names(address))

    def remove(self, address: str | None) -> None:
        """Count one less at an address and its networks."""
        for network in _names(address):
            self._counts[network] -= 1
            if not self._counts[network]:
                del self._counts[network]

    def full(self, address: str | None, most: int, places: int) -> str | None:
        """The first full network around an address, if any: it has ``most``, or a multiple of that
        if it is larger, but no more than half of all ``places`` (or ``most``)."""
        for network, factor in () if address is None else shares(address, kept=self._kept):
            if self._counts[network] >= max(most, min(most * factor, places // 2)):
                return network
        return None

    def rank(self, address: str | None) -> list[int]:
        """How many there are around an address, in its largest network first."""
        return [self._counts[network] for network in reversed(_names(address))]


def _names(address: str | None) -> list[str]:
    """The names of an address and its networks; one empty name for this machine itself."""
    return [""] if address is None else [each.network for each in shares(address)]


def is_within(address: str | None, network: str) -> bool:
    """Return whether a network is an address or contains it."""
    return network in _names(address)
