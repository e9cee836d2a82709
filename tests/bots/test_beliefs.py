"""Beliefs: worlds count by how likely the others' bids and cards are in them."""

from __future__ import annotations

from math import exp, isclose, log
from random import Random
from statistics import mean

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from generators import games
from networks import lose_network
from properties.worlds import indistinguishable_game
from rage import Game, NotAllowed, NotReadable
from rage.bots import bot
from rage.bots.beliefs import log_likelihood, weights
from rage.bots.net import network
from rage.bots.worlds import World, sample_worlds

seeds = st.integers(0, 2**32 - 1)


def strength(game: Game, bid: str) -> float:
    """How many cards of 11 and more the first to bid is believed to hold after a bid."""
    eldest = game.to_act
    assert eldest is not None
    game.play(bid)
    view = game.view(game.to_act)
    assert view.seat is not None
    worlds = sample_worlds(view.position, view.seat, 200, 1)
    strong = [sum(card < 96 and card % 16 >= 11 for card in each.hands[eldest]) for each in worlds]
    return sum(one * share for one, share in zip(strong, weights(view, worlds), strict=True))


def test_who_bids_high_is_believed_to_hold_strong_cards() -> None:
    for seed in range(4):
        low, high = (strength(Game("poof", 4, seed=seed), bid) for bid in ("0", "5"))
        assert high > low + 0.3


def test_bids_that_are_hidden_say_nothing() -> None:
    game = Game("poof+hidden-bids", 4, seed=b"x")
    for bid in ("1", "4"):
        game.play(bid)
    view = game.view(game.to_act)
    assert view.seat is not None
    found = weights(view, sample_worlds(view.position, view.seat, 4, 1))
    assert found == [0.25] * 4


def test_they_point_to_the_real_deal() -> None:
    """Where all play by the network, it is likelier than worlds are on average."""
    ahead = []
    for seed in range(6):
        game = Game("poof+schedule:6", 4, seed=seed)
        players = [bot("medium", seed + seat) for seat in range(4)]
        while not game.over:
            view = game.view(game.to_act)
            seat = view.seat
            assert seat is not None
            if len(game.legal_moves()) > 1:
                deal = game.rounds[-1].deal
                assert deal is not None
                hands = tuple(tuple(game.position.hand(each)) for each in range(4))
                bids = tuple(255 if bid is None else bid for bid in game.position.bids)
                real = World(hands, tuple(deal.stock[len(game.position.turned) :]), bids)
                worlds = sample_worlds(view.position, seat, 10, seed)
                one, *others = (
                    log_likelihood(view, each, network("general")) for each in (real, *worlds)
                )
                ahead.append(one - log(mean(map(exp, others))))
            game.play(players[seat].choose(view))
    assert mean(ahead) > 0.2


@settings(max_examples=60, deadline=None)
@given(games(), seeds)
def test_they_come_from_what_a_seat_may_know(game: Game, seed: int) -> None:
    seat = game.to_act
    assume(seat is not None)
    assert seat is not None
    worlds = sample_worlds(game.position, seat, 3, seed)
    found = weights(game.view(seat), worlds)
    assert isclose(sum(found), 1)
    assert all(each > 0 for each in found)
    other = indistinguishable_game(game, seat, Random(seed))
    assert weights(other.view(seat), worlds) == found


def test_of_no_seat_and_without_a_round_there_are_none(monkeypatch: pytest.MonkeyPatch) -> None:
    game = Game("poof+schedule:1", 2, seed=b"x")
    worlds = sample_worlds(game.position, 0, 2, 1)
    with pytest.raises(NotAllowed, match="round"):
        weights(game.view(None), worlds)
    assert weights(game.view(0), []) == []
    lose_network(monkeypatch)
    with pytest.raises(NotReadable):
        weights(game.view(0), worlds)
