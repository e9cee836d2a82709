"""docs/rules.md, "Variants": each of them in play, and each setting in every edition."""

from __future__ import annotations

from itertools import product

import pytest

from rage import Game, Move, NotAllowed, Pack, RuleSet, ruleset
from rage.rules.ruleset import VARIANTS
from rage.rules.settings import CHOICES, PRINTED
from rage.say import sentence
from scenes import legal, points, refusal_code, run, table


@pytest.mark.parametrize("edition", PRINTED)
@pytest.mark.parametrize("variant", VARIANTS)
def test_every_variant_goes_with_every_edition(edition: str, variant: str) -> None:
    """ "Variants can be combined with every edition" """
    rules = ruleset(f"{edition}+{variant}")
    players = {"two-teams": 4, "three-teams": 6}.get(variant, 3)
    for name, value in VARIANTS[variant].items():
        assert getattr(rules, name) == value
    game = Game(rules, players, seed=b"every variant")
    while not game.over:
        game.play(game.legal_moves[-1])
    assert game.winners


def test_variants_go_with_each_other_save_hidden_bids_with_plus_minus_one() -> None:
    """ "and with each other, except where this table says otherwise" """
    for one, other in product(VARIANTS, repeat=2):
        clash = VARIANTS[one].keys() & VARIANTS[other].keys() and VARIANTS[one] != VARIANTS[other]
        clash = clash or {one, other} in (
            {"plus-minus-one", "hidden-bids"},
            {"plus-minus-one", "secret-bids"},
        )
        if clash:
            with pytest.raises(NotAllowed):
                ruleset(f"poof+{one}+{other}")
        else:
            assert isinstance(ruleset(f"poof+{one}+{other}"), RuleSet)


# --- anytime actions -----------------------------------------------------------------------


@pytest.mark.parametrize("edition", PRINTED)
def test_anytime_actions_lets_an_action_card_be_played_by_one_who_could_follow(
    edition: str,
) -> None:
    """ "a player who could follow may also play an action card" """
    hands = ("G1 R1 R2 R3 R4 R5", "G2 X + - W C", "Y1 Y2 Y3 Y4 Y5 Y6")
    change = {"C"} if edition == "amigo" else {"CO", "CY", "CG", "CB", "CP"}
    wild = {"WR", "WO", "WY", "WG", "WB", "WP"}
    assert legal(table(edition, *hands, play="G1")) == {"G2"}
    assert legal(table(f"{edition}+anytime-actions", *hands, play="G1")) == (
        {"G2", "X", "+", "-"} | wild | change
    )


def test_anytime_actions_lets_no_coloured_card_of_another_colour_be_played() -> None:
    """ "(but still no coloured card of another colour)" """
    game = table("poof+anytime-actions", "G1 R1", "G2 B3", play="G1")
    assert legal(game) == {"G2"}
    assert refusal_code(game, "B3") == "refuse.follow"


def test_anytime_actions_says_of_a_refused_card_that_an_action_card_would_do() -> None:
    game = table("poof+anytime-actions", "G1 R1 R2", "G2 B3 X", play="G1")
    reason = game.why_not(Move("B3"))
    assert reason is not None
    assert sentence(reason) == (
        "Green was led and you hold green: play G2."
        " By these rules you may also play an action card."
    )


def test_with_anytime_actions_an_action_card_shows_no_void() -> None:
    game = table("poof+anytime-actions", "G1 R1", "G2 X", play="G1 X")
    assert game.view(0).voids == [[], []]


# --- hidden and secret bids ----------------------------------------------------------------


def test_hidden_bids_are_made_without_seeing_each_others_bids() -> None:
    """ "all bid without seeing each other's bids" """
    game = table("amigo+hidden-bids", "R1 R2", "G1 G2", "B1 B2", bids="2 1")
    assert game.view(0).bids == [2, None, None]
    assert game.view(1).bids == [None, 1, None]
    assert game.view(2).bids == [None, None, None]
    assert game.view(None).bids == [None, None, None]


def test_hidden_bids_are_all_shown_before_the_first_lead() -> None:
    """ "all are shown before the first lead" """
    game = table("amigo+hidden-bids", "R1 R2", "G1 G2", "B1 B2", bids="2 1 0")
    for seat in (0, 1, 2, None):
        assert game.view(seat).bids == [2, 1, 0]


def test_secret_bids_are_shown_only_after_the_last_trick_of_the_round() -> None:
    """ "as hidden, and shown only after the last trick of the round" """
    game = table(
        "poof+secret-bids", "R1 R2", "G1 G2", bids="2 1", play="R1 G1 R2", more_rounds=(1,)
    )
    assert game.view(0).bids == [2, None]
    assert game.view(1).bids == [None, 1]
    assert game.view(None).bids == [None, None]
    run(game, "G2")
    for seat in (0, 1, None):
        current = game.view(seat).round
        assert current is not None
        assert current.bids == (2, 1)


