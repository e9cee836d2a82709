"""The server as one ASGI application: the gate, the API, the page, the WebSocket; and its life."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any, Final, cast

from litestar import Litestar, Request, Response
from litestar.config.compression import CompressionConfig
from litestar.di import Provide
from litestar.exceptions import HTTPException

from rage.bots.learned import usable_network
from rage.place.analysing import Analyses
from rage.place.codes import set_fingerprint_secret
from rage.place.errors import NotFound, Problem, problem, status_of
from rage.place.housekeeping import Housekeeping
from rage.place.hub import Hub
from rage.place.identity import Keys
from rage.place.languages import answer_language
from rage.place.limits import CONNECTIONS, Limits
from rage.place.live import LiveSheets
from rage.place.requests import (
    advice,
    again,
    analysis,
    games,
    health,
    links,
    people,
    rules,
    shared,
    sheets,
    tables,
)
from rage.place.requests.requester import Site, StrictRequest, requester_of
from rage.place.services import BOT_DELAY, Services
from rage.place.sessions import Sessions
from rage.place.store import Store, StoreFailed
from rage.say import NotReadable, RageError
from rage.server import logs
from rage.server.bot_pool import BotPool
from rage.server.config import Config
from rage.server.http import description
from rage.server.http.asgi import Application, Receive, Scope, Send, header
from rage.server.http.gate import Gate
from rage.server.http.page import Page
from rage.server.http.routes import Routes
from rage.server.http.seats import Seats
from rage.server.http.socket import Socket
from rage.server.network import Addresses
from rage.server.store_threads import sqlite_store
from rage.server.wire.slots import Slots

OnCommit = Callable[[float, int], None]
#: The largest body of a request, in bytes.
MAX_BODY: Final = 16_384
#: The file of the embedded store, in the data folder.
STORE: Final = "tables.sqlite"
_log: Final = logging.getLogger(__name__)
ROUTES: Final = (
    people.get_me, people.put_me, people.end_sessions, people.hand_over, people.take_over,
    tables.open_table, tables.list_tables, tables.get_table,
    games.list_games, games.get_game, games.get_record, advice.get_advice,
    shared.open_game, analysis.analyse_game, analysis.get_analysis,
    again.play_again, again.list_same, again.get_day, again.play_day,
    rules.list_rules, rules.get_rules, rules.find_box,
    sheets.keep_sheet, sheets.stop_sheet, sheets.free_player,
    sheets.get_sheet, sheets.join_sheet, sheets.bid_on_sheet,
    links.get_qr, links.get_network,
    health.get_health, health.get_ready,
)  # fmt: skip
#: What Litestar refuses before any of our own code runs, by status.
_REFUSALS: Final = {404: "http.no_route", 405: "http.method", 413: "http.too_large"}


@asynccontextmanager
async def running(
    config: Config, on_commit: OnCommit = lambda took, jobs: None
) -> AsyncIterator[Site]:
    """The store, the hub and the keys of a server while it runs. ``on_commit`` is called, in the
    writer thread, with the seconds that each commit took and how many jobs it had. Raises
    :class:`StoreFailed`."""
    store = sqlite_store(config.data / STORE)
    store.writer.on_commit = on_commit
    delay = BOT_DELAY if config.bot_delay is None else config.bot_delay
    people = config.people_per_address
    services = Services(store, BotPool(), delay=delay, people=people)
    hub = Hub(services)
    store.now = services.now
    analyses = Analyses(services.thinking)
    housekeeping = Housekeeping(hub, config.keep, config.max_store, logs.report_left_out)
    services.start(housekeeping.sweep())
    services.start(_check(store))
    try:
        secret = config.secret or await store.setting("secret", Keys.new_secret())
        set_fingerprint_secret(secret)
        keys = Keys(secret, Sessions(await store.sessions()))
        await asyncio.to_thread(usable_network)  # or all would wait while it is read for a bot
        limits, live = Limits(people), LiveSheets(services.now, people)
        lock = asyncio.Lock()
        yield Site(config, Addresses(config), store, hub, keys, limits, analyses, live, lock)
    finally:
        analyses.close()
        await hub.close()


async def _check(store: Store) -> None:
    """Log what is wrong with the store, and where the manual says what to do. The server starts
    anyway: one broken table must not stop the others."""
    for each in await asyncio.to_thread(store.problems):
        _log.error("the store is damaged: %s (docs/hosting.md: If the store is damaged)", each)


def api_of(site: Site) -> Litestar:
    """The part of the application that answers with JSON."""

    def provide_site() -> Site:
        return site

    return Litestar(
        list(ROUTES),
        request_class=StrictRequest,
        dependencies={
            "site": Provide(provide_site, sync_to_thread=False),
            "requester": Provide(requester_of, sync_to_thread=False),
        },
        exception_handlers={
            RageError: _refuse,
            HTTPException: _refuse_early,
            StoreFailed: _refuse_store_failure,
            Exception: _fail,
        },
        openapi_config=description.openapi_config(),
        compression_config=CompressionConfig("gzip", minimum_size=1000, gzip_compress_level=6),
        request_max_body_size=MAX_BODY,
        logging_config=None,
        debug=False,
    )


ApiRequest = Request[Any, Any, Any]


def _answer(request: ApiRequest, error: RageError, status: int) -> Response[Problem]:
    scope: Any = request.scope
    language = answer_language(scope["query_string"], header(scope, b"accept-language"))
    headers = {}
    if status == 429:
        headers["retry-after"] = str(error.reason.params["seconds"])
    return Response(problem(error, language), status_code=status, headers=headers)


def _refuse(request: ApiRequest, error: RageError) -> Response[Problem]:
    """Our own errors."""
    return _answer(request, error, status_of(error))


def _refuse_early(request: ApiRequest, error: HTTPException) -> Response[Problem]:
    """Errors that Litestar raises itself: unreadable requests, and paths that don't exist."""
    status = error.status_code
    if "disconnected" in error.detail:  # halfway through: nobody reads the answer
        return _answer(request, NotReadable("http.unreadable"), 400)
    if status >= 500:
        return _fail(request, error)
    if code := _REFUSALS.get(status):
        return _answer(request, NotFound(code), status)
    extra: Any = error.extra if isinstance(error.extra, list) else []
    fields = [str(each.get("key", "")) for each in extra if isinstance(each, dict)]
    named = ", ".join(field for field in fields if field not in ("", "data"))
    if named:
        return _answer(request, NotReadable("http.field", field=named), 400)
    return _answer(request, NotReadable("http.unreadable"), 400)


