"""A small server in this process, beside what asks it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from functools import partial
from threading import Event, Thread

Answer = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


@contextmanager
def listening(answer: Answer) -> Iterator[int]:
    """The port of a server that answers each connection, in another thread."""
    port, ready = 0, Event()
    end = None

    async def listen() -> None:
        nonlocal end, port
        ended = asyncio.Event()
        end = partial(asyncio.get_running_loop().call_soon_threadsafe, ended.set)
        server = await asyncio.start_server(answer, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        ready.set()
        await ended.wait()
        server.close()  # its connections end with the loop

    thread = Thread(target=asyncio.run, args=(listen(),), daemon=True)
    thread.start()
    ready.wait(10)
    try:
        yield port
    finally:
        if end is not None:
            end()
        thread.join(10)
