"""docs/rules.md, "Action cards": one test for each sentence that decides something."""

from __future__ import annotations

import pytest

from rage import Deal, Game, ruleset
from rage.rules.hands import Cards, cards_of
from rage.rules.settings import Pack
from rage.rules.values import Colour
from scenes import legal, refusal_code, ruling_sentence, run, table, trump, won_by

CALLS = {"WR", "WO", "WY", "WG", "WB", "WP"}


def seen(game: Game) -> str:
    """The stock cards turned over, in order."""
    return str(cards_of(game.position.turned))


# --- Wild ----------------------------------------------------------------------------------


def test_a_wild_is_called_one_of_the_six_colours_the_trump_included() -> None:
    """ "The player calls one of the six colours; it may be the trump colour." """
    game = table("poof", "W", "G1", stock="R0")
    assert legal(game) == CALLS
    run(game, "WR G1")
    assert won_by(game) == "North"


def test_second_wild_lower_the_first_played_beats_the_later_ones() -> None:
    """ "`lower`: the first played beats the later ones" """
    for wilds in (2, 3, 4):
        hands = ["G1", *["W"] * wilds]
        game = table("poof+pack:wild4", *hands, play="G1 " + "WG " * wilds)
        assert won_by(game) == "East"


def test_second_wild_higher_the_last_beats_the_earlier_ones() -> None:
    """ "`higher`: the last beats the earlier ones" """
    for wilds in (2, 3, 4):
        hands = ["G1", *["W"] * wilds]
        game = table("amigo+pack:wild4", *hands, play="G1 " + "WG " * wilds)
        assert game.round is not None
        assert game.round.tricks[0].winner == wilds


@pytest.mark.parametrize("rule", ["lower", "higher"])
def test_second_wild_says_nothing_of_wilds_called_different_colours(rule: str) -> None:
    """ "If Wilds in one trick are called the same colour" """
    game = table(f"poof+second_wild:{rule}", "W", "W", "B3", stock="R0", play="WG WB B3")
    assert won_by(game) == "North"
    game = table(f"poof+second_wild:{rule}", "W", "W", "B3", stock="B0", play="WG WB B3")
    assert won_by(game) == "East"


@pytest.mark.parametrize("rule", ["lower", "higher"])
def test_a_lone_wild_beats_every_card_of_its_colour_before_and_after_it(rule: str) -> None:
    rules = f"poof+second_wild:{rule}"
    assert won_by(table(rules, "G15", "W", "G14", stock="R0", play="G15 WG G14")) == "East"
    assert won_by(table(rules, "W", "G15", "G14", stock="R0", play="WG G15 G14")) == "North"


# --- Change, choose ------------------------------------------------------------------------


def test_change_choose_names_a_colour_other_than_the_trump_in_force() -> None:
    """ "the player names the new trump, a colour other than the trump in force" """
    game = table("poof", "C G1", "B1 B2", stock="R0")
    assert legal(game) == {"CO", "CY", "CG", "CB", "CP", "G1"}
    assert refusal_code(game, "CR") == "refuse.change_same"


def test_change_choose_names_any_colour_when_there_is_no_trump() -> None:
    """ "(any colour when there is none)" """
    game = table("poof", "C G1", "X B2", "B1 B3", stock="R0", play="G1 X B3")
    assert legal(game) == {"CR", "CO", "CY", "CG", "CB", "CP"}


def test_change_choose_holds_at_once_for_this_trick_too_and_from_then_on() -> None:
    """ "It holds at once, for this trick too, and from then on." """
    game = table("poof", "G9 Y9", "B2 B1", "C Y3", stock="R0", play="G9 B2 CB")
    assert won_by(game) == "East"
    assert trump(game) == "B"
    run(game, "B1 Y3 Y9")
    assert won_by(game, 1) == "East"


def test_change_choose_binds_the_next_change_to_yet_another_colour() -> None:
    game = table("poof", "C G1", "C G2", stock="R0", play="CB")
    assert legal(game) == {"CR", "CO", "CY", "CG", "CP", "G2"}


def test_change_choose_must_name_its_colour() -> None:
    game = table("poof", "C G1", "B1 B2")
    assert "C" not in legal(game)
    assert refusal_code(game, "C") == "refuse.change_names"


# --- Change, reveal ------------------------------------------------------------------------


def test_change_reveal_turns_stock_cards_over_until_a_coloured_one_comes_up() -> None:
    """ "stock cards are turned over until a coloured one comes up, and its colour is trump at
    once" """
    game = table("amigo", "G9 Y9", "B2 Y1", "C Y3", stock="R0 X + B7 Y0", play="G9 B2 C")
    assert won_by(game) == "East"
    assert trump(game) == "B"
    assert seen(game) == "R0 X + B7"


def test_change_reveal_may_turn_up_the_same_colour_as_before() -> None:
    """ "it may be the same colour as before" """
    game = table("amigo", "C G1", "B1 B2", "Y1 Y2", stock="R0 R9", play="C")
    assert trump(game) == "R"


def test_change_reveal_names_no_colour() -> None:
    game = table("amigo", "C G1", "B1 B2", "Y1 Y2")
    assert legal(game) == {"C", "G1"}
    assert refusal_code(game, "CB") == "refuse.change_turns"


# --- Out, round ----------------------------------------------------------------------------


def test_out_round_there_is_no_trump_in_this_trick() -> None:
    """ "there is no trump in this trick" """
    game = table("poof", "G3", "R15", "X", stock="R0", play="G3 R15 X")
    assert won_by(game) == "North"


