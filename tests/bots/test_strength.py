"""Steady beats random by a wide margin: the same deals from every seat, 95 % intervals."""

from __future__ import annotations

import pytest

from rage.arena.data.matches import play_games
from rage.rules.editions import ruleset
from rage.rules.ruleset import EDITIONS, RuleSet
from rage.rules.settings import PRINTED

#: Points a game that the lower end of the interval must reach.
LEAST = {"poof": 20, "amigo": 40, "fundex": 20}
TABLES = [
    (edition, players)
    for edition in PRINTED
    for players in range(EDITIONS[edition].player_range[0], EDITIONS[edition].player_range[1] + 1)
]


def ahead(rules: RuleSet, players: int, deals: int, seed: int) -> tuple[float, float]:
    """Points a game of one steady less the mean of the random others, and half the interval."""
    per_deal = [0.0] * deals
    for seat in range(players):
        played = play_games(rules, players, 1 << seat, deals, seed)
        for deal, scores in enumerate(played.scores):
            others = (sum(scores) - scores[seat]) / (players - 1)
            per_deal[deal] += (scores[seat] - others) / players
    mean = sum(per_deal) / deals
    variance = sum((each - mean) ** 2 for each in per_deal) / (deals - 1)
    return mean, 1.96 * (variance / deals) ** 0.5


@pytest.mark.parametrize("edition", PRINTED)
@pytest.mark.parametrize("which", ["fewest", "four", "most"])
def test_steady_beats_random(edition: str, which: str) -> None:
    least, most = EDITIONS[edition].player_range
    players = {"fewest": least, "four": 4, "most": most}[which]
    points, give = ahead(EDITIONS[edition], players, 60, 1)
    assert points - give > LEAST[edition]


@pytest.mark.long
@pytest.mark.parametrize(("edition", "players"), TABLES)
def test_steady_beats_random_at_every_table(edition: str, players: int) -> None:
    points, give = ahead(EDITIONS[edition], players, 1000, 2)
    assert give < 1.5
    assert points - give > LEAST[edition] + 2


@pytest.mark.parametrize(
    "variant",
    ["anytime-actions", "hidden-bids", "secret-bids", "plus-minus-one", "sweep", "volatile"],
)
@pytest.mark.parametrize("edition", PRINTED)
def test_steady_beats_random_in_every_variant(edition: str, variant: str) -> None:
    points, give = ahead(ruleset(f"{edition}+{variant}"), 4, 40, 3)
    assert points - give > 25


@pytest.mark.parametrize("name", ["poof+two-teams", "amigo+two-teams", "amigo+three-teams"])
def test_a_steady_team_beats_random_teams(name: str) -> None:
    rules = ruleset(name)
    players = 6 if rules.teams == 3 else 4
    assert rules.teams is not None
    seats = sum(1 << seat for seat in range(0, players, rules.teams))
    played = play_games(rules, players, seats, 100, 4)
    wins = sum(scores[0] > max(scores[1:]) for scores in played.scores)
    assert wins > 75
    mean = sum(scores[0] - sum(scores[1:]) / (rules.teams - 1) for scores in played.scores) / 100
    assert mean > 10
