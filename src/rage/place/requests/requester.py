"""What every route needs to know of a request: who sends it, in which language, from where."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any, Final, NamedTuple, TypeVar

import msgspec
from litestar import Request
from litestar.di import NamedDependency
from litestar.openapi.datastructures import ResponseSpec

from rage.place.analysing import Analyses
from rage.place.errors import Forbidden, Problem
from rage.place.hub import Hub
from rage.place.identity import Keys
from rage.place.languages import language_of
from rage.place.limits import Guess, Limits
from rage.place.live import LiveSheets
from rage.place.store import Store
from rage.place.thinking import Asker
from rage.say import NotAllowed, NotReadable
from rage.server.config import Config, is_loopback, split_host
from rage.server.http.asgi import address_of, header, is_secure
from rage.server.network import Addresses
from rage.table.schema import field_of

T = TypeVar("T")
#: The end of a pattern: ``$`` alone also matches before a final line feed, and JavaScript has no
#: ``\Z``.
END: Final = r"$(?!\n)"


class Site(NamedTuple):
    """What the routes work with. ``day_lock`` is held while a table with the deals of a day is
    opened, of which everybody has one."""

    config: Config
    addresses: Addresses
    store: Store
    hub: Hub
    keys: Keys
    limits: Limits
    analyses: Analyses
    live: LiveSheets
    day_lock: asyncio.Lock


class Requester(NamedTuple):
    """Who sends a request: the person, if a cookie proves one, the language of the answer, the
    address that rate limits count, and the address of this server as the browser knows it."""

    site: Site
    person: str | None
    language: str
    address: str | None
    url: str
    secure: bool

    def require_person(self) -> str:
        """The person. Raises :class:`Forbidden` if no valid cookie was sent."""
        if self.person is None:
            raise Forbidden("http.nobody")
        return self.person

    def rate_limit(self, what: str) -> None:
        """Count this request towards the limits on ``what``. Raises
        :class:`rage.place.errors.TooManyRequests`."""
        self.site.limits.acquire(what, self.address, self.person, time.monotonic())

    def guessing(self, code: str) -> AbstractContextManager[Guess]:
        """See :meth:`Limits.guessing`."""
        return self.site.limits.guessing(code, self.address, self.person)

    async def work(self, piece: Callable[[], T]) -> T:
        """Do what takes a processor for a moment, off the event loop: one at a time of an address,
        in turn with bots and with other addresses."""
        asker = Asker(f"requests from {self.address}", frozenset((self.address,)))
        return await self.site.hub.services.thinking.run(piece, asker)

    async def link(self, path: str, at: str | None = None) -> str:
        """A link to a page of this server that other devices can follow too: if the browser runs
        on this machine, with an address of the local network instead of ``localhost``, or with
        the one it asks for (``at``). Raises :class:`rage.NotAllowed` if it has no such address."""
        config = self.site.config
        if at is not None:
            if at not in await self.site.addresses.get():
                raise NotAllowed("http.no_address", address=at)
            return at + path
        host = split_host(self.url.partition("://")[2])
        if host is not None and is_loopback(host[0]) and not config.is_local_only:
            for each in await self.site.addresses.get():
                return each + path
        return self.url + config.base_path + path


def requester_of(request: Request[Any, Any, Any], site: NamedDependency[Site]) -> Requester:
    """Who sends a request, which is counted towards the limit on all requests. Raises
    :class:`rage.NotReadable` for an unknown language, and
    :class:`rage.place.errors.TooManyRequests`."""
    scope: Any = request.scope
    host = header(scope, b"host")
    requester = Requester(
        site,
        site.keys.authenticate(scope["headers"]),
        language_of(scope["query_string"], header(scope, b"accept-language")),
        address_of(scope),
        f"{scope['scheme']}://{host}",
        is_secure(scope),
    )
    requester.rate_limit("any")
    return requester


class StrictRequest(Request[Any, Any, Any]):
    """A request whose JSON body must be exactly of the type that the route declares; by itself
    Litestar would accept "4" for 4. It passes on a struct as it is, so the body is decoded once."""

    async def json(self) -> Any:
        """The body as an instance of the type of the route's ``data``. Raises
        :class:`rage.NotReadable`, which names the field."""
        declared = self.route_handler.parsed_data_field
        try:
            return msgspec.json.decode(
                await self.body(), type=Any if declared is None else declared.annotation
            )
        except msgspec.ValidationError as error:
            if (field := field_of(error)) is not None:
                raise NotReadable("http.field", field=field) from None
            raise NotReadable("http.unreadable") from None
        except (msgspec.DecodeError, UnicodeError):
            raise NotReadable("http.unreadable") from None


def refusals(*statuses: int) -> dict[int, ResponseSpec]:
    """The refusals that a route may answer with, for the description of the API."""
    always = (400, 403, 429, 503)
    return {
        status: ResponseSpec(Problem, generate_examples=False)
        for status in sorted({*always, *statuses})
    }
