"""The server's store: the events of every table, and an index to find tables again.

The log is the source of truth: events are only ever appended, and if two processes append the same
number, the key ``(table, seq)`` decides which was first. To keep logs from growing without bound, a
snapshot replaces the events before it. In addition to the log there are the index, derived from the
events and written with them (which tables are open, who is at which, which are due), finished
games, and the last lines of each table's chat.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from rage.files import system_reason
from rage.say import NotAllowed, Reason, sentence

#: The prefix of the names of bans; the person follows.
BAN: Final = "admin ban "
#: The most events read at once by default.
MAX_READ: Final = 1000


class Conflict(Exception):
    """Another process has appended an event with this number, or changed a bid: reload, and decide
    again."""


class StoreFailed(Exception):
    """Nothing was stored, so nothing has happened: the disk is full, or gone. ``reason`` says why,
    ``str()`` in English."""

    def __init__(self, why: Reason | Exception | str) -> None:
        self.reason: Reason = why if isinstance(why, Reason) else system_reason(why)
        super().__init__(self.reason)

    def __str__(self) -> str:
        return sentence(self.reason)


def file_failed(file: object, error: Exception) -> StoreFailed:
    """The error to raise for one with a file of a store, which it names."""
    return StoreFailed(Reason("system.file", {"file": str(file), "why": system_reason(error)}))


class StoreBusy(StoreFailed):
    """Another program is writing."""


class Elsewhere(StoreFailed):
    """Another server has the table: nothing was stored."""


class BrokenTable(NotAllowed):
    """The stored data of a table cannot be read."""

    def __init__(self) -> None:
        super().__init__("http.broken_table")


class Row(NamedTuple):
    """One event: its number, its time in milliseconds, and all of it as JSON."""

    seq: int
    at: int
    data: bytes


class Index(NamedTuple):
    """The fields that tables are searched by: the phase, whether anyone may find it, the persons at
    it (``None``: unchanged), when its clock is due, its host, whether a game was ever begun, and
    when it was last used, to the minute (times in milliseconds)."""

    phase: str
    open: bool
    people: tuple[str, ...] | None
    due_at: int | None
    host: str | None
    started: bool
    used: int


class Finished(NamedTuple):
    """A finished game: the ``game``-th of its table, when it ended, its line in a list of games (as
    JSON), its record (``docs/record.md``), everyone who was at the table when it ended or has
    played, with their seats, the id of its deals, if they repeat others (``deals_id``), and the
    ``points`` of the first side."""

    game: int
    ended: int
    line: bytes
    record: bytes
    seats: dict[str, int | None]
    deals_id: str | None = None
    points: int = 0


class Snapshot(NamedTuple):
    """A table after its event ``seq``; of the events before that, the log keeps only those after
    number ``dropped``."""

    seq: int
    data: bytes
    dropped: int


class ChangedBids(NamedTuple):
    """The changed bids of a table (``None``: there are none), to be stored if the stored ones are
    still ``before``."""

    before: bytes | None
    after: bytes | None


class Append(NamedTuple):
    """Everything that a command has changed, to be stored completely or not at all. A ``new_index``
    makes the stored summary of the table out of date. ``instead``: events that replace all from the
    number of the first one on. ``after``: without events, the number of the last one, which must be
    stored already: the database may have lost it."""

    table: str
    rows: tuple[Row, ...] = ()
    new_index: Index | None = None
    finished: tuple[Finished, ...] = ()
    snapshot: Snapshot | None = None
    bids: ChangedBids | None = None
    instead: tuple[Row, ...] = ()
    after: int | None = None


class StoredTable(NamedTuple):
    """A table in a list of tables: its summary, or ``None`` if that is out of date and must be
    derived from the events; and whether another server has the table, whose summary may be some
    seconds old."""

    table: str
    summary: bytes | None
    elsewhere: bool = False


class ListedTable(NamedTuple):
    """A table in the operator's list: its phase, whether anyone may find it, and when it was last
    used (milliseconds)."""

    stored: StoredTable
    phase: str
    open: bool
    used: int


class OverTable(NamedTuple):
    """A table whose game is over: when it was last used (milliseconds), and whether any of its
    events are kept."""

    used: int
    table: str
    has_events: bool = True


class GameEntry(NamedTuple):
    """A finished game in a person's list: the line of the list, the person's seat, and the id of
    its deals, if they repeat others."""

    table: str
    game: int
    ended: int
    line: bytes
    seat: int | None
    deals_id: str | None = None


class ChatRow(NamedTuple):
    """A line of a table's chat: its number there, its time in milliseconds, the rest as JSON."""

    number: int
    at: int
    data: bytes


class Passkey(NamedTuple):
    """A passkey of a person: its id, its public key in COSE form, how often it has signed (0: it
    does not count), and when it was created (milliseconds)."""

    id: bytes
    person: str
    public_key: bytes
    counter: int
    made: int


class Recovered(NamedTuple):
    """The person of a recovery code or a passkey, and their session number if their sessions were
    ended."""

    person: str
    number: int | None


class Profile(NamedTuple):
    """A person's name, if they have chosen one, and their sign, if they have chosen one
    (``rage.table.people.signs``)."""

    name: str | None = None
    sign: str = ""


class Given(NamedTuple):
    """When a name, a recovery code or a passkey was given (milliseconds), and to whom."""

    at: int = -1
    person: str = ""


class Expiry(NamedTuple):
    """Tables that were last used, and games that ended, before these times (in milliseconds) are
    removed; ``None``: never. ``unstarted``: tables where no game was begun, ``abandoned``: where
    one was begun and is not over, ``finished``: where it is over. The same holds for ``names`` of
    people who are at no table and in no game, and for ``reports``."""

    unstarted: int | None
    abandoned: int | None
    finished: int | None
    games: int | None
    names: int
    reports: int = 0


class Pressure(NamedTuple):
    """How many operations wait to be written, and how many were retried since the start, because
    the database was away or another server interfered."""

    waiting: int
    retried: int = 0
