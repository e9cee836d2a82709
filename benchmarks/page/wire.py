"""What goes over the wire between a browser and a server, byte by byte."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread
from typing import Final

_REQUEST: Final = re.compile(rb"(?:GET|HEAD|POST|PUT) (\S+) HTTP/1\.1\r\n")


class Wire:
    """A port that hands everything on to a server, and counts it: ``sent`` and ``received`` by the
    browser, by path, with headers, redirects, frames and all."""

    def __init__(self, port: int) -> None:
        self.sent: dict[str, int] = {}
        self.received: dict[str, int] = {}
        self.port = 0
        self._server = port

    async def carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Hand one connection on, both ways, until both have ended."""
        onward = await asyncio.open_connection("127.0.0.1", self._server)
        path = ["?"]
        ways = ((reader, onward[1], self.sent), (onward[0], writer, self.received))
        await asyncio.gather(*(self._pump(*each, path) for each in ways), return_exceptions=True)

    async def _pump(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        count: dict[str, int],
        path: list[str],
    ) -> None:
        """One way of it. A browser asks again on a connection only when it has the answer."""
        try:
            while data := await reader.read(65536):
                if count is self.sent and (request := _REQUEST.match(data)):
                    path[0] = request[1].decode("ascii", "replace").partition("?")[0]
                count[path[0]] = count.get(path[0], 0) + len(data)
                writer.write(data)
                await writer.drain()
        finally:
            writer.close()


@contextmanager
def wire(port: int) -> Iterator[Wire]:
    """A wire to a server's port, on a port of its own."""
    found, ready = Wire(port), Event()
    loop = asyncio.new_event_loop()

    async def listen() -> None:
        server = await asyncio.start_server(found.carry, "127.0.0.1", 0)
        found.port = server.sockets[0].getsockname()[1]
        ready.set()

    def run() -> None:
        loop.run_until_complete(listen())
        loop.run_forever()

    thread = Thread(target=run, daemon=True)
    thread.start()
    ready.wait(10)
    try:
        yield found
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join(10)
