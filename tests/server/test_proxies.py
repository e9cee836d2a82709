"""The proxies of docs/hosting.md, as it sets them up, before a real server."""

from __future__ import annotations

import asyncio
import contextlib
import re
import socket
import ssl
import sys
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest
from websockets.exceptions import InvalidStatus

from server.conftest import Launch
from server.fronts import IN_TURN, NAME, PAGE, SERVERS, Front, block
from server.running import PATIENCE, STANDSTILL, Running, busy, open_table
from server.table_client import connected, play_out
from tools.services import PROXIES

#: As the unit of systemd starts it.
OPTIONS = ("--proxy", "127.0.0.1,::1", "--allowed-hosts", NAME)
Stand = Callable[..., Front]


@pytest.fixture(params=PROXIES)
def stand(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Stand]:
    """Starts proxies of one kind; ends them afterwards."""
    started = []

    def start(server: Running, *, base: str = "", off: bool = False) -> Front:
        changes = {} if not base else below(request.param, base, server.port, off)
        front = Front(request.param, tmp_path, server.port, changes=changes)
        started.append(front)
        return front

    yield start
    for front in started:
        front.end()


def below(program: str, base: str, port: int, off: bool) -> dict[str, str]:
    """What the page says for a base path, which the proxy may take ``off``."""
    for words in ("`location /cards/ {`", "`redir /cards /cards/`",
                  "`reverse_proxy /cards/* 127.0.0.1:7243`"):  # fmt: skip
        assert words in PAGE
    if program == "nginx":
        taken = {f":{port};": f":{port}/;"} if off else {}
        return {"location / {": f"location {base}/ {{", **taken}
    if off:
        handled = f"handle_path {base}/* {{\n\treverse_proxy 127.0.0.1:{port}\n\t}}"
        waits = " {\n\t\tlb_try_duration 3s\n\t}"
        return {f"reverse_proxy 127.0.0.1:{port}{waits}": handled}
    return {"reverse_proxy ": f"redir {base} {base}/\n\treverse_proxy {base}/* "}


