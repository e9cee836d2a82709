"""How many WebSockets may be open, in all and from one address."""

from __future__ import annotations

from typing import Final

from rage.house.base.errors import ServerFull, TooManyRequests
from rage.house.limits.networks import Crowd

#: The seconds a refused client is told to wait.
RETRY: Final = 10
#: One in this many WebSockets is reserved for people who have a seat.
SEATED_SHARE: Final = 20


class OpenSockets:
    """Counts the WebSockets of a server: at most ``most`` in all and ``per_address`` from one
    address. People who have a seat may open as many again, and the last ones are theirs alone."""

    def __init__(self, most: int, per_address: int) -> None:
        self._most = most
        self._per_address = per_address
        self._total = 0
        self._open = Crowd()

    def add(self, address: str | None, *, seated: bool = False) -> None:
        """Count one more. An ``address`` of ``None`` (this machine itself) has no limit of its own.
        Raises :class:`ServerFull` or :class:`TooManyRequests`, and then counts nothing."""
        if self._total >= self._most - (0 if seated else self._most // SEATED_SHARE):
            raise ServerFull("http.full", seconds=RETRY)
        if self._open.full(address, self._per_address * (1 + seated), self._most):
            raise TooManyRequests("http.too_many_connections", seconds=RETRY)
        self._total += 1
        self._open.add(address)

    def remove(self, address: str | None) -> None:
        """Count one WebSocket fewer, in all and from an address."""
        self._total -= 1
        self._open.remove(address)
