"""What decisions cost, worked out by the server for anyone who has the game."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest

from rage import Game, NotAllowed
from rage.analysis import analyse
from rage.house import limits
from rage.house.games import analyses as analyses_module
from rage.house.games.analyses import Analysed, Analyses, worlds_for
from rage.house.requests import shared
from rage.notation import replay, write_link
from rage.server.config import Config
from rage.server.work.bot_pool import BotPool
from server.inside import server_in_process
from server.running import Running, people, wait_until
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
    own = analyse(game, limits.WORLDS[-1]).as_data()
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

    for module, name in (
        (shared, "replay"), (analyses_module, "write_link"), (analyses_module, "Work")
    ):  # fmt: skip
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


@pytest.mark.parametrize(
    ("rules", "players"),
    [("poof", 4), (f"poof+schedule:{'.'.join(['11'] * 30)}", 8), ("amigo+schedule:2.2.2", 3)],
)
def test_a_long_game_takes_no_longer_than_others(rules: str, players: int) -> None:
    """Fewer worlds make up for more decisions. What is counted is how many moves are made."""
    game = Game(rules, players, seed=b"long")
    moves, player = 0, Random(1)
    while not game.over:
        legal = game.legal_moves
        left = players * (game.rounds[-1].hand_size + 1) - len(game.rounds[-1].moves)
        moves += len(legal) * left if len(legal) > 1 else 0
        game.play(player.choice(legal))
    besides = limits.MOVES_BESIDES * game.ply
    worlds = worlds_for(game)
    assert moves * worlds + besides <= 1.25 * limits.MOVES_IN_WORLDS
    assert worlds == 300 or moves * worlds + besides >= 0.5 * limits.MOVES_IN_WORLDS
    assert Analysed(game).total == game.ply + len(game.rounds)


async def test_no_address_has_all_analyses(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of each there are two at most. What was found is kept as far as there is room for it."""
    games = [replay(played("poof+schedule:3.2", players)) for players in range(2, 7)]
    pool = BotPool()
    analyses = Analyses(pool)
    some = [analyses.begin(str(at), games[at], "1.1.1.1") for at in (0, 1)]
    with pytest.raises(NotAllowed, match="Too many"):
        analyses.begin("2", games[2], "1.1.1.1")
    other = analyses.begin("3", games[3], "2.2.2.2")
    await wait_until(lambda: all(each.found for each in (*some, other)))
    assert all(analyses.get(name) for name in "013")
    monkeypatch.setattr(analyses_module, "MAX_ANALYSES_BYTES", 2.5 * len(other.found or b""))
    last = analyses.begin("4", games[4], "1.1.1.1")
    await wait_until(lambda: last.found)
    assert [name for name in "0134" if analyses.get(name)] == ["3", "4"]
    analyses.close()
    pool.close()


def test_what_is_no_game_is_refused(server: Running) -> None:
    client = server.nobody()
    assert client.post("/api/analysis", json={"game": "{}"}).status_code == 400
    assert client.post("/api/analysis", json={"game": ""}).status_code == 400
    long = client.post("/api/analysis", json={"game": " " * (limits.MAX_GAME + 1)})
    assert long.json()["reason"]["code"] == "notation.too_large"
    assert client.get("/api/analysis/none").status_code == 404
