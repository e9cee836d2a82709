"""Measures how many worlds make an opponent as slow as a bot, before the matches are played; the
result is written into the list."""

from __future__ import annotations

from lab.strength.listing import Budget, Listed, Setup, budgets
from lab.strength.opponents import Thinking
from rage import Game
from rage.arena import Played, evaluate, plan, play
from rage.bots import bot
from rage.say import RageError

#: Sets of deals of a measurement: some 1,700 moves.
SETS = 1


def measured(name: str, seed: str) -> int:
    """The worlds with which the opponent takes as long for a move as the bot it matches, all moves
    counted alike; starts from the number in the list."""
    budget = budgets()[name]
    setup = Setup("poof", 4, SETS)
    listed = Listed((budget.as_bot, name), setup, f"{seed} budgets", 1.0, None, None)
    games: list[Played] = [play(listed.match, each) for each in plan(listed.match, SETS)]
    found = evaluate(listed.match, games, SETS)
    assert found is not None
    theirs, ours = (tally.cpu_ms_per_move for tally in found.pairs[0].tallies)
    return max(1, round(budget.worlds * budget.times * theirs / ours))


def works(budget: Budget) -> str:
    """Why an opponent cannot play here; empty if it can."""
    try:
        game = Game("poof", 4, seed=b"works")
        assert game.to_act is not None
        if budget.bot != "openspiel":
            bot(budget.bot)
        Thinking(budget.bot, 10, 1).choose(game.view(game.to_act))
    except (ImportError, OSError, RuntimeError, RageError) as error:
        return str(error)
    return ""
