"""A game that somebody was given: whatever its form, the server judges it and tells all of it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from rage import Game
from rage.house.games.replay import replay_of
from rage.house.limits import MAX_GAME, MAX_GAME_BODY, MAX_REMARK, MAX_REMARKS
from rage.notation import Record, read_link, record_of, write_link, write_record, write_text
from server.running import Running

RECORDS = Path(__file__).parents[1] / "records"


def played(rules: str = "poof", players: int = 4, **fields: object) -> Record:
    """The record of a whole game that chance has played."""
    names = [f"Player {seat}" for seat in range(players)]
    game, rng = Game(rules, names, seed=f"{rules} {players}"), Random(players)
    while not game.over:
        game.play(rng.choice(game.legal_moves))
    return record_of(game, **fields)


def as_record(record: Record) -> str:
    return write_record(record).decode()


def as_link(record: Record) -> str:
    return "https://rage.example/open#" + write_link(record) + "&at=7.2.1&eyes=2"


@pytest.mark.parametrize("form", [as_record, write_text, write_link, as_link])
@pytest.mark.parametrize("rules", ["poof", "amigo+hidden-bids", "fundex+two-teams"])
def test_anybody_opens_a_game_in_any_form(
    server: Running, rules: str, form: Callable[[Record], str]
) -> None:
    record = played(rules)
    answer = server.nobody().post("/api/open", json={"game": form(record)})
    assert answer.status_code == 200, answer.text
    told = answer.json()
    assert told["record"] == json.loads(write_record(record))
    assert told["replay"]["link"] == write_link(record)
    assert len(told["replay"]["rounds"]) == 10
    first = told["replay"]["rounds"][0]["steps"][0]
    assert first.get("hides_bids", False) == ("hidden" in rules)
    assert "set-cookie" not in answer.headers


def test_a_game_under_way_opens_where_it_stands(server: Running) -> None:
    told = server.nobody().post(
        "/api/open", json={"game": (RECORDS / "poof-example.rage.json").read_text()}
    )
    assert [each["number"] for each in told.json()["replay"]["rounds"]] == [7]


@pytest.mark.parametrize(
    ("game", "status", "says"),
    [
        ("", 400, "not a game"),
        ("Hello!", 400, "not a game"),
        ("1.AAAA.AAAA", 400, "not a link to a game"),
        ("http://example.org/", 400, "not a link to a game"),
        ("[" * 50_000, 400, "not a game"),
        ("[" + '{"a":' * 20_000, 400, "not a game"),
        ('{"a":' * 20_000, 400, "deep"),
    ],
)
def test_what_is_no_game_is_refused_in_a_line(
    server: Running, game: str, status: int, says: str
) -> None:
    answer = server.nobody().post("/api/open", json={"game": game})
    assert answer.status_code == status, answer.text
    assert says in answer.json()["text"]
    assert "\n" not in answer.json()["text"]
    assert len(answer.text) < 1000


def test_a_game_that_breaks_a_rule_says_where(server: Running) -> None:
    record = json.loads(write_record(played()))
    record["rounds"][2]["bids"][0] = 9
    answer = server.nobody().post("/api/open", json={"game": json.dumps(record)})
    assert answer.status_code == 409
    assert answer.json()["text"].startswith(("round 3", "Round 3"))


def test_a_game_without_a_round_is_nothing_to_look_at(server: Running) -> None:
    empty = record_of(Game("poof", ["A", "B"], deals=()))
    answer = server.nobody().post("/api/open", json={"game": as_record(empty)})
    assert (answer.status_code, answer.json()["reason"]["code"]) == (400, "notation.no_rounds")


def test_too_much_is_refused(server: Running) -> None:
    nobody = server.nobody()
    assert nobody.post("/api/open", json={"game": "1." + "A" * MAX_GAME}).status_code == 400
    assert nobody.post("/api/open", content=b" " * (MAX_GAME_BODY + 1)).status_code == 413
    # A short link that holds a great deal: deflate makes a thousandth of it.
    long = write_link(played(comment="A" * (4 * MAX_GAME)))
    assert len(long) < 4000
    answer = nobody.post("/api/open", json={"game": long})
    assert (answer.status_code, answer.json()["reason"]["code"]) == (400, "notation.too_large")
    assert len(answer.content) < 500


def test_remarks_are_told_and_travel_in_the_link(server: Running) -> None:
    remarks = {"1.0.0": "A fine hand.", "7.2.1": " Why not the Wild? <b>", "10.1.4": "Ñandú 🂡"}
    link = write_link(played(remarks=remarks))
    assert len(link) < 1600
    told = server.nobody().post("/api/open", json={"game": link}).json()
    assert told["replay"]["remarks"] == {at: text.strip() for at, text in remarks.items()}
    assert read_link(told["replay"]["link"]).extra["remarks"] == remarks


@pytest.mark.parametrize(
    "odd",
    [
        "text", [1], {"here": "x"}, {"1.0.0": 5}, {"1.0.0": "  "}, {"1.0.0.0": "x"}, None,
        {f"1.{trick}.{card}": "x" * 2 * MAX_REMARK for trick in range(50) for card in range(10)},
    ],
)  # fmt: skip
def test_what_a_record_says_besides_cannot_harm(odd: object) -> None:
    told = replay_of(played("poof+schedule:1", remarks=odd, bots=odd))
    assert told.bots == [None] * 4
    assert len(told.remarks) in (0, MAX_REMARKS)
    assert all(len(text) == MAX_REMARK for text in told.remarks.values())
