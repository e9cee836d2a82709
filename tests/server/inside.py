"""A server in this very process, on a real socket, whose clock and chance a test can hold."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec
import uvicorn

from rage.server import index
from rage.server.app import STORE, App
from rage.server.config import Config
from rage.server.run import bind, uvicorn_config
from rage.server.sqlite import SqliteStore
from rage.server.store import Append, Row
from rage.table import Event, Table


@contextlib.contextmanager
def living(config: Config, **options: object) -> Iterator[tuple[str, uvicorn.Server, App]]:
    """A server with these settings on a free port: its address, and its inside. ``options`` are
    uvicorn's, instead of ours."""
    sockets = bind(config.host, 0)
    app = App(config)
    settings = uvicorn_config(app, config)
    for name, value in options.items():
        setattr(settings, name, value)
    server = uvicorn.Server(settings)
    thread = threading.Thread(target=server.run, args=(sockets,))
    thread.start()
    try:
        while not server.started:
            assert thread.is_alive(), app.failed
            threading.Event().wait(0.01)
        yield f"http://127.0.0.1:{sockets[0].getsockname()[1]}", server, app
    finally:
        server.should_exit = True
        thread.join(20)
        assert not thread.is_alive()


@contextlib.contextmanager
def serving(config: Config) -> Iterator[str]:
    """A server with these settings on a free port; its address."""
    with living(config) as (url, _, _):
        yield url


def keep(data: Path, tables: Iterable[tuple[str, list[Event]]]) -> None:
    """Store tables as they are after these events, for a server that is started later."""

    async def store_all() -> None:
        data.mkdir(parents=True, exist_ok=True)
        store = SqliteStore(data / STORE)
        await asyncio.gather(*(store.append(_append(name, log)) for name, log in tables))
        await store.close()

    asyncio.run(store_all())


def _append(name: str, log: list[Event]) -> Append:
    table = Table.from_events(log)
    rows = [Row(event.seq, event.at, msgspec.json.encode(event.as_data())) for event in log]
    return Append(name, tuple(rows), index.of(table, table.state.at))
