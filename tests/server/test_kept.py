"""What is kept survives: a backup, a broken table, a folder that is gone."""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from random import Random

import pytest

from house.recording import create_table, hub_on
from rage.cli import main
from rage.house.store import StoreFailed
from rage.house.store import file as sqlite_file
from rage.server.stores import STORE
from rage.table import (
    Rename,
)
from server.conftest import Launch
from server.fronts import block, changed
from server.running import PATIENCE, open_table, refusal
from server.stored import leaf_with, overwrite, stored
from server.table_client import connected, cookie, game_of, play_out, sit_down, start

ROOT = Path(__file__).parents[2]


def the_command(title: str) -> str:
    """The command that docs/hosting.md gives under a title."""
    page = (ROOT / "docs" / "hosting.md").read_text(encoding="utf-8")
    block = re.search(rf"## {title}\n.*?```sh\n(.*?)\n *```", page, re.S)
    assert block is not None
    return block[1]


#: The command ``rage`` of these tests.
RAGE = {"/opt/rage/bin/rage": f"{sys.executable} -m rage"}


async def test_a_drill(launch: Launch, tmp_path: Path) -> None:
    """As documented: copy everything while people play, lose it, restore it. Everybody has their
    seat, and plays on to the end."""
    server = launch()
    people = [server.someone(name) for name in ("Ann", "Ben")]
    copy = tmp_path / "copies" / "backup.sqlite"
    copy.parent.mkdir()
    names = {**RAGE, "/var/lib/rage": str(server.data), "/var/backups/rage.sqlite": str(copy)}
    command = changed(the_command("Backups"), names)
    async with game_of(server.url, people, rules="poof+schedule:3.2") as guests:
        code, begun = guests[0].code, guests[0].seq
        playing = asyncio.create_task(play_out(guests, Random(1), 6))
        for _ in range(2):  # the second copy takes the place of the first
            await asyncio.to_thread(subprocess.run, ["/bin/sh", "-ec", command], check=True)
        await playing
    assert [each.name for each in copy.parent.iterdir()] == [copy.name]
    assert copy.stat().st_mode & 0o77 == 0
    server.end(signal.SIGKILL)
    for each in server.data.iterdir():
        each.unlink(missing_ok=True)  # the process that writes ends by itself
    if os.geteuid() == 0:  # as with a unit whose user is not root
        os.chown(server.data, 61184, 61184)
    restoring = changed(block("sh", "rage restore"), {**names, "systemctl": ": systemctl"})
    subprocess.run(["/bin/sh", "-ec", restoring], check=True)
    assert (server.data / STORE).stat().st_uid == server.data.stat().st_uid
    back = launch(port=server.port)
    async with (
        connected(back.url, code, cookie(people[0])) as ann,
        connected(back.url, code, cookie(people[1])) as ben,
    ):
        assert ann.seq >= begun
        assert await play_out([ann, ben], Random(2)) > 0


