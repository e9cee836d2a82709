"""``rage judge``."""

from __future__ import annotations

import json

import pytest

from rage.cli import main
from rage.say import LANGUAGES
from refusals import refused


def said(capsys: pytest.CaptureFixture[str], words: str) -> str:
    assert main(["judge", *words.split()]) == 0
    return capsys.readouterr().out


def test_the_winner_is_named_with_the_rule(capsys: pytest.CaptureFixture[str]) -> None:
    one = said(capsys, "R7 CB WB X B3 --rules amigo --trump R")
    assert one == (
        "Player 1 wins the trick: Player 4 cancelled trump with No Trump, red was led, "
        "and R7 is the only red.\n"
    )
    one = said(capsys, "B13,B10,Y10 R2 B5 --trump red --names A,B,C,D,E --lead-seat C")
    assert one == "A wins the trick: red is trump, and R2 is the only red.\n"


def test_where_the_editions_differ_each_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    one, two = said(capsys, "WB R3 WB --rules amigo --trump P --lead-seat 2").splitlines()
    assert one.startswith("AMIGO: Player 1 wins the trick: ")
    assert two.startswith("Poof-Slinky and Fundex: Player 2 wins the trick: ")
    found = json.loads(said(capsys, "WB R3 WB --rules amigo --trump P --lead-seat 2 --json"))
    assert (found["winner"], found["sentence"]) == (0, one)
    (other,) = found["differences"]
    assert (other["editions"], other["winner"]) == (["poof", "fundex"], 1)


