"""RLCard's agent as a bot, by the checkpoint from ``train``."""

from __future__ import annotations

from functools import cache
from typing import Any

from lab.strength.rlcard.train import checkpoint
from rage import Move, View
from rage.bots import Budget
from rage.features.encode import SIZE, colour_places
from rage.features.meanings import actual_move
from rage.rules.values import MOVES


class RLCard:
    """Plays the move that the agent of its seat values most. Raises ``RuntimeError`` if nothing has
    been trained."""

    name = "rlcard"

    def __init__(self, seed: int | None) -> None:
        self._agents = _agents()

    def choose(self, view: View, budget: Budget | None = None) -> Move:
        """One of the legal moves."""
        from lab.strength.rlcard.env import state_of

        moves = view.legal_moves
        seat = view.seat
        assert seat is not None
        if len(moves) == 1:
            return moves[0]
        chosen, _ = self._agents[seat].eval_step(state_of(view.position, seat))
        return MOVES[actual_move(int(chosen), colour_places(view.position, seat))]


@cache
def _agents() -> list[Any]:
    """RLCard's agents, one a seat."""
    if not checkpoint().exists():
        raise RuntimeError("train it first: python -m lab.strength.rlcard.train")
    import torch
    from rlcard.agents.dmc_agent.model import DMCModel

    from lab.strength.rlcard.env import MOVES as ACTIONS
    from lab.strength.rlcard.env import PLAYERS

    torch.set_num_threads(1)
    model = DMCModel([[SIZE]] * PLAYERS, [[ACTIONS]] * PLAYERS, exp_epsilon=0, device="cpu")
    states = torch.load(checkpoint(), map_location="cpu")["model_state_dict"]
    for seat in range(PLAYERS):
        model.get_agent(seat).load_state_dict(states[seat])
    model.eval()
    return list(model.get_agents())
