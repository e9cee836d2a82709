"""Tables logged by one release go on under the next: the logs in ``logs/`` are never made anew.

Each holds a game with words, an undo, a bot that stepped in, a claim, and the beginning of a
rematch; beside it the record of the game and the views in which the log must end.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from rage.notation import read_record, replay, write_record
from rage.notation.fair import conclusion, verify
from rage.table import Table, read_event, write_event
from rage.table.shapes import ToActData
from table.tables import as_known, comparable, view_data

LOGS = sorted((Path(__file__).parent / "logs").glob("*.jsonl"))


def without_turn(then: Any, turn: ToActData | None) -> Any:
    """An older view without what a turn has now: the legal moves and the reasons."""
    game = then["game"]
    if game is not None:
        assert game.pop("legal", []) == ([] if turn is None else turn.legal.split())
        why_not = [] if turn is None else turn.why_not
        codes = {code for codes, _ in why_not for code in codes.split()}
        assert game.pop("why_not", dict.fromkeys(codes)).keys() == codes
        game.pop("met", None)
    return then


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.stem)
def test_an_older_log_gives_the_same_table(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").splitlines()
    events = [read_event(line.encode()) for line in lines]
    assert [read_event(write_event(event)) for event in events] == events
    assert len(events) > 80
    table = Table()
    record = b""
    for event in events:
        if table.phase == "over" and not record:
            record = write_record(table.record())
        table.apply(event)
        if table.phase != "new":
            again = Table.from_snapshot(table.snapshot())
            assert comparable(again) == comparable(table)
    views = json.loads(path.with_suffix(".views.json").read_text(encoding="utf-8"))
    for person, then in views.items():
        assert (
            as_known(view_data(table, person), without_turn(then, table.turn_for(person))) == then
        )
    assert record == path.with_suffix(".rage.json").read_bytes()
    assert replay(read_record(record)).over
    findings = list(verify(read_record(record)))
    assert all(finding.ok for finding in findings if finding.ok is not None)
    assert conclusion(findings).code == "verify.proven.words_open"


def test_there_are_logs_of_every_edition() -> None:
    assert [path.stem for path in LOGS] == ["amigo", "fundex", "poof"]
    lines = [line for path in LOGS for line in path.read_text(encoding="utf-8").splitlines()]
    kinds = {json.loads(line)["type"] for line in lines}
    assert {"undone", "claimed", "stepped_in", "took_back", "rematched", "bids_shown"} <= kinds
