"""docs/rules.md, "Rulings": one test for each, by its number."""

from __future__ import annotations

from random import Random

import pytest

from rage import Deal, Game, ruleset
from rage.rules.cards import CARD_CODES, N_COLOURED
from rage.rules.hands import cards_of
from rage.rules.ruleset import pack
from rage.rules.values import Colour
from scenes import legal, points, ruling_sentence, run, table, trump, won_by


def test_ruling_1_six_sets_of_sixteen() -> None:
    """ "Its own list (six colours, 0 to 15) and the total of 110 make it 6 sets of 16." """
    for edition in ("poof", "amigo", "fundex"):
        coloured = [card for card in pack(ruleset(edition)) if card < N_COLOURED]
        assert [f"{c}{r}" for c in "ROYGBP" for r in range(16)] == str(cards_of(coloured)).split()


@pytest.mark.parametrize("rules", ["poof", "fundex"])
def test_ruling_2_where_only_action_cards_lie_the_first_of_the_trick_wins(rules: str) -> None:
    """ "read "in the trick", as AMIGO has it" """
    game = table(rules, "R1 R2", "R9 -", "X +", bids="0 0 0", play="R1 R9 X - + R2")
    assert won_by(game) == "East"
    game = table(rules, "G1 C", "G9 -", "G2 +", stock="R0", play="G1 G9 G2 - + CB")
    assert won_by(game, 1) == "East"
    assert "East" in ruling_sentence(game, 1)


def test_ruling_3_where_the_second_card_is_an_action_card_too_the_next_sets_the_colour() -> None:
    """ "If that is an action card too, the next coloured card or Wild does" """
    game = table("fundex", "X R1", "+ R2", "G3 R3", "G1 B9", play="X + G3")
    assert legal(game) == {"G1"}
    game = table("fundex", "X R1", "+ R2", "W R3", "G1 B9", play="X + WB")
    assert legal(game) == {"B9"}


def test_ruling_4_any_other_colour_may_be_named_whether_or_not_the_stock_holds_it() -> None:
    """ "Here any other colour may be named, whether or not the stock holds it" """
    purple = [f"P{rank}" for rank in range(15)]
    game = table("poof", " ".join(purple), " ".join(["C", "P15", *[f"G{r}" for r in range(13)]]),
                 stock="R0", bids="0 0")  # fmt: skip
    run(game, "P0 P15")
    assert {move for move in legal(game) if move[0] == "C"} == {"CO", "CY", "CG", "CB", "CP"}


def test_ruling_5_without_a_trump_any_colour_the_one_before_the_out_included() -> None:
    """ "any colour, including the one that was trump before the Out" """
    game = table("poof", "X", "C", stock="R0", play="X")
    assert legal(game) == {"CR", "CO", "CY", "CG", "CB", "CP"}
    run(game, "CR")
    assert game.rounds[0].tricks[0].trump is Colour.RED


def test_ruling_6_within_the_limits_the_stock_never_runs_out() -> None:
    """ "(within the limits this cannot happen)": eleven cards for each of eight players, all
    Changes and Outs in their hands, and every one of them played."""
    rules = ruleset("amigo+anytime-actions+pack:change4.out4.wild0+schedule:11")
    deck = sorted(pack(rules), key=lambda card: CARD_CODES[card] not in "CX")
    for seed in range(60):
        rng = Random(seed)
        dealt, stock = rng.sample(deck[:88], 88), rng.sample(deck[88:], len(deck) - 88)
        hands = [cards_of(dealt[seat::8]) for seat in range(8)]
        game = Game(rules, 8, deals=[Deal(0, hands, cards_of(stock))])
        while not game.over:
            game.play(game.legal_moves[-1])
        changes = game.rounds[0].trump_changes
        assert all(each.trump is not None for each in changes if each.cause != "out")
        assert [each.cause for each in changes].count("change") == 4
        assert [each.cause for each in changes].count("out") == 4
        turned = [card for card in game.position.turned if card < N_COLOURED]
        assert len(turned) == len(set(turned))


def test_ruling_7_change_and_out_take_effect_in_the_order_played_and_the_last_decides() -> None:
    """ "take effect in the order played; the last of them decides the trick's trump" """
    hands = ("G1", "R2", "C", "X")
    assert won_by(table("poof", *hands, stock="B0", play="G1 R2 CR X")) == "North"
    hands = ("G1", "R2", "X", "C")
    assert won_by(table("poof", *hands, stock="B0", play="G1 R2 X CR")) == "East"
    hands = ("G1", "R2", "C", "C")
    assert won_by(table("poof", *hands, stock="B0", play="G1 R2 CR CY")) == "North"


def test_ruling_7_two_outs_do_no_more_than_one() -> None:
    """ "Two Outs with no Change between them do no more than one." """
    for rules in ("poof", "amigo"):
        hands = ("G3 B3", "X R1", "X R2")
        game = table(rules, *hands, stock="R0 + B0 Y0", play="G3 X X")
        assert trump(game) == (None if rules == "poof" else "B")
        assert str(cards_of(game.position.turned)) == ("R0" if rules == "poof" else "R0 + B0")


