"""The table of blocks, and what each block tells apart."""

from __future__ import annotations

import re
from array import array
from pathlib import Path
from typing import Any

import pytest

import rage
from rage import Deal, Game, ruleset
from rage.engine.position import Position
from rage.features.encode import FEATURES, SIZE, colour_places, describe, encode, encode_into
from rage.rules.hands import Cards
from scenes import table
from tools.generated import features
from tools.generated.features import PAGE

ROOT = Path(__file__).parent.parent.parent
NAMES = [feature.name for feature in FEATURES]
WINNING = FEATURES[NAMES.index("winning")]


def blocks_that_differ(one: Position, two: Position, seat: int = 0) -> set[str]:
    """The names of the blocks that are not the same in two positions."""
    a, b = encode(one, seat), encode(two, seat)
    return {feature.name for feature in FEATURES if a[feature.slice] != b[feature.slice]}


# --- the table -----------------------------------------------------------------------------


def test_the_blocks_cover_the_vector_without_gap_or_overlap() -> None:
    covered = [i for feature in FEATURES for i in range(SIZE)[feature.slice]]
    assert covered == list(range(SIZE))
    assert len(set(NAMES)) == len(NAMES)
    game = Game("poof", 4, seed=b"any")
    assert len(encode(game.position, 0)) == SIZE


def test_every_block_has_a_meaning_a_range_and_a_scale() -> None:
    assert len({feature.meaning for feature in FEATURES}) == len(FEATURES)
    for feature in FEATURES:
        assert -(2**15) <= feature.low < feature.high < 2**15
        assert feature.scale > 0


def test_every_number_can_be_looked_up() -> None:
    descriptions = [describe(i) for i in range(SIZE)]
    assert len(set(descriptions)) == SIZE
    assert descriptions[17] == "hand[1, 1]: own coloured cards, by colour and rank"
    assert descriptions[SIZE - 1].startswith("legal[127]: ")
    assert any(line.startswith("voids[7, 5]: ") for line in descriptions)
    assert any(line.startswith("hand_size: ") for line in descriptions)


@pytest.mark.parametrize("index", [-1, SIZE])
def test_a_number_outside_the_vector_is_refused(index: int) -> None:
    named = str(index).replace("-", "−")
    with pytest.raises(rage.NotReadable, match=f"no feature {named}; .* 0 to {SIZE - 1}"):
        describe(index)


def test_the_page_shows_the_table() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert features.page() == page
    assert f"{SIZE} numbers" in page


def test_the_types_of_c_know_the_length_of_the_vector() -> None:
    types = (ROOT / "src" / "rage" / "features" / "encode.pxd").read_text(encoding="utf-8")
    assert re.findall(r"N_FEATURES = (\d+)", types) == [str(SIZE)]
    starts = {name.lower(): int(start) for name, start in re.findall(r"AT_(\w+) = (\d+)", types)}
    assert starts == {feature.name: feature.start for feature in FEATURES}


# --- calling it ----------------------------------------------------------------------------


def test_the_vector_is_a_buffer_of_16_bit_numbers() -> None:
    view = memoryview(encode(Game("poof", 4, seed=b"any").position, 1))
    assert (view.format, view.itemsize, view.shape) == ("h", 2, (SIZE,))


def test_a_row_of_a_larger_buffer_can_be_written() -> None:
    position = Game("amigo", 5, seed=b"any").position
    rows = array("h", [-7] * (3 * SIZE))
    encode_into(position, 2, memoryview(rows)[SIZE : 2 * SIZE])
    assert rows[SIZE : 2 * SIZE] == encode(position, 2)
    assert set(rows[:SIZE]) == set(rows[2 * SIZE :]) == {-7}


@pytest.mark.parametrize(
    "row",
    [
        array("h", [0] * (SIZE - 1)),
        array("h", [0] * (SIZE + 1)),
        array("i", [0] * SIZE),
        array("H", [0] * SIZE),
        bytearray(2 * SIZE),
        memoryview(array("h", [0] * SIZE)).toreadonly(),
        memoryview(array("h", [0] * (2 * SIZE)))[::2],
        [0] * SIZE,
        None,
    ],
)
def test_what_is_no_row_is_refused(row: Any) -> None:
    position = Game("poof", 4, seed=b"any").position
    with pytest.raises(rage.NotAllowed, match=f"row of {SIZE} numbers of 16 bits"):
        encode_into(position, 0, row)


@pytest.mark.parametrize(
    ("seat", "why"), [(None, "a spectator has none"), (4, "no seat 4"), (-1, "no seat −1")]
)
def test_only_a_seat_has_features(seat: int | None, why: str) -> None:
    position = Game("poof", 4, seed=b"any").position
    with pytest.raises(rage.NotAllowed, match=why):
        encode(position, seat)  # type: ignore[arg-type]  # what is being tested
    with pytest.raises(rage.NotAllowed, match=why):
        colour_places(position, seat)  # type: ignore[arg-type]  # as above


@pytest.mark.parametrize("nothing", [None, 7])
def test_what_is_no_position_is_refused(nothing: object) -> None:
    with pytest.raises(rage.NotReadable, match="give a Position"):
        encode(nothing, 0)  # type: ignore[arg-type]  # what is being tested


# --- what differs in public differs in its block -------------------------------------------

