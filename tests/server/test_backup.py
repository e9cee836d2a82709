"""``rage backup`` and ``rage restore``: tables and people survive the loss of everything, and move
between a folder and a database."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from random import Random

import pytest

from rage.cli import main
from rage.server.app import STORE
from server.conftest import Launch
from server.postgres import cluster
from server.running import open_table
from server.stored import rows_in
from server.table_client import game_of, play_out


def refused(capsys: pytest.CaptureFixture[str], *words: object) -> str:
    """What a command says that is refused; one line."""
    assert main(["--lang", "en", *map(str, words)]) in (1, 2)
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
        assert "PostgreSQL has tables or people already" in said

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
    assert "there is no file" in refused(capsys, "backup", copy, "--data", other)
    assert not other.exists()
    at = ("--data", running.data)
    for own in (STORE, "server.lock"):
        file = running.data / own
        assert "is where the tables are" in refused(capsys, "backup", file, *at, "--force")
    os.mkfifo(tmp_path / "pipe")
    assert "has no tables" in refused(capsys, "backup", tmp_path / "pipe", *at, "--force")
    assert (tmp_path / "pipe").is_fifo()
    copy.write_bytes(b"mine")
    assert "--force replaces it" in refused(capsys, "backup", copy, *at)
    assert copy.read_bytes() == b"mine"
    assert "has no tables" in refused(capsys, "restore", copy, "--data", other)
    assert main(["backup", str(copy), *map(str, at), "--force"]) == 0
    capsys.readouterr()
    assert "uses the folder" in refused(capsys, "restore", copy, *at)
    running.end()
    assert "has tables or people already" in refused(capsys, "restore", copy, *at)
    whole = copy.read_bytes()
    copy.write_bytes(whole[: len(whole) // 2])
    assert "malformed" in refused(capsys, "restore", copy, "--data", other)
    assert sorted(path.name for path in other.glob("*")) in ([], ["server.lock"])
    assert not list(tmp_path.glob("*.part"))
