"""How the limits of a house (``__init__.py``) are counted: by address, by person, by table."""

from __future__ import annotations

import contextlib
import logging
import time
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from typing import Any, Final, TypeVar

from rage.house.base.codes import NoTable
from rage.house.base.errors import NotFound, TooManyRequests
from rage.house.limits import (
    ARRIVALS,
    BY_ADDRESS,
    BY_PERSON,
    BY_SEAT,
    BY_TABLE,
    CHAT,
    COMMANDS,
    GUESSES,
    KEPT,
    MAX_GUESSED,
    MAX_KEYS_PER_TABLE,
    MAX_LIMIT,
    MAX_SEATED,
    PEOPLE,
    REACTIONS,
    SPECTATOR_CHAT,
    SPECTATOR_COMMANDS,
    SPECTATOR_REACTIONS,
    WRONG_CODES,
)
from rage.house.limits.networks import shares
from rage.house.limits.rate import MAX_KEYS, Rate, RateLimit
from rage.rules.number import read_number
from rage.say import NotReadable
from rage.table import Chat, React

log: Final = logging.getLogger(__name__)
T = TypeVar("T", Rate, int)


def for_people(limit: T, people: int) -> T:
    """A limit by address that ``people`` people share."""
    if isinstance(limit, Rate):
        return limit.times(people / PEOPLE)
    return max(1, limit * people // PEOPLE)


def read_limits(text: str) -> dict[str, Rate]:
    """The value of ``--limits``, such as ``open=100/600``: 100 at once, and then 600 an hour.
    Raises :class:`rage.NotReadable`."""
    found: dict[str, Rate] = {}
    for term in filter(None, (each.strip() for each in text.split(","))):
        name, _, rate = (part.strip() for part in term.partition("="))
        burst, hourly = (read_number(part, 1, MAX_LIMIT) for part in rate.partition("/")[::2])
        if name not in BY_ADDRESS or name in found or burst is None or hourly is None:
            allowed = ", ".join(BY_ADDRESS)
            raise NotReadable("serve.limits", term=term, most=MAX_LIMIT, allowed=allowed)
        found[name] = Rate(burst, 3600 / hourly)
    return found


#: Refusals with their own sentence.
_REFUSALS: Final = {"begin": "http.too_many_games"}


class AddressLimit:
    """A rate limit by address, and larger ones by the networks around it. ``kept``: whether the
    store keeps what it counts. Times are as for :class:`RateLimit`."""

    def __init__(self, rate: Rate, max_keys: int = MAX_KEYS, *, kept: bool = False) -> None:
        self._rate, self._max_keys, self._kept = rate, max_keys, kept
        self._of: dict[int, RateLimit] = {}

    def _limits(self, address: str | None) -> Iterator[tuple[RateLimit, str | None]]:
        """Each limit on an address, and the key by which it counts the address."""
        found = ((None, 1),) if address is None else shares(address, kept=self._kept)
        for size, (network, factor) in enumerate(found):
            if (limit := self._of.get(size)) is None:
                limit = RateLimit(self._rate.times(factor), self._max_keys)
                self._of[size] = limit
            yield limit, network

    def wait(self, address: str | None, now: float | None = None) -> float:
        """The seconds until an address has a token, 0 if it has one; takes none."""
        return max(limit.wait(key, now) for limit, key in self._limits(address))

    def try_acquire(self, address: str | None, now: float | None = None) -> bool:
        """Take a token. Returns false, and takes none, if none is available."""
        now = time.monotonic() if now is None else now
        if self.wait(address, now):
            return False
        return all(limit.try_acquire(key, now) for limit, key in self._limits(address))

    def charge(self, address: str | None, more: int, now: float | None = None) -> None:
        """Take ``more`` tokens, even if they are not available yet."""
        for limit, key in self._limits(address):
            limit.charge(key, more, now)


class TableLimits:
    """The limits of one table, for everything except moves; ``people``: how many may share an
    address. They count by person, because anyone can reconnect; and for all spectators together,
    because there may be many, and everyone at the table is sent what they do."""

    def __init__(self, people: int = PEOPLE) -> None:
        self._commands = RateLimit(COMMANDS, MAX_KEYS_PER_TABLE)
        self._own: dict[type, RateLimit] = {
            Chat: RateLimit(CHAT, MAX_KEYS_PER_TABLE),
            React: RateLimit(REACTIONS, MAX_KEYS_PER_TABLE),
        }
        self._arrivals = AddressLimit(for_people(ARRIVALS, people), MAX_KEYS_PER_TABLE)
        self._spectator_commands = RateLimit(SPECTATOR_COMMANDS)
        self._shared: dict[type, RateLimit] = {
            Chat: RateLimit(SPECTATOR_CHAT),
            React: RateLimit(SPECTATOR_REACTIONS),
        }

    def try_acquire(self, person: str, kind: type, *, spectator: bool) -> bool:
        """Count a command of a ``kind``. Returns false if it is one too many. ``spectator``:
        whether they are at the table without a seat, and not its host."""
        if not self._commands.try_acquire(person):
            return False
        if kind in self._own and not self._own[kind].try_acquire(person):
            return False
        return not spectator or self._shared.get(kind, self._spectator_commands).try_acquire()

    def try_admit(self, address: str | None) -> bool:
        """Count a person who joins the table from an address. Returns false if it is one too
        many."""
        return self._arrivals.try_acquire(address)


class Guess:
    """A code that is looked up. ``own``: whether it belongs to the person."""

    own = False


class Limits:
    """The limits of a server, ``by_address``, ``by_person``, ``by_seat`` and ``by_table``, each by
    the name of what it counts. ``people``: how many may share an address; ``given``: configured
    limits by address, for all of its people together."""

    def __init__(self, people: int = PEOPLE, given: Mapping[str, Rate] | None = None) -> None:
        by_address = {what: for_people(rate, people) for what, rate in BY_ADDRESS.items()}
        by_address |= given or {}
        self.by_address: Final = {
            what: AddressLimit(rate, kept=what in KEPT) for what, rate in by_address.items()
        }
        self.by_person: Final = {what: RateLimit(rate) for what, rate in BY_PERSON.items()}
        self.by_seat: Final = {what: RateLimit(rate) for what, rate in BY_SEAT.items()}
        self.by_table: Final = {what: RateLimit(rate) for what, rate in BY_TABLE.items()}
        self._wrong_codes, self._warnings = RateLimit(WRONG_CODES), RateLimit(Rate(1, 60))
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
        machine itself) is not limited. If an address has used up its limit, a person with a seat
        has their own. Raises :class:`TooManyRequests`, and then counts nothing."""
        now = time.monotonic() if now is None else now
        keys: list[tuple[Mapping[str, RateLimit | AddressLimit], str | None]]
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
        """Count ``more`` towards a limit on an address, which it may exceed once."""
        if address is not None:
            self.by_address[what].charge(address, more, now)

    def check(self, what: str, address: str | None, now: float) -> None:
        """Raise :class:`TooManyRequests` if an address has exhausted a limit; counts nothing."""
        if address is not None and (wait := self.by_address[what].wait(address, now)):
            raise too_many(wait)

    def note_wrong_code(self) -> None:
        """Count a wrong recovery code, from any address, and log a warning if there are too many.
        Right codes are never refused because of them, or a crowd could lock everyone out."""
        if not self._wrong_codes.try_acquire() and self._warnings.try_acquire():
            log.warning("many wrong recovery codes are tried, from more than one address")

    def note_seat(self, person: str) -> None:
        """Remember that a person is at a table: see :meth:`acquire`."""
        self._seated[person] = None
        self._seated.move_to_end(person)
        if len(self._seated) > MAX_SEATED:
            self._seated.popitem(last=False)

    def has_seat(self, person: str | None) -> bool:
        """Return whether a person is remembered as being at a table."""
        return person in self._seated

    @contextlib.contextmanager
    def guessing(self, code: str, address: str | None, person: str | None) -> Iterator[Guess]:
        """A context for looking something up by a code that may be a guess. A wrong one, which
        raises :class:`NoTable` or :class:`NotFound`, is counted, by address and person; after too
        many, no code works, except those that the block marks as the person's own. Raises
        :class:`TooManyRequests`."""
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


def acquire(limit: RateLimit | AddressLimit, key: Any = None, now: float | None = None) -> None:
    """Count something towards a limit. Raises :class:`TooManyRequests`."""
    if not limit.try_acquire(key, now):
        raise too_many(limit.wait(key, now))


def too_many(wait: float, code: str = "http.too_many") -> TooManyRequests:
    """The refusal with the seconds to wait."""
    return TooManyRequests(code, seconds=int(wait) + 1)
