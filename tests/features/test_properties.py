"""The features of random games: nothing hidden, no seat and no colour before another. That masking
changes no feature is enough for what is hidden: a masked position is the same whatever the others
hold and have bid, which tests/properties/test_views.py holds."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rage
from features.lines import Line, any_line, digest, random_line, recoloured, rotated
from features.reading import expected
from rage import RuleSet
from rage.features.encode import FEATURES, actual_move, canonical_move, colour_places, encode
from rage.rules.cards import N_COLOURED
from rage.rules.settings import Pack
from uncompiled import run_uncompiled

lines = st.builds(lambda seed: any_line(Random(seed)), st.integers(0, 2**32 - 1))
long_lines = st.builds(
    lambda seed: any_line(Random(seed), rounds=1, most=15), st.integers(0, 2**32 - 1)
)


def assert_blocks_as_read(line: Line) -> None:
    """Every number is what a second, slow reading of the masked position says, and in range; and
    masking changes none."""
    for position in line.positions():
        for seat in range(line.players):
            vector = encode(position, seat)
            assert encode(position.masked(seat), seat) == vector
            blocks = expected(position, seat)
            assert blocks.keys() == {feature.name for feature in FEATURES}
            for feature in FEATURES:
                found = vector[feature.slice].tolist()
                assert found == blocks[feature.name], (feature.name, seat)
                assert feature.low <= min(found) <= max(found) <= feature.high, feature.name


@given(lines | long_lines)
def test_every_block_is_what_the_public_face_of_the_position_says(line: Line) -> None:
    assert_blocks_as_read(line)


@settings(max_examples=2 * settings().max_examples)
@given(lines, st.integers(1, 7))
def test_a_seat_further_round_the_table_sees_the_same(line: Line, steps: int) -> None:
    for one, two in zip(line.positions(), rotated(line, steps).positions(), strict=True):
        for seat in range(line.players):
            moved = (seat + steps) % line.players
            assert encode(one, seat) == encode(two, moved)
            assert colour_places(one, seat) == colour_places(two, moved)


def assert_names_of_colours_change_nothing(line: Line, names: tuple[int, ...]) -> None:
    """Renamed colours give the same vector, and the legal moves come back as legal ones."""
    for one, two in zip(line.positions(), recoloured(line, names).positions(), strict=True):
        for seat in range(line.players):
            assert encode(one, seat) == encode(two, seat)
        if one.to_act is not None:
            places = colour_places(two, one.to_act)
            canonical = {canonical_move(m, colour_places(one, one.to_act)) for m in one.legal_moves}
            assert {actual_move(move, places) for move in canonical} == set(two.legal_moves)


@given(lines | long_lines, st.permutations(range(6)))
def test_the_features_stay_the_same_when_colours_are_renamed(line: Line, names: list[int]) -> None:
    assert_names_of_colours_change_nothing(line, tuple(names))


@settings(max_examples=2 * settings().max_examples)
@given(lines)
def test_trump_is_colour_0_then_the_led_one_then_the_longest(line: Line) -> None:
    """The others by own length, and then by own ranks."""
    for position in line.positions():
        for seat in range(line.players):
            places = colour_places(position, seat)
            order = sorted(range(6), key=places.__getitem__)
            assert sorted(places) == list(range(6))
            own: list[list[int]] = [
                sorted((card % 16 for card in position.hand(seat) if card // 16 == c), reverse=True)
                for c in range(6)
            ]
            keys = [(c == position.trump, c == position.led, len(own[c]), own[c]) for c in order]
            assert all(one >= two for one, two in pairwise(keys))


def test_colours_that_are_not_in_the_pack_come_last() -> None:
    rules = RuleSet(
        edition="fundex",
        player_range=(2, 6),
        colours=3,
        ranks=4,
        schedule=(2, 1),
        pack=Pack(2, 2, 1),
    )
    rng = Random(5)
    for _ in range(60):
        line = random_line(rules, 3, rng)
        assert_blocks_as_read(line)
        assert_names_of_colours_change_nothing(line, (2, 0, 1, 3, 4, 5))
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


def test_uncompiled_every_number_is_the_same(tmp_path: Path) -> None:
    program = (
        "import rage.features.encode; assert rage.features.encode.__file__.endswith('encode.py')\n"
        "from features.lines import digest; print(digest(20, 7))\n"
    )
    assert run_uncompiled(tmp_path, program) == digest(20, 7)


@pytest.mark.long
def test_blocks_and_names_of_colours_over_many_games() -> None:
    rng = Random(1)
    for _ in range(3000):
        line = any_line(rng)
        assert_blocks_as_read(line)
        assert_names_of_colours_change_nothing(line, tuple(rng.sample(range(6), 6)))
