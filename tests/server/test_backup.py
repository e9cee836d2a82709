"""``rage backup`` and ``rage restore``: tables and people survive the loss of everything, and move
between a folder and a database."""

from __future__ import annotations

import asyncio
import os
import shutil
import sqlite3
import time
from contextlib import closing
from pathlib import Path
from random import Random

import asyncpg
import pytest

from house.recording import connect as enter
from house.recording import create_table, hub_on, hub_with
from house.recording import play_out as play_through
from rage.cli import main
from rage.house.operating.retention import DEFAULT_RETENTION
from rage.house.store import Append, Passkey
from rage.house.store.file import connect, files_beside, prepare, tables
from rage.house.tables.hub import Hub
from rage.house.tables.loading import final_snapshot
from rage.server.postgres.store import postgres_store
from rage.server.stores import STORE
from rage.table import Chat, Start
from server.conftest import Launch
from server.postgres import cluster
from server.running import open_table
from server.stored import PAGE, logical_rows, overwrite, rows_in, sqlite_store, stored
from server.table_client import game_of, play_out

#: A day, in milliseconds.
DAY = 24 * 3600 * 1000


def refused(capsys: pytest.CaptureFixture[str], *words: object, language: str = "en") -> str:
    """What a command says that is refused; one line."""
    assert main(["--lang", language, *map(str, words)]) in (1, 2)
    (line,) = capsys.readouterr().err.splitlines()
    return line


