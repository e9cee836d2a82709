"""How much one may ask for: a bucket of tokens for each address and each person.

Of a bucket only one number is kept, the moment at which it will be full again; those that are full
are forgotten first, and there are never more than so many.
"""

from __future__ import annotations

import ipaddress
from collections import OrderedDict
from typing import Final, NamedTuple

from rage.server.errors import TooMany

#: How many buckets of a kind are remembered.
MOST: Final = 20_000


class Rate(NamedTuple):
    """``burst`` at once, and one more every ``seconds``."""

    burst: int
    seconds: float


class Limit:
    """One kind of bucket, for as many askers as come."""

    def __init__(self, rate: Rate, most: int = MOST) -> None:
        self._rate = rate
        self._most = most
        self._full: OrderedDict[str, float] = OrderedDict()

    def __len__(self) -> int:
        return len(self._full)

    def wait(self, asker: str, now: float) -> float:
        """How many seconds until a token is left, 0 where one is; takes none."""
        full = max(self._full.get(asker, now), now)
        return max(0.0, full - now - (self._rate.burst - 1) * self._rate.seconds)

    def take(self, asker: str, now: float) -> None:
        """Take a token. Raises :class:`TooMany` where none is left."""
        if wait := self.wait(asker, now):
            raise TooMany("http.too_many", seconds=int(wait) + 1)
        self._full[asker] = max(self._full.get(asker, now), now) + self._rate.seconds
        self._full.move_to_end(asker)
        while len(self._full) > self._most:
            self._full.popitem(last=False)


class Limits:
    """All limits of a server: ``by_address`` and ``by_person``, of each what it counts."""

    def __init__(self) -> None:
        self.by_address: Final = {
            "any": Limit(Rate(200, 0.05)),
            "person": Limit(Rate(60, 2)),
            "open": Limit(Rate(60, 10)),
            "guess": Limit(Rate(30, 10)),
            "socket": Limit(Rate(120, 0.5)),
            "handover": Limit(Rate(10, 30)),
        }
        self.by_person: Final = {
            "open": Limit(Rate(20, 20)),
            "name": Limit(Rate(20, 3)),
            "handover": Limit(Rate(8, 30)),
            "game": Limit(Rate(60, 1)),
        }

    def take(self, what: str, address: str | None, person: str | None, now: float) -> None:
        """Take a token wherever ``what`` is counted; an address that is ``None`` (this machine
        itself) is not. Raises :class:`TooMany`."""
        if address is not None and what in self.by_address:
            self.by_address[what].take(address, now)
        if person is not None and what in self.by_person:
            self.by_person[what].take(person, now)

    def check(self, what: str, address: str | None, now: float) -> None:
        """Raises :class:`TooMany` where an address has no token left; takes none."""
        if address is not None and (wait := self.by_address[what].wait(address, now)):
            raise TooMany("http.too_many", seconds=int(wait) + 1)


def counted(host: str, *, direct: bool) -> str | None:
    """The address that limits count for a client: an IPv6 network as one, for whoever has one
    has all of it, and this machine itself, where no proxy stands between, as none."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is not None:
            return counted(str(address.ipv4_mapped), direct=direct)
        if not address.is_loopback:
            return str(ipaddress.ip_network((address, 64), strict=False))
    return None if direct and address.is_loopback else str(address)
