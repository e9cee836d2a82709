"""flat: plain Monte Carlo, which plays out the same worlds after each move and takes the move with
the best average.

``flat`` plays worlds out at random, ``flat+`` by steady's moves. They are baselines: what chance
and counting can do without learning.
"""

from __future__ import annotations

import secrets

from rage.bots.interface import BaseBot, Budget, check_turn
from rage.bots.rollouts import Policy, Rollouts
from rage.game.view import View
from rage.rules.values import MOVES, Move


class Flat(BaseBot):
    """Plain Monte Carlo over ``worlds`` worlds, played out by a policy. With a seed, the same view
    and the same budget of worlds always lead to the same move."""

    def __init__(self, policy: Policy, worlds: int, seed: int | None = None) -> None:
        self.name = "flat" if policy == "random" else "flat+"
        self._policy: Policy = policy
        self._usual: Budget = Budget(worlds)
        self._seed = secrets.randbits(32) if seed is None else seed

    def choose(self, view: View, budget: Budget | None = None) -> Move:
        """The legal move with the highest value; among equals, the first in canonical order. Raises
        :class:`rage.NotAllowed` if it is not the turn of the view's seat."""
        moves = check_turn(view)
        if len(moves) == 1:
            return moves[0]
        values = self.values(view, budget)
        return max(values, key=lambda move: values[move])

    def values(self, view: View, budget: Budget | None = None) -> dict[Move, float]:
        """The legal moves in canonical order, with their mean results over the worlds: the points
        of the seat's side in this round, less the mean of the other sides. Raises
        :class:`rage.NotAllowed` if it is not the turn of the view's seat."""
        return {MOVES[move]: points for move, points in self.search(view, budget).values}

    def search(self, view: View, budget: Budget | None = None) -> Rollouts:
        """The search over its worlds, with all results. Raises as :meth:`values` does."""
        check_turn(view)
        rollouts = Rollouts(view.position, self._seed, self._policy)
        rollouts.spend(self._usual if budget is None else budget)
        return rollouts
