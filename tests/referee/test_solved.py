"""Rage so small that OpenSpiel can solve it: its values under CFR+ are those that an implementation
apart from this one has found."""

from __future__ import annotations

import pyspiel
import pytest

from lab.training.small import smallest, spiel_game
from rage.rules.ruleset import RuleSet

#: How far from a solution a solution may be, in points.
NEARLY = 0.002


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("rules", "value", "steps"),
    [
        (smallest(1), -0.8333, 100),
        (smallest(1, change=1, out=1), -0.7619, 150),
        (smallest(2), -0.3333, 400),
    ],
    ids=["one card, a Wild", "one card, Wild, Change and Out", "two cards, a Wild"],
)
def test_the_value_to_the_first_bidder(rules: RuleSet, value: float, steps: int) -> None:
    game = pyspiel.convert_to_cached_tree(spiel_game(rules)())
    solver = pyspiel.CFRPlusSolver(game)
    for _ in range(steps):
        solver.evaluate_and_update_policy()
    policy = solver.average_policy()
    assert pyspiel.nash_conv(game, policy) < NEARLY
    expected = pyspiel.expected_returns(game.new_initial_state(), policy, -1, True)
    assert expected[0] == pytest.approx(value, abs=NEARLY)
