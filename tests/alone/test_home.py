"""A place for one person, as its page uses it, in the Python at hand."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

import rage
from alone.resident import at_home
from rage.house.alone import home
from rage.house.base.messages import NO_TABLE
from rage.house.tables.services import Services
from rage.notation import parse_record, record_of, write_link


@pytest.fixture(autouse=True)
def quick_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Services, "bot_delay", lambda self, thought: 0.0)


async def test_a_game_is_played_kept_and_found_again(tmp_path: Path) -> None:
    path = tmp_path / "home.sqlite"
    async with at_home(path) as ann:
        table = await ann.open_table("poof", 3)
        ann.home.connect(1, f"/ws/{table}", "")
        while await ann.play():
            pass
        (game,) = (await ann.ask("GET", "/api/games"))["games"]
        found = await ann.ask("GET", f"/api/tables/{table}/games/1")
        me = await ann.ask("GET", "/api/me")
        kept = ann.kept
    assert game["table"] == table
    assert not [*tmp_path.glob("home.sqlite-*")]  # one file is all there is
    again = tmp_path / "again.sqlite"
    again.write_bytes(kept)
    async with at_home(again) as ann:
        assert await ann.ask("GET", "/api/me") == me
        assert await ann.ask("GET", f"/api/tables/{table}/games/1") == found
        record = await ann.ask("GET", f"/api/tables/{table}/games/1/record")
        assert len(parse_record(json.dumps(record).encode()).rounds) == 10


async def test_what_cannot_be_kept_is_refused_and_has_not_happened(tmp_path: Path) -> None:
    async with at_home(tmp_path / "home.sqlite") as ann:
        table = await ann.open_table()
        ann.home.connect(1, f"/ws/{table}", "")
        await ann.until(lambda: ann.legal or None)
        ply, move = ann.ply, ann.legal[0]
        ann.full = True
        number = ann.do(1, type="play", ply=ply, move=move)
        refused = await ann.message("refused", id=number)
        assert refused["reason"]["code"] == "http.not_stored"
        assert ann.ply == ply
        answer = await ann.home.request("PUT", "/api/me", "", b'{"name":"Bea"}', "de")
        assert (answer.status, json.loads(answer.body)["reason"]["code"]) == (
            503,
            "http.store_failed",
        )
        assert (await ann.ask("GET", "/api/me"))["name"] == "Ann"
        ann.full = False
        number = ann.do(1, type="play", ply=ply, move=move)
        await ann.message("update", id=number)


async def test_nobody_is_away_who_is_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rage.house.tables.room.ABSENCE_GRACE", 0.0)
    async with at_home(tmp_path / "home.sqlite") as ann:
        table = await ann.open_table()
        ann.home.connect(1, f"/ws/{table}", "")
        await ann.until(lambda: ann.legal or None)
        seq = ann.messages[-1]["seq"]
        ann.home.disconnect(1)
        await asyncio.sleep(0.05)
        ann.messages.clear()
        ann.home.connect(2, f"/ws/{table}", "")
        assert (await ann.message("table"))["seq"] == seq


async def test_nothing_is_kept_of_a_game_that_was_deleted(tmp_path: Path) -> None:
    path = tmp_path / "home.sqlite"
    async with at_home(path) as ann:
        table = await ann.open_table()
        ann.home.connect(1, f"/ws/{table}", "")
        await ann.until(lambda: ann.legal or None)
        ann.home.disconnect(1)  # who goes for a while has not deleted it
        assert rows_of(path) > 0
        ann.home.connect(2, f"/ws/{table}", "")
        await ann.message("update", id=ann.do(2, type="leave"))
        ann.home.disconnect(2)
        await ann.until(lambda: rows_of(path) == 0 or None)
        answer = await ann.home.request("GET", f"/api/tables/{table}", "", None, "en")
        assert answer.status == 404


def rows_of(path: Path) -> int:
    """How many rows a store has of tables."""
    counts = [
        f"(SELECT count(*) FROM {name})" for name in ("events", "snapshots", "people", "tables")
    ]
    with closing(sqlite3.connect(path)) as store:
        count: int = store.execute(f"SELECT {' + '.join(counts)}").fetchone()[0]
    return count


async def test_a_table_that_does_not_exist_closes_the_connection(tmp_path: Path) -> None:
    async with at_home(tmp_path / "home.sqlite") as ann:
        ann.home.connect(7, "/ws/22222222", "since=3")
        ann.home.receive(7, '{"ping":1}')
        await asyncio.sleep(0.02)
        assert ann.closed == [(7, NO_TABLE)]
        ann.home.receive(7, '{"ping":2}')
        ann.home.disconnect(7)


@pytest.mark.parametrize(
    ("method", "path", "query", "body", "status", "reason"),
    [
        ("GET", "/api/nothing", "", None, 404, {"code": "http.no_route"}),
        ("PUT", "/api/tables", "", None, 405, {"code": "http.method"}),
        ("PUT", "/api/me", "", b'{"name":4}', 400, {"code": "http.field", "field": "name"}),
        ("PUT", "/api/me", "", b"{", 400, {"code": "http.unreadable"}),
        ("PUT", "/api/me", "", None, 400, {"code": "http.unreadable"}),
        ("GET", "/api/rules/amigo", "players=9", None, 400,
         {"code": "http.field", "field": "players"}),
        ("GET", "/api/tables/22222222/advice", "", None, 400,
         {"code": "http.field", "field": "ply"}),
        ("GET", "/api/tables/22222222/games/x", "", None, 400,
         {"code": "http.field", "field": "game"}),
        ("GET", "/api/qr", "path=/", None, 409, {"code": "http.alone"}),
    ],
)  # fmt: skip
async def test_a_request_that_is_wrong_is_refused_as_by_a_server(
    tmp_path: Path,
    method: str,
    path: str,
    query: str,
    body: bytes | None,
    status: int,
    reason: dict[str, Any],
) -> None:
    async with at_home(tmp_path / "home.sqlite") as ann:
        answer = await ann.home.request(method, path, query, body, "de")
        assert (answer.status, json.loads(answer.body)["reason"]) == (status, reason)


async def test_a_path_may_be_escaped(tmp_path: Path) -> None:
    async with at_home(tmp_path / "home.sqlite") as ann:
        page = await ann.ask("GET", "/api/rules/amigo%2Bsweep", query="players=4&unlike=amigo")
        assert page["rules"] == "amigo+sweep"


async def test_an_analysis_is_that_of_a_server_and_ends_when_nobody_waits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    link = write_link(record_of(finished_game()))
    async with at_home(tmp_path / "home.sqlite") as ann:
        state = await ann.ask("POST", "/api/analysis", {"game": link})
        while state["done"] < state["total"] or not state["analysis"]:
            assert not state["failed"]
            await asyncio.sleep(0.01)
            state = await ann.ask("GET", f"/api/analysis/{state['name']}")
        assert state["analysis"]["worlds"] == 300
        assert await ann.ask("POST", "/api/analysis", {"game": link}) == state
    monkeypatch.setattr(home, "PATIENCE", 0.0)
    async with at_home(tmp_path / "other.sqlite") as ann:
        state = await ann.ask("POST", "/api/analysis", {"game": link})
        await asyncio.sleep(0.05)
        state = await ann.ask("GET", f"/api/analysis/{state['name']}")
        assert (state["failed"], state["analysis"]) == (True, None)


def finished_game() -> rage.Game:
    """A short game of bots."""
    game, steady = rage.Game("poof+schedule:2.1", 3, seed=4), rage.bot("steady")
    while game.to_act is not None:
        game.play(steady.choose(game.view(game.to_act)))
    return game


async def test_the_deals_of_a_day_are_the_same_in_every_home(tmp_path: Path) -> None:
    hands = []
    for name in ("one", "two"):
        async with at_home(tmp_path / f"{name}.sqlite") as ann:
            await ann.ask("PUT", "/api/me", {"name": name})
            day = await ann.ask("POST", "/api/day", {"edition": "amigo"})
            ann.home.connect(1, f"/ws/{day['table']}", "")
            full = await ann.message("table")
            hands.append(full["table"]["game"]["hand"])
    assert hands[0] == hands[1]
