"""The log: enough to find out what failed, and no secrets."""

from __future__ import annotations

import contextlib
import io
import json
import logging
import re
import sqlite3
import time
from types import SimpleNamespace

import httpx
import pytest

from rage.house.base.codes import new_code, set_fingerprint_secret, table_fingerprint
from rage.house.requests.routes import ROUTES
from rage.server import logs
from rage.server.stores import STORE
from server.conftest import Launch
from server.raw_client import RawClient, frame
from server.running import Running, open_table
from server.table_client import connected, cookie

_CARD = re.compile(r"\b[RYGBPO](?:1[0-5]|[0-9])\b")


@pytest.mark.sampled(2)
@pytest.mark.parametrize("form", ["json", "text"])
async def test_no_secret_is_logged(launch: Launch, form: str) -> None:
    """A game with all that may go wrong: wrong paths, a store that fails, nonsense."""
    server: Running = launch("--log", form, "--bot-delay", "0.05", "--name", "east-1")
    ann = server.someone("Annabella")
    code = open_table(ann, "poof", 3, bots=["steady", "random"], start=True)
    person = ann.get("/api/me").json()["person"]
    token = ann.post("/api/handover").json()["token"]
    private = [code, f"{code[:4]}-{code[4:]}", code.upper(), person, token, "Annabella"]
    private += cookie(ann).partition("=")[2].split(".")
    for path in (f"/{code}", f"/{code[:4]}-{code[4:]}", f"/t/{code}/", f"/T/{code}", f"/{code}/x",
                 f"/tv/{code}", f"/ws/{code}", f"/x?code={code}", f"/join?code={code}",
                 f"/handover/{token}", f"/api/{code}",
                 f"/api/tables/{code}", f"/api/tables/{code}/x/{person}",
                 f"/api/tables/{code}/games/1", f"/api/handover/{token}x", f"/api/me/{person}",
                 f"/{token}", f"/assets/{code}"):  # fmt: skip
        ann.get(path)
    with RawClient(server.url, code, cookie(ann), more=f"X: {code}\r\n") as one:
        one.send(frame(json.dumps({"do": {"type": code}}).encode()) + frame(code.encode()))
        one.close_code()
    with RawClient(server.url, code.upper(), "", more="Sec-WebSocket-Version: 99\r\n"):
        pass
    server.nobody().put("/api/me", content=code.encode())
    assert server.nobody().get("/healthz").status_code == 200
    _fail_to_store(server, ann, code)
    async with connected(server.url, code, ann) as guest:
        assert (await guest.do("rename", name="Annabella B"))["type"] == "update"
    server.end()
    logged = server.logged()
    for each in private:
        assert each.lower() not in logged.lower(), each
    assert _CARD.search(logged) is None
    assert "Traceback" not in logged
    if form == "json":
        lines = [json.loads(line) for line in logged.splitlines()]
        asked = [line for line in lines if line["message"] == "request"]
        assert {"at", "level", "method", "status", "ms"} <= asked[0].keys()
        assert {line["server"] for line in lines} == {"east-1"}
        paths = {line["path"] for line in asked}
        (table,) = {path for path in paths if re.fullmatch("/api/tables/[0-9a-f]{8}", path)}
        assert {f"/t/{table[-8:]}/", f"/tv/{table[-8:]}"} <= paths
        assert "/…" in paths
        assert "/healthz" not in paths
        assert any(line["level"] == "error" for line in lines)
    else:
        assert " ERROR " in logged


def _fail_to_store(server: Running, ann: httpx.Client, code: str) -> None:
    """For longer than the store waits for another program, while a bot, the clock and people want
    to store."""
    with contextlib.closing(sqlite3.connect(server.data / STORE)) as other:
        other.execute("BEGIN IMMEDIATE")
        with RawClient(server.url, code, cookie(ann)) as one:
            one.send(frame(b'{"id":1,"do":{"type":"rename","name":"Annabella C"}}'))
            answer = ann.put("/api/me", json={"name": "Annabella"}, timeout=20)
            assert answer.status_code == 503
            heard = iter(one.message, None)
            answer = next(message for message in heard if message.get("id") == 1)
            assert answer["reason"] == {"code": "http.not_stored"}
        time.sleep(4)  # until it is noticed who is gone
        other.rollback()


def test_every_part_of_a_path_that_is_no_secret_is_logged() -> None:
    for route in ROUTES:
        redacted = logs.redacted_path(re.sub(r"\{\w+\}", "{}", route.path))
        assert redacted == re.sub(r"\{\w+\}", "…", route.path)


def test_a_fingerprint_belongs_to_one_table_and_one_secret() -> None:
    codes = [new_code() for _ in range(50)]
    try:
        found = []
        for secret in (b"one", b"two", b"one"):
            set_fingerprint_secret(secret)
            found.append([table_fingerprint(code) for code in codes])
    finally:
        set_fingerprint_secret(b"another")
    assert found[0] == found[2]
    assert not set(found[0]) & set(found[1])
    assert len(set(found[0])) == 50
    assert all(re.fullmatch("[0-9a-f]{8}", each) for each in found[0])


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time for the handler, in seconds."""
    now = [1000.0]
    monkeypatch.setattr(logs, "time", SimpleNamespace(monotonic=lambda: now[0]))
    return now


@pytest.mark.parametrize("form", [logs._Text(), logs._Json("here")])
def test_log_lines_are_rate_limited(now: list[float], form: logging.Formatter) -> None:
    written = io.StringIO()
    handler = logs.RateLimitedHandler(written)
    handler.setFormatter(form)
    for number in range(5000):
        handler.handle(logging.LogRecord("rage.x", 40, "", 0, "no. %s failed", (number,), None))
        handler.handle(logging.LogRecord("rage.y", 40, "", 0, "other", (), None))
        now[0] += 0.0001
    now[0] += logs.REPORT_INTERVAL
    handler.handle(logging.LogRecord("rage.z", 40, "", 0, "third", (), None))
    handler.close()
    lines = written.getvalue().splitlines()
    assert len(lines) < 40
    assert sum("failed" in line and "left_out" not in line for line in lines) <= 12
    left = sum(int(found[1]) for line in lines if (found := re.search(r"left_out=(\d+)", line)))
    assert left + sum("left_out" not in line for line in lines) == 10_001


def test_what_was_left_out_is_told_when_nothing_more_is_logged(
    now: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    written = io.StringIO()
    handler = logs.RateLimitedHandler(written)
    monkeypatch.setattr(logging.getLogger(), "handlers", [handler])
    for _ in range(25):
        handler.handle(logging.LogRecord("rage.x", 40, "", 0, "failed: %s", ("full",), None))
    logs.report_left_out()
    assert "left_out" not in written.getvalue()
    now[0] += logs.REPORT_INTERVAL
    logs.report_left_out()
    logs.report_left_out()
    assert written.getvalue().count("left_out=15: failed: full") == 1


@pytest.mark.parametrize("form", [logs._Text(), logs._Json("here")])
def test_an_error_is_logged_without_its_message(form: logging.Formatter) -> None:
    def fail(person: str, card: str) -> None:
        raise RuntimeError(person + card)

    ann, card = new_code(), new_code()
    try:
        try:
            fail(ann, card)
        except RuntimeError as error:
            raise OSError(28, "No space left") from error
    except OSError as error:
        info = (OSError, error, error.__traceback__)
        record = logging.LogRecord("asyncio", 40, "", 0, "in <Task 'R14'>", (), info)
        said = form.format(record)
    for word in ("R14", ann, card):
        assert word not in said
    assert "No space left" in said
    assert "RuntimeError" in said
    assert "in fail" in said
