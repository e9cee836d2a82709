"""Game: what it is made from, what it remembers, and what it refuses."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import pytest

from rage import Deal, Game, Move, NotAllowed, NotReadable, ruleset
from rage.bots import bot
from rage.bots.steady import best_move_of
from rage.kernel import COMPILED, Rules, Run
from rage.position import Position
from scenes import cards, codes, run, table


def hands(*codes_of: str) -> tuple[tuple[int, ...], ...]:
    return tuple(cards(each) for each in codes_of)


GOOD = Deal(1, hands("R1 R2", "G1 G2"), cards("Y1"))


def test_a_game_is_made_from_a_name_and_a_number_of_players() -> None:
    game = Game("poof+sweep", 3)
    assert game.rules == ruleset("poof+sweep")
    assert (game.players, len(game.names), game.sides) == (3, 3, 3)
    assert game.bidding
    assert game.to_act == (game.rounds[0].dealer + 1) % 3


def test_without_a_seed_every_game_is_another() -> None:
    assert Game("poof", 4).rounds[0].deal != Game("poof", 4).rounds[0].deal


def test_a_seed_may_be_bytes_or_text_or_a_number() -> None:
    same = [Game("poof", 4, seed=seed).rounds[0].deal for seed in (b"7", "7", 7, "hex:37")]
    assert len(set(same)) == 1


@pytest.mark.parametrize("seed", ["", b"", "hex:zz"])
def test_what_is_no_seed_is_refused(seed: Any) -> None:
    with pytest.raises(NotReadable):
        Game("poof", 4, seed=seed)


@pytest.mark.parametrize("first_round", [0, 11, -1])
def test_a_first_round_outside_the_schedule_is_refused(first_round: int) -> None:
    with pytest.raises(NotAllowed, match="1 to 10"):
        Game("poof", 4, first_round=first_round)


def test_a_game_may_start_in_the_middle() -> None:
    game = Game("poof", 4, seed=b"middle", first_round=9)
    assert (game.rounds[0].number, game.rounds[0].hand_size) == (9, 2)
    while not game.over:
        game.play(game.legal_moves()[0])
    assert [each.number for each in game.rounds] == [9, 10]


@pytest.mark.parametrize(
    ("deal", "why"),
    [
        (GOOD._replace(dealer=2), "no seat"),
        (GOOD._replace(dealer=-1), "no seat"),
        (GOOD._replace(hands=hands("R1 R2")), "1 hand"),
        (GOOD._replace(hands=hands("R1 R2", "G1")), "1 card;"),
        (GOOD._replace(hands=hands("R1 R2", "G1 G2 G3")), "3 cards"),
        (GOOD._replace(hands=hands("R1 R2", "G1 R1")), "R1 is dealt more often"),
        (GOOD._replace(stock=cards("R1")), "R1 is dealt more often"),
        (GOOD._replace(stock=cards("W W W R3")), "Wild.* is dealt more often"),
        (GOOD._replace(hands=((0, 101), (1, 2))), "101 is no card"),
        (GOOD._replace(stock=(-1,)), "-1 is no card"),
    ],
)
def test_a_deal_that_does_not_fit_is_refused(deal: Deal, why: str) -> None:
    with pytest.raises(NotAllowed, match=why):
        Game(ruleset("poof+schedule:2"), 2, deals=[deal])


def test_nothing_is_dealt_while_a_round_is_under_way_or_after_the_game() -> None:
    game = Game(ruleset("poof+schedule:2"), 2, deals=[GOOD])
    with pytest.raises(NotAllowed):
        game.deal(GOOD)
    run(game, "0 0 R1 G1 R2 G2")
    assert game.over
    with pytest.raises(NotAllowed):
        game.deal(GOOD)


def test_where_the_deals_end_the_game_waits_for_the_next() -> None:
    game = table("poof", "R1", "G1", more_rounds=(1,), play="R1 G1")
    assert (game.to_act, game.over, game.legal_moves()) == (None, False, [])
    with pytest.raises(NotAllowed, match="not been dealt"):
        run(game, "0")
    game.deal(Deal(0, hands("R1", "G1"), cards("Y1")))
    assert game.bidding


def test_a_round_remembers_who_set_the_trump_and_when() -> None:
    game = table("amigo", "G3 B3", "X R1", "C Y3", stock="R0 + B0 Y0", play="G3 X C")
    turns = game.rounds[0].turns
    assert [(turn.cause, turn.trick, turn.card, turn.seat, codes(turn.cards), turn.trump)
            for turn in turns] == [
        ("deal", -1, -1, None, "R0", 0), ("out", 0, 1, 1, "", None), ("change", 0, 2, 2, "+ B0", 4),
    ]  # fmt: skip
    assert game.rounds[0].tricks[0].trump == 4


def test_decisions_are_counted() -> None:
    game = table("poof", "R1 R2", "G1 G2", bids="")
    for ply, code in enumerate(["0", "1", "R1", "G1", "R2", "G2"]):
        assert game.ply == ply
        run(game, code)
    assert game.ply == 6


@pytest.mark.parametrize("move", [-1, 128, 500])
def test_a_number_that_is_no_move_is_refused(move: int) -> None:
    game = Game("poof", 3, seed=b"x")
    before = game.position.fields()
    with pytest.raises((NotAllowed, NotReadable)):
        game.play(move)
    assert game.position.fields() == before


def test_a_stock_that_was_cut_too_short_is_noticed() -> None:
    game = table("amigo", "C R1", "G1 G2", "B1 B2", stock="Y1")
    assert not game.position.stock_short
    run(game, "C")
    assert game.position.stock_short


def test_a_copy_goes_on_with_the_same_deals() -> None:
    game = Game("poof+schedule:1.2", 3, seed=b"copy")
    copy = game.copy()
    for each in (game, copy):
        while not each.over:
            each.play(each.legal_moves()[-1])
    assert [each.deal for each in game.rounds] == [each.deal for each in copy.rounds]
    assert game.scores == copy.scores


def test_equal_games_have_equal_positions() -> None:
    one, two = (Game("amigo", 4, seed=b"equal") for _ in range(2))
    assert isinstance(one.position, Position)
    while not one.over:
        assert one.position.fields() == two.position.fields()
        move = one.legal_moves()[0]
        assert isinstance(move, Move)
        one.play(move)
        two.play(int(move))


def test_hostile_arguments_are_refused_and_never_reach_memory() -> None:
    game = Game("poof", 4, seed=1)
    masked = game.position.masked(None)
    with pytest.raises(NotAllowed):
        masked.playout(9)
    for seat in (-5, 4, 100):
        with pytest.raises(NotAllowed):
            game.position.hand(seat)
    with pytest.raises(TypeError):
        type(game.position)(None)  # type: ignore[arg-type]  # what is being tested
    with pytest.raises(ValueError, match="2 objects"):
        game.position.legal_of((1, 2))
    for move in (-1, 128, 2**40, -(2**70)):
        with pytest.raises(NotReadable):
            game.play(move)


def test_a_move_may_be_given_by_its_code() -> None:
    game = Game("poof", 4, seed=1)
    game.play("3")
    assert game.rounds[-1].bids.count(3) == 1
    with pytest.raises(NotReadable):
        game.play("R16")


def test_games_and_views_can_be_pickled_and_go_on_alike() -> None:
    game = Game("amigo+secret-bids", 4, seed=5)
    for _ in range(20):
        game.play(game.legal_moves()[-1])
    again = pickle.loads(pickle.dumps(game))
    view = pickle.loads(pickle.dumps(game.view(2)))
    assert view.as_data() == game.view(2).as_data()
    assert view.position.fields() == game.view(2).position.fields()
    deep = copy.deepcopy(game)
    while game.to_act is not None:
        for each in (game, again, deep):
            each.play(each.legal_moves()[0])
    assert again.position.fields() == game.position.fields() == deep.position.fields()
    assert [each.points for each in again.rounds] == [each.points for each in game.rounds]


@pytest.mark.parametrize("made", [Position, Rules, Run])
def test_what_was_never_initialised_does_not_crash(made: type) -> None:
    if not COMPILED:
        return
    create: Any = made.__new__
    empty = create(made)
    if made is Position:
        assert empty.legal() == []
        assert empty.bids == []
        for question in (lambda: empty.hand(0), empty.copy, lambda: empty.masked(None)):
            with pytest.raises((NotAllowed, TypeError)):
                question()


def test_odd_players_words_and_seeds_are_refused() -> None:
    with pytest.raises(NotAllowed):
        Game("poof", 10**9)
    with pytest.raises(NotReadable):
        Game("poof", ["a", 1, None, "d"])  # type: ignore[list-item]  # what is being tested
    with pytest.raises(NotAllowed):
        Game("poof", 4, seed=1, words=["a"])
    with pytest.raises(NotReadable):
        Game("poof", 4, seed="")
    with pytest.raises(NotReadable):
        Game("poof", 4, seed=b"")
    game = Game("poof", 4, seed=1)
    for move in (10**30, -20, 1.5):
        with pytest.raises(NotReadable):
            game.why_not(move)  # type: ignore[arg-type]  # what is being tested
    for seat in (99, -5):
        with pytest.raises(NotAllowed):
            game.position.masked(seat)


@pytest.mark.parametrize("name", ["random", "steady"])
def test_a_bot_whose_turn_it_is_not_refuses(name: str) -> None:
    game = Game("poof", 4, seed=1)
    assert game.to_act is not None
    with pytest.raises(NotAllowed):
        bot(name).choose(game.view(game.to_act - 1))
    with pytest.raises(NotAllowed):
        bot(name).choose(game.view(None))
    if name == "steady":
        for position in (Position(Rules(ruleset("poof"), 4)), game.position.masked(None)):
            with pytest.raises(NotAllowed):
                best_move_of(position)
