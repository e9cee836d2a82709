"""Worlds: each fits all that a seat has seen, and nothing else decides which are drawn."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from random import Random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from generators import games
from properties.worlds import history, indistinguishable_game, later_deals, played_by, replay
from rage import Deal, Game, NotAllowed, ruleset
from rage.bots.steady import best_move_of
from rage.bots.worlds import World, sample_worlds
from rage.rules.cards import BID
from rage.rules.hands import Cards, cards_of
from rage.rules.ruleset import pack
from rage.rules.settings import Pack
from rage.rules.values import MOVES
from scenes import run

seeds = st.integers(0, 2**32 - 1)


def deal_of(world: World, game: Game) -> Deal:
    """The deal of the round under way, as a world has it."""
    hands = [(*played_by(game, seat), *world.hands[seat]) for seat in range(game.players)]
    stock = cards_of((*game.position.turned, *world.stock))
    return Deal(game.rounds[-1].dealer, map(cards_of, hands), stock)


def game_in(world: World, game: Game, rng: Random) -> Game:
    """The same game, dealt as a world has it."""
    current = game.rounds[-1]
    before = [each.deal for each in game.rounds[:-1] if each.deal]
    moves = history(game)
    order = [(current.dealer + 1 + i) % game.players for i in range(game.players)]
    bids = [world.bids[seat] for seat in order if game.rounds[-1].bids[seat] is not None]
    moves[-1][: len(bids)] = [BID + bid for bid in bids]
    return replay(game, [*before, deal_of(world, game), *later_deals(game, rng)], moves)


@given(games(), seeds)
def test_each_world_replays_all_that_was_seen(game: Game, seed: int) -> None:
    """Legally, move by move, and the seat sees the same in it; also a seat that is not to act."""
    assume(game.to_act is not None)
    rng = Random(seed)
    for seat in range(game.players):
        for world in sample_worlds(game.position, seat, 2, seed):
            other = game_in(world, game, rng)
            assert other.view(seat).as_data() == game.view(seat).as_data()
            held = [card for hand in world.hands for card in hand]
            known = [*game.position.seen, *held, *world.stock]
            assert sorted(known) == sorted(pack(game.rules))


@given(games(), seeds)
def test_worlds_are_drawn_from_what_a_seat_may_know(game: Game, seed: int) -> None:
    seat = game.to_act
    assume(seat is not None)
    assert seat is not None
    drawn = sample_worlds(game.position, seat, 3, seed)
    assert sample_worlds(game.position.masked(seat), seat, 3, seed) == drawn
    other = indistinguishable_game(game, seat, Random(seed))
    assert sample_worlds(other.position, seat, 3, seed) == drawn


def lopsided() -> Game:
    """Twelve cards in three colours; after a trick seat 1 is void in red, seats 1 and 2 hold two
    cards each, and two lie in the stock."""
    rules = ruleset("poof").replace(
        colours=3, ranks=4, schedule=(3,), pack=Pack(0, 0, 0, 0, 0), second_wild="lower"
    )
    hands = (Cards("R0 O0 Y0"), Cards("O1 O2 Y1"), Cards("R1 O3 Y2"))
    game = Game(rules, 3, deals=[Deal(2, hands, Cards("Y3 R2 R3"))])
    run(game, "0 0 0 R0 O1 R1")
    return game


def test_all_worlds_that_fit_are_equally_likely() -> None:
    """36 ways to deal six cards to two hands and the stock, one hand without red: each comes up in
    a thirty-sixth of the worlds, give or take five standard deviations."""
    game = lopsided()
    drawn = Counter(world.hands for world in sample_worlds(game.position, 0, 36_000, seed=1))
    unseen = set(Cards("O2 Y1 O3 Y2 R2 R3").numbers)
    red = set(Cards("R2 R3").numbers)
    own = tuple(game.position.hand(0))
    fitting = {
        (own, one, two)
        for one in combinations(sorted(unseen - red), 2)
        for two in combinations(sorted(unseen - set(one)), 2)
    }
    assert len(fitting) == 36
    assert drawn.keys() == fitting
    assert all(abs(count - 1000) < 160 for count in drawn.values())


def test_a_hand_that_may_hold_few_of_many_cards_is_filled_fairly() -> None:
    """One card, and its seat is void in five colours, while the stock has 49 cards: of the worlds
    that fit, it is of the sixth colour in 50.8 % (counted by hand size and colour), which without
    more exchanges would be 47.0 %. Give or take four standard deviations."""
    game, rng = Game("poof+schedule:12", 5, seed="4"), Random(4)
    for _ in range(59):
        game.play(rng.choice(game.legal_moves))
    assert game.position.voids[4] == [0, 1, 3, 4, 5]
    drawn = sample_worlds(game.position, 1, 20_000, seed=1)
    share = sum(world.hands[4][0] >> 4 == 2 for world in drawn) / len(drawn)
    assert share == pytest.approx(0.508, abs=0.014)


def test_the_stock_is_in_any_order() -> None:
    game = lopsided()
    drawn = Counter(world.stock for world in sample_worlds(game.position, 0, 2000, seed=2))
    assert all(drawn[tuple(reversed(stock))] for stock in drawn)


def test_cards_make_room_for_each_other() -> None:
    """Four reds can lie with seat 1 or in the stock, five oranges with seat 2 or in the stock, and
    more than two reds in the stock leave no room for the oranges: 6 times 10 hands fit."""
    rules = ruleset("poof").replace(colours=3, ranks=6, schedule=(4,), pack=Pack(0, 0, 0, 0, 0))
    hands = (Cards("R0 Y1 Y3 Y4"), Cards("R1 Y2 R2 R3"), Cards("Y0 O0 O1 O2"))
    game = Game(rules, 3, deals=[Deal(2, hands, Cards("Y5 R4 R5 O3 O4 O5"))])
    run(game, "0 0 0 R0 R1 Y0 O0 Y1 Y2")
    drawn = Counter(world.hands for world in sample_worlds(game.position, 0, 6000, seed=3))
    assert len(drawn) == 60
    assert all(set(one) <= set(Cards("R2 R3 R4 R5").numbers) for _, one, _ in drawn)
    assert all(abs(count - 100) < 50 for count in drawn.values())


def test_bids_that_are_hidden_get_the_number_that_steady_would_bid() -> None:
    """Among them a partner's; the own bid and those that are not made stay as they are."""
    game = Game("poof+hidden-bids+teams:2+schedule:5", 4, seed=b"hidden")
    first, second = game.position.leader, None
    for bid in (5, 0):
        second = game.to_act
        game.play(MOVES[BID + bid])
    assert first is not None
    assert second is not None
    seat = game.to_act
    assert seat is not None
    drawn = sample_worlds(game.position, seat, 40, seed=4)
    assert {world.bids[seat] for world in drawn} == {255}
    assert all(0 <= world.bids[each] <= 5 for world in drawn for each in (first, second))
    assert len({world.bids[first] for world in drawn}) > 1
    for world in drawn:
        eldest = Game(game.rules, game.names, deals=[deal_of(world, game)])
        assert best_move_of(eldest.position) == BID + world.bids[first]


def test_equal_seeds_draw_equal_worlds() -> None:
    position = Game("amigo", 5, seed=b"equal").position
    one = sample_worlds(position, 2, 5, seed=7)
    assert sample_worlds(position, 2, 5, seed=7) == one
    assert sample_worlds(position, 2, 5, seed=8) != one


def test_where_no_round_is_under_way_there_are_no_worlds() -> None:
    game = Game("poof+schedule:1", 2, seed=b"over")
    while not game.over:
        game.play(game.legal_moves[0])
    with pytest.raises(NotAllowed, match="no round is under way"):
        sample_worlds(game.position, 0, 1, seed=1)
    with pytest.raises(NotAllowed, match="there is no seat 4"):
        sample_worlds(Game("poof", 4, seed=b"x").position, 4, 1, seed=1)
