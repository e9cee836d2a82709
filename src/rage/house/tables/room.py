"""One table on this server: commands are decided one at a time, stored, and then broadcast.

A room combines the queue of turns in which commands are decided, the log of the table's events, its
audience, and the automation of bots and clock. Everything that matters is in the store, so a room
can be dropped at any time, and loaded again here or by another process.
"""

from __future__ import annotations

import asyncio
import logging
import weakref
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from functools import partial
from typing import Final

from rage.house.base.codes import table_fingerprint
from rage.house.base.messages import NO_TABLE, READ_ONLY, RESTART, encode
from rage.house.limits import MAX_MISSED
from rage.house.limits.limiting import TableLimits
from rage.house.store import Conflict
from rage.house.tables.audience import Audience, Delivery
from rage.house.tables.automation import Automation
from rage.house.tables.broadcast import Broadcast
from rage.house.tables.client import Client
from rage.house.tables.event_log import EventLog
from rage.house.tables.presence import ABSENCE_GRACE, Presence
from rage.house.tables.services import Services
from rage.house.tables.summary import Summary
from rage.house.tables.turns import (
    MAX_ATTEMPTS,
    Outcome,
    PendingCommand,
    TurnQueue,
    conflicts,
    settle,
)
from rage.house.tables.unlogged import Unlogged
from rage.say import NotAllowed
from rage.table import (
    Configure,
    Event,
    GoOn,
    Rematch,
    Start,
    Table,
    UnloggedCommand,
)
from rage.table.commands import Command
from rage.table.facts.events import Played
from rage.table.people.hosts import may_stand_in

log: Final = logging.getLogger(__name__)
# Not as unions, which would be built for every command.
_BEGINNINGS: Final = (Start, Rematch)


