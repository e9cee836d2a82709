"""What is stored of a person: told, and erased for good."""

from __future__ import annotations

import asyncio
import json
import zlib
from pathlib import Path
from random import Random

import asyncpg
import msgspec
import pytest

from house.recording import connect, create_table, hub_on, hub_with
from house.recording import play_out as play_to_the_end
from rage.cli import main
from rage.house.limits import FOREVER
from rage.house.operating.orders import CloseTable, ErasePerson, Operator, ask
from rage.house.operating.personal import erase, export
from rage.house.people.identity import Keys
from rage.house.store import Append, sqlite
from rage.house.store.file import rewrite
from rage.house.tables.hub import Hub
from rage.notation import parse_record
from rage.notation.fair import conclusion, verify
from rage.server.postgres import connection
from rage.server.postgres.store import PostgresStore, postgres_store
from rage.table import Chat, Options, Start
from server.conftest import Launch
from server.postgres import cluster
from server.running import PATIENCE, person_of
from server.stored import sqlite_store, stored
from server.table_client import connected, cookie, game_of, play_out, seated, start

#: Nobody and nothing else is called so.
NAME, ALIAS, SIGN = "Zwiebelfisch", "Quastenflosser", "35Qy"


async def everything(data: Path, options: list[str]) -> bytes:
    """All that is stored, byte by byte: the files with their logs, or all rows of a database; and
    what is packed in rows."""
    if not options:
        with stored(data) as rows:
            packed = [row[0] for name, column in (("games", "record"), ("snapshots", "data"))
                      for row in rows.execute(f"SELECT {column} FROM {name}")]  # fmt: skip
        files = [each.read_bytes() for each in sorted(data.iterdir()) if each.is_file()]
        return b"".join([*files, *map(unpacked, packed)])
    connection = await asyncpg.connect(options[1])
    query = "SELECT table_name FROM information_schema.tables WHERE table_schema = current_schema()"
    found = b""
    for (name,) in await connection.fetch(query):
        for row in await connection.fetch(f'SELECT * FROM "{name}"'):
            found += b"".join(
                unpacked(each) if isinstance(each, bytes) else f" {each} ".encode() for each in row
            )
    await connection.close()
    return found


def unpacked(value: bytes) -> bytes:
    """A value of a row, which may be compressed."""
    return zlib.decompress(value) if value.startswith(b"x\x9c") else value


async def admin(*words: str) -> int:
    return await asyncio.to_thread(main, ["--lang", "en", "admin", *words])


@pytest.mark.parametrize("by", ["page", "operator"])
async def test_nothing_is_left_of_somebody_erased(
    launch: Launch, store_options: list[str], tmp_path: Path, by: str
) -> None:
    running = launch(*store_options)
    ann, ben = running.someone("Ann"), running.someone(NAME)
    person = person_of(ben)
    assert ben.post("/api/recovery").status_code == 201
    async with seated(running.url, [ann, ben], rules="poof+schedule:1") as guests:
        over = guests[0].code
        await guests[1].do("rename", name=NAME, sign=SIGN)
        await start(*guests)
        await guests[1].do("chat", text="a line of mine")
        await guests[0].do("chat", text="a line of hers")
        await play_out(guests, Random(1))
    before = parse_record(ann.get(f"/api/tables/{over}/games/1/record").content)
    assert NAME in before.names
    assert before.extra["signs"] == ["", SIGN]
    async with game_of(running.url, [ann, ben], rules="poof") as guests:
        under_way, her = guests[0].code, guests[0]
        await play_out(guests, Random(1), most=3)
        await guests[1].do("rename", name=ALIAS)
        if by == "page":
            answer = ben.post("/api/me/erase")
            assert answer.status_code == 200, answer.text
            assert answer.json()["person"] != person
        else:
            at = store_options or ["--data", str(running.data)]
            assert await admin("erase", person, *at) == 0
        await her.close_code()
        assert await guests[1].close_code() in (1012, 4003)
    async with connected(running.url, under_way, ann) as again:
        names = [seat["name"] for seat in again.table["seats"]]
        assert NAME not in str(again.table)
        assert again.table["seats"][1]["bot"] is not None
        assert names[0] == "Ann"
    old = running.nobody(cookie=cookie(ben) if by == "operator" else "")
    assert person_of(old) != person
    words = [word.encode() for word in (person, NAME, ALIAS, f'"{SIGN}"', "a line of mine")]
    async with asyncio.timeout(PATIENCE):  # the file is written again beside everything else
        left = await everything(running.data, store_options)
        while any(word in left for word in words):
            await asyncio.sleep(0.1)
            left = await everything(running.data, store_options)
    assert b"a line of hers" in left
    (line,) = ann.get("/api/games").json()["games"]
    assert "∅1" in line["names"]
    shown = ann.get(f"/api/tables/{over}/games/1").json()
    assert NAME not in json.dumps(shown)
    after = parse_record(ann.get(f"/api/tables/{over}/games/1/record").content)
    assert after.rounds == before.rounds
    assert conclusion(verify(after)).code == conclusion(verify(before)).code
    running.end()
    again_running = launch(*store_options)
    restarted = again_running.nobody(cookie=cookie(ben))
    assert by == "page" or person_of(restarted) != person


