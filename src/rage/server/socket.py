"""``/ws/{table}``: one client's connection, in plain ASGI (``docs/protocol.md``).

A client may send what it likes: every command is answered, what cannot be read ends the
connection, and so does more than a person can do.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import deque
from collections.abc import Coroutine
from typing import Any, Final

import msgspec

from rage.say import RageError, Reason
from rage.server import telling
from rage.server.asked import Answer
from rage.server.client import Client
from rage.server.codes import NoTable
from rage.server.errors import TooMany
from rage.server.gate import Receive, Scope, Send, own_origin
from rage.server.hub import Hub
from rage.server.identity import Keys
from rage.server.limits import Limits, Rate, counted
from rage.server.messages import FOREIGN, NO_TABLE, RESTART, TOO_MANY, UNREADABLE, Pong, Said
from rage.server.room import Room
from rage.server.store import StoreFailed
from rage.server.wire import EXTENSION, MOST_UNANSWERED, Wire, frame
from rage.table import Play, read_command

log: Final = logging.getLogger(__name__)
#: The longest message, in bytes, that uvicorn is told to take.
MAX_MESSAGE: Final = 4096
#: What a connection may send: anything at all, and what is no move.
ANY: Final = Rate(100, 1 / 45)
BESIDE: Final = Rate(20, 1 / 4)
_SAID: Final = msgspec.json.Decoder(Said)


class Bucket:
    """A measure for one connection: so many at once, and one more every so many seconds."""

    __slots__ = ("_full", "_rate")

    def __init__(self, rate: Rate) -> None:
        self._rate = rate
        self._full = 0.0

    def take(self) -> bool:
        """Whether there is one more."""
        now = time.monotonic()
        full = max(self._full, now)
        if full - now > (self._rate.burst - 1) * self._rate.seconds:
            return False
        self._full = full + self._rate.seconds
        return True


class Socket:
    """The ASGI application behind ``/ws/``."""

    def __init__(self, hub: Hub, keys: Keys, limits: Limits) -> None:
        self._hub = hub
        self._keys = keys
        self._limits = limits

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Carry one connection until it ends."""
        await receive()
        if not own_origin(scope):
            await send({"type": "websocket.close", "code": FOREIGN})  # before the handshake: 403
            return
        if not self._may_come(scope):
            await send({"type": "websocket.close", "code": TOO_MANY})
            return
        await send({"type": "websocket.accept"})
        person = self._keys.asker(scope["headers"])
        if person is None:
            await _close(send, FOREIGN)
            return
        try:
            room = await self._find(scope)
        except RageError as error:
            await _close(send, NO_TABLE if isinstance(error, NoTable) else TOO_MANY)
            return
        except StoreFailed as error:
            log.error("no table for a connection: %s", error)
            await _close(send, RESTART)
            return
        await Talk(self._hub, room, person, scope, receive, send).run()

    def _may_come(self, scope: Scope) -> bool:
        """Whether an address does not connect all the time."""
        try:
            self._limits.take("socket", _address(scope), None, time.monotonic())
        except TooMany:
            return False
        return True

    async def _find(self, scope: Scope) -> Room:
        """The room of the path; guesses are counted. Raises :class:`NoTable` and
        :class:`rage.server.errors.TooMany`."""
        address = _address(scope)
        now = time.monotonic()
        self._limits.check("guess", address, now)
        try:
            return await self._hub.room(scope["path"].removeprefix("/ws/"))
        except NoTable:
            self._limits.take("guess", address, None, now)
            raise


