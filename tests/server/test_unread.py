"""Answers that nobody reads: the connection is aborted, even if the server has closed it already;
a client that reads slowly is served."""

from __future__ import annotations

import contextlib
import socket
import ssl
import time
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import pytest
import uvicorn

from rage.server.config import Config
from rage.server.wire import http_protocol
from server.conftest import Launch
from server.fronts import certificate
from server.inside import server_in_process
from server.running import STANDSTILL, Running

SMALL = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
LARGE = b"GET /icon-512.png HTTP/1.1\r\nHost: localhost\r\n\r\n"
CLOSED = LARGE.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n")
PAGE = files("rage.server") / "page"
#: What a stranger may send who never reads.
UNREAD = {
    "small": SMALL * 3000,
    "large": LARGE * 40,
    "closed": LARGE * 20 + CLOSED,
    "once and closed": CLOSED,
    "no request": SMALL * 3000 + b"nonsense\r\n\r\n",
}


@pytest.fixture
def short_timeouts(monkeypatch: pytest.MonkeyPatch) -> None:
    """A second instead of fifteen, and little room for what is not read."""
    monkeypatch.setattr(http_protocol, "UNSENT_TIMEOUT", 1.0)
    monkeypatch.setattr(http_protocol, "CHECK_INTERVAL", 0.2)
    monkeypatch.setattr(http_protocol, "SEND_BUFFER", 4096)


@contextlib.contextmanager
def served(folder: Path, loop: str, *, tls: bool) -> Iterator[tuple[int, uvicorn.Server]]:
    """A server of a kind: its port, and its inside."""
    config = Config(folder / "data")
    if tls:
        certificate(folder)
        config = Config(folder / "data", certfile=folder / "cert.pem", keyfile=folder / "key.pem")
    with server_in_process(config, loop=loop) as (url, server, _):
        yield int(url.rpartition(":")[2]), server


def open_socket(port: int, *, tls: bool) -> socket.socket:
    """A connection with little room for answers."""
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    connection.settimeout(20)
    connection.connect(("127.0.0.1", port))
    if not tls:
        return connection
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context.wrap_socket(connection)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("kind", UNREAD)
@pytest.mark.parametrize("tls", [False, True], ids=["plain", "tls"])
@pytest.mark.parametrize("loop", ["uvloop", "asyncio"])
def test_a_client_that_never_reads_is_dropped(
    tmp_path: Path, short_timeouts: None, loop: str, tls: bool, kind: str
) -> None:
    with (
        served(tmp_path, loop, tls=tls) as (port, server),
        open_socket(port, tls=tls) as unread,
    ):
        while not server.server_state.connections:
            time.sleep(0.01)
        unread.settimeout(0.5)
        with contextlib.suppress(TimeoutError, OSError):
            unread.sendall(UNREAD[kind])
        begun = time.monotonic()
        while server.server_state.connections:
            assert time.monotonic() - begun < 4 + STANDSTILL, "not dropped"
            time.sleep(0.05)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("tls", [False, True], ids=["plain", "tls"])
@pytest.mark.parametrize("loop", ["uvloop", "asyncio"])
def test_a_client_that_reads_slowly_is_served(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, loop: str, tls: bool
) -> None:
    """For longer than nothing may be taken, also after the server has closed the connection."""
    monkeypatch.setattr(http_protocol, "UNSENT_TIMEOUT", 0.5 + STANDSTILL)
    monkeypatch.setattr(http_protocol, "CHECK_INTERVAL", 0.2)
    monkeypatch.setattr(http_protocol, "SEND_BUFFER", 8192)
    with served(tmp_path, loop, tls=tls) as (port, _), open_socket(port, tls=tls) as slow:
        begun, answer = time.monotonic(), b""
        slow.sendall(LARGE * 9 + CLOSED)
        while part := slow.recv(4096):
            answer += part
            time.sleep(0.12)
        assert answer.count(b"HTTP/1.1 200 OK") == 10
        assert len(answer) > 10 * Path(str(PAGE / "icon-512.png")).stat().st_size
        assert time.monotonic() - begun > 1 + http_protocol.UNSENT_TIMEOUT


@pytest.mark.long
def test_it_takes_some_fifteen_seconds(launch: Launch) -> None:
    """As a stranger would do it, to a server as it is; who answers late is served meanwhile."""
    server: Running = launch()
    begun = time.monotonic()
    with contextlib.ExitStack() as stack:
        non_readers = [stack.enter_context(open_socket(server.port, tls=False)) for _ in range(50)]
        for one in non_readers:
            one.settimeout(0.2)
            with contextlib.suppress(TimeoutError, OSError):
                one.sendall(LARGE * 60)
        assert server.nobody().get("/healthz").status_code == 200
        left = non_readers
        while left:
            assert time.monotonic() - begun < 60, f"{len(left)} are still there"
            left = [one for one in left if _is_open(one)]
            time.sleep(0.5)
    assert 10 < time.monotonic() - begun < 50


def _is_open(one: socket.socket) -> bool:
    """Whether the system has been told of no end, without a byte being read."""
    return one.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR) == 0 and _state(one) == 1


def _state(one: socket.socket) -> int:
    """The state of a connection: 1 where it is established."""
    return one.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 1)[0]