def test_what_one_edition_refuses_another_may_judge(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["judge", "CR", "R5", "--trump", "red"]) == 1
    one, two = capsys.readouterr().out.splitlines()
    assert one.startswith("Poof-Slinky: the trick would break the rules. Red is trump already")
    assert two.startswith("AMIGO: Player 2 wins the trick: ")
    assert main(["judge", "CR", "R5", "--trump", "red", "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert (found["ok"], found["winner"], found["error"]) == (False, None, one)
    assert [each["winner"] for each in found["differences"]] == [1]


def test_a_card_may_be_played_or_not(capsys: pytest.CaptureFixture[str]) -> None:
    options = "--players 4 --trump R --hand R3,Gr2,W --card"
    assert said(capsys, f"R7 Gr4 {options} Gr2 --lang de").startswith("Rot ist ausgespielt")
    assert (
        said(capsys, f"X {options} Gr2 --lang de") == "Die Karte Gr2 darf jetzt gespielt werden.\n"
    )
    found = json.loads(said(capsys, "R7 --players 3 --trump R --hand \ufeffR3,G1 --card G1 --json"))
    assert found == {
        "ok": True,
        "allowed": False,
        "sentence": "Red was led and you hold red: play R3.",
    }


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_script_writes_cards_as_a_record_does(
    language: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """In German, G is yellow and Gr green for people."""
    words = f"Y3 G15 --trump R --rules poof --lang {language}"
    assert json.loads(said(capsys, f"{words} --json"))["winner"] == 0
    asked = "R7 --players 3 --trump P --hand G1,Y2,R3 --card G1"
    assert not json.loads(said(capsys, f"{asked} --lang {language} --json"))["allowed"]


def test_the_one_who_asks_is_one_player_more(capsys: pytest.CaptureFixture[str]) -> None:
    """Without being told how many play: one card was led, or none yet."""
    assert "may be played now" in said(capsys, "R7 --trump R --hand R3,G1 --card R3")
    assert "may be played now" in said(capsys, "--trump R --hand R3,G1 --card G1")
    assert "with 1 still to play" in said(capsys, "R7 --trump R")


def test_a_trick_that_is_not_full_is_judged_as_it_lies(
    capsys: pytest.CaptureFixture[str],
) -> None:
    one = said(capsys, "R7 B9 --trump none --players 3")
    assert one.startswith("As the trick lies, with 1 still to play: Player 1 wins the trick")


def test_a_team_game_has_as_many_players_as_make_teams(capsys: pytest.CaptureFixture[str]) -> None:
    one = said(capsys, "R5 G3 --trump R --rules poof+three-teams")
    assert one.startswith("As the trick lies, with 4 still to play: Player 1 wins the trick")
    one = said(capsys, "R5 G3 --trump R --rules poof+two-teams --hand R1,G2 --card R1")
    assert "may be played now" in one
    many = "R5 G3 B4 B5 B6 B7 B8 --trump R --rules poof+three-teams"
    assert "allowed: 6 players" in refused(capsys, "judge", *many.split(), status=1)


@pytest.mark.parametrize(
    ("words", "status", "says"),
    [
        ("R7 C B3 --trump R", 2, "C needs a colour here"),
        ("R7 W B3 --trump R", 2, "W needs a colour here"),
        *(
            (f"R7 {code} --trump R", 2, f"{code} is not a card in a trick")
            for code in ("Q1", "Q", "R16", "3")
        ),
        ("R7 B3 --trump pink", 2, "pink"),
        ("R7 R7 --trump R", 1, "more R7 than the pack holds"),
        ("WB WR WG --trump R", 1, "more Wild than the pack holds"),
        ("X X X X X --trump R", 1, "more Out than the pack holds"),
        ("R7 B3 --players 2 --trump R --rules amigo", 1, "3 to 10 players, not 2"),
        ("R7 --players -1 --trump none", 1, "is for 2 to 10 players, not −1"),
        ("R7 B3 B4 --players 2 --trump R", 1, "3 cards are too many for a trick of 2 players."),
        ("R7 B3 --trump R --hand R1", 1, "--hand and --card go together"),
        ("R7 B3 --trump R --hand W1 --card W", 2, "W1"),
        ("R7 B3 --players 2 --trump R --hand R1 --card R1", 1, "The trick is full"),
        ("R7 B3 --trump R --names Ann", 1, "2 cards are too many for a trick of 1 player."),
        ("R7 B3 --trump R --names Ann,Ann", 2, "Two players would be called Ann"),
        ("R7 B3 --trump R --names Ann,Ben --players 3", 1, "2 names for 3 players"),
        ("R7 B3 --trump R --names Ann,", 2, "at least one character"),
        ("R7 B3 --trump R --lead-seat 3", 2, "a number from 1 to 2"),
        ("R7 B3 --trump R --lead-seat ²", 2, "a number from 1 to 2"),
        ("R7 B3 --trump R --lead-seat 0012", 2, "a number from 1 to 2"),
        ("--trump R", 1, "no card in the trick"),
        (
            f"--trump R --hand {','.join(f'B{n}' for n in range(16))} --card B1",
            1,
            "A hand has at most 15 cards, not 16.",
        ),
    ],
)
def test_what_is_wrong_is_said_in_one_line(
    words: str, status: int, says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert says in refused(capsys, "judge", *words.split(), status=status)
    assert main(["judge", *words.split(), "--json"]) == status
    found = json.loads(capsys.readouterr().out)
    assert (found["ok"], says in found["error"]) == (False, True)


@pytest.mark.parametrize("hand", ["-,R7", "R7,-", "- R7", "-"])
def test_a_hand_may_begin_with_a_mad(hand: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["judge", "X", "--trump", "none", "--hand", hand, "--card", "-"]) == 0
    assert capsys.readouterr().out == "Mad Rage may be played now.\n"


def test_a_trick_may_begin_with_a_mad(capsys: pytest.CaptureFixture[str]) -> None:
    assert "Player 2 wins the trick" in said(capsys, "-,R7 --trump R")


@pytest.mark.parametrize(
    "words",
    ["Gr99", "R7 --hand Gr99 --card R3", "R7 --hand R3 --card Gr99"],
)
def test_what_is_no_card_is_repeated_as_it_was_typed(
    words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ["--trump", "none", "--lang", "de"]
    error = refused(capsys, "judge", *words.split(), *options, status=2)
    assert error.startswith("rage: Gr99 ist keine Karte")


POSITION = "amigo players=3 round=8 hands=R15,G3,X/Y7,B2,W/P1,P2 bids=1/1/0 leader=2 trick=G9"


def test_it_says_what_may_be_done_in_a_position(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["judge", "--json", "--position", POSITION]) == 0
    said = json.loads(capsys.readouterr().out)
    assert (said["to_act"], said["legal"], [*said["why_not"]]) == (0, "G3", ["R15", "X"])


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (["--position", "amigo players=3"], "no seat is to act"),
        (["--position", POSITION.replace("R15,G3,X", "?")], "is hidden"),
        (["--position", POSITION.replace("R15", "Y7")], "more often than"),
        (["R5"], "which colour is trump?"),
        (["--position", POSITION, "R5"], "leave out CARD"),
        (["--trump", "none", "--position", POSITION], "leave out --trump"),
    ],
)
def test_without_an_answer_it_says_why(
    given: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert words in refused(capsys, "judge", *given)