class Talk:
    """What is said over one connection: messages are answered one by one, at once where that can
    be done, and otherwise when the answer is there."""

    def __init__(
        self, hub: Hub, room: Room, person: str, scope: Scope, receive: Receive, send: Send
    ) -> None:
        self._hub = hub
        self._room = room
        self._receive = receive
        self._send = send
        self._since = _number(scope["query_string"])
        self._any, self._beside = Bucket(ANY), Bucket(BESIDE)
        self._unanswered: deque[bytes] = deque()
        self._busy = True  # with an answer, or with coming in
        self._number: int | None = None  # the client's own, of the command under way
        self._ending: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self._wire: Wire = scope["extensions"][EXTENSION]
        self._client = Client(person, self._wire, self._end)

    def _end(self, code: int) -> None:
        if not self._ending.done():
            self._ending.set_result(code)

    async def run(self) -> None:
        """Talk until one side ends it. What was asked for until then is still done, and told to
        the others."""
        self._wire.listen(self._hear)
        self._wait_for(self._room.enter(self._client, self._since))
        gone = asyncio.ensure_future(self._receive())
        try:
            await asyncio.wait((gone, self._ending), return_when=asyncio.FIRST_COMPLETED)
        finally:
            gone.cancel()
            self._end(RESTART)  # nothing more is heard
            self._room.leave(self._client)
        if not gone.done():
            await _close(self._send, self._ending.result())

    def _wait_for(self, work: Coroutine[Any, Any, None]) -> None:
        """Answer nothing more until something is done."""
        self._busy = True
        self._hub.start(self._waited(work))

    async def _waited(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except StoreFailed as error:
            log.error("nothing can be told: %s", error)
            self._end(RESTART)
        finally:
            if self._ending.done():  # it has come in after it was gone
                self._room.leave(self._client)
            self._go_on()

    # Hearing.

    def _hear(self, message: bytes) -> None:
        """Called by the connection with every message."""
        if self._ending.done():
            return
        if not self._any.take() or len(self._unanswered) > MOST_UNANSWERED:
            self._hang_up()
        elif self._busy:
            self._unanswered.append(message)
        else:
            self._answer(message)

    def _hang_up(self) -> None:
        """End it with who asks for too much."""
        self._hub.counts.dropped += 1
        self._unanswered.clear()
        self._end(TOO_MANY)

    def _go_on(self) -> None:
        """Answer what has been heard meanwhile."""
        self._busy = False
        while self._unanswered and not self._busy and not self._ending.done():
            self._answer(self._unanswered.popleft())

    # Answering.

    def _answer(self, message: bytes) -> None:
        try:
            said = _SAID.decode(message)
        except (msgspec.DecodeError, UnicodeError, RecursionError):
            self._end(UNREADABLE)
            return
        if said.ping is not None:
            self._client.write(frame(telling.encode(Pong(said.ping, self._hub.now()))))
        elif said.since is None:
            self._do(said.id, said.do or {})
        elif self._beside.take():
            self._wait_for(self._room.tell_again(self._client, said.since))
        else:
            self._hang_up()

    def _do(self, number: int | None, data: dict[str, Any]) -> None:
        """Ask the room for a command."""
        try:
            command = read_command(data)
        except RageError as error:
            self._refuse(number, error)
            return
        if not isinstance(command, Play) and not self._beside.take():
            self._client.write(telling.refused(number, Reason("http.too_fast")))
            return
        self._busy, self._number = True, number
        self._room.ask(command, self._client.person, number, self._answered)

    def _answered(self, answer: Answer) -> None:
        """Called by the room when the command is done, or is not."""
        number = self._number
        if isinstance(answer, RageError):
            self._refuse(number, answer)
        elif isinstance(answer, StoreFailed):
            log.error("not stored: %s", answer)
            self._client.write(telling.refused(number, Reason("http.not_stored")))
        elif isinstance(answer, BaseException):
            log.error("a command has failed", exc_info=answer)
            self._end(RESTART)
        elif not answer and number is not None:
            self._client.write(telling.note(self._room.table, self._client.person, number))
        self._go_on()

    def _refuse(self, number: int | None, error: RageError) -> None:
        self._hub.counts.refused += 1
        self._client.write(telling.refused(number, error.reason))


def _address(scope: Scope) -> str | None:
    """Whom limits count for a connection."""
    host, _ = scope.get("client") or ("", 0)
    return counted(host, direct=True)


def _number(query: bytes) -> int | None:
    """The ``since`` of a query string, if it is a number."""
    for part in query.split(b"&"):
        name, _, value = part.partition(b"=")
        if name == b"since" and value.isdigit() and len(value) < 16:
            return int(value)
    return None


async def _close(send: Send, code: int) -> None:
    await send({"type": "websocket.close", "code": code})
