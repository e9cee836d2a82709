"""``rage admin read-only``: nothing is stored while it is on, over SQLite and PostgreSQL."""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random

import pytest

from house.recording import connect, create_table, hub_on
from rage.cli import main
from rage.house.base.messages import RESTART
from rage.house.operating import orders
from rage.table import Chat, Clock, Options, Start
from server.conftest import Launch
from server.running import PATIENCE, open_table
from server.stored import rows_in
from server.table_client import connected, game_of

#: What changes what is stored of somebody, and a body for it.
CHANGES = {
    "/api/me/end-sessions": {},
    "/api/handover/none": {},
    "/api/recovery": {},
    "/api/recovery/use": {"words": "acorn"},
    "/api/tables": {"rules": "poof", "players": 2},
    "/api/day": {"edition": "poof"},
}


async def test_nothing_is_stored_until_it_is_off(
    launch: Launch,
    store_options: list[str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    running = launch(*store_options)
    place = store_options or ["--data", str(running.data)]

    async def rage(*words: object, status: int = 0) -> str:
        given = ["--lang", "en", *map(str, words), *place]
        assert await asyncio.to_thread(main, given) == status
        said = capsys.readouterr()
        return said.out + said.err

    async def rows(name: str) -> dict[str, list[tuple[object, ...]]]:
        await rage("backup", tmp_path / name)
        return rows_in(tmp_path / name)

    ann, ben = (running.someone(name) for name in ("Ann", "Ben"))
    gathering = open_table(ann, options={"access": "open"})
    async with game_of(running.url, [ann, ben]) as guests:
        player = next(each for each in guests if each.turn)
        assert player.turn is not None
        assert "read-only" in await rage("admin", "read-only", "on")
        for guest in guests:
            told = await guest.until(lambda message: message["type"] == "announcement")
            assert told["reason"]["code"] == "http.read_only"
        before = await rows("before.sqlite")
        move = {"ply": player.due, "move": player.turn["legal"].split()[0]}
        assert await player.refusal_code("play", **move) == "http.read_only"
        assert await player.refusal_code("chat", text="Hello") == "http.read_only"
        assert await player.refusal_code("rename", name="Anna") == "http.read_only"
        for path, body in CHANGES.items():
            answer = ann.post(path, json=body)
            assert (answer.status_code, answer.json()["reason"]["code"]) == (503, "http.read_only")
        assert ann.put("/api/me", json={"name": "Anna"}).status_code == 503
        assert "admin read-only off" in await rage("admin", "close", gathering, status=1)
        assert "read-only off" in await rage("admin", "list")
        assert [each.get("/api/games").status_code for each in (ann, ben)] == [200, 200]
        async with connected(running.url, gathering, ben) as watcher:
            assert (await watcher.receive())["type"] == "announcement"
            assert await watcher.refusal_code("watch", name="Ben") == "http.read_only"
        assert await rows("after.sqlite") == before
    running.end()
    monkeypatch.setattr(orders, "LOOK_INTERVAL", 0.01)
    again = launch(*store_options, port=running.port)
    assert again.someone().post("/api/tables", json=CHANGES["/api/tables"]).status_code == 503
    async with connected(again.url, player.code, player.client) as back:
        await rage("admin", "read-only", "off")
        assert await back.close_code() == RESTART
    async with connected(again.url, player.code, player.client) as back:
        assert (await back.do("play", **move))["type"] == "update"


async def test_bots_and_clocks_wait_and_go_on(tmp_path: Path) -> None:
    hub = hub_on(tmp_path, delay=0.05)
    code = await create_table(hub, "ann", players=2, options=Options(clock=Clock()))
    ann = await connect(hub, code, "ann")
    room = await hub.room(code)
    await hub.do(code, Chat("Hello"), "ann")
    await hub.do(code, Start("random"), "ann")
    async with asyncio.timeout(PATIENCE):
        while not room.table.bots_to_act:
            if ann.turn is not None:
                await hub.do(code, ann.choice(Random(1)), "ann")
            await asyncio.sleep(0)
        hub.set_read_only(True)
        seq = room.table.seq
        while room.automation.at_work:
            await asyncio.sleep(0.01)
        later = hub.services.now() + 3_600_000
        hub.services.now = lambda: later
        await room.automation.do_what_is_due()
        assert (await room.ready()).seq == seq
        assert ann.messages[-1]["reason"]["code"] == "http.read_only"
        hub.set_read_only(False)
        assert ann.close_codes == [RESTART]
        await connect(hub, code, "ann")
        while hub.rooms[code].table.seq == seq:
            await asyncio.sleep(0.01)
    await hub.close()
