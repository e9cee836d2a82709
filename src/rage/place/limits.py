"""The limits of the server: what a table, a person, an address and a connection may cost.

Everything that somebody may ask for, and everything that is kept for them, has its limit here. A
:class:`Rate` is so many at once, and then one more every so many seconds.
"""

from __future__ import annotations

import contextlib
import ipaddress
import time
from collections import OrderedDict
from collections.abc import Hashable, Iterator
from typing import Final, TypeVar

from rage.place.codes import NoTable
from rage.place.errors import NotFound, TooManyRequests
from rage.place.rate import Rate, RateLimit

# By address: all of this is for PEOPLE people, and grows with `--people-per-address`.

#: How many people share an address unless configured: a family and its guests.
PEOPLE: Final = 20
#: How many connections each of them may have open: a page has six, and a table one.
CONNECTIONS: Final = 10
BY_ADDRESS: Final = {
    # Any request or WebSocket. A page is some fifteen files.
    "request": Rate(1500, 0.02),
    # A request to the API.
    "any": Rate(200, 0.05),
    # A new person, and a new name: kept for a year.
    "person": Rate(60, 10),
    "name": Rate(60, 10),
    # A list: some 5 ms of the event loop, and of the thread that reads the store.
    "list": Rate(100, 0.2),
    # A new table: up to 300 kB of the store, for days.
    "open": Rate(40, 60),
    # A game that begins: 5 kB of the store when it is over, up to 30, for a year.
    "begin": Rate(200, 18),
    # A wrong code; of one person (below) fewer, so that one of them cannot spoil it for the others.
    "guess": Rate(300, 1),
    # Five kB of a game that somebody was given: some 20 ms of a processor.
    "given": Rate(60, 2),
    # The image of a link: up to 40 ms.
    "qr": Rate(40, 1),
    # Advice: some 50 ms of a processor. A person costs nothing, so also by address.
    "advice": Rate(60, 1),
    # An analysis: 5 s of a processor at most.
    "analysis": Rate(12, 30),
    # A score sheet that this server does not know yet: 16 kB of memory.
    "sheet": Rate(20, 30),
    # A WebSocket that is opened.
    "socket": Rate(120, 0.5),
    # A handover that is used: it could be a guess.
    "handover": Rate(10, 30),
    # Sessions that are ended: kept for ever.
    "sessions": Rate(10, 600),
}
#: How many characters of a given game count as one.
GIVEN_UNIT: Final = 5000
#: People who join a table.
ARRIVALS: Final = Rate(20, 1 / 4)
#: Phones that join a sheet.
JOINS: Final = Rate(60, 0.5)
#: Open tables, which everybody finds; people who look at one table from outside; sheets.
MAX_OPEN_FROM: Final = 20
MAX_OUTSIDE_FROM: Final = 10
MAX_SHEETS_FROM: Final = 20

# By person.

#: Wrong codes from one address, with the same cookie or without one.
GUESSES: Final = Rate(30, 10)
#: How many wrong codes are remembered: who asks for the same one again does not guess.
MAX_GUESSED: Final = 10_000
#: What somebody who has a seat may still do when others at the address have used up its limit: load
#: the page, come back to the table, and begin the next game.
BY_SEAT: Final = {
    "request": Rate(60, 4),
    "any": Rate(60, 4),
    "socket": Rate(10, 10),
    "begin": Rate(3, 1200),
}
#: How many such people are remembered.
MAX_SEATED: Final = 2000
BY_PERSON: Final = {
    "open": Rate(20, 20),
    "begin": Rate(60, 60),
    "name": Rate(20, 3),
    "list": Rate(30, 1),
    # The games of the same deals: up to nine records are read.
    "same": Rate(30, 2),
    "handover": Rate(8, 30),
    "sessions": Rate(5, 60),
    # A whole finished game.
    "game": Rate(60, 1),
    # Some 50 ms of a processor each, at most a second.
    "advice": Rate(30, 2),
}
#: Open tables that one is host of.
MAX_OPEN: Final = 5
#: Finished games that are kept for one who has played, and for one who has watched: as many as a
#: list shows. A game is kept while anybody has it.
MAX_GAMES: Final = 200

# By table.

