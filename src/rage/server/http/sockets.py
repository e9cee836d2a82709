"""How many WebSockets may be open, in all and from one address."""

from __future__ import annotations

from collections import Counter
from typing import Final

from rage.place.errors import ServerFull, TooManyRequests

#: How many seconds a refused client is told to wait.
RETRY: Final = 10


class OpenSockets:
    """Counts the WebSockets of a server: at most ``most`` in all and ``per_address`` from one
    address, with as many again for people who have a seat."""

    def __init__(self, most: int, per_address: int) -> None:
        self._most = most
        self._per_address = per_address
        self._open: Counter[str | None] = Counter()

    def add(self, address: str | None, *, seated: bool = False) -> None:
        """Count one more. An ``address`` that is ``None`` (this machine itself) has no limit of its
        own. Raises :class:`ServerFull` or :class:`TooManyRequests`, and then counts nothing."""
        if self._open.total() >= self._most:
            raise ServerFull("http.full", seconds=RETRY)
        if address is not None and self._open[address] >= self._per_address * (1 + seated):
            raise TooManyRequests("http.too_many_connections", seconds=RETRY)
        self._open[address] += 1

    def remove(self, address: str | None) -> None:
        """Count one less."""
        self._open[address] -= 1
        if not self._open[address]:
            del self._open[address]
