"""How many connections and WebSockets there may be, and how many requests an address may make."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from rage.house.base.errors import ServerFull, TooManyRequests
from rage.server import app, run
from rage.server.config import Config
from rage.server.http.open_sockets import OpenSockets
from rage.server.wire.http import SPARE
from server.conftest import Launch
from server.inside import server_in_process
from server.raw_client import RawClient
from server.running import Running, open_table, people
from server.table_client import cookie

NINE = "X-Forwarded-For: 203.0.113.9\r\n"


@contextlib.contextmanager
def connections(port: int, count: int) -> Iterator[None]:
    """Connections that say nothing."""
    with contextlib.ExitStack() as stack:
        for _ in range(count):
            stack.enter_context(socket.create_connection(("127.0.0.1", port), 10))
        time.sleep(0.3)
        yield


def test_an_address_has_only_so_many_and_twice_as_many_with_seats() -> None:
    found = OpenSockets(10, 2)
    for _ in range(2):
        found.add("192.0.2.1")
    with pytest.raises(TooManyRequests):
        found.add("192.0.2.1")
    found.add("192.0.2.2")
    for _ in range(2):
        found.add("192.0.2.1", seated=True)
    with pytest.raises(TooManyRequests):
        found.add("192.0.2.1", seated=True)
    for _ in range(5):  # this machine itself
        found.add(None)
    with pytest.raises(ServerFull):
        found.add("192.0.2.3")
    found.remove("192.0.2.1")
    found.add("192.0.2.3")


def test_a_line_does_not_have_all_places_and_strangers_not_the_last_ones() -> None:
    found = OpenSockets(1000, 50)
    for networks, most in ((1, 50), (256, 200), (65_536, 500)):
        taken = 0
        for number in range(1000):
            with contextlib.suppress(TooManyRequests):
                found.add(f"2001:db8:0:{number % networks:x}::/64")
                taken += 1
        assert taken == most
        found = OpenSockets(1000, 50)
    for number in range(950):
        found.add(f"192.0.{number // 250}.{number % 250}")
    with pytest.raises(ServerFull):
        found.add("198.51.100.1")
    found.add("198.51.100.1", seated=True)


def test_a_server_that_is_full_says_so(launch: Launch) -> None:
    server: Running = launch("--max-connections", "12")
    who = []
    for _ in range(12):
        with contextlib.closing(server.someone()) as person:
            table = open_table(person)
            who.append(cookie(person))
    with contextlib.ExitStack() as stack:
        for each in who:
            assert stack.enter_context(RawClient(server.url, table, each)).handshake_status == 101
        with RawClient(server.url, table, who[0]) as late:
            assert late.handshake_status == 503
        with RawClient(
            server.url, table, who[0], more="Accept-Language: de\r\n", wait=False
        ) as late:
            late.send(late.request)
            late.socket.settimeout(5)
            answer = late.socket.makefile("rb").read()
            assert b"http.full" in answer
            assert b"Mehr Besuch" in answer
            assert b"\r\nretry-after: 10\r\n" in answer.lower()
            assert b"content-security-policy" in answer.lower()
        assert httpx.get(f"{server.url}/healthz").status_code == 503
    time.sleep(0.5)
    with connections(server.port, 11):
        assert httpx.get(f"{server.url}/healthz").status_code == 200
    with connections(server.port, 12):
        assert httpx.get(f"{server.url}/healthz").status_code == 503
    here = ("127.0.0.1", server.port)
    with connections(server.port, 13 + SPARE), socket.create_connection(here, 5) as ignored:
        assert ignored.recv(1) == b""
    assert httpx.get(f"{server.url}/healthz").status_code == 200


def test_behind_a_proxy_clients_are_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each address may have a limited number of tables open at once. Players with a seat get in."""
    monkeypatch.setattr(app, "CONNECTIONS", 2)
    config = Config(tmp_path / "data", people_per_address=1, proxies=("127.0.0.1",))
    with (
        server_in_process(config) as (url, _, _),
        people(url, "Ann", "Eve") as (ann, eve),
    ):
        at, who = (open_table(ann), cookie(ann)), cookie(eve)
        with RawClient(url, at[0], who, more=NINE) as one, RawClient(url, *at, more=NINE) as two:
            assert (one.handshake_status, two.handshake_status) == (101, 101)
            with RawClient(url, at[0], who, more=NINE, wait=False) as refused:
                refused.send(refused.request)
                assert b"http.too_many_connections" in refused.socket.makefile("rb").read()
            with RawClient(url, *at, more=NINE) as seated:
                assert seated.handshake_status == 101
            with RawClient(url, at[0], who, more="X-Forwarded-For: 2001:db8::7\r\n") as other:
                assert other.handshake_status == 101
        time.sleep(0.5)
        with RawClient(url, at[0], who, more=NINE) as again:
            assert again.handshake_status == 101


@pytest.mark.sampled(2)
@pytest.mark.parametrize("path", ["/", "/no/such/page"])
def test_pages_are_rate_limited_too(launch: Launch, path: str) -> None:
    server: Running = launch("--proxy", "127.0.0.1")
    head = f"HEAD {path} HTTP/1.1\r\nHost: localhost\r\n{NINE}"
    sent = (head + "\r\n") * 1880 + (head.replace("HEAD", "GET") + "\r\n") * 20
    sent += head + "Connection: close\r\n\r\n"
    begun = time.monotonic()
    with socket.create_connection(("127.0.0.1", server.port), 60) as one:
        writing = threading.Thread(target=one.sendall, args=(sent.encode(),))
        writing.start()
        answer = one.makefile("rb").read()
        writing.join()
    usual = b"HTTP/1.1 200" if path == "/" else b"HTTP/1.1 404"
    most = 1500 + 50 * (time.monotonic() - begun) + 1
    assert 1500 <= answer.count(usual) <= most
    assert answer.count(usual) + answer.count(b"HTTP/1.1 429") == 1901
    assert b"retry-after: 1\r\n" in answer
    assert b'{"reason":{"code":"http.too_many"' in answer
    assert server.nobody(**{"x-forwarded-for": "203.0.113.8"}).get("/").status_code == 200
    assert server.nobody().get("/").status_code == 200


def test_few_open_files_still_leave_connections(monkeypatch: pytest.MonkeyPatch) -> None:
    resource = pytest.importorskip("resource", reason="Windows has no such limit")
    for files, most in ((64, 16), (1024, 874), (100_000, 4000)):
        monkeypatch.setattr(resource, "getrlimit", lambda _, files=files: (files, files))
        assert run.max_connections(Config(Path())) == most
