"""What every route is told of a request: who asks, in which language, from where."""

from __future__ import annotations

import re
import time
from collections.abc import Awaitable, Callable
from typing import Any, Final, NamedTuple

import msgspec
from litestar import Request
from litestar.di import NamedDependency
from litestar.openapi.datastructures import ResponseSpec
from msgspec import Struct

from rage.say import NotReadable
from rage.server.config import Config, is_loopback, split_host
from rage.server.errors import NotYours, Problem
from rage.server.gate import header, is_secure
from rage.server.hub import Hub
from rage.server.identity import Keys
from rage.server.languages import language_of
from rage.server.limits import Limits, counted
from rage.server.network import addresses
from rage.server.store import Store

#: The field that a message of msgspec names, or the one that it doesn't know or misses.
_FIELD: Final = re.compile(r"`(?:\$\.([\w.\[\]]+))`|field `(\w+)`")


class Site(NamedTuple):
    """What the routes work with."""

    config: Config
    store: Store
    hub: Hub
    keys: Keys
    limits: Limits


class Asker(NamedTuple):
    """Who asks: the person, if a cookie proves one, the language of the answer, the address that
    limits count, and the address of this server as the browser has it."""

    site: Site
    person: str | None
    language: str
    address: str | None
    url: str
    secure: bool

    def known(self) -> str:
        """The person. Raises :class:`NotYours` where there is no cookie."""
        if self.person is None:
            raise NotYours("http.nobody")
        return self.person

    def take(self, what: str) -> None:
        """Count this request. Raises :class:`rage.server.errors.TooMany`."""
        self.site.limits.take(what, self.address, self.person, time.monotonic())

    def link(self, path: str) -> str:
        """The link to a page of this server that other devices can follow, too: where the
        browser speaks to this very machine, by an address of its network."""
        config = self.site.config
        host = split_host(self.url.partition("://")[2])
        if host is not None and is_loopback(host[0]) and not config.listens_here_alone:
            for each in addresses(config):
                return each + path
        return self.url + config.base_path + path


def asker_of(request: Request[Any, Any, Any], site: NamedDependency[Site]) -> Asker:
    """Who sends a request, which counts. Raises :class:`rage.NotReadable` for a language that
    there is not, and :class:`rage.server.errors.TooMany`."""
    scope: Any = request.scope
    client = scope.get("client") or ("", 0)
    proxied = bool(header(scope, b"x-forwarded-for"))
    host = header(scope, b"host")
    asker = Asker(
        site,
        site.keys.asker(scope["headers"]),
        language_of(scope["query_string"], header(scope, b"accept-language")),
        counted(client[0], direct=not proxied),
        f"{scope['scheme']}://{host}",
        is_secure(scope),
    )
    asker.take("any")
    return asker


def strictly(kind: type[Struct]) -> Callable[[Request[Any, Any, Any]], Awaitable[None]]:
    """A check, before a route is asked, that the body is of a kind to the letter: Litestar by
    itself would take "4" for 4. Raises :class:`rage.NotReadable`, which names the field."""
    decoder = msgspec.json.Decoder(kind)

    async def check(request: Request[Any, Any, Any]) -> None:
        try:
            decoder.decode(await request.body())
        except msgspec.ValidationError as error:
            found = _FIELD.search(str(error))
            field = found and (found[1] or found[2])
            if field:
                raise NotReadable("http.field", field=field) from None
            raise NotReadable("http.unreadable") from None
        except (msgspec.DecodeError, UnicodeError):
            raise NotReadable("http.unreadable") from None

    return check


def refusals(*statuses: int) -> dict[int, ResponseSpec]:
    """The refusals that a route may answer with, for the description of the API."""
    always = (400, 403, 429, 503)
    return {
        status: ResponseSpec(Problem, generate_examples=False)
        for status in sorted({*always, *statuses})
    }
