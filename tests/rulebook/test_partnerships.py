"""docs/rules.md, "Partnerships"."""

from __future__ import annotations

import pytest

from rage import Game, NotAllowed, ruleset
from rage.rules.settings import PRINTED
from scenes import legal, run, table


@pytest.mark.parametrize("edition", PRINTED)
@pytest.mark.parametrize("teams", [2, 3])
def test_four_play_in_two_pairs_and_six_in_three_pairs_or_two_threes(
    edition: str, teams: int
) -> None:
    """ "Four players form two pairs (`teams = 2`), six form three pairs (`teams = 3`) or two teams
    of three (`teams = 2`)" "no other number of players forms teams." """
    rules = ruleset(f"{edition}+teams:{teams}")
    for players in range(rules.player_range[0], rules.player_range[1] + 1):
        if (players, teams) in ((4, 2), (6, 2), (6, 3)):
            assert Game(rules, players, seed=b"teams").sides == teams
        else:
            with pytest.raises(NotAllowed, match="teams"):
                Game(rules, players, seed=b"teams")


def test_partners_sit_evenly_between_opponents() -> None:
    """ "Seat *s* is on team *s* mod `teams`" """
    hands = [f"G{seat}" for seat in range(6)]
    play = " ".join(hands)
    for teams, team in ((2, 1), (3, 2)):
        game = table(f"poof+teams:{teams}", *hands, bids="0 0 0 0 0 1", play=play)
        assert game.scores == [11 if side == team else 5 for side in range(teams)]


def test_a_teams_bid_is_the_sum_of_its_members_bids_and_its_tricks_likewise() -> None:
    """ "A team's bid is the sum of its members' bids; its tricks and its action points are added up
    in the same way" """
    # North bids 2 and wins 1, South bids 0 and wins 1: their team meets its bid of 2.
    game = table("poof+two-teams", "R9 G1", "R1 G2", "R2 G9", "R3 G3", bids="2 1 0 1",
                 play="R9 R1 R2 R3 G1 G2 G9 G3")  # fmt: skip
    assert game.rounds[0].won == (1, 0, 1, 0)
    assert game.rounds[0].points == (2 + 10, 0)


def test_a_teams_bid_is_zero_only_if_all_its_members_bid_zero() -> None:
    game = table("poof+two-teams", "R9", "R1", "R2", "R3", bids="1 0 0 0", play="R9 R1 R2 R3")
    assert game.scores == [11, 5]


def test_a_teams_action_points_are_the_sum_of_its_members() -> None:
    game = table("poof+two-teams", "R9 G1", "+ G2", "R2 G9", "R3 -", bids="1 0 1 0",
                 play="R9 + R2 R3 G1 G2 G9 -")  # fmt: skip
    assert game.position.bonus == [1, 0, 0, 0]
    assert game.position.mad == [0, 0, 1, 0]
    assert game.scores == [2 + 10 + 5 - 5, 5]


def test_a_team_sweeps_like_one_player() -> None:
    """ "It is scored like one player, sweep included" """
    moves = "R9 R1 R2 R3 G1 G2 G9 G3"
    hands = ("R9 G1", "R1 G2", "R2 G9", "R3 G3")
    game = table("poof+two-teams+sweep", *hands, bids="1 1 0 0", play=moves)
    assert game.scores == [4, 0]
    game = table("poof+sweep", *hands, bids="1 1 0 0", play=moves)
    assert game.scores == [1 + 10, 0, 1, 5]


def test_a_team_never_sweeps_a_round_of_one_trick() -> None:
    game = table("poof+two-teams+sweep", "R9", "R1", "R2", "R3", bids="1 0 0 0",
                 play="R9 R1 R2 R3")  # fmt: skip
    assert game.scores == [11, 5]


def test_ties_and_bids_met_are_counted_by_team() -> None:
    """ "Ties and met bids are counted by team" """
    # Every member of team 0 misses, and the team meets its bid: 2 + 10 = 12. Team 1: 12 as well,
    # by a bid missed in `miss` points: then the bids met decide.
    moves = "R9 R1 R2 R3 G1 G2 G9 G3"
    hands = ("R9 G1", "R1 G2", "R2 G9", "R3 G3")
    game = table("poof+two-teams+miss:12", *hands, bids="2 1 0 0", play=moves)
    assert game.scores == [12, 12]
    assert game.position.met == [1, 0]
    assert game.winners == [0]
    game = table("fundex+two-teams+miss:12", *hands, bids="2 1 0 0", play=moves)
    assert game.winners == [0, 1]


def test_not_tricks_looks_at_the_sum_of_all_players_bids() -> None:
    """ "`not_tricks` applies to the sum of all players' bids" """
    game = table("poof+two-teams+plus-minus-one", *["R1 R2 R3", "G1 G2 G3", "B1 B2 B3", "Y1 Y2 Y3"],
                 bids="1 0 1")  # fmt: skip
    assert legal(game) == {"0", "2", "3"}
    run(game, "2")
    assert game.rounds[0].bids == (1, 0, 1, 2)


def test_a_partners_hidden_bid_is_hidden_too() -> None:
    """Ruling 10: "its bidder alone, not even a partner" """
    game = table("poof+two-teams+secret-bids", "R9", "R1", "R2", "R3", bids="1 0 0")
    assert game.view(2).bids == [None, None, 0, None]
