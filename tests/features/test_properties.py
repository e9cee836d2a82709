"""The features of random games: nothing hidden, no seat and no colour before another."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rage
from features import checks
from features.lines import Line, any_line, random_line
from rage import RuleSet
from rage.features.encode import actual_move, canonical_move, colour_places
from rage.rules.cards import N_COLOURED
from rage.rules.ruleset import Pack
from uncompiled import run_uncompiled

lines = st.builds(lambda seed: any_line(Random(seed)), st.integers(0, 2**32 - 1))
long_lines = st.builds(
    lambda seed: any_line(Random(seed), rounds=1, most=15), st.integers(0, 2**32 - 1)
)


@settings(max_examples=80, deadline=None)
@given(lines | long_lines)
def test_every_block_is_what_the_public_face_of_the_position_says(line: Line) -> None:
    checks.blocks_are_as_read(line)


@settings(max_examples=60, deadline=None)
@given(lines, st.integers(1, 7))
def test_the_features_stay_the_same_when_everybody_moves_on(line: Line, steps: int) -> None:
    checks.rotation_changes_nothing(line, steps)


@settings(max_examples=200, deadline=None)
@given(lines | long_lines, st.permutations(range(6)))
def test_the_features_stay_the_same_when_colours_are_renamed(line: Line, names: list[int]) -> None:
    checks.names_of_colours_change_nothing(line, tuple(names))


@settings(max_examples=40, deadline=None)
@given(lines)
def test_trump_is_colour_0_then_the_led_one_then_the_longest(line: Line) -> None:
    checks.colours_are_in_order(line)


def test_hidden_cards_and_bids_change_nothing() -> None:
    rng = Random(20)
    changes = 0
    for _ in range(150):
        whole = any_line(rng)
        line = random_line(whole.rules, whole.players, rng, rng.randrange(len(whole.moves)))
        changes += checks.hidden_cards_change_nothing(line, rng.randrange(line.players), rng)
    assert changes > 300


def test_colours_that_are_not_in_the_pack_come_last() -> None:
    rules = RuleSet(
        edition="fundex", players=(2, 6), colours=3, ranks=4, schedule=(2, 1), pack=Pack(2, 2, 1)
    )
    rng = Random(5)
    for _ in range(60):
        line = random_line(rules, 3, rng)
        checks.blocks_are_as_read(line)
        checks.names_of_colours_change_nothing(line, (2, 0, 1, 3, 4, 5))
        for position in line.positions():
            assert sorted(colour_places(position, 0)[:3]) == [0, 1, 2]


@given(st.permutations(range(6)), st.integers(0, 127))
def test_moves_go_there_and_back(places: list[int], move: int) -> None:
    there = canonical_move(move, places)
    assert actual_move(there, places) == move
    if move < N_COLOURED:
        assert there == 16 * places[move // 16] + move % 16
    elif move >= 108:
        assert there == move


@pytest.mark.parametrize("move", [-1, 128])
def test_what_is_no_move_is_refused(move: int) -> None:
    with pytest.raises(rage.NotReadable, match="0 to 127"):
        canonical_move(move, range(6))
    with pytest.raises(rage.NotReadable, match="0 to 127"):
        actual_move(move, range(6))


def test_uncompiled_every_property_holds_and_every_number_is_the_same(tmp_path: Path) -> None:
    program = (
        "import rage.features.encode; assert rage.features.encode.__file__.endswith('encode.py')\n"
        "from features.checks import check_all, digest\n"
        "assert check_all(8, 11) > 0; print(digest(12, 7))\n"
    )
    assert run_uncompiled(tmp_path, program) == checks.digest(12, 7)


@pytest.mark.long
def test_every_property_over_many_games() -> None:
    assert checks.check_all(3000, 1) > 3000
