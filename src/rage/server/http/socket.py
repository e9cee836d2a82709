"""``/ws/{table}``: the WebSocket of one client, in plain ASGI (``docs/protocol.md``).

A client may send anything: every command is answered; messages that cannot be read, or are more
than a person can send, close the connection.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Coroutine
from functools import partial
from typing import Any, Final

import msgspec
from msgspec import UNSET

from rage.place.codes import NoTable, read_code
from rage.place.errors import TooManyRequests
from rage.place.hub import Hub
from rage.place.identity import Keys
from rage.place.limits import MAX_UNANSWERED, MESSAGES, REPLAYS, WARNINGS, Limits
from rage.place.messages import (
    BROKEN,
    FOREIGN,
    NO_TABLE,
    RESTART,
    TOO_MANY,
    UNREADABLE,
    ClientMessage,
    Outline,
    Pong,
    encode,
    frame,
)
from rage.place.rate import RateLimit
from rage.place.room import broadcast
from rage.place.room.client import Client
from rage.place.room.pending import Outcome
from rage.place.room.room import Room
from rage.place.store import BrokenTable, StoreFailed
from rage.say import RageError, Reason
from rage.server.http.asgi import Receive, Scope, Send, address_of
from rage.server.wire.websocket_protocol import EXTENSION, WebSocketProtocol
from rage.table import Beside, Chat, Command, Configure, Join, Play, Watch, read_command
from rage.table.schema import UNREADABLE as NOT_JSON

log: Final = logging.getLogger(__name__)
_MESSAGE: Final = msgspec.json.Decoder(ClientMessage)
_OUTLINE: Final = msgspec.json.Decoder(Outline)


class Socket:
    """The ASGI application behind ``/ws/``."""

    def __init__(self, hub: Hub, keys: Keys, limits: Limits) -> None:
        self._hub = hub
        self._keys = keys
        self._limits = limits

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection until it ends."""
        await receive()
        await send({"type": "websocket.accept"})
        person = self._keys.authenticate(scope["headers"])
        if person is None:
            await _close(send, FOREIGN)
            return
        try:
            room = await self._find(scope, person)
        except RageError as error:
            await _close(send, _code_of(error))
            return
        except StoreFailed as error:
            log.error("no table for a connection: %s", error)
            await _close(send, RESTART)
            return
        if self._keys.authenticate(scope["headers"]) != person:  # sessions were ended meanwhile
            await _close(send, FOREIGN)
            return
        screen = b"screen" in scope["query_string"].split(b"&")
        watcher = self._keys.screen(person) if screen else person
        conversation = Conversation(
            self._hub, room, self._limits, watcher, scope, receive, send, screen=screen
        )
        with self._keys.sessions.opened(person, conversation.close):
            await conversation.run()

    async def _find(self, scope: Scope, person: str) -> Room:
        """The room for the path; wrong codes are counted. Raises :class:`NoTable` and
        :class:`rage.place.errors.TooManyRequests`."""
        code = scope["path"].removeprefix("/ws/")
        with self._limits.guessing(code, address_of(scope), person) as guess:
            room = await self._hub.room(read_code(code))
            guests = room.table.state.guests
            guess.own = person in guests or self._keys.screen(person) in guests
        if guess.own:
            self._limits.note_seat(person)
        return room


