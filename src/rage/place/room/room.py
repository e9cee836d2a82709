"""One table on this server: commands are decided one at a time, stored, and then broadcast.

A room joins four things: the queue of turns in which commands are decided, the log of the table's
events, the audience that is told them, and the automation of bots and clock. Everything that
matters is in the store, so a room can be dropped at any time, and loaded again here or by another
process.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Final

from rage.place.fair_queue import Asker
from rage.place.limits import REST_AFTER, TableLimits
from rage.place.room.audience import Audience, Delivery
from rage.place.room.automation import HELD, RETRY_AFTER, Automation
from rage.place.room.broadcast import Broadcast
from rage.place.room.client import Client
from rage.place.room.event_log import EventLog
from rage.place.room.pending import Outcome, PendingCommand, settle
from rage.place.room.summary import Summary
from rage.place.room.turns import TurnQueue
from rage.place.store import Conflict, StoreFailed
from rage.say import NotAllowed
from rage.server.logs import table_fingerprint
from rage.table import ChangeBid, Chat, Configure, Event, Rematch, Start, Table, UnloggedCommand
from rage.table.commands import Command
from rage.table.events import Played

if TYPE_CHECKING:
    from rage.place.hub import Hub

log: Final = logging.getLogger(__name__)
#: How often a command is decided again because another process has stored events meanwhile.
MAX_ATTEMPTS: Final = 20
#: For how many seconds a person's connection may be lost before the others are told.
ABSENCE_GRACE: Final = 3.0


class Room:
    """A table on this server, and everybody who is connected to it."""

    def __init__(self, hub: Hub, name: str) -> None:
        self.hub = hub
        self.name = name
        self.used = hub.now()  # last, in milliseconds
        self.limits = TableLimits(hub.people)
        self.log = EventLog(hub.store, name, hub.now)
        self.audience = Audience(self.log, hub.now, hub.people)
        self.automation = Automation(self)
        #: Whether the hub has let go of it.
        self.closed = False
        self._turns = TurnQueue()
        # Until when, by the event loop's clock, people may come back after the table was loaded.
        self._returning_until = 0.0
        # Until when bots play though nobody is connected, and where those were who left last.
        self._awake_until = 0.0
        self._left_from: str | None = None
        # Until it is noted whether a person is here.
        self._timers: dict[str, asyncio.TimerHandle] = {}

    @property
    def table(self) -> Table:
        """The table as it is in memory; :meth:`ready` waits until all of it is stored."""
        return self.log.table

    @property
    def clients(self) -> dict[str, Client]:
        """The connected clients, by person."""
        return self.audience.clients

    @property
    def idle(self) -> bool:
        """Whether this room can be dropped without anybody noticing. Not before it is noted who is
        away: nobody else would do so."""
        busy = self._turns.locked or self.automation.at_work
        return not self.clients and not self._timers and not busy

    @property
    def awake(self) -> bool:
        """Returns whether bots play here: they rest once nobody has been connected for a while."""
        return bool(self.clients) or asyncio.get_running_loop().time() < self._awake_until

    @property
    def asker(self) -> Asker:
        """For whom the bots of this table think."""
        here = frozenset(client.address for client in self.clients.values())
        return Asker(self.name, here or frozenset((self._left_from,)), bool(here))

    def opens(self, command: Configure) -> bool:
        """Whether a command makes this table findable for everybody that was not so before."""
        access = self.table.state.options.access
        return command.options.access == "open" and access != "open"

    def begins(self, command: Command | UnloggedCommand, person: str) -> bool:
        """Whether a command of a person begins a game, as far as they may."""
        gathering = self.table.phase == "gathering" and self.table.state.host == person
        return isinstance(command, Start) and gathering

    # Staying in sync with the store.

    async def _sync(self) -> None:
        """During a turn: reload the table if the store may hold more of it, and tell everybody what
        is new. Raises :class:`rage.place.store.BrokenTable` and :class:`StoreFailed`."""
        if self.log.in_sync:
            return
        events, chat = await self.log.reload(self.audience.told_seq)
        self.audience.add_chat(chat)
        self.audience.tell_missed(events)
        if events is None or events:
            self._follow_up(events or [])

    async def ready(self) -> Table:
        """The table, once nothing of it is being stored. Raises as :meth:`_sync` does."""
        async with self._turns:
            await self._sync()
            return self.table

    async def store_index(self) -> None:
        """See :meth:`EventLog.store_index`."""
        async with self._turns:
            await self._sync()
            await self.log.store_index()

    # Commands.

    async def do(
        self, command: Command | UnloggedCommand, actor: str | None, *, number: int | None = None
    ) -> list[Event]:
        """Decide a command, store its events, and tell everybody. Raises
        :class:`rage.NotAllowed`, :class:`rage.NotReadable` and :class:`StoreFailed`; then nothing
        has changed."""
        done: asyncio.Future[list[Event]] = asyncio.get_running_loop().create_future()
        self.submit(command, actor, number, partial(settle, done))
        return await done

    async def do_quietly(self, command: Command) -> bool:
        """Decide a command of the house; whether it was allowed, which it may not be if something
        else has happened meanwhile."""
        try:
            await self.do(command, None)
        except NotAllowed:
            return False
        return True

    def submit(
        self,
        command: Command | UnloggedCommand,
        actor: str | None,
        number: int | None,
        done: Callable[[Outcome], None],
    ) -> None:
        """Like :meth:`do`, but with a callback: ``done`` is called with the events or the error.
        (A task for each move would cost as much as deciding it.)"""
        if isinstance(command, Chat):
            self.hub.start(self._say(command, actor, done))
            return
        if isinstance(command, ChangeBid):
            self.hub.start(self._change_bid(command, actor, done))
            return
        pending = PendingCommand(command, actor, number, done)
        if self.log.in_sync and self._turns.try_acquire():
            self._decide(pending)
        else:
            self.hub.start(self._wait_and_decide(pending))

    async def _wait_and_decide(self, pending: PendingCommand) -> None:
        await self._turns.acquire()
        await self._sync_and_decide(pending)

    async def _sync_and_decide(self, pending: PendingCommand) -> None:
        """Decide a command whose turn it is, after syncing the table with the store."""
        try:
            await self._sync()
        except Exception as error:
            self._finish(pending, error)
        except BaseException:  # the server stops
            self._turns.release()
            raise
        else:
            self._decide(pending)

    def _decide(self, pending: PendingCommand) -> None:
        """Decide a command whose turn it is."""
        try:
            if isinstance(pending.command, Start | Rematch) and pending.actor is not None:
                self.hub.check_room()
            seed = self.hub.seed_for(pending.command)
            events = self.table.decide(pending.command, pending.actor, self.hub.now(), seed=seed)
            if events:
                self._store(pending, events)
                return
        except Exception as error:
            self._finish(pending, error)
        else:
            self._finish(pending, [])

    def _store(self, pending: PendingCommand, events: list[Event]) -> None:
        """Begin to store the events of a command; their frames are made while the disk works."""
        self.log.fold(events)
        made = Broadcast(self.table, events)
        stored = self.log.append(events, made.stored)
        delivery = self.audience.prepare(made, pending.actor, pending.number)
        stored.add_done_callback(partial(self._on_stored, pending, events, delivery))

    def _on_stored(
        self,
        pending: PendingCommand,
        events: list[Event],
        delivery: Delivery,
        stored: asyncio.Future[None],
    ) -> None:
        """Tell everybody; or, if another process has stored an event with the same number, decide
        the command again in the same turn."""
        error = stored.exception()
        if error is None:
            self.log.confirm()
            self._finish(pending, events, delivery)
            return
        self.audience.discard(delivery)
        if isinstance(error, Conflict):
            pending.attempts += 1
            if pending.attempts < MAX_ATTEMPTS:
                self.hub.start(self._sync_and_decide(pending))
                return
            name = table_fingerprint(self.name)
            error = StoreFailed(f"table {name}: {MAX_ATTEMPTS} conflicts in a row")
        self._finish(pending, error)

    def _finish(
        self, pending: PendingCommand, outcome: Outcome, delivery: Delivery | None = None
    ) -> None:
        """End the turn of a command, send its frames, and report its outcome, which may make the
        same client send its next command at once."""
        self._turns.release()
        try:
            if delivery is not None and isinstance(outcome, list):
                self._tell(outcome, delivery)
        finally:
            pending.done(outcome)

    def _tell(self, events: list[Event], delivery: Delivery) -> None:
        self.used = self.hub.now()
        self.hub.counts.events += len(events)
        self.hub.counts.moves += sum(type(event.fact) is Played for event in events)
        self.audience.send(delivery)
        self._follow_up(events)

    def _follow_up(self, events: list[Event]) -> None:
        """After events were sent: disconnect who was removed, and let bots and clock continue."""
        self.audience.close_removed(events)
        self.automation.update()

    async def _say(self, command: Chat, actor: str | None, done: Callable[[Outcome], None]) -> None:
        """Store a line of the chat, and send it. That needs no turn, since it is not an event."""
        try:
            line = (await self.ready()).say(command, actor, self.hub.now())
            self.audience.add_chat([await self.log.store_chat(line)])
        except Exception as error:
            done(error)
        else:
            done([])

    async def _change_bid(
        self, command: ChangeBid, actor: str | None, done: Callable[[Outcome], None]
    ) -> None:
        """Store a sealed bid in place of another. It is not an event: the others must not notice,
        so nothing is sent but to the player, and to those who see their cards."""
        try:
            async with self._turns:
                await self._change_bid_now(command, actor)
        except Exception as error:
            done(error)
        else:
            done([])

    async def _change_bid_now(self, command: ChangeBid, actor: str | None) -> None:
        """The same during a turn, decided again where another process has stored something."""
        for _ in range(MAX_ATTEMPTS):
            await self._sync()
            bids = self.table.change_bid(command, actor)
            if bids is None:
                return
            with contextlib.suppress(Conflict):
                await self.log.change_bids(bids)
                assert actor is not None
                self.audience.tell_bid(self.table.state.require_seat(actor), actor)
                return
        raise StoreFailed(f"table {table_fingerprint(self.name)}: {MAX_ATTEMPTS} conflicts")

    # Connections.

    async def enter(self, client: Client, since: int | None, line: int | None = None) -> None:
        """Add a client; see :meth:`Audience.admit`."""
        await self._excuse(client.person)
        async with self._turns:
            await self._sync()
            await self.audience.admit(client, since, line)
            self.automation.update()
        self._note_now(client.person)

    async def catch_up(self, client: Client, since: int | None) -> None:
        """Tell a client what it has missed; see :meth:`Audience.catch_up`."""
        async with self._turns:
            await self._sync()
            await self.audience.catch_up(client, since)

    async def coach(self, client: Client, taught: list[str] | None) -> None:
        """Give a client hints, or no more; see :meth:`Audience.coach`."""
        async with self._turns:
            await self._sync()
            self.audience.coach(client, taught)

    def leave(self, client: Client) -> None:
        """Remove a client. If its person does not come back soon, as after reloading a page, the
        others are told."""
        if self.audience.remove(client):
            self.hub.counts.dropped += client.dropped
            self.used = self.hub.now()
            self._awake_until = asyncio.get_running_loop().time() + REST_AFTER
            self._left_from = client.address
        if client.person not in self.clients:  # also one who joined while others took their place
            self._note_later(ABSENCE_GRACE, client.person)

    def expect(self, seconds: float) -> None:
        """Give the guests of a table that was just loaded so many seconds to come back, before the
        table is told that they are away."""
        self._returning_until = asyncio.get_running_loop().time() + seconds
        for person in self.table.state.guests:
            self._note_later(seconds, person)

    async def awaits(self, seat: int) -> bool:
        """Whether the person of a seat has not come back yet since the table was loaded, and still
        may, or has come back just now. While the server did not run they could do nothing, so the
        table is told that they are away: once they are back, their turn begins anew. Raises
        :class:`StoreFailed`."""
        person = self.table.state.seats[seat].person
        if person is None or asyncio.get_running_loop().time() >= self._returning_until:
            return False
        command = self.audience.presence_change(person)
        if command is None:
            return person not in self.clients
        await self.do_quietly(command)
        return True

    async def _excuse(self, person: str) -> None:
        """For somebody who comes back after the table was loaded, and for whom the clock has run
        out meanwhile: see :meth:`awaits`."""
        if asyncio.get_running_loop().time() >= self._returning_until:
            return
        table = await self.ready()
        for command in table.due(self.hub.now()).commands:
            if isinstance(command, HELD) and table.state.seats[command.seat].person == person:
                await self.awaits(command.seat)
                return

    def _note_later(self, seconds: float, person: str) -> None:
        """Tell the table after some seconds whether a person is here, if the room is still open
        then."""
        self._forget_timer(person)
        if not self.closed:
            loop = asyncio.get_running_loop()
            self._timers[person] = loop.call_later(seconds, self._note_now, person)

    def _note_now(self, person: str) -> None:
        self._forget_timer(person)
        self.hub.start(self._note_presence(person))

    def _forget_timer(self, person: str) -> None:
        if (timer := self._timers.pop(person, None)) is not None:
            timer.cancel()

    async def _note_presence(self, person: str) -> None:
        """Tell the table whether a person is here, if it doesn't know yet. If the store fails,
        retry later. Not in a closed room: they may be in the one that has taken its place."""
        try:
            await self.ready()
            command = None if self.closed else self.audience.presence_change(person)
            if command is not None:
                await self.do_quietly(command)
        except StoreFailed as error:
            log.error(
                "table %s: who is here was not stored: %s", table_fingerprint(self.name), error
            )
            self._note_later(RETRY_AFTER, person)

    # The lifetime of the room.

    @property
    def summary(self) -> Summary | None:
        """See :attr:`EventLog.summary`."""
        return self.log.summary

    def close(self) -> None:
        """Cancel timers and bots, for good."""
        self.closed = True
        for person in list(self._timers):
            self._forget_timer(person)
        self.audience.close()
        self.automation.close()
