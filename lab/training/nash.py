"""How far the training code is from a solution of a Rage so small that one is known.

    python -m lab.training.nash --cards 2 --minutes 4

Trains a network from nothing as `python -m lab.training` does, on two players, two colours of two
ranks and a Wild, and computes exactly what two players could gain together by the best answers to
it (NashConv, in points; 0 is a solution). Nothing is stored.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple

import numpy as np
import pyspiel
from numpy.typing import NDArray

from lab.options import above, at_least, integer
from lab.training.learning import Learner, best_values
from lab.training.network import POINTS, Network
from rage.bots.learned import LEVELS
from rage.engine.kernel import Rules
from rage.envs import spiel
from rage.envs.small import small_rules
from rage.features.encode import SIZE, actual_move, colour_places, encode_into
from rage.rules.cards import N_MOVES

#: By the number of cards in each hand, the small rule set that is trained for.
SOLVED: Final = {1: "one", 2: "two"}


class Known(NamedTuple):
    """What a player may know in a position: OpenSpiel's name for it, the features, and by legal
    action the index of its value."""

    name: str
    row: NDArray[np.int16]
    places: dict[int, int]


def all_known(state: Any) -> Iterator[Known]:
    """All positions from a state on, as their players know them; some occur more than once."""
    if state.is_terminal():
        return
    actions = state.legal_actions()
    if not state.is_chance_node():
        seat = state.current_player()
        row = np.zeros(SIZE, np.int16)
        encode_into(state.position, seat, row)
        colours = colour_places(state.position, seat)
        canonical = {actual_move(move, colours): move for move in range(N_MOVES)}
        places = {action: canonical[action] for action in actions}
        yield Known(state.information_state_string(seat), row, places)
    for action in actions:
        yield from all_known(state.child(action))


class Judge:
    """A small game, and the possible gain on a network that plays it."""

    def __init__(self, cards: int) -> None:
        self.rules = Rules(small_rules(SOLVED[cards]), 2)
        game = spiel.RageGame({"rules": self.rules.ruleset.name, "players": 2, "dealer": 1})
        self._tree = pyspiel.convert_to_cached_tree(game)
        self._known = [*{each.name: each for each in all_known(game.new_initial_state())}.values()]
        self._rows = np.stack([each.row for each in self._known])

    def nash_conv(self, network: Network, softness: float) -> float:
        """The gain of the best answers to a network whose choice is as soft as that of the bots (0:
        it takes its best move)."""
        policy = {}
        values = best_values(network, self._rows) * POINTS
        for each, row in zip(self._known, values, strict=True):
            points = row[[*each.places.values()]]
            less = points - points.max()
            odds = np.exp(less / softness) if softness else (less == 0).astype(float)
            shares = (odds / odds.sum()).tolist()
            policy[each.name] = list(zip(each.places, shares, strict=True))
        return float(pyspiel.nash_conv(self._tree, pyspiel.TabularPolicy(policy)))


def main() -> None:
    """Train, and print from time to time how far it is."""
    parser = argparse.ArgumentParser(prog="python -m lab.training.nash", description=__doc__)
    parser.add_argument("--cards", type=integer(1, 2), default=1, help="in each hand")
    parser.add_argument("--minutes", type=above(0), default=4.0, help="of processor time")
    parser.add_argument("--softness", type=at_least(0), default=3.0, help="points, while it learns")
    parser.add_argument("--seed", type=integer(0), default=1)
    wanted = parser.parse_args()
    judge = Judge(wanted.cards)
    medium = LEVELS["medium"].softness
    learning = {
        "horizon": wanted.minutes,
        "width": 256,
        "blocks": 2,
        "games": 1024,
        "share": 0.0,
        "trace": 1.0,
    }
    with TemporaryDirectory() as folder:
        options = argparse.Namespace(**vars(wanted), **learning, out=Path(folder))
        learner = Learner(options, [judge.rules])

    def tell() -> None:
        best, soft = (judge.nash_conv(learner.averaged, each) for each in (0.0, medium))
        print(
            f"{learner.trained:4.0f} s, {learner.samples:9,} decisions: NashConv {best:.3f},"
            f" as soft as medium {soft:.3f}",
            flush=True,
        )

    learner.train(wanted.minutes, 0.25, tell)


if __name__ == "__main__":
    main()
