"""What the server keeps: the events of every table, and what it needs to find tables again.

The log is the truth: events are only ever appended, and the key ``(table, seq)`` alone decides
who was first where two want to append the same number. Beside it stands an index, made from the
events and written with them: which tables are open, who is at which, what is due, which games are
over. A :class:`Store` is one of several ways to keep all that; ``sqlite.py`` is the embedded one.
"""

from __future__ import annotations

from collections.abc import Awaitable
from typing import NamedTuple, Protocol

import msgspec

from rage.table import Event, read_event


class Taken(Exception):
    """Somebody else has appended an event of this number: read on, and decide again."""


class StoreFailed(Exception):
    """Nothing was stored, and nothing has happened: the disk is full, or gone."""


class Row(NamedTuple):
    """One event: its number, its time in milliseconds, and all of it as JSON."""

    seq: int
    at: int
    data: bytes


def event_of(data: bytes) -> Event:
    """The event of a row's JSON. Raises :class:`rage.NotReadable`."""
    return read_event(msgspec.json.decode(data))


class Index(NamedTuple):
    """What finds a table: its phase, whether anybody may see that it is there, the persons at it,
    when its clock has something to do, and when it was used last, within minutes (both in
    milliseconds)."""

    phase: str
    open: bool
    people: tuple[str, ...]
    due_at: int | None
    used: int


class Finished(NamedTuple):
    """A game that is over: the ``game``-th of its table, the number of its last event, when it
    ended, what a list of games says of it as JSON, and all who were at the
    table, with their seats."""

    game: int
    seq: int
    ended: int
    line: bytes
    seats: dict[str, int | None]


class Append(NamedTuple):
    """What one command has brought about, to be stored as a whole or not at all; ``about`` and
    ``finished`` where they have changed."""

    table: str
    rows: tuple[Row, ...]
    about: Index | None = None
    finished: Finished | None = None


class Line(NamedTuple):
    """A finished game in a person's list."""

    table: str
    finished: Finished
    seat: int | None


class Store(Protocol):
    """Where events are kept. All methods but :meth:`close` may raise :class:`StoreFailed`."""

    def append(self, append: Append) -> Awaitable[None]:
        """Begin to store; what it returns is done once everything in ``append`` is durable.
        Raises :class:`Taken`."""

    async def events(self, table: str, after: int = 0) -> list[bytes]:
        """The events of a table after a number, in order, each as JSON."""

    async def tables_of(self, person: str, most: int) -> list[str]:
        """The tables a person is at, the one used last first."""

    async def open_tables(self, most: int) -> list[str]:
        """Open tables where people gather or play, the one used last first."""

    async def due(self, now: int, most: int) -> list[str]:
        """The tables whose clock has had something to do since ``now`` or before."""

    async def games_of(self, person: str, most: int) -> list[Line]:
        """The finished games of a person, the last one first."""

    async def finished(self, table: str, game: int) -> Finished | None:
        """A finished game of a table."""

    async def setting(self, name: str, value: bytes) -> bytes:
        """The value that is kept under a name; ``value`` where there was none, kept from now
        on."""

    async def spend(self, token: bytes, until: int) -> bool:
        """Whether a token is used for the first time; it is remembered until ``until``
        (milliseconds)."""

    async def name_of(self, person: str) -> str | None:
        """The name a person goes by, if they have said one."""

    async def rename(self, person: str, name: str) -> None:
        """Keep the name a person goes by."""

    async def close(self) -> None:
        """Store what is on its way, and let go of everything."""
