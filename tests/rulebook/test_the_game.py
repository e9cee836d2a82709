"""docs/rules.md, "The game": one test for each sentence that decides something."""

from __future__ import annotations

import pytest

from rage import Game, NotAllowed, ruleset
from rage.rules.hands import Hand
from rage.rules.ruleset import pack
from rage.rules.settings import PRINTED
from scenes import (
    legal,
    points,
    refusal_code,
    refusal_params,
    run,
    table,
    trump,
    won_by,
)

# --- 1. Schedule ---------------------------------------------------------------------------


@pytest.mark.parametrize("edition", PRINTED)
def test_the_schedule_is_ten_to_one_by_default(edition: str) -> None:
    """ "The list of hand sizes, one a round; by default 10, 9, ... 1." """
    assert ruleset(edition).schedule == (10, 9, 8, 7, 6, 5, 4, 3, 2, 1)


def test_each_round_is_dealt_the_hand_size_of_the_schedule() -> None:
    game = Game("poof+schedule:3.1.2", 4, seed=b"sizes")
    while not game.over:
        game.play(game.legal_moves[0])
    assert [each.hand_size for each in game.rounds] == [3, 1, 2]


def test_the_first_dealer_is_chosen_at_random() -> None:
    """ "The first dealer is chosen at random, or given" """
    dealers = {Game("poof", 4, seed=bytes([seed])).rounds[0].dealer for seed in range(50)}
    assert dealers == {0, 1, 2, 3}


@pytest.mark.parametrize("dealer", range(3))
def test_the_first_dealer_may_be_given(dealer: int) -> None:
    game = table("poof", "R1", "R2", "R3", dealer=dealer, bids="")
    assert game.rounds[0].dealer == dealer


def test_after_each_round_the_deal_passes_one_seat_to_the_left() -> None:
    """ "after each round the deal passes one seat to the left" """
    game = Game("poof+schedule:1.1.1.1.1", 3, seed=b"to the left")
    while not game.over:
        game.play(game.legal_moves[0])
    first = game.rounds[0].dealer
    assert [each.dealer for each in game.rounds] == [(first + i) % 3 for i in range(5)]


def test_nobody_else_may_deal_the_next_round() -> None:
    game = table("poof", "R1", "R2", "R3", dealer=0, play="R2 R3 R1", more_rounds=(1,))
    deal = game.rounds[0].deal
    assert deal is not None
    for dealer in (0, 2):
        with pytest.raises(NotAllowed, match="passes to the left, to seat 1"):
            game.deal(deal.replace(dealer=dealer))
    game.deal(deal.replace(dealer=1))
    assert game.rounds[1].dealer == 1


# --- 2. Deal -------------------------------------------------------------------------------


@pytest.mark.parametrize("edition", PRINTED)
def test_the_whole_pack_is_dealt_and_the_rest_is_the_stock(edition: str) -> None:
    """ "The whole pack is shuffled, each player is dealt the round's hand size, and the rest is
    the stock." """
    game = Game(edition, 5, seed=b"whole")
    deal = game.rounds[0].deal
    assert deal is not None
    assert [len(hand) for hand in deal.hands] == [10] * 5
    _, hands, stock = deal.numbers()
    everything = [card for hand in hands for card in hand] + stock
    assert sorted(everything) == pack(game.rules)
    assert everything != pack(game.rules)


# --- 3. Turn-up ----------------------------------------------------------------------------


def test_the_turn_up_is_the_first_coloured_card_and_its_colour_is_trump() -> None:
    """ "Stock cards are turned over until a coloured one comes up: its colour is trump." """
    game = table("poof", "R1", "R2", "R3", stock="X + W G4 R9", bids="")
    assert trump(game) == "G"
    assert str(game.rounds[0].trump_changes[0].cards) == "X + W G4"


def test_all_cards_turned_over_are_public() -> None:
    """ "All cards turned over are public, and none of them is in anyone's hand." """
    game = table("poof", "R1", "R2", "R3", stock="X + G4 R9", bids="")
    for seat in (0, 1, 2, None):
        view = game.view(seat)
        assert view.seen == Hand("X + G4")
    assert [str(game.hand(seat)) for seat in range(3)] == ["R1", "R2", "R3"]


# --- 4. Bidding ----------------------------------------------------------------------------


