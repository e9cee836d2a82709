"""What decisions cost, worked out by the server for whoever has the game."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest

from rage.analysis import analyse
from rage.notation import replay, write_link
from rage.server import analysing
from rage.server.api import shared
from rage.server.config import Config
from server.inside import server_in_process
from server.running import Running, people
from server.test_shared import as_record, played


def finished(client: httpx.Client, name: str) -> dict[str, Any]:
    """The state of an analysis once it is done."""
    ends = time.monotonic() + 60
    while time.monotonic() < ends:
        state: dict[str, Any] = client.get(f"/api/analysis/{name}").json()
        if state["analysis"] or state["failed"]:
            return state
        time.sleep(0.1)
    raise AssertionError(state)


def test_anybody_has_a_game_analysed(server: Running) -> None:
    """In any form; the same game once, and alike."""
    client, record = server.nobody(), played("poof+schedule:3.2")
    begun = client.post("/api/analysis", json={"game": write_link(record)})
    assert begun.status_code == 200, begun.text
    state = finished(client, begun.json()["name"])
    assert state["done"] == state["total"]
    again = client.post("/api/analysis", json={"game": as_record(record)}).json()
    assert again == state
    game = replay(record)
    own = analyse(game, analysing.WORLDS[-1]).as_data()
    assert state["analysis"]["decisions"] == own["decisions"]
    assert state["analysis"]["chart"] == own["chart"]


def test_nobody_waits_while_a_game_is_prepared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All that replays the game is done in a thread, and once for all who send it at once."""
    done = list[tuple[str, bool]]()

    def watched(module: Any, name: str) -> None:
        real: Callable[..., Any] = getattr(module, name)

        def watching(*given: Any, **more: Any) -> Any:
            try:
                asyncio.get_running_loop()
            except RuntimeError:
                done.append((name, True))
            else:
                done.append((name, False))
            return real(*given, **more)

        monkeypatch.setattr(module, name, watching)

    for module, name in ((shared, "replay"), (analysing, "write_link"), (analysing, "Work")):
        watched(module, name)
    game = as_record(played("poof+schedule:3.2"))
    with (
        server_in_process(Config(tmp_path / "data")) as (url, _, _),
        people(url, "Ann") as (client,),
    ):
        with ThreadPoolExecutor(3) as pool:
            asked = pool.map(lambda _: client.post("/api/analysis", json={"game": game}), range(3))
            assert len({each.json()["name"] for each in asked}) == 1
        finished(client, client.post("/api/analysis", json={"game": game}).json()["name"])
    assert set(done) == {("replay", True), ("write_link", True), ("Work", True)}
    assert done.count(("Work", True)) == 1


def test_what_is_no_game_is_refused(server: Running) -> None:
    client = server.nobody()
    assert client.post("/api/analysis", json={"game": "{}"}).status_code == 400
    assert client.post("/api/analysis", json={"game": ""}).status_code == 400
    long = client.post("/api/analysis", json={"game": " " * (shared.MAX_GAME + 1)})
    assert long.json()["reason"]["code"] == "notation.too_large"
    assert client.get("/api/analysis/none").status_code == 404
