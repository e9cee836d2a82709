"""What the server stores: the events of every table, and what it needs to find tables again.

The log is the source of truth: events are only ever appended, and if two processes append the same
number, the key ``(table, seq)`` decides which was first. To keep logs from growing without bound, a
snapshot replaces the events before it. Besides the log there are an index, derived from the events
and written with them (which tables are open, who is at which, what is due), finished games, and the
last lines of each table's chat. :class:`Store` is the interface; ``sqlite.py`` implements it in one
file.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Final, NamedTuple, Protocol

from rage.files import system_reason
from rage.say import NotAllowed, Reason, sentence

#: How the names of bans begin; the person follows.
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
    """What to raise for an error with a file of a store, which it names."""
    return StoreFailed(Reason("system.file", {"file": str(file), "why": system_reason(error)}))


class StoreBusy(StoreFailed):
    """Another program is writing."""


class Elsewhere(StoreFailed):
    """Another server has the table: nothing was stored."""


class BrokenTable(NotAllowed):
    """The stored data of a table cannot be read; ``place`` is the first such part: the number of an
    event, or ``snapshot``."""

    def __init__(self, place: str) -> None:
        super().__init__("http.broken_table")
        self.place = place


class Row(NamedTuple):
    """One event: its number, its time in milliseconds, and all of it as JSON."""

    seq: int
    at: int
    data: bytes


class Index(NamedTuple):
    """What tables are searched by: the phase, whether everybody may find it, the persons at it
    (``None``: those stored already), when its clock is due, its host, whether a game was ever
    begun, and when it was last used, to the minute (times in milliseconds)."""

    phase: str
    open: bool
    people: tuple[str, ...] | None
    due_at: int | None
    host: str | None
    started: bool
    used: int


class Finished(NamedTuple):
    """A finished game: the ``game``-th of its table, when it ended, its line in a list of games (as
    JSON), its record (``docs/record.md``), everybody who was at the table when it ended or has
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
    makes the stored summary of the table out of date. ``instead``: events that take the
    place of all that have the number of the first, or a later one."""

    table: str
    rows: tuple[Row, ...] = ()
    new_index: Index | None = None
    finished: tuple[Finished, ...] = ()
    snapshot: Snapshot | None = None
    bids: ChangedBids | None = None
    instead: tuple[Row, ...] = ()


class StoredTable(NamedTuple):
    """A table in a list of tables: its summary, or ``None`` if that is out of date and must be
    derived from the events; and whether another server has the table, whose summary may be some
    seconds old."""

    table: str
    summary: bytes | None
    elsewhere: bool = False


class ListedTable(NamedTuple):
    """A table in the operator's list: its phase, whether everybody may find it, and when it was
    last used (milliseconds)."""

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
    """What a person is known by: their name, if they have given one, and their sign, if they have
    chosen one (``rage.table.signs``)."""

    name: str | None = None
    sign: str = ""


class Given(NamedTuple):
    """When a name, a recovery code or a passkey was given (milliseconds), and to whom."""

    at: int = -1
    person: str = ""


class Expiry(NamedTuple):
    """Tables that were last used, and games that ended, before these times (in milliseconds) are
    removed; ``None``: never. ``unstarted``: tables where no game was begun, ``abandoned``: where
    one was begun and is not over, ``finished``: where it is over. So are ``names`` given before
    then, by people who are at no table and in no game, and ``reports``."""

    unstarted: int | None
    abandoned: int | None
    finished: int | None
    games: int | None
    names: int
    reports: int = 0


class Pressure(NamedTuple):
    """How many operations wait to be written, and how often some were tried again since the start,
    because the database was away or another server was in between."""

    waiting: int
    retried: int = 0


class StoredLogs(Protocol):
    """What a table is made from. All methods may raise :class:`StoreFailed`."""

    async def events(self, table: str, after: int = 0, most: int = MAX_READ) -> list[Row]:
        """Up to ``most`` kept events of a table after a number, in order."""

    async def snapshot(self, table: str) -> Snapshot | None:
        """The last snapshot of a table, if any."""

    async def changed_bids(self, table: str) -> bytes | None:
        """The changed bids of a table, if any."""


class Store(StoredLogs, Protocol):
    """Stores events and everything else. All methods but :meth:`close` may raise
    :class:`StoreFailed`."""

    #: Whether other servers may use it at the same time.
    shared: bool
    #: What is said about damaged pages, if any were found.
    damage: str
    #: How far the clock of the store is ahead of this machine's, in milliseconds.
    ahead: int
    #: The clock, in milliseconds since 1970.
    now: Callable[[], int]
    #: Called with the seconds that each commit took and how many jobs it had, in any thread.
    on_commit: Callable[[float, int], None]
    #: Called with a table of this server that another one has claimed.
    on_lost: Callable[[str], None]
    #: Called if the store may no longer hold what it has held: of a table, or (``None``) of any.
    on_doubt: Callable[[str | None], None]
    #: Called with a person whose sessions were ended at another server, and their number.
    on_ended: Callable[[str, int], None]

    @property
    def pressure(self) -> Pressure:
        """What waits to be written."""

    def append(self, append: Append) -> Awaitable[None]:
        """Begin to store; the result is ready once everything in ``append`` is durable. Raises
        :class:`Conflict`."""

    async def tables_of(self, person: str, most: int) -> list[StoredTable]:
        """The tables a person is at, the one used last first."""

    async def is_guest(self, table: str, person: str) -> bool:
        """Whether a person is at a table."""

    async def open_tables(self, most: int) -> list[StoredTable]:
        """Open tables where people gather or play: one of each host, then a second one of each,
        and so on; among those the one used last first."""

    async def count_open(self, host: str) -> int:
        """The number of open tables, where people gather or play, with this host."""

    async def still_open(self, tables: Sequence[str]) -> list[str]:
        """Those of the tables that are open and where people gather or play."""

    async def table(self, table: str) -> StoredTable | None:
        """A table, if there is one."""

    async def summarize(self, table: str, seq: int, summary: bytes) -> None:
        """Store the summary of a table as it is after event ``seq``, unless there are later
        events."""

    async def claim(self, table: str) -> None:
        """Make this server the one that has a table, if there is one; the one that had it before
        lets it go."""

    async def release(self, table: str) -> None:
        """Have a table no longer."""

    async def due(self, now: int, most: int) -> list[str]:
        """Tables whose clock was due at ``now`` or earlier, and which no other server has."""

    async def say(self, table: str, at: int, data: bytes, most: int, most_bytes: int) -> int:
        """Store a line of a table's chat, keeping the last ``most`` lines, and of those the last
        ``most_bytes`` bytes. Returns its number there, from 1."""

    async def chat(self, table: str, after: int = 0) -> list[ChatRow]:
        """The kept lines of a table's chat after a number, in order."""

    async def unsay(self, table: str, lines: Sequence[int]) -> None:
        """Remove lines of a table's chat, by their numbers, and the events that it has lost."""

    async def traces_of(self, people: Sequence[str]) -> list[str]:
        """The tables where anything stored names one of some people. Reads the whole store."""

    async def told_by(self, person: str) -> dict[str, list[ChatRow]]:
        """By table, the lines of the chat that name a person. Reads all of them."""

    async def games_with(self, people: Sequence[str]) -> list[tuple[str, int]]:
        """The finished games, each by table and number, that name one of some people, or are in
        their lists. Reads the lines of all games."""

    async def replace_game(self, table: str, over: Finished) -> None:
        """Store a finished game of a table again; its ``seats`` are added to those stored."""

    async def drop_game(self, table: str, game: int, person: str | None = None) -> None:
        """Take a finished game out of a person's list, and remove it if nobody else keeps it, or
        nobody else has played it; without a person, remove it."""

    async def erase(self, people: Sequence[str], digest: str) -> list[str]:
        """Remove a person, who has several ids, except for traces at tables and in games of others:
        their lists, names, codes, passkeys and bans. The ``digest`` invalidates their cookies.
        Returns the tables that they were still at."""

    async def rewrite(self) -> None:
        """Leave nothing of what was removed in unused space, as far as the store can do that while
        others write."""

    async def games_of(self, person: str, most: int) -> list[GameEntry]:
        """The finished games of a person, the last one first."""

    async def has_played(self, person: str, before: int) -> bool:
        """Whether a person has a seat in a finished game that ended before then."""

    async def finished_game(self, table: str, game: int) -> Finished | None:
        """A finished game of a table."""

    async def count_games(self, deals_id: str) -> int:
        """The number of finished games with these deals."""

    async def best_games(self, deals_id: str, most: int) -> list[GameEntry]:
        """Up to ``most`` of them, those with the most points first; without anybody's seat."""

    async def days_of(self, person: str, edition: str, most: int) -> list[GameEntry]:
        """The finished games of a person with the deals of days for an edition, the last day
        first."""

    async def expired_tables(self, expiry: Expiry, most: int) -> list[str]:
        """Up to ``most`` tables that have expired, and which no other server has."""

    async def over_tables(self, until: int, after: OverTable, most: int) -> list[OverTable]:
        """Up to ``most`` tables whose game is over and which no other server has, last used after
        one of them and before ``until``, in this order."""

    async def remove(self, tables: Sequence[str]) -> None:
        """Remove tables and everything that belongs to them except their finished games, unless
        another server has them."""

    async def tidy(self, expiry: Expiry, most: int) -> bool:
        """Remove expired reports and up to ``most`` expired games, and free space. Returns whether
        there may be more to do."""

    async def forget(self, name: str, before: int, after: Given, most: int) -> Given | None:
        """Look at up to ``most`` rows of ``names``, ``codes`` or ``passkeys`` that were given
        before a time (milliseconds) and after a row, and remove those of people who are at no table
        and in no game. Returns the last row, if there were any."""

    async def size(self) -> int:
        """The bytes that the store takes, without what it could give back."""

    async def problems(self) -> list[Reason]:
        """What is damaged, as far as the store itself can tell."""

    async def check_writable(self) -> None:
        """Write and delete a row. Raises :class:`StoreFailed` if that is impossible."""

    async def setting(self, name: str, value: bytes) -> bytes:
        """The value stored under a name; if there is none, stores and returns ``value``."""

    async def keep_report(self, report: bytes, most: int) -> None:
        """Store a report, and remove the oldest if there are more than ``most``."""

    async def reports(self) -> dict[str, bytes]:
        """The reports by name, the oldest first; :meth:`take` removes one."""

    async def orders(self) -> dict[str, bytes]:
        """What was put by names that begin with ``admin``."""

    async def put(self, name: str, value: bytes) -> None:
        """Store a value under a name, in place of an earlier one."""

    async def take(self, name: str) -> bytes | None:
        """Remove the value stored under a name, if there is one, and return it: of several servers
        at once, one gets it."""

    async def all_tables(self, phase: str | None, *, found: bool, most: int) -> list[ListedTable]:
        """Up to ``most`` tables, the one used last first: all, or those in a phase; ``found``: only
        those that everybody may find."""

    async def listed_table(self, table: str) -> ListedTable | None:
        """A table as in the operator's list, if there is one."""

    async def all_games(self, after: GameEntry | None, most: int) -> list[GameEntry]:
        """Up to ``most`` finished games after one of them, in the order in which they ended;
        without anybody's seat."""

    async def spend(self, token: bytes) -> bool:
        """Whether a token is used for the first time; the last :data:`MAX_SPENT` are remembered,
        whatever the clock says."""

    async def end_sessions(self, person: str) -> int:
        """Increment the session number of a person, and forget their recovery code and passkeys.
        Returns the number: 1 for the first time."""

    async def sessions(self) -> dict[str, int]:
        """The session numbers, by person, of all who have ended sessions."""

    async def keep_code(self, person: str, digest: bytes) -> None:
        """Store the digest of a person's recovery code, in place of an earlier one."""

    async def code_since(self, person: str) -> int | None:
        """When a person's recovery code was made (milliseconds), if they have one."""

    async def recover(self, digests: Sequence[bytes], *, end: bool) -> Recovered | None:
        """The person whose recovery code has one of these digests, if any; ``end``: end their
        sessions as well, with which the code is forgotten. If several ask that at once, one is
        answered."""

    async def keep_passkey(self, passkey: Passkey) -> bool:
        """Store a passkey. Returns whether its id is new."""

    async def passkey(self, number: bytes) -> Passkey | None:
        """The passkey with this id, if any."""

    async def passkeys_of(self, person: str) -> list[Passkey]:
        """The passkeys of a person, the first one first."""

    async def use_passkey(self, passkey: Passkey, *, end: bool) -> Recovered | None:
        """The person of a passkey, whose counter is stored, unless it was removed; ``end``: end
        their sessions as well, with which the code and their other passkeys are forgotten."""

    async def remove_passkey(self, person: str, made: int) -> None:
        """Remove the passkey that a person created then, if any."""

    async def profile_of(self, person: str) -> Profile:
        """What a person has chosen to be known by."""

    async def keep_profile(self, person: str, name: str, sign: str = "") -> None:
        """Store the name and the sign of a person."""

    async def close(self) -> None:
        """Store what is pending, and release all resources."""
