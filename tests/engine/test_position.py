"""A position filled in from a world, and as bytes."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from fuzzed_positions import forms_of
from generators import games
from rage import Game, NotAllowed
from rage.bots import bot
from rage.bots.worlds import sample_worlds
from rage.engine.kernel import Rules
from rage.engine.position import Position
from rage.engine.position_bytes import from_bytes
from rage.features.encode import SIZE, encode, encode_sparse
from uncompiled import TESTS, run_uncompiled

seeds = st.integers(0, 2**32 - 1)


@settings(max_examples=80)
@given(games(), seeds)
def test_a_masked_position_can_be_filled_in_again(game: Game, seed: int) -> None:
    """With what was hidden it is as before; with a world its seat sees the same, and it plays on
    to the end of the round."""
    position, seat = game.position, game.to_act
    assume(seat is not None)
    assert seat is not None
    hands = [position.hand(each) for each in range(game.players)]
    deal = game.rounds[-1].deal
    assert deal is not None
    stock = deal.stock[len(position.turned) :]
    same = position.masked(seat).filled(hands, stock, position.bids)
    assert same.to_bytes() == position.to_bytes()
    (world,) = sample_worlds(position, seat, 1, seed)
    other = position.filled(*world)
    assert other.masked(seat).to_bytes() == position.masked(seat).to_bytes()
    rng = Random(seed)
    while other.to_act is not None and other.round == position.round:
        other.play(rng.choice(other.legal()))


@settings(max_examples=80)
@given(games())
def test_its_bytes_are_read_again(game: Game) -> None:
    """Masked or not, filled in from a world, at any moment of a game, the one before the first deal
    included; and with a stock that was cut short."""
    before, cut = Position(game.position.rules), Position(game.position.rules)
    deal = game.rounds[0].deal
    assert deal is not None
    cut.deal(deal.dealer, deal.hands, deal.stock[:3])
    filled = []
    seat = game.position.to_act
    if seat is not None:
        for known in (game.position, game.position.forgetful()):
            filled += [known.filled(*world) for world in sample_worlds(known, seat, 2, 1)]
    every = [*forms_of(before), *forms_of(cut), *forms_of(game.position)]
    for position in [*every, *filled]:
        data = position.to_bytes()
        assert len(data) == 256
        again = from_bytes(position.rules, data)
        assert again.fields() == position.fields()
        assert again.legal() == position.legal()


def test_bytes_that_were_changed_are_refused_or_can_be_asked_anything() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "fuzzed_positions", "11", "5", "30"],
        cwd=TESTS, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    read, refused = map(int, done.stdout.split())
    assert min(read, refused) > 500


def test_without_a_compiler_too(tmp_path: Path) -> None:
    """What would be memory of others is an error of its own there."""
    program = (
        "import fuzzed_positions; fuzzed_positions.refuse_places_below_0();"
        "fuzzed_positions.main(21, 1, 4)"
    )
    read, refused = map(int, run_uncompiled(tmp_path, program).split())
    assert min(read, refused) > 20


@pytest.mark.parametrize(
    ("place", "value", "field"),
    [
        (7, 0x80, "held"), (15, 0x80, "held"), (20, 1, "held"), (143, 0x80, "seen"),
        (136, 1, "seen"), (144, 255, "stock"), (176, 112, "trick"), (184, 11, "bids"),
        (192, 15, "won"), (200, 15, "bonus_mad"), (208, 64, "voids"), (216, 2, "met"),
        (225, 1, "scores"), (240, 9, "phase"), (241, 10, "round"), (242, 4, "dealer"),
        (243, 0, "turn"), (244, 7, "leader"), (245, 7, "trump"), (246, 5, "led"),
        (247, 4, "count"), (248, 255, "tricks"), (249, 15, "hand"), (250, 33, "stock"),
        (251, 40, "stock"), (252, 40, "stock"), (253, 40, "stock"), (254, 8, "flags"),
        (251, 0, "turned"), (251, 2, "turned"), (144, 98, "turned"),
    ],
)  # fmt: skip
def test_a_field_that_is_out_of_range_is_named(place: int, value: int, field: str) -> None:
    game = Game("poof", 4, seed=b"x")
    for _ in range(9):
        game.play(bot("steady").choose(game.view(game.to_act)))
    data = bytearray(game.position.to_bytes())
    assert data[place] != value
    data[place] = value
    with pytest.raises(NotAllowed, match=f"{field} is out of range"):
        from_bytes(game.position.rules, bytes(data))


def test_other_bytes_are_refused() -> None:
    with pytest.raises(NotAllowed, match="takes 256 bytes, not 3"):
        from_bytes(Rules(Game("poof", 4).rules, 4), b"abc")


def begun() -> Position:
    """Four players in the middle of the bidding, with ten cards each."""
    game = Game("poof", 4, seed=b"filled")
    game.play(game.legal_moves()[3])
    return game.position


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda hands, stock, bids: hands.pop(), "3 hands for 4 players"),
        (lambda hands, stock, bids: hands[2].pop(), "seat 2 gets 9 cards where it holds 10"),
        (lambda hands, stock, bids: stock.append(hands[0][0]), "more often than it is left"),
        (lambda hands, stock, bids: stock.append(200), "200 is not a card number"),
        (lambda hands, stock, bids: bids.pop(), "3 bids for 4 players"),
        (lambda hands, stock, bids: bids.__setitem__(1, 11), "the bid of seat 1"),
        (lambda hands, stock, bids: bids.__setitem__(3, 2), "the bid of seat 3"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_refused(change: Callable[..., object], message: str) -> None:
    position = begun()
    (world,) = sample_worlds(position, 1, 1, 1)
    hands, stock, bids = [[*hand] for hand in world.hands], [*world.stock], [*world.bids]
    bids[0], bids[1] = position.bids[0] or 255, position.bids[1] or 255
    change(hands, stock, bids)
    before = position.to_bytes()
    with pytest.raises(NotAllowed, match=message):
        position.filled(hands, stock, bids)
    assert position.to_bytes() == before


@pytest.mark.parametrize("bid", [-1, -257, 11, 256, 2.5, 3.0, "3"])
def test_a_hidden_bid_that_is_none_is_refused(bid: Any) -> None:
    game = Game("poof+hidden-bids", 4, seed=b"filled")
    game.play("3")
    position = game.position
    hands = [position.hand(seat) for seat in range(4)]
    bids: list[Any] = [None] * 4
    seat = (game.rounds[0].dealer + 1) % 4
    bids[seat] = bid
    with pytest.raises(NotAllowed, match=f"the bid of seat {seat}"):
        position.masked(None).filled(hands, [], bids)
    bids[seat] = 3
    assert position.masked(None).filled(hands, [], bids).bids == position.bids


def test_a_playout_that_is_refused_changes_nothing() -> None:
    position = begun()
    masked = position.masked(position.to_act)
    before = masked.to_bytes()
    with pytest.raises(NotAllowed, match="is masked"):
        masked.playout(1)
    assert masked.to_bytes() == before


@given(games())
def test_a_position_that_forgets_does_not_hold_the_last_trick(game: Game) -> None:
    seats = game.position.forgetful().fields()[0]
    tricks = [seat[2] for seat in seats]
    assert tricks == [*game.position.trick, *[0] * (8 - len(game.position.trick))]


def test_nothing_is_hidden_where_no_round_is_under_way() -> None:
    with pytest.raises(NotAllowed, match="no round is under way"):
        Position(Rules(Game("poof", 4).rules, 4)).filled([], [], [])


@given(games())
def test_the_sparse_features_are_those_that_are_not_0(game: Game) -> None:
    for seat in range(game.players):
        places, values = encode_sparse(game.position, seat)
        row = [0] * SIZE
        for place, value in zip(places, values, strict=True):
            assert value
            row[place] = value
        assert row == [*encode(game.position, seat)]
