"""The operator's orders to running servers (``rage admin``).

The store is the channel, because the operator and all servers can reach it, whichever database it
is: an order is written there, one server takes it, carries it out, and writes its answer. An order
about a table is left to the server that has the table, if it is alive.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from contextlib import suppress
from typing import Any, Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from rage.house.base.codes import table_fingerprint
from rage.house.base.messages import Announcement
from rage.house.limits import FOREVER
from rage.house.operating.personal import erase
from rage.house.people.identity import Keys
from rage.house.store import BAN, StoreFailed
from rage.house.store.sql import Store
from rage.house.tables.hub import Hub
from rage.say import NotAllowed, NotReadable, RageError, Reason
from rage.table import Configure, Leave

log: Final = logging.getLogger(__name__)
#: Seconds between a server's checks for orders.
LOOK_INTERVAL: Final = 1.0
#: Seconds for which an operator waits for an answer.
PATIENCE: Final = 15.0
#: The same if a person is erased, who may have left traces everywhere.
LONG: Final = 3600.0
#: More tables than any person is at.
MAX_TABLES: Final = 100_000
#: The prefixes of the names of orders and answers in the store.
_ORDER: Final = "admin order "
_ANSWER: Final = "admin answer "
#: The name of the last announcement in the store.
_ANNOUNCED: Final = "admin announced"
#: The name under which the store remembers that it is read-only for now.
READ_ONLY: Final = "admin read-only"
#: The most characters of an announcement.
MAX_ANNOUNCED: Final = 300


class CloseTable(Struct, tag="close"):
    """Unlist a table: only people with its link find it."""

    table: str


class RemoveTable(Struct, tag="remove"):
    """Remove a table, and disconnect everyone there."""

    table: str


class EndSessions(Struct, tag="end_sessions"):
    """End the sessions of a person everywhere."""

    person: str


class ErasePerson(Struct, tag="erase"):
    """Erase a person everywhere."""

    person: str


class BanPerson(Struct, tag="ban"):
    """Ban a person from playing, for some days or forever: they leave all tables."""

    person: str
    days: int | None = None


class UnbanPerson(Struct, tag="unban"):
    """Let a person play again."""

    person: str


class DeleteGame(Struct, tag="delete_game"):
    """Remove a finished game from everyone's list."""

    table: str
    game: int


class Announced(Struct):
    """An announcement to everyone, and when it was ordered (milliseconds)."""

    text: str
    at: int


Order = CloseTable | RemoveTable | EndSessions | ErasePerson | BanPerson | UnbanPerson | DeleteGame


async def ask(store: Store, order: Order) -> None:
    """Have a server carry out an order. Raises the refusal of the server, or
    :class:`rage.NotAllowed` if none takes it, and :class:`StoreFailed`."""
    token = secrets.token_hex(8)
    await store.put(_ORDER + token, msgspec.json.encode(order))
    until = time.monotonic() + PATIENCE
    while _ANSWER + token not in await store.orders():
        if time.monotonic() > until and await store.take(_ORDER + token) is not None:
            raise NotAllowed("admin.no_server")
        if time.monotonic() > until + (LONG if isinstance(order, ErasePerson) else PATIENCE):
            raise NotAllowed("admin.no_answer")
        await asyncio.sleep(LOOK_INTERVAL / 5)
    answer = msgspec.json.decode(await store.take(_ANSWER + token) or b"{}")
    if answer:
        why = _read_reason(answer)
        raise NotAllowed(why.code, **why.params)


def _read_reason(data: dict[str, Any]) -> Reason:
    """A reason from its data (:meth:`rage.say.Reason.as_data`)."""
    code = data.pop("code")
    params = {key: _read_reason(each) if isinstance(each, dict) else each
              for key, each in data.items()}  # fmt: skip
    return Reason(code, params)


async def announce(store: Store, words: str) -> None:
    """Have all servers announce something to everyone at a table. Raises :class:`rage.NotReadable`,
    and :class:`StoreFailed`."""
    words = words.strip(" ")
    if not words.isprintable():
        raise NotReadable("admin.unprintable")
    if not 0 < len(words) <= MAX_ANNOUNCED:
        raise NotReadable("admin.words", most=MAX_ANNOUNCED)
    await store.put(_ANNOUNCED, msgspec.json.encode(Announced(words, store.now())))


async def set_read_only(store: Store, read_only: bool) -> None:
    """Make all servers read-only, or writable again; by the time this returns, all that can reach
    the store have noticed. Raises :class:`StoreFailed`."""
    if read_only:
        await store.put(READ_ONLY, b"true")
    else:
        await store.take(READ_ONLY)
    await asyncio.sleep(2 * LOOK_INTERVAL)


