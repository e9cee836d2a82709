"""A position filled in from a world, and as bytes."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from generators import games
from rage import Game, NotAllowed
from rage.bots.worlds import sample_worlds
from rage.encode import SIZE, encode, encode_sparse
from rage.kernel import Rules
from rage.position import Position, from_bytes

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
    data = game.position.to_bytes()
    assert len(data) == 256
    again = from_bytes(game.position.rules, data)
    assert again.fields() == game.position.fields()
    assert again.legal() == game.position.legal()


@given(games(), st.integers(0, 255), st.integers(0, 255))
def test_no_bytes_lead_out_of_range(game: Game, place: int, value: int) -> None:
    """They are refused, or what comes of them can be asked anything."""
    data = bytearray(game.position.to_bytes())
    data[place] = value
    try:
        position = from_bytes(game.position.rules, bytes(data))
    except NotAllowed:
        return
    assert all(0 <= move < 128 for move in position.legal())


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
