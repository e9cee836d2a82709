"""The server as one ASGI application: the door, the API, the page, the WebSocket; and its life."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any, Final, cast

from litestar import Litestar, Request, Response
from litestar.config.compression import CompressionConfig
from litestar.di import Provide
from litestar.exceptions import HTTPException

from rage.say import NotReadable, RageError
from rage.server.api import description, games, health, links, people, rules, tables
from rage.server.api.asking import Site, asker_of
from rage.server.api.routes import Routes
from rage.server.config import Config
from rage.server.errors import NotThere, Problem, problem, status_of
from rage.server.gate import Application, Gate, Receive, Scope, Send, header
from rage.server.hub import DELAY, Hub
from rage.server.identity import Keys
from rage.server.languages import preferred
from rage.server.limits import Limits
from rage.server.page import Page
from rage.server.socket import Socket
from rage.server.sqlite import SqliteStore
from rage.server.store import StoreFailed

Committed = Callable[[float, int], None]
#: The largest body of a request, in bytes.
MAX_BODY: Final = 16_384
#: The file of the embedded store, in the data folder.
STORE: Final = "tables.sqlite"
_log: Final = logging.getLogger(__name__)
ROUTES: Final = (
    people.get_me, people.put_me, people.hand_over, people.take_over,
    tables.open_table, tables.list_tables, tables.get_table,
    games.list_games, games.get_game, games.get_record,
    rules.list_rules, rules.get_rules, rules.find_box,
    links.get_qr, links.get_network,
    health.get_health, health.get_ready,
)  # fmt: skip
#: What is refused before any of our own code is asked, by status.
_REFUSALS: Final = {404: "http.no_route", 405: "http.method", 413: "http.too_large"}


@asynccontextmanager
async def alive(
    config: Config, committed: Committed = lambda took, jobs: None
) -> AsyncIterator[Site]:
    """The store, the hub and the keys of a server, for as long as it runs; ``committed`` is told,
    in the thread that writes, how many seconds each commit took, and for how many. Raises
    :class:`StoreFailed`."""
    store = SqliteStore(config.data / STORE)
    store.commit_seconds = committed
    hub = Hub(store, delay=DELAY if config.bot_delay is None else config.bot_delay)
    sweeping = asyncio.create_task(hub.sweep())
    try:
        secret = config.secret or await store.setting("secret", Keys.new_secret())
        yield Site(config, store, hub, Keys(secret), Limits())
    finally:
        sweeping.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await sweeping
        await hub.close()


def api_of(site: Site) -> Litestar:
    """The HTTP part that answers with JSON."""

    def provide_site() -> Site:
        return site

    return Litestar(
        list(ROUTES),
        dependencies={
            "site": Provide(provide_site, sync_to_thread=False),
            "asker": Provide(asker_of, sync_to_thread=False),
        },
        exception_handlers={
            RageError: _refuse,
            HTTPException: _refuse_early,
            StoreFailed: _unable,
            Exception: _fail,
        },
        openapi_config=description.configured(),
        compression_config=CompressionConfig("gzip", minimum_size=1000, gzip_compress_level=6),
        request_max_body_size=MAX_BODY,
        logging_config=None,
        debug=False,
    )


Asking = Request[Any, Any, Any]


def _answer(request: Asking, error: RageError, status: int) -> Response[Problem]:
    scope: Any = request.scope
    language = preferred(header(scope, b"accept-language"))
    asked = request.query_params.get("lang")
    if asked in ("en", "de", "es"):
        language = asked
    headers = {}
    if status == 429:
        headers["retry-after"] = str(error.reason.params["seconds"])
    return Response(problem(error, language), status_code=status, headers=headers)


def _refuse(request: Asking, error: RageError) -> Response[Problem]:
    """Our own refusals."""
    return _answer(request, error, status_of(error))


def _refuse_early(request: Asking, error: HTTPException) -> Response[Problem]:
    """What cannot be read, or is nowhere."""
    status = error.status_code
    if "disconnected" in error.detail:  # halfway through: nobody reads the answer
        return _answer(request, NotReadable("http.unreadable"), 400)
    if status >= 500:
        return _fail(request, error)
    if code := _REFUSALS.get(status):
        return _answer(request, NotThere(code), status)
    extra: Any = error.extra if isinstance(error.extra, list) else []
    fields = [str(each.get("key", "")) for each in extra if isinstance(each, dict)]
    named = ", ".join(field for field in fields if field not in ("", "data"))
    if named:
        return _answer(request, NotReadable("http.field", field=named), 400)
    return _answer(request, NotReadable("http.unreadable"), 400)


def _unable(request: Asking, error: StoreFailed) -> Response[Problem]:
    """Nothing was stored, so nothing has happened."""
    _log.error("store failed: %s", error)
    return _answer(request, RageError("http.store_failed"), 503)


def _fail(request: Asking, error: Exception) -> Response[Problem]:
    """What must not happen: logged for us, a plain sentence for others."""
    _log.error("request failed", exc_info=error)
    return _answer(request, RageError("http.failed"), 500)


class App:
    """The whole server, which lives from the start of its lifespan to the end."""

    def __init__(self, config: Config) -> None:
        self.config = config
        #: Why it could not begin to live, where it couldn't.
        self.failed: StoreFailed | None = None
        self.site: Site | None = None
        #: What is told of each commit (see :func:`alive`).
        self.committed: Committed = lambda took, jobs: None
        self._gate: Gate | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, carry one WebSocket, or live."""
        if scope["type"] == "lifespan":
            await self._live(receive, send)
        else:
            assert self._gate is not None
            await self._gate(scope, receive, send)

    async def _live(self, receive: Receive, send: Send) -> None:
        await receive()
        try:
            async with alive(self.config, self.committed) as self.site:
                site = self.site
                self._gate = Gate(
                    self.config,
                    api=Routes(ROUTES, cast(Application, api_of(site))),
                    page=Page(self.config.base_path),
                    socket=Socket(site.hub, site.keys, site.limits),
                )
                await send({"type": "lifespan.startup.complete"})
                await receive()
        except StoreFailed as error:
            if self.site is None:
                self.failed = error
                await send({"type": "lifespan.startup.failed", "message": str(error)})
                return
            _log.error("store failed: %s", error)
        await send({"type": "lifespan.shutdown.complete"})