#: Games that begin there.
BY_TABLE: Final = {"begin": Rate(30, 60)}
#: How often one person may send commands other than moves to a table, and chat there.
COMMANDS: Final = Rate(20, 1 / 4)
CHAT: Final = Rate(10, 1)
#: The same for all spectators of a table together.
SPECTATOR_COMMANDS: Final = Rate(120, 1 / 8)
SPECTATOR_CHAT: Final = Rate(10, 1 / 2)
#: How many persons, or addresses, each limit of a table remembers.
MAX_KEYS_PER_TABLE: Final = 300
#: People who look at it from outside. Whoever comes then takes the place of another.
MAX_OUTSIDE: Final = 50
#: Events, and bytes of them, after which the table is stored as a snapshot in their place; and the
#: events that are kept all the same for clients that were away, who otherwise get the whole table.
SNAPSHOT_AFTER: Final = 1000
SNAPSHOT_AFTER_BYTES: Final = 100_000
MAX_MISSED: Final = 200
#: Bytes of the chat. (The table itself keeps its last lines, ``rage.table.state``.)
MAX_CHAT_BYTES: Final = 64_000

# By sheet that is shown.

#: How often a phone may bid, and its keeper may write; how many addresses or phones are remembered.
BIDS: Final = Rate(60, 0.5)
WRITES: Final = Rate(60, 0.5)
MAX_KEYS_PER_SHEET: Final = 300

# By connection.

#: Messages; and how often missed events or hints may be asked for.
MESSAGES: Final = Rate(100, 1 / 45)
REPLAYS: Final = Rate(20, 1 / 4)
#: How many commands may be refused for coming too fast before the connection is closed.
WARNINGS: Final = Rate(50, 1)
#: The longest message, in bytes, and how many may wait to be answered.
MAX_MESSAGE: Final = 4096
MAX_UNANSWERED: Final = 64
#: How many pings, pongs and continuations of messages one may send.
CONTROL_FRAMES: Final = Rate(100, 1 / 10)
#: How many bytes may be unsent for a client, and for how many seconds it may read none of them.
MAX_UNSENT: Final = 128 * 1024
MAX_STALL: Final = 5.0

# Of the whole server.

#: Bytes of a megabyte, as ``--max-store`` counts.
MB: Final = 1_000_000
#: Connections (as many as fit into 256 MB), and those that are open only to be refused.
MAX_CONNECTIONS: Final = 4000
MAX_REFUSED: Final = 50
#: Bytes of the store, beyond which no table is opened and no game begins: 300,000 finished games.
MAX_STORE: Final = 2_000_000_000
#: Sheets that are shown.
MAX_SHEETS: Final = 500

# Seconds of a processor. What bots, advice and analyses take of one waits in a queue in which
# addresses take turns (fair_queue.py).

#: For how many seconds bots play on at a table where nobody is connected.
REST_AFTER: Final = 60.0
#: For how many seconds a bot or an adviser may look ahead, and for how many while other work waits.
THINKING: Final = 1.0
THINKING_IN_CROWD: Final = 0.25
#: An analysis tries each decision in this many worlds, and plays each round this often, but fewer
#: where the game is long: as many as make this many moves, which take some 4 s and 1 s. What a
#: decision takes besides is as much as some moves.
WORLDS: Final = range(2, 301)
MOVES_IN_WORLDS: Final = 6_500_000
MOVES_BESIDES: Final = 700
TIMES: Final = range(5, 61)
MOVES_AGAIN: Final = 40_000
#: Games that are analysed at once, of an address (piece by piece in turn) and in all.
MAX_ANALYSING_FROM: Final = 2
MAX_ANALYSING: Final = 12
#: Bytes of analyses that are kept: some 150 usual ones.
MAX_ANALYSES_BYTES: Final = 16_000_000

T = TypeVar("T", Rate, int)