SETTINGS = {
    "pack:wild1": {"pack"},
    "pack:mad4": {"pack"},
    "change:reveal": {"change"},
    "out:trick": {"out"},
    "second_wild:higher": {"second_wild"},
    "exact:9": {"exact"},
    "exact_zero:4": {"exact_zero"},
    "miss:-100": {"miss"},
    "tie:exact_bids": {"tie"},
    "hidden-bids": {"bidding"},
    "secret-bids": {"bidding"},
    "plus-minus-one": {"not_tricks"},
    "anytime-actions": {"anytime_actions"},
    "sweep": {"sweep"},
    "schedule:2.1": {"rounds_left", "later"},
    "schedule:2.2": {"rounds_left", "later"},
    "two-teams": {"teams", "partner"},
    "colours:5": {"colours"},
    "ranks:15": {"ranks"},
}
FOUR = (Cards("R1 G2"), Cards("R3 G4"), Cards("B1 B2"), Cards("Y1 Y2"))


def dealt(name: str) -> Position:
    """A position in the bidding under these rules."""
    rules = ruleset(name, laboratory=True)
    return Game(rules, 4, deals=[Deal(3, FOUR, Cards("R0"))]).position


@pytest.mark.parametrize("term", SETTINGS)
def test_each_setting_changes_its_own_block(term: str) -> None:
    base = "fundex" if term.startswith("schedule") else "fundex+schedule:2"
    plain = dealt("fundex+schedule:2")
    assert blocks_that_differ(plain, dealt(f"{base}+{term}")) == SETTINGS[term]


def scene(play: str = "", bids: str = "0 0 0", rules: str = "fundex", **changes: str) -> Position:
    """Three seats, red is trump, seat 0 leads; some hands may be changed."""
    hands = {"north": "R1 G2 W", "east": "R3 G4 +", "south": "B1 B2 -", **changes}
    return table(rules, *hands.values(), bids=bids, play=play).position


PAIRS = [
    (
        scene("R1"),
        scene("G2"),
        "seen trick_colours trick_ranks winning_colour winning_rank led",
    ),
    (scene("G2 G4"), scene("WG G4"), "winning trick_kinds seen_actions"),
    (scene("G2 G4 B1"), scene("G2 G4 -"), "mad hand hand_actions"),
    (scene("G2 G4 B1"), scene("R1 R3 B1"), "voids"),
    (scene("G2 G4 B1 +"), scene("G2 G4 B1 R3"), "trick_bonus"),
    (scene("G2 G4 B1 R3 B2"), scene("G2 G4 B1 R3 -"), "trick_mad"),
    (
        scene("G2 G4 B1 + B2 R1"),
        scene("G2 G4 B1 R3 B2 R1"),
        "bonus won needs side_needs leader to_act",
    ),
    (scene(bids="0"), scene(bids="1"), "bids bid_surplus"),
    (scene(bids="0 0"), scene(bids="0 0 0"), "bids_known phase to_act legal"),
    (scene(), scene("R1"), "cards_left"),
    (scene("G2", north="C G2 X"), scene("CG", north="C G2 X"), "turned_up"),
    (scene("G2", north="C G2 X"), scene("X", north="C G2 X"), "trump"),
    (
        scene("G2", rules="fundex+out:trick", north="C G2 X"),
        scene("X", rules="fundex+out:trick", north="C G2 X"),
        "turn_up_due",
    ),
    (
        table("fundex", "G2", "G4", "B1", play="G2 G4 B1", more_rounds=(2,)).position,
        table("fundex", "G2", "G4", "B1", bids="0 0 1", play="G2 G4 B1", more_rounds=(2,)).position,
        "score ahead met",
    ),
    (
        table("fundex", "R1 G2", "R3 G4", "B1 B2").position,
        table("fundex", "R1", "R3", "B1").position,
        "hand_size",
    ),
    (
        table("fundex", "R1", "R3", "B1", dealer=0).position,
        table("fundex", "R1", "R3", "B1", dealer=1).position,
        "place",
    ),
    (
        table("fundex", "R1", "R3", "B1").position,
        table("fundex", "R1", "R3", "B1", "B2").position,
        "players",
    ),
]


@pytest.mark.parametrize(("one", "two", "blocks"), PAIRS)
def test_a_public_difference_shows_in_its_blocks(one: Position, two: Position, blocks: str) -> None:
    assert set(blocks.split()) <= blocks_that_differ(one, two, seat=2)


def test_every_block_has_such_a_case() -> None:
    shown = set().union(*SETTINGS.values(), *(blocks.split() for _, _, blocks in PAIRS))
    assert shown == set(NAMES)


def test_a_wild_called_blue_or_yellow_is_one_to_a_seat_that_knows_neither() -> None:
    assert not blocks_that_differ(scene("WB"), scene("WY"), seat=1)
    assert blocks_that_differ(scene("WB"), scene("WY"), seat=2)


@pytest.mark.parametrize(("rules", "winner"), [("fundex", 1), ("fundex+second_wild:higher", 2)])
def test_of_two_wilds_of_one_colour_the_right_one_wins_so_far(rules: str, winner: int) -> None:
    position = scene("WB WB", rules=rules, east="W Y3 R4")
    assert encode(position, 2)[WINNING.slice].tolist() == [int(i == winner) for i in range(8)]
