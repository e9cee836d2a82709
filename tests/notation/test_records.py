"""The records that come with the format, with the answers expected of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from rage.notation import replay_json

RECORDS = Path(__file__).parent.parent / "records"
EXPECTED = [json.loads(line) for line in (RECORDS / "expected.jsonl").read_text().splitlines()]


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
