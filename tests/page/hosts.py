"""Plain hosts of files, for the folder that plays without a server."""

from __future__ import annotations

import gzip
import mimetypes
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

FOLDER: Final = Path(__file__).parents[2] / "build" / "alone"
#: What hosts compress that compress at all: text, and often WebAssembly.
_COMPRESSED: Final = (".html", ".js", ".mjs", ".css", ".json", ".svg", ".wasm", ".webmanifest")


class Host:
    """Serves the files of ``folder`` below ``base``, without any headers of its own.

    Two kinds stand for most: ``pages`` is like GitHub Pages, in a sub-path, with text compressed
    and a slash added to the address of a folder; a ``bare`` one knows neither compression nor the
    types of what is new, and takes a folder without its slash. Both answer what is not there with
    404.html, unless it is ``lenient``: then with the start, as if that were there; and it has
    browsers keep for good what they get by a name with a hash.
    """

    def __init__(self, folder: Path = FOLDER, base: str = "/rage/", *, bare: bool = False) -> None:
        self.folder, self.base, self.bare = folder, base, bare
        self.lenient = False
        #: Whether it sends compressed files that lie beside the others, as ``gzip_static`` does.
        self.precompressed = False
        #: While it is not set, it sends no more than the beginning of Python's files.
        self.sending = threading.Event()
        self.sending.set()
        #: The paths that were asked for, and how many bytes were sent for each answer.
        self.asked: list[tuple[str, int]] = []
        self._server: ThreadingHTTPServer | None = None
        self._port = 0
        self.open()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._port}{self.base}"

    def open(self) -> None:
        """Answer, on the same port as before if there is one."""
        host = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                host._answer(self)

            def log_message(self, format: str, *args: object) -> None:  # noqa: A002
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", self._port), Handler)
        self._server.daemon_threads = True
        self._port = self._server.server_port
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()

    def close(self) -> None:
        """Answer nobody, as if there were no network."""
        if self._server is not None:
            self._server.shutdown()
            self._server.server_close()
            self._server = None

    def _answer(self, request: BaseHTTPRequestHandler) -> None:
        if self._server is None:  # a connection that was kept alive
            request.close_connection = True
            return
        path, query = unquote(urlsplit(request.path).path), urlsplit(request.path).query
        name = path.removeprefix(self.base) if path.startswith(self.base) else "../nowhere"
        file = self.folder / name
        if file.is_dir() and not path.endswith("/") and not self.bare:
            self._send(request, 301, b"", [("Location", f"{path}/{query and '?'}{query}")])
            return
        if file.is_dir():
            file /= "index.html"
        status = 200 if ".." not in name and file.is_file() else 404
        if status == 404:
            status = 200 if self.lenient else 404
            file = self.folder / ("index.html" if self.lenient else "404.html")
        kind = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
        if self.bare and file.suffix in (".mjs", ".wasm"):
            kind = "application/octet-stream"
        headers, body = [("Content-Type", kind)], file.read_bytes()
        accepts = "gzip" in request.headers.get("Accept-Encoding", "")
        beside = file.with_name(f"{file.name}.gz")
        if self.precompressed and accepts and beside.is_file():
            headers.append(("Content-Encoding", "gzip"))
            self._send(request, status, beside.read_bytes(), headers)
            return
        if not self.bare and accepts and file.suffix in _COMPRESSED:
            headers.append(("Content-Encoding", "gzip"))
            body = gzip.compress(body, 6)
        if self.lenient and name.startswith(("assets/", "python/")):
            headers.append(("Cache-Control", "public, max-age=31536000, immutable"))
        self._send(request, status, body, headers)

    def _send(
        self,
        request: BaseHTTPRequestHandler,
        status: int,
        body: bytes,
        headers: list[tuple[str, str]],
    ) -> None:
        self.asked.append((request.path, len(body)))
        request.send_response(status)
        for name, value in [*headers, ("Content-Length", str(len(body)))]:
            request.send_header(name, value)
        request.end_headers()
        try:
            if "/python/" in request.path:
                request.wfile.write(body[:1000])
                self.sending.wait(60)
                body = body[1000:]
            request.wfile.write(body)
        except OSError:  # who asked has left
            request.close_connection = True