class Room:
    """A table on this server, and everyone connected to it."""

    def __init__(self, services: Services, name: str) -> None:
        self.services = services
        self.name = name
        self.used = services.now()  # last, in milliseconds
        self.limits = TableLimits(services.people)
        self.log = EventLog(services.store, name, services.now)
        self.audience = Audience(self.log, services.now, services.people)
        this = weakref.proxy(self)  # a cycle would wait for the garbage collector

        def turn() -> AbstractAsyncContextManager[Table]:
            found: AbstractAsyncContextManager[Table] = this.turn()
            return found

        async def decide(command: Command) -> bool:
            allowed: bool = await this.do_quietly(command)
            return allowed

        self.presence = Presence(services, self.log, self.audience, turn, decide)
        self.automation = Automation(services, self.log, self.audience, self.presence, turn, decide)
        self._unlogged = Unlogged(services, self.log, self.audience, turn)
        self._turns = TurnQueue()

    @property
    def table(self) -> Table:
        """The table in memory; :meth:`ready` waits until all of it is stored."""
        return self.log.table

    @property
    def clients(self) -> dict[str, Client]:
        """The connected clients, by person."""
        return self.audience.clients

    @property
    def idle(self) -> bool:
        """Whether this room can be dropped unnoticed: not before it is recorded who is away,
        because nothing else would do that."""
        busy = self._turns.locked or self.automation.at_work
        return not self.clients and not self.presence.unsettled and not busy

    def opens(self, command: Configure) -> bool:
        """Return whether a command opens this table to everyone, unless it is open already."""
        access = self.table.state.options.access
        return command.options.access == "open" and access != "open"

    def begins(self, command: Command | UnloggedCommand, person: str) -> bool:
        """Return whether a command of a person begins a game, if it is allowed."""
        if not isinstance(command, Start):
            return False
        return self.table.phase == "gathering" and self.table.state.host == person

    # Staying in sync with the store.

    async def _sync(self) -> None:
        """Reload the table during a turn, if the store may hold more of it, and send everyone the
        news. Raises :class:`rage.house.store.BrokenTable` and
        :class:`rage.house.store.StoreFailed`."""
        for _ in range(MAX_ATTEMPTS):
            if self.log.in_sync:
                return
            sent = self.audience.sent_seq
            events, chat = await self.log.reload(sent)
            if self.table.seq < sent:
                self.audience.forget_chat()
            self.audience.add_chat(chat)
            if self.table.seq == 0:
                self.send_away(NO_TABLE)
            elif self.table.seq < sent and not self.table.state.gap and not self.services.read_only:
                with suppress(Conflict):
                    await self._set_back(sent)
            else:
                self.audience.send_missed(events)
                if events is None or events:
                    self._follow_up(events or [])
        if not self.log.in_sync:
            raise conflicts(self.name)

    async def _set_back(self, sent: int) -> None:
        """Continue without the events up to number ``sent`` that people were shown and the store
        has lost, and tell them. Raises :class:`rage.house.store.Conflict` and
        :class:`rage.house.store.StoreFailed`."""
        self.table.state.gap = sent - self.table.seq
        events = self.table.decide(GoOn(), None, self.services.now())
        self.log.fold(events)
        made = Broadcast(self.table, events, self.audience.known)
        await self.log.append(events, made.stored)
        self.log.confirm()
        name, lost = table_fingerprint(self.name), made.lost
        log.error("table %s: the store has lost the last %d events", name, lost)
        self.audience.send(self.audience.prepare(made, None, None))
        self._follow_up(events)
        for person in self.table.state.guests:
            self.presence.note(person)

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[Table]:
        """A turn, in which the table matches the store. Raises what :meth:`_sync` raises."""
        async with self._turns:
            await self._sync()
            yield self.table

    async def ready(self) -> Table:
        """The table, once nothing of it is being stored. Raises what :meth:`_sync` raises."""
        async with self.turn() as table:
            return table

    async def take(self) -> Table:
        """Claim the table for this server, and load it. Raises what :meth:`_sync` raises."""
        async with self._turns:
            await self.services.store.claim(self.name)
            await self._sync()
            return self.table

    @asynccontextmanager
    async def removal(self) -> AsyncIterator[None]:
        """A turn in which the table is removed from the store; later commands find no table."""
        async with self._turns:
            yield
            self.log.in_sync = False

    # Commands.

    async def do(
        self, command: Command | UnloggedCommand, actor: str | None, *, number: int | None = None
    ) -> list[Event]:
        """Decide a command, store its events, and broadcast them. Raises :class:`rage.NotAllowed`,
        :class:`rage.NotReadable` and :class:`rage.house.store.StoreFailed`; then nothing has
        changed."""
        done: asyncio.Future[list[Event]] = asyncio.get_running_loop().create_future()
        self.submit(command, actor, number, partial(settle, done))
        return await done

    async def do_quietly(self, command: Command) -> bool:
        """Decide a command of the house. Returns whether it was allowed: something else may have
        happened meanwhile."""
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
        if isinstance(command, UnloggedCommand):
            self.services.start(self._unlogged.do(command, actor, done))
            return
        pending = PendingCommand(command, actor, number, done)
        begins = isinstance(command, _BEGINNINGS) and actor is not None
        if begins and self.services.may_refuse:
            self.services.start(self._check_space_and_decide(pending))
        elif self.log.in_sync and self._turns.try_acquire():
            self._decide(pending)
        else:
            self.services.start(self._wait_and_decide(pending))

    async def _check_space_and_decide(self, pending: PendingCommand) -> None:
        """Decide a command that begins a game, if the store has room for one of its person."""
        try:
            await self.services.check_space(pending.actor or "")
        except Exception as error:
            pending.done(error)
        else:
            await self._wait_and_decide(pending)

    async def _wait_and_decide(self, pending: PendingCommand) -> None:
        await self._turns.acquire()
        await self._sync_and_decide(pending)

    async def _sync_and_decide(self, pending: PendingCommand) -> None:
        """Decide a command whose turn it is, after syncing the table with the store."""
        try:
            await self._sync()
        except Exception as error:
            self._finish(pending, error)
        except BaseException:  # the server is stopping
            self._turns.release()
            raise
        else:
            self._decide(pending)

    def _decide(self, pending: PendingCommand) -> None:
        """Decide a command whose turn it is."""
        try:
            self.services.check_writable()
            seed = self.services.seed_for(pending.command)
            actor = pending.actor
            if isinstance(pending.command, GoOn) and self._stands_in(actor):
                actor = None
            events = self.table.decide(pending.command, actor, self.services.now(), seed=seed)
            if events:
                self._store(pending, events)
                return
        except Exception as error:
            self._finish(pending, error)
        else:
            self._finish(pending, [])

    def _stands_in(self, person: str | None) -> bool:
        """Return whether a person may have the table continue (GoOn) in place of a host who is not
        connected."""
        state = self.table.state
        return state.host not in self.clients and may_stand_in(state, person)

    def _store(self, pending: PendingCommand, events: list[Event]) -> None:
        """Begin to store the events of a command; their messages are made while the disk works."""
        self.log.fold(events)
        made = Broadcast(self.table, events, self.audience.known)
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
        """Send the messages; or, if another process has stored an event with the same number,
        decide the command again in the same turn."""
        error = stored.exception()
        if error is None:
            self.log.confirm()
            self._finish(pending, events, delivery)
            return
        self.audience.discard(delivery)
        if isinstance(error, Conflict):
            pending.attempts += 1
            if pending.attempts < MAX_ATTEMPTS:
                self.services.start(self._sync_and_decide(pending))
                return
            error = conflicts(self.name)
        self._finish(pending, error)

    def _finish(
        self, pending: PendingCommand, outcome: Outcome, delivery: Delivery | None = None
    ) -> None:
        """End the turn of a command, send its messages, and report its outcome, which may make the
        same client send its next command at once."""
        self._turns.release()
        try:
            if delivery is not None and isinstance(outcome, list):
                self._tell(outcome, delivery)
        finally:
            pending.done(outcome)

    def _tell(self, events: list[Event], delivery: Delivery) -> None:
        self.used = events[-1].at
        self.services.counts.events += len(events)
        for event in events:
            if type(event.fact) is Played:
                self.services.counts.moves += 1
        self.audience.send(delivery)
        self._follow_up(events)

    def _follow_up(self, events: list[Event]) -> None:
        """After events were sent: disconnect people who were removed, and let bots and clock
        continue."""
        self.audience.close_removed(events)
        self.automation.update()

    # Connections.

    async def enter(self, client: Client, since: int | None, line: int | None = None) -> None:
        """Add a client; see :meth:`Audience.admit`. One that has more events than this server was
        connected to another one, which has stored them."""
        await self.presence.restart_turn(client.person)
        async with self.turn() as table:
            if self.presence.closed:
                client.close(RESTART)
                return
            if since is not None and since > table.seq and self.services.store.shared:
                self.log.in_sync = False
                await self._sync()
                table = self.table
                if client.person in table.state.guests and since > table.seq:
                    until = min(since, table.seq + MAX_MISSED)
                    self.audience.lost_until = max(self.audience.lost_until, until)
            await self.audience.admit(client, since, line)
            if self.services.read_only:
                client.write(encode(READ_ONLY))
            self.automation.update()
        self.presence.note(client.person)

    async def catch_up(self, client: Client, since: int | None) -> None:
        """Send a client what it has missed; see :meth:`Audience.catch_up`."""
        async with self.turn():
            await self.audience.catch_up(client, since)

    async def coach(self, client: Client, taught: list[str] | None) -> None:
        """Give a client hints, or no more; see :meth:`Audience.coach`."""
        async with self.turn():
            self.audience.coach(client, taught)

    def leave(self, client: Client) -> None:
        """Remove a client. If its person does not come back soon, as after reloading a page, the
        others are told."""
        if self.audience.remove(client):
            self.services.counts.dropped += client.dropped
            self.used = self.services.now()
        if client.person not in self.clients:  # also one who joined while others took their place
            self.presence.note_later(ABSENCE_GRACE, client.person)

    def send_away(self, code: int = RESTART) -> None:
        """End all connections with a close code; by default, people reconnect to the server that
        has the table now."""
        for client in list(self.clients.values()):
            client.close(code)

    # The lifetime of the room.

    @property
    def summary(self) -> Summary | None:
        """See :attr:`EventLog.summary`."""
        return self.log.summary

    def close(self) -> None:
        """Cancel timers and bots, for good."""
        self.presence.close()
        self.audience.close()
        self.automation.close()
