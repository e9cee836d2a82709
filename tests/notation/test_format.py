"""``docs/record.md``, paragraph by paragraph: what is read, what is refused, and in which order."""

from __future__ import annotations

import copy
import json
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rage
from generators import games
from rage.notation import (
    complete,
    parse_record,
    read_link,
    read_text,
    record_of,
    replay,
    replay_json,
    write_link,
    write_record,
    write_text,
)

EXAMPLE: dict[str, Any] = {
    "format": "rage-game",
    "version": 1,
    "rules": {"edition": "poof"},
    "players": ["A", "B", "C"],
    "first_round": 7,
    "rounds": [
        {
            "dealer": 2,
            "hands": ["B15 G12 + Y5", "Y0 G10 O7 W", "B2 C R15 X"],
            "stock": "Y7",
            "bids": [2, 2, 1],
            "tricks": ["B15 Y0 B2", "G10 CR G12", "+ O7 R15", "X Y5 WY"],
            "won": [1, 2, 1],
            "points": [1, 12, 16],
        }
    ],
    "scores": [1, 12, 16],
}


def example(**changes: Any) -> dict[str, Any]:
    """The example of the format with some fields changed; those of the round begin with ``_``;
    ``...`` takes a field away."""
    data = copy.deepcopy(EXAMPLE)
    for name, value in changes.items():
        target = data["rounds"][0] if name.startswith("_") else data
        if value is ...:
            target.pop(name.lstrip("_"), None)
        else:
            target[name.lstrip("_")] = value
    return data


def answer(data: Any) -> dict[str, Any]:
    return replay_json(data if isinstance(data, bytes) else json.dumps(data).encode())


def status(data: Any) -> int:
    """The exit status that an answer means."""
    said = answer(data)
    return 0 if said["ok"] else 1 if "round" in said else 2


BARE = {"_tricks": ..., "_won": ..., "_points": ..., "scores": ...}


def test_the_example_of_the_format_gives_the_answer_of_the_format() -> None:
    assert answer(EXAMPLE) == {
        "ok": True,
        "complete": False,
        "rounds": [{"won": [1, 2, 1], "points": [1, 12, 16]}],
        "scores": [1, 12, 16],
        "winners": None,
        "trump": None,
        "to_act": None,
        "legal": [],
    }


@pytest.mark.parametrize(
    "data",
    [
        example(rules={"edition": "poof", "miss": 0, "pack": {"wild": 2}, "teams": None}),
        example(first_round=7, winners=None),
        example(scores=...),
        example(_won=..., _points=...),
        example(**BARE, _bids=...),
        example(**BARE, _bids=[None, None, None]),
        example(**BARE, _bids=[2, None, None]),
        example(**{**BARE, "_tricks": []}) | {"comment": {"deep": [1.5]}},
        example(rounds=[], scores=[0, 0, 0]),
        example(rounds=[], scores=...),
        example(id=5, seed=[], words="?", bots=0, unknown=None),
        example(players=["", "\u202e", "\ud800"]),
        example(_hands=["Y5 + B15 G12", "W G10 O7 Y0", "X C R15 B2"]),
    ],
)
def test_what_a_reader_accepts(data: dict[str, Any]) -> None:
    assert answer(data)["ok"], answer(data)


@pytest.mark.parametrize(
    ("data", "place"),
    [
        (example(_bids=[2, 5, 1]), (7, None, None)),
        (example(_bids=[-1, 2, 1]), (7, None, None)),
        (example(_bids=[None, 2, 1], _tricks=[], _won=..., _points=...), (7, None, None)),
        (example(_bids=[2, 2, None]), (7, 1, 1)),
        (example(_bids=...), (7, 1, 1)),
        (example(_tricks=["B15 Y0 C", "G10 CR G12", "+ O7 R15", "X Y5 WY"]), (7, 1, 3)),
        (example(_tricks=["B15 Y0 B2", "G10 C G12", "+ O7 R15", "X Y5 WY"]), (7, 2, 2)),
        (example(_tricks=["B15 Y0 B2", "G10 CY G12", "+ O7 R15", "X Y5 WY"]), (7, 2, 2)),
        (example(_tricks=["B15 Y0 B2", "G10 CR G12", "+ O7 R15", "X Y5 W"]), (7, 4, 3)),
        (example(_tricks=["R1 Y0 B2"], _won=..., _points=..., scores=...), (7, 1, 1)),
        (example(_won=[2, 1, 1]), (7, None, None)),
        (example(_points=[1, 12, 15]), (7, None, None)),
        (example(_tricks=["B15"], scores=...), (7, None, None)),
        (example(scores=[1, 12, 15]), (None, None, None)),
        (example(winners=[2]), (None, None, None)),
    ],
)
def test_what_breaks_a_rule_says_where(
    data: dict[str, Any], place: tuple[int | None, int | None, int | None]
) -> None:
    said = answer(data)
    assert not said["ok"]
    assert (said["round"], said["trick"], said["card"]) == place


