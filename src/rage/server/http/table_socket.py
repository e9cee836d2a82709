"""``/ws/{table}``: the WebSocket of one client, in plain ASGI."""

from __future__ import annotations

import logging
from typing import Final

from rage.house.base.codes import read_code
from rage.house.base.messages import FOREIGN, RESTART
from rage.house.limits.limiting import Limits
from rage.house.people.identity import Keys
from rage.house.store import StoreFailed
from rage.house.tables.conversation import Conversation, close_code, number_in
from rage.house.tables.hub import Hub
from rage.house.tables.room import Room
from rage.say import RageError
from rage.server.asgi import Receive, Scope, Send, address_of
from rage.server.wire.websocket import EXTENSION

log: Final = logging.getLogger(__name__)


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
        self._hub.services.counts.sockets += 1
        person = self._keys.authenticate(scope["headers"])
        if person is None:
            await _close(send, FOREIGN)
            return
        try:
            room = await self._find(scope, person)
        except RageError as error:
            await _close(send, close_code(error))
            return
        except StoreFailed as error:
            log.error("no table for a connection: %s", error)
            await _close(send, RESTART)
            return
        if self._keys.authenticate(scope["headers"]) != person:  # sessions were ended meanwhile
            await _close(send, FOREIGN)
            return
        query, connection = scope["query_string"], scope["extensions"][EXTENSION]
        screen = b"screen" in query.split(b"&")
        watcher = self._keys.screen(person) if screen else person
        conversation = Conversation(
            self._hub, room, self._limits, watcher, connection, address_of(scope), screen=screen
        )
        with self._keys.sessions.open(person, conversation.close):
            connection.listen(conversation.on_message)
            code = await conversation.run(
                receive(), number_in(query, b"since"), number_in(query, b"chat")
            )
        if code is not None:
            await _close(send, code)

    async def _find(self, scope: Scope, person: str) -> Room:
        """The room of the path; wrong codes are counted. Raises
        :class:`rage.house.base.codes.NoTable` and
        :class:`rage.house.base.errors.TooManyRequests`."""
        code = scope["path"].removeprefix("/ws/")
        with self._limits.guessing(code, address_of(scope), person) as guess:
            room = await self._hub.room(read_code(code))
            guests = room.table.state.guests
            guess.own = person in guests or self._keys.screen(person) in guests
        if guess.own:
            self._limits.note_seat(person)
        return room


async def _close(send: Send, code: int) -> None:
    await send({"type": "websocket.close", "code": code})
