"""Steady plays sensibly: one test for each thing that the commonest complaints are about."""

from __future__ import annotations

from random import Random

import pytest

import rage
from generators import deals_for
from rage.bots.steady import best_move_of
from rage.rules.cards import BID
from rage.rules.values import Move
from scenes import table


def choice(game: rage.Game) -> str:
    """What steady does for the seat whose turn it is."""
    return str(rage.Move.of(best_move_of(game.position)))


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
    """With this many players who may hold a Wild, a bid of 0 is worth more by the chances alone."""
    hands = others.split("|")
    bids = "2 2 0 0 0 0 0"
    game = table("amigo", *hands, hand, stock=trump, bids=bids)
    assert choice(game) == "1"


@pytest.mark.parametrize("edition", ["poof", "amigo", "fundex"])
def test_it_never_bids_0_with_the_top_trump_in_random_deals(edition: str) -> None:
    rng = Random(edition)
    rules = rage.ruleset(edition)
    held = 0
    for players in range(rules.player_range[0], rules.player_range[1] + 1):
        for deal in deals_for(rules.replace(schedule=(*range(1, 11),) * 3), players, rng):
            game = rage.Game(rules.replace(schedule=(len(deal.hands[0]),)), players, deals=[deal])
            while game.bidding:
                move = best_move_of(game.position)
                assert game.to_act is not None
                if 16 * (game.position.trump or 0) + 15 in game.position.hand(game.to_act):
                    held += 1
                    assert move > BID
                game.play(Move.of(move))
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


# --- playing -------------------------------------------------------------------------------

#: What steady does, and why: by which rules, the hands by seat, the bids, what has been played, and
#: the cards of which it chooses one. Red is trump.
PLAYS = [
    ("leads high when it needs every trick",
     "poof", "R15 R14 O2|O3 Y4 G5|Y6 G7 B8|B9 P3 P4", "3 0 0 0", "", "R15 R14"),
    ("takes what it needs with what it needs least",
     "poof", "O5 Y1 G1|O3 Y2 G2|O9 O15 B0", "0 0 2", "O5 O3", "O9"),
    ("ducks under with the highest that loses",
     "poof", "O10 Y1 G1|O3 Y2 G2|O9 O1 O15", "0 0 0", "O10 O3", "O9"),
    ("leads low when it has what it bid",
     "poof", "O5 Y9 G1|O3 Y2 G2|O9 Y12 Y1", "1 0 1", "O5 O3 O9", "Y1"),
    ("follows low when it has what it bid",
     "poof", "Y9 O5 G1|Y10 O3 G2|O9 Y12 Y1", "1 0 0", "Y9 Y10", "Y1"),
    ("does not trump when it has what it bid, and throws away what might win later",
     "poof", "O5 Y1 G1|O3 Y2 G2|R2 B14 Y3", "1 1 0", "O5 O3", "B14"),
    ("does not trump low where the top trump is enough: it would have one too many",
     "poof", "O5 Y1 G1|O3 Y2 G2|R15 R8 B1", "1 1 1", "O5 O3", "B1 R15"),
    ("nor with one low card left",
     "poof", "O5 Y1|O3 Y2|R15 B1", "1 1 1", "O5 O3", "B1 R15"),
    ("trumps when it needs every trick",
     "poof", "O15 Y1|O3 Y2|R2 R15", "1 1 2", "O15 O3", "R2"),
    ("takes tricks for their points when the bid cannot be met",
     "poof", "O5 Y9 G1|O3 Y2 G2|O9 Y12 Y1", "1 0 0", "O5 O3 O9", "Y12"),
    ("catches a Bonus when the bid is lost: the trick is worth six",
     "poof", "Y1 O1 G1|+ G2 O2|Y9 Y0 B1", "0 0 1", "Y1 +", "Y9"),
    ("catches a Bonus that is worth more than a bid of nothing",
     "poof+exact_zero:4", "Y1 O1|+ G2|Y9 Y0", "0 0 0", "Y1 +", "Y9"),
    ("keeps to a bid of nothing without one",
     "poof+exact_zero:4", "Y1 O1|G3 G2|Y9 Y0", "0 0 0", "Y1 G3", "Y0"),
    ("leaves a Mad to others: it takes five, and the trick is worth one",
     "poof", "O9 Y5 O1|O3 - G2|O4 Y9 Y0", "3 0 3", "O9 O3 O4 Y5 -", "Y0"),
    ("takes that trick without a Mad",
     "poof", "O9 Y5 O1|O3 G3 G2|O4 Y9 Y0", "3 0 3", "O9 O3 O4 Y5 G3", "Y9"),
    ("throws a Mad on others",
     "poof", "O5 Y1 G1|O3 Y2 G2|- P1 B1", "1 0 0", "O5 O3", "-"),
    ("throws a Bonus on its partner",
     "poof+two-teams", "O5 Y1 G1|O9 Y2 G2|O3 Y3 G3|+ - P1", "1 1 1 0", "O5 O9 O3", "+"),
    ("throws a Mad on rivals",
     "poof+two-teams", "O9 Y1 G1|O5 Y2 G2|O3 Y3 G3|- + P1", "1 1 1 0", "O9 O5 O3", "-"),
    ("keeps a Wild for when it decides something",
     "poof", "O5 Y1 G1|R9 Y2 G2|W O1 B1", "1 1 1", "O5 R9", "O1"),
    ("may play it at once where it may be played at any time",
     "poof+anytime-actions", "O5 Y1|R9 Y2|W O1", "1 1 1", "O5 R9", "O1 WR"),
    ("calls a Wild trump to win",
     "poof", "O5 Y1|R9 Y2|W B1", "1 1 2", "O5 R9", "WR"),
    ("calls a Wild another colour to lose",
     "poof", "O5|R9|W", "1 1 0", "O5 R9", "WY WG WB WP WO"),
    ("changes the trump to the colour it is long in, if it needs all",
     "poof", "O5 Y1 G1 P1|O3 Y2 G2 P2|C B15 B14 B13", "0 0 3", "O5 O3", "CB"),
    ("does not beat its partner when the team has what it needs",
     "poof+two-teams", "O9 Y1|O3 Y2|O12 O2|O4 Y3", "1 0 0 0", "O9 O3", "O2"),
    ("takes more for a team that needs more",
     "poof+two-teams", "O9 Y1|O10 Y2|O12 O2|O4 Y3", "1 0 1 0", "O9 O10", "O12"),
    ("keeps to its bid where a sweep is worth nothing",
     "poof+exact:1", "O5 Y1|O3 Y2|R15 B15", "0 0 1", "O5 O3", "B15"),
    ("goes for a sweep that is worth more than the bid",
     "poof+exact:1+sweep", "O5 Y1|O3 Y2|R15 B15", "0 0 1", "O5 O3", "R15"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("rules", "hands", "bids", "play", "chosen"),
    [pytest.param(*row, id=why) for why, *row in PLAYS],
)
def test_it_plays_sensibly(rules: str, hands: str, bids: str, play: str, chosen: str) -> None:
    assert choice(table(rules, *hands.split("|"), bids=bids, play=play)) in chosen.split()


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
