"""The proxies of docs/servers.md, as it sets them up, before two servers on one PostgreSQL."""

from __future__ import annotations

import asyncio
import json
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from random import Random

import pytest

from server.fleet import Fleet
from server.fronts import Front
from server.reconnecting import Siege, gather_tables
from server.running import PATIENCE, STANDSTILL, busy, open_table
from server.test_sheets import Keeper, begun
from tools.services import PROXIES

#: So many that no hash sends all of them to one server.
MANY = 16
#: The seconds after which every table moves at the other server.
SOON = 2.0


@pytest.fixture(scope="module")
def fleet(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Fleet]:
    """Two servers, for all proxies."""
    servers = Fleet(tmp_path_factory.mktemp("fleet"))
    yield servers
    servers.close()


@pytest.fixture(params=(*PROXIES, "haproxy"))
def front(request: pytest.FixtureRequest, fleet: Fleet, tmp_path: Path) -> Iterator[Front]:
    """Each proxy before them."""
    started = Front(request.param, tmp_path, *fleet.ports)
    yield started
    started.end()


def asked(fleet: Fleet, begin: str) -> list[Counter[str]]:
    """How often each server was asked for each path that begins so, as it has logged that."""
    lines = [map(json.loads, each.logged().splitlines()) for each in fleet.servers]
    paths = [(line.get("path", "") for line in each) for each in lines]
    return [Counter(path for path in each if path.startswith(begin)) for each in paths]


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a machine has one address to itself")
def test_what_belongs_together_reaches_one_server(fleet: Fleet, front: Front) -> None:
    """Everything of a table and of a shown sheet, whoever asks; of everything else, what an address
    asks for."""
    people = [front.nobody(f"127.0.0.{number}") for number in range(2, 2 + MANY)]
    before = asked(fleet, "/api/rules")
    for who in people:
        for number in range(3):
            assert who.get(f"/api/rules?number={number}").status_code == 200
    counts = [
        (b - a)["/api/rules"] for a, b in zip(before, asked(fleet, "/api/rules"), strict=True)
    ]
    assert sum(counts) == 3 * MANY
    assert all(count > 0 and count % 3 == 0 for count in counts)

    ann = front.someone("Ann")
    before = asked(fleet, "/api/tables/")
    for _ in range(MANY):
        code = open_table(ann)
        for who in people[:3]:
            assert who.get(f"/api/tables/{code}?here=1").status_code == 200
            assert who.get(f"/api/tables/{code}/advice?ply=0").status_code == 403
    tables = [b - a for a, b in zip(before, asked(fleet, "/api/tables/"), strict=True)]
    assert all(tables)
    assert sum(map(len, tables)) == 2 * MANY
    assert {count for each in tables for count in each.values()} == {3}

    for number in range(MANY // 2):
        keeper = Keeper(front, begun())  # only the server's memory has what it shows
        assert people[number].get(f"/api/sheets/{keeper.code}").status_code == 200


class Named(BaseHTTPRequestHandler):
    """A server that answers everything with its port."""

    def do_GET(self) -> None:
        body = str(self.server.server_port).encode()  # type: ignore[attr-defined]
        self.send_response(200)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_request(self, code: object = "-", size: object = "-") -> None:
        pass


#: What docs/servers.md says for a base path.
BELOW = {
    "nginx": {"location / {": "location /cards/ {"},
    "caddy": {"\treverse_proxy ": "\tredir /cards /cards/\n\treverse_proxy /cards/* "},
    "haproxy": {},
}


@pytest.mark.sampled(3)
@pytest.mark.parametrize("program", BELOW)
def test_below_a_path_what_belongs_to_a_table_reaches_one_server(
    tmp_path: Path, program: str
) -> None:
    with (
        ThreadingHTTPServer(("127.0.0.1", 0), Named) as one,
        ThreadingHTTPServer(("127.0.0.1", 0), Named) as two,
    ):
        for each in (one, two):
            threading.Thread(target=each.serve_forever).start()
        front = Front(program, tmp_path, one.server_port, two.server_port, changes=BELOW[program])
        who = [front.nobody(f"127.0.0.{number}") for number in (2, 3)]
        paths = ("ws/{}", "api/tables/{}", "api/tables/{}/games/1", "api/sheets/{}/bids")
        reached = [
            {each.get(f"/cards/{path.format(code)}").text for each in who for path in paths}
            for code in range(MANY)
        ]
        front.end()
        for each in (one, two):
            each.shutdown()
    assert all(len(each) == 1 for each in reached)
    assert len(set[str]().union(*reached)) == 2


def test_no_table_waits_when_a_server_dies(fleet: Fleet, front: Front) -> None:
    """Nor when the other one dies, once the first is back."""
    siege = Siege(gather_tables(front, 8, 2, Random(7), players=2), pace=0.05)

    async def strike() -> None:
        async with siege.playing():
            await siege.until_all_move(PATIENCE, time.monotonic())
            for which in (0, 1):
                struck = time.monotonic()
                await asyncio.to_thread(fleet.kill, which)
                await siege.until_all_move(SOON * busy() + STANDSTILL, struck, killed=True)
                await asyncio.to_thread(fleet.start, which)
                await siege.until_all_move(SOON * busy() + STANDSTILL, time.monotonic())

    asyncio.run(strike())
    siege.check_against(fleet.url)
    assert siege.stalls