async def test_tables_move_to_a_database_and_back(
    launch: Launch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    running = launch()
    people = [running.someone(name) for name in ("Ann", "Ben")]
    async with game_of(running.url, people, rules="poof+schedule:1") as guests:
        await play_out(guests, Random(1))
    open_table(people[0])
    running.end()
    url = await cluster().url(tmp_path.name)
    first, second = tmp_path / "first.sqlite", tmp_path / "second.sqlite"

    def move() -> None:
        assert main(["backup", str(first), "--data", str(running.data)]) == 0
        assert main(["restore", str(first), "--store", url]) == 0
        assert main(["backup", str(second), "--store", url]) == 0
        said = refused(capsys, "restore", first, "--store", url)
        assert "/postgres has tables or people already" in said

    await asyncio.to_thread(move)
    assert rows_in(second) == rows_in(first) == rows_in(running.data / STORE)
    assert len(rows_in(first)["tables"]) == 2
    assert len(rows_in(first)["games"]) == 1


def test_nothing_is_overwritten_or_half_written(
    launch: Launch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    running, copy, other = launch(), tmp_path / "copy.sqlite", tmp_path / "other"
    ann = running.someone("Ann")
    open_table(ann)
    assert "no tables in the folder" in refused(capsys, "backup", copy, "--data", other)
    assert not other.exists()
    at = ("--data", running.data)
    os.mkfifo(tmp_path / "pipe")
    assert "is not a file" in refused(capsys, "backup", tmp_path / "pipe", *at, "--force")
    assert (tmp_path / "pipe").is_fifo()
    (loop := tmp_path / "loop").symlink_to(loop)
    assert f"{loop}: " in refused(capsys, "backup", loop, *at)
    assert loop.is_symlink()
    assert "no folder" in refused(capsys, "backup", other / "copy.sqlite", *at)
    assert not other.exists()
    copy.write_bytes(b"mine")
    assert "--force replaces it" in refused(capsys, "backup", copy, *at)
    assert copy.read_bytes() == b"mine"
    assert "has no tables" in refused(capsys, "restore", copy, "--data", other)
    said = refused(capsys, "backup", copy, *at, "--force")
    assert "is not a backup of Rage" in said
    assert copy.read_bytes() == b"mine"
    copy.unlink()
    for _ in range(2):
        assert main(["backup", str(copy), *map(str, at), "--force"]) == 0
    capsys.readouterr()
    assert "uses the folder" in refused(capsys, "restore", copy, *at)
    running.end()
    assert "has tables or people already" in refused(capsys, "restore", copy, *at)
    whole = copy.read_bytes()
    for harmed in (whole[: len(whole) // 2], whole[:4096] + bytes(4096) + whole[8192:]):
        copy.write_bytes(harmed)
        said = refused(capsys, "restore", copy, "--data", other)
        assert "malformed. Restore an older backup" in said
        assert "\\n" not in said
    assert not other.exists()
    assert not list(tmp_path.glob("*.part"))


def test_tables_in_use_are_no_place_for_a_backup(
    launch: Launch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    running = launch()
    open_table(running.someone("Ann"))
    at = ("--data", running.data, "--force")
    assert "has the name" in refused(capsys, "backup", running.data / STORE, *at)
    for name in ("server.lock", "new.sqlite"):
        assert "server.lock lies beside" in refused(capsys, "backup", running.data / name, *at)
    running.end()
    (running.data / "server.lock").unlink()
    for beside in files_beside(running.data / STORE):
        beside.unlink()
    said = refused(capsys, "backup", running.data / "new.sqlite", *at)
    assert f"{STORE} lies beside" in said
    link = tmp_path / "link.sqlite"
    link.symlink_to(running.data / STORE)
    assert "has the name" in refused(capsys, "backup", link, *at)
    copy = tmp_path / "copy.sqlite"
    for ending in ("-wal", "-shm", "-journal"):
        (beside := Path(f"{copy}{ending}")).touch()
        assert f"{beside.name} lies beside" in refused(capsys, "backup", copy, *at)
        beside.unlink()
    for given in ("", "-"):
        assert f"'{given}' is none" in refused(capsys, "backup", given, *at)
        assert f"'{given}' is none" in refused(capsys, "restore", given, *at[:2])


def test_a_backup_is_not_mixed_with_the_log_of_other_tables(
    launch: Launch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Left when only ``tables.sqlite`` was moved away: SQLite would read the old tables again."""
    running, copy, other = launch(), tmp_path / "copy.sqlite", tmp_path / "other"
    open_table(running.someone("Ann"))
    assert main(["backup", str(copy), "--data", str(running.data)]) == 0
    open_table(running.someone("Ben"))
    capsys.readouterr()
    other.mkdir()
    for ending in ("-wal", "-shm"):
        left = other / f"{STORE}{ending}"
        shutil.copy(running.data / left.name, left)
        assert f"{left.name} is left over" in refused(capsys, "restore", copy, "--data", other)
        assert not (other / STORE).exists()
        left.unlink()
    assert main(["restore", str(copy), "--data", str(other)]) == 0
    assert rows_in(other / STORE) == rows_in(copy)


def test_a_backup_is_not_replaced_by_an_empty_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    empty, copy = tmp_path / "empty", tmp_path / "copy.sqlite"
    with closing(connect(empty / STORE)) as connection:
        prepare(connection, empty / STORE)
    assert "nothing to copy" in refused(capsys, "backup", copy, "--data", empty, "--force")
    assert not copy.exists()
    file = tmp_path / "file"
    file.touch()
    assert "file is not a folder" in refused(capsys, "backup", copy, "--data", file)
    (empty / STORE).write_bytes(b"")
    assert "has no tables of Rage" in refused(capsys, "backup", copy, "--data", empty)


@pytest.mark.parametrize("secret", [{}, {"RAGE_SECRET": "a secret of at least 32 characters"}])
def test_a_backup_is_not_replaced_by_that_of_another_store(
    launch: Launch, tmp_path: Path, capsys: pytest.CaptureFixture[str], secret: dict[str, str]
) -> None:
    """After a volume was lost, or with a wrong ``--data``: a new store, where somebody came by."""
    running, copy = launch(**secret), tmp_path / "copy.sqlite"
    open_table(running.someone("Ann"))
    assert main(["backup", str(copy), "--data", str(running.data)]) == 0
    good = copy.read_bytes()
    other = launch(data=tmp_path / "other", **secret)
    other.someone("Ben")
    said = refused(capsys, "backup", "--force", copy, "--data", other.data)
    assert "is the backup of another store" in said
    assert copy.read_bytes() == good
    assert main(["backup", "--force", str(copy), "--data", str(running.data)]) == 0


@pytest.fixture
async def crashed(tmp_path: Path) -> tuple[Path, Path]:
    """A data folder as a crash leaves it, with a log, and a backup from just before."""
    copy, folder = tmp_path / "copy.sqlite", tmp_path / "crashed"
    hub = hub_on(tmp_path / "data")
    await create_table(hub, "ann", "ben")
    await hub.close()
    hub = hub_on(tmp_path / "data")
    codes = [await create_table(hub, "ann", "ben", rules="poof+schedule:2") for _ in range(3)]
    for code in codes[:2]:
        await hub.do(code, Start(), "ann")
        people = [await enter(hub, code, person) for person in ("ann", "ben")]
        await play_through(hub, code, people, Random(1))
    at = ["--data", str(tmp_path / "data")]
    assert await asyncio.to_thread(main, ["backup", str(copy), *at]) == 0
    shutil.copytree(tmp_path / "data", folder)
    (folder / f"{STORE}-shm").unlink()
    await hub.close()
    return folder, copy


@pytest.mark.parametrize("place", [10, 20, -30_000, -3000])
def test_a_damaged_log_is_named(
    crashed: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str], place: int
) -> None:
    """SQLite reads a log up to the first damaged byte, and says nothing."""
    folder, copy = crashed
    log, good = folder / f"{STORE}-wal", copy.read_bytes()
    data = bytearray(log.read_bytes())
    data[place] ^= 0x55
    log.write_bytes(data)
    for file, words in ((copy, ["--force"]), (tmp_path / "new.sqlite", [])):
        said = refused(capsys, "backup", file, *words, "--data", folder)
        assert f"the end of the log {log} is damaged" in said
    assert copy.read_bytes() == good
    part = tmp_path / "part.sqlite"
    said = refused(capsys, "backup", "--partial", part, "--data", folder)
    assert "is not complete" in said
    assert rows_in(part)["events"]


@pytest.mark.parametrize("kept", ["nothing", "head", "half", "all but a byte"])
def test_a_backup_is_not_replaced_by_what_is_left_of_a_cut_log(
    crashed: tuple[Path, Path], capsys: pytest.CaptureFixture[str], kept: str
) -> None:
    folder, copy = crashed
    log, good = folder / f"{STORE}-wal", copy.read_bytes()
    size = log.stat().st_size
    os.truncate(log, {"nothing": 0, "head": 32, "half": size // 2}.get(kept, size - 1))
    said = refused(capsys, "backup", "--force", copy, "--data", folder)
    assert "has something later than the store has" in said or "is damaged" in said
    assert copy.read_bytes() == good


async def test_a_backup_is_replaced_after_anything_was_removed_on_purpose(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """By a rule, by a person and by the operator, even if nothing has happened since."""
    source, copy = tmp_path / "source", tmp_path / "copy.sqlite"
    await filled(hub_on(source))
    words = ["backup", "--force", str(copy), "--data", str(source)]
    store, now = sqlite_store(source / STORE), int(time.time() * 1000)

    async def replaced() -> None:
        with closing(sqlite3.connect(copy)) as connection:  # as it was a year ago
            for name, column in (("tables", "used"), ("games", "ended"), ("names", "at")):
                connection.execute(f"UPDATE {name} SET {column} = {column} - {400 * DAY}")
            connection.commit()
        before = rows_in(copy)
        assert await asyncio.to_thread(main, words) == 0
        assert rows_in(copy) != before

    assert await asyncio.to_thread(main, words) == 0
    (last, *_) = await store.games_of("ann", 9)
    await store.drop_game(last.table, last.game)
    await store.close()
    assert await asyncio.to_thread(main, words) == 0
    store = sqlite_store(source / STORE)
    expiry = DEFAULT_RETENTION.expiry(now + 1000 * DAY)
    await store.remove(await store.expired_tables(expiry, 99))
    while await store.tidy(expiry, 20):
        pass
    await store.close()
    await replaced()


@pytest.mark.parametrize(
    ("harm", "named"),
    [
        ("DELETE FROM tables", "the entry of table {} in the lists is missing"),
        ("DELETE FROM games", "game 1 of table {} is damaged"),
    ],
)
async def test_a_row_that_others_belong_to_is_missed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], harm: str, named: str
) -> None:
    source, copy = tmp_path / "source", tmp_path / "copy.sqlite"
    await filled(hub_on(source))
    at = ("--data", source)
    codes = [row[0] for row in rows_in(source / STORE)["games"]]
    with stored(source) as connection:
        connection.execute(f"{harm} WHERE table_id = ?", codes[:1])
    said = refused(capsys, "backup", copy, *at)
    assert named.format(codes[0]) in said
    refused(capsys, "backup", "--partial", copy, *at)
    if "games" in harm:  # nobody has it in their list any more
        assert main(["restore", str(copy), "--data", str(tmp_path / "other")]) == 0


def test_a_file_that_is_no_whole_backup_is_called_what_it_is(
    launch: Launch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    running, copy, other = launch(), tmp_path / "copy.sqlite", ("--data", tmp_path / "other")
    nameless = running.someone()
    codes = [open_table(nameless, name="Ann") for _ in range(3)]
    running.end()
    assert main(["--lang", "en", "backup", str(copy), "--data", str(running.data)]) == 0
    assert "3 tables, 0 finished games and 1 person" in capsys.readouterr().out
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path, tmp_path / "pipe"):
        assert "is not a file" in refused(capsys, "restore", path, *other)
    with closing(sqlite3.connect(tmp_path / "foreign.sqlite")) as foreign:
        foreign.execute("CREATE TABLE games (id INTEGER)")
    assert "has no tables" in refused(capsys, "restore", tmp_path / "foreign.sqlite", *other)
    with closing(sqlite3.connect(copy)) as damaged, damaged:
        damaged.execute("DELETE FROM events WHERE table_id = ? AND seq = 1", codes[:1])
        damaged.execute("UPDATE events SET data = x'ff' WHERE table_id = ?", codes[1:2])
    said = refused(capsys, "restore", copy, *other, language="de")
    assert "ist beschädigt und wurde zurückgeholt" in said
    assert [code in said for code in codes] == [True, True, False]
    assert main(["admin", "list", "--json", "--data", str(other[1])]) == 0
    printed = capsys.readouterr()
    assert codes[2] in printed.out
    assert not printed.err


async def filled(hub: Hub) -> None:
    """Store something of all kinds: games that are over, and one under way."""
    store = hub.services.store
    for number in range(6):
        code = await create_table(hub, "ann", "ben", rules="poof+schedule:2")
        await hub.do(code, Chat(f"hello {number}"), "ann")
        await hub.do(code, Start(), "ann")
        people = [await enter(hub, code, person) for person in ("ann", "ben")]
        if number:
            await play_through(hub, code, people, Random(number))
    table = await hub.table(code)
    await store.append(Append(code, snapshot=final_snapshot(table)))
    for person in ("ann", "ben"):
        await store.keep_profile(person, person.title(), "sign")
        await store.keep_code(person, person.encode() * 8)
        assert await store.keep_passkey(Passkey(person.encode(), f"{person}s", b"key", 0, 1))
        await store.use_passkey(Passkey(person.encode(), f"{person}s", b"key", 3, 1), end=False)
        await store.end_sessions(person)
        assert await store.spend(person.encode())
    for room in list(hub.rooms.values()):
        await room.log.store_summary()
    await hub.close()


def harmed(file: Path, rng: Random) -> None:
    """Damage a file at a random place, in one of the ways that disks and memory have."""
    pages = file.stat().st_size // PAGE
    page, place = rng.randrange(1, pages + 1), rng.randrange(PAGE)
    data = file.read_bytes()
    match rng.randrange(6):
        case 0:
            overwrite(file, page, rng.randbytes(PAGE))
        case 1:
            overwrite(file, page, bytes(PAGE))
        case 2:
            other = rng.randrange(1, pages + 1)
            overwrite(file, page, data[(other - 1) * PAGE : other * PAGE])
            if rng.random() < 0.5:
                overwrite(file, other, data[(page - 1) * PAGE : page * PAGE])
        case 3 | 4:
            overwrite(file, page, rng.randbytes(64), min(place, PAGE - 64))
        case _:
            at = (page - 1) * PAGE + place
            overwrite(file, page, bytes([data[at] ^ 1 << rng.randrange(8)]), place)


@pytest.mark.sampled(7)
@pytest.mark.parametrize("seed", range(20))
async def test_a_copy_is_what_was_stored_or_there_is_none(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], seed: int
) -> None:
    """Whatever has happened to the file: an earlier copy stays, and a copy of a part has nothing
    that was not stored. A copy that is damaged itself is noticed in the same way."""
    source, copy, rng = tmp_path / "source", tmp_path / "copy.sqlite", Random(seed)
    source.mkdir()
    await filled(hub_on(source))
    whole, expected = (source / STORE).read_bytes(), logical_rows(source / STORE)
    assert main(["backup", str(copy), "--data", str(source)]) == 0
    good, found = copy.read_bytes(), 0
    assert logical_rows(copy) == expected
    for number in range(25):
        (source / STORE).write_bytes(whole)
        harmed(source / STORE, rng)
        if main(["backup", "--force", str(copy), "--data", str(source)]) == 0:
            assert logical_rows(copy) == expected, number
            copy.write_bytes(good)
        else:
            found += 1
            assert copy.read_bytes() == good
            part = tmp_path / f"part{number}.sqlite"
            status = main(["backup", "--partial", str(part), "--data", str(source)])
            if part.exists():
                assert status == 1
                rows = logical_rows(part)
                more = {name: set(rows[name]) - set(expected[name]) for name in expected}
                assert not any(more.values()), (number, more)
                part.unlink()
        copy.write_bytes(good)
        harmed(copy, rng)
        other = tmp_path / f"other{number}"
        if main(["restore", str(copy), "--data", str(other)]) == 0:
            assert logical_rows(other / STORE) == expected, number
        shutil.rmtree(other, ignore_errors=True)
        copy.write_bytes(good)
        assert "Traceback" not in capsys.readouterr().err
    assert found > 5


@pytest.mark.parametrize("database", ["sqlite", "postgres"])
async def test_what_says_something_else_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], database: str
) -> None:
    """A record that can be read but is another one, and any other row, in both stores."""
    copy = tmp_path.with_suffix(".sqlite")
    harm = (
        "UPDATE games SET record = (SELECT record FROM games ORDER BY table_id LIMIT 1)",
        "UPDATE names SET name = 'Eve' WHERE person = 'ann'",
    )
    if database == "sqlite":
        source = ["--data", str(tmp_path)]
        await filled(hub_on(tmp_path))
        with closing(sqlite3.connect(tmp_path / STORE)) as connection, connection:
            for each in harm:
                connection.execute(each)
    else:
        source = ["--store", await cluster().url(tmp_path.name)]
        await filled(hub_with(await postgres_store(source[1])))
        there = await asyncpg.connect(source[1])
        for each in harm:
            await there.execute(each)
        await there.close()
    said = await asyncio.to_thread(refused, capsys, "backup", copy, *source)
    assert "nothing was copied" in said
    assert "game 1 of table" in said
    assert "1 row of names is damaged" in said
    assert not copy.exists()
    assert await asyncio.to_thread(main, ["backup", "--partial", str(copy), *source]) == 1
    assert len(rows_in(copy)["games"]) == 1
    assert [row[1] for row in rows_in(copy)["names"]] == ["Ben"]


@pytest.mark.parametrize("database", ["sqlite", "postgres"])
async def test_a_store_from_before_checksums_goes_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], database: str
) -> None:
    """What it has is checked by reading it: a record must end as its line says."""
    url, copy = await cluster().url(tmp_path.name), tmp_path.with_suffix(".sqlite")
    source = ["--data", str(tmp_path)] if database == "sqlite" else ["--store", url]

    async def opened() -> Hub:
        if database == "sqlite":
            return hub_on(tmp_path)
        return hub_with(await postgres_store(url))

    await filled(await opened())
    older = [
        f"DROP INDEX {each}_whole" for each in ("changed_bids", "chat", "settings", "sessions")
    ]
    older += [f"ALTER TABLE {name} DROP COLUMN crc" for name in tables()]
    swapped = "UPDATE games SET record = (SELECT record FROM games ORDER BY table_id LIMIT 1)"

    async def change(statements: list[str]) -> None:
        if database == "sqlite":
            with closing(sqlite3.connect(tmp_path / STORE)) as connection, connection:
                for each in statements:
                    connection.execute(each)
        else:
            there = await asyncpg.connect(url)
            await there.execute(";".join(statements))
            await there.close()

    await change(older)
    hub = await opened()
    (game, *_) = await hub.services.store.games_of("ann", 9)
    assert (await hub.table(game.table)).phase == "over"
    assert await hub.services.store.finished_game(game.table, game.game) is not None
    await hub.close()
    assert await asyncio.to_thread(main, ["backup", str(copy), *source]) == 0
    with closing(sqlite3.connect(copy)) as connection:
        assert connection.execute("SELECT count(*) FROM events WHERE crc IS NULL").fetchone() == (
            0,
        )
    await change([swapped])
    capsys.readouterr()
    said = await asyncio.to_thread(refused, capsys, "backup", "--force", copy, *source)
    assert "was not replaced" in said
    assert "game 1 of table" in said