def test_the_sentence_for_a_trick_names_who_set_its_trump() -> None:
    """Not who played a second Out, nor a Change that turned up the trump there was."""
    game = table("poof", "G3 B3", "X R1", "X R2", play="G3 X X")
    assert "East" in ruling_sentence(game)
    assert "South" not in ruling_sentence(game)
    game = table("amigo", "G3 B3", "C R1", "R9 R2", stock="R0 R5", play="G3 C R9")
    assert "South" in ruling_sentence(game)
    assert "East" not in ruling_sentence(game)


def test_ruling_8_nothing_is_turned_up_after_the_last_trick() -> None:
    """ "*Out, `trick`, in the last trick of a round*: nothing is turned up afterwards." """
    game = table("amigo", "G3", "X", "R2", stock="R0 B0", play="G3 X R2")
    assert str(cards_of(game.position.turned)) == "R0"
    assert [each.cause for each in game.rounds[0].trump_changes] == ["deal", "out"]
    assert game.position.trump is None


def test_ruling_9_fundex_ties_are_shared() -> None:
    """ "*Fundex on ties*: silent; they share." """
    game = table("fundex+exact_zero:1+exact:0", "R1", "R2", bids="0 1", play="R1 R2")
    assert game.scores == [1, 1]
    assert game.winners == [0, 1]
    game = table("fundex+miss:4", "R1 R2 R3 R4 R5", "G1 G2 G3 G4 G5", bids="4 0", stock="R0",
                 play="R1 G1 R2 G2 R3 G3 R4 G4 R5 G5")  # fmt: skip
    assert (game.scores, game.position.met, game.winners) == ([9, 5], [0, 1], [0])


@pytest.mark.parametrize("bids", ["hidden", "secret"])
def test_ruling_10_only_its_bidder_sees_a_bid_before_it_is_shown(bids: str) -> None:
    """ "its bidder alone, not even a partner" """
    game = table(f"poof+two-teams+{bids}-bids", "R1 G1", "R2 G2", "R3 G3", "R4 G4", bids="1 2 0")
    assert [game.view(seat).bids for seat in range(4)] == [
        [1, None, None, None],
        [None, 2, None, None],
        [None, None, 0, None],
        [None] * 4,
    ]
    assert game.view(None).bids == [None] * 4


def test_ruling_11_a_round_of_one_trick_never_sweeps_wherever_it_stands() -> None:
    """ "*A round of one trick never sweeps*, wherever it stands in the schedule." """
    game = table("poof+sweep", "R1", "R2", bids="0 1", play="R1 R2", more_rounds=(2, 1))
    assert game.rounds[0].points == (5, 11)
    assert points("poof+sweep+schedule:1.2.1", 1, 1, 1) == 11
    assert points("poof+sweep+schedule:1.2.1", 2, 2, 2) == 14


def test_ruling_12_fundex_lets_the_player_choose_another_colour() -> None:
    """ "The card takes precedence (`choose`), and "a new one" means a different colour." """
    game = table("fundex", "C", "G1", stock="Y3")
    assert legal(game) == {"CR", "CO", "CG", "CB", "CP"}


@pytest.mark.parametrize("dealer", range(3))
def test_ruling_13_the_last_bidder_may_not_make_the_total(dealer: int) -> None:
    """ "the last bidder may not make the total" """
    game = table("amigo+plus-minus-one", "R1 R2", "G1 G2", "B1 B2", dealer=dealer, bids="1 0")
    assert game.to_act == dealer
    assert legal(game) == {"0", "2"}


def test_ruling_14_a_wild_wins_if_a_later_change_makes_its_colour_trump() -> None:
    """ "called a colour that is neither led nor trump, it wins if a later Change makes that colour
    trump" """
    hands = ("G9", "W", "C")
    assert won_by(table("poof", *hands, stock="R0", play="G9 WB CB")) == "East"
    assert won_by(table("poof", *hands, stock="R0", play="G9 WB CY")) == "North"
    assert won_by(table("amigo", *hands, stock="R0 B5", play="G9 WB C")) == "East"


def test_ruling_14_a_wild_called_trump_loses_if_the_trump_is_taken_away() -> None:
    """ "called trump, it loses if a later Change or Out takes the trump away and it was not
    led" """
    assert won_by(table("poof", "G9", "W", "C", stock="R0", play="G9 WR CB")) == "North"
    assert won_by(table("poof", "G9", "W", "X", stock="R0", play="G9 WR X")) == "North"
    assert won_by(table("poof", "W", "G9", "X", stock="R0", play="WR G9 X")) == "North"


def test_ruling_15_a_wild_always_ranks_above_15() -> None:
    """ "a Wild always ranks above 15" """
    for edition in ("poof", "amigo", "fundex"):
        assert won_by(table(edition, "G9", "G15", "W", stock="R0", play="G9 G15 WG")) == "South"