async def test_a_person_gets_everything_that_is_stored_of_them(
    launch: Launch, store_options: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    running = launch(*store_options)
    ann, ben = running.someone("Ann"), running.someone("Ben")
    ben.post("/api/recovery")
    async with game_of(running.url, [ann, ben], rules="poof+schedule:1") as guests:
        over = guests[0].code
        await guests[1].do("chat", text="mine")
        await guests[0].do("chat", text="hers")
        await play_out(guests, Random(1))
    async with seated(running.url, [ann, ben]) as guests:
        await start(*guests)
        view = guests[1].table
        mine = ben.get("/api/me/data")
        hand = guests[0].table["game"]
    told = mine.json()
    assert 'filename="rage.json"' in mine.headers["content-disposition"]
    assert (told["name"], told["person"]) == ("Ben", person_of(ben))
    assert told["recovery_code"] > 0
    assert [each["text"] for each in told["chat"]] == ["mine"]
    assert [(each["table"], each["seat"]) for each in told["games"]] == [(over, 1)]
    assert told["games"][0]["record"]["players"] == ["Ann", "Ben"]
    tables = {each["table"]: each["view"] for each in told["tables"]}
    assert tables[guests[0].code]["me"]["seat"] == 1
    assert view is not None
    assert hand is None or "hers" not in json.dumps(tables)
    at = store_options or ["--data", str(running.data)]
    assert await admin("export", told["person"], *at) == 0
    assert json.loads(capsys.readouterr().out)["chat"] == told["chat"]
    assert await admin("export", "nobody", *at) == 2


async def test_a_game_goes_when_nobody_keeps_it(
    launch: Launch, store_options: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    running = launch(*store_options)
    ann, ben = running.someone("Ann"), running.someone("Ben")
    codes = []
    for _ in range(2):
        async with game_of(running.url, [ann, ben], rules="poof+schedule:1") as guests:
            codes.append(guests[0].code)
            await play_out(guests, Random(1))
    games = [f"/api/tables/{code}/games/1" for code in codes]
    assert running.someone().post(f"{games[0]}/delete").status_code == 403
    assert ann.post(f"{games[0]}/delete").status_code == 204
    assert [each["table"] for each in ann.get("/api/games").json()["games"]] == [codes[1]]
    assert ben.get(games[0]).status_code == 200
    assert ben.post(f"{games[0]}/delete").status_code == 204
    assert ben.get(games[0]).status_code == 404
    at = store_options or ["--data", str(running.data)]
    assert await admin("delete-game", codes[1], "1", *at) == 0
    assert ann.get(games[1]).status_code == 404
    assert await admin("delete-game", codes[1], "1", *at) == 2
    assert "no finished game 1" in capsys.readouterr().err


async def test_somebody_is_reported_and_banned(
    launch: Launch, store_options: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    running = launch(*store_options)
    at = store_options or ["--data", str(running.data)]
    ann, ben, cleo = (running.someone(name) for name in ("Ann", "Ben", "Cleo"))
    person = person_of(ben)
    async with seated(running.url, [ann, ben, cleo]) as guests:
        code, (host, him, _) = guests[0].code, guests
        await him.do("chat", text="an insult")
        path = f"/api/tables/{code}/report"
        assert running.someone().post(path, json={"person": person, "text": "x"}).status_code == 403
        assert cleo.post(path, json={"person": "a" * 12, "text": "x"}).status_code == 403
        assert cleo.post(path, json={"person": person, "text": " "}).status_code == 400
        assert cleo.post(path, json={"person": person, "text": "insults"}).status_code == 204
        told = await host.until(lambda each: each["type"] == "announcement")
        assert told["reason"] == {"code": "report.to_host", "name": "Ben", "text": "insults"}
        assert await admin("reports", "--show", "1", *at) == 0
        shown = capsys.readouterr().out
        assert all(word in shown for word in (person, "insults", "an insult", person_of(cleo)))
        assert "insult" not in running.logged()
        assert await admin("ban", person, "--days", "2", *at) == 0
        await host.until(lambda each: "'left'" in str(each))
        assert await him.refusal_code("join", name="Ben") == "http.banned_until"
        assert await him.refusal_code("chat", text="again") == "http.banned_until"
    refused = ben.post("/api/tables", json={"rules": "poof", "players": 4})
    assert refused.status_code == 403
    assert "do not let you play here until" in refused.json()["text"]
    assert ben.get("/api/me/data").status_code == 200
    assert await admin("reports", "--done", "1", *at) == 0
    assert await admin("reports", *at) == 0
    assert f"Banned: {person}, until 2" in capsys.readouterr().out
    assert await admin("reports", "--show", "1", *at) == 2
    assert await admin("unban", person, *at) == 0
    async with asyncio.timeout(PATIENCE):  # every server learns it with its next look
        while ben.post("/api/tables", json={"rules": "poof", "players": 4}).status_code == 403:
            await asyncio.sleep(0.1)


#: A person, and somebody who plays with them.
MINE, HERS = "bcdfghjkmnpq", "rstvwxyzbcdf"


async def table_over(hub: Hub) -> str:
    """A table where both have played a game, and said something."""
    code = await create_table(hub, HERS, MINE, rules="poof+schedule:1")
    people = [await connect(hub, code, person) for person in (HERS, MINE)]
    await hub.do(code, Start(), HERS)
    await hub.do(code, Chat("mine"), MINE)
    await play_to_the_end(hub, code, people, Random(1))
    return code


async def test_what_is_damaged_stops_neither_a_copy_nor_an_erasure(tmp_path: Path) -> None:
    """Neither a game of theirs, nor a line of theirs, nor what somebody else has stored."""
    hub, keys = hub_on(tmp_path), Keys(bytes(32))
    store = hub.services.store
    await table_over(hub)
    await create_table(hub, HERS)
    with stored(tmp_path) as connection:
        connection.execute("UPDATE games SET record = X'78'")
        connection.execute("UPDATE chat SET data = CAST(data || 'x' AS BLOB)")
        connection.execute("INSERT INTO snapshots VALUES ('other', 1, 0, X'78', 0)")
    told = msgspec.json.decode(msgspec.json.encode(await export(store, MINE)))
    assert [each["record"] for each in told["games"]] == [None]
    assert (told["chat"], len(told["tables"])) == ([], 1)
    await erase(hub, keys, MINE)
    assert await store.games_of(HERS, 9) == []
    with stored(tmp_path) as connection:
        connection.execute("DELETE FROM chat")  # whose line it was cannot be told
    assert await store.traces_of([MINE]) == []
    await hub.close()


async def test_two_servers_erase_somebody_at_once(tmp_path: Path) -> None:
    """Both are done, and whose sessions were ended does not come back when the database does."""
    url = await cluster().url(tmp_path.name)
    hubs = [hub_with(await postgres_store(url)) for _ in range(2)]
    keys = [Keys(bytes(32)) for _ in hubs]
    ended = dict[str, int]()
    for hub in hubs:
        hub.services.store.on_ended = ended.__setitem__
    codes = [await table_over(hub) for hub in hubs for _ in range(3)]
    assert await hubs[0].services.store.end_sessions(MINE) == 1
    await asyncio.gather(*(erase(*each, MINE) for each in zip(hubs, keys, strict=True)))
    assert not keys[0].person(keys[0].cookie(MINE))
    async with asyncio.timeout(PATIENCE):
        while ended.get(MINE) != FOREVER:
            await asyncio.sleep(0.05)
    store = hubs[0].services.store
    for hub in hubs:
        assert await hub.services.store.traces_of([MINE]) == []
    assert len(await store.games_of(HERS, 9)) == len(codes)
    for hub in hubs:
        assert isinstance(hub.services.store, PostgresStore)
        hub.services.store._listening.clear()
    connection = await asyncpg.connect(url)
    await connection.execute(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
        " WHERE application_name = 'rage' AND pid <> pg_backend_pid()"
    )
    for hub in hubs:
        assert isinstance(hub.services.store, PostgresStore)
        await asyncio.wait_for(hub.services.store._listening.wait(), PATIENCE)
    assert MINE not in dict(await connection.fetch("SELECT person, number FROM sessions"))
    assert await connection.fetch("SELECT * FROM owners") == []
    await connection.close()
    for hub in hubs:
        await hub.close()


async def test_a_look_at_everything_may_take_longer_than_any_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(connection.SETTINGS, "command_timeout", 2.0)
    url = await cluster().url(tmp_path.name)
    store, other = await postgres_store(url), await asyncpg.connect(url)
    # Nothing is asked again; opening the store needs its patience, to hear from another connection.
    monkeypatch.setattr(connection, "PATIENCE", 0.0)
    async with other.transaction():
        await other.execute("LOCK TABLE chat")
        looking = asyncio.create_task(store.traces_of([MINE]))
        await asyncio.sleep(4)
        assert not looking.done()
    assert await looking == []
    await other.close()
    await store.close()


async def test_other_orders_do_not_wait_for_an_erasure(tmp_path: Path) -> None:
    hub = hub_on(tmp_path)
    operator = asyncio.create_task(Operator(hub, Keys(bytes(32))).watch())
    store = hub.services.store
    busy = await create_table(hub, MINE)
    other = await create_table(hub, HERS, options=Options(access="open"))
    async with (await hub.room(busy)).turn():
        erasing = asyncio.create_task(ask(store, ErasePerson(MINE)))
        while await store.orders():  # until it is taken
            await asyncio.sleep(0.05)
        await ask(store, CloseTable(other))
        assert not erasing.done()
    await erasing
    assert await store.traces_of([MINE]) == []
    operator.cancel()
    await hub.close()


async def test_a_file_is_not_written_again_all_the_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Everybody would wait; what was erased meanwhile goes at the end at the latest."""
    path, times = tmp_path / "rage.sqlite", list[Path]()

    def counted(file: Path) -> None:
        times.append(file)
        rewrite(file)

    monkeypatch.setattr(sqlite, "rewrite", counted)
    store = sqlite_store(path)
    await store.rewrite()
    await store.keep_profile(MINE, NAME)
    await store.erase([MINE], "digest")
    waiting = asyncio.gather(*(store.rewrite() for _ in range(5)))
    await store.append(Append("t"))
    assert len(times) == 1
    waiting.cancel()
    await store.close()
    assert len(times) == 2
    assert NAME.encode() not in path.read_bytes()
