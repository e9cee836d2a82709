"""How many connections may be open, in all and from one address, and which of them make room.

Every connection takes a slot. One that waits for its next request is closed when a newcomer needs
its slot. If none is idle, the newcomer is accepted all the same, but only to be told that the
server is full.
"""

from __future__ import annotations

import contextlib
import ipaddress
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from rage.place.errors import ServerFull, TooManyRequests
from rage.place.limiting import rate_key
from rage.place.limits import MAX_REFUSED
from rage.say import RageError

#: How many seconds a refused client is told to wait.
RETRY: Final = 10


class Slot:
    """The slot of one connection. ``proxied``: whether a trusted proxy has opened it for its own
    clients; ``refusal``: what its requests are answered with if there was no room for it."""

    __slots__ = ("_address", "_evict", "_slots", "proxied", "refusal")

    def __init__(self, slots: Slots, address: str | None, evict: Callable[[], None]) -> None:
        self.proxied = False
        self.refusal: RageError | None = None
        self._slots: Slots | None = slots
        self._address = address
        self._evict = evict

    def mark_idle(self) -> None:
        """Note that the connection waits for a request: a newcomer may now take its slot."""
        if self._slots is not None and self.refusal is None:
            self._slots.add_idle(self, self._address)

    def admit(self) -> None:
        """Accept it although its address has too many, if there is room."""
        if self._slots is not None and self.refusal is not None:
            self._slots.admit(self, self._address)

    def mark_busy(self) -> None:
        """Note that the connection is in use, so its slot cannot be taken."""
        if self._slots is not None:
            self._slots.remove_idle(self, self._address)

    def release(self) -> None:
        """Free the slot; does nothing if it is free already."""
        if self._slots is not None:
            self._slots.remove(self, self._address)
            self._slots = None
            self._evict = _nothing  # a reference cycle would wait for the garbage collector

    def evict_with(self, evict: Callable[[], None]) -> None:
        """Replace the function that closes the connection when a newcomer needs the slot."""
        self._evict = evict

    def evict(self) -> None:
        """Close the connection, and free its slot at once."""
        evict = self._evict
        self.release()
        evict()


class Slots:
    """The slots of a server: ``most`` connections in all, ``per_address`` from one address.

    Connections of a trusted proxy (``proxies``: addresses and networks) count only towards
    ``most``; the requests that it forwards count for the addresses of its clients while they are
    being answered."""

    def __init__(self, most: int, per_address: int, proxies: Sequence[str] = ()) -> None:
        self.most = most
        self.per_address = per_address
        self._proxies = [ipaddress.ip_network(each) for each in proxies]
        self._all = 0
        self._held: dict[str, int] = {}
        # Idle connections, the one that has waited longest first: all of them, and by address.
        self._idle: dict[Slot, None] = {}
        self._idle_by_address: dict[str, dict[Slot, None]] = {}
        self._refused: dict[Slot, None] = {}
        self._in_flight: dict[str, int] = {}

    def __len__(self) -> int:
        return self._all

    def acquire(self, host: str, evict: Callable[[], None]) -> Slot:
        """A slot for a connection from an address; ``evict`` is called if it has to make room."""
        proxied = self._trusts(host)
        address = None if proxied else rate_key(host, direct=True)
        slot = Slot(self, address, evict)
        slot.proxied = proxied
        slot.refusal = self._refusal(address)
        if slot.refusal is None:
            self._all += 1
            if address is not None:
                self._held[address] = self._held.get(address, 0) + 1
        else:
            self._refused[slot] = None
            if len(self._refused) > MAX_REFUSED:
                next(iter(self._refused)).evict()
        return slot

    def _refusal(self, address: str | None) -> RageError | None:
        """Make room for one more connection; if that is impossible, why it is refused."""
        if address is not None and self._held.get(address, 0) >= self.per_address:
            idle = self._idle_by_address.get(address)
            if not idle:
                return TooManyRequests("http.too_many_connections", seconds=RETRY)
            next(iter(idle)).evict()
        if self._all >= self.most:
            if not self._idle:
                return ServerFull("http.full", seconds=RETRY)
            next(iter(self._idle)).evict()
        return None

    def _trusts(self, host: str) -> bool:
        """Whether an address is that of a trusted proxy."""
        if not self._proxies:
            return False
        try:
            address = ipaddress.ip_address(host)
        except ValueError:
            return False
        return any(address in each for each in self._proxies)

    @contextlib.contextmanager
    def in_flight(
        self, slot: Slot, host: str, *, seated: bool = False
    ) -> Iterator[RageError | None]:
        """A context for a request or a WebSocket while it is being served; yields why it is
        refused, if it is. ``host``: the client's address, as a trusted proxy reports it;
        ``seated``: whether it is for somebody who has a seat, for whom there are as many
        connections again."""
        if seated:
            slot.admit()
        if slot.refusal is not None or not slot.proxied or self._trusts(host):
            yield slot.refusal
            return
        address = rate_key(host, direct=False) or host
        count = self._in_flight.get(address, 0)
        if count >= self.per_address * (1 + seated):
            yield TooManyRequests("http.too_many_connections", seconds=RETRY)
            return
        self._in_flight[address] = count + 1
        try:
            yield None
        finally:
            _decrement(self._in_flight, address)

    # Called by slots.

    def admit(self, slot: Slot, address: str | None) -> None:
        """Accept a connection that was refused because its address had too many, up to twice as
        many."""
        full = self._all >= self.most and not self._idle
        if address is None or full or self._held.get(address, 0) >= 2 * self.per_address:
            return
        if self._all >= self.most:
            next(iter(self._idle)).evict()
        self._refused.pop(slot, None)
        slot.refusal = None
        self._all += 1
        self._held[address] = self._held.get(address, 0) + 1

    def add_idle(self, slot: Slot, address: str | None) -> None:
        """Note that a slot may be taken from now on."""
        self._idle[slot] = None
        if address is not None:
            self._idle_by_address.setdefault(address, {})[slot] = None

    def remove_idle(self, slot: Slot, address: str | None) -> None:
        """Note that a slot may not be taken any longer."""
        self._idle.pop(slot, None)
        if address is not None and (idle := self._idle_by_address.get(address)) is not None:
            idle.pop(slot, None)
            if not idle:
                del self._idle_by_address[address]

    def remove(self, slot: Slot, address: str | None) -> None:
        """Note that a slot is free."""
        self.remove_idle(slot, address)
        if slot.refusal is not None:
            self._refused.pop(slot, None)
            return
        self._all -= 1
        if address is not None:
            _decrement(self._held, address)


def _nothing() -> None:
    pass


def _decrement(counts: dict[str, int], address: str) -> None:
    counts[address] -= 1
    if not counts[address]:
        del counts[address]