@pytest.mark.parametrize(
    "data",
    [
        json.dumps(EXAMPLE).replace('"version": 1', '"version": 1, "version": 1').encode(),
        json.dumps(EXAMPLE).replace('"version": 1', '"version": 1.0').encode(),
        json.dumps(EXAMPLE).replace('"version": 1', '"version": 1e0').encode(),
        json.dumps(EXAMPLE).replace('"version": 1', '"version": 1, "x": NaN').encode(),
        json.dumps(example(x=2**53 + 1)).encode(),
        (b'{"x":' + b"[" * 64 + b"]" * 64 + b"," + json.dumps(EXAMPLE)[1:].encode()),
        b"[" * 100_000,
        b" " * (1 << 20) + json.dumps(EXAMPLE).encode(),
        b"", b"[]", b"null", b"\xff", b"\xff\xfe{",
        example(format="rage"), example(version=True), example(version=2), example(rules="poof"),
        example(rules={}), example(rules={"edition": "oh_hell"}),
        example(rules={"edition": "poof", "colours": 6}),
        example(rules={"edition": "poof", "tempo": 1}),
        example(rules={"edition": "poof", "miss": None}),
        example(rules={"edition": "poof", "miss": 101}),
        example(rules={"edition": "poof", "sweep": 1}),
        example(rules={"edition": "poof", "pack": {"wild": 5}}),
        example(rules={"edition": "poof", "pack": {"joker": 1}}),
        example(rules={"edition": "poof", "pack": [2, 4, 4, 2, 2]}),
        example(rules={"edition": "poof", "schedule": []}),
        example(rules={"edition": "poof", "schedule": [16]}),
        example(rules={"edition": "poof", "bidding": "hidden", "bid_total": "not_tricks"}),
        example(rules={"edition": "poof", "teams": 3}),
        example(players=["A"]), example(players=["A", "B", 3]), example(players="ABC"),
        example(first_round=0), example(first_round=11), example(first_round="7"),
        example(rounds={}), example(_dealer=3), example(_dealer="C"), example(_dealer=...),
        example(_hands=["B15"]), example(_hands=["B15 G12 +", "Y0 G10 O7 W", "B2 C R15 X"]),
        example(_hands=["B15 G12 + Y5 ", "Y0 G10 O7 W", "B2 C R15 X"]),
        example(_hands=["B15 G12 + WR", "Y0 G10 O7 W", "B2 C R15 X"]),
        example(_stock="y7"), example(_stock=""), example(_stock="W"), example(_stock="B15"),
        example(_stock=...), example(_stock=["Y7"]), example(_bids=[2, 2]),
        example(_bids=[2, 2, 1.0]), example(_bids=[2, 2, True]), example(_bids=None),
        example(_tricks="B15"), example(_tricks=[""]), example(_tricks=["B15 Y0 B2 B2"]),
        example(_tricks=["B15 Y0", "G10 CR G12"]), example(_tricks=["B15 3 B2"]),
        example(_tricks=["B15 Y0 B2"] * 5), example(_won=[1, 2]), example(_won=[1, 2, "1"]),
        example(_points=None), example(scores=[1, 12]), example(scores=None),
        example(winners="C"),
        example(rounds=[example(_tricks=[])["rounds"][0], EXAMPLE["rounds"][0]]),
        example(first_round=10),
    ],
)  # fmt: skip
def test_what_is_no_record_ends_with_status_2(data: Any) -> None:
    assert status(data) == 2, answer(data)


def test_shape_goes_before_rules_even_in_a_later_round() -> None:
    rounds = [example(_bids=[9, 9, 9])["rounds"][0], {"dealer": 0}]
    assert status(example(rounds=rounds, rules={"edition": "poof", "schedule": [4] * 10})) == 2


def test_the_dealer_is_judged_before_the_bids_and_the_cards_before_won() -> None:
    second = example(_bids=[9, 9, 9])["rounds"][0]
    rules = {"edition": "poof", "schedule": [4] * 10}
    said = answer(example(rounds=[EXAMPLE["rounds"][0], second], rules=rules, scores=...))
    assert (said["round"], said["trick"]) == (8, None)
    assert "deal" in said["error"]
    wrong = example(_won=[0, 0, 0], _tricks=["B15 Y0 C", *EXAMPLE["rounds"][0]["tricks"][1:]])
    assert answer(wrong)["trick"] == 1


