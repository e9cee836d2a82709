"""docs/rules.md, "Limits": each of them from both sides, and how a refusal is worded."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import pytest

from rage import Deal, Game, NotAllowed, RuleSet, ruleset
from rage.engine import kernel
from rage.rules.hands import Cards, cards_of
from rage.rules.settings import PRINTED, Pack
from scenes import run

POOF = ruleset("poof")


def refused(setting: str, value: Any) -> str:
    with pytest.raises(NotAllowed) as error:
        POOF.replace(**{setting: value})
    assert error.value.reason.params["setting"] == setting
    return str(error.value)


@pytest.mark.parametrize("edition", PRINTED)
def test_as_many_players_as_the_edition_allows(edition: str) -> None:
    """ "As many players as the edition allows (`poof` 2-8, `amigo` 3-8, `fundex` 2-6)" """
    rules = ruleset(edition)
    least, most = rules.player_range
    assert (least, most) == {"poof": (2, 8), "amigo": (3, 8), "fundex": (2, 6)}[edition]
    for players in range(10):
        if least <= players <= most:
            assert Game(rules, players, seed=b"players").players == players
        else:
            with pytest.raises(NotAllowed, match=f"players, not {players}"):
                Game(rules, players, seed=b"players")


@pytest.mark.parametrize("players", [(2, 9), (0, 8), (8, 2), (2, 100), (2,), None])
def test_no_rule_set_is_for_more_players_than_the_kernel_has_seats(players: Any) -> None:
    with pytest.raises(NotAllowed):
        kernel.Rules(POOF.replace(player_range=players), 9)


def test_there_is_no_way_around_the_limits() -> None:
    for make in (
        POOF.replace,
        lambda **changes: RuleSet(**vars(POOF) | changes),
    ):
        with pytest.raises(NotAllowed):
            make(player_range=(2, 9))
        assert make(miss=3) == ruleset("poof+miss:3")
    for copied in (copy.copy(POOF), copy.deepcopy(POOF), pickle.loads(pickle.dumps(POOF))):
        assert isinstance(copied, RuleSet)
        assert copied == POOF


def test_one_to_thirty_rounds() -> None:
    """ "1 to 30 rounds" """
    assert Game(POOF.replace(schedule=(1,) * 30), 2, seed=b"long").rules.schedule == (1,) * 30
    assert "1 to 30" in refused("schedule", (1,) * 31)
    assert "1 to 30" in refused("schedule", ())


def test_hand_sizes_one_to_fifteen() -> None:
    """ "hand sizes 1 to 15" """
    assert Game(POOF.replace(schedule=(15, 1)), 2, seed=b"hands").rounds[0].hand_size == 15
    for hand in (0, 16, -1):
        assert "1 to 15" in refused("schedule", (hand,))


@pytest.mark.parametrize("players", range(2, 9))
def test_players_times_hand_size_at_most_ninety_five(players: int) -> None:
    """ "players times hand size at most 95" """
    largest = min(15, 95 // players)
    game = Game(POOF.replace(schedule=(largest,)), players, seed=b"largest")
    assert game.rounds[0].hand_size == largest
    if largest < 15:
        with pytest.raises(NotAllowed, match=f"so {largest} each"):
            Game(POOF.replace(schedule=(1, largest + 1)), players, seed=b"too large")


@pytest.mark.parametrize("out", ["round", "trick"])
def test_the_stock_holds_a_coloured_card_even_then(out: str) -> None:
    """ "(so the stock always holds a coloured card)": the worst deal, with every action card in
    the stock, then with every one in a hand and played."""
    rules = POOF.replace(pack=Pack(4, 4, 4, 4, 4), change="reveal", out=out, schedule=(13,))
    coloured, actions = cards_of(range(96)), Cards("W C X + -") * 4
    in_the_stock, in_hands = (*coloured[:91], *actions, *coloured[91:]), (*actions, *coloured)
    for pack, changes in ((in_the_stock, 0), (in_hands, 4)):
        hands = tuple(pack[seat:91:7] for seat in range(7))  # 95 cards divide among no players
        game = Game(rules, 7, deals=[Deal(0, hands, pack[91:])])
        while not game.over:
            game.play(game.legal_moves[0])
        found = [each for each in game.rounds[0].trump_changes if each.cause != "out"]
        assert all(each.trump is not None for each in found)
        assert sum(each.cause == "change" for each in found) == changes


def test_nought_to_four_of_each_action_card() -> None:
    """ "0 to 4 of each action card" """
    for kind in Pack._fields:
        for count in range(5):
            assert POOF.replace(pack=POOF.pack.replace(**{kind: count})).pack_size <= 116
        for count in (-1, 5):
            assert "0 to 4" in refused("pack", POOF.pack.replace(**{kind: count}))


def test_a_pack_may_be_given_as_five_counts_or_by_kind() -> None:
    wanted = POOF.replace(pack=Pack(out=0, mad=1))
    assert wanted.pack == Pack(2, 4, 0, 2, 1)
    given: list[Any] = [(2, 4, 0, 2, 1), [2, 4, 0, 2, 1], {"out": 0, "mad": 1}]
    for pack in given:
        assert POOF.replace(pack=pack) == wanted
        assert isinstance(POOF.replace(pack=pack).pack, Pack)
    assert RuleSet("poof", (2, 8), given[1], tie="exact_bids") == wanted
    assert ruleset("amigo").replace(pack={"out": 0}).pack == Pack(2, 4, 0, 3, 3)
    for odd in ((2, 4, 4, 2), (2, 4, 4, 2, 5), {"outs": 1}, {"out": 5}, 3, None, "", True):
        assert "0 to 4 of each of wild, change, out, bonus and mad" in refused("pack", odd)


@pytest.mark.parametrize("setting", ["exact", "exact_zero", "miss"])
def test_points_are_whole_numbers_from_minus_to_plus_a_hundred(setting: str) -> None:
    """ "`exact`, `exact_zero` and `miss` whole numbers from -100 to 100" """
    for value in (-100, 0, 100):
        assert getattr(POOF.replace(**{setting: value}), setting) == value
    for wrong in (-101, 101, 1.0, True, None, "5"):
        assert "−100 to 100" in refused(setting, wrong)


@pytest.mark.parametrize("setting", ["change", "out", "second_wild", "tie", "bidding", "bid_total"])
def test_a_choice_is_one_of_its_words(setting: str) -> None:
    for value in ("", "neither", None, 1, True):
        message = refused(setting, value)
        assert message.startswith(f"{setting} cannot be ")


@pytest.mark.parametrize("setting", ["anytime_actions", "sweep"])
def test_a_flag_is_true_or_false(setting: str) -> None:
    for value in (0, 1, None, "true"):
        assert "true or false" in refused(setting, value)


def test_teams_are_none_or_two_or_three() -> None:
    for value in (0, 1, 4, True, "2"):
        assert "none, 2 or 3" in refused("teams", value)


def test_the_greatest_and_the_least_scores_fit() -> None:
    """Thirty rounds at the limits of the points."""
    for value, total in ((100, 30 * 101), (-100, 30 * -99)):
        rules = POOF.replace(schedule=(1,) * 30, exact=value, exact_zero=0, miss=0)
        deal = Deal(1, (Cards("R1"), Cards("G1")), Cards("Y1"))
        deals = [deal.replace(dealer=(1 + i) % 2) for i in range(30)]
        game = Game(rules, 2, deals=deals)
        while not game.over:
            leads = game.to_act == 0
            run(game, "1 0 R1 G1" if leads else "1 0 G1 R1")
        assert game.scores == [total // 2, total // 2]


# --- laboratory settings -------------------------------------------------------------------


def laboratory(**settings: Any) -> RuleSet:
    return ruleset("oh_hell", laboratory=True).replace(bid_total="any", **settings)


def test_where_a_small_stock_holds_no_coloured_card_there_is_no_trump() -> None:
    """ "Where so small a stock holds no coloured card, there is no trump." """
    rules = laboratory(colours=2, ranks=2, schedule=(2,))
    game = Game(rules, 2, deals=[Deal(1, (Cards("R0 R1"), Cards("O0 O1")), ())])
    assert game.position.trump is None
    run(game, "0 0 R0 O1")
    assert game.to_act == 0


def test_a_card_that_comes_up_again_from_a_small_stock_is_seen_once() -> None:
    rules = laboratory(colours=1, ranks=3, pack=Pack(0, 0, 2, 0, 0), change="reveal", out="trick",
                       schedule=(2,))  # fmt: skip
    game = Game(rules, 2, deals=[Deal(1, (Cards("X R0"), Cards("R1 X")), Cards("R2"))])
    run(game, "0 0 X R1")
    assert sorted(str(cards_of(game.position.seen)).split()) == ["R1", "R2", "X"]


@pytest.mark.parametrize(("setting", "values"), [("colours", (0, 7)), ("ranks", (0, 17))])
def test_laboratory_settings_have_limits_too(setting: str, values: tuple[int, ...]) -> None:
    for value in values:
        refused(setting, value)