class Conversation:
    """The messages of one connection. They are answered one at a time: at once if possible,
    otherwise as soon as the answer is known."""

    def __init__(
        self,
        hub: Hub,
        room: Room,
        limits: Limits,
        person: str,
        scope: Scope,
        receive: Receive,
        send: Send,
        *,
        screen: bool,
    ) -> None:
        self._hub = hub
        self._room = room
        self._limits = limits
        self._receive = receive
        self._send = send
        self._screen = screen
        query = scope["query_string"]
        self._since, self._line = _number(query, b"since"), _number(query, b"chat")
        self._address = address_of(scope)
        self._messages, self._replays = RateLimit(MESSAGES), RateLimit(REPLAYS)
        self._warnings = RateLimit(WARNINGS)
        self._unanswered: deque[bytes] = deque()
        self._busy = True  # with an answer, or with entering the room
        self._number: int | None = None  # the client's number for the command under way
        self._closing: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self._connection: WebSocketProtocol = scope["extensions"][EXTENSION]
        # Not a method of this object, which has the client: a reference cycle would wait for the
        # garbage collector, and all that belongs to the connection with it.
        self.close: Final = partial(_begin_to_close, self._closing)
        self._client = Client(person, self._connection, self.close, self._address)

    async def run(self) -> None:
        """Answer messages until one side closes. Commands received before that are still decided,
        and told to the others."""
        self._connection.listen(self._on_message)
        self._wait_for(self._room.enter(self._client, self._since, self._line))
        gone = asyncio.ensure_future(self._receive())
        try:
            await asyncio.wait((gone, self._closing), return_when=asyncio.FIRST_COMPLETED)
        finally:
            gone.cancel()
            self.close(RESTART)  # so that nothing more is answered
            self._room.leave(self._client)
        if not gone.done():
            await _close(self._send, self._closing.result())

    def _wait_for(self, work: Coroutine[Any, Any, None]) -> None:
        """Answer nothing until a coroutine is done."""
        self._busy = True
        self._hub.start(self._waited(work))

    async def _waited(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except BrokenTable:
            self.close(BROKEN)
        except StoreFailed as error:
            log.error("nothing can be told: %s", error)
            self.close(RESTART)
        finally:
            if self._closing.done():  # it has entered after it was closed
                self._room.leave(self._client)
            self._go_on()

    def _on_message(self, message: bytes) -> None:
        """Called by the connection with each message."""
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
        self._hub.counts.dropped += 1
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
        asked = (said.do, said.ping, said.since)
        if sum(each is not None for each in asked) + (said.coach is not UNSET) != 1:
            self._refuse_unreadable(message)
        elif said.ping is not None:
            self._client.write(frame(Pong(said.ping, self._hub.now())))
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

    def _do(self, number: int | None, command: Command | Beside) -> None:
        """Pass a command on to the room, unless it comes too fast."""
        if not isinstance(command, Play) and not self._may_ask(command):
            if self._warnings.try_acquire():
                self._client.write(broadcast.refusal(number, Reason("http.too_fast")))
            else:
                self._hang_up()
            return
        if self._screen and isinstance(command, Join | Watch):
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
        if isinstance(command, Configure) and self._room.opens(command):
            self._hub.start(self._open_up(command))
        else:
            self._room.submit(command, self._client.person, number, self._on_outcome)

    def _may_ask(self, command: Command | Beside) -> bool:
        """Count a command of this person; false if it comes too fast."""
        person, state, limits = self._client.person, self._room.table.state, self._room.limits
        if person not in state.guests and isinstance(command, Join | Watch):
            return limits.try_admit(self._address)
        hosts = person in (state.host, state.owner)
        spectator = person in state.guests and not hosts and state.seat_of(person) is None
        return limits.try_acquire(person, chat=isinstance(command, Chat), spectator=spectator)

    async def _open_up(self, command: Configure) -> None:
        """Make the table findable for everybody, unless there are too many such tables already."""
        person, name = self._client.person, self._room.name
        try:
            await self._hub.open_up(name, command, person, self._address, self._number)
        except Exception as error:
            self._on_outcome(error)
        else:
            self._go_on()  # the client has been answered with the events

    def _on_outcome(self, outcome: Outcome) -> None:
        """Called by the room with the outcome of the command."""
        number = self._number
        if isinstance(outcome, BrokenTable):
            self.close(BROKEN)
        elif isinstance(outcome, RageError):
            self._refuse(number, outcome)
        elif isinstance(outcome, StoreFailed):
            log.error("not stored: %s", outcome)
            self._client.write(broadcast.refusal(number, Reason("http.not_stored")))
        elif isinstance(outcome, BaseException):
            log.error("a command has failed", exc_info=outcome)
            self.close(RESTART)
        elif not outcome and number is not None:
            self._client.write(
                broadcast.empty_update(self._room.table, self._client.person, number)
            )
        self._go_on()

    def _refuse(self, number: int | None, error: RageError) -> None:
        self._hub.counts.refused += 1
        self._client.write(broadcast.refusal(number, error.reason))


def _code_of(error: RageError) -> int:
    """The close code for a table that is not found."""
    if isinstance(error, NoTable):
        return NO_TABLE
    return BROKEN if isinstance(error, BrokenTable) else TOO_MANY


def _number(query: bytes, wanted: bytes) -> int | None:
    """A number from a query string, if it is there."""
    for part in query.split(b"&"):
        name, _, value = part.partition(b"=")
        if name == wanted and value.isdigit() and len(value) < 16:
            return int(value)
    return None


def _begin_to_close(closing: asyncio.Future[int], code: int) -> None:
    """Close the connection with a code; does nothing if it is closing already."""
    if not closing.done():
        closing.set_result(code)


async def _close(send: Send, code: int) -> None:
    await send({"type": "websocket.close", "code": code})
