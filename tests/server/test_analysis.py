"""What decisions cost, worked out by the server for whoever has the game."""

from __future__ import annotations

import time
from typing import Any

import httpx

from rage.analysis import analyse
from rage.notation import replay, write_link
from rage.server import analysing
from server.running import Running
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


def test_what_is_no_game_is_refused(server: Running) -> None:
    client = server.nobody()
    assert client.post("/api/analysis", json={"game": "{}"}).status_code == 400
    assert client.post("/api/analysis", json={"game": ""}).status_code == 400
    assert client.get("/api/analysis/none").status_code == 404