@pytest.mark.parametrize("dealer", range(4))
def test_bidding_goes_clockwise_from_eldest(dealer: int) -> None:
    """ "From eldest, clockwise, each player bids" """
    game = table("amigo", "R1", "R2", "R3", "R4", dealer=dealer, bids="")
    order = []
    while game.bidding:
        assert game.to_act is not None
        order.append(game.to_act)
        run(game, "1")
    assert order == [(dealer + i) % 4 for i in (1, 2, 3, 4)]


def test_a_bid_is_nought_to_the_hand_size() -> None:
    """ "from 0 to the hand size" """
    game = table("poof", "R1 R2 R3", "G1 G2 G3", bids="")
    assert legal(game) == {"0", "1", "2", "3"}
    assert refusal_code(game, "4") == "refuse.bid_range"


def test_each_player_bids_once_and_it_binds() -> None:
    """ "a bid cannot be changed" """
    game = table("poof", "R1 R2", "G1 G2", bids="1 2")
    assert not game.bidding
    assert refusal_code(game, "2") == "refuse.bids_made"
    assert game.rounds[0].bids == (1, 2)


def test_no_card_is_played_before_all_have_bid() -> None:
    game = table("poof", "R1 R2", "G1 G2", bids="1")
    assert refusal_code(game, "G1") == "refuse.bid_first"


def test_the_total_of_the_bids_is_free() -> None:
    """ "The bids may add up to any total, unless a variant says otherwise." """
    for last in "012":
        game = table("poof", "R1 R2", "G1 G2", bids=f"1 {last}")
        assert game.rounds[0].bids == (1, int(last))


# --- 5. Play -------------------------------------------------------------------------------


@pytest.mark.parametrize("dealer", range(3))
def test_eldest_leads_to_the_first_trick(dealer: int) -> None:
    """ "Eldest leads to the first trick" """
    game = table("fundex", "R1", "R2", "R3", dealer=dealer)
    assert game.to_act == (dealer + 1) % 3


def test_the_winner_of_a_trick_leads_to_the_next_and_play_goes_clockwise() -> None:
    """ "the winner of a trick leads to the next. Play goes clockwise." """
    game = table("poof", "G1 G2", "G8 G3", "G4 G9", stock="R0")
    order = []
    for code in ["G1", "G8", "G4", "G3", "G9", "G2"]:
        order.append(game.to_act)
        run(game, code)
    assert order == [0, 1, 2, 1, 2, 0]


def test_only_the_player_whose_turn_it_is_may_play() -> None:
    game = table("poof", "G1 G2", "G8 G3", "G4 G9")
    reason = game.view(1).why_not(game.legal_moves[0])
    assert reason is not None
    assert (reason.code, reason.params) == ("refuse.turn", {"player": 0})


def test_the_led_colour_is_that_of_the_first_coloured_card() -> None:
    """ "The led colour of a trick is the colour of the first coloured card ... played to it" """
    game = table("poof", "G1 R1", "B1 G2", "B3 G4", play="G1")
    assert legal(game) == {"G2"}
    run(game, "G2")
    assert legal(game) == {"G4"}


def test_the_led_colour_may_come_from_a_wild_which_has_the_colour_it_was_called() -> None:
    """ "or of the first Wild, played to it (a Wild has the colour it was called)" """
    game = table("poof", "W R1", "B1 G2", "B3 G4", play="WG")
    assert legal(game) == {"G2"}
    assert refusal_code(game, "B1") == "refuse.follow_wild"


def test_a_wild_does_not_change_a_colour_already_led() -> None:
    game = table("poof", "B5 R1", "W G1", "B3 G4", play="B5 WG")
    assert legal(game) == {"B3"}


@pytest.mark.parametrize("opening", ["X", "CB", "+", "-", "X + -"])
def test_with_only_action_cards_in_the_trick_any_card_may_be_played(opening: str) -> None:
    """ "While only other action cards lie in the trick there is no led colour yet, and any card
    may be played." """
    hands = [f"{code[0]} O{i}" for i, code in enumerate(opening.split())]
    game = table("poof", *hands, "B1 G2 R3"[:5], play=opening)
    assert game.position.led is None
    assert legal(game) == {"B1", "G2"}


def test_a_later_card_sets_the_led_colour_where_action_cards_were_first() -> None:
    game = table("poof", "X O1", "G5 R1", "G2 B3", play="X G5")
    assert legal(game) == {"G2"}


