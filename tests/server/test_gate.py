"""What every request passes: names, origins, headers, sizes, the base path, proxies."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from house.recording import hub_on
from rage.server.asgi import url_of
from rage.server.config import Config, Hosts
from rage.server.http import gate
from server.conftest import Launch
from server.inside import server_url
from server.running import Running, open_table, refusal
from server.table_client import connected

PAGES = ("/", "/t/abcd-efgh", "/worker.js", "/icon.svg")
OTHERS = ("/assets/none.js", "/api/me", "/api/none", "/healthz", "/schema/openapi.json")


@pytest.mark.parametrize("path", [*PAGES, *OTHERS])
def test_every_answer_has_the_security_headers(server: Running, path: str) -> None:
    headers = server.nobody().get(path).headers
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["cross-origin-resource-policy"] == "same-origin"
    assert "default-src 'none'" in headers["content-security-policy"]
    assert "frame-ancestors 'none'" in headers["content-security-policy"]
    assert "access-control-allow-origin" not in headers
    assert "server" not in headers
    if path.startswith(("/api", "/schema", "/healthz")):
        assert headers["cache-control"] == "no-store"


@pytest.mark.parametrize("path", PAGES)
def test_what_a_browser_may_open_as_a_page_or_run_has_all_of_them(
    server: Running, path: str
) -> None:
    headers = server.nobody().get(path).headers
    assert headers["x-frame-options"] == "DENY"
    assert headers["referrer-policy"] == "same-origin"
    assert headers["cross-origin-opener-policy"] == "same-origin"
    assert "camera=(self)" in headers["permissions-policy"]  # for QR codes
    assert "microphone=()" in headers["permissions-policy"]
    policy = dict(part.strip().partition(" ")[::2]
                  for part in headers["content-security-policy"].split(";"))  # fmt: skip
    here = f"localhost:{server.port}"
    assert policy == {
        "default-src": "'none'", "script-src": "'self'", "style-src": "'self'",
        "img-src": "'self' data: blob:", "font-src": "'self'", "media-src": "'self'",
        "connect-src": f"'self' ws://{here} wss://{here}", "manifest-src": "'self'",
        "worker-src": "'self'", "frame-ancestors": "'none'", "base-uri": "'self'",
        "form-action": "'none'",
    }  # fmt: skip


CHANGES = (
    ("PUT", "/api/me", {"name": "Eve"}), ("POST", "/api/handover", None),
    ("POST", "/api/tables", {"rules": "poof", "players": 2, "name": "Eve"}),
)  # fmt: skip


@pytest.mark.parametrize(("method", "path", "body"), CHANGES)
def test_only_our_page_can_send_what_changes_something(
    server: Running, method: str, path: str, body: Any
) -> None:
    client = server.someone("Ann")
    del client.headers["X-Rage"]
    assert refusal(client.request(method, path, json=body)) == (403, "http.no_header")
    client.headers["X-Rage"] = "1"
    for origin in ("http://evil.example", "null", f"http://localhost:{server.port + 1}",
                   f"http://localhost.evil.example:{server.port}", "file://", "x"):  # fmt: skip
        answer = client.request(method, path, json=body, headers={"Origin": origin})
        assert refusal(answer) == (403, "http.origin"), origin
    answer = client.request(method, path, json=body, headers={"Origin": server.url})
    assert answer.status_code in (200, 201)


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "localhost.evil.example",
                                  "a b", "x;y", "[::1", "", "localhost:x"])  # fmt: skip
def test_a_host_name_that_is_not_ours_is_refused(server: Running, host: str) -> None:
    client = server.nobody(host=host)
    assert refusal(client.get("/api/me")) == (403, "http.host")
    assert refusal(client.get("/")) == (403, "http.host")


def test_health_checks_may_use_any_host_name(server: Running) -> None:
    assert server.nobody(host="10.0.0.1:80").get("/healthz").status_code == 200
    assert server.nobody(host="pod.example").get("/readyz").status_code == 200


def test_names_and_addresses_of_this_machine_are_ours() -> None:
    hosts = Hosts(())
    own = socket.gethostname()
    found = ["localhost", "127.0.0.1:7243", "[::1]:7243", "192.168.1.20:7243", "[fe80::1]"]
    found += ["LOCALHOST", "rage.localhost", own, f"{own.partition('.')[0]}.local"]
    for name in found:
        assert hosts.allow(name), name
    for name in ("rage.example", "1.2.3", "192.168.1.20.evil.example", "", "a/b", "@"):
        assert not hosts.allow(name), name


def test_allowed_host_names() -> None:
    hosts = Hosts(("rage.example", "*.friends.example"))
    for name in ("rage.example", "rage.example:443", "a.friends.example", "localhost", "[::1]"):
        assert hosts.allow(name), name
    for name in ("friends.example", "xrage.example", "192.168.1.20", "evilfriends.example"):
        assert not hosts.allow(name), name
    assert Hosts(("*",)).allow("anything.example")


def test_a_body_that_is_too_large_is_refused(server: Running) -> None:
    client = server.someone()
    answer = client.put("/api/me", content=b'{"name": "' + b"x" * 20_000 + b'"}')
    assert refusal(answer) == (413, "http.too_large")


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"null", b"\xff", b'{"name": "A"} x', b"7"])
def test_a_body_that_cannot_be_read_is_refused(server: Running, body: bytes) -> None:
    answer = server.someone().put("/api/me", content=body)
    assert refusal(answer)[0] == 400
    assert refusal(answer)[1] in ("http.unreadable", "http.field")


def test_a_body_that_is_nested_too_deeply_is_refused(server: Running) -> None:
    body = b'{"credential": ' + b'{"a": ' * 2000 + b"1" + b"}" * 2001
    answer = server.someone().post("/api/passkeys/use", content=body)
    assert refusal(answer) == (400, "http.unreadable")


def test_a_path_tells_which_methods_it_has(server: Running) -> None:
    client = server.someone()
    for method in ("DELETE", "PATCH", "POST"):
        answer = client.request(method, "/api/me")
        assert refusal(answer) == (405, "http.method")
        assert answer.headers["allow"] == "GET, PUT, OPTIONS"
    options = client.options("/api/tables")
    assert (options.status_code, options.headers["allow"]) == (204, "GET, POST, OPTIONS")
    assert client.head("/api/me").status_code == 200
    assert client.head("/api/me").content == b""
    assert refusal(client.get("/api/nothing")) == (404, "http.no_route")
    assert client.post("/").status_code == 405


def raw(server: Running, data: bytes) -> bytes:
    """What the server answers to bytes that no client would send."""
    with socket.create_connection(("localhost", server.port), 5) as connection:
        connection.sendall(data)
        connection.shutdown(socket.SHUT_WR)
        answer = b""
        while more := connection.recv(65536):
            answer += more
        return answer


@pytest.mark.parametrize(
    "data",
    [
        b"\x00\x01\x02\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"GET /\r\n\r\n", b"G" * 100_000,
        b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"x" * 100_000 + b"\r\n\r\n",
        b"GET http://evil.example/ HTTP/1.1\r\nHost: evil.example\r\n\r\n",
        b"POST /api/tables HTTP/1.1\r\nHost: localhost\r\nX-Rage: 1\r\nContent-Length: -1\r\n\r\n",
        b"PUT /api/me HTTP/1.1\r\nHost: localhost\r\nX-Rage: 1\r\nContent-Length: 99\r\n\r\n{",
        b"GET /api/tables/%ff%fe HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"GET /../../etc/passwd HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"GET /assets/../../app.py HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"HEAD / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"GET / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    ],
)  # fmt: skip
def test_bytes_that_are_not_a_request_harm_nobody(server: Running, data: bytes) -> None:
    """Nor do they fill the log with errors: the fixture looks for them."""
    answer = raw(server, data)
    assert b" 500 " not in answer.partition(b"\r\n")[0]
    assert b"Traceback" not in answer
    assert b"root:" not in answer
    assert b"import" not in answer.partition(b"\r\n\r\n")[2].replace(b"important", b"")
    assert server.nobody().get("/healthz").status_code == 200


def test_a_body_that_turns_bad_after_the_answer_ends_the_connection(server: Running) -> None:
    head = b"POST /api/tables HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\n"
    with socket.create_connection(("localhost", server.port), 5) as connection:
        connection.sendall(head + b"Transfer-Encoding: chunked\r\n\r\n")
        answer = connection.recv(65536)
        assert answer.startswith(b"HTTP/1.1 403 ")
        connection.sendall(b"zz\r\n")
        while more := connection.recv(65536):
            answer += more
    assert answer.count(b"HTTP/1.1") == 1


# --- behind a proxy ------------------------------------------------------------------------


@pytest.fixture(scope="module")
def behind(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    options = [
        "--base-path",
        "/games/rage/",
        "--proxy",
        "127.0.0.1,::1",
        "--allowed-hosts",
        "rage.example",
    ]
    server = Running(tmp_path_factory.mktemp("behind") / "data", options)
    yield server
    assert server.end() == 0
    server.check_log()


def test_a_base_path_precedes_every_path(behind: Running) -> None:
    assert behind.url.endswith("/games/rage")
    root = behind.url.removesuffix("/games/rage")
    client = behind.nobody()
    page = client.get(f"{root}/games/rage/t/abcd-efgh")
    assert '<base href="/games/rage/" />' in page.text
    me = client.get(f"{root}/games/rage/api/me")
    assert "Path=/games/rage/;" in me.headers["set-cookie"]
    assert client.get(f"{root}/api/me").status_code == 200  # the proxy has taken it off
    assert client.get(f"{root}/games/rage").status_code == 200


def test_a_trusted_proxy_says_who_asks_and_how(behind: Running) -> None:
    client = behind.nobody(host="rage.example", **{"x-forwarded-proto": "https"})
    me = client.get("/api/me")
    assert me.headers["set-cookie"].endswith("; Secure")
    assert me.json()["secure"]
    cookie = me.headers["set-cookie"].partition(";")[0]
    answer = client.post("/api/handover", headers={"cookie": cookie})
    assert answer.json()["url"].startswith("https://rage.example/games/rage/join#handover=")
    ours = {"cookie": cookie, "origin": "https://rage.example"}
    assert client.put("/api/me", json={"name": "A"}, headers=ours).status_code == 200
    ours["origin"] = "https://evil.example"
    assert refusal(client.put("/api/me", json={"name": "A"}, headers=ours)) == (403, "http.origin")


def test_an_unknown_proxy_is_not_trusted(server: Running) -> None:
    me = server.nobody(**{"x-forwarded-proto": "https"}).get("/api/me")
    assert "Secure" not in me.headers["set-cookie"]


@pytest.mark.parametrize("path", ["/games/rage", ""])
async def test_a_websocket_passes_through_a_proxy(behind: Running, path: str) -> None:
    """The WebSocket belongs to the name that the proxy has, and stands below the base path,
    which the proxy may take off."""
    ann = behind.someone("Ann")
    table = open_table(ann)
    there: dict[str, Any] = {"host": "localhost", "port": behind.port}
    ours, theirs = "https://rage.example", "https://evil.example"
    url = f"http://rage.example{path}"
    async with connected(url, table, ann, origin=ours, **there) as guest:
        assert guest.table["me"]["name"] == "Ann"
    for name, origin in ((url, theirs), (f"http://evil.example{path}", theirs)):
        with pytest.raises(InvalidStatus, match="403"):
            async with connected(name, table, ann, origin=origin, **there):
                pass


async def test_another_websocket_path_is_refused(server: Running) -> None:
    with pytest.raises(InvalidStatus, match="403"):
        async with connect(f"{server.url.replace('http', 'ws')}/api/me"):
            pass


# --- who is slow ---------------------------------------------------------------------------


def test_a_body_that_does_not_come_is_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gate, "BODY_PART_TIMEOUT", 0.5)
    head = b"PUT /api/me HTTP/1.1\r\nHost: localhost\r\nX-Rage: 1\r\nContent-Length: 20\r\n\r\n{"
    with server_url(Config(tmp_path / "data")) as url:
        port = int(url.rpartition(":")[2])
        with socket.create_connection(("localhost", port), 5) as connection:
            connection.sendall(head)
            assert connection.recv(65536).startswith(b"HTTP/1.1 400 ")


def test_a_kept_connection_serves_further_requests(server: Running) -> None:
    request = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
    with socket.create_connection(("localhost", server.port), 20) as connection:
        for part in (request, request[:9], request[9:], request):
            connection.sendall(part)
            time.sleep(0.1)
        answer = b""
        while answer.count(b'{"ok":true}') < 3:
            more = connection.recv(65536)
            assert more, answer  # or the server has hung up
            answer += more


@pytest.mark.parametrize("path", ["/api/me", "/api/none", "/"])
def test_a_client_that_is_still_sending_gets_the_refusal(server: Running, path: str) -> None:
    """As a proxy does that ends a connection with each request: it reads when it has sent all."""
    body = b"x" * 300_000
    head = f"PUT {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nX-Rage: 1\r\n"
    head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    with socket.create_connection(("localhost", server.port), 20) as connection:
        connection.sendall(head.encode())
        for start in range(0, len(body), 10_000):
            time.sleep(0.005)
            connection.sendall(body[start : start + 10_000])
        answer = b""
        while more := connection.recv(65536):
            answer += more
    assert answer.split()[1] in (b"404", b"405", b"413")
    assert b"\r\n\r\n" in answer


def test_an_address_is_the_one_that_browsers_write() -> None:
    """However a proxy writes the ``Host``: passkeys and links are for that."""
    for scheme, host, url in (
        ("https", b"cards.example.org:443", "https://cards.example.org"),
        ("https", b"Cards.Example.ORG", "https://cards.example.org"),
        ("https", b"cards.example.org.", "https://cards.example.org"),
        ("https", b"cards.example.org:80", "https://cards.example.org:80"),
        ("http", b"cards.example.org:80", "http://cards.example.org"),
        ("http", b"[2001:DB8::1]:7243", "http://[2001:db8::1]:7243"),
    ):
        assert url_of({"scheme": scheme, "headers": [(b"host", host)]}) == url


def test_a_page_that_asks_once_is_no_fault_of_a_proxy(launch: Launch) -> None:
    """A phone that was away asks, too; if one asks again and again, the log says so."""
    server = launch()
    phone = server.someone("Ann")
    for number in range(8):
        assert phone.post("/ws/abcdefgh").status_code == 426
        assert ("again and again" in server.logged()) == (number > 2)
    assert server.logged().count("WebSocket") == 1


def test_a_proxy_that_hides_https_is_named_once(launch: Launch) -> None:
    server = launch("--allowed-hosts", "cards.example.org")
    there = {"host": "cards.example.org", "origin": "https://cards.example.org"}
    ann = server.nobody(**there)
    ann.get("/api/me")
    for _ in range(2):
        assert ann.put("/api/me", json={"name": "Ann"}).status_code == 200
    assert server.logged().count("without X-Forwarded-Proto") == 1


def test_the_description_is_made_once_and_counted(launch: Launch) -> None:
    """Compressed once, answered with 304 to whom has it, and part of the limit on the API."""
    server = launch("--proxy", "127.0.0.1,::1", "--limits", "any=20/1")
    ann = server.nobody(**{"x-forwarded-for": "9.9.1.1"})
    first = ann.get("/schema/openapi.json")
    assert first.headers["content-encoding"] in ("gzip", "br")
    assert first.json()["info"]["title"] == "Rage"
    known = {"if-none-match": first.headers["etag"]}
    statuses = [ann.get("/schema/openapi.json", headers=known).status_code for _ in range(30)]
    assert set(statuses) == {304, 429}
    assert ann.get("/api/box").status_code == 429


async def test_readiness_is_asked_of_the_store_now_and_then(tmp_path: Path) -> None:
    hub = hub_on(tmp_path)
    asked, check = [0], hub.services.store.check_writable

    async def counted() -> None:
        asked[0] += 1
        await check()

    hub.services.store.check_writable = counted  # type: ignore[method-assign]
    for _ in range(100):
        await hub.services.check_ready()
    assert 10 <= asked[0] <= 20
    await hub.close()
