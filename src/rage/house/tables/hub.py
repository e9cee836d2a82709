"""The tables of a house: opening, finding, loading and dropping them."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Collection
from contextlib import suppress
from typing import Final

from rage.engine.deal import GivenSeed
from rage.house.base.codes import NoTable, new_code
from rage.house.base.messages import NO_TABLE, READ_ONLY, Announcement, encode
from rage.house.limits import MAX_OPEN, MAX_OPEN_FROM, MAX_OPENED
from rage.house.limits.limiting import for_people
from rage.house.limits.networks import Crowd, is_within
from rage.house.people.identity import new_person
from rage.house.store import BrokenTable, Conflict, Elsewhere, StoredTable
from rage.house.store.sql import Store
from rage.house.tables.loading import load
from rage.house.tables.room import Room
from rage.house.tables.services import CreateGiven, Services
from rage.house.tables.summary import Summary, read_summary, summary_of, write_summary
from rage.house.tables.turns import MAX_ATTEMPTS
from rage.say import NotAllowed
from rage.table import Configure, Create, Event, GoOn, Leave, Table, UnloggedCommand
from rage.table.commands import Command

#: Seconds that the people of a table just loaded have to reconnect before they count as away.
RETURN_GRACE: Final = 8.0


class Hub:
    """The tables of one house, which share its services."""

    def __init__(self, services: Services) -> None:
        self.services = services
        self.rooms: dict[str, Room] = {}
        #: The tables that are being removed, which can no longer be reached.
        self.removing: set[str] = set()
        self._open_tables = OpenTables(services.store, services.people)
        services.store.on_lost = self._lose
        services.store.on_doubt = self._doubt

    async def room(self, name: str) -> Room:
        """The room of a table. Raises :class:`NoTable`."""
        room = self.rooms.get(name)
        if name in self.removing:
            raise NoTable("http.no_table", table=name)
        if room is None:
            return await self._fetch(name)
        room.used = self.services.now()
        if (await room.ready()).seq == 0:  # it was being loaded, and does not exist
            raise NoTable("http.no_table", table=name)
        if self.rooms.get(name) is not room:  # it could not be loaded, or was just dropped
            return await self.room(name)
        return room

    async def _fetch(self, name: str) -> Room:
        """The room of a table, loaded from the store once, however many ask for it meanwhile."""
        room = self.rooms[name] = Room(self.services, name)
        self.services.counts.claimed += 1
        try:
            if (await room.take()).seq == 0:
                raise NoTable("http.no_table", table=name)
        except BaseException:
            self.drop(room)
            raise
        if self.rooms.get(name) is not room:  # another server has claimed it meanwhile
            return await self.room(name)
        room.presence.expect(RETURN_GRACE)
        room.automation.update()
        return room

    def drop(self, room: Room) -> None:
        """Close a room, and forget it, unless another one has taken its place."""
        room.close()
        if self.rooms.get(room.name) is room:
            del self.rooms[room.name]

    def _lose(self, name: str) -> None:
        """Let go of a table that another server has now: everyone there reconnects to that one."""
        if (room := self.rooms.get(name)) is not None:
            self.services.counts.lost += 1
            self.drop(room)
            room.send_away()

    def _doubt(self, table: str | None = None) -> None:
        """Have a table (by default all) reloaded before anything is decided there, because the
        store may hold another state than this server has seen."""
        rooms = [
            room for room in self.rooms.values() if table in (None, room.name) and room.table.seq
        ]
        for room in rooms:
            room.log.doubt()
        self.services.start(self._reload(rooms))

    async def _reload(self, rooms: list[Room]) -> None:
        for room in rooms:
            with suppress(BrokenTable):  # already logged
                await room.ready()
            if room.table.seq == 0:
                self.drop(room)

    def set_read_only(self, read_only: bool) -> None:
        """Store nothing from now on, and hold bots and clocks; or resume, as after a restart:
        people reconnect, and have their full time."""
        self.services.read_only = read_only
        self.announce(READ_ONLY if read_only else Announcement())
        if not read_only:
            for name in list(self.rooms):
                self._lose(name)

    def announce(self, announcement: Announcement) -> None:
        """Send an announcement to everyone connected to a table."""
        message = encode(announcement)
        for room in list(self.rooms.values()):
            for client in list(room.clients.values()):
                client.write(message)

    async def remove(self, name: str) -> None:
        """Remove a table that may be in use; everyone there is disconnected. Raises
        :class:`NoTable` and :class:`rage.house.store.StoreFailed`."""
        store = self.services.store
        if await store.table(name) is None:
            raise NoTable("http.no_table", table=name)
        self.removing.add(name)
        try:
            while await store.table(name) is not None:  # another server may claim it meanwhile
                await store.claim(name)
                if (room := self.rooms.get(name)) is None:
                    await store.remove([name])
                    continue
                async with room.removal():
                    self.drop(room)
                    await store.remove([name])
                room.send_away(NO_TABLE)
        finally:
            self.removing.discard(name)
        await store.release(name)

    async def erase(self, name: str, people: Collection[str]) -> None:
        """Remove a person, who has several ids, from a table: they leave it, and their stored data
        there is replaced; everyone else reconnects. A table continues without events that it has
        lost; one that cannot be read is removed. Raises :class:`rage.house.store.StoreFailed`, and
        :class:`rage.house.base.errors.ServerFull` while nothing may be stored."""
        for attempt in range(1, MAX_ATTEMPTS + 1):
            try:
                await self._erase(await self.room(name), people)
            except NoTable:  # it has just been removed
                pass
            except BrokenTable:
                await self.remove(name)
            except (Elsewhere, Conflict):  # claimed by another server, or set back, meanwhile
                if attempt < MAX_ATTEMPTS:
                    continue
                raise
            return

    async def _erase(self, room: Room, people: Collection[str]) -> None:
        if room.table.state.gap:
            await room.do(GoOn(), None)
        for person in people:
            if person in room.table.state.guests:
                await room.do(Leave(), person)
        async with room.turn():
            await room.log.erase(people, new_person())
            self.drop(room)
        await self.services.store.release(room.name)
        room.send_away()

    async def table(self, name: str) -> Table:
        """A table, loaded. Raises :class:`NoTable` and :class:`rage.house.store.BrokenTable`."""
        return await (await self.room(name)).ready()

    async def is_guest(self, name: str, person: str) -> bool:
        """Return whether a person is at a table, without loading it. Raises
        :class:`rage.house.store.StoreFailed`."""
        room = self.rooms.get(name)
        if room is not None and person in room.table.state.guests:
            return True
        return await self.services.store.is_guest(name, person)

    async def summary(self, stored: StoredTable) -> Summary:
        """The summary of a table, without making a room for it: from memory, or as stored, or,
        after a crash, from its events. No one is connected to a table that no server has in memory.
        Raises :class:`rage.house.store.BrokenTable`."""
        name = stored.table
        if (room := self.rooms.get(name)) is not None:
            await room.ready()
            if (summary := room.summary) is not None:
                return summary
        summary = None if stored.summary is None else read_summary(stored.summary)
        if summary is None:
            table = (await load(self.services.store, name)).table
            if table.seq == 0:
                raise BrokenTable
            summary = summary_of(table)
            # Not if there is a room, whose next event might not make it stale.
            if name not in self.rooms and not stored.elsewhere:
                await self.services.store.summarize(name, table.seq, write_summary(summary))
        if not stored.elsewhere:
            for seat in summary.seats:
                seat.here = seat.person is None
        return summary

    async def create(
        self,
        command: Create,
        person: str,
        address: str | None = None,
        *,
        given: GivenSeed | None = None,
        name: str | None = None,
    ) -> str:
        """Open a table. Returns its code. ``address``: as rate limits count it; ``given``: a fixed
        seed, to repeat earlier deals; ``name``: an unused code. Raises what the table raises,
        :class:`rage.NotAllowed` for too many open tables and
        :class:`rage.house.base.errors.ServerFull`."""
        await self.services.check_space(person)
        if given is not None:
            command = CreateGiven(
                command.rules, command.players, command.name, command.options, seed=given
            )
        if command.options.access != "open":
            return await self._create(command, person, name)
        return await self._open_tables.add(
            person, address, lambda: self._create(command, person, name)
        )

    async def _create(self, command: Create, person: str, name: str | None) -> str:
        name = name or new_code()
        # Registered before its first event is stored, so that it can be found meanwhile.
        room = self.rooms[name] = Room(self.services, name)
        try:
            await room.do(command, person)
            await self.services.store.claim(name)
        except BaseException:
            self.drop(room)
            raise
        return name

    async def list_table(
        self, name: str, command: Configure, person: str, address: str | None, number: int | None
    ) -> None:
        """Open a table to everyone, unless there are too many open tables already. Raises what
        :meth:`Room.do` raises."""

        async def opening() -> str:
            await (await self.room(name)).do(command, person, number=number)
            return name

        await self._open_tables.add(person, address, opening)

    async def do(
        self, name: str, command: Command | UnloggedCommand, person: str | None
    ) -> list[Event]:
        """Have a table decide a command. Raises what :meth:`Room.do` raises, and
        :class:`NoTable`."""
        return await (await self.room(name)).do(command, person)

    async def close(self) -> None:
        """Stop everything, once all decisions are stored."""
        for room in self.rooms.values():
            room.close()
        await self.services.cancel_tasks()
        summaries = [room.log.store_summary() for room in self.rooms.values()]
        await asyncio.gather(*summaries, return_exceptions=True)
        self.services.thinking.close()
        await self.services.store.close()


class OpenTables:
    """Limits on open tables, which anyone can find: by host, and by the address that opened them.
    ``people``: how many may share an address."""

    def __init__(self, store: Store, people: int) -> None:
        self._store = store
        self._most_from = for_people(MAX_OPEN_FROM, people)
        self._opening = asyncio.Lock()  # held while tables are counted and one is opened
        self._opened_from: OrderedDict[str, str] = OrderedDict()
        self._crowd = Crowd(kept=True)

    async def add(
        self, person: str, address: str | None, opening: Callable[[], Awaitable[str]]
    ) -> str:
        """Open a table by ``opening``, which returns its code, and return the code. ``address``: as
        rate limits count it. Raises :class:`rage.NotAllowed` if the person, or the address, has too
        many open tables already."""
        async with self._opening:
            await self._check(person, address)
            name = await opening()
            if address is not None:
                self._note(name, address)
            return name

    async def _check(self, person: str, address: str | None) -> None:
        if await self._store.count_open(person) >= MAX_OPEN:
            raise NotAllowed("http.too_many_open", most=MAX_OPEN)
        if there := self._crowd.full(address, self._most_from, MAX_OPENED):
            opened = self._opened_from.items()
            from_there = [name for name, at in opened if is_within(at, there)]
            for name in {*from_there}.difference(await self._store.still_open(from_there)):
                self._forget(name)
            if self._crowd.full(address, self._most_from, MAX_OPENED):
                raise NotAllowed("http.too_many_open_from", most=self._most_from)

    def _note(self, name: str, address: str) -> None:
        """Record which address has opened a table."""
        self._forget(name)
        self._opened_from[name] = address
        self._crowd.add(address)
        while len(self._opened_from) > MAX_OPENED:
            self._forget(next(iter(self._opened_from)))

    def _forget(self, name: str) -> None:
        self._crowd.remove(self._opened_from.pop(name, None))
