"""Fields and sizes that nobody expects: what is kept in every form, and what is refused."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from rage import Game
from rage.notation import (
    NotARecord,
    Record,
    parse_record,
    read_link,
    read_text,
    record_of,
    replay_json,
    write_link,
    write_record,
    write_text,
)
from rage.notation.record import MAX_BYTES
from rage.notation.writer import json_text

EXAMPLE = json.loads((Path(__file__).parent.parent / "records/poof-example.rage.json").read_bytes())
NAMES = [
    "game", "text", "format ", "a b", "", "x\ny", "hand 0", "trailing ", "\u2028", 'quote"]',
    "[x 1]", "stock:", "1. R0", "größe",
]  # fmt: skip


def record(in_round: bool = False, **fields: Any) -> Record:
    data = copy.deepcopy(EXAMPLE)
    (data["rounds"][0] if in_round else data).update(fields)
    return parse_record(json_text(data).encode())


@pytest.mark.parametrize("in_round", [False, True])
@pytest.mark.parametrize("name", NAMES)
def test_a_field_of_any_name_is_kept_in_every_form(name: str, in_round: bool) -> None:
    values: list[Any] = [None, "", "]", {"rounds": []}, "\ud800", "é\n[x 1]"]
    for value in values:
        given = record(in_round, **{name: value})
        data = write_record(given)
        assert write_record(parse_record(data)) == data
        assert write_record(read_text(write_text(given))) == data
        assert write_record(read_link(write_link(given))) == data


@pytest.mark.parametrize("in_round", [False, True])
@pytest.mark.parametrize(
    ("value", "why"),
    [
        (float("nan"), "nan is not a number in JSON"),
        ([-float("inf")], "−inf is not a number in JSON"),
        ({"a": 2**60}, "too large"),
        (-(2**53) - 1, "too large"),
        ([10**5000], "too large"),
        ({1: "a", "1": "b"}, "1 is the name of a field"),
        (b"x", "b'x' cannot stand in a record"),
        ({"a": {1, 2}}, "{1, 2} cannot stand in a record"),
    ],
)
def test_what_would_not_be_read_again_is_not_written(value: Any, why: str, in_round: bool) -> None:
    given = record()
    (given.rounds[0] if in_round else given).extra["x"] = value
    for write in (write_record, write_text, write_link):
        with pytest.raises(NotARecord, match=why):
            write(given)


def test_the_largest_numbers_and_tuples_are_written() -> None:
    given = record()
    given.extra["x"] = (2**53, -(2**53), 1.5, True, None, [()])
    again = parse_record(write_record(given))
    assert again.extra["x"] == [2**53, -(2**53), 1.5, True, None, [[]]]


def test_a_number_longer_than_that_of_any_game_is_not_divided(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each digit taken divides it whole, which takes most of a second with a hundred kilobytes."""
    version, fields, number = write_link(record()).split(".")

    def never(number: bytes) -> None:
        raise AssertionError(len(number))

    monkeypatch.setattr("rage.notation.link.Digits", never)
    with pytest.raises(NotARecord):
        read_link(f"{version}.{fields}.{number}{'A' * 9999}")


def test_the_longest_game_has_a_link() -> None:
    game = Game("poof+schedule:" + ".".join(["11"] * 30), 8, seed=b"long")
    while not game.over:
        game.play(game.legal_moves[0])
    given = record_of(game)
    assert write_record(read_link(write_link(given))) == write_record(given)


def test_a_record_cannot_be_written_with_a_field_of_the_format_among_the_unknown() -> None:
    for name in ("players", "rules", "rounds"):
        given = record()
        given.extra[name] = []
        with pytest.raises(NotARecord, match=name):
            write_record(given)
    given = record()
    given.rounds[0].extra["points"] = [99, 99, 99]
    with pytest.raises(NotARecord, match="points"):
        write_link(given)


@pytest.mark.parametrize(
    "line",
    ["[scores [1, 12, 16]]", "[rounds []]", "[version 1]", '["winners" [2]]', "bids: 2 ٢ 1",
     "bids: 2 +2 1", "bids: 2 0_2 1", "bids: 2 02 1", f"points: {'9' * 4000} 1 1"],
)  # fmt: skip
def test_lines_that_a_text_may_not_have(line: str) -> None:
    text = write_text(record())
    name = line.split(":")[0]
    lines = [line if each.startswith(f"{name}:") else each for each in text.split("\n")]
    if line not in lines:
        lines.insert(2, line)
    with pytest.raises(NotARecord) as refused:
        read_text("\n".join(lines))
    assert len(str(refused.value)) < 400


@pytest.mark.parametrize("tag", ['"7"', "null", "[1]", "true", "7.0"])
def test_a_number_of_the_first_round_that_is_none_is_refused(tag: str) -> None:
    text = write_text(record())
    with pytest.raises(NotARecord):
        read_text(text.replace("[first_round 7]", f"[first_round {tag}]"))
    assert not replay_json(text.replace("[first_round 7]", f"[first_round {tag}]").encode())["ok"]


@pytest.mark.parametrize(
    "fields",
    [
        "q1YqKs1JBTpUoVopNSWzJDM_D8iGqK3VATLABoDko5UclYACTkAnKyilVpQUJYI01dYCAA",
        "q1YqKs1JBTpUAaogVkdBqQCsCyLoqAQUcAILp1aUFCUCBatrawE",
        "q1YqKs1JBTpUAexQBaUCsA6QQLSSoxJQwAnoRgWl1IqSokSgYHVtLQA",
        "q1YqKs1JBTpUwVxHQakArBzEi1ZyVAIKOAEdqKCUWlFSlAgUrK6tBQA",
    ],
    ids=["object", "list", "null", "number"],
)
def test_a_link_whose_rules_are_not_a_name_is_refused(fields: str) -> None:
    with pytest.raises(NotARecord):
        read_link(f"1.{fields}.AQID")


def test_what_is_added_to_a_round_of_a_link_is_in_no_other_round() -> None:
    game = Game("poof+schedule:1.1", 2, seed=1)
    while game.to_act is not None:
        game.play(game.legal_moves[0])
    read = read_link(write_link(record_of(game)))
    read.rounds[0].extra["note"] = "mine"
    assert [each.extra for each in read.rounds] == [{"note": "mine"}, {}]


def test_what_is_written_can_be_read() -> None:
    large = record(comment="é" * 300_000)
    data = write_record(large)
    assert write_record(read_text(write_text(large))) == data
    assert write_record(read_link(write_link(large))) == data
    with pytest.raises(NotARecord):
        write_text(record(comment="x" * (MAX_BYTES - 100)))


@pytest.mark.parametrize(
    "rules",
    [{"edition": "poof", "change": "x" * 5000}, {"edition": "poof", "schedule": [16] * 9000},
     {"edition": "poof", "y" * 5000: 1}, {"edition": "poof", "pack": {"z" * 5000: 1}}],
)  # fmt: skip
def test_no_error_is_longer_than_anyone_would_read(rules: dict[str, Any]) -> None:
    said = replay_json(json.dumps({**EXAMPLE, "rules": rules}).encode())
    assert len(said["error"]) < 600
