"""OpenSpiel's C++ ISMCTS on our kernel, against our own tree search: the same algorithm."""

from __future__ import annotations

from collections import defaultdict

import pytest

from rage import Game, Move, NotAllowed, ruleset
from rage.bots import Budget
from rage.bots.ismcts import EXPLORE, TreeSearch
from rage.engine.position import Position

pytestmark = pytest.mark.long  # compiling takes half a minute

SIMULATIONS = 10_000
SEEDS = range(1, 5)


@pytest.fixture(scope="module")
def spiel() -> object:
    """The plug-in; the tests are skipped where it cannot be had."""
    from lab.strength.openspiel.plugin import plugin

    try:
        return plugin()
    except RuntimeError as error:
        pytest.skip(str(error))


def shares(position: Position) -> dict[int, float]:
    """How OpenSpiel's search shares its simulations out among the moves, on average."""
    import pyspiel

    from lab.strength.openspiel.plugin import plugin

    state = plugin().state(position)
    found = defaultdict[int, float](float)
    for seed in SEEDS:
        evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
        bot = pyspiel.ISMCTSBot(seed, evaluator, EXPLORE, SIMULATIONS)
        for move, share in bot.get_policy(state):
            found[move] += share / len(SEEDS)
    return found


@pytest.mark.parametrize(
    ("rules", "players", "plies"),
    [("poof", 4, 0), ("poof", 3, 9), ("amigo", 4, 12), ("poof+two-teams", 4, 6), ("poof", 2, 5)],
)
@pytest.mark.usefixtures("spiel")
def test_both_searches_try_moves_equally_often(rules: str, players: int, plies: int) -> None:
    game = Game(f"{rules}+schedule:5", players, seed=b"both")
    for _ in range(plies):
        game.play(game.legal_moves[0])
    theirs = shares(game.position)
    ours = defaultdict[int, float](float)
    for seed in SEEDS:
        search = TreeSearch(game.position, seed)
        search.run(SIMULATIONS)
        for move, tries, _ in search.tries:
            ours[move] += tries / SIMULATIONS / len(SEEDS)
    for move, share in ours.items():
        assert share == pytest.approx(theirs[move], abs=0.15), str(Move.of(move))


@pytest.mark.usefixtures("spiel")
def test_as_a_bot_it_plays_whole_games() -> None:
    from lab.strength.openspiel.bot import OpenSpiel

    for rules, players in (("poof+schedule:4.1", 4), ("amigo+schedule:3", 3)):
        game = Game(rules, players, seed=b"whole")
        while game.to_act is not None:
            game.play(OpenSpiel(3).choose(game.view(game.to_act), Budget(60)))
        assert game.over


@pytest.mark.usefixtures("spiel")
def test_hidden_bids_are_refused() -> None:
    from lab.strength.openspiel.bot import OpenSpiel

    game = Game(ruleset("poof+hidden-bids+schedule:3"), 4, seed=b"hidden")
    assert game.to_act is not None
    with pytest.raises((RuntimeError, NotAllowed), match="open bids"):
        OpenSpiel(1).choose(game.view(game.to_act))
