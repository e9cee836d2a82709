"""A host of files far away: every answer is late, and all of them share one line."""

from __future__ import annotations

import asyncio
import mimetypes
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from lab.benchmarks.page.listening import listening

#: The line of a phone: bytes a second, and seconds until an answer begins.
RATE: Final = 10_000_000 / 8
DELAY: Final = 0.05
#: Bytes that are sent at once.
_PIECE: Final = 8192
_TYPES: Final = {".mjs": "text/javascript", ".wasm": "application/wasm"}
_CODINGS: Final = {"br": "br", "gzip": "gz"}


class Host:
    """Sends the files of a ``folder`` below ``/rage/``, compressed with ``coding`` where such a
    form lies beside them; ``received`` counts the bytes of each path."""

    def __init__(self, folder: Path, coding: str) -> None:
        self.received: dict[str, int] = {}
        self.port = 0
        self._folder, self._coding = folder, coding
        self._free = 0.0  # when the line is

    @property
    def address(self) -> str:
        """Where the folder is."""
        return f"http://127.0.0.1:{self.port}/rage/"

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer all requests of a connection."""
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                path = head.split(b" ", 2)[1].decode().partition("?")[0]
                await asyncio.sleep(DELAY)
                await self._send(writer, path, self._response(path))
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    def _response(self, path: str) -> bytes:
        file = self._folder / path.removeprefix("/rage/")
        file = file / "index.html" if file.is_dir() else file
        status = "200 OK" if file.is_file() else "404 Not Found"
        file = file if file.is_file() else self._folder / "404.html"
        kind = _TYPES.get(file.suffix) or mimetypes.guess_type(file.name)[0] or "text/plain"
        packed = file.with_name(f"{file.name}.{_CODINGS[self._coding]}")
        headers = [f"HTTP/1.1 {status}", f"Content-Type: {kind}", "Cache-Control: max-age=600"]
        if packed.is_file():
            headers.append(f"Content-Encoding: {self._coding}")
        body = (packed if packed.is_file() else file).read_bytes()
        return "\r\n".join([*headers, f"Content-Length: {len(body)}", "", ""]).encode() + body

    async def _send(self, writer: asyncio.StreamWriter, path: str, data: bytes) -> None:
        self.received[path] = self.received.get(path, 0) + len(data)
        clock = asyncio.get_running_loop().time
        for start in range(0, len(data), _PIECE):
            piece = data[start : start + _PIECE]
            self._free = max(self._free, clock()) + len(piece) / RATE
            await asyncio.sleep(self._free - clock())
            writer.write(piece)
        await writer.drain()


@contextmanager
def far_host(folder: Path, coding: str) -> Iterator[Host]:
    """A host of the files of a folder."""
    host = Host(folder, coding)
    with listening(host.answer) as host.port:
        yield host
