"""A position filled in from a world."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from generators import games
from rage import Game, NotAllowed
from rage.bots.worlds import sample_worlds
from rage.engine.kernel import Rules
from rage.engine.position import Position

seeds = st.integers(0, 2**32 - 1)


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
    stock = deal.stock.numbers[len(position.turned) :]
    same = position.masked(seat).filled(hands, stock, position.bids)
    assert same._fields() == position._fields()
    (world,) = sample_worlds(position, seat, 1, seed)
    other = position.filled(*world)
    assert other.masked(seat)._fields() == position.masked(seat)._fields()
    rng = Random(seed)
    while other.to_act is not None and other.round == position.round:
        other.play(rng.choice(other.legal_moves))


def begun() -> Position:
    """Four players in the middle of the bidding, with ten cards each."""
    game = Game("poof", 4, seed=b"filled")
    game.play(game.legal_moves[3])
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
    before = position._fields()
    with pytest.raises(NotAllowed, match=message):
        position.filled(hands, stock, bids)
    assert position._fields() == before


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
    before = masked._fields()
    with pytest.raises(NotAllowed, match="is masked"):
        masked.playout(1)
    assert masked._fields() == before


@given(games())
def test_a_position_that_forgets_does_not_hold_the_last_trick(game: Game) -> None:
    seats = game.position.forgetful()._fields()[0]
    tricks = [seat[2] for seat in seats]
    assert tricks == [*game.position.trick, *[0] * (8 - len(game.position.trick))]


def test_nothing_is_hidden_where_no_round_is_under_way() -> None:
    with pytest.raises(NotAllowed, match="no round is under way"):
        Position(Rules(Game("poof", 4).rules, 4)).filled([], [], [])
