"""What a table takes is bounded, what nobody uses is removed, and what is kept survives: a backup,
a store of an older version, a broken table, a folder that is gone."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from rage.notation import read_record, replay
from rage.say import NotAllowed, NotReadable
from rage.server import audience, event_log, room, sqlite_file
from rage.server import hub as hubs
from rage.server.app import STORE
from rage.server.codes import NoTable
from rage.server.hub import Hub
from rage.server.loading import load
from rage.server.retention import Retention, read_retention
from rage.server.store import Append, StoreFailed
from rage.table import (
    Chat,
    Configure,
    Create,
    Options,
    Rematch,
    Rename,
    Start,
    Table,
)
from rage.table.authority import Table as Authority
from rage.table.events import event_of
from server.conftest import Launch
from server.recording import RecordingClient, connect, create_table, hub_on
from server.running import STANDSTILL, Running, open_table, wait_until
from server.table_client import connected, cookie, sit_down, start

ROOT = Path(__file__).parents[2]
OLD = Path(__file__).parent / "stores" / "version-1.sql"
LOGS = Path(__file__).parents[1] / "table" / "logs"
DAY = 24 * 3600 * 1000
OPEN = Options(access="open")


@contextlib.contextmanager
def stored(data: Path) -> Iterator[sqlite3.Connection]:
    """The file of a store, for looking at it, or for spoiling it."""
    with contextlib.closing(sqlite3.connect(data / STORE, isolation_level=None)) as connection:
        yield connection


def count(data: Path, name: str, table: str) -> int:
    with stored(data) as connection:
        query = f"SELECT count(*) FROM {name} WHERE table_id = ?"
        found: int = connection.execute(query, (table,)).fetchone()[0]
        return found


async def play_out(hub: Hub, code: str, recorders: list[RecordingClient], rng: Random) -> None:
    while hub.rooms[code].table.phase == "playing":
        recorder = next(each for each in recorders if each.turn is not None)
        await hub.do(code, recorder.choice(rng), recorder.person)


# --- one table, one room -------------------------------------------------------------------


async def test_a_table_has_one_room_whatever_is_asked_meanwhile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A room is asked for between the commit of the first event and the answer."""
    monkeypatch.setattr(hubs, "new_code", lambda: "abcdefgh")
    hub = hub_on(tmp_path)
    real = hub.store.append

    async def stored_and_asked(append: Append) -> None:
        await real(append)
        assert [each.table for each in await hub.store.open_tables(9)] == ["abcdefgh"]
        asking.append(asyncio.ensure_future(hub.room("abcdefgh")))
        await asyncio.sleep(0.01)

    asking: list[asyncio.Future[Any]] = []
    hub.store.append = stored_and_asked  # type: ignore[method-assign]
    code = await hub.create(Create("poof", 2, "Ann", OPEN), "ann")
    hub.store.append = real  # type: ignore[method-assign]
    assert await asking[0] is hub.rooms[code] is await hub.room(code)
    await hub.close()


async def test_listing_tables_opens_no_room_and_marks_nobody_as_away(tmp_path: Path) -> None:
    hub = hub_on(tmp_path)
    code = await create_table(hub, "ann", "ben", options=OPEN)
    await hub.close()
    again = hub_on(tmp_path)
    (found,) = await again.store.open_tables(9)
    summary = await again.summary(found)
    assert [(seat.name, seat.here) for seat in summary.seats] == [("Ann", False), ("Ben", False)]
    assert again.rooms == {}
    table = await again.table(code)
    assert all(guest.present for guest in table.state.guests.values())
    await again.close()


async def test_a_table_that_cannot_be_opened_leaves_no_room(tmp_path: Path) -> None:
    hub = hub_on(tmp_path)
    with pytest.raises(NotReadable):
        await hub.create(Create("nonsense", 2, "Ann"), "ann")
    assert hub.rooms == {}
    await hub.close()


# --- bounds --------------------------------------------------------------------------------


