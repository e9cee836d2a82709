"""One table on this server: commands one by one, events stored and then told.

What matters lies in the store. A room is a table folded from it and the connections of those who
are here; it can be dropped at any time and folded anew, here or in another process.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final

from rage.say import NotAllowed
from rage.server import index, telling
from rage.server.asked import Answer, Asked, settle, taken
from rage.server.client import Client
from rage.server.house import PATIENCE, House
from rage.server.messages import ELSEWHERE, REMOVED, TOO_SLOW
from rage.server.store import Append, Index, Row, StoreFailed, Taken, event_of
from rage.server.telling import RESETS, SHIFTS, Telling
from rage.table import Event, SetPresence, Table
from rage.table.commands import Command
from rage.table.events import Played

if TYPE_CHECKING:
    from rage.server.hub import Hub

log: Final = logging.getLogger(__name__)
#: How often others may be first with an event before a command is given up.
ATTEMPTS: Final = 20
#: For how many seconds a connection may be lost before the others are told.
MISSED: Final = 3.0
#: What is read at most at once for a client that was away.
MOST_MISSED: Final = 400
#: How many events are folded before others have a turn.
AT_ONCE: Final = 100


class Room:
    """A table and who is connected to it."""

    def __init__(self, hub: Hub, name: str) -> None:
        self.hub = hub
        self.name = name
        self.table = Table()
        self.clients: dict[str, Client] = {}
        self.used = hub.now()
        self._lock = asyncio.Lock()
        self._sound = False  # whether the table here is what the store has
        self._told = 0  # the last event that was told
        self._index = index.of(self.table, self.used)  # of the table as it is here
        self._stored: Index | None = None  # as the store has it
        self.house = House(self)

    @property
    def idle(self) -> bool:
        """Whether nobody would notice if this room was dropped."""
        return not self.clients and not self._lock.locked() and not self.house.at_work

    # What is so.

    async def _load(self) -> None:
        """Fold the table from the store, and tell everybody what others have stored meanwhile."""
        if self._sound:
            return
        table, missed = Table(), list[Event]()
        for number, data in enumerate(await self.hub.store.events(self.name), 1):
            event = event_of(data)
            table.apply(event)
            if event.seq > self._told:
                missed.append(event)
            if number % AT_ONCE == 0:  # a table of many games takes a while
                await asyncio.sleep(0)
        self.table, self._sound = table, True
        self._index, self._stored = index.of(table, self.hub.now()), None
        if missed and self._told:
            made, anew = Telling(table, missed), not telling.joins_on(missed)
            self._tell(missed, self._frames(made, None, None, anew=anew))
        self._told = table.seq

    async def read_on(self) -> None:
        """Tell everybody what another process has stored, if it has stored anything."""
        async with self._lock:
            if self._sound and not await self.hub.store.events(self.name, self.table.seq):
                return
            self._sound = False
            await self._load()

    async def ready(self) -> Table:
        """The table, everything in it durable. Wait for what is being stored."""
        async with self._lock:
            await self._load()
            return self.table

    @property
    def due_at(self) -> int | None:
        """When the clock has something to do, in milliseconds."""
        return self._index.due_at

    # What is asked for.

    async def do(
        self, command: Command, actor: str | None, *, number: int | None = None
    ) -> list[Event]:
        """Decide a command, store its events, and tell everybody. Raises
        :class:`rage.NotAllowed`, :class:`rage.NotReadable` and :class:`StoreFailed`; then nothing
        has changed."""
        done: asyncio.Future[list[Event]] = asyncio.get_running_loop().create_future()
        self.ask(command, actor, number, partial(settle, done))
        return await done

    def ask(
        self,
        command: Command,
        actor: str | None,
        number: int | None,
        answer: Callable[[Answer], None],
    ) -> None:
        """The same for who cannot wait: ``answer`` is called with the events, or with the error,
        as soon as they are there. (A task for each move would cost as much as deciding it.)"""
        asked = Asked(command, actor, number, answer)
        if self._sound and taken(self._lock):
            self._decide(asked)
        else:
            self.hub.start(self._decide_later(asked))

    async def _decide_later(self, asked: Asked) -> None:
        """Decide a command when it is its turn."""
        await self._lock.acquire()
        await self._decide_anew(asked)

    async def _decide_anew(self, asked: Asked) -> None:
        """Decide a command whose turn it is, at the table that the store has."""
        try:
            await self._load()
        except BaseException as error:
            self._lock.release()
            if not isinstance(error, Exception):
                raise
            asked.answer(error)
        else:
            self._decide(asked)

    def _decide(self, asked: Asked) -> None:
        """Decide a command whose turn it is. The turn ends with the answer."""
        answer: Answer
        try:
            seed = self.hub.seed_for(asked.command)
            answer = self.table.decide(asked.command, asked.actor, self.hub.now(), seed=seed)
            if answer:
                self._store(answer, asked)
                return
        except Exception as error:
            answer = error
        self._lock.release()
        asked.answer(answer)

    def _store(self, events: list[Event], asked: Asked) -> None:
        """Make events true: here, in the store, and then for everybody. The frames are made
        while the disk works; should it fail, the table here is folded anew."""
        seen = [(client, client.seen) for client in self.clients.values()]

        def unsee() -> None:  # the frames that say otherwise are not sent
            for client, before in seen:
                client.seen = before

        self._sound = False
        for event in events:
            self.table.apply(event)
        made = Telling(self.table, events)
        stored = asyncio.ensure_future(self.hub.store.append(self._append(events, made.stored)))
        try:
            frames = self._frames(made, asked.actor, asked.number)
        except BaseException:
            unsee()
            raise

        def done(stored: asyncio.Future[None]) -> None:
            if error := stored.exception():
                unsee()
                self._not_stored(asked, error)
                return
            self._sound = True
            self._lock.release()
            self.used = self.hub.now()
            self.hub.counts.events += len(events)
            self.hub.counts.moves += sum(type(event.fact) is Played for event in events)
            try:
                self._tell(events, frames)
            finally:
                asked.answer(events)

        stored.add_done_callback(done)

    def _not_stored(self, asked: Asked, error: BaseException) -> None:
        """Where somebody else was first, decide again; it is still this command's turn."""
        if isinstance(error, Taken):
            asked.attempts += 1
            if asked.attempts < ATTEMPTS:
                self.hub.start(self._decide_anew(asked))
                return
            error = StoreFailed(f"table {self.name}: taken {ATTEMPTS} times")
        self._lock.release()
        asked.answer(error)

    def _tell(self, events: Sequence[Event], frames: list[tuple[Client, bytes]]) -> None:
        self._told = self.table.seq
        for client, made in frames:
            client.write(made)
        self._look_around(events)

    def _append(self, events: Sequence[Event], stored: Sequence[bytes] = ()) -> Append:
        rows = tuple(
            Row(event.seq, event.at, data) for event, data in zip(events, stored, strict=True)
        )
        self._index = made = index.of(self.table, self.hub.now())
        changed = self._stored is None or index.differs(made, self._stored)
        if changed:
            self._stored = made
        finished = index.finished(self.table, events)
        return Append(self.name, rows, made if changed else None, finished)

    # What is told.

    def _frames(
        self, made: Telling, actor: str | None, number: int | None, *, anew: bool = False
    ) -> list[tuple[Client, bytes]]:
        """What each connection is told of some events; ``anew``: as the whole table."""
        acting = self._acting
        anew = anew or not made.kinds.isdisjoint(RESETS)
        return [
            (client, words)
            for client in self.clients.values()
            if (words := self._words(client, made, anew, acting, actor, number)) is not None
        ]

    @property
    def _acting(self) -> str | None:
        """The person who is to act, where it is not a bot."""
        state = self.table.state
        if (at := state.to_act) is None:
            return None
        return state.seats[at].person if state.seats[at].self_played else None

    def _words(
        self,
        client: Client,
        made: Telling,
        anew: bool,
        acting: str | None,
        actor: str | None,
        number: int | None,
    ) -> bytes | None:
        """The frame for one connection, if there is one. What cannot be told as events (a seat
        was changed, an undo) is told as the whole table, after which ``number`` stands alone."""
        person = client.person
        own = number if person == actor else None
        # Nothing else changes what somebody sees.
        shifted = not made.kinds.isdisjoint(SHIFTS) and client.look(self.table)
        asked = client.is_asked(acting, self.table.ply)
        if client.is_guest and not anew and not shifted:
            return made.to(person, own, asked=asked)
        if not client.is_guest and made.kinds <= index.GAME:
            return None
        words = telling.whole(self.table, person, self.hub.now())
        return words if own is None else words + telling.note(self.table, person, own)

    # Who is here.

    async def enter(self, client: Client, since: int | None) -> None:
        """A client has connected: an older connection of the same person ends, and they are told
        what they have missed."""
        async with self._lock:
            await self._load()
            if (older := self.clients.get(client.person)) is not None:
                older.end(ELSEWHERE)
            self.clients[client.person] = client
            client.look(self.table)
            await self._tell_missed(client, since)
            self._look_around(())
        self.hub.start(self._note_presence(client.person))

    async def tell_again(self, client: Client, since: int | None) -> None:
        """Tell a client what has happened since an event."""
        async with self._lock:
            await self._load()
            await self._tell_missed(client, since)

    async def _tell_missed(self, client: Client, since: int | None) -> None:
        """Events, if those can be joined to what the client has; otherwise the whole table."""
        table, person = self.table, client.person
        asked = client.is_asked(self._acting, table.ply, anew=True)
        if client.is_guest and since and 0 <= table.seq - since <= MOST_MISSED:
            missed = [event_of(data) for data in await self.hub.store.events(self.name, since)]
            if not missed:
                client.write(telling.note(table, person, asked=asked))
                return
            if telling.joins_on(missed):
                client.write(Telling(table, missed).to(person, asked=asked))
                return
        client.write(telling.whole(table, person, self.hub.now()))

    def leave(self, client: Client) -> None:
        """A connection has ended. If it was the last one of its person, the others are told
        after a moment, in which a page may be loaded anew."""
        if self.clients.get(client.person) is client:
            del self.clients[client.person]
            self.hub.counts.dropped += client.dropped
            self.used = self.hub.now()
            self.hub.later(MISSED, self._note_presence, client.person)

    async def _note_presence(self, person: str) -> None:
        """Tell the table whether somebody is here, if they are at it at all. Where the store
        has failed, tell it later."""
        try:
            table = await self.ready()
            guest = table.state.guests.get(person)
            here = person in self.clients
            if guest is not None and guest.present != here:
                await self.do_quietly(SetPresence(person, here))
        except StoreFailed as error:
            log.error("table %s: who is here was not stored: %s", self.name, error)
            self.hub.later(PATIENCE, self._note_presence, person)

    async def miss_the_absent(self) -> None:
        """After a restart: whoever was here and has not come back is away."""
        for person in list(self.table.state.guests):
            await self._note_presence(person)

    # What the house does.

    async def do_quietly(self, command: Command) -> bool:
        """Do something for the house; whether it was allowed. What somebody else has done
        meanwhile is no error."""
        try:
            await self.do(command, None)
        except NotAllowed:
            return False
        return True

    def _look_around(self, events: Sequence[Event]) -> None:
        """After anything has happened: who must go, and what is to be done by itself."""
        for person in index.removed(events):
            if person in self.clients:
                self.clients[person].end(REMOVED)
        self.house.look()

    async def store_index(self) -> None:
        """Store when the clock has something to do, where that has changed by itself: the time of
        a table has passed, and there was nothing to do."""
        async with self._lock:
            await self._load()
            if (append := self._append(())).about is not None:
                self._sound = False
                await self.hub.store.append(append)
                self._sound = True

    def go_on(self) -> None:
        """After it was folded from the store: the bots and the clock go on."""
        self._look_around(())

    def drop_the_slow(self) -> None:
        """End the connections of those who do not read."""
        for client in list(self.clients.values()):
            if client.too_slow:
                client.drop(TOO_SLOW)

    def close(self) -> None:
        """Let go of timers and bots."""
        self.house.close()
