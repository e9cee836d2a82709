"""``/ws/{table}``: one client's connection, in plain ASGI (``docs/protocol.md``).

A client may send what it likes: every command is answered, what cannot be read ends the
connection, and so does more than a person can do.
"""

from __future__ import annotations

import asyncio
import logging
import time
from typing import Any, Final

import msgspec

from rage.say import RageError, Reason
from rage.server import telling
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
from rage.server.wire import EXTENSION, Wire, frame
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
    """What is said over one connection."""

    def __init__(
        self, hub: Hub, room: Room, person: str, scope: Scope, receive: Receive, send: Send
    ) -> None:
        self._hub = hub
        self._room = room
        self._receive = receive
        self._send = send
        self._since = _number(scope["query_string"])
        self._any, self._beside = Bucket(ANY), Bucket(BESIDE)
        self._answering = asyncio.Lock()
        self._ending: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        wire: Wire = scope["extensions"][EXTENSION]
        self._client = Client(person, wire, self._end)

    def _end(self, code: int) -> None:
        if not self._ending.done():
            self._ending.set_result(code)

    async def run(self) -> None:
        """Talk until one side ends it."""
        listening = asyncio.ensure_future(self._listen())
        try:
            await asyncio.wait((listening, self._ending), return_when=asyncio.FIRST_COMPLETED)
            self._room.leave(self._client)
            async with self._answering:  # what was asked for is done, and told to the others
                pass
        finally:
            listening.cancel()
            self._room.leave(self._client)
        if self._ending.done():
            await _close(self._send, self._ending.result())
        elif not listening.cancelled() and (error := listening.exception()) is not None:
            raise error

    async def _listen(self) -> None:
        """Answer messages, one by one."""
        try:
            await self._room.enter(self._client, self._since)
            await self._answer_all()
        except StoreFailed as error:
            log.error("nothing can be told: %s", error)
            self._end(RESTART)

    async def _answer_all(self) -> None:
        """Answer messages until the other side ends it, or may not go on. Raises
        :class:`StoreFailed`."""
        while True:
            message = await self._receive()
            if message["type"] == "websocket.disconnect":
                return
            if not self._any.take():
                self._hub.counts.dropped += 1
                self._end(TOO_MANY)
                return
            try:
                said = _SAID.decode(message.get("text") or b"")
            except (msgspec.DecodeError, UnicodeError, RecursionError):
                self._end(UNREADABLE)
                return
            async with self._answering:
                await self._answer(said)

    async def _answer(self, said: Said) -> None:
        write = self._client.write
        if said.ping is not None:
            write(frame(telling.encode(Pong(said.ping, self._hub.now()))))
        elif said.since is not None:
            if self._beside.take():
                await self._room.tell_again(self._client, said.since)
            else:
                self._hub.counts.dropped += 1
                self._end(TOO_MANY)
        else:
            try:
                await self._do(said.id, said.do or {})
            except RageError as error:
                self._hub.counts.refused += 1
                write(telling.refused(said.id, error.reason))
            except StoreFailed as error:
                log.error("not stored: %s", error)
                write(telling.refused(said.id, Reason("http.not_stored")))

    async def _do(self, number: int | None, data: dict[str, Any]) -> None:
        """A command. Raises :class:`rage.RageError`."""
        command = read_command(data)
        if not isinstance(command, Play) and not self._beside.take():
            self._client.write(telling.refused(number, Reason("http.too_fast")))
            return
        events = await self._room.do(command, self._client.person, number=number)
        if not events and number is not None:
            self._client.write(telling.note(self._room.table, self._client.person, number))


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
