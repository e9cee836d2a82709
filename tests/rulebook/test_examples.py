"""docs/rules.md, "Worked examples (from the sources; each is a test)"."""

from __future__ import annotations

import json
from pathlib import Path

from scenes import ruling_sentence, run, table, trump, won_by

RECORD = Path(__file__).parents[1] / "records" / "poof-example.rage.json"


def test_poof_slinky_example_of_play() -> None:
    """ "Three players, four cards each; A bids 2, B 2, C 1; tricks won 1, 2, 1; C wins a Bonus;
    points 1, 12, 16." """
    written = json.loads(RECORD.read_text(encoding="utf-8"))["rounds"][0]
    game = table("poof", *written["hands"], stock=written["stock"], dealer=written["dealer"],
                 bids="2 2 1")  # fmt: skip
    for trick in written["tricks"]:
        run(game, trick)
    assert game.rounds[0].won == (1, 2, 1)
    assert game.position.bonus == [0, 0, 1]
    assert game.rounds[0].points == (1, 12, 16)
    assert game.winners == [2]


def test_amigo_first_trick() -> None:
    """ "trump red; B13, B10, Y10, R2, B5: the fourth player wins." """
    game = table("amigo", "B13", "B10", "Y10", "R2", "B5", stock="R0", play="B13 B10 Y10 R2 B5")
    assert trump(game) == "R"
    assert won_by(game) == "West"
    assert ruling_sentence(game).startswith("West wins the trick")


def test_amigo_scoring() -> None:
    """ "bid 2, won 2, one "-5" among them: 7 points." """
    game = table("amigo", "R9 R8 G1", "- B1 G2", "Y1 Y2 Y3", bids="2 1 0",
                 play="R9 - Y1 R8 B1 Y2 G1 G2 Y3")  # fmt: skip
    assert game.rounds[0].won == (2, 1, 0)
    assert game.rounds[0].points == (7, 11, 10)


def test_a_ruling_says_which_card_is_highest_and_since_when() -> None:
    """West wins the trick: North made red trump with a Change, and R15 is the highest red."""
    game = table("poof", "C", "G3", "R9", "R15", stock="B0", play="CR G3 R9 R15")
    sentence = ruling_sentence(game)
    for part in ("West wins the trick", "red", "North", "R15"):
        assert part in sentence
