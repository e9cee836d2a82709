"""The house itself: one person's tables, with a file as the store and the page as the network.

The page's worker (``web/src/alone/worker.ts``) opens one :class:`Home`, passes on the page's
requests and messages, and keeps the file. It runs unchanged in any Python.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Final

from rage.engine.deal import SEED_BYTES
from rage.house.alone.requests import Answer, answer
from rage.house.alone.storage import Keep, SerialWriter
from rage.house.alone.thinking import InTheLoop
from rage.house.base.codes import read_code, set_fingerprint_secret
from rage.house.base.messages import RESTART
from rage.house.contests.events import Events
from rage.house.games.analyses import Analyses
from rage.house.games.shown_sheets import LiveSheets
from rage.house.limits.limiting import Limits
from rage.house.operating.housekeeping import CLEAR_INTERVAL, Housekeeping
from rage.house.operating.retention import Retention
from rage.house.people.identity import Keys, new_person
from rage.house.requests.requester import Site
from rage.house.store import StoreFailed
from rage.house.store.sqlite import SqliteStore
from rage.house.tables.conversation import Conversation, close_code, number_in
from rage.house.tables.hub import Hub
from rage.house.tables.services import Services
from rage.say import NotAllowed, RageError

_log: Final = logging.getLogger(__name__)
#: Begun and finished games are kept forever, because no one else needs the space.
_KEPT: Final = Retention(abandoned=None, games=None)
#: The seconds after which an analysis is given up if it is no longer polled.
PATIENCE: Final = 10.0
#: Seconds between checks for tables that can be dropped from memory.
_TIDY_INTERVAL: Final = 60.0


class Home:
    """A house for one person, without a network: the page's requests come in as calls, and messages
    go out through the callbacks passed to :meth:`open`."""

    def __init__(
        self,
        site: Site,
        person: str,
        send: Callable[[int, str], object],
        close: Callable[[int, int], object],
    ) -> None:
        self._site = site
        self._person = person
        self._send = send
        self._close = close
        self._lines: dict[int, _Line] = {}

    @classmethod
    async def open(
        cls,
        path: str,
        keep: Keep,
        send: Callable[[int, str], object],
        close: Callable[[int, int], object],
    ) -> Home:
        """Open the house whose store is the file ``path``, created if needed. ``keep`` makes the
        writes durable, or undoes them and raises; ``send`` and ``close`` are called with the number
        of a connection and a message or a close code. Raises :class:`StoreFailed`."""
        store = SqliteStore(Path(path), partial(SerialWriter, keep=keep), journal="MEMORY")
        services = Services(store, InTheLoop(), alone=True)
        store.now = services.now
        secret = await store.setting("secret", Keys.new_secret())
        set_fingerprint_secret(secret)
        person = (await store.setting("person", new_person().encode())).decode()
        hub, limits, keys = Hub(services), _Unlimited(), _PublicDays(secret)
        analyses = Analyses(services.thinking, PATIENCE)
        live = LiveSheets(services.now)
        site = Site(
            _NoLinks(),
            store,
            hub,
            keys,
            limits,
            analyses,
            live,
            asyncio.Lock(),
            Events(services.store, hub, keys),
        )
        services.start(_look_after(Housekeeping(hub, _KEPT)))
        return cls(site, person, send, close)

    async def request(
        self, method: str, path: str, query: str, body: bytes | None, language: str
    ) -> Answer:
        """The answer to a request; see :func:`rage.house.alone.requests.answer`."""
        return await answer(self._site, self._person, method, path, query, body, language)

    def connect(self, number: int, path: str, query: str) -> None:
        """Open a connection with a new number; ``path`` is ``/ws/`` and the code of a table."""
        line = self._lines[number] = _Line(partial(self._send, number))
        self._site.hub.services.start(self._converse(number, line, path, query.encode()))

    def receive(self, number: int, text: str) -> None:
        """Handle a message of a connection, unless it is closed."""
        if (line := self._lines.get(number)) is not None:
            line.receive(text.encode())

    def disconnect(self, number: int) -> None:
        """End a connection, if it is open."""
        if (line := self._lines.pop(number, None)) is not None:
            line.end()

    async def close(self) -> None:
        """Stop everything, once all decisions are stored."""
        self._site.analyses.close()
        await self._site.hub.close()

    async def _converse(self, number: int, line: _Line, path: str, query: bytes) -> None:
        """Answer the messages of a connection until it ends, then close it. A table that the person
        has left is removed."""
        site, code = self._site, None
        try:
            room = await site.hub.room(read_code(path.removeprefix("/ws/")))
            conversation = Conversation(
                site.hub, room, site.limits, self._person, line, None, screen=False
            )
            line.listen(conversation.on_message)
            since, chat = number_in(query, b"since"), number_in(query, b"chat")
            code = await conversation.run(line.gone, since, chat)
            if code is None and (table := room.table).seq and not table.state.guests:
                await site.hub.remove(room.name)
        except RageError as error:
            code = close_code(error)
        except StoreFailed as error:
            _log.error("no table for a connection: %s", error)
            code = RESTART
        finally:
            self._lines.pop(number, None)
        if code is not None:
            self._close(number, code)


class _Line:
    """The near end of a connection, as :class:`rage.house.tables.client.Connection`."""

    unsent = acknowledged = 0

    def __init__(self, send: Callable[[str], object]) -> None:
        self.gone: Final = asyncio.get_running_loop().create_future()
        self._send = send
        self._early: list[bytes] = []  # messages received before `listen`
        self.receive: Callable[[bytes], None] = self._early.append

    def listen(self, on_message: Callable[[bytes], None]) -> None:
        """Pass on each message, early ones first."""
        self.receive = on_message
        for each in self._early:
            on_message(each)

    def write(self, message: bytes) -> None:
        """Send a message, unless the far end has gone."""
        if not self.gone.done():
            self._send(message.decode())

    def end(self) -> None:
        """Note that the far end has gone."""
        if not self.gone.done():
            self.gone.set_result(None)

    abort = end


class _PublicDays(Keys):
    """Keys whose deals of the day anyone can work out: there is no ranking to spoil, and all such
    houses have the same deals on the same day."""

    def day_seed(self, day: str) -> bytes:
        """The seed of the deals of a day and an edition, such as ``2026-11-27 poof``: the first
        bytes of SHA-256 of ``rage day`` and these two, separated by spaces."""
        return sha256(f"rage day {day}".encode()).digest()[:SEED_BYTES]


class _Unlimited(Limits):
    """Limits that count nothing: a person who asks for too much only delays themselves."""

    def acquire(self, *counted: object, **given: object) -> None:
        """Allow everything: there is no one else to protect."""


class _NoLinks:
    """Links for a house that no other device can reach."""

    base_path = ""

    async def addresses(self) -> list[str]:
        """No addresses: no other device can reach this house."""
        return []

    async def link(self, path: str, url: str, at: str | None = None) -> str:
        """Raise :class:`rage.NotAllowed`: no link leads here from another device."""
        raise NotAllowed("http.alone")

    def image(self, link: str) -> str:
        """Raise :class:`rage.NotAllowed`: there are no links to draw."""
        raise NotAllowed("http.alone")

    image_data = image


async def _look_after(housekeeping: Housekeeping) -> None:
    """Run forever: drop unused tables from memory and, now and then, from the store."""
    minutes = 0
    while True:
        await asyncio.sleep(_TIDY_INTERVAL)
        housekeeping.tidy()
        minutes += 1
        if minutes % (CLEAR_INTERVAL // _TIDY_INTERVAL) == 0:
            await housekeeping.clear()