@pytest.mark.long
async def test_a_log_is_cut_and_the_table_stays_the_same(tmp_path: Path) -> None:
    hub = hub_on(tmp_path)
    code = await create_table(hub, "ann", "ben", rules="poof+schedule:3.2")
    await hub.do(code, Start(), "ann")
    recorders = [await connect(hub, code, person) for person in ("ann", "ben")]
    for number in range(3 * event_log.SNAPSHOT_AFTER):
        await hub.do(code, Rename(f"Ann {number % 7}"), "ann")
        assert count(tmp_path, "events", code) <= event_log.SNAPSHOT_AFTER + event_log.MAX_MISSED
    view, seq = hub.rooms[code].table.view_for("ben"), recorders[1].seq
    await hub.close()
    again = hub_on(tmp_path)
    assert (await again.table(code)).view_for("ben") == view
    kept = seq - event_log.MAX_MISSED
    for since, kind in ((kept, "update"), (kept - 1, "table")):
        late = await connect(again, code, "ben", since)
        assert late.messages[0]["type"] == kind
        assert late.seq == seq
    recorders = [await connect(again, code, person) for person in ("ann", "ben")]
    await play_out(again, code, recorders, Random(1))
    assert again.rooms[code].table.phase == "over"
    await again.close()


async def test_a_snapshot_that_was_not_stored_is_made_again(tmp_path: Path) -> None:
    hub = hub_on(tmp_path)
    code = await create_table(hub, "ann", "ben")
    real, failing = hub.store.append, [False]

    async def store(append: Append) -> None:
        failing[0] = append.snapshot is not None and not failing[0]
        if failing[0]:
            raise StoreFailed("full")
        await real(append)

    hub.store.append = store  # type: ignore[method-assign]
    for number in range(event_log.SNAPSHOT_AFTER):
        with contextlib.suppress(StoreFailed):
            await hub.do(code, Rename(f"Ann {number % 7}"), "ann")
    found = await hub.store.snapshot(code)
    assert found is not None
    assert Authority.from_snapshot(found.data).seq == found.seq
    assert await hub.store.events(code, 0, 1) == await hub.store.events(code, found.dropped, 1)
    await hub.close()


async def test_the_chat_keeps_its_last_lines_and_is_told_to_those_who_missed_it(
    tmp_path: Path,
) -> None:
    hub = hub_on(tmp_path)
    code = await create_table(hub, "ann", "ben")
    for number in range(250):
        await hub.do(code, Chat(f"line {number}"), "ann")
    assert count(tmp_path, "chat", code) == 200
    assert count(tmp_path, "events", code) == hub.rooms[code].table.seq
    seq = hub.rooms[code].table.seq
    await hub.close()
    again = hub_on(tmp_path)
    ben = RecordingClient("ben")
    ben.seq = seq
    await (await again.room(code)).enter(ben.client, seq, 247)
    lines = [line for each in ben.messages if each["type"] == "chat" for line in each["lines"]]
    assert [line["text"] for line in lines] == ["line 247", "line 248", "line 249"]
    assert [line["number"] for line in lines] == [248, 249, 250]
    await again.do(code, Chat("more"), "ann")
    assert ben.messages[-1]["lines"][0]["number"] == 251
    await again.close()


async def test_finished_games_stay_when_the_log_is_cut(tmp_path: Path) -> None:
    hub = hub_on(tmp_path)
    code = await create_table(hub, "ann", "ben", rules="poof+schedule:1")
    recorders = [await connect(hub, code, person) for person in ("ann", "ben")]
    for game in (1, 2):
        await hub.do(code, Start(), "ann")
        await play_out(hub, code, recorders, Random(game))
        await hub.do(code, Rematch(), "ann")
    for number in range(event_log.SNAPSHOT_AFTER + event_log.MAX_MISSED):
        await hub.do(code, Rename(f"Ann {number % 7}"), "ann")
    kinds = {json.loads(row.data)["type"] for row in await hub.store.events(code)}
    assert "game_over" not in kinds
    for game in (1, 2):
        found = await hub.store.finished(code, game)
        assert found is not None
        scores = json.loads(found.line)["scores"]
        assert replay(read_record(found.record)).scores == scores
        assert found.seats == {"ann": 0, "ben": 1}
    await hub.close()


async def test_a_person_may_have_only_so_many_open_tables(tmp_path: Path) -> None:
    hub = hub_on(tmp_path)
    codes = [await create_table(hub, "ann", options=OPEN) for _ in range(hubs.MAX_OPEN)]
    with pytest.raises(NotAllowed) as refused:
        await create_table(hub, "ann", options=OPEN)
    assert refused.value.reason.code == "http.too_many_open"
    assert await create_table(hub, "ann") not in codes  # one that needs a link does not count
    await create_table(hub, "ben", options=OPEN)
    await hub.do(codes[0], Configure("poof", 2, Options()), "ann")
    await create_table(hub, "ann", options=OPEN)
    await hub.close()