def test_what_can_be_saved_of_a_damaged_file_goes_on(launch: Launch, tmp_path: Path) -> None:
    """All that lies before the damage and after it, in each table of the store."""
    running, other = launch(), tmp_path / "other"
    people = [running.someone("Ann") for _ in range(3)]
    opened = {open_table(who, bots=["steady"] * 3, start=True): who for who in people * 10}
    codes = sorted(opened)
    running.end()
    page = leaf_with(running.data / STORE, codes[15])
    overwrite(running.data / STORE, page, bytes(range(256)) * 16)
    places = {"/opt/rage/bin/rage": f"{sys.executable} -m rage", "/var/lib/rage": str(running.data)}
    command = ["/bin/sh", "-c", changed(the_command("If the store is damaged"), places)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "saved.sqlite is not complete" in done.stderr
    assert main(["restore", str(tmp_path / "saved.sqlite"), "--data", str(other)]) == 1
    again = launch(data=other)
    back = {who: again.nobody(cookie=cookie(who)) for who in people}
    answers = [back[opened[code]].get(f"/api/tables/{code}") for code in codes]
    found = [each.status_code == 200 and each.json()["seats"][0]["me"] for each in answers]
    assert found[0]
    assert found[-1]
    assert sum(found) > 20


async def test_one_broken_table_is_one_broken_table(launch: Launch) -> None:
    """An open one, of which an event cannot be read: everybody's lobby, its own people's list,
    a connection to it, and the other tables."""
    server = launch("--log", "json")
    ann, ben = server.someone("Ann"), server.someone("Ben")
    bad, good = (open_table(who, options={"access": "open"}) for who in (ann, ben))
    server.process.kill()
    server.process.wait()
    with stored(server.data) as connection:
        query = "UPDATE events SET data = ? WHERE table_id = ? AND seq = 4"
        connection.execute(query, (b'{"seq":4,"at":1,"type":"no such"}', bad))
        connection.execute("UPDATE tables SET due_at = 1 WHERE table_id = ?", (bad,))
    again = launch("--log", "json", port=server.port)
    for client, mine, broken in ((ann, [], [bad]), (ben, [good], []), (again.someone(), [], [])):
        listed = client.get("/api/tables")
        assert listed.status_code == 200
        assert [each["table"] for each in listed.json()["mine"]] == mine
        assert listed.json()["broken"] == broken
        assert bad not in [each["table"] for each in listed.json()["open"]]
    answer = ann.get(f"/api/tables/{bad}")
    assert refusal(answer) == (409, "http.broken_table")
    from websockets.exceptions import ConnectionClosed

    with pytest.raises(ConnectionClosed) as ended:
        async with connected(again.url, bad, ann):
            pass
    assert ended.value.rcvd is not None
    assert ended.value.rcvd.code == 4011
    async with connected(again.url, good, ben) as guest:
        assert (await guest.do("rename", name="Bea"))["type"] == "update"
    time.sleep(2.5)  # in which it was to be woken, too
    lines = [json.loads(line) for line in again.logged().splitlines()]
    messages = [line["message"] for line in lines]
    said = [each for each in messages if each.startswith("table ") and "cannot be read" in each]
    assert len(said) == 1
    assert "event 4" in said[0]
    assert bad not in again.logged()


async def test_damage_is_reported_at_the_start(launch: Launch) -> None:
    server = launch()
    code = open_table(server.someone("Ann"))
    assert server.end() == 0
    with stored(server.data) as connection:
        connection.execute("DELETE FROM events WHERE table_id = ? AND seq = 2", (code,))
        for seq, data in enumerate((b"no JSON", b'{"rubbish":1}', b'{"seq":9,"type":"left"}'), 1):
            row = (f"elsewhe{seq}", 1, 1, data, 7)
            connection.execute("INSERT INTO events VALUES (?, ?, ?, ?, ?)", row)
    again = launch()
    until = time.monotonic() + PATIENCE
    while again.logged().count("the store is damaged") < 4 and time.monotonic() < until:
        time.sleep(0.05)
    assert again.logged().count("docs/hosting.md: If the store is damaged") == 4
    assert "## If the store is damaged" in (ROOT / "docs" / "hosting.md").read_text("utf-8")
    assert again.nobody().get("/readyz").status_code == 200


async def test_a_server_that_finds_damaged_pages_is_not_ready(launch: Launch) -> None:
    """Although it needs none of them yet. No game begins at a table either; one under way can be
    finished."""
    server = launch()
    people = [server.someone(name) for name in ("Ann", "Ben")]
    tables = list[str]()
    for most in (10_000, 1):
        async with game_of(server.url, people, rules="poof+schedule:1") as guests:
            await play_out(guests, Random(1), most)
            tables.append(guests[0].code)
    over, playing, gathering = *tables, open_table(people[0], "poof", 2)
    assert server.end() == 0
    with stored(server.data) as connection:
        query = "SELECT rootpage FROM sqlite_master WHERE name = 'games_dealt'"
        (page,) = connection.execute(query).fetchone()
    with (server.data / STORE).open("r+b") as file:
        file.seek((page - 1) * 4096)
        file.write(bytes(range(256)) * 16)
    again = launch()
    until = time.monotonic() + PATIENCE
    while again.nobody().get("/readyz").status_code != 503 and time.monotonic() < until:
        time.sleep(0.05)
    assert again.nobody().get("/readyz").status_code == 503
    assert again.nobody().get("/healthz").status_code == 200
    asked = {"rules": "poof", "players": 2, "name": "Ann"}
    refused = again.someone().post("/api/tables", json=asked)
    assert refusal(refused) == (503, "http.store_damaged")
    for code, what in ((over, "rematch"), (gathering, "start")):
        async with connected(again.url, code, people[0]) as ann:
            assert await ann.refusal_code(what) == "http.store_damaged"
    async with (
        connected(again.url, playing, people[0]) as ann,
        connected(again.url, playing, people[1]) as ben,
    ):
        await play_out([ann, ben], Random(2))
        assert ann.facts[-1]["type"] == "game_over"
    assert "database disk image is malformed" in again.logged()
    assert again.end() == 1


async def test_a_folder_that_is_gone_is_noticed_and_nothing_more_is_shown(launch: Launch) -> None:
    server = launch()
    ann, ben = server.someone("Ann"), server.someone("Ben")
    code = open_table(ann, "poof", 2)
    async with connected(server.url, code, ann) as one, connected(server.url, code, ben) as two:
        await sit_down([one, two])
        await start(one, two)
        aside = server.data.with_name("aside")
        server.data.rename(aside)
        mover, other = (one, two) if one.turn is not None else (two, one)
        assert mover.turn is not None
        move, seq = mover.turn["legal"].split()[0], other.seq
        for _ in range(3):
            assert await mover.refusal_code("play", ply=mover.ply, move=move) == "http.not_stored"
        assert server.nobody().get("/readyz").status_code == 503
        assert server.nobody().get("/healthz").status_code == 200
        assert ann.get("/api/tables").status_code == 503
        assert "is gone" in server.logged()
        with pytest.raises(TimeoutError):
            await other.receive(0.5)
        assert other.seq == seq
        aside.rename(server.data)  # put back, it goes on
        assert (await mover.do("play", ply=mover.ply, move=move))["type"] == "update"
        assert (await other.fact("played"))["move"] == move
        assert server.nobody().get("/readyz").status_code == 200


@pytest.mark.parametrize("harm", ["removed", "overwritten"])
def test_a_store_that_is_lost_is_not_said_to_be_kept(launch: Launch, harm: str) -> None:
    server = launch()
    ann = server.someone("Ann")
    open_table(ann)
    server.end()
    server = launch()
    ann = server.someone("Ann")
    if harm == "removed":
        shutil.rmtree(server.data)
    else:
        with (server.data / STORE).open("r+b") as file:
            file.seek(4096)
            file.write(bytes(range(256)) * 16 * 20)
    asked = {"rules": "poof", "players": 2, "name": "Ann"}
    assert ann.post("/api/tables", json=asked).status_code == 503
    assert server.nobody().get("/readyz").status_code == 503
    server.process.send_signal(signal.SIGTERM)
    assert server.process.stdout is not None
    assert "kept" not in server.process.stdout.read()
    assert server.end() == 1
    assert "the tables cannot be read or stored" in server.logged()


async def test_a_file_that_is_replaced_alone_is_noticed(tmp_path: Path) -> None:
    """As by a backup that is put back under a running server, whose log stays."""
    hub = hub_on(tmp_path)
    code = await create_table(hub, "ann", "ben")
    file = tmp_path / STORE
    copy = file.with_name("copy")
    copy.write_bytes(file.read_bytes())
    copy.replace(file)
    await asyncio.sleep(1.5 * sqlite_file.CHECK_INTERVAL)
    for _ in range(3):
        with pytest.raises(StoreFailed, match="gone"):
            await hub.do(code, Rename("Anna"), "ann")
    await hub.close()