def test_who_holds_the_led_colour_must_play_it() -> None:
    """ "Once there is a led colour, a player who holds a coloured card of it must play one." """
    game = table("poof", "G1 R1 O1", "G2 G7 R2", play="G1")
    assert legal(game) == {"G2", "G7"}
    assert refusal_code(game, "R2") == "refuse.follow"
    assert refusal_params(game, "R2") == {
        "card": "R2",
        "colour": "G",
        "cards": "G7 G2",
    }


def test_a_wild_in_the_hand_does_not_oblige_anyone_to_follow() -> None:
    """ "A Wild in the hand has no colour: it neither obliges nor allows anyone to follow." """
    game = table("poof", "G1 R1", "W B3", play="G1")
    assert legal(game) == {"B3", "WR", "WO", "WY", "WG", "WB", "WP"}


def test_a_wild_in_the_hand_does_not_allow_anyone_to_follow_with_it() -> None:
    game = table("poof", "G1 R1", "W G3", play="G1")
    assert legal(game) == {"G3"}
    assert refusal_code(game, "WG") == "refuse.follow"


def test_who_is_void_in_the_led_colour_may_play_any_card() -> None:
    """ "A player void in it may play any card." """
    game = table("poof", "G1 R1 Y1 P1 O1", "R2 B3 X + -", play="G1")
    assert legal(game) == {"R2", "B3", "X", "+", "-"}


def test_an_action_card_may_be_led() -> None:
    """ "So an action card may be played when leading" """
    game = table("amigo", "W C X + - G1", "B1 B2 B3 B4 B5 B6", "Y1 Y2 Y3 Y4 Y5 Y6")
    assert legal(game) == {"WR", "WO", "WY", "WG", "WB", "WP", "C", "X", "+", "-", "G1"}


def test_an_action_card_may_be_played_while_there_is_no_led_colour() -> None:
    """ "while there is no led colour" """
    game = table("poof", "+ G1", "X G2", play="+")
    assert legal(game) == {"X", "G2"}


@pytest.mark.parametrize("card", ["W", "C", "X", "+", "-"])
def test_an_action_card_may_be_played_when_void_and_not_when_able_to_follow(card: str) -> None:
    """ "or when void in it" """
    void = table("poof", "G1 R1", f"{card} B2", play="G1")
    assert any(code[0] == card for code in legal(void))
    able = table("poof", "G1 R1", f"{card} G2", play="G1")
    assert legal(able) == {"G2"}


def test_a_card_not_held_may_not_be_played() -> None:
    game = table("poof", "G1 R1", "B2 B3")
    assert refusal_code(game, "G4") == "refuse.not_held"


def test_a_player_who_has_played_to_the_trick_does_not_hold_the_card_any_more() -> None:
    game = table("poof", "G1 R1", "G2 B3", play="G1 G2")
    assert refusal_code(game, "G2") == "refuse.not_held"
    assert refusal_params(game, "G2")["hand"] == "B3"


# --- 6. Winning a trick --------------------------------------------------------------------


def test_the_highest_trump_wins() -> None:
    """ "the highest card of the trump colour" """
    assert won_by(table("poof", "G15", "R2", "R7", "G3", stock="R0", play="G15 R2 R7 G3")) == (
        "South"
    )


def test_without_a_trump_in_it_the_highest_card_of_the_led_colour_wins() -> None:
    """ "if there is none (or no trump), the highest card of the led colour" """
    assert won_by(table("poof", "G5", "B15", "G7", "G3", stock="R0", play="G5 B15 G7 G3")) == (
        "South"
    )


def test_with_no_trump_in_force_the_highest_card_of_the_led_colour_wins() -> None:
    assert won_by(table("poof", "G5", "X", "R15", "G7", play="G5 X R15 G7")) == "West"


@pytest.mark.parametrize("edition", PRINTED)
def test_with_only_action_cards_other_than_wild_the_first_card_wins(edition: str) -> None:
    """ "if only action cards other than Wild were played, the first card played" """
    change = "C" if edition == "amigo" else "CB"
    for order in ("- X + C", "C X + -", "X C - +", "+ - C X"):
        play = order.replace("C", change)
        game = table(edition, *order.split(), stock="R0 B3", play=play)
        assert won_by(game) == "North"


