"""Steady plays sensibly: one test for each thing that the commonest complaints are about."""

from __future__ import annotations

from random import Random

import pytest

import rage
from generators import deals_for
from rage.bots.steady import best_move_of
from rage.rules.cards import BID
from scenes import table


def choice(game: rage.Game) -> str:
    """What steady does for the seat whose turn it is."""
    return str(rage.Move(best_move_of(game.position)))


def bid_of(rules: str, hand: str, others: int, *, trump: str = "R0", eldest: bool = True) -> int:
    """What steady bids with a hand, as eldest or as dealer (all others having bid zero)."""
    size = len(hand.split())
    low = [f"{colour}{rank}" for rank in range(1, 7) for colour in "OYGBP"]
    low = [card for card in low if card not in hand.split()]
    hands = [" ".join(low[i * size : (i + 1) * size]) for i in range(others)]
    hands = [hand, *hands] if eldest else [*hands, hand]
    game = table(rules, *hands, stock=trump, bids="" if eldest else " ".join("0" * others))
    return best_move_of(game.position) - BID


# --- bidding -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hand", "others", "trump"),
    [
        ("G15 O8", "B1 X|Y5 -|R5 G11|B15 P8|G14 C|R8 O5|O3 G13", "G6"),
        ("O15 B5", "B10 X|O4 P13|G8 B13|R6 R14|C X|R11 G5|R3 O0", "O10"),
        ("Y15 R8 B6", "R13 G10 C|O12 P0 P11|R10 G14 -|O5 B2 W|O2 G7 P2|O4 G8 +|R1 Y14 C", "Y11"),
    ],
)
def test_at_a_full_table_it_bids_1_with_a_top_trump_that_a_wild_may_beat(
    hand: str, others: str, trump: str
) -> None:
    """With so many who may hold a Wild, a bid of 0 is worth more by the chances alone."""
    hands = others.split("|")
    bids = "2 2 0 0 0 0 0"
    game = table("amigo", *hands, hand, stock=trump, bids=bids)
    assert choice(game) == "1"


@pytest.mark.parametrize("edition", ["poof", "amigo", "fundex"])
def test_it_never_bids_0_with_the_top_trump_in_random_deals(edition: str) -> None:
    rng = Random(edition)
    rules = rage.ruleset(edition)
    held = 0
    for players in range(rules.players[0], rules.players[1] + 1):
        for deal in deals_for(rules.but(schedule=(*range(1, 11),) * 3), players, rng):
            game = rage.Game(rules.but(schedule=(len(deal.hands[0]),)), players, deals=[deal])
            while game.bidding:
                move = best_move_of(game.position)
                assert game.to_act is not None
                if 16 * (game.position.trump or 0) + 15 in game.position.hand(game.to_act):
                    held += 1
                    assert move > BID
                game.play(move)
    assert held > 20


def test_it_counts_sure_winners() -> None:
    assert bid_of("poof", "R15 R14 R13", 3) == 3
    assert bid_of("poof", "R15 R14 R13 O0 O1", 3) in (3, 4)
    assert bid_of("poof", "R15 R14 R13 R12 R11", 3) >= 4  # an Out or a Change may turn up


def test_it_counts_no_winner_in_a_hand_of_low_cards() -> None:
    assert bid_of("amigo", "O0 Y0 G1 B1", 3) == 0
    assert bid_of("amigo", "O0 Y0 G1 B1 - +", 3) == 0


def test_the_same_hand_is_worth_less_among_more_players() -> None:
    hand = "R9 R6 O12 Y11 G10"
    bids = [bid_of("poof", hand, others) for others in (1, 2)]
    assert bids[0] >= bids[1] >= bid_of("poof", "R9 R6 O12", 4)
    assert bids[0] > bid_of("poof", "R9 R6 O12", 4)


def test_the_same_hand_is_worth_less_without_trumps() -> None:
    hand = "R12 R10 R9 R5"
    assert bid_of("poof", hand, 2, trump="R0") > bid_of("poof", hand, 2, trump="P0")


