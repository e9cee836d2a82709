"""steady: placeholder until the heuristic lands (being written)."""

from __future__ import annotations

from rage.game import Move
from rage.view import View


class Steady:
    """A heuristic that plays sensibly."""

    name = "steady"

    def choose(self, view: View) -> Move:
        """A legal move."""
        return view.legal_moves()[0]
