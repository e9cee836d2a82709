"""``rage admin``: what an operator sees and does while servers run."""

from __future__ import annotations

import asyncio
import csv
import io
import json
import resource
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path
from random import Random

import asyncpg
import pytest

from house.recording import connect, create_table, hub_on, hub_with
from rage.cli import main
from rage.house.base.codes import NoTable
from rage.house.base.messages import FOREIGN, NO_TABLE
from rage.house.operating import orders
from rage.house.operating.orders import CloseTable, EndSessions, Operator, RemoveTable, ask
from rage.house.people.identity import Keys, Sessions
from rage.house.store.sql import Store
from rage.house.tables.hub import Hub
from rage.say import NotAllowed
from rage.server.postgres import connection
from rage.server.postgres.store import postgres_store
from rage.server.stores import STORE
from rage.table import Rename
from server.conftest import Launch
from server.postgres import cluster
from server.running import PATIENCE, open_table, person_of
from server.stored import sqlite_store
from server.table_client import connected, game_of, play_out


async def admin(capsys: pytest.CaptureFixture[str], *words: object) -> str:
    """What a command prints that succeeds."""
    status = await asyncio.to_thread(main, ["--lang", "en", "admin", *map(str, words)])
    said = capsys.readouterr()
    assert status == 0, said.err
    return said.out


async def refused(capsys: pytest.CaptureFixture[str], *words: object) -> str:
    """The one line that a command says that is refused."""
    status = await asyncio.to_thread(main, ["--lang", "en", "admin", *map(str, words)])
    (line,) = capsys.readouterr().err.splitlines()
    assert status in (1, 2)
    return line


@pytest.mark.parametrize(
    ("address", "why"),
    [("127.0.0.1:1", "Verbindung abgelehnt"), ("h:99999999", "den Port 99999999 ")],
)
def test_why_a_database_is_not_reached_is_said_in_one_language(
    address: str, why: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "PATIENCE", 0.1)
    words = ["--lang", "de", "admin", "list", "--store", f"postgresql://rage@{address}/rage"]
    assert main(words) in (1, 2)
    said = capsys.readouterr().err
    assert why in said
    assert "onnect" not in said
    assert "the " not in said


async def test_an_operator_looks_after_a_running_server(
    launch: Launch, capsys: pytest.CaptureFixture[str]
) -> None:
    running = launch()
    at = ("--data", running.data)
    people = [running.someone(name) for name in ("Ann", "Ben")]
    async with game_of(running.url, people, rules="poof+schedule:1") as guests:
        over = guests[0].code
        await play_out(guests, Random(1))
    code = open_table(people[0], options={"access": "open"})
    hyphenated = f"{code[:4]}-{code[4:]}"
    listed = json.loads(await admin(capsys, "list", "--json", *at))
    assert {each["table"]: each["phase"] for each in listed} == {code: "gathering", over: "over"}
    assert [seat["name"] for seat in listed[1]["seats"]] == ["Ann", "Ben"]
    found = await admin(capsys, "list", "--phase", "gathering", *at)
    assert [line.split()[0] for line in found.splitlines()] == ["table", hyphenated]
    shown = await admin(capsys, "show", code.upper(), *at)
    assert f"Table: {hyphenated}" in shown
    assert "Open to everyone" in shown
    in_log = shown.partition("In the log: ")[2][:8]
    assert person_of(people[0]) in shown
    await admin(capsys, "close", code, *at)
    assert running.someone().get("/api/tables").json()["open"] == []
    assert "is not open" in await refused(capsys, "close", code, *at)
    assert f"CloseTable {in_log}" in running.logged()
    assert "CODE is empty" in await refused(capsys, "show", "", *at)
    rows = list(csv.DictReader(io.StringIO(await admin(capsys, "results", *at))))
    assert [(row["table"], row["name"]) for row in rows] == [(over, "Ann"), (over, "Ben")]
    assert "1" in [row["won"] for row in rows]
    async with connected(running.url, code, people[0]) as ann:
        person = person_of(people[0])
        await admin(capsys, "end-sessions", person, *at)
        assert await ann.close_code() == FOREIGN
    assert person_of(people[0]) != person
    async with connected(running.url, over, people[1]) as ben:
        await admin(capsys, "announce", "  <b>Restart</b> in ten minutes ", *at)
        told = await ben.until(lambda message: message["type"] == "announcement")
        assert told["text"] == "<b>Restart</b> in ten minutes"
        assert "1 to 300 characters" in await refused(capsys, "announce", " ", *at)
        for word in ("\x1b[2J", "ten\tminutes", "ten\nminutes"):
            assert "control characters" in await refused(capsys, "announce", word, *at)
        await admin(capsys, "remove", over, *at)
        assert await ben.close_code() == NO_TABLE
    assert len((await admin(capsys, "list", *at)).splitlines()) == 2
    assert people[1].get(f"/api/tables/{over}").status_code == 404
    assert people[1].get(f"/api/tables/{over}/games/1").status_code == 200
    assert "no table" in await refused(capsys, "remove", over, *at)
    assert "no person" in await refused(capsys, "end-sessions", "nobody", *at)