def test_a_wild_counts_as_a_likely_winner() -> None:
    assert bid_of("poof", "W", 3) == 1
    assert bid_of("amigo", "W O0 Y0 G0", 3) == 1


def test_it_never_bids_the_forbidden_total() -> None:
    """West would bid 1 with the top trump alone, and may not."""
    free = table("amigo", "O1", "Y1", "G1", "R15", stock="R0", bids="0 0 0")
    bound = table("amigo+plus-minus-one", "O1", "Y1", "G1", "R15", stock="R0", bids="0 0 0")
    assert choice(free) == "1"
    assert choice(bound) == "0"


def test_it_bids_for_what_the_rules_pay() -> None:
    """With nothing for a bid met but much for one missed, it misses on purpose."""
    assert bid_of("poof", "R15", 3) == 1
    assert bid_of("poof+exact:-50+exact_zero:-50+miss:50", "R15", 3) == 0


# --- taking and ducking --------------------------------------------------------------------


def test_it_leads_high_when_it_needs_every_trick() -> None:
    game = table("poof", "R15 R14 O2", "O3 Y4 G5", "Y6 G7 B8", "B9 P3 P4", bids="3 0 0 0")
    assert choice(game) in ("R15", "R14")


def test_last_to_play_it_takes_what_it_needs_with_what_it_needs_least() -> None:
    game = table(
        "poof", "O5 Y1 G1", "O3 Y2 G2", "O9 O15 B0", stock="R0", bids="0 0 2", play="O5 O3"
    )
    assert choice(game) == "O9"


def test_last_to_play_it_ducks_under_with_the_highest_that_loses() -> None:
    game = table(
        "poof", "O10 Y1 G1", "O3 Y2 G2", "O9 O1 O15", stock="R0", bids="0 0 0", play="O10 O3"
    )
    assert choice(game) == "O9"


def test_it_ducks_when_it_has_what_it_bid() -> None:
    """South bid one, won the first trick, and leads: low; then it follows low."""
    hands = ("O5 Y9 G1", "O3 Y2 G2", "O9 Y12 Y1")
    leads = table("poof", *hands, stock="R0", bids="1 0 1", play="O5 O3 O9")
    assert choice(leads) == "Y1"
    hands = ("Y9 O5 G1", "Y10 O3 G2", "O9 Y12 Y1")
    follows = table("poof", *hands, stock="R0", bids="1 0 0", play="Y9 Y10")
    assert choice(follows) == "Y1"


def test_it_does_not_trump_when_it_has_what_it_bid() -> None:
    """South bid nothing, is void in orange, and throws away what might win later."""
    game = table(
        "poof", "O5 Y1 G1", "O3 Y2 G2", "R2 B14 Y3", stock="R0", bids="1 1 0", play="O5 O3"
    )
    assert choice(game) == "B14"


def test_it_does_not_trump_early_when_one_trick_short_with_a_sure_one_in_hand() -> None:
    """South needs one trick, and the top trump will take it whenever it likes: a low trump now
    would leave it one too many."""
    game = table(
        "poof", "O5 Y1 G1", "O3 Y2 G2", "R15 R8 B1", stock="R0", bids="1 1 1", play="O5 O3"
    )
    assert choice(game) in ("B1", "R15")
    game = table("poof", "O5 Y1", "O3 Y2", "R15 B1", stock="R0", bids="1 1 1", play="O5 O3")
    assert choice(game) in ("B1", "R15")


def test_it_trumps_when_it_needs_every_trick() -> None:
    game = table("poof", "O15 Y1", "O3 Y2", "R2 R15", stock="R0", bids="1 1 2", play="O15 O3")
    assert choice(game) == "R2"


def test_when_the_bid_cannot_be_met_it_takes_tricks_for_their_points() -> None:
    """South bid 0 and has won one: from now on a trick is a point."""
    game = table(
        "poof", "O5 Y9 G1", "O3 Y2 G2", "O9 Y12 Y1", stock="R0", bids="1 0 0", play="O5 O3 O9"
    )
    assert choice(game) == "Y12"


