"""A store: its queries (:mod:`rage.house.store.queries`), its transactions
(:mod:`rage.house.store.transactions`), and a check for damage. Each database implements reading and
writing."""

from __future__ import annotations

import asyncio
import time
from abc import abstractmethod
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from functools import partial
from secrets import token_hex
from typing import Any, Final, TypeVar

from rage.house.store import (
    Append,
    Expiry,
    Finished,
    Given,
    Passkey,
    Pressure,
    Recovered,
    identity,
    transactions,
)
from rage.house.store.checking import Look
from rage.house.store.file import keys, tables
from rage.house.store.queries import StoreReader
from rage.house.store.transactions import Operation
from rage.say import Reason

#: The rows that a check of the whole store reads together, and the pause after them, in seconds.
CHECK_BATCH: Final = 500
CHECK_PAUSE: Final = 0.02

T = TypeVar("T")


class Store(StoreReader):
    """Stores events and everything else. It is alone on its database unless it is ``shared``. All
    methods except :meth:`close` may raise :class:`rage.house.store.StoreFailed`."""

    def __init__(self, elsewhere: str = "1 = 0", *, shared: bool = False) -> None:
        super().__init__(elsewhere)
        #: Whether other servers may use it at the same time.
        self.shared = shared
        #: How far the clock of the store is ahead of this machine's, in milliseconds.
        self.ahead = 0
        #: The clock, in milliseconds since 1970.
        self.now: Callable[[], int] = lambda: int(time.time() * 1000)
        #: Called with the seconds that each commit took and how many jobs it had.
        self.on_commit: Callable[[float, int], None] = lambda seconds, jobs: None
        #: Called with a table of this server that another one has claimed.
        self.on_lost: Callable[[str], None] = lambda table: None
        #: Called if the store may have lost something: of a table, or (``None``) of any.
        self.on_doubt: Callable[[str | None], None] = lambda table: None
        #: Called with a person whose sessions were ended at another server, and their number.
        self.on_ended: Callable[[str, int], None] = lambda person, number: None

    @property
    def damage(self) -> str:
        """The message about damaged pages, if any were found."""
        return ""

    @property
    @abstractmethod
    def pressure(self) -> Pressure:
        """The operations that wait to be written."""

    @abstractmethod
    async def size(self) -> int:
        """The bytes that the store takes, without what it could give back."""

    @abstractmethod
    async def close(self) -> None:
        """Store what is pending, and release all resources."""

    @abstractmethod
    def append(self, append: Append) -> Awaitable[None]:
        """Begin to store; the result is ready once everything in ``append`` is durable. Raises
        :class:`rage.house.store.Conflict`."""

    @abstractmethod
    def _write(self, begin: Operation[T]) -> Awaitable[T]:
        """Begin to write; the result is ready once it is durable. Raises
        :class:`rage.house.store.StoreFailed`."""

    async def check_writable(self) -> None:
        """Write and delete a row. Raises :class:`rage.house.store.StoreFailed` if that is
        impossible."""
        await self._write(transactions.prove_writable)

    async def setting(self, name: str, value: bytes) -> bytes:
        """The value stored under a name; if there is none, stores and returns ``value``."""
        return await self._write(partial(transactions.keep_setting, name, value))

    async def put(self, name: str, value: bytes) -> None:
        """Store a value under a name, in place of an earlier one."""
        await self._write(partial(transactions.put, name, value))

    async def take(self, name: str) -> bytes | None:
        """Remove the value stored under a name, if there is one, and return it; only one server
        gets it."""
        return await self._write(partial(transactions.take, name))

    async def keep_report(self, report: bytes, most: int) -> None:
        """Store a report, and remove the oldest if there are more than ``most``."""
        name = f"report {self.now():013} {token_hex(4)}"
        await self._write(partial(transactions.keep_report, name, report, most))

    async def spend(self, token: bytes) -> bool:
        """Return whether a token is used for the first time; the last
        :data:`rage.house.limits.MAX_SPENT` are remembered, whatever the clock says."""
        return await self._write(partial(transactions.spend, token))

    async def end_sessions(self, person: str) -> int:
        """Increment the session number of a person, and forget their recovery code and passkeys.
        Returns the number: 1 for the first time."""
        begin = partial(identity.end_sessions, person)
        return await self._write(self._with_notice(begin, lambda number: ("ended", person, number)))

    def _with_notice(
        self, begin: Operation[T], words: Callable[[T], Sequence[object]]
    ) -> Operation[T]:
        """An operation that also tells other servers of its result, in ``words``, if there are
        any."""
        return begin

    async def keep_code(self, person: str, digest: bytes) -> None:
        """Store the digest of a person's recovery code, in place of an earlier one."""
        at = self.now()
        await self._write(partial(identity.keep_code, person, digest, at))

    async def recover(self, digests: Sequence[bytes], *, end: bool) -> Recovered | None:
        """The person whose recovery code has one of these digests, if any; ``end``: end their
        sessions as well, and forget the code; of several such requests at once, only one
        succeeds."""
        return await self._recover(partial(identity.recover, digests, end))

    async def use_passkey(self, passkey: Passkey, *, end: bool) -> Recovered | None:
        """Store the counter of a passkey, unless it was removed, and return its person; ``end``:
        end their sessions as well, and forget their code and their other passkeys."""
        return await self._recover(partial(identity.use_passkey, passkey, end))

    async def _recover(self, find: Operation[Recovered | None]) -> Recovered | None:
        return await self._write(self._with_notice(find, _ended))

    async def keep_passkey(self, passkey: Passkey) -> bool:
        """Store a passkey. Returns whether its id is new."""
        return await self._write(partial(identity.keep_passkey, passkey))

    async def remove_passkey(self, person: str, made: int) -> None:
        """Remove the passkey that a person created then, if any."""
        await self._write(partial(identity.remove_passkey, person, made))

    async def keep_profile(self, person: str, name: str, sign: str = "") -> None:
        """Store the name and the sign of a person."""
        at = self.now()
        await self._write(partial(identity.keep_profile, person, name, sign, at))

    async def say(self, table: str, at: int, data: bytes, most: int, most_bytes: int) -> int:
        """Store a line of a table's chat, keeping the last ``most`` lines, and of those the last
        ``most_bytes`` bytes. Returns its number there, from 1."""
        return await self._write(partial(transactions.say, table, at, data, most, most_bytes))

    async def unsay(self, table: str, lines: Sequence[int]) -> None:
        """Remove lines of a table's chat, by their numbers, and the events that it has lost."""
        await self._write(partial(transactions.unsay, table, lines))

    async def drop_game(self, table: str, game: int, person: str | None = None) -> None:
        """Take a finished game out of a person's list, and remove it if no one else keeps it, or no
        one else has played it; without a person, remove it."""
        await self._write(partial(transactions.drop_game, table, game, person))

    async def replace_game(self, table: str, over: Finished) -> None:
        """Store a finished game of a table again; its ``seats`` are added to those stored."""
        await self._write(partial(transactions.write_game, table, over))

    async def erase(self, people: Sequence[str], digest: str) -> list[str]:
        """Remove a person, who has several ids, except for traces at tables and in games of others:
        their lists, names, codes, passkeys and bans. The ``digest`` invalidates their cookies.
        Returns the tables that they were still at."""
        begin = partial(transactions.erase, people, digest)
        return await self._write(self._with_notice(begin, lambda _: ("erased", people[0], digest)))

    async def keep_contest(
        self, contest: str, version: int, data: bytes, people: Sequence[str] = ()
    ) -> bool:
        """Store the next ``version`` of an event, and who else takes part; version 1 is a new one.
        Returns whether it was the next version: another request may have been first."""
        begin = partial(
            transactions.keep_contest, contest, version, self.now(), data, tuple(people)
        )
        return await self._write(begin)

    async def rewrite(self) -> None:
        """Leave no removed data in unused space, as far as that is possible while others write."""

    async def summarize(self, table: str, seq: int, summary: bytes) -> None:
        """Store the summary of a table as of event ``seq``, unless that is lost or there are later
        ones."""
        await self._write(partial(transactions.summarize, table, seq, summary))

    async def remove(self, tables: Sequence[str]) -> None:
        """Remove tables and everything that belongs to them except their finished games, unless
        another server has them."""
        await self._remove_beside(partial(transactions.remove_tables, tables))

    async def tidy(self, expiry: Expiry, most: int) -> bool:
        """Remove expired reports and up to ``most`` expired games, and free space. Returns whether
        there may be more to do."""
        return await self._remove_beside(partial(transactions.remove_expired, expiry, most))

    async def forget(self, name: str, before: int, after: Given, most: int) -> Given | None:
        """Look at up to ``most`` rows of ``names``, ``codes`` or ``passkeys`` that were given
        before a time (milliseconds) and after a row, and remove those of people who are at no table
        and in no game. Returns the last row, if there were any."""
        return await self._remove_beside(partial(transactions.forget, name, before, after, most))

    def _remove_beside(self, begin: Operation[T]) -> Awaitable[T]:
        """Like :meth:`_write`, for removals that no one waits for."""
        return self._write(begin)

    async def problems(self) -> list[Reason]:
        """All damage that the store itself can find."""
        return await self.look()

    async def look(self) -> list[Reason]:
        """All damage in the rows, checked a few at a time, so that no one else has to wait."""
        look, columns = Look(), tables()
        for name, names in columns.items():
            async for rows in self._ranges(name, names):
                look.sound(name, names, rows)
        if not look.suspects:
            return look.problems
        again = Look()  # because rows may have changed meanwhile
        for table in look.suspects:
            for name in ("events", "snapshots", "tables"):
                query = f"SELECT {', '.join(columns[name])} FROM {name} WHERE table_id = ?1"
                rows = await self._read(f"{query} ORDER BY 1, 2", table)
                again.sound(name, columns[name], rows)
        return again.problems + look.others

    async def _ranges(self, name: str, names: Sequence[str]) -> AsyncIterator[list[Any]]:
        """All rows of a table of the store, :data:`CHECK_BATCH` at a time."""
        key = keys()[name]
        by, places = ", ".join(key), [names.index(each) for each in key]
        marks = ", ".join(f"?{number}" for number in range(2, len(key) + 2))
        select = f"SELECT {', '.join(names)} FROM {name}"
        rows = await self._read(f"{select} ORDER BY {by} LIMIT ?1", CHECK_BATCH)
        while rows:
            yield rows
            await asyncio.sleep(CHECK_PAUSE)
            last = [rows[-1][place] for place in places]
            query = f"{select} WHERE ({by}) > ({marks}) ORDER BY {by} LIMIT ?1"
            rows = await self._read(query, CHECK_BATCH, *last)

    async def claim(self, table: str) -> None:
        """Claim a table for this server, if it exists; the server that had it before lets it go."""

    async def release(self, table: str) -> None:
        """Give up the claim to a table."""


def _ended(found: Recovered | None) -> tuple[object, ...]:
    """The notice to other servers that a person's sessions were ended, if they were."""
    return ("ended", *found) if found is not None and found.number is not None else ()
