"""What comes out of a sheet."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from generators import games
from rage import Game, NotAllowed, ruleset
from rage.score.checking import forbidden_bid
from rage.score.sheet import Sheet
from rage.score.standing import (
    leaders,
    members,
    met,
    met_most,
    points,
    scores,
    totals,
    winners,
)
from score.entering import (
    add_player,
    begin_round,
    correct,
    enter,
    new_sheet,
    next_dealer,
    stop,
    with_rules,
)


def sheet_of(game: Game) -> Sheet:
    """What people would have entered while a game was played."""
    sheet = new_sheet(game.rules, game.names)
    for each in game.rounds:
        sheet = begin_round(sheet, dealer=each.dealer)
        sheet = enter(sheet, bids=each.bids)
        if each.won is None:
            break
        bonus, mad = [0] * game.players, [0] * game.players
        for trick in each.tricks:
            assert trick.winner is not None
            bonus[trick.winner] += [str(move) for move in trick.moves].count("+")
            mad[trick.winner] += [str(move) for move in trick.moves].count("-")
        sheet = enter(sheet, won=each.won, bonus=bonus, mad=mad)
    return sheet


@given(games())
def test_a_sheet_adds_up_as_the_game_does(game: Game) -> None:
    sheet = sheet_of(game)
    over = [each for each in game.rounds if each.points is not None]
    assert [points(sheet, each) for each in sheet.finished] == [
        list(each.points or ()) for each in over
    ]
    assert scores(sheet) == game.scores
    assert met(sheet) == game.position.met
    assert winners(sheet) == game.winners
    assert next_dealer(sheet, range(game.players)) == (game.rounds[-1].dealer + 1) % game.players


def three(rules: str = "poof", names: tuple[str, ...] = ("Ann", "Ben", "Cem")) -> Sheet:
    return new_sheet(ruleset(rules), names)


def played(sheet: Sheet, bids: list[int], won: list[int], **more: Any) -> Sheet:
    return enter(enter(begin_round(sheet), bids=bids), won=won, **more)


def test_a_trick_can_hold_several_bonus_cards() -> None:
    sheet = played(three("amigo"), [1, 1, 1], [9, 1, 0], bonus=[0, 3, 0])
    assert points(sheet, sheet.rounds[0]) == [9 - 5, 1 + 10 + 15, -5]


def test_the_last_bid_that_would_make_up_the_tricks_is_known() -> None:
    rules = ruleset("poof+plus-minus-one")
    sheet = begin_round(new_sheet(rules, ["Ann", "Ben", "Cem"]))
    assert forbidden_bid(rules, sheet.rounds[0], 0) is None
    sheet = enter(sheet, bids=[None, 3, 4])
    assert forbidden_bid(rules, sheet.rounds[0], 0) == 3
    sheet = enter(sheet, bids=[None, 6, 5])
    assert forbidden_bid(rules, sheet.rounds[0], 0) is None


def test_somebody_leaves_and_somebody_comes() -> None:
    sheet = played(three(), [3, 3, 3], [3, 3, 4])
    sheet = add_player(sheet, "Dora")
    sheet = begin_round(sheet, seats=[3, 0, 2])  # Ben has left, Dora came, and all sit elsewhere
    assert sheet.rounds[1].dealer == 2  # Ben would have dealt: the next to his left does
    sheet = enter(enter(sheet, bids=[0, 0, 0]), won=[0, 0, 9])
    assert scores(sheet) == [18, 13, 4 + 9, 5]
    assert totals(sheet) == [[13, 13, 4, 0], scores(sheet)]
    assert leaders(sheet) == [0]
    # Ann's points are corrected away: Ben still leads nothing, for he has left.
    sheet = correct(sheet, 0, won=[0, 3, 7])
    assert (scores(sheet), leaders(sheet)) == ([5, 13, 16, 5], [2])
    assert winners(stop(sheet)) == [2]
    assert winners(sheet) is None


def test_ties_are_decided_as_the_rules_say() -> None:
    def tied(rules: str) -> Sheet:
        sheet = played(three(rules), [1, 0, 0], [1, 9, 0])  # Ann 11, Ben 9, Cem 5
        return stop(played(sheet, [8, 1, 8], [0, 2, 7]))  # Ann 11, Ben 11, Cem 12

    sheet = correct(tied("poof"), 1, won=[0, 2, 7], bids=[8, 1, 1])
    assert (scores(sheet), met(sheet), met_most(sheet)) == ([11, 11, 12], [1, 0, 1], [0, 2])
    shared = correct(tied("fundex"), 1, won=[2, 4, 3])
    assert (scores(shared), winners(shared)) == ([13, 13, 8], [0, 1])
    assert winners(with_rules(shared, ruleset("poof"))) == [0]


def test_partners_stay_partners() -> None:
    sheet = three("poof+two-teams", ("Ann", "Ben", "Cem", "Dora"))
    sheet = played(sheet, [1, 2, 3, 4], [0, 2, 4, 4])
    assert scores(sheet) == [4 + 10, 6 + 10]
    assert [members(sheet, side) for side in range(2)] == [[0, 2], [1, 3]]
    assert begin_round(sheet, seats=[2, 3, 0, 1]).under_way is not None
    with pytest.raises(NotAllowed, match=r"^Ann would change teams"):
        begin_round(sheet, seats=[1, 0, 2, 3])
    late = add_player(sheet, "Emil")
    assert members(begin_round(late, seats=[0, 4, 2, 3]), 1) == [1, 3, 4]


def test_a_game_ends_with_its_schedule() -> None:
    sheet = played(three("poof+schedule:2.1"), [2, 0, 0], [2, 0, 0])
    with pytest.raises(NotAllowed, match="no other can follow"):
        begin_round(begin_round(three()))
    sheet = played(sheet, [0, 0, 0], [0, 0, 1])
    assert sheet.over
    assert not sheet._replace(rounds=sheet.rounds[:1]).over
