"""A proxy that counts the bytes between a browser and a server."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from lab.benchmarks.page.listening import listening

_REQUEST: Final = re.compile(rb"(?:GET|HEAD|POST|PUT) (\S+) HTTP/1\.1\r\n")


class CountingProxy:
    """Forwards everything from its port to a server, and counts the bytes: ``sent`` and
    ``received`` by the browser, by path, with headers, redirects and frames."""

    def __init__(self, port: int) -> None:
        self.sent: dict[str, int] = {}
        self.received: dict[str, int] = {}
        self.port = 0
        self._server = port

    async def forward(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Forward one connection, in both directions, until both have ended."""
        upstream = await asyncio.open_connection("127.0.0.1", self._server)
        path = ["?"]
        ways = ((reader, upstream[1], self.sent), (upstream[0], writer, self.received))
        await asyncio.gather(*(self._pump(*each, path) for each in ways), return_exceptions=True)

    async def _pump(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        count: dict[str, int],
        path: list[str],
    ) -> None:
        """Forward one direction. A browser sends the next request on a connection only after the
        response to the last, so the bytes belong to the path of the last request."""
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
def counting_proxy(port: int) -> Iterator[CountingProxy]:
    """A counting proxy for a server's port, on its own port."""
    proxy = CountingProxy(port)
    with listening(proxy.forward) as proxy.port:
        yield proxy
