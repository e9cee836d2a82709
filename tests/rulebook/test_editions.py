"""docs/rules.md, the editions: the two tables, row by row, and what they mean in play."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rage import RuleSet, ruleset
from rage.rules.ruleset import EDITIONS, pack
from rage.rules.settings import PRINTED, SETTINGS, Pack, format_value
from rage.say import kind_name
from scenes import points, table

RULES_TEXT = (Path(__file__).parents[2] / "docs" / "rules.md").read_text(encoding="utf-8")
COMMON = {
    "schedule": (10, 9, 8, 7, 6, 5, 4, 3, 2, 1),
    "bidding": "open",
    "bid_total": "any",
    "anytime_actions": False,
    "sweep": False,
    "teams": None,
}
ROWS = [
    ("pack", Pack(2, 4, 4, 2, 2), Pack(2, 4, 4, 3, 3), Pack(2, 4, 4, 2, 2)),
    ("change", "choose", "reveal", "choose"),
    ("out", "round", "trick", "round"),
    ("second_wild", "lower", "higher", "lower"),
    ("exact", 10, 10, 10),
    ("exact_zero", 5, 10, 5),
    ("miss", 0, -5, 0),
    ("tie", "exact_bids", "shared", "shared"),
]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_what_differs_between_the_editions(row: tuple[str, object, object, object]) -> None:
    """The table "What differs between the editions"."""
    setting, *values = row
    assert [getattr(ruleset(edition), setting) for edition in PRINTED] == values


@pytest.mark.parametrize("edition", PRINTED)
def test_these_hold_for_all_three(edition: str) -> None:
    """ "These hold for all three unless a variant changes them" """
    assert {name: getattr(ruleset(edition), name) for name in COMMON} == COMMON


def test_every_setting_is_in_one_of_the_two_tables() -> None:
    named = {row[0] for row in ROWS} | set(COMMON)
    assert named == {each.name for each in SETTINGS if each.source != "laboratory"}


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_the_page_says_so_too(row: tuple[str, object, object, object]) -> None:
    """The cells of the page itself, so that neither can change alone."""
    setting, poof, amigo, fundex = row
    line = next(line for line in RULES_TEXT.splitlines() if line.startswith(f"| `{setting}` |"))
    cells = [cell.strip().strip("`") for cell in line.split("|")[2:5]]
    for cell, value in zip(cells, (poof, amigo, fundex), strict=True):
        if cell == "as `poof":
            assert value == poof
        else:
            assert re.sub(r"[ ,]", "", cell) == format_value(value).replace(".", "")


@pytest.mark.parametrize(
    ("edition", "least", "most", "size"),
    [("poof", 2, 8, 110), ("amigo", 3, 8, 112), ("fundex", 2, 6, 110)],
)
def test_players_and_pack_of_each_edition(edition: str, least: int, most: int, size: int) -> None:
    """The table of the editions: players and pack."""
    rules = ruleset(edition)
    assert rules.player_range == (least, most)
    assert rules.pack_size == len(pack(rules)) == size


NAMES = {
    "wild": ("Wild Rage", "Joker", "Wild Rage"),
    "change": ("Change Rage", "Change Trump", "Change Rage"),
    "out": ("Out Rage", "No Trump", "Out Rage"),
    "bonus": ("Bonus Rage", "+5", "Bonus Rage"),
    "mad": ("Mad Rage", "−5", "Mad Rage"),
}


@pytest.mark.parametrize("kind", NAMES)
def test_each_edition_has_its_own_names_of_the_action_cards(kind: str) -> None:
    """ "The editions name the action cards differently (interfaces show the edition's own" """
    assert tuple(kind_name(kind, "en", edition) for edition in PRINTED) == NAMES[kind]


@pytest.mark.parametrize(
    ("edition", "met", "nought", "missed"), [("poof", 13, 5, 3), ("amigo", 13, 10, -2),
                                             ("fundex", 13, 5, 3)],
)  # fmt: skip
def test_what_a_bid_is_worth_in_each_edition(
    edition: str, met: int, nought: int, missed: int
) -> None:
    assert points(edition, 10, 3, 3) == met
    assert points(edition, 10, 0, 0) == nought
    assert points(edition, 10, 4, 3) == missed


def test_a_tie_in_poof_goes_to_who_met_more_bids() -> None:
    """ "`exact_bids`: of players level on points, the one who met more bids wins" """
    # North bids 0 and is right (5 points); East bids 1, wins 5 tricks (5 points).
    game = table("poof", "G1 G2 G3 G4 G5", "R1 R2 R3 R4 R5", bids="0 1",
                 play="G1 R1 R2 G2 R3 G3 R4 G4 R5 G5")  # fmt: skip
    assert game.scores == [5, 5]
    assert game.winners == [0]


def test_in_poof_those_who_are_still_equal_share() -> None:
    """ "and if they are still level they share" """
    game = table("poof", "G1", "R1", "B1", bids="0 1 0", play="G1 R1 B1")
    assert game.winners == [1]
    game = table("poof", "G1", "G2", "B1", bids="0 0 0", play="G1 G2 B1")
    assert game.scores == [5, 1, 5]
    assert game.winners == [0, 2]


@pytest.mark.parametrize("edition", ["amigo+exact_zero:5+miss:0", "fundex"])
def test_a_tie_in_the_others_is_shared(edition: str) -> None:
    """ "`shared`: they share" """
    third = ["B1 B2 B3 B4 B5"] if edition.startswith("amigo") else []
    play = "G1 R1 B1 R2 B2 G2 R3 B3 G3 R4 B4 G4 R5 B5 G5"
    if not third:
        play = " ".join(code for code in play.split() if code[0] != "B")
    game = table(edition, "G1 G2 G3 G4 G5", "R1 R2 R3 R4 R5", *third, play=play,
                 bids="0 1 1" if third else "0 1")  # fmt: skip
    assert game.scores[:2] == [5, 5]
    assert game.winners == [0, 1]


def test_every_edition_is_its_own_rule_set() -> None:
    for edition, rules in EDITIONS.items():
        assert isinstance(rules, RuleSet)
        assert rules.edition == rules.name == edition