async def test_open_tables_are_counted_one_by_one(tmp_path: Path) -> None:
    """Also those that are asked for at once."""
    hub = hub_on(tmp_path)
    asked = [hub.create(Create("poof", 2, "Ann", OPEN), "ann") for _ in range(15)]
    answers = await asyncio.gather(*asked, return_exceptions=True)
    assert sum(isinstance(answer, str) for answer in answers) == hubs.MAX_OPEN
    await hub.close()


async def test_an_address_may_have_only_so_many_open_tables(tmp_path: Path) -> None:
    hub = hub_on(tmp_path)
    for number in range(hubs.MAX_OPEN_FROM):
        await hub.create(Create("poof", 2, "P", OPEN), f"p{number}", "192.0.2.1")
    with pytest.raises(NotAllowed) as refused:
        await hub.create(Create("poof", 2, "P", OPEN), "more", "192.0.2.1")
    assert refused.value.reason.code == "http.too_many_open_from"
    await hub.create(Create("poof", 2, "P", OPEN), "more", "192.0.2.2")
    await hub.do(next(iter(hub.rooms)), Configure("poof", 2, Options()), "p0")
    await hub.create(Create("poof", 2, "P", OPEN), "more", "192.0.2.1")
    await hub.close()


async def test_the_limit_of_open_tables_counts_over_the_socket_too(server: Running) -> None:
    ann = server.someone("Ann")
    for _ in range(hubs.MAX_OPEN):
        open_table(ann, options={"access": "open"})
    code = open_table(ann)
    async with connected(server.url, code, ann) as guest:
        change = {"rules": "amigo", "players": 4, "options": {"access": "open"}}
        assert await guest.refusal_code("configure", **change) == "http.too_many_open"
        assert guest.table["options"]["access"] == "link"


async def test_the_lobby_mixes_people_not_tables(tmp_path: Path) -> None:
    hub = hub_on(tmp_path)
    crowd = [await create_table(hub, "mallory", options=OPEN) for _ in range(hubs.MAX_OPEN)]
    await asyncio.sleep(0.01)
    hosts = {await create_table(hub, name, options=OPEN): name for name in ("ann", "ben", "cleo")}
    for number in range(50):
        await hub.do(crowd[number % hubs.MAX_OPEN], Rename(f"M{number}"), "mallory")
    listed = [each.table for each in await hub.store.open_tables(5)]
    assert {hosts.get(code, "mallory") for code in listed[:4]} == {"ann", "ben", "cleo", "mallory"}
    await hub.close()