@pytest.fixture(scope="module")
def behind(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server for all tests that neither restart it nor look for a base path."""
    server = Running(tmp_path_factory.mktemp("behind") / "data", OPTIONS)
    yield server
    server.end()
    server.check_log()


@pytest.fixture(scope="module", params=PROXIES)
def front(
    behind: Running, request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Front]:
    """A proxy of each kind before that server."""
    front = Front(request.param, tmp_path_factory.mktemp("front"), behind.port)
    yield front
    front.end()


def sit(front: Front, code: str, who: httpx.Client, base: str = "", **options: Any) -> Any:
    return connected(front.url + base, code, who, **options)


def code_of(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["reason"]["code"]


def test_the_page_comes_through_as_the_server_sends_it(behind: Running, front: Front) -> None:
    here, there = behind.nobody(host=NAME), front.nobody()
    for name in ("", "t/abcd-efgh", "worker.js", "icon.svg", "schema/openapi.json"):
        direct, proxied = here.get(f"/{name}"), there.get(f"/{name}")
        assert proxied.status_code == direct.status_code == 200
        assert proxied.content == direct.content
        for header in ("content-type", "cache-control", "etag", "content-encoding"):
            assert proxied.headers.get(header) == direct.headers.get(header), (name, header)
    etag = there.get("/").headers["etag"]
    assert there.get("/", headers={"if-none-match": etag}).status_code == 304
    policy = there.get("/").headers["content-security-policy"]
    assert f" wss://{NAME}:{front.port};" in policy


def test_the_server_knows_that_a_client_came_over_https(front: Front) -> None:
    ann = front.nobody()
    me = ann.get("/api/me")
    assert me.json()["secure"]
    assert me.headers["set-cookie"].endswith("; Secure")
    url = ann.post("/api/handover").json()["url"]
    assert url.startswith(f"{front.url}/join#handover=")


def test_other_sites_are_refused(front: Front) -> None:
    ann = front.someone("Ann")
    for origin in ("https://evil.example", "null", f"https://{NAME}.evil.example"):
        answer = ann.put("/api/me", json={"name": "Eve"}, headers={"origin": origin})
        assert code_of(answer) == (403, "http.origin")
    for lie in ({"x-forwarded-host": "evil.example"}, {"x-forwarded-proto": "http"}):
        assert ann.get("/api/me", headers=lie).json()["secure"]


def test_a_request_that_lost_its_upgrade_is_told_and_logged(
    behind: Running, tmp_path: Path
) -> None:
    """By an nginx without its two lines for it; once, however often it happens."""
    lines = ("Upgrade $http_upgrade;", "Connection $connection_upgrade;")
    changes = {f"proxy_set_header {line}": "" for line in lines}
    front = Front("nginx", tmp_path, behind.port, changes=changes)
    try:
        ann = front.someone("Ann")
        code = open_table(ann)
        asking = {"connection": "upgrade", "upgrade": "websocket"}
        for _ in range(3):
            answer = ann.get(f"/ws/{code}", headers=asking)
            assert code_of(answer) == (426, "http.no_upgrade")
        direct = behind.nobody(host=NAME).get(f"/ws/{code}")
        assert (direct.status_code, direct.headers["upgrade"]) == (426, "websocket")
        logged = [line for line in behind.logged().splitlines() if "Upgrade" in line]
        assert len(logged) == 1
        assert code not in behind.logged()
    finally:
        front.end()


async def test_a_game_is_played_through_it(front: Front) -> None:
    ann, ben = front.someone("Ann"), front.someone("Ben")
    code = open_table(ann, "poof+schedule:3.2", 2)
    async with sit(front, code, ann) as first, sit(front, code, ben) as second:
        await second.do("join", name="Ben")
        await first.do("start")
        assert await play_out([first, second], Random(5)) > 10
    with pytest.raises(InvalidStatus, match="403"):
        async with sit(front, code, ann, origin="https://evil.example"):
            pass


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a machine has one address to itself")
def test_limits_count_for_the_client_and_not_the_proxy(front: Front) -> None:
    """Not of the proxy, nor of whom somebody says that they ask for."""
    eve = front.nobody("127.0.0.2")
    statuses = []
    for number in range(100):
        eve.cookies.clear()
        lie = {"x-forwarded-for": f"10.0.0.{number}"}
        statuses.append(eve.get("/api/me", headers=lie).status_code)
    assert statuses.count(429) > 20
    assert front.nobody("127.0.0.3").get("/api/me").status_code == 200


@pytest.mark.parametrize("program", PROXIES)
def test_a_request_that_does_not_end_is_ended(
    behind: Running, tmp_path: Path, program: str
) -> None:
    """By the proxy: the server itself would wait."""
    written = {"nginx": "client_header_timeout 10s", "caddy": "read_header 10s"}[program]
    changes = {written: written.replace("10s", "1s")}
    front = Front(program, tmp_path, behind.port, changes=changes)
    try:
        trusting = ssl._create_unverified_context()
        plain = socket.create_connection(("127.0.0.1", front.port), PATIENCE)
        with trusting.wrap_socket(plain, server_hostname=NAME) as slow:
            slow.sendall(b"GET / HTTP/1.1\r\nHost: ")
            while slow.recv(4096):  # what the proxy may say before it closes
                pass
        assert front.nobody().get("/healthz").status_code == 200
    finally:
        front.end()


def test_nginx_has_connections_for_hundreds_of_tables(behind: Running, tmp_path: Path) -> None:
    """Of which it has 768 where nobody has said so, two for each WebSocket."""
    front = Front("nginx", tmp_path, behind.port)
    try:
        with contextlib.ExitStack() as stack:
            for _ in range(900):
                stack.enter_context(socket.create_connection(("127.0.0.1", front.port), 30))
            assert front.nobody().get("/healthz").status_code == 200
    finally:
        front.end()


def test_what_is_too_large_is_refused_with_our_own_answer(front: Front) -> None:
    ann = front.someone("Ann")
    answer = ann.put("/api/me", content=b'{"name": "' + b"x" * 100_000 + b'"}')
    assert code_of(answer) == (413, "http.too_large")
    assert ann.get("/api/me?" + "x" * 3000).status_code == 200


async def test_after_a_restart_everybody_comes_back_through_it(
    launch: Launch, stand: Stand
) -> None:
    first = launch(*OPTIONS)
    front = stand(first)
    ann = front.someone("Ann")
    code = open_table(ann, bots=["steady"] * 3, start=True)
    async with sit(front, code, ann) as guest:
        first.end()
        assert await guest.close_code() == 1012
    away = ann.get("/healthz")  # Caddy waits a while for the server, nginx says what is going on
    assert away.status_code == 502 or "Rage is restarting" in away.text
    with pytest.raises(InvalidStatus, match=r"50[23]"):
        async with sit(front, code, ann):
            pass
    second = launch(*OPTIONS, port=first.port)
    begun = time.monotonic()
    async with sit(front, code, ann) as guest:
        assert guest.table["phase"] == "playing"
    assert time.monotonic() - begun < 2 * busy(second) + STANDSTILL


@pytest.mark.long
async def test_a_silent_client_stays(front: Front) -> None:
    """Longer than a proxy waits for a word; the server's pings are some."""
    ann = front.someone("Ann")
    code = open_table(ann)
    async with sit(front, code, ann, ping_interval=None) as guest:
        await asyncio.sleep(80)
        await guest.do("chat", text="still here")


@pytest.mark.parametrize("off", [False, True], ids=["left", "taken off"])
async def test_below_a_path(launch: Launch, stand: Stand, off: bool) -> None:
    base = "/cards"
    front = stand(launch(*OPTIONS, "--base-path", base), base=base, off=off)
    ann = front.someone("Ann", base)
    page = ann.get(f"{base}/")
    assert f'<base href="{base}/" />' in page.text
    me = ann.get(f"{base}/api/me")
    assert f"; Path={base}/;" in me.headers["set-cookie"]
    url = ann.post(f"{base}/api/handover").json()["url"]
    assert url.startswith(f"{front.url}{base}/join#")
    if not off:
        assert ann.get(base).headers["location"].endswith(f"{base}/")
    answer = ann.post(f"{base}/api/tables", json={"rules": "amigo", "players": 4, "name": "Ann"})
    async with sit(front, answer.json()["table"], ann, base) as guest:
        assert guest.table["me"]["name"] == "Ann"


class Older(BaseHTTPRequestHandler):
    """A server of another version, which is well, and has no file of this one."""

    def do_GET(self) -> None:
        self.send_response(200 if self.path == "/healthz" else 404)
        self.send_header("content-length", "0")
        self.end_headers()

    def log_request(self, code: object = "-", size: object = "-") -> None:
        pass


def in_turn(program: str, folder: Path, *ports: int) -> Front:
    """A proxy, set up for an update, that sends each request to the next server."""
    if program == "haproxy":
        return Front(program, folder, *ports, changes=IN_TURN)
    both = "".join(f"server 127.0.0.1:{port} max_fails=0;\n" for port in ports)
    files = block("nginx", "http_404", SERVERS)
    there = f"proxy_pass http://127.0.0.1:{ports[0]};"
    changes = {"server {": f"upstream rage {{\n{both}}}\nserver {{",
               there: f"proxy_pass http://rage;\n{files}"}  # fmt: skip
    return Front(program, folder, ports[0], changes=changes)


@pytest.mark.parametrize("program", ["nginx", "haproxy"])
def test_during_an_update_the_files_of_both_versions_are_there(
    behind: Running, tmp_path: Path, program: str
) -> None:
    with ThreadingHTTPServer(("127.0.0.1", 0), Older) as older:
        threading.Thread(target=older.serve_forever).start()
        front = in_turn(program, tmp_path, behind.port, older.server_port)
        (script,) = re.findall(r'src="\./(assets/page-.*?\.js)"', behind.nobody().get("/").text)
        client = front.nobody()
        # They take turns.
        assert [client.get(f"/{script}").status_code for _ in range(4)] == [200] * 4
        assert {client.get("/api/rules").status_code for _ in range(4)} == {200, 404}
        assert client.get("/assets/none.js").status_code == 404
        front.end()
        older.shutdown()