async def test_without_a_server_nothing_is_ordered(
    launch: Launch,
    store_options: list[str],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(orders, "LOOK_INTERVAL", 0.01)
    running = launch(*store_options)
    code = open_table(running.someone("Ann"))
    running.end()
    at = store_options or ["--data", str(running.data)]
    assert "start one first" in await refused(capsys, "remove", code, *at)
    assert "start one first" in await refused(capsys, "announce", "Hello", *at)
    assert code in await admin(capsys, "list", "--json", *at)
    for switch in ("on", "off"):
        assert "No server is running" in await admin(capsys, "read-only", switch, *at)


async def test_an_order_that_no_server_takes_is_withdrawn(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(orders, "PATIENCE", 0.1)
    store = sqlite_store(tmp_path / STORE)
    with pytest.raises(NotAllowed, match="withdrawn"):
        await ask(store, EndSessions("ann"))
    assert await store.orders() == {}
    await store.close()


async def test_reading_needs_no_right_to_write_and_makes_no_tables(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    url = await cluster().url(tmp_path.name)
    schema = url.rpartition("=")[2]
    for words in (["list"], ["results"], ["read-only", "on"], ["announce", "Hello"]):
        said = await refused(capsys, *words, "--store", url)
        assert "has no tables of Rage" in said
        assert "/postgres" in said
    store = await postgres_store(url, name="one")
    hub = hub_with(store)
    code = await create_table(hub, "ann", "ben")
    connection = await asyncpg.connect(url)
    for statement in (
        "CREATE ROLE reader LOGIN",
        f'GRANT USAGE ON SCHEMA "{schema}" TO reader',
        f'GRANT SELECT ON ALL TABLES IN SCHEMA "{schema}" TO reader',
    ):
        await connection.execute(statement)
    await connection.close()
    for words in (["list", "--json"], ["show", code, "--json"]):
        there = url.replace("rage@", "reader@")
        assert code in await admin(capsys, *words, "--store", there)
    assert "Server: one\n" in await admin(capsys, "show", code, "--store", there)
    assert "ended,table" in await admin(capsys, "results", "--store", there)
    await hub.close()


async def test_on_a_full_disk_tables_are_listed_without_a_server(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = sqlite_store(tmp_path / STORE)
    code = await create_table(hub_with(store), "ann")
    await store.close()
    unlimited = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1, unlimited[1]))
    try:
        listed = await admin(capsys, "list", "--json", "--data", tmp_path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, unlimited)
    assert code in listed
    assert code in await admin(capsys, "show", code, "--json", "--data", tmp_path)


async def test_where_there_is_no_store_a_command_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for word in ("list", "results", "read-only"):
        words = (word, "on") if word == "read-only" else (word,)
        assert "no tables in" in await refused(capsys, *words, "--data", tmp_path / "none")
    assert "list, show" in await refused(capsys)


@pytest.fixture
async def two(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[tuple[Store, list[Hub], list[Sessions]]]:
    """The store of an operator, and two servers on one database."""
    monkeypatch.setattr(orders, "LOOK_INTERVAL", 0.01)
    url = await cluster().url(tmp_path.name)
    async with AsyncExitStack() as stack:
        stores = [await postgres_store(url, serves=number > 0) for number in range(3)]
        for each in stores:
            stack.push_async_callback(each.close)
        hubs, sessions = [], []
        for each in stores[1:]:
            hub, own = hub_with(each), Sessions(await each.sessions())
            each.on_ended = own.end
            task = asyncio.ensure_future(Operator(hub, Keys(b"secret", own)).watch())
            stack.callback(task.cancel)
            hubs.append(hub)
            sessions.append(own)
        yield stores[0], hubs, sessions


async def test_orders_reach_the_server_that_has_a_table(
    two: tuple[Store, list[Hub], list[Sessions]],
) -> None:
    store, hubs, sessions = two
    codes = [await create_table(hub, "ann", "ben") for hub in hubs for _ in range(3)]
    anns = [await connect(hubs[number // 3], code, "ann") for number, code in enumerate(codes)]
    for code in codes[1:5]:
        await ask(store, RemoveTable(code))
        assert await store.table(code) is None
        assert await store.events(code) == []
        for hub in hubs:
            with pytest.raises(NoTable):
                await hub.room(code)
    assert all(ann.close_codes for ann in anns[1:5])
    for code in (codes[0], codes[5]):
        with pytest.raises(NotAllowed, match="not open"):
            await ask(store, CloseTable(code))
    assert [anns[0].close_codes, anns[5].close_codes] == [[], []]
    await ask(store, EndSessions("ann"))
    async with asyncio.timeout(PATIENCE):
        while [each.number("ann") for each in sessions] != [1, 1]:
            await asyncio.sleep(0.05)
    listed = await store.all_tables(None, found=False, most=9)
    assert {each.stored.table for each in listed} == {codes[0], codes[5]}


async def test_nothing_is_stored_of_a_table_once_it_is_removed(tmp_path: Path) -> None:
    hub = hub_on(tmp_path)
    code = await create_table(hub, "ann", "ben")
    room = await hub.room(code)
    asked = [asyncio.ensure_future(room.do(Rename(f"Ann{n}"), "ann")) for n in range(9)]
    await hub.remove(code)
    async with asyncio.timeout(PATIENCE):
        await asyncio.gather(*asked, return_exceptions=True)
        with pytest.raises(NotAllowed):
            await room.do(Rename("Late"), "ann")
    assert await hub.services.store.events(code) == []
    await hub.close()
