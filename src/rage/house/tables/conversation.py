"""One client's messages over its connection, and their answers (``docs/protocol.md``).

A client may send anything: every command is answered; unreadable messages, or more than a person
can send, close the connection.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Coroutine
from functools import partial
from time import perf_counter
from typing import Any, Final

import msgspec
from msgspec import UNSET

from rage.house.base.codes import NoTable
from rage.house.base.errors import REFUSED, Forbidden, TooManyRequests
from rage.house.base.messages import (
    BROKEN,
    NO_TABLE,
    RESTART,
    TOO_MANY,
    UNREADABLE,
    ClientMessage,
    Outline,
    Pong,
    encode,
)
from rage.house.limits import MAX_UNANSWERED, MESSAGES, REPLAYS, WARNINGS
from rage.house.limits.limiting import Limits
from rage.house.limits.rate import RateLimit
from rage.house.store import BrokenTable, StoreFailed
from rage.house.tables import broadcast
from rage.house.tables.client import Client, Connection
from rage.house.tables.hub import Hub
from rage.house.tables.room import Room
from rage.house.tables.turns import Outcome
from rage.say import RageError, Reason
from rage.table import (
    AskForSeat,
    Command,
    Configure,
    Join,
    Play,
    UnloggedCommand,
    Watch,
    read_command,
)
from rage.table.schema import UNREADABLE as NOT_JSON

log: Final = logging.getLogger(__name__)
_MESSAGE: Final = msgspec.json.Decoder(ClientMessage)
_OUTLINE: Final = msgspec.json.Decoder(Outline)


class Conversation:
    """The messages of one connection. They are answered one at a time: at once if possible,
    otherwise as soon as the answer is known."""

    def __init__(
        self,
        hub: Hub,
        room: Room,
        limits: Limits,
        person: str,
        connection: Connection,
        address: str | None,
        *,
        screen: bool,
    ) -> None:
        self._hub = hub
        self._room = room
        self._limits = limits
        self._screen = screen
        self._address = address
        self._messages, self._replays = RateLimit(MESSAGES), RateLimit(REPLAYS)
        self._warnings = RateLimit(WARNINGS)
        self._unanswered: deque[bytes] = deque()
        self._busy = True  # answering, or entering the room
        self._moved_at = 0.0  # when the command that is being answered came, if it is a move
        self._number: int | None = None  # the client's number for the command under way
        self._closing: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        # Not a method: a reference cycle through the client would keep everything that belongs to
        # the connection until the garbage collector runs.
        self.close: Final = partial(_begin_to_close, self._closing)
        self._client = Client(person, connection, self.close, address)

    async def run(self, gone: Awaitable[object], since: int | None, line: int | None) -> int | None:
        """Answer messages until the client is ``gone``, or the connection has to be closed. Returns
        the close code, if any. The client has the events up to number ``since`` and the chat up to
        ``line``, if any. Commands received before the end are still decided and sent to the
        others."""
        self._wait_for(self._room.enter(self._client, since, line))
        left = asyncio.ensure_future(gone)
        try:
            await asyncio.wait((left, self._closing), return_when=asyncio.FIRST_COMPLETED)
        finally:
            left.cancel()
            self.close(RESTART)  # so that nothing more is answered
            self._room.leave(self._client)
        return None if left.done() else self._closing.result()

    def _wait_for(self, work: Coroutine[Any, Any, None]) -> None:
        """Answer nothing until a coroutine is done."""
        self._busy = True
        self._hub.services.start(self._waited(work))

    async def _waited(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except BrokenTable:
            self.close(BROKEN)
        except StoreFailed as error:
            log.error("nothing can be told: %s", error)
            self.close(RESTART)
        finally:
            if self._closing.done():  # the client entered after it was closed
                self._room.leave(self._client)
            self._go_on()

    def on_message(self, message: bytes) -> None:
        """Answer a message, now or once those before it have been answered."""
        if self._closing.done():
            return
        if not self._messages.try_acquire() or len(self._unanswered) > MAX_UNANSWERED:
            self._hang_up()
        elif self._busy:
            self._unanswered.append(message)
        else:
            self._answer(message)

    def _hang_up(self) -> None:
        """Close the connection of a client that asks for too much."""
        self._hub.services.counts.dropped += 1
        self._unanswered.clear()
        self.close(TOO_MANY)

    def _go_on(self) -> None:
        """Answer messages that have arrived meanwhile."""
        self._busy = False
        while self._unanswered and not self._busy and not self._closing.done():
            self._answer(self._unanswered.popleft())

    def _answer(self, message: bytes) -> None:
        try:
            said = _MESSAGE.decode(message)
        except NOT_JSON:
            self._refuse_unreadable(message)
            return
        asked = (said.do, said.ping, said.since, None if said.coach is UNSET else said)
        if asked.count(None) != len(asked) - 1:
            self._refuse_unreadable(message)
        elif said.ping is not None:
            self._client.write(encode(Pong(said.ping, self._hub.services.now())))
        elif said.do is not None:
            self._do(said.id, said.do)
        elif not self._replays.try_acquire():
            self._hang_up()
        elif said.coach is not UNSET:
            self._wait_for(self._room.coach(self._client, said.coach))
        elif said.since is not None:
            self._wait_for(self._room.catch_up(self._client, said.since))

    def _refuse_unreadable(self, message: bytes) -> None:
        """Refuse a command that cannot be read; any other unreadable message closes the
        connection."""
        try:
            outline = _OUTLINE.decode(message)
        except NOT_JSON:
            self.close(UNREADABLE)
            return
        try:
            read_command(encode(outline.do or {}))
        except RageError as error:
            self._refuse(outline.id, error)
        else:
            self.close(UNREADABLE)  # several commands in one message

    def _do(self, number: int | None, command: Command | UnloggedCommand) -> None:
        """Pass a command on to the room, unless it comes too fast, or from a banned person."""
        try:
            self._hub.services.check_allowed(self._client.person)
        except Forbidden as error:
            self._refuse(number, error)
            return
        if not isinstance(command, Play) and not self._may_ask(command):
            if self._warnings.try_acquire():
                self._client.write(broadcast.refusal(number, Reason("http.too_fast")))
            else:
                self._hang_up()
            return
        if self._screen and isinstance(command, Join | Watch | AskForSeat) and command.name:
            command = Watch(command.name, screen=True)
        if self._room.begins(command, self._client.person):
            try:
                self._limits.acquire(
                    "begin", self._address, self._client.person, table=self._room.name
                )
            except TooManyRequests as error:
                self._refuse(number, error)
                return
        self._busy, self._number = True, number
        self._moved_at = perf_counter() if isinstance(command, Play) else 0.0
        if isinstance(command, Configure) and self._room.opens(command):
            self._hub.services.start(self._list_table(command))
        else:
            self._room.submit(command, self._client.person, number, self._on_outcome)

    def _may_ask(self, command: Command | UnloggedCommand) -> bool:
        """Count a command of this person. Returns whether it may be decided."""
        person, state, limits = self._client.person, self._room.table.state, self._room.limits
        if person not in state.guests and isinstance(command, Join | Watch | AskForSeat):
            return limits.try_admit(self._address)
        hosts = person in (state.host, state.owner)
        spectator = person in state.guests and not hosts and state.seat_of(person) is None
        return limits.try_acquire(person, type(command), spectator=spectator)

    async def _list_table(self, command: Configure) -> None:
        """Open the table to everyone, unless there are too many open tables already."""
        person, name = self._client.person, self._room.name
        try:
            await self._hub.list_table(name, command, person, self._address, self._number)
        except Exception as error:
            self._on_outcome(error)
        else:
            self._go_on()  # the client has been answered with the events

    def _on_outcome(self, outcome: Outcome) -> None:
        """Called by the room with the outcome of the command."""
        number = self._number
        if not isinstance(outcome, BaseException):
            if not outcome and number is not None:
                self._client.write(
                    broadcast.empty_update(self._room.table, self._client.person, number)
                )
        elif isinstance(outcome, BrokenTable):
            self.close(BROKEN)
        elif isinstance(outcome, RageError):
            self._refuse(number, outcome)
        elif isinstance(outcome, StoreFailed):
            log.error("not stored: %s", outcome)
            self._hub.services.counts.not_stored += 1
            self._client.write(broadcast.refusal(number, Reason("http.not_stored")))
        else:
            log.error("a command has failed", exc_info=outcome)
            self.close(RESTART)
        if self._moved_at:
            self._hub.services.counts.on_move(perf_counter() - self._moved_at)
        self._go_on()

    def _refuse(self, number: int | None, error: RageError) -> None:
        self._hub.services.counts.refused += 1
        REFUSED[error.reason.code] += 1
        self._client.write(broadcast.refusal(number, error.reason))


def close_code(error: RageError) -> int:
    """The close code for a table that cannot be entered."""
    if isinstance(error, NoTable):
        return NO_TABLE
    return BROKEN if isinstance(error, BrokenTable) else TOO_MANY


def number_in(query: bytes, wanted: bytes) -> int | None:
    """A number from the query string of a connection, if it is there."""
    for part in query.split(b"&"):
        name, _, value = part.partition(b"=")
        if name == wanted and value.isdigit() and len(value) < 16:
            return int(value)
    return None


def _begin_to_close(closing: asyncio.Future[int], code: int) -> None:
    """Close the connection with a code; does nothing if it is closing already."""
    if not closing.done():
        closing.set_result(code)
