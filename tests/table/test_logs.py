"""Tables logged by one release go on under the next: the logs in ``logs/`` are never made anew.

Each holds a game with words, an undo, a bot that stepped in, a claim, and the beginning of a
rematch; beside it the record of the game and the views in which the log must end.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from rage.fair import verify
from rage.notation import read_record, replay, write_record
from rage.table import Table, read_event

LOGS = sorted((Path(__file__).parent / "logs").glob("*.jsonl"))


def as_known(now: Any, then: Any) -> Any:
    """What is said now, but without the fields that nobody knew then."""
    if isinstance(now, dict) and isinstance(then, dict):
        return {name: as_known(now[name], then[name]) for name in then}
    return now


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.stem)
def test_a_log_of_old_gives_the_same_table(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").splitlines()
    events = [read_event(json.loads(line)) for line in lines]
    assert [read_event(json.loads(json.dumps(event.as_data()))) for event in events] == events
    assert len(events) > 80
    table = Table()
    record = b""
    for event in events:
        if table.phase == "over" and not record:
            record = write_record(table.record())
        table.apply(event)
    views = json.loads(path.with_suffix(".views.json").read_text(encoding="utf-8"))
    for person, then in views.items():
        assert as_known(table.view_for(person), then) == then
    assert record == path.with_suffix(".rage.json").read_bytes()
    assert replay(read_record(record)).over
    assert all(finding.right for finding in verify(read_record(record)))


def test_there_are_logs_of_every_edition() -> None:
    assert [path.stem for path in LOGS] == ["amigo", "fundex", "poof"]
    lines = [line for path in LOGS for line in path.read_text(encoding="utf-8").splitlines()]
    kinds = {json.loads(line)["type"] for line in lines}
    assert {"undone", "claimed", "stepped_in", "took_back", "rematched", "bids_shown"} <= kinds