def test_open_bids_are_seen_by_all() -> None:
    game = table("poof", "R1 R2", "G1 G2", bids="2")
    assert game.view(1).bids == [2, None]


# --- plus/minus one ------------------------------------------------------------------------


def test_the_last_bidder_may_not_make_the_total_the_hand_size() -> None:
    """ "the bids may not add up to the hand size: the last bidder may not complete that total" """
    game = table("amigo+plus-minus-one", "R1 R2 R3", "G1 G2 G3", "B1 B2 B3", bids="")
    assert legal(game) == {"0", "1", "2", "3"}
    run(game, "1")
    assert legal(game) == {"0", "1", "2", "3"}
    run(game, "1")
    assert legal(game) == {"0", "2", "3"}
    assert refusal_code(game, "1") == "refuse.bid_total"


def test_the_last_bidder_is_free_where_the_others_bid_more_than_the_hand_size() -> None:
    game = table("amigo+plus-minus-one", "R1 R2 R3", "G1 G2 G3", "B1 B2 B3", bids="3 1")
    assert legal(game) == {"0", "1", "2", "3"}
    game = table("amigo+plus-minus-one", "R1 R2 R3", "G1 G2 G3", "B1 B2 B3", bids="3 0")
    assert legal(game) == {"1", "2", "3"}


@pytest.mark.parametrize("bidding", ["hidden", "secret"])
def test_plus_minus_one_needs_open_bids(bidding: str) -> None:
    """ "Needs `bidding = open`" """
    with pytest.raises(NotAllowed, match="bid_total") as refused:
        ruleset(f"poof+plus-minus-one+{bidding}-bids")
    assert refused.value.reason.params == {"bidding": bidding}


# --- winner takes all ----------------------------------------------------------------------


@pytest.mark.parametrize("edition", PRINTED)
def test_who_wins_every_trick_scores_two_a_trick_whatever_the_bid(edition: str) -> None:
    """ "winning every trick of a round scores 2 a trick instead of 1, whatever the bid" """
    rules = ruleset(f"{edition}+sweep")
    assert points(rules, 10, 10, 10) == 20 + 10
    assert points(rules, 10, 4, 10) == 20 + rules.miss
    assert points(rules, 2, 0, 2) == 4 + rules.miss
    assert points(rules, 10, 9, 9) == 9 + 10
    assert points(edition, 10, 10, 10) == 10 + 10


def test_never_in_a_round_of_one_trick() -> None:
    """ "never in a round of one trick" """
    assert points("poof+sweep", 1, 1, 1) == 11
    game = table("poof+sweep", "R1", "R2", bids="0 1", play="R1 R2")
    assert game.scores == [5, 11]


# --- volatile scoring ----------------------------------------------------------------------


def test_volatile_scoring() -> None:
    """ "`exact_zero = 10`, `miss = -5`" """
    rules = ruleset("fundex+volatile")
    assert (points(rules, 10, 0, 0), points(rules, 10, 2, 3)) == (10, -2)
    assert ruleset("amigo+volatile") == ruleset("amigo")


# --- other schedules -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("term", "schedule"),
    [
        ("rising", tuple(range(1, 11))),
        ("level", (10,) * 10),
        ("schedule:1.2.3.2.1", (1, 2, 3, 2, 1)),
        ("schedule:7", (7,)),
    ],
)
def test_other_schedules(term: str, schedule: tuple[int, ...]) -> None:
    """ "rising 1-10; ten rounds of ten; up and down; any list" """
    assert ruleset(f"poof+{term}").schedule == schedule
    game = Game(f"poof+{term}", 3, seed=b"schedules")
    while not game.over:
        game.play(game.legal_moves[0])
    assert tuple(each.hand_size for each in game.rounds) == schedule


# --- choose or reveal, pack ----------------------------------------------------------------


@pytest.mark.parametrize("edition", PRINTED)
@pytest.mark.parametrize("setting", CHOICES)
def test_each_editions_setting_can_be_had_in_every_other(edition: str, setting: str) -> None:
    """ "each edition's setting can be used in every other" """
    for value in CHOICES[setting]:
        assert getattr(ruleset(f"{edition}+{setting}:{value}"), setting) == value


def test_the_pack_may_hold_nought_to_four_of_each_action_card() -> None:
    """ "some editions may have additional Rage cards" """
    rules = ruleset("poof+pack:wild4.change0.mad1")
    assert rules.pack == Pack(4, 0, 4, 2, 1)
    assert rules.pack_size == 96 + 11
    table("poof+pack:wild4", "W W", "W W", play="WG WG WG WG")
    with pytest.raises(NotAllowed, match="more Wild are dealt"):
        table("poof+pack:wild3", "W W", "W W")
