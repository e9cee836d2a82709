"""Rage so small that it is solved: its values and measures are those that OpenSpiel finds too."""

from __future__ import annotations

import json
from collections.abc import Iterable

import pyspiel
import pytest

import rage.envs.spiel  # noqa: F401  # registers the game
from lab.solved.__main__ import ENOUGH, RESULTS, table
from rage.envs.small import (
    SMALL,
    Solver,
    Tree,
    Vector,
    bots_choice,
    exploitability,
    explore,
    odds_of,
    plan,
    small_rules,
    strategy,
    value,
)

FOUND = json.loads(RESULTS.read_text(encoding="utf-8"))
#: How far from a solution a solution may be, in points.
NEARLY = 0.002


def loaded(name: str) -> pyspiel.Game:
    """The same game in OpenSpiel."""
    return pyspiel.load_game("python_rage", {"rules": SMALL[name], "players": 2, "dealer": 1})


def told(tree: Tree, plans: Iterable[Vector]) -> pyspiel.TabularPolicy:
    """Two plans as OpenSpiel has them."""
    policy = {}
    state = loaded("one").new_initial_state()
    for seat, (side, likely) in enumerate(zip(tree.sides, plans, strict=True)):
        shares = iter(odds_of(side, likely)[1:].tolist())
        for history in side.decisions:
            state.past = history
            moves = history.position.legal_moves
            known = state.information_state_string(seat)
            policy[known] = [(move, next(shares)) for move in moves]
    return pyspiel.TabularPolicy(policy)


@pytest.mark.parametrize(
    ("name", "steps"),
    [
        ("one", 100),
        pytest.param("one-actions", 150, marks=pytest.mark.long),
        pytest.param("two", 400, marks=pytest.mark.long),
        pytest.param("two-sealed", 1500, marks=pytest.mark.long),
    ],
)
def test_openspiels_solver_finds_the_same_value(name: str, steps: int) -> None:
    game = pyspiel.convert_to_cached_tree(loaded(name))
    solver = pyspiel.CFRPlusSolver(game)
    for _ in range(steps):
        solver.evaluate_and_update_policy()
    policy = solver.average_policy()
    assert pyspiel.nash_conv(game, policy) < NEARLY
    expected = pyspiel.expected_returns(game.new_initial_state(), policy, -1, True)
    assert expected[0] == pytest.approx(FOUND[name]["value"], abs=NEARLY)


def test_the_values_are_those_that_an_implementation_apart_from_this_one_has_found() -> None:
    apart = {"one": -0.8333, "one-actions": -0.7619, "two": -0.3333}
    assert {name: FOUND[name]["value"] for name in apart} == pytest.approx(apart, abs=2e-4)


def test_a_best_answer_gains_what_openspiel_says() -> None:
    tree = explore(small_rules("one"))
    solver = Solver(tree)
    for _ in range(3):
        solver.step()
    choose = bots_choice("steady", 1)
    bots = [plan(side, strategy(side, choose)) for side in tree.sides]
    for first, second in ((bots[0], bots[1]), solver.plans):
        conv = pyspiel.nash_conv(loaded("one"), told(tree, (first, second)))
        assert exploitability(tree, first, second) == pytest.approx(conv / 2)


@pytest.mark.parametrize(
    "name", ["one", *(pytest.param(name, marks=pytest.mark.long) for name in [*SMALL][1:])]
)
def test_what_is_published_is_found_again(name: str) -> None:
    tree = explore(small_rules(name))
    known = FOUND[name]
    assert tree.decisions == known["decisions"]
    solver = Solver(tree)
    for steps, left in known["curve"]:
        while solver.steps < steps:
            solver.step()
        assert exploitability(tree, *solver.plans) == pytest.approx(left, rel=0.02)
    assert left < ENOUGH
    assert value(tree, *solver.plans) == pytest.approx(known["value"], abs=1e-4)
    for bot in ("random", "steady"):
        first, second = (plan(side, strategy(side, bots_choice(bot, 1))) for side in tree.sides)
        assert exploitability(tree, first, second) == pytest.approx(known["bots"][bot], abs=1e-3)


def test_the_page_shows_what_was_found() -> None:
    assert [*FOUND] == [*SMALL]
    page = (RESULTS.parents[2] / "docs" / "solved.md").read_text(encoding="utf-8")
    assert table(FOUND) in page


def test_what_is_no_strategy_is_refused() -> None:
    tree = explore(small_rules("one"))
    with pytest.raises(ValueError, match="do not add up to 1"):
        strategy(tree.sides[0], lambda history: {})
    with pytest.raises(ValueError, match="at least 1"):
        bots_choice("steady", 0)
    with pytest.raises(ValueError, match="before the first plans"):
        _ = Solver(tree).plans
