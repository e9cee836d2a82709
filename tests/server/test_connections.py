"""How many connections and WebSockets there may be."""

from __future__ import annotations

import contextlib
import socket
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
from server.raw_client import UPGRADE, RawClient
from server.running import PATIENCE, Running, open_table, people, wait_until
from server.table_client import cookie


@contextlib.contextmanager
def connections(port: int, count: int) -> Iterator[None]:
    """Connections that say nothing."""
    with contextlib.ExitStack() as stack:
        for _ in range(count):
            stack.enter_context(socket.create_connection(("127.0.0.1", port), PATIENCE))
        yield


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


async def test_a_server_that_is_full_says_so(launch: Launch) -> None:
    server: Running = launch("--max-connections", "12")
    who = []
    for _ in range(12):
        with contextlib.closing(server.someone()) as person:
            table = open_table(person)
            who.append(cookie(person))

    def health() -> int:
        return httpx.get(f"{server.url}/healthz").status_code

    with contextlib.ExitStack() as stack:
        for each in who:
            assert stack.enter_context(RawClient(server.url, table, each)).handshake_status == 101
        asked = {**UPGRADE, "Cookie": who[0], "Origin": server.url, "Accept-Language": "de"}
        late = httpx.get(f"{server.url}/ws/{table}", headers=asked)
        assert late.status_code == 503
        assert late.json()["reason"]["code"] == "http.full"
        assert "Mehr Besuch" in late.json()["text"]
        assert late.headers["retry-after"] == "10"
        assert "content-security-policy" in late.headers
        assert health() == 503
    await wait_until(lambda: health() == 200)
    with connections(server.port, 11):
        assert health() == 200
    with connections(server.port, 12):
        assert health() == 503
    with (
        connections(server.port, 13 + SPARE),
        socket.create_connection(("127.0.0.1", server.port), PATIENCE) as ignored,
    ):
        assert ignored.recv(1) == b""
    await wait_until(lambda: health() == 200)


async def test_an_address_has_only_so_many_and_as_many_again_with_seats(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(app, "CONNECTIONS", 1)
    config = Config(tmp_path / "data", people_per_address=2, proxies=("127.0.0.1",))
    with (
        server_in_process(config) as (url, server, _),
        people(url, "Ann", "Eve") as (ann, eve),
    ):
        tables = [open_table(ann) for _ in range(3)]

        def statuses(who: httpx.Client, address: str | None) -> list[int]:
            """Of a connection to each table that stays open."""
            more = "" if address is None else f"X-Forwarded-For: {address}\r\n"
            made = [RawClient(url, table, cookie(who), more=more) for table in tables]
            return [stack.enter_context(each).handshake_status for each in made]

        with contextlib.ExitStack() as stack:
            for who in (eve, ann):  # each person with a seat has a limit of their own
                assert statuses(who, "203.0.113.9") == [101, 101, 429]
            asked = {**UPGRADE, "Origin": url, "X-Forwarded-For": "203.0.113.9"}
            refused = eve.get(f"/ws/{tables[0]}", headers=asked)
            assert refused.json()["reason"]["code"] == "http.too_many_connections"
            assert statuses(eve, "2001:db8::7") == [101, 101, 429]
            assert statuses(eve, None) == [101] * 3  # this machine itself
        ann.close()
        eve.close()
        await wait_until(lambda: not server.server_state.connections)
        with contextlib.ExitStack() as stack:
            assert statuses(eve, "203.0.113.9") == [101, 101, 429]


def test_few_open_files_still_leave_connections(monkeypatch: pytest.MonkeyPatch) -> None:
    resource = pytest.importorskip("resource", reason="Windows has no such limit")
    for files, most in ((64, 16), (1024, 874), (100_000, 4000)):
        monkeypatch.setattr(resource, "getrlimit", lambda _, files=files: (files, files))
        assert run.max_connections(Config(Path())) == most