# --- action cards --------------------------------------------------------------------------


def test_it_catches_a_bonus() -> None:
    """The bid of three is lost: without the Bonus the trick is worth a point, with it six; and
    with a bid of nothing met it is worth a trick too many."""
    game = table("poof", "Y1 O1 G1", "+ G2 O2", "Y9 Y0 B1", stock="R0", bids="0 0 1", play="Y1 +")
    assert choice(game) == "Y9"
    rules = "poof+exact_zero:4"
    game = table(rules, "Y1 O1", "+ G2", "Y9 Y0", stock="R0", bids="0 0 0", play="Y1 +")
    assert choice(game) == "Y9"
    game = table(rules, "Y1 O1", "G3 G2", "Y9 Y0", stock="R0", bids="0 0 0", play="Y1 G3")
    assert choice(game) == "Y0"


def test_it_leaves_a_mad_to_others() -> None:
    """The trick is worth a point and the Mad takes five; the bid is lost already."""
    hands = ("O9 Y5 O1", "O3 - G2", "O4 Y9 Y0")
    game = table("poof", *hands, stock="R0", bids="3 0 3", play="O9 O3 O4 Y5 -")
    assert choice(game) == "Y0"
    hands = ("O9 Y5 O1", "O3 G3 G2", "O4 Y9 Y0")
    game = table("poof", *hands, stock="R0", bids="3 0 3", play="O9 O3 O4 Y5 G3")
    assert choice(game) == "Y9"


def test_it_throws_a_mad_on_others() -> None:
    """Void, with a trick that another is sure to win, and nothing else worth throwing away."""
    game = table("poof", "O5 Y1 G1", "O3 Y2 G2", "- P1 B1", stock="R0", bids="1 0 0", play="O5 O3")
    assert choice(game) == "-"


def test_it_throws_a_mad_on_rivals_and_a_bonus_on_its_partner() -> None:
    for mine, theirs in (("+", "-"), ("-", "+")):
        winner = ("O9", "O5") if mine == "+" else ("O5", "O9")
        game = table(
            "poof+two-teams",
            f"{winner[1]} Y1 G1", f"{winner[0]} Y2 G2", "O3 Y3 G3", f"{mine} {theirs} P1",
            stock="R0", bids="1 1 1 0", play=f"{winner[1]} {winner[0]} O3",
        )  # fmt: skip
        assert choice(game) == mine


def test_it_keeps_a_wild_for_when_it_decides_something() -> None:
    """The trick is lost to it if it plays O2, and it needs only one: the Wild can wait."""
    game = table("poof", "O5 Y1 G1", "R9 Y2 G2", "W O1 B1", stock="R0", bids="1 1 1", play="O5 R9")
    assert choice(game) == "O1"
    anytime = table(
        "poof+anytime-actions", "O5 Y1", "R9 Y2", "W O1", stock="R0", bids="1 1 1", play="O5 R9"
    )
    assert choice(anytime) in ("O1", "WR")


def test_it_calls_a_wild_trump_to_win_and_another_colour_to_lose() -> None:
    game = table("poof", "O5 Y1", "R9 Y2", "W B1", stock="R0", bids="1 1 2", play="O5 R9")
    assert choice(game) == "WR"
    game = table("poof", "O5", "R9", "W", stock="R0", bids="1 1 0", play="O5 R9")
    assert choice(game) in ("WY", "WG", "WB", "WP", "WO")


def test_it_plays_an_out_when_that_decides_the_trick() -> None:
    """East's O9 is trumped by South; an Out of West, the partner, saves the trick they need."""
    game = table(
        "poof+two-teams", "G2 Y1", "O9 Y2", "R2 G3", "X P1",
        stock="R0", bids="1 0 0 0", dealer=0, play="O9 R2",
    )  # fmt: skip
    assert choice(game) == "X"
    sated = table(
        "poof+two-teams", "G2 Y1", "O9 Y2", "R2 G3", "X P1",
        stock="R0", bids="0 1 0 0", dealer=0, play="O9 R2",
    )  # fmt: skip
    assert choice(sated) == "P1"


