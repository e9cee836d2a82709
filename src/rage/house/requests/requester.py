"""What requests know about their sender: the person, their language and their address."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Final, Generic, NamedTuple, Protocol, TypeVar

from rage.house.base.errors import Forbidden
from rage.house.base.thinking import Asker
from rage.house.contests.events import Events
from rage.house.games.analyses import Analyses
from rage.house.games.shown_sheets import LiveSheets
from rage.house.limits.limiting import Guess, Limits
from rage.house.people.identity import Keys
from rage.house.store.sql import Store
from rage.house.tables.hub import Hub

T = TypeVar("T")
#: The end of a pattern: ``$`` alone also matches before a final line feed, and JavaScript has no
#: ``\Z``.
END: Final = r"$(?!\n)"


class Reply(NamedTuple, Generic[T]):
    """A reply with headers or a status of its own; ``body`` is None for an empty one. ``status``
    replaces the one of its route."""

    body: T | None
    headers: dict[str, str]
    status: int | None = None


class Links(Protocol):
    """How other devices reach this house. ``base_path``: its path on its server."""

    base_path: str

    async def addresses(self) -> list[str]:
        """Where other devices of its networks find it, the likeliest address first."""

    async def link(self, path: str, url: str, at: str | None = None) -> str:
        """A link to a page that other devices can follow too: at the house's ``url`` as the browser
        knows it, at an address of the local network if the browser runs on the same machine, or at
        the requested one (``at``). Raises :class:`rage.NotAllowed` if there is no such address."""

    def image(self, link: str) -> str:
        """A link as a QR code in SVG."""

    def image_data(self, link: str) -> str:
        """A link as a QR code for ``<img src>``."""


class Site(NamedTuple):
    """Everything that the requests work with. ``day_lock`` is held while a table with the deals of
    a day is opened, because each person has only one."""

    links: Links
    store: Store
    hub: Hub
    keys: Keys
    limits: Limits
    analyses: Analyses
    live: LiveSheets
    day_lock: asyncio.Lock
    events: Events


class Requester(NamedTuple):
    """The sender of a request: the person, if a cookie proves one, the language of the answer, the
    address that rate limits count, the address of this server as the browser knows it, and the
    ETags that the browser knows (``known``)."""

    site: Site
    person: str | None
    language: str
    address: str | None
    url: str
    secure: bool
    known: str

    def require_person(self) -> str:
        """The person. Raises :class:`Forbidden` if no valid cookie was sent."""
        if self.person is None:
            raise Forbidden("http.nobody")
        return self.person

    def rate_limit(self, what: str) -> None:
        """Count this request towards the limits on ``what``. Raises
        :class:`rage.house.base.errors.TooManyRequests`."""
        self.site.limits.acquire(what, self.address, self.person, time.monotonic())

    def guessing(self, code: str) -> AbstractContextManager[Guess]:
        """See :meth:`Limits.guessing`."""
        return self.site.limits.guessing(code, self.address, self.person)

    async def work(self, piece: Callable[[], T]) -> T:
        """Do work that takes a processor for a moment, off the event loop: one piece of an address
        at a time, in turn with bots and with other addresses."""
        asker = Asker(f"requests from {self.address}", frozenset((self.address,)))
        return await self.site.hub.services.thinking.run(piece, asker)

    async def link(self, path: str, at: str | None = None) -> str:
        """A link to a page of this house that other devices can follow too; see
        :meth:`Links.link`."""
        return await self.site.links.link(path, self.url, at)
