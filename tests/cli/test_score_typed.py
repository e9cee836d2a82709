"""What is typed to ``rage score`` and could be taken for something else."""

from __future__ import annotations

import io
import os
from pathlib import Path

import pytest

from cli.keeping import FILE, Keeper, kept
from rage.cli import main
from rage.rules.editions import ruleset
from rage.score.entering import new_sheet
from rage.score.file import read_sheet, write_sheet


@pytest.fixture(autouse=True)
def keep(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Keeper:
    return Keeper(tmp_path, monkeypatch, capsys)


# --- names ---------------------------------------------------------------------------------


def test_a_name_typed_as_it_is_written_means_that_player(keep: Keeper) -> None:
    """Two names may differ in their capitals alone."""
    keep.begin("rename ann = Bob", names="Ann,ann,Cem")
    assert kept().players == ("Ann", "Bob", "Cem")


def test_other_capitals_mean_a_player_only_where_no_other_could_be_meant(keep: Keeper) -> None:
    said = keep.begin("rename ANN = Bob", "rename CEM = Dan", names="Ann,ann,Cem")
    assert "No one here is called ANN, or more than one is." in said
    assert kept().players == ("Ann", "ann", "Dan")


def test_players_who_are_called_like_commands_can_be_answered(keep: Keeper) -> None:
    keep.begin("3 3 3", "4 3", "Quit", "link", names="Ann,Link,Quit")
    assert kept().rounds[0].bonus == (0, 0, 1)
    assert kept().rounds[0].mad == (0, 1, 0)
    os.remove(FILE)
    keep.begin("3 3 3", "4 3", "", "link quit", names="Ann,Link,Quit")
    assert kept().rounds[0].mad == (0, 1, 1)


def test_a_command_is_one_although_a_name_begins_like_it(keep: Keeper) -> None:
    said = keep.begin("3 3 3", "4 3", "", "link", "quit", names="Ann,Linka,Quitta")
    assert "The sheet is saved" in said
    assert not kept().rounds[0].over


# --- numbers -------------------------------------------------------------------------------


def test_a_whole_line_of_tricks_is_entered(keep: Keeper) -> None:
    said = keep.begin("3 4 3", "3 3 4", "", "")
    assert "too many" not in said
    assert kept().rounds[0].won == (4, 3, 3)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("3 3 5", "The tricks won add up to 11, but the round has 10."),
        ("3 3 3", "The tricks won add up to 9, but the round has 10."),
        ("10 0 1", "The tricks won add up to 11, but the round has 10."),
        ("3 3 x", "x is not a whole number."),
    ],
)
def test_a_whole_line_of_tricks_that_is_wrong_is_typed_again(
    keep: Keeper, line: str, says: str
) -> None:
    """Any of its numbers may be the one that is wrong."""
    said = keep.begin("3 4 3", line, "3 3 4", "", "")
    assert says in said
    assert kept().rounds[0].won == (4, 3, 3)
    assert said.count("Ann gets the rest: 4.") == 1


def test_what_follows_a_whole_line_of_tricks_is_too_many(keep: Keeper) -> None:
    said = keep.begin("3 4 3", "3 3 4 2")
    assert "2 is one number too many.\nAnn gets the rest: 4." in said


# --- who plays, and how much ----------------------------------------------------------------


def test_where_the_round_is_made_smaller_others_can_come(keep: Keeper) -> None:
    said = keep.begin("seats A,B,C,D,E,F,G", "cards 13", "dealer C", "seats A,B,C,D,E,F,G",
                names="A,B,C,D,E,F", rules="poof+schedule:15.14")  # fmt: skip
    assert said.count("not enough cards") == 1
    assert "Round 1, 13 cards each. C deals." in said
    begun = kept().rounds[0]
    assert (begun.seats, begun.hand_size, begun.dealer) == ((0, 1, 2, 3, 4, 5, 6), 13, 2)


def test_where_the_dealer_leaves_another_deals(keep: Keeper) -> None:
    keep.begin("dealer Cem", "seats Dora, Ben, Ann")
    assert kept().rounds[0].dealer == 3


def test_a_sheet_that_too_few_play_says_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    sheet = new_sheet(ruleset("amigo"), ["Ann", "Ben", "Cem"])
    data = write_sheet(sheet._replace(players=("Ann", "Ben")))
    Path(FILE).write_bytes(data)
    monkeypatch.setattr("sys.stdin", io.StringIO("quit\n"))
    assert main(["score", FILE]) == 1
    assert "3 to 8 players, not 2" in capsys.readouterr().err
    assert Path(FILE).read_bytes() == data


# --- commands ------------------------------------------------------------------------------


def test_where_nothing_was_entered_there_is_nothing_to_undo(keep: Keeper) -> None:
    said = keep.begin("undo", "undo")
    assert said.count("There is nothing to take back.") == 2
    assert "Taken back." not in said
    said = keep("3", "undo", "undo")
    assert said.count("Taken back.") == 1
    assert said.count("There is nothing to take back.") == 1


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("dealer", "Name who deals this round, such as dealer Ann."),
        ("cards", "Say how many cards each gets this round, such as cards 8."),
        ("correct", "No round is over yet."),
        ("correct 1", "No round is over yet."),
        ("rename = Bob", "Write the old and the new name with = between them"),
        ("rename Ann =", "Write the old and the new name with = between them"),
    ],
)
def test_what_a_command_lacks_is_said(keep: Keeper, line: str, says: str) -> None:
    assert says in keep.begin(line)
    assert kept().players == ("Ann", "Ben", "Cem")


# --- the last sheet ------------------------------------------------------------------------


def test_a_sheet_that_cannot_be_read_hides_none_before_it(keep: Keeper) -> None:
    keep(words=("--rules", "amigo", "--names", "Ann,Ben,Cem"))
    (first,) = Path("data/sheets").iterdir()
    os.utime(first, (1, 1))
    damaged = first.with_name("20990101-000000-abcdef.rage-score.json")
    damaged.write_text("no sheet", "utf-8")
    first.with_name("gone.rage-score.json").symlink_to("nowhere")
    said = keep("", "4", words=())
    assert "There is an unfinished sheet: Ann, Ben and Cem" in said
    assert f"{damaged} cannot be read: " in keep.errors
    assert keep.errors.count("\n") == 1
    assert read_sheet(first.read_bytes()).rounds[0].bids == (None, 4, None)
