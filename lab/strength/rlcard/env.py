"""Rounds of our game as an environment of RLCard: features are our ``encode``, and moves are
canonical, as for our own networks."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any, Final

import numpy as np
from rlcard.envs import Env

from rage.engine.deal import Deals
from rage.engine.kernel import Rules
from rage.engine.position import Position
from rage.features.encode import SIZE, colour_places, encode
from rage.features.meanings import FEATURES, actual_move, canonical_move
from rage.game.account import leads
from rage.rules.editions import ruleset

RULES: Final = "poof"
PLAYERS: Final = 4
MOVES: Final = 128
#: The values of features about other rounds, for a game of one round.
_ONE_ROUND: Final = [
    (each.slice, int(each.name == "rounds_left"))
    for each in FEATURES
    if each.name in ("ahead", "met", "rounds_left", "later", "score")
]


def state_of(position: Position, seat: int) -> dict[str, Any]:
    """The state for RLCard's agents: the features, with the round as a game by itself, as in
    training, and the legal moves of the seat if it is to act."""
    legal: OrderedDict[int, None] = OrderedDict()
    if position.to_act == seat:
        places = colour_places(position, seat)
        legal = OrderedDict((canonical_move(move, places), None) for move in position.legal_moves)
    names = [*legal]
    features = np.clip(np.asarray(encode(position, seat)), -128, 127).astype(np.int8)
    for place, value in _ONE_ROUND:
        features[place] = value
    return {"obs": features, "legal_actions": legal, "raw_legal_actions": names}


class Rounds:
    """The game of the environment: one round after another, each with its own hand size."""

    allow_step_back = False
    np_random: Any

    def __init__(self) -> None:
        self.position = Position(Rules(ruleset(RULES), PLAYERS))

    def get_num_players(self) -> int:
        """Four."""
        return PLAYERS

    def get_num_actions(self) -> int:
        """The number of canonical moves."""
        return MOVES

    def init_game(self) -> tuple[int, int]:
        """Deal a round. Returns the seat that looks at it, and the seat to act."""
        size = int(self.np_random.randint(1, 11))
        one = ruleset(RULES).replace(schedule=(size,))
        deal = Deals(one, PLAYERS, self.np_random.bytes(16)).deal(1)
        self.position = Position(Rules(one, PLAYERS))
        self.position.deal(*deal.numbers())
        return self.get_player_id(), self.get_player_id()

    def step(self, move: int) -> tuple[int, int]:
        """Make a canonical move."""
        places = colour_places(self.position, self.get_player_id())
        self.position.play(actual_move(move, places))
        return self.get_player_id(), self.get_player_id()

    def get_state(self, seat: int) -> int:
        """The seat that looks: its features are read from the position."""
        return seat

    def get_player_id(self) -> int:
        """The seat to act; 0 when the round is over."""
        return self.position.to_act or 0

    def is_over(self) -> bool:
        """Whether the round is over."""
        return self.position.to_act is None


class RageEnv(Env):  # type: ignore[misc]
    """The environment. The payoff of a round is a tenth of its points, less the mean of the
    others."""

    def __init__(self, seed: int | None = None) -> None:
        self.name = "rage"
        self.game = Rounds()
        super().__init__({"allow_step_back": False, "seed": seed})
        self.state_shape = [[SIZE]] * PLAYERS
        self.action_shape = [None] * PLAYERS

    def _extract_state(self, state: int) -> dict[str, Any]:
        return state_of(self.game.position, state)

    def _decode_action(self, action_id: int) -> int:
        return int(action_id)

    def get_payoffs(self) -> Any:
        """By seat."""
        return np.array(leads(self.game.position.scores)) / 10