def _order_in_words(order: Order) -> str:
    """An order for the log, which names no person and no code of a table."""
    kind = type(order).__name__
    table = getattr(order, "table", None)
    return kind if table is None else f"{kind} {table_fingerprint(table)}"


class Operator:
    """Carries out orders at a server."""

    def __init__(self, hub: Hub, keys: Keys) -> None:
        self._hub = hub
        self._store = hub.services.store
        self._keys = keys
        #: The last announcement; unknown before the first look.
        self._announced: bytes | None = None

    async def watch(self) -> None:
        """Run forever: carry out orders."""
        failed = False
        while True:
            try:
                await self.look()
                failed = False
            except StoreFailed as error:
                if not failed:  # it may take long until the store is back
                    log.warning("orders cannot be read: %s", error)
                failed = True
            await asyncio.sleep(LOOK_INTERVAL)

    async def look(self) -> None:
        """Carry out the orders that no other server has taken. Raises :class:`StoreFailed`."""
        orders = await self._store.orders()
        if (read_only := READ_ONLY in orders) != self._hub.services.read_only:
            log.warning("the store is %s read-only", "now" if read_only else "no longer")
            self._hub.set_read_only(read_only)
        announced = orders.get(_ANNOUNCED, b"")
        if announced != self._announced is not None:
            said = msgspec.json.decode(announced, type=Announced)
            self._hub.announce(Announcement(said.text))
        self._announced = announced
        self._hub.services.banned = {
            each: int(until)
            for name, until in orders.items()
            if name.startswith(BAN)
            for each in self._ids(name.removeprefix(BAN))
        }
        for name, written in orders.items():
            if not name.startswith(_ORDER) or await self._is_for_another(written):
                continue
            if (order := await self._store.take(name)) is not None:
                answer = _ANSWER + name.removeprefix(_ORDER)
                self._hub.services.start(self._carry_out(order, answer))

    async def _is_for_another(self, data: bytes) -> bool:
        """Return whether an order is about a table that another living server has: even to refuse
        it, this one would have to claim the table, and everyone there would be disconnected."""
        try:
            order = msgspec.json.decode(data, type=Order)
        except msgspec.DecodeError:  # the server that takes it says so
            return False
        if not isinstance(order, CloseTable | RemoveTable):
            return False
        stored = await self._store.table(order.table)
        return stored is not None and stored.elsewhere

    async def _carry_out(self, order: bytes, answer: str) -> None:
        """Carry out an order, which may take long, and store the answer under a name."""
        await self._store.put(answer, msgspec.json.encode(await self._obey(order)))

    async def _obey(self, data: bytes) -> object:
        """Carry out an order. Returns the reason if it is refused, otherwise an empty object."""
        try:
            order = msgspec.json.decode(data, type=Order)
            log.warning("the operator orders: %s", _order_in_words(order))
            if self._hub.services.read_only:
                raise NotAllowed("admin.read_only")
            match order:
                case CloseTable(table):
                    await self._close(table)
                case RemoveTable(table):
                    await self._hub.remove(table)
                case EndSessions(person):
                    number = await self._store.end_sessions(person)
                    self._keys.sessions.end(person, number)
                case ErasePerson(person):
                    await erase(self._hub, self._keys, person)
                case BanPerson(person, days):
                    await self._ban(person, days)
                case UnbanPerson(person):
                    await self._store.take(f"{BAN}{person}")
                case DeleteGame(table, game):
                    await self._store.drop_game(table, game)
        except RageError as error:
            return error.reason.as_data()
        except StoreFailed as error:
            return Reason("serve.store", {"reason": error.reason}).as_data()
        except Exception:  # the next order may succeed
            log.exception("an order has failed")
            return Reason("admin.failed").as_data()
        return {}

    def _ids(self, person: str) -> tuple[str, str]:
        """The ids of a person at tables: their own, and the one of their shared screens."""
        return person, self._keys.screen(person)

    async def _ban(self, person: str, days: int | None) -> None:
        until = FOREVER if days is None else self._store.now() + days * 86_400_000
        await self._store.put(f"{BAN}{person}", str(until).encode())
        for each in self._ids(person):
            self._hub.services.banned[each] = until
            for stored in await self._store.tables_of(each, MAX_TABLES):
                with suppress(RageError):  # a table that cannot be read, or was left meanwhile
                    await self._hub.do(stored.table, Leave(), each)

    async def _close(self, name: str) -> None:
        room = await self._hub.room(name)
        state = (await room.ready()).state
        if state.options.access != "open":
            raise NotAllowed("admin.not_open", table=name)
        options = replace(state.options, access="link")
        command = Configure(state.ruleset().name, len(state.seats), options)
        await room.do(command, state.host)