def test_a_stock_that_runs_short_is_found_when_the_replay_comes_there() -> None:
    rules = {"edition": "amigo", "schedule": [4] * 10}
    # With "reveal" the Change in trick 2 needs a card that the stock, cut short, does not hold.
    tricks = ["B15 Y0 B2", "G10 C G12"]
    short = {"_tricks": tricks, "_won": ..., "_points": ..., "scores": ..., "rules": rules}
    assert status(example(**short)) == 2
    assert status(example(**short, _stock="Y7 P3")) == 0
    early = {**short, "_tricks": ["B15 Y0 C"]}
    assert status(example(**early)) == 1


def test_legal_moves_are_sorted_as_text() -> None:
    rules = {"edition": "poof", "schedule": [12]}
    data = example(**{**BARE, "_bids": ...}, rules=rules, first_round=1)
    cards = [f"{colour}{rank}" for colour in "ROYGBP" for rank in range(16)]
    data["rounds"][0]["hands"] = [" ".join(cards[i : i + 12]) for i in (0, 12, 24)]
    data["rounds"][0]["stock"] = "P15"
    said = answer(data)
    assert said["legal"] == ["0", "1", "10", "11", "12", "2", "3", "4", "5", "6", "7", "8", "9"]
    assert (said["to_act"], said["trump"]) == (0, "P")


ODD_NAMES = ("Ann", "李", 'quote "', "semi ; colon", "[x 1]", "\n")
IN_A_LINK = set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.")


@given(games(rounds=3), st.integers(0, 10**6))
def test_every_game_round_trips_in_every_form(game: rage.Game, seed: int) -> None:
    """By any rules, of players with any names, under way or over."""
    record = record_of(game, bots=[None] * game.players, comment="; [x 1]\u2028")
    record.names[:] = random.Random(seed).choices(ODD_NAMES, k=game.players)
    data, text, link = write_record(record), write_text(record), write_link(record)
    assert write_record(parse_record(data)) == data
    again = replay(parse_record(data))
    assert again.position._fields() == game.position._fields()
    assert write_record(read_text(text)) == data
    assert write_text(read_text(text)) == text
    assert write_record(read_link(link)) == data
    assert set(link) <= IN_A_LINK


def random_game(rules: str, players: int, seed: int, plies: int | None = None) -> rage.Game:
    rng = random.Random(seed)
    game = rage.Game(rules, rng.choices(ODD_NAMES, k=players), seed=seed)
    while game.to_act is not None and plies != 0:
        game.play(rng.choice(game.legal_moves))
        plies = None if plies is None else plies - 1
    return game


@pytest.mark.parametrize("rules", ["poof", "amigo+level", "poof+pack:wild4.out4.bonus4.mad4"])
def test_ten_rounds_of_eight_fit_a_link_of_2000_characters(rules: str) -> None:
    for seed in range(5):
        link = write_link(record_of(random_game(rules, 8, seed)))
        assert len(link) <= 2000, len(link)


def test_a_whole_link_is_read_too() -> None:
    record = record_of(random_game("poof", 3, 1, 20))
    link = "https://rage.example/replay#" + write_link(record)
    assert write_record(read_link(link)) == write_record(record)


def test_a_deal_from_the_seed_makes_a_short_link() -> None:
    game = random_game("poof", 8, 5)
    record = record_of(game, seed=b"5".hex())
    assert len(write_link(record)) < 500
    assert write_record(read_link(write_link(record))) == write_record(record)


def test_results_are_written_for_what_is_over_and_only_then() -> None:
    record = parse_record(json.dumps(example(_won=..., _points=..., scores=...)).encode())
    complete(record, replay(record))
    assert json.loads(write_record(record)) == EXAMPLE
    begun = record_of(random_game("poof", 3, 1, 5))
    data = json.loads(write_record(begun))
    assert data.keys() == {"format", "version", "rules", "players", "rounds"}
    assert data["rounds"][0].keys() == {"dealer", "hands", "stock", "bids", "tricks"}


def test_what_a_reader_does_not_know_is_kept() -> None:
    data = example(mood="good", _clock=[1, 2.5], comment="\ud800")
    again = json.loads(write_record(parse_record(json.dumps(data).encode())))
    assert again["mood"] == "good"
    assert again["rounds"][0]["clock"] == [1, 2.5]
    assert again["comment"] == "\ud800"
    text = write_text(parse_record(json.dumps(data).encode()))
    assert json.loads(write_record(read_text(text))) == again
