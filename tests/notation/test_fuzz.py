"""Random bytes and mutated records: never anything but status 0, 1 or 2 and one clear line."""

from __future__ import annotations

import copy
import io
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rage.cli import main
from rage.notation import NotARecord, read_link, read_text, replay_json, write_link, write_text
from rage.notation.reader import record_from

RECORDS = Path(__file__).parent.parent / "records"
SEEDS = [path.read_bytes() for path in sorted(RECORDS.rglob("*.rage.json"))]
SMALL = sorted(SEEDS, key=len)[:60]
ODD: list[Any] = [
    *(None, True, False, 0, 1, -1, 3, 15, 16, 255, 2**53, 2**53 + 1, -(2**53), 1.0, 1e300),
    *("", " ", "R0", "W", "WR", "C", "CR", "X", "x", "R16", "R00", "R 0", "R0  R1", "poof"),
    *("\ud800", "\u202e", "\x1b[2J", "oh_hell"),
    *([], [None], ["R0"], [0, 0, 0], [[]], {}, {"a": 1}, {"wild": 5}, {"wild": True}),
]


def check(data: bytes) -> dict[str, Any]:
    """The contract of replay_json, whatever the bytes are."""
    answer = replay_json(data)
    json.dumps(answer).encode("ascii")
    if answer["ok"]:
        assert answer.keys() >= {"complete", "rounds", "scores", "winners", "to_act", "legal"}
    else:
        assert answer["error"].strip()
        assert "\n" not in answer["error"]
        assert answer["error"].isprintable()
        assert answer.keys() in ({"ok", "error"}, {"ok", "error", "round", "trick", "card"})
    return answer


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every place in a JSON value that another value could stand in."""
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, inner in list(items):
        yield value, key
        if isinstance(inner, dict | list):
            yield from places(inner)


def mutate(value: Any, rng: random.Random) -> Any:
    """One change somewhere in a record's data."""
    container, key = rng.choice(list(places(value)))
    old = copy.deepcopy(container[key])
    kind = rng.randrange(6)
    if kind == 0:
        del container[key]
    elif kind == 1 and isinstance(old, str):
        codes = old.split(" ")
        rng.shuffle(codes)
        container[key] = " ".join(codes)
    elif kind == 2 and isinstance(old, int) and not isinstance(old, bool):
        container[key] = old + rng.choice((-1, 1, 10))
    elif kind == 3 and isinstance(old, list) and old:
        container[key] = [*old, rng.choice(old)]
    elif kind == 4 and isinstance(container, dict):
        container[rng.choice(("sweep", "teams", "pack", "won", "x", "first_round", "bids"))] = old
    else:
        container[key] = copy.deepcopy(rng.choice(ODD))
    return value


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=300))
def test_random_bytes(data: bytes) -> None:
    assert not check(data)["ok"]


@pytest.mark.parametrize("count", [1500, pytest.param(100_000, marks=pytest.mark.long)])
def test_mutated_records(count: int) -> None:
    rng = random.Random(2026)
    ok = broken = unreadable = 0
    for _ in range(count):
        value = _value(rng)
        for _ in range(rng.choice((1, 1, 1, 2, 5))):
            value = mutate(value, rng)
        answer = check(json.dumps(value).encode())
        ok += answer["ok"]
        broken += "round" in answer
        unreadable += not answer["ok"] and "round" not in answer
    # All three ends must be reached, or the mutations test nothing.
    assert min(ok, broken, unreadable) > count // 100


def _value(rng: random.Random) -> Any:
    while True:
        try:
            value = json.loads(rng.choice(SMALL))
        except ValueError:
            continue
        if isinstance(value, dict) and len(value) > 3:
            return value


@pytest.mark.parametrize("count", [1000, pytest.param(100_000, marks=pytest.mark.long)])
def test_mutated_bytes(count: int) -> None:
    rng = random.Random(11)
    for _ in range(count):
        data = bytearray(rng.choice(SMALL))
        for _ in range(rng.choice((1, 2, 8))):
            if data:
                at = rng.randrange(len(data))
                data[at : at + rng.randrange(3)] = rng.choice(
                    (b"", b"\xff", b'"', b"0", b"]", b" ")
                )
        check(bytes(data))


def mutated(form: str, rng: random.Random) -> str:
    """A text with a few characters gone, doubled or changed."""
    chars = list(form)
    for _ in range(rng.choice((1, 2, 5))):
        at = rng.randrange(len(chars))
        chars[at : at + 1] = rng.choice(([], [chars[at]] * 2, ["7"], ["\n"], ["R"], ["\u2028"]))
    return "".join(chars)


@pytest.mark.parametrize("form", ["text", "link"])
def test_mutated_texts_and_links(form: str) -> None:
    rng = random.Random(5)
    record = record_from(json.loads((RECORDS / "poof-example.rage.json").read_bytes()))
    good = write_text(record) if form == "text" else write_link(record)
    refusals = [_refusal(form, mutated(good, rng)) for _ in range(500)]
    assert sum(each is not None for each in refusals) > 250
    assert all(each is None or each.isprintable() for each in refusals)


def _refusal(form: str, text: str) -> str | None:
    try:
        read_text(text) if form == "text" else read_link(text)
    except NotARecord as error:
        return str(error)
    return None


@pytest.mark.parametrize("json_wanted", [True, False])
def test_the_command_line_answers_every_file_with_a_status_and_one_line(
    json_wanted: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    rng = random.Random(3)
    for _ in range(150):
        data = json.dumps(mutate(_value(rng), rng)).encode()
        if rng.random() < 0.3:
            data = rng.randbytes(rng.randrange(40))
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))
        status = main(["replay", "-", *(["--json"] if json_wanted else [])])
        out, err = capsys.readouterr()
        assert status in (0, 1, 2)
        answer = replay_json(data)
        assert status == (0 if answer["ok"] else 1 if "round" in answer else 2)
        if json_wanted:
            assert json.loads(out) == answer
            assert err == ""
        elif status:
            assert err.count("\n") == 1
            assert err.startswith("rage: ")
