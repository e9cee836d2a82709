"""Budgets: at least one world is tried, and advice tells how sure it is."""

from __future__ import annotations

import json
from math import inf, nan
from typing import Any

import pytest

from rage import Game, NotAllowed
from rage.analysis import analyse
from rage.bots import Budget, bot
from rage.bots.advice import advise
from rage.bots.rollouts import Rollouts
from rage.bots.root import spend


@pytest.mark.parametrize("budget", [Budget(1), Budget(None, 0.0)])
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
        game.play(game.legal_moves[0])
    json.dumps(analyse(game, worlds=1).as_data(), allow_nan=False)


@pytest.mark.parametrize(
    ("worlds", "seconds", "said"),
    [
        (0, None, "not 0"),
        (-5, 1.0, "not -5"),
        (None, -1, "not -1"),
        (None, nan, "not nan"),
        (None, inf, "not inf"),
        (None, 10**400, "not 1000"),
        (10, 1e306, r"not 1e\+306"),
        (2.5, None, r"not 2\.5"),
        (10**20, None, "not 1000"),
        (None, "1", "not 1"),
    ],
)
def test_a_budget_that_cannot_be_spent_is_refused_where_it_is_made(
    worlds: Any, seconds: Any, said: str
) -> None:
    with pytest.raises(NotAllowed, match=said):
        Budget(worlds, seconds)
    with pytest.raises(NotAllowed, match=said):
        Budget().replace(worlds=worlds, seconds=seconds)


def test_a_budget_without_bounds_is_refused_where_it_is_spent() -> None:
    """It hung."""
    view = Game("poof", 4, seed=3).view(0)
    assert view.my_turn
    for name in ("flat+", "ismcts", "hard"):
        with pytest.raises(NotAllowed, match="bounds"):
            bot(name, 1).choose(view, Budget())
    with pytest.raises(NotAllowed, match="bounds"):
        advise(view, budget=Budget())


@pytest.mark.parametrize("name", ["easy", "medium", "hard", "flat+", "ismcts", "steady"])
@pytest.mark.parametrize("seed", [-1, 2**80])
def test_any_whole_number_is_a_seed(name: str, seed: int) -> None:
    view = Game("poof+schedule:3", 4, seed=3).view(0)
    assert view.my_turn
    move = bot(name, seed).choose(view, Budget(4))
    assert move == bot(name, seed).choose(view, Budget(4))
