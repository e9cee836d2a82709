"""Addresses as limits count them: each by itself and, for IPv6, by the networks around it.

A line at home has one address of IPv4, but 256 networks of IPv6, or 65,536, each as large as a
device has: limits on single ones would stop nobody.
"""

from __future__ import annotations

import ipaddress
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from typing import Final, NamedTuple

#: By the length of their prefix, the networks around the /64 of a device, and how many times the
#: limit of an address they have: a /56 is what a home gets, but of a mobile provider 256 customers;
#: a /48 is what a company gets, or anybody who rents a server.
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
    """How many there are at each address, and in each network around it. ``kept``: what is counted
    stays in the store."""

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
        """The first network around an address that has as many as it may, if any: ``most`` for an
        address, and for a larger network no more than half of all ``places``, or ``most``."""
        for network, factor in () if address is None else shares(address, kept=self._kept):
            if self._counts[network] >= max(most, min(most * factor, places // 2)):
                return network
        return None

    def rank(self, address: str | None) -> list[int]:
        """How many there are around an address, in its largest network first."""
        return [self._counts[network] for network in reversed(_names(address))]


def _names(address: str | None) -> list[str]:
    """An address and the networks around it, by name; of this machine, which has none, empty."""
    return [""] if address is None else [each.network for each in shares(address)]


def is_within(address: str | None, network: str) -> bool:
    """Returns whether a network is an address or around it."""
    return network in _names(address)
