"""Which of a table's people are connected: the table learns when one has been away for a while.

After a restart, people have some seconds to come back before they count as away.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from typing import Final

from rage.house.base.codes import table_fingerprint
from rage.house.store import StoreFailed
from rage.house.tables.audience import Audience
from rage.house.tables.event_log import EventLog
from rage.house.tables.services import Services
from rage.table import Nudge, OpenTakeoverVote, StepIn, Table
from rage.table.commands import Command

log: Final = logging.getLogger(__name__)
#: Seconds that a person's connection may be lost before the others are told.
ABSENCE_GRACE: Final = 3.0
#: Seconds before retrying something that could not be stored.
RETRY_AFTER: Final = 1.0
#: The clock's commands about a person who keeps the others waiting, deferred while they may still
#: return.
DEFERRABLE: Final = (Nudge, OpenTakeoverVote, StepIn)
#: Exclusive access to a table, up to date with the store.
Turn = Callable[[], AbstractAsyncContextManager[Table]]
#: Decides a command of the house, and returns whether it was allowed.
Decide = Callable[[Command], Awaitable[bool]]


class Presence:
    """Keeps the table's record of who is present in step with the open connections: the table of a
    ``log``, and the connections of its ``audience``."""

    def __init__(
        self, services: Services, log: EventLog, audience: Audience, turn: Turn, decide: Decide
    ) -> None:
        self._services = services
        self._log = log
        self._audience = audience
        self._turn = turn
        self._decide = decide
        #: Whether the hub has dropped the room.
        self.closed = False
        # Until when, by the event loop's clock, people may come back after the table was loaded.
        self._returning_until = 0.0
        # By person, the timer after which it is recorded whether they are here.
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._noting: set[asyncio.Task[None]] = set()

    @property
    def unsettled(self) -> bool:
        """Whether it is still to be recorded who is away."""
        return bool(self._timers or self._noting)

    def expect(self, seconds: float) -> None:
        """Give the guests of a table just loaded ``seconds`` to come back, before they count as
        away."""
        self._returning_until = asyncio.get_running_loop().time() + seconds
        for person in self._log.table.state.guests:
            self.note_later(seconds, person)

    async def may_still_return(self, seat: int) -> bool:
        """Return whether a seat's player may still reconnect after a restart, or just has. They are
        marked away meanwhile, so that their turn restarts when they return. Raises
        :class:`StoreFailed`."""
        person = self._log.table.state.seats[seat].person
        if person is None or asyncio.get_running_loop().time() >= self._returning_until:
            return False
        command = self._audience.presence_change(person)
        if command is None:
            return person not in self._audience.clients
        await self._decide(command)
        return True

    async def restart_turn(self, person: str) -> None:
        """Restart the turn of a player who returns after a restart and whose time has run out
        meanwhile; see :meth:`may_still_return`."""
        if asyncio.get_running_loop().time() >= self._returning_until:
            return
        async with self._turn() as table:
            due = table.due(self._services.now()).commands
            seats = table.state.seats
        for command in due:
            if isinstance(command, DEFERRABLE) and seats[command.seat].person == person:
                await self.may_still_return(command.seat)
                return

    def note_later(self, seconds: float, person: str) -> None:
        """Record after some seconds whether a person is here, if the room is still open then."""
        self._forget_timer(person)
        if not self.closed:
            loop = asyncio.get_running_loop()
            self._timers[person] = loop.call_later(seconds, self.note, person)

    def note(self, person: str) -> None:
        """Record now whether a person is here."""
        self._forget_timer(person)
        noting = self._services.start(self._note(person))
        self._noting.add(noting)
        noting.add_done_callback(self._noting.discard)

    def _forget_timer(self, person: str) -> None:
        if (timer := self._timers.pop(person, None)) is not None:
            timer.cancel()

    async def _note(self, person: str) -> None:
        """Record whether a person is here, if the table doesn't know yet. If the store fails, retry
        later. Not in a closed room: they may be in the one that has replaced it."""
        try:
            async with self._turn():
                pass
            command = None if self.closed else self._audience.presence_change(person)
            if command is not None and (command.present or not self._services.alone):
                await self._decide(command)
        except StoreFailed as error:
            name = table_fingerprint(self._log.name)
            log.error("table %s: who is here was not stored: %s", name, error)
            self.note_later(RETRY_AFTER, person)

    def close(self) -> None:
        """Cancel all timers, for good."""
        self.closed = True
        for person in list(self._timers):
            self._forget_timer(person)