async def test_lookers_from_outside_cost_at_most_a_frame_a_second(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(audience, "OUTSIDE_INTERVAL", 0.05)
    hub = hub_on(tmp_path)
    code = await create_table(hub, "ann", "ben")
    eve = await connect(hub, code, "eve")
    for number in range(100):
        await hub.do(code, Rename(f"Ann {number}"), "ann")
    await asyncio.sleep(0.1)
    assert len(eve.messages) < 20
    assert eve.messages[-1]["table"]["seats"][0]["name"] == "Ann 99"
    others = [await connect(hub, code, f"o{number}") for number in range(audience.MAX_OUTSIDE)]
    assert eve.close_codes == [4008]  # who has looked for longest makes room
    assert not any(recorder.close_codes for recorder in others)
    await hub.close()


async def test_one_address_cannot_take_all_places_outside_a_table(tmp_path: Path) -> None:
    hub = hub_on(tmp_path)
    code = await create_table(hub, "ann", "ben")
    crowd = []
    for number in range(3 * audience.MAX_OUTSIDE):
        crowd.append(RecordingClient(f"m{number}"))
        crowd[-1].client.address = "192.0.2.1"
        await hub.rooms[code].enter(crowd[-1].client, None)
        for recorder in crowd:
            if recorder.close_codes:
                hub.rooms[code].leave(recorder.client)
    assert sum(not recorder.close_codes for recorder in crowd) == audience.MAX_OUTSIDE_FROM
    eve = await connect(hub, code, "eve")
    assert not eve.close_codes
    await hub.close()


async def test_strangers_cannot_use_up_the_limits_of_those_at_the_table(server: Running) -> None:
    """Nor what others may who come to it."""
    ann, ben, *strangers = (server.someone(f"P{number}") for number in range(10))
    code = open_table(ann, options={"spectators": False})
    async with contextlib.AsyncExitStack() as stack:
        guests = [
            # None of them reads what they are answered, and still they hear a goodbye at once.
            await stack.enter_async_context(connected(server.url, code, each, max_queue=None))
            for each in strangers
        ]
        host = await stack.enter_async_context(connected(server.url, code, ann))
        for _ in range(18):
            for guest in guests:
                await guest.ask("leave")
        for number in range(10):
            assert (await host.do("rename", name=f"Ann {number}"))["type"] == "update"
        async with connected(server.url, code, ben) as newcomer:
            assert (await newcomer.do("join", name="Ben"))["type"] == "update"


async def test_a_room_that_somebody_is_entering_is_not_dropped(tmp_path: Path) -> None:
    now = [0]
    hub = hub_on(tmp_path, now=lambda: now[0])
    code = await create_table(hub, "ann", "ben")
    now[0] = 10 * hubs.IDLE_AFTER
    letting_go = asyncio.ensure_future(hub._drop(hub.rooms[code], hub.rooms[code].used))
    room_found = await hub.room(code)
    await letting_go
    assert hub.rooms[code] is room_found
    await hub.close()


async def test_a_crowd_of_tables_does_not_stay_in_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those that were asked for last do, and those that people are at."""
    monkeypatch.setattr(hubs, "MAX_IDLE", 3)
    now = [0]
    hub = hub_on(tmp_path, now=lambda: now[0])
    first = await create_table(hub, "ann")
    ann = await connect(hub, first, "ann")
    codes = []
    for number in range(6):
        now[0] += 1000
        codes.append(await create_table(hub, f"p{number}"))
    now[0] += 1000
    await hub.room(codes[0])
    hub.tidy()
    assert set(hub.rooms) == {first, *codes}  # somebody may be on their way to any of them
    now[0] += hubs.IDLE_AFTER_IN_CROWD
    hub.tidy()
    async with asyncio.timeout(5):
        while len(hub.rooms) > 4:
            await asyncio.sleep(0.01)
    assert set(hub.rooms) == {first, codes[0], codes[4], codes[5]}
    assert not ann.close_codes
    for code in codes:
        assert (await hub.table(code)).state.guests
    await hub.close()


# --- how long ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "keep"),
    [
        ("", Retention()),
        ("games=forever", Retention(games=None)),
        (" unstarted=0 , finished = 7,", Retention(unstarted=0, finished=7)),
    ],
)  # fmt: skip
def test_retention_can_be_configured(text: str, keep: Retention) -> None:
    assert read_retention(text) == keep


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("tables=3", "serve.keep"), ("games=1,games=2", "serve.keep"), ("7", "serve.keep"),
        ("games", "serve.keep_days"), ("games=-1", "serve.keep_days"),
        ("games=1.5", "serve.keep_days"), ("games=99999999", "serve.keep_days"),
        ("games=²", "serve.keep_days"),
    ],
)  # fmt: skip
def test_a_retention_that_cannot_be_read_is_refused(text: str, code: str) -> None:
    with pytest.raises(NotReadable) as refused:
        read_retention(text)
    assert refused.value.reason.code == code
    assert text.partition(",")[0] in str(refused.value) or "games=2" in str(refused.value)


async def test_unused_tables_and_games_expire(tmp_path: Path) -> None:
    """Tables by what became of them; finished games long after their tables."""
    now = [100 * DAY]
    hub = hub_on(tmp_path, now=lambda: now[0], keep=Retention(1, 20, 10, 40))
    unstarted = await create_table(hub, "ann", "ben")
    codes = [await create_table(hub, "ann", "ben", rules="poof+schedule:1") for _ in range(2)]
    finished, abandoned = codes
    for code in codes:
        await hub.do(code, Chat("hello"), "ann")
        await hub.do(code, Start(), "ann")
    recorders = [await connect(hub, finished, person) for person in ("ann", "ben")]
    await play_out(hub, finished, recorders, Random(1))
    for recorder in recorders:
        hub.rooms[finished].leave(recorder.client)
    hub.rooms.clear()
    left = {unstarted: 1, finished: 10, abandoned: 20}
    for days in (0, 2, 11, 21):
        now[0] = (100 + days) * DAY
        await hub.clear()
        for code, kept in left.items():
            for name in ("events", "tables", "people", "chat"):
                if days > kept:
                    assert count(tmp_path, name, code) == 0, (days, name)
            assert (await hub.store.table(code) is None) == (days > kept)
        assert len(await hub.store.games_of("ann", 9)) == 1
    with pytest.raises(NoTable):
        await hub.room(abandoned)
    now[0] = 141 * DAY
    await hub.clear()
    assert await hub.store.games_of("ann", 9) == []
    await hub.close()


async def test_a_table_with_somebody_at_it_is_never_removed(tmp_path: Path) -> None:
    now = [0]
    hub = hub_on(tmp_path, now=lambda: now[0])
    code = await create_table(hub, "ann", "ben")
    ann = await connect(hub, code, "ann")
    now[0] = 1000 * DAY
    await hub.clear()
    await hub.do(code, Rename("Anna"), "ann")
    assert ann.seq == (await hub.table(code)).seq
    await hub.close()


async def test_tables_in_use_do_not_keep_others_from_expiring(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of the tables that are to go, the first ones are in use: more than are removed at once."""
    monkeypatch.setattr(hubs, "REMOVE_BATCH", 3)
    now = [0]
    hub = hub_on(tmp_path, now=lambda: now[0])
    used = [await create_table(hub, "ann") for _ in range(5)]
    now[0] = 1
    unused = [await create_table(hub, "ann") for _ in range(7)]
    for code in used:
        await connect(hub, code, "ann")
    for code in unused:
        del hub.rooms[code]
    now[0] = 1000 * DAY
    await hub.clear()
    assert [await hub.store.table(code) for code in unused] == [None] * 7
    assert None not in [await hub.store.table(code) for code in used]
    await hub.close()


async def test_the_file_shrinks_when_tables_are_removed(tmp_path: Path) -> None:
    now = [0]
    hub = hub_on(tmp_path, now=lambda: now[0])
    for _ in range(5):
        code = await create_table(hub, "ann", "ben")
        for _ in range(5):
            await hub.store.say(code, 0, b"x" * 100_000, 200)
    hub.rooms.clear()
    await hub.close()
    before = (tmp_path / STORE).stat().st_size
    now[0] = 1000 * DAY
    again = hub_on(tmp_path, now=lambda: now[0])
    async with asyncio.timeout(10):  # page by page it would take half a minute
        await again.clear()
    await again.close()
    assert before > 2_000_000
    assert (tmp_path / STORE).stat().st_size < before / 10


async def test_a_clock_that_jumps_empties_no_store(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hubs, "SWEEP_INTERVAL", 0.01)
    monkeypatch.setattr(hubs, "CLEAR_INTERVAL", STANDSTILL)
    ahead = [0]
    hub = hub_on(tmp_path, now=lambda: int(time.time() * 1000) + ahead[0])
    code = await create_table(hub, "ann", "ben")
    hub.rooms.clear()
    sweeping = asyncio.ensure_future(hub.sweep())
    for _ in range(16):  # a clock that does not stay where it is
        await asyncio.sleep(0.2)
        ahead[0] = 3650 * DAY - ahead[0]
    assert await hub.store.table(code) is not None
    ahead[0] = 3650 * DAY
    async with asyncio.timeout(20):
        while await hub.store.table(code) is not None:  # and one that does
            await asyncio.sleep(0.05)
    sweeping.cancel()
    await hub.close()


# --- what is kept --------------------------------------------------------------------------


def the_command(title: str) -> str:
    """The command that docs/hosting.md gives under a title."""
    page = (ROOT / "docs" / "hosting.md").read_text(encoding="utf-8")
    block = re.search(rf"## {title}\n.*?```sh\n(.*?)\n *```", page, re.S)
    assert block is not None
    return block[1]


async def test_a_backup_of_a_running_server_is_restored_as_documented(
    launch: Launch, tmp_path: Path
) -> None:
    server = launch()
    ann, ben = server.someone("Ann"), server.someone("Ben")
    code = open_table(ann, "poof+schedule:3.2", 2)
    async with connected(server.url, code, ann) as one, connected(server.url, code, ben) as two:
        await sit_down([one, two])
        await start(one, two)
        copy = tmp_path / "backup.sqlite"
        command = the_command("Backups").replace("/var/lib/rage/tables.sqlite", "$FROM")
        command = command.replace("/var/backups/rage.sqlite", "$TO").replace("python3", "$PYTHON")
        env = {**os.environ, "FROM": str(server.data / STORE), "TO": str(copy)}
        env["PYTHON"] = sys.executable
        subprocess.run(["/bin/sh", "-ec", command], env=env, check=True)
        seq = one.seq
        for _ in range(3):
            mover = one if one.turn is not None else two
            await mover.play(Random(1))
            await (two if mover is one else one).fact("played")
    assert server.end() == 0
    shutil.copy(copy, server.data / STORE)
    for name in (f"{STORE}-wal", f"{STORE}-shm"):
        (server.data / name).unlink(missing_ok=True)
    back = launch(port=server.port)
    async with connected(back.url, code, cookie(ann)) as again:
        assert again.seq >= seq
        assert again.table["game"]["rounds"][-1]["bids"] == [None, None]


def of_version_1(data: Path) -> dict[str, list[Any]]:
    """A data folder as version 1 left it, with the logs of old games, and one that is broken."""
    data.mkdir()
    logs = {}
    with stored(data) as connection:
        connection.executescript(OLD.read_text(encoding="utf-8"))
        connection.execute("PRAGMA user_version = 1")
        for number, path in enumerate(sorted(LOGS.glob("*.jsonl"))):
            name = f"tabbbbb{'abc'[number]}"
            logs[name] = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
            for event in logs[name]:
                row = (name, event["seq"], event["at"], json.dumps(event).encode())
                connection.execute("INSERT INTO events VALUES (?, ?, ?, ?)", row)
            connection.execute("INSERT INTO tables VALUES (?, 'over', 0, 5, 9)", (name,))
            over = next(each for each in logs[name] if each["type"] == "game_over")
            line = json.dumps({"rules": "poof"}).encode()
            game = (name, 1, over["seq"], over["at"], line)
            connection.execute("INSERT INTO games VALUES (?, ?, ?, ?, ?)", game)
            connection.execute("INSERT INTO players VALUES ('ann', ?, 1, 0)", (name,))
        connection.execute("INSERT INTO events VALUES ('broken', 1, 1, '{}')")
        connection.execute("INSERT INTO tables VALUES ('broken', 'playing', 1, 5, 9)")
        connection.execute("INSERT INTO names VALUES ('ann', 'Ann')")
        connection.execute("INSERT INTO settings VALUES ('secret', x'00')")
    return logs


async def test_a_store_of_version_1_goes_on(tmp_path: Path) -> None:
    data = tmp_path / "data"
    logs = of_version_1(data)
    for _ in range(2):
        hub = hub_on(data)
        for number, (name, log) in enumerate(logs.items()):
            table = Table.from_events(event_of(event) for event in log)
            again, _ = await load(hub.store, name)
            assert again.view_for("ann") == table.view_for("ann")
            assert count(data, "events", name) == 0
            found = await hub.store.finished(name, 1)
            assert found is not None
            written = sorted(LOGS.glob("*.rage.json"))[number].read_bytes()
            assert found.record == written
            assert found.seats == {"ann": 0}
        assert await hub.store.name_of("ann") == "Ann"
        assert await hub.store.setting("secret", b"new") == b"\0"
        assert "broken" not in [each.table for each in await hub.store.open_tables(9)]
        assert "broken" not in await hub.store.due(10**15, 9)
        assert count(data, "events", "broken") == 1
        await hub.close()
    with stored(data) as connection:
        assert connection.execute("PRAGMA auto_vacuum").fetchone()[0] == 2


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
    assert (answer.status_code, answer.json()["reason"]["code"]) == (409, "http.broken_table")
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
            row = ("elsewher", seq, 1, data)
            connection.execute("INSERT INTO events VALUES (?, ?, ?, ?)", row)
    again = launch()
    until = time.monotonic() + 10
    while again.logged().count("the store is damaged") < 4 and time.monotonic() < until:
        time.sleep(0.05)
    assert again.logged().count("docs/hosting.md: If the store is damaged") == 4
    assert "## If the store is damaged" in (ROOT / "docs" / "hosting.md").read_text("utf-8")
    assert again.nobody().get("/readyz").status_code == 200


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


# --- memory --------------------------------------------------------------------------------


async def test_a_dropped_room_is_freed_without_a_garbage_collection(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing in it holds itself: it is gone without a collection."""
    import gc
    import weakref

    monkeypatch.setattr(room, "ABSENCE_GRACE", 0)
    hub = hub_on(tmp_path)
    code = await create_table(hub, "ann", "ben")
    recorder = await connect(hub, code, "ann")
    guests = hub.rooms[code].table.state.guests
    hub.rooms[code].leave(recorder.client)
    await wait_until(lambda: not guests["ann"].present, 10)
    await asyncio.sleep(0.05)
    gone = weakref.ref(hub.rooms[code])
    gc.collect()
    gc.disable()
    try:
        hub.rooms[code].used = 0
        await hub._drop(hub.rooms[code], 0)
        del recorder
        await asyncio.sleep(0.01)
        assert gone() is None
    finally:
        gc.enable()
    await hub.close()
