"""Bugs and failures of the server itself: clients get a plain sentence, and nothing else."""

from __future__ import annotations

import logging
import resource
import socket
import stat
import sys
from pathlib import Path
from typing import Any, cast

import httpx
import pytest

from rage.house.limits.limiting import Limits
from rage.house.people.identity import Keys, new_person
from rage.house.requests.requester import Site
from rage.server.config import Config
from rage.server.http.api import Api
from rage.server.http.gate import Gate
from rage.server.http.open_sockets import OpenSockets
from rage.server.http.page import Page
from rage.server.http.players import Players
from rage.server.network import Links
from server.conftest import Launch
from server.inside import server_in_process
from server.running import OURS, open_table, writers

needs_prlimit = pytest.mark.skipif(
    not hasattr(resource, "prlimit"), reason="only Linux can limit a process from outside"
)


class Broken:
    """Stands in for a store with an error in it, which knows a card."""

    async def games_of(self, person: str, most: int) -> Any:
        raise RuntimeError(f"{person} holds R15")


async def test_a_bug_is_answered_with_a_plain_sentence(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    config, keys = Config(tmp_path), Keys(b"a secret")
    unused = cast(Any, None)
    site = Site(
        Links(config),
        cast(Any, Broken()),
        unused,
        keys,
        Limits(),
        unused,
        unused,
        unused,
        unused,
    )
    api = Api(site)
    players = Players(site.hub, keys, site.limits)
    sockets, page = OpenSockets(10, 10), Page("", tmp_path)
    gate: Any = Gate(config, sockets, site.limits, players, api=api, page=page, socket=api)
    headers = {**OURS, "cookie": keys.cookie(new_person()), "accept-language": "de"}
    transport = httpx.ASGITransport(gate)
    with caplog.at_level(logging.ERROR):
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
            answer = await client.get("/api/games", headers=headers)
    assert answer.status_code == 500
    assert answer.json() == {
        "reason": {"code": "http.failed"},
        "text": "Im Server ist etwas schiefgegangen. Das ist unser Fehler, nicht deiner.",
    }
    assert "content-security-policy" in answer.headers
    assert [record.message for record in caplog.records] == ["request failed"]


@needs_prlimit
def test_a_request_under_way_when_the_server_stops_is_no_error(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Somebody sends a body more slowly than the server waits for it."""
    head = b"POST /api/open HTTP/1.1\r\nHost: localhost\r\nX-Rage: 1\r\n"
    with socket.socket() as slow:
        config = Config(tmp_path / "data")
        with server_in_process(config, timeout_graceful_shutdown=0) as (url, _, _):
            slow.connect(("127.0.0.1", httpx.URL(url).port or 80))
            slow.sendall(head + b"Content-Length: 9\r\nExpect: 100-continue\r\n\r\n")
            assert slow.recv(4096).startswith(b"HTTP/1.1 100 ")
    assert not [record for record in caplog.records if record.exc_info]


def test_nothing_is_told_that_could_not_be_stored(launch: Launch) -> None:
    """A full disk, made by a limit on the size of files."""
    assert sys.platform == "linux"
    running = launch()
    ann = running.someone("Ann")
    code = open_table(ann)
    unlimited = resource.getrlimit(resource.RLIMIT_FSIZE)
    (writer,) = writers(running.process.pid)
    asked = {"rules": "poof", "players": 2, "name": "Ann"}
    for pid in (writer, running.process.pid):
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (1, unlimited[1]))
    for answer in (
        ann.put("/api/me", json={"name": "Eve"}),
        ann.post("/api/tables", json=asked),
        running.nobody().get("/readyz"),
    ):
        assert answer.status_code == 503
        assert answer.json()["reason"] == {"code": "http.store_failed"}
    assert running.nobody().get("/healthz").status_code == 200
    for pid in (writer, running.process.pid):
        resource.prlimit(pid, resource.RLIMIT_FSIZE, unlimited)
    assert ann.get("/api/me").json()["name"] == "Ann"
    assert [each["table"] for each in ann.get("/api/tables").json()["mine"]] == [code]
    assert ann.put("/api/me", json={"name": "Eve"}).status_code == 200
    assert running.nobody().get("/readyz").json() == {"ok": True}


@pytest.mark.skipif(sys.platform == "win32", reason="Windows keeps no such rights")
def test_other_users_of_the_machine_cannot_read_what_is_stored(launch: Launch) -> None:
    running = launch()
    for path in (running.data, *running.data.iterdir()):
        assert not stat.S_IMODE(path.stat().st_mode) & 0o077, path
