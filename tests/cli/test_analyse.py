"""``rage analyse`` as it is typed."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from rage import Game
from rage.cli import main
from rage.notation import record_of, write_record
from rage.say import LANGUAGES
from refusals import refused

Captured = pytest.CaptureFixture[str]
BIDDING = "poof players=3 round=9 hands=R5,W/?/? leader=0"


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """A short game of moves that nobody has thought about, as a file."""
    played = Game("poof+schedule:3.2", ["Ada", "Ben\x1b", "Cleo"], seed=b"short")
    while played.to_act is not None:
        played.play(played.legal_moves[-1])
    path = tmp_path / "short.rage.json"
    path.write_bytes(write_record(record_of(played)))
    return path


def test_what_was_costly_comes_first(game: Path, capsys: Captured) -> None:
    assert main(["analyse", str(game), "--worlds", "30"]) == 0
    out = capsys.readouterr().out
    assert "Ada: " in out
    assert "\x1b" not in out
    assert out.index("round 1, bidding: The bid of 3 cost") < out.index("Luck:")
    assert out.index("Luck:") < out.index("Expected lead") < out.index("\nround 1\n")
    assert out.index("A cost in parentheses may be chance") < out.index("\nround 1\n")


def test_everybody_who_held_a_seat_is_named(game: Path, capsys: Captured) -> None:
    record = json.loads(game.read_bytes())
    earlier = {"round": 1, "players": ["Ada", "Fox", "Cleo"], "bots": [None] * 3}
    game.write_text(json.dumps({**record, "earlier": [earlier]}))
    assert main(["analyse", str(game), "--worlds", "2", "--json"]) == 0
    players = json.loads(capsys.readouterr().out)["players"]
    assert [each["name"] for each in players] == ["Ada", "Ben\x1b", "Cleo"]
    assert players[1]["holders"] == [{"name": "Fox", "first": 1}, {"name": "Ben\x1b", "first": 2}]
    assert players[0]["holders"] == [{"name": "Ada", "first": 1}]


def test_the_seed_decides_in_which_deals_moves_are_tried(game: Path, capsys: Captured) -> None:
    found = []
    for seed in ("1", "2", "2"):
        assert main(["analyse", str(game), "--worlds", "5", "--seed", seed, "--json"]) == 0
        found.append(json.loads(capsys.readouterr().out))
    assert [(each["format"], each["seed"]) for each in found] == [
        ("rage-analysis", seed) for seed in (1, 2, 2)
    ]
    assert found[1] == found[2]
    assert found[0]["decisions"] != found[1]["decisions"]


def test_numbers_have_the_decimal_sign_of_the_language(game: Path, capsys: Captured) -> None:
    for language, sign, other in (("en", ".", ","), ("de", ",", "."), ("es", ",", ".")):
        assert main(["--lang", language, "analyse", str(game), "--worlds", "3"]) == 0
        told = re.findall(r"[+(-]\d+[.,]\d\b|\d+[.,]\d\b(?= ?[±)])", capsys.readouterr().out)
        assert len(told) > 10
        assert all(sign in each and other not in each for each in told)


def test_it_is_said_in_every_language(game: Path, capsys: Captured) -> None:
    said = set()
    for language in LANGUAGES:
        assert main(["analyse", str(game), "--worlds", "2", "--lang", language]) == 0
        said.add(capsys.readouterr().out)
    assert len(said) >= 3


def test_it_says_what_each_move_in_a_position_is_worth(capsys: Captured) -> None:
    assert main(["analyse", "--position", BIDDING, "--worlds", "5"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert main(["analyse", "--position", BIDDING, "--worlds", "5", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["to_act"], sorted(each["move"] for each in found["moves"])) == (
        0,
        ["0", "1", "2"],
    )
    for each in found["moves"]:
        assert any(line.startswith(f"{each['move']}: ") for line in lines)


@pytest.mark.parametrize(
    ("words", "status", "why"),
    [
        (["no-such-file"], 2, "no-such-file"),
        (["GAME", "--worlds", "0"], 1, "--worlds must be 1 or more, not 0"),
        (["GAME", "--worlds", "9" * 20], 1, "worlds from 1 to 1000000000"),
        ([], 2, "name a game to analyse"),
        (["GAME", "--position", BIDDING], 1, "leave out FILE"),
        (["--position", BIDDING, "--worlds", "0"], 1, "--worlds must be 1 or more, not 0"),
        (["--position", "poof players=3"], 1, "no seat is to act"),
        (["--position", BIDDING.replace("R5,W", "?")], 1, "is hidden"),
        (["--position", "hello"], 2, "hello is not an edition"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(
    words: list[str], status: int, why: str, game: Path, capsys: Captured
) -> None:
    given = [str(game) if word == "GAME" else word for word in words]
    assert why in refused(capsys, "analyse", *given, status=status)
