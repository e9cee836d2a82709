"""What one release has stored, the next one reads: the rows in ``stored/`` are never made anew.

``tables.jsonl`` holds the rows of a store, one in a line, with the records not compressed: two
tables from their first event on, with every kind of event, and six that begin with a snapshot in
the midst of something. ``views.jsonl`` is what people were told of each of them then.
"""

from __future__ import annotations

import asyncio
import json
import sqlite3
import zlib
from collections.abc import Awaitable, Callable
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeVar

import pytest

from rage.notation import read_record, replay
from rage.notation.fair import conclusion, verify
from rage.server.api.lines import game_line
from rage.server.loading import load, load_chat
from rage.server.sqlite import SqliteStore
from rage.server.store import GameEntry, Store
from rage.server.summary import read_summary, summary_of
from rage.table import Table, read_event, write_event
from rage.table.events import FACTS, FORMER_FACTS
from rage.table.schema import tag_of
from table.tables import as_known, view_data

T = TypeVar("T")
STORED: Final = Path(__file__).parent / "stored"
WHOLE: Final = ("aaaaaaaa", "bbbbbbbb")
#: Facts that came after these rows.
LATER: Final = {"readied", "seat_asked", "swapped", "bid_sealed"}
CUT: Final = ("cccccccc", "dddddddd", "eeeeeeee", "ffffffff", "gggggggg", "hhhhhhhh")


def lines(name: str) -> list[dict[str, Any]]:
    text = (STORED / name).read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with these rows."""
    path = tmp_path_factory.mktemp("stored") / "tables.sqlite"
    read(path, lambda store: store.sessions())  # makes the file
    with closing(sqlite3.connect(path)) as database:
        for row in lines("tables.jsonl"):
            table = row.pop("table")
            for name in {"data", "summary", "line", "record"} & row.keys():
                row[name] = row[name] and row[name].encode()
            if "record" in row:
                row["record"] = zlib.compress(row["record"])
            marks = ", ".join("?" * len(row))
            names = ", ".join(row)
            database.execute(f"INSERT INTO {table} ({names}) VALUES ({marks})", [*row.values()])
        database.commit()
    return path


def read(file: Path, ask: Callable[[Store], Awaitable[T]]) -> T:
    """What a store answers."""

    async def answer() -> T:
        store = SqliteStore(file)
        try:
            return await ask(store)
        finally:
            await store.close()

    return asyncio.run(answer())


def stored_table(file: Path, code: str) -> Table:
    async def loaded(store: Store) -> Table:
        table = (await load(store, code)).table
        for said in await load_chat(store, code):
            table.add_chat_line(said)
        return table

    return read(file, loaded)


def test_there_is_every_kind_of_event() -> None:
    rows = [json.loads(row["data"]) for row in lines("tables.jsonl") if row["table"] == "events"]
    kinds = {tag_of(kind) for kind in (*FACTS, *FORMER_FACTS)}
    assert {row["type"] for row in rows} == kinds - LATER


@pytest.mark.parametrize("code", [*WHOLE, *CUT])
def test_a_stored_table_is_told_as_before(file: Path, code: str) -> None:
    table = stored_table(file, code)
    views = [line for line in lines("views.jsonl") if line["table"] == code]
    assert views
    for line in views:
        now = view_data(table, line["person"] or None)
        assert as_known(now, line["view"]) == line["view"]


@pytest.mark.parametrize("code", [*WHOLE, *CUT])
def test_a_stored_event_is_written_as_it_was(file: Path, code: str) -> None:
    rows = read(file, lambda store: store.events(code))
    assert rows
    for row in rows:
        event = read_event(row.data)
        assert (event.seq, event.at) == (row.seq, row.at)
        then = json.loads(row.data)
        assert as_known(json.loads(write_event(event)), then) == then


@pytest.mark.parametrize("code", WHOLE)
def test_the_summary_of_a_stored_table_is_read(file: Path, code: str) -> None:
    stored = read(file, lambda store: store.table(code))
    assert stored is not None
    assert stored.summary is not None
    assert read_summary(stored.summary) == summary_of(stored_table(file, code))


@pytest.mark.parametrize(("code", "players"), [("aaaaaaaa", ("ann", "ben", "fay")),
                                               ("bbbbbbbb", ("dan", None, "kim"))])  # fmt: skip
def test_a_stored_game_is_read(file: Path, code: str, players: tuple[str | None, ...]) -> None:
    finished = read(file, lambda store: store.finished(code, 1))
    assert finished is not None
    record = read_record(finished.record)
    game = replay(record)
    assert game.over
    findings = list(verify(record))
    assert all(finding.ok for finding in findings if finding.ok is not None)
    assert conclusion(findings).code.startswith("verify.proven")
    for seat, person in enumerate(players):
        if person is not None:
            (line,) = read(file, partial(games_of, person))
            shown = game_line(line, person, "en")
            assert (shown.seat, shown.scores, shown.winners) == (seat, game.scores, game.winners)


async def games_of(person: str, store: Store) -> list[GameEntry]:
    return await store.games_of(person, 9)
