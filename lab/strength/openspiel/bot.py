"""OpenSpiel's C++ ISMCTS as a bot: with a thousand simulations in the arena, where it is called
``python:lab.strength.openspiel.bot:OpenSpiel``, and in the list with its own budget."""

from __future__ import annotations

import random
import secrets
from typing import Final

from lab.strength.openspiel.plugin import plugin
from rage import Move, View
from rage.bots import Budget
from rage.rules.values import MOVES

#: The constant of UCT, as in our own search.
EXPLORE: Final = 16.0


class OpenSpiel:
    """Plays the move that OpenSpiel's search tried most. A budget is of simulations (``worlds``) or
    of seconds. Equal seeds need not lead to equal moves: the search iterates over hash tables,
    whose order differs from run to run."""

    name = "openspiel"

    def __init__(self, seed: int | None) -> None:
        self._seed = secrets.randbits(31) if seed is None else seed
        plugin()  # fails here rather than in the middle of a game

    def choose(self, view: View, budget: Budget | None = None) -> Move:
        """One of the legal moves. Raises ``RuntimeError`` if bids are hidden."""
        import pyspiel

        moves = view.legal_moves
        if len(moves) == 1:
            return moves[0]
        limit = budget or Budget(1000)
        state = plugin().state(view.position)
        chance = random.Random(f"{self._seed} {view.position.text}").getrandbits(31)
        bot = pyspiel.ISMCTSBot(
            chance,
            pyspiel.RandomRolloutEvaluator(1, chance),
            EXPLORE,
            limit.worlds or 0,
            -1,
            pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT,
            False,
            False,
            -1.0 if limit.seconds is None else limit.seconds,
        )
        move: int = bot.step(state)
        return MOVES[move]
