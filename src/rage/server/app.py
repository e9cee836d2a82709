"""The server as one ASGI application: the gate, the API, the page, the WebSocket, the lifespan."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Final

from rage.bots.learned import usable_network
from rage.house.base.codes import set_fingerprint_secret
from rage.house.contests.events import Events
from rage.house.games.analyses import Analyses
from rage.house.games.shown_sheets import LiveSheets
from rage.house.limits import CONNECTIONS
from rage.house.limits.limiting import Limits
from rage.house.operating.housekeeping import Housekeeping
from rage.house.operating.orders import Operator
from rage.house.people.identity import Keys, Sessions
from rage.house.requests.requester import Site
from rage.house.store import StoreFailed
from rage.house.store.sql import Store
from rage.house.tables.hub import Hub
from rage.house.tables.services import BOT_DELAY, Services
from rage.say import sentence
from rage.server import logs
from rage.server.asgi import Receive, Scope, Send
from rage.server.config import Config
from rage.server.http.api import Api
from rage.server.http.gate import Gate
from rage.server.http.open_sockets import OpenSockets
from rage.server.http.page import Page
from rage.server.http.players import Players
from rage.server.http.preview import Preview
from rage.server.http.table_socket import Socket
from rage.server.network import Links
from rage.server.stores import open_store
from rage.server.work.bot_pool import BotPool

OnCommit = Callable[[float, int], None]
#: Seconds between two measurements of how late the event loop is.
LAG_INTERVAL: Final = 0.1
_log: Final = logging.getLogger(__name__)


@asynccontextmanager
async def running(
    config: Config, on_commit: OnCommit = lambda took, jobs: None
) -> AsyncIterator[Site]:
    """Run the store, the hub and the keys of a server. ``on_commit`` is called for each commit with
    the seconds it took and its number of jobs. Raises :class:`StoreFailed`."""
    store = await open_store(config.store or config.data, name=config.name)
    store.on_commit = on_commit
    delay = BOT_DELAY if config.bot_delay is None else config.bot_delay
    people = config.people_per_address
    services = Services(store, BotPool(config.thinking), delay=delay, people=people)
    hub = Hub(services)
    store.now = services.now
    analyses = Analyses(services.thinking)
    housekeeping = Housekeeping(hub, config.keep, config.max_store, logs.report_left_out)
    services.start(housekeeping.sweep())
    services.start(_check(store))
    try:
        # Stored in any case: it also tells which store a backup is of.
        stored = await store.setting("secret", Keys.new_secret())
        secret = config.secret or stored
        set_fingerprint_secret(secret)
        keys = Keys(secret, Sessions(await store.sessions()))
        store.on_ended = keys.sessions.end
        operator = Operator(hub, keys)
        await operator.look()  # the store may be read-only
        services.start(operator.watch())
        await asyncio.to_thread(usable_network)  # or everyone would wait while a bot reads it
        limits, live = Limits(people, config.limits), LiveSheets(services.now, people)
        lock, events = asyncio.Lock(), Events(store, hub, keys)
        yield Site(Links(config), store, hub, keys, limits, analyses, live, lock, events)
    finally:
        analyses.close()
        await hub.close()


async def _check(store: Store) -> None:
    """Log the problems of the store, with a pointer to the manual. The server starts anyway: one
    broken table must not stop the others."""
    try:
        problems = await store.problems()
    except StoreFailed as error:
        _log.warning("the store was not checked: %s", error)
        return
    for each in problems:
        said = sentence(each)
        _log.error("the store is damaged: %s (docs/hosting.md: If the store is damaged)", said)


async def _watch(on_lag: Callable[[float], None]) -> None:
    """Keep measuring how late the event loop is."""
    while True:
        begun = time.perf_counter()
        await asyncio.sleep(LAG_INTERVAL)
        on_lag(time.perf_counter() - begun - LAG_INTERVAL)


class App:
    """The whole server, from startup to shutdown."""

    def __init__(self, config: Config) -> None:
        self.config = config
        #: Why it could not start, or could not store anything at the end.
        self.failed: StoreFailed | None = None
        self.site: Site | None = None
        #: Called for each commit (see :func:`running`).
        self.on_commit: OnCommit = lambda took, jobs: None
        #: Called with the seconds a move took, from its message to the answer.
        self.on_move: Callable[[float], None] = lambda took: None
        #: Called ten times a second with the seconds by which the event loop is late.
        self.on_lag: Callable[[float], None] | None = None
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
                site.hub.services.counts.on_move = self.on_move
                if self.on_lag is not None:
                    site.hub.services.start(_watch(self.on_lag))
                per_address = self.config.people_per_address * CONNECTIONS
                self._gate = Gate(
                    self.config,
                    OpenSockets(self.config.max_connections, per_address),
                    site.limits,
                    Players(site.hub, site.keys, site.limits),
                    api=Api(site),
                    page=Page(
                        self.config.base_path,
                        preview=Preview(site),
                        notices=self.config.notices,
                    ),
                    socket=Socket(site.hub, site.keys, site.limits),
                )
                await send({"type": "lifespan.startup.complete"})
                await receive()
                await site.store.check_writable()  # or it cannot claim that everything is kept
        except StoreFailed as error:
            self.failed = error
            if self.site is None:
                await send({"type": "lifespan.startup.failed", "message": str(error)})
                return
            _log.error("store failed: %s", error)
        await send({"type": "lifespan.shutdown.complete"})