def test_it_keeps_an_out_while_its_trumps_must_win() -> None:
    game = table(
        "poof", "O5 Y1 G1", "O3 Y2 G2", "X R15 R14", stock="R0", bids="1 0 2", play="O5 O3"
    )
    assert choice(game) == "X" or choice(game).startswith("R")
    game = table("poof", "X R15 R14 B0", "O3 Y2 G2 G3", "Y5 Y6 G7 G8", stock="R0", bids="2 0 0")
    assert choice(game) != "X"


def test_it_changes_the_trump_to_the_colour_it_is_long_in() -> None:
    """South needs all that is left; only a Change makes its blue cards good."""
    game = table(
        "poof",
        "O5 Y1 G1 P1", "O3 Y2 G2 P2", "C B15 B14 B13",
        stock="R0", bids="0 0 3", play="O5 O3",
    )  # fmt: skip
    assert choice(game) == "CB"


def test_it_does_not_beat_its_partner_when_the_team_has_what_it_needs() -> None:
    game = table(
        "poof+two-teams", "O9 Y1", "O3 Y2", "O12 O2", "O4 Y3", stock="R0", bids="1 0 0 0",
        play="O9 O3",
    )  # fmt: skip
    assert choice(game) == "O2"


def test_a_team_that_needs_more_takes_more() -> None:
    game = table(
        "poof+two-teams", "O9 Y1", "O10 Y2", "O12 O2", "O4 Y3", stock="R0", bids="1 0 1 0",
        play="O9 O10",
    )  # fmt: skip
    assert choice(game) == "O12"


def test_it_goes_for_a_sweep_that_is_worth_more_than_the_bid() -> None:
    """South bid one of two: it throws B15 away and keeps R15, unless both tricks are worth four
    and the bid met but two."""
    hands = ("O5 Y1", "O3 Y2", "R15 B15")
    usual = table("poof+exact:1", *hands, stock="R0", bids="0 0 1", play="O5 O3")
    sweep = table("poof+exact:1+sweep", *hands, stock="R0", bids="0 0 1", play="O5 O3")
    assert choice(usual) == "B15"
    assert choice(sweep) == "R15"


def test_it_keeps_a_card_that_can_win_no_trick_when_it_bid_nothing() -> None:
    """Neither a Change nor an Out ever wins: South, void in what was led, throws the other."""
    change = table("amigo", "R14 Y14", "R8 Y15", "P11 C", stock="Y0 G3", bids="1 1 0",
                   play="Y14 Y15")  # fmt: skip
    assert choice(change) == "P11"
    out = table("amigo", "B14 W", "B2 P9", "P14 X", stock="O6 B7", bids="0 0 0", play="B14 B2")
    assert choice(out) == "P14"


def test_it_throws_a_card_that_can_win_no_trick_when_it_needs_one() -> None:
    """East, void in orange, has bid one: only the coloured card can win it still."""
    game = table("amigo", "O9 O12", "Y5 X", "B15 P8", stock="G6 R2", bids="1 1 0", play="O12")
    assert choice(game) == "X"


def test_it_bids_on_its_high_cards_for_what_a_partner_will_win_is_not_certain() -> None:
    """Taking it for certain that the partner wins just one trick, it would bid 0."""
    hands = ("G15 B12", "O8 W", "O15 G9", "G13 P0")
    assert choice(table("amigo+two-teams", *hands, stock="P9", bids="")) == "1"
    hands = ("R14 B9 P9", "R10 R13 B15", "B3 B14 P7", "R8 G14 P15")
    assert choice(table("poof+two-teams", *hands, stock="P5", bids="1")) == "1"


def test_it_leads_what_may_win_while_its_partner_still_needs_a_trick() -> None:
    """North bid nothing and South one: for the team either may win it."""
    game = table("amigo+two-teams", "R7 O3", "Y6 G8", "G12 P9", "R2 R15", stock="G0",
                 bids="0 1 1 0")  # fmt: skip
    assert choice(game) == "R7"
