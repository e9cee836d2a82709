"""Rate limits of the server and of each table, by address and by person."""

from __future__ import annotations

import contextlib
import ipaddress
import time
from collections.abc import Hashable, Iterator
from typing import Final

from rage.server.codes import NoTable
from rage.server.errors import NotFound, TooManyRequests
from rage.server.rate import Rate, RateLimit

#: How often one person may send commands other than moves to a table, and chat there.
COMMANDS: Final = Rate(20, 1 / 4)
CHAT: Final = Rate(10, 1)
#: The same for all spectators of a table together.
SPECTATOR_COMMANDS: Final = Rate(120, 1 / 8)
SPECTATOR_CHAT: Final = Rate(10, 1 / 2)
#: How fast people may join a table from one address.
ARRIVALS: Final = Rate(20, 1 / 4)
#: How many persons, or addresses, each limit of a table remembers.
MAX_KEYS_PER_TABLE: Final = 300


class TableLimits:
    """The limits of one table, for everything but moves. They count by person, since anybody can
    reconnect; and for all spectators together, since there may be many of them and everybody at
    the table is told what each of them does."""

    def __init__(self) -> None:
        self._commands = RateLimit(COMMANDS, MAX_KEYS_PER_TABLE)
        self._chat = RateLimit(CHAT, MAX_KEYS_PER_TABLE)
        self._arrivals = RateLimit(ARRIVALS, MAX_KEYS_PER_TABLE)
        self._spectator_commands = RateLimit(SPECTATOR_COMMANDS)
        self._spectator_chat = RateLimit(SPECTATOR_CHAT)

    def try_acquire(self, person: str, *, chat: bool, spectator: bool) -> bool:
        """Count a command of a person; false if that is too many. ``spectator``: whether they are
        at the table without a seat, and not its host."""
        if not self._commands.try_acquire(person):
            return False
        if chat and not self._chat.try_acquire(person):
            return False
        shared = self._spectator_chat if chat else self._spectator_commands
        return not spectator or shared.try_acquire()

    def try_admit(self, address: str | None) -> bool:
        """Count one more person who joins the table from an address; false if that is too many."""
        return self._arrivals.try_acquire(address)


class Limits:
    """The limits of a server, ``by_address`` and ``by_person``, each by the name of what it
    counts."""

    def __init__(self) -> None:
        self.by_address: Final = {
            # A page is some fifteen files, and a school or a family has one address.
            "request": RateLimit(Rate(1500, 0.02)),
            "any": RateLimit(Rate(200, 0.05)),
            "person": RateLimit(Rate(60, 2)),
            "open": RateLimit(Rate(60, 10)),
            "guess": RateLimit(Rate(30, 10)),
            "given": RateLimit(Rate(60, 2)),  # each takes some 30 ms of a processor
            "qr": RateLimit(Rate(40, 1)),  # each takes up to 40 ms
            "advice": RateLimit(Rate(60, 1)),  # a person costs nothing
            "analysis": RateLimit(Rate(12, 30)),  # some 5 s of a processor, behind all bots
            "sheet": RateLimit(Rate(20, 30)),  # one that this server does not know yet
            "socket": RateLimit(Rate(120, 0.5)),
            "handover": RateLimit(Rate(10, 30)),
            "sessions": RateLimit(Rate(10, 600)),
        }
        self.by_person: Final = {
            "open": RateLimit(Rate(20, 20)),
            "name": RateLimit(Rate(20, 3)),
            "same": RateLimit(Rate(30, 2)),
            "handover": RateLimit(Rate(8, 30)),
            "sessions": RateLimit(Rate(5, 60)),
            "game": RateLimit(Rate(60, 1)),
            "advice": RateLimit(Rate(30, 2)),  # each takes some 50 ms, at most a second
        }

    def acquire(self, what: str, address: str | None, person: str | None, now: float) -> None:
        """Count one request towards every limit on ``what``; an address that is ``None`` (this
        machine itself) is not limited. Raises :class:`TooManyRequests`."""
        if address is not None and what in self.by_address:
            acquire(self.by_address[what], address, now)
        if person is not None and what in self.by_person:
            acquire(self.by_person[what], person, now)

    def check(self, what: str, address: str | None, now: float) -> None:
        """Raises :class:`TooManyRequests` if an address has exhausted a limit; counts nothing."""
        if address is not None and (wait := self.by_address[what].wait(address, now)):
            raise too_many(wait)

    @contextlib.contextmanager
    def guessing(self, address: str | None) -> Iterator[None]:
        """A context for looking something up by a code that may be a guess. A wrong one, which
        raises :class:`NoTable` or :class:`NotFound`, is counted; after too many from an address,
        neither wrong nor right ones are looked up. Raises :class:`TooManyRequests`."""
        self.check("guess", address, time.monotonic())
        try:
            yield
        except (NoTable, NotFound):
            self.acquire("guess", address, None, time.monotonic())
            raise


def acquire(limit: RateLimit, key: Hashable = None, now: float | None = None) -> None:
    """Count something towards a limit. Raises :class:`TooManyRequests`."""
    if not limit.try_acquire(key, now):
        raise too_many(limit.wait(key, now))


def too_many(wait: float) -> TooManyRequests:
    """The refusal that says how many seconds to wait."""
    return TooManyRequests("http.too_many", seconds=int(wait) + 1)


def rate_key(host: str, *, direct: bool) -> str | None:
    """The address of a client as limits count it: for IPv6 its /64 network, since whoever
    has one address of it has all; ``None`` for this machine itself, unless a proxy is in between
    (``direct`` is false)."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is not None:
            return rate_key(str(address.ipv4_mapped), direct=direct)
        if not address.is_loopback:
            return str(ipaddress.ip_network((address, 64), strict=False))
    return None if direct and address.is_loopback else str(address)