def for_people(limit: T, people: int) -> T:
    """A limit by address where so many people share one."""
    if isinstance(limit, Rate):
        return limit.times(people / PEOPLE)
    return max(1, limit * people // PEOPLE)


#: What is said where a sentence of its own helps.
_REFUSALS: Final = {"begin": "http.too_many_games"}


class TableLimits:
    """The limits of one table, for everything but moves; ``people``: how many may share an
    address. They count by person, since anybody can
    reconnect; and for all spectators together, since there may be many of them and everybody at
    the table is told what each of them does."""

    def __init__(self, people: int = PEOPLE) -> None:
        self._commands = RateLimit(COMMANDS, MAX_KEYS_PER_TABLE)
        self._chat = RateLimit(CHAT, MAX_KEYS_PER_TABLE)
        self._arrivals = RateLimit(for_people(ARRIVALS, people), MAX_KEYS_PER_TABLE)
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


class Guess:
    """A code that is looked up. ``own``: whether it is of something that belongs to the person."""

    own = False


class Limits:
    """The limits of a server, ``by_address``, ``by_person``, ``by_seat`` and ``by_table``, each by
    the name of what it counts. ``people``: how many may share an address."""

    def __init__(self, people: int = PEOPLE) -> None:
        by_address = {what: for_people(rate, people) for what, rate in BY_ADDRESS.items()}
        self.by_address: Final = {what: RateLimit(rate) for what, rate in by_address.items()}
        self.by_person: Final = {what: RateLimit(rate) for what, rate in BY_PERSON.items()}
        self.by_seat: Final = {what: RateLimit(rate) for what, rate in BY_SEAT.items()}
        self.by_table: Final = {what: RateLimit(rate) for what, rate in BY_TABLE.items()}
        self._guesses = RateLimit(GUESSES)
        self._guessed: OrderedDict[tuple[str, str], None] = OrderedDict()
        self._seated: OrderedDict[str, None] = OrderedDict()

    def acquire(
        self,
        what: str,
        address: str | None,
        person: str | None,
        now: float | None = None,
        *,
        table: str | None = None,
    ) -> None:
        """Count one request towards every limit on ``what``; an address that is ``None`` (this
        machine itself) is not limited. Where an address has used up its limit, a person who has a
        seat has one of their own. Raises :class:`TooManyRequests`, and then counts nothing."""
        now = time.monotonic() if now is None else now
        keys = [(self.by_address, address), (self.by_person, person), (self.by_table, table)]
        shared = self.by_address.get(what)
        used_up = shared is not None and address is not None and shared.wait(address, now) > 0
        if used_up and what in self.by_seat and self.has_seat(person):
            keys[0] = self.by_seat, person
        counted = [(kind[what], key) for kind, key in keys if key is not None and what in kind]
        if wait := max((limit.wait(key, now) for limit, key in counted), default=0.0):
            raise too_many(wait, _REFUSALS.get(what, "http.too_many"))
        for limit, key in counted:
            limit.try_acquire(key, now)

    def charge(self, what: str, address: str | None, more: int, now: float | None = None) -> None:
        """Count so much more towards a limit on an address, which it may exceed for once."""
        if address is not None:
            self.by_address[what].charge(address, more, now)

    def check(self, what: str, address: str | None, now: float) -> None:
        """Raises :class:`TooManyRequests` if an address has exhausted a limit; counts nothing."""
        if address is not None and (wait := self.by_address[what].wait(address, now)):
            raise too_many(wait)

    def note_seat(self, person: str) -> None:
        """Remember that a person is at a table: see :meth:`acquire`."""
        self._seated[person] = None
        self._seated.move_to_end(person)
        if len(self._seated) > MAX_SEATED:
            self._seated.popitem(last=False)

    def has_seat(self, person: str | None) -> bool:
        """Whether a person is remembered as being at a table."""
        return person in self._seated

    @contextlib.contextmanager
    def guessing(self, code: str, address: str | None, person: str | None) -> Iterator[Guess]:
        """A context for looking something up by a code that may be a guess. A wrong one, which
        raises :class:`NoTable` or :class:`NotFound`, is counted, by address and person; after too
        many, nothing is told of wrong or right ones, but for those that the block says are the
        person's own. Raises :class:`TooManyRequests`."""
        guess = Guess()
        try:
            yield guess
        except (NoTable, NotFound):
            self._check_guesses(address, person)
            if address is not None and (address, code[:40]) not in self._guessed:
                self._count_guess(code[:40], address, person)
            raise
        if not guess.own:
            self._check_guesses(address, person)

    def _check_guesses(self, address: str | None, person: str | None) -> None:
        if address is None:
            return
        now = time.monotonic()
        wait = self._guesses.wait((address, person), now)
        if wait := max(wait, self.by_address["guess"].wait(address, now)):
            raise too_many(wait)

    def _count_guess(self, code: str, address: str, person: str | None) -> None:
        self._guesses.try_acquire((address, person))
        self.by_address["guess"].try_acquire(address)
        self._guessed[address, code] = None
        if len(self._guessed) > MAX_GUESSED:
            self._guessed.popitem(last=False)


def acquire(limit: RateLimit, key: Hashable = None, now: float | None = None) -> None:
    """Count something towards a limit. Raises :class:`TooManyRequests`."""
    if not limit.try_acquire(key, now):
        raise too_many(limit.wait(key, now))


def too_many(wait: float, code: str = "http.too_many") -> TooManyRequests:
    """The refusal that says how many seconds to wait."""
    return TooManyRequests(code, seconds=int(wait) + 1)


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