def test_a_wild_ranks_above_fifteen_in_the_colour_it_was_called() -> None:
    """ "A Wild ranks above 15 in the colour it was called." """
    assert won_by(table("poof", "G15", "W", "G3", stock="R0", play="G15 WG G3")) == "East"
    assert won_by(table("poof", "G15", "R15", "W", stock="R0", play="G15 R15 WR")) == "South"
    assert won_by(table("poof", "G15", "W", "R0", stock="R1", play="G15 WG R0")) == "South"


def test_a_wild_called_neither_led_nor_trump_cannot_win() -> None:
    assert won_by(table("poof", "G1", "W", "B3", stock="R0", play="G1 WB B3")) == "North"


def test_a_trick_is_judged_by_the_trump_in_force_when_its_last_card_has_been_played() -> None:
    """ "judged when its last card has been played and by the trump in force then" """
    game = table("poof", "G9", "R1", "B1", "C", stock="R0", play="G9 R1 B1 CB")
    assert won_by(game) == "South"
    game = table("poof", "G9", "R1", "B1", "X", stock="R0", play="G9 R1 B1 X")
    assert won_by(game) == "North"


# --- 7. Scoring a round --------------------------------------------------------------------


@pytest.mark.parametrize("edition", PRINTED)
@pytest.mark.parametrize("won", range(11))
def test_each_trick_won_is_one_point(edition: str, won: int) -> None:
    """ "Each trick won: 1 point." """
    rules = ruleset(edition).replace(exact=0, exact_zero=0, miss=0)
    assert points(rules, 10, 3, won) == won


def test_a_bid_met_exactly_scores_exact() -> None:
    """ "Bid met exactly: `exact`." """
    assert points("poof+exact:17", 10, 4, 4) == 4 + 17


def test_a_bid_of_zero_met_scores_exact_zero_instead_of_exact() -> None:
    """ "Bid of zero met: `exact_zero` instead of `exact`." """
    assert points("poof+exact:17+exact_zero:3", 10, 0, 0) == 3


@pytest.mark.parametrize(("bid", "won"), [(4, 3), (4, 5), (0, 1), (1, 0)])
def test_a_bid_missed_scores_miss(bid: int, won: int) -> None:
    """ "Bid missed: `miss`." """
    assert points("poof+miss:-7", 10, bid, won) == won - 7


def test_each_bonus_scores_plus_five_and_each_mad_minus_five_and_they_add_up() -> None:
    """ "Each Bonus in the tricks won: +5; each Mad: -5; they add up." """
    game = table("amigo", "R9 R8 G1", "+ + B1", "+ - B2", bids="3 0 0", play="R9 + + R8 + -")
    assert game.position.bonus == [3, 0, 0]
    assert game.position.mad == [1, 0, 0]
    run(game, "G1 B1 B2")
    assert game.scores == [3 + 10 + 15 - 5, 10, 10]


def test_bonus_and_mad_go_to_who_wins_the_trick_not_to_who_played_them() -> None:
    game = table("poof", "R9", "-", "+", bids="1 0 0", play="R9 - +")
    assert game.scores == [11, 5, 5]


# --- 8. End --------------------------------------------------------------------------------


def test_the_highest_total_wins_after_the_last_round() -> None:
    """ "After the last round the highest total wins" """
    game = table("poof", "R1", "R3", "R2", bids="0 1 0")
    assert game.winners is None
    run(game, "R1 R3 R2")
    assert game.over
    assert game.scores == [5, 11, 5]
    assert game.winners == [1]
    assert refusal_code(game, "R1") == "refuse.game_over"


def test_the_game_is_not_over_before_the_last_round() -> None:
    game = table("poof", "R1", "R3", bids="0 1", play="R1 R3", more_rounds=(1,))
    assert not game.over
    assert game.winners is None
    assert game.to_act is None
    assert refusal_code(game, "R1") == "refuse.not_dealt"


def test_the_totals_of_all_rounds_count() -> None:
    game = table("poof", "R1", "R3", bids="0 1", play="R1 R3", more_rounds=(1,))
    deal = game.rounds[0].deal
    assert deal is not None
    game.deal(deal.replace(dealer=0))
    run(game, "0 0 R3 R1")
    assert [each.points for each in game.rounds] == [(5, 11), (5, 1)]
    assert game.scores == [10, 12]
    assert game.winners == [1]
