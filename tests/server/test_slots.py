"""How many connections there may be: from one address and in all, directly and through a proxy."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from rage.server.config import Config
from rage.server.wire import slots
from server.conftest import Launch
from server.inside import server_in_process
from server.raw_client import RawClient
from server.running import STANDSTILL, Running, open_table
from server.table_client import cookie

REQUEST = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n"
#: A request that is under way until it is ended.
BEGUN = REQUEST.replace(b"GET /healthz", b"PUT /api/me") + b"X-Rage: 1\r\nContent-Length: 9\r\n\r\n"


def ask(one: socket.socket, more: str = "") -> bytes:
    """The answer to a request, nothing where the connection has ended."""
    answer = b""
    with contextlib.suppress(ConnectionError):
        one.sendall(REQUEST + more.encode() + b"\r\n")
        while not answer.endswith(b"}"):
            if not (part := one.recv(65536)):
                break
            answer += part
    return answer


@contextlib.contextmanager
def many(port: int, count: int, data: bytes = b"") -> Iterator[list[socket.socket]]:
    """So many connections, which have sent something."""
    with contextlib.ExitStack() as stack:
        found = []
        for _ in range(count):
            one = stack.enter_context(socket.create_connection(("127.0.0.1", port), 10))
            one.sendall(data)
            found.append(one)
        time.sleep(0.3)
        yield found


def test_a_waiting_connection_makes_room(launch: Launch) -> None:
    """All slots are taken by connections that were used and are kept, or were never used."""
    server: Running = launch("--max-connections", "20")
    with many(server.port, 10) as unused, many(server.port, 10) as used:
        for one in used:
            assert b" 200 " in ask(one)
        with many(server.port, 12) as newcomers:
            for one in newcomers:
                assert b" 200 " in ask(one)
            assert [ask(one) for one in unused] == [b""] * 10
            assert [ask(one) for one in used].count(b"") == 2


def test_a_server_that_is_full_says_so(launch: Launch) -> None:
    """All slots are taken by requests under way and by tables."""
    server: Running = launch("--max-connections", "20")
    people = [cookie(server.someone()) for _ in range(10)]
    table, who = open_table(server.someone("Ann")), people[0]
    with contextlib.ExitStack() as stack:
        for person in people:
            assert stack.enter_context(RawClient(server.url, table, person)).handshake_status == 101
        stack.enter_context(many(server.port, 10, BEGUN))
        answer = stack.enter_context(many(server.port, 1))[0]
        head = ask(answer, "Accept-Language: de\r\n")
        assert b" 503 " in head.partition(b"\r\n")[0]
        assert b"\r\nretry-after: 10\r\n" in head.lower()
        assert b'"http.full"' in head
        assert b"Mehr Besuch" in head
        assert b"content-security-policy" in head.lower()
        with RawClient(server.url, table, who) as late:
            assert late.handshake_status == 503
        with RawClient(server.url, table, who, more="Accept-Language: es\r\n", wait=False) as late:
            late.send(late.request)
            late.socket.settimeout(5)
            assert b"http.full" in late.socket.makefile("rb").read()
    time.sleep(0.5)
    assert server.nobody().get("/healthz").status_code == 200
    assert "Traceback" not in server.logged()
    assert "ERROR" not in server.logged()


def test_a_refused_connection_that_says_nothing_is_closed(launch: Launch) -> None:
    server: Running = launch("--max-connections", "5")
    with many(server.port, 5, BEGUN), many(server.port, 1) as late:
        begun = time.monotonic()
        assert late[0].recv(9) == b""
        assert time.monotonic() - begun < 5 + STANDSTILL


def test_an_address_has_a_limit_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Directly; this machine itself, which is not counted, stands in for others."""
    monkeypatch.setattr(slots, "rate_key", lambda host, direct: host)
    with server_in_process(Config(tmp_path / "data", people_per_address=1)) as (url, _, app):
        port = int(url.rpartition(":")[2])
        with many(port, 10, BEGUN):
            with many(port, 1) as late:
                head = ask(late[0])
                assert b" 429 " in head.partition(b"\r\n")[0]
                assert b"\r\nretry-after: 10\r\n" in head.lower()
                assert b'"http.too_many_connections"' in head
            with RawClient(url, "abcdefgh", "") as late_socket:
                assert late_socket.handshake_status == 429
        with many(port, 10), many(port, 10) as newcomers:
            for one in newcomers:
                assert b" 200 " in ask(one)
        for _ in range(50):
            if not len(app.slots):
                break
            time.sleep(0.1)
        assert not len(app.slots)


def test_an_ipv6_network_counts_as_one_address() -> None:
    found = slots.Slots(100, 2)
    ends: list[int] = []
    hosts = ["2001:db8:1:2::1", "2001:db8:1:2::2", "2001:db8:1:2:3::3", "2001:db8:1:3::1"]
    taken = [found.acquire(host, lambda: ends.append(1)) for host in hosts]
    assert [slot.refusal is None for slot in taken] == [True, True, False, True]
    assert len(found) == 3
    for slot in taken:
        slot.release()
        slot.release()
    assert (len(found), ends) == (0, [])
    assert found.acquire(hosts[0], lambda: None).refusal is None


def test_this_machine_itself_counts_only_in_all() -> None:
    found = slots.Slots(5, 1)
    refusals = [found.acquire("127.0.0.1", lambda: None).refusal for _ in range(6)]
    assert [refusal is None for refusal in refusals] == [True] * 5 + [False]


def test_behind_a_proxy_clients_are_counted(launch: Launch) -> None:
    """The proxy has as many connections as it likes; of each address only so many requests and
    tables are under way at once."""
    server: Running = launch("--proxy", "127.0.0.1", "--people-per-address", "1")
    table = open_table(server.someone("Ann"))
    who = cookie(server.someone())
    people = [server.someone() for _ in range(3)]
    nine = "X-Forwarded-For: 203.0.113.9\r\n"
    with contextlib.ExitStack() as stack:
        stack.enter_context(many(server.port, 20))
        begun = BEGUN.replace(b"X-Rage", nine.encode() + b"X-Rage")
        stack.enter_context(many(server.port, 7, begun))
        for person in people:
            at = open_table(person), cookie(person)
            client = stack.enter_context(RawClient(server.url, *at, more=nine))
            assert client.handshake_status == 101
        with many(server.port, 2) as late:
            assert b" 429 " in ask(late[0], nine)
            assert b" 200 " in ask(late[1], "X-Forwarded-For: 203.0.113.10\r\n")
        with RawClient(server.url, table, who, more=nine) as refused:
            assert refused.handshake_status == 429
        with RawClient(server.url, *at, more=nine) as seated:  # once more, at their own table
            assert seated.handshake_status == 101
        other = "X-Forwarded-For: 2001:db8::7\r\n"
        with RawClient(server.url, table, who, more=other) as one:
            assert one.handshake_status == 101
        assert server.nobody().get("/healthz").status_code == 200  # which the proxy itself asks
    time.sleep(0.5)
    with RawClient(server.url, table, who, more=nine) as again:
        assert again.handshake_status == 101


@pytest.mark.parametrize("path", ["/", "/no/such/page"])
def test_pages_are_rate_limited_too(launch: Launch, path: str) -> None:
    server: Running = launch("--proxy", "127.0.0.1")
    head = f"HEAD {path} HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: 203.0.113.9\r\n"
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
