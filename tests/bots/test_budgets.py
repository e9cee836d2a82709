"""Budgets: at least one world is tried, and advice tells how sure it is."""

from __future__ import annotations

import json

import pytest

from rage import Game
from rage.analysis import analyse
from rage.bots import Budget
from rage.bots.advice import advise
from rage.bots.rollouts import Rollouts
from rage.bots.root import spend


@pytest.mark.parametrize("budget", [Budget(0), Budget(0, 1.0), Budget(1), Budget(None, 0.0)])
def test_a_budget_of_nothing_tries_a_world(budget: Budget) -> None:
    game = Game("poof", 4, seed=3)
    search = Rollouts(game.position, 1)
    spend(search, budget)
    assert search.worlds >= 1
    if budget.worlds is not None:
        assert search.worlds == 1


def test_advice_of_a_single_world_is_data_that_every_program_reads() -> None:
    """One world would leave its error infinite, which JSON has no word for."""
    game = Game("poof", 4, seed=3)
    told = advise(game.view(game.to_act), budget=Budget(1))
    assert told.worlds == 2
    json.dumps(told.as_data(), allow_nan=False)
    game = Game("poof+schedule:1", 2, seed=3)
    while game.to_act is not None:
        game.play(game.legal_moves()[0])
    json.dumps(analyse(game, worlds=1).as_data(), allow_nan=False)
