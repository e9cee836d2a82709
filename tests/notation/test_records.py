"""The records that come with the format, with the answers expected of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from rage.notation import (
    Record,
    complete,
    read_link,
    read_record,
    read_text,
    replay,
    replay_json,
    write_link,
    write_record,
    write_text,
)

RECORDS = Path(__file__).parent.parent / "records"
EXPECTED = [json.loads(line) for line in (RECORDS / "expected.jsonl").read_text().splitlines()]
LEGAL = [row["path"] for row in EXPECTED if row["status"] == 0]


@pytest.mark.parametrize("row", EXPECTED, ids=lambda row: row["path"])
def test_every_record_gives_the_object_expected(row: dict[str, Any]) -> None:
    answer = replay_json((RECORDS / row["path"]).read_bytes())
    wanted = row["object"]
    assert answer.keys() == wanted.keys()
    if not wanted["ok"]:
        assert answer["error"]
        answer["error"] = wanted["error"]
    assert answer == wanted


def test_no_record_is_left_out() -> None:
    files = {str(path.relative_to(RECORDS)) for path in RECORDS.rglob("*.rage.json")}
    assert files == {row["path"] for row in EXPECTED}


def completed(path: str) -> Record:
    record = read_record((RECORDS / path).read_bytes())
    complete(record, replay(record))
    return record


@pytest.mark.parametrize("path", LEGAL)
def test_a_record_written_and_read_again_is_the_same_bytes(path: str) -> None:
    data = write_record(completed(path))
    again = read_record(data)
    assert write_record(again) == data
    assert replay_json(data) == replay_json((RECORDS / path).read_bytes())


@pytest.mark.parametrize("path", LEGAL)
def test_a_record_round_trips_as_text(path: str) -> None:
    record = completed(path)
    text = write_text(record)
    assert write_record(read_text(text)) == write_record(record)
    assert write_text(read_text(text)) == text


@pytest.mark.parametrize("path", LEGAL)
def test_a_record_round_trips_as_a_link(path: str) -> None:
    record = completed(path)
    link = write_link(record)
    assert write_record(read_link(link)) == write_record(record)
    assert set(link) <= set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.")