def test_out_round_nor_in_the_rest_of_the_round_until_a_change_is_played() -> None:
    """ "nor in the rest of the round, until a Change is played" """
    game = table(
        "poof", "G3 B3 Y3 O3", "X R1 R3 P3", "P2 C R4 R5", stock="R0 Y9", play="G3 X P2 B3 R1"
    )
    assert trump(game) is None
    run(game, "CR")
    assert won_by(game, 1) == "East"
    run(game, "R3 R4 Y3")
    assert trump(game) == "R"
    assert won_by(game, 2) == "South"


def after_an_out(out: str) -> Game:
    """A game with a pack so small that the stock is R0, which was turned up, and O0: the first
    trick, with an Out, is over, and both hold a Change."""
    rules = ruleset("oh_hell", laboratory=True).replace(
        pack=Pack(0, 2, 1, 0, 0),
        change="reveal",
        out=out,
        bid_total="any",
        schedule=(2,),
        colours=3,
        ranks=1,
    )
    hands = (Cards("X C"), Cards("Y0 C"))
    game = Game(rules, 2, deals=[Deal(1, hands, Cards("R0 O0"))])
    assert trump(game) == "R"
    run(game, "0 0 X Y0")
    return game


def test_out_round_the_cards_turned_over_stay_out_of_the_stock() -> None:
    """ "under `out = round` the cards turned over so far stay out of it" """
    game = after_an_out("round")
    assert trump(game) is None
    run(game, "C")
    assert trump(game) == "O"
    run(game, "C")
    assert [each.trump for each in game.rounds[0].trump_changes] == [
        Colour.RED,
        None,
        Colour.ORANGE,
        None,
    ]
    assert seen(game) == "R0 O0"


# --- Out, trick ----------------------------------------------------------------------------


def test_out_trick_there_is_no_trump_in_this_trick() -> None:
    """ "there is no trump in this trick" """
    game = table("amigo", "G3", "R15", "X", stock="R0 G0", play="G3 R15 X")
    assert won_by(game) == "North"


def test_out_trick_a_new_trump_is_turned_up_as_soon_as_the_trick_is_over() -> None:
    """ "If there is still no trump when the trick ends and the round goes on, a new one is turned
    up as soon as the trick is over" """
    game = table("amigo", "G3 B3", "X R1", "Y2 Y3", stock="R0 + B0", play="G3 X")
    assert trump(game) is None
    run(game, "Y2")
    assert trump(game) == "B"
    assert seen(game) == "R0 + B0"
    assert [each.cause for each in game.rounds[0].trump_changes] == ["deal", "out", "after"]
    assert str(game.rounds[0].trump_changes[-1].cards) == "+ B0"


def test_out_trick_turns_up_a_new_trump_in_either_setting_of_change() -> None:
    """ "in either setting of `change`" """
    for change in ("choose", "reveal"):
        rules = f"poof+out:trick+change:{change}"
        game = table(rules, "G3 B3", "X R1", stock="R0 + B0", play="G3 X")
        assert trump(game) == "B"


def test_out_trick_a_change_later_in_the_trick_turns_up_a_new_trump_at_once() -> None:
    """ "A Change later in the same trick finds a new trump at once, as `change` says." """
    game = table("amigo", "G3 B3", "X R1", "C Y3", stock="R0 Y0 B0", play="G3 X C")
    assert trump(game) == "Y"
    assert seen(game) == "R0 Y0"
    assert won_by(game) == "North"


def test_out_trick_a_change_later_in_the_trick_names_a_new_trump_at_once() -> None:
    game = table("amigo+change:choose", "G3 B3", "X R1", "C Y3", stock="R0 Y0", play="G3 X CR")
    assert trump(game) == "R"
    assert seen(game) == "R0"


def test_change_choose_takes_no_card_from_the_stock() -> None:
    """ "A Change under `change = choose` takes no card from the stock" """
    game = table(
        "poof+out:trick", "G3 B3 B4", "C X R1", "Y2 Y3 Y4", stock="R0 Y0 B0", play="G3 CB Y2"
    )
    assert seen(game) == "R0"
    run(game, "B3 X Y3")
    assert seen(game) == "R0 Y0"
    assert trump(game) == "Y"


def test_out_trick_puts_the_cards_turned_over_under_the_stock() -> None:
    """ "every card turned over so far goes face down under the stock" (of a whole stock, they
    come up again behind all others: only a small one shows it)"""
    game = after_an_out("trick")
    assert trump(game) == "O"
    run(game, "C")
    assert trump(game) == "R"


def test_cards_that_went_under_the_stock_have_still_been_seen() -> None:
    game = table("amigo", "G3 B3", "X R1", "Y2 Y3", stock="R0 + B0", play="G3 X Y2")
    assert [str(card) for card in game.view(0).seen if str(card) in "R0 + B0"] == [
        "R0",
        "B0",
        "+",
    ]


# --- Bonus, Mad ----------------------------------------------------------------------------


def test_the_winner_of_the_trick_scores_the_bonus_or_mad_at_the_end_of_the_round() -> None:
    """ "The winner of the trick scores +5 or -5 at the end of the round." """
    game = table("poof", "R9 G1", "+ B1", "- B2", bids="2 0 0", play="R9 + -")
    assert game.scores == [0, 0, 0]
    assert (game.position.bonus, game.position.mad) == ([1, 0, 0], [1, 0, 0])
    run(game, "G1 B1 B2")
    assert game.scores == [12, 5, 5]


def test_a_bonus_or_mad_sets_no_led_colour_and_cannot_win_over_a_coloured_card() -> None:
    game = table("poof", "+", "-", "G0", "B15", stock="R0", play="+ - G0 B15")
    assert won_by(game) == "South"
    assert "green was led" in ruling_sentence(game)