def _refuse_store_failure(request: ApiRequest, error: StoreFailed) -> Response[Problem]:
    """The store has failed, so nothing has happened."""
    _log.error("store failed: %s", error)
    return _answer(request, RageError("http.store_failed"), 503)


def _fail(request: ApiRequest, error: Exception) -> Response[Problem]:
    """A bug: the log has the details, the answer a plain sentence."""
    _log.error("request failed", exc_info=error)
    return _answer(request, RageError("http.failed"), 500)


class App:
    """The whole server, from the start of its lifespan to the end."""

    def __init__(self, config: Config) -> None:
        self.config = config
        #: Why it could not start, or could store nothing at the end.
        self.failed: StoreFailed | None = None
        self.site: Site | None = None
        per_address = config.people_per_address * CONNECTIONS
        self.slots = Slots(config.max_connections, per_address, config.proxies)
        #: Called for each commit (see :func:`running`).
        self.on_commit: OnCommit = lambda took, jobs: None
        self._gate: Gate | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, serve one WebSocket, or run the lifespan."""
        if scope["type"] == "lifespan":
            await self._run(receive, send)
        else:
            assert self._gate is not None
            await self._gate(scope, receive, send)

    async def _run(self, receive: Receive, send: Send) -> None:
        await receive()
        try:
            async with running(self.config, self.on_commit) as self.site:
                site = self.site
                self._gate = Gate(
                    self.config,
                    self.slots,
                    site.limits,
                    Seats(site.hub, site.keys, site.limits),
                    api=Routes(ROUTES, cast(Application, api_of(site))),
                    page=Page(self.config.base_path),
                    socket=Socket(site.hub, site.keys, site.limits),
                )
                await send({"type": "lifespan.startup.complete"})
                await receive()
                await site.store.prove()  # or nobody may say that everything is kept
        except StoreFailed as error:
            self.failed = error
            if self.site is None:
                await send({"type": "lifespan.startup.failed", "message": str(error)})
                return
            _log.error("store failed: %s", error)
        await send({"type": "lifespan.shutdown.complete"})
