"""A server in this process, on a real socket, whose clock and randomness a test can control."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import uvicorn

from rage.house.store import Append, Row
from rage.house.tables import index
from rage.server.app import App
from rage.server.config import Config
from rage.server.run import bind, uvicorn_config
from rage.server.stores import open_store
from rage.table import Event, Table, write_event


@contextlib.contextmanager
def server_in_process(
    config: Config, **options: object
) -> Iterator[tuple[str, uvicorn.Server, App]]:
    """A server with these settings on a free port: its address, and its inside. ``options``
    relocation those that uvicorn is given."""
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
def server_url(config: Config) -> Iterator[str]:
    """A server with these settings on a free port; its address."""
    with server_in_process(config) as (url, _, _):
        yield url


async def store_tables(
    location: Path | str,
    tables: Iterable[tuple[str, list[Event]]],
    names: Mapping[str, str] | None = None,
) -> None:
    """Store tables with these events, and the names of persons, in a data folder or a database, for
    servers that are started later."""
    if isinstance(location, Path):
        location.mkdir(parents=True, exist_ok=True)
    store = await open_store(location)
    await asyncio.gather(*(store.append(_append(code, log)) for code, log in tables))
    for person, name in (names or {}).items():
        await store.keep_profile(person, name)
    await store.close()


def _append(code: str, log: list[Event]) -> Append:
    table = Table.from_events(log)
    rows = tuple(Row(event.seq, event.at, write_event(event)) for event in log)
    return Append(code, rows, index.derive(table, table.state.at), index.finished_games(table, log))
