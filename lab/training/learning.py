"""The learner: a network, the games that it plays, and how it learns from them."""

from __future__ import annotations

import argparse
import copy
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn.functional import cross_entropy, smooth_l1_loss

from lab.options import above, at_least, integer, share
from lab.training.checkpoint import restore, write_checkpoint
from lab.training.environments import UNSETTLED, Environments, Policy
from lab.training.network import POINTS, Network, short_floats
from lab.training.schedule import set_rate, take_in
from rage.bots.steady import best_move_of
from rage.engine.kernel import Rules
from rage.features.encode import FEATURES

LEGAL = next(feature for feature in FEATURES if feature.name == "legal").slice
#: The steps in the ring, and those after which a row is learned from: by then its round is over.
STEPS, SETTLED_AFTER = 128, 96
#: How the learning rate and the share of random moves fall over the horizon.
RATES, RANDOM = (1e-3, 5e-5), (0.10, 0.01)
#: The help for the option of that name.
HORIZON = "minutes of all runs in the folder together, at the end of which it learns most slowly"
#: The share of the softness of its choice that is left at the end of the horizon.
SOFTNESS_LEFT = 1 / 6
#: The share of the averaged network that stays at each step, at the end.
AVERAGED = 0.999


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that all programs with a :class:`Learner` have in common."""
    parser.add_argument("--out", type=Path, required=True, help="the folder of the run")
    parser.add_argument("--width", type=integer(1, 512), default=256)
    parser.add_argument("--blocks", type=integer(1, 16), default=2)
    parser.add_argument("--games", type=integer(1), default=1024)
    parser.add_argument(
        "--softness",
        type=at_least(0),
        default=0.4,
        help="points: while it learns, a move worth so much less is chosen once for e (2.7) times",
    )
    parser.add_argument(
        "--trace",
        type=share,
        default=0.4,
        help="how much the points of a round, and not the values of later decisions, count",
    )
    parser.add_argument("--every", type=above(0), default=5.0, help="minutes between measurements")
    parser.add_argument("--seed", type=integer(0), default=1)


class Learner:
    """A network that plays many games at once and learns from them. ``trained`` counts
    seconds of processor time; ``other`` plays the share of the seats that it does not."""

    def __init__(
        self, wanted: argparse.Namespace, rules: Sequence[Rules], other: Policy = best_move_of
    ) -> None:
        torch.set_num_threads(1)
        torch.manual_seed(wanted.seed)
        self.trained = 0.0
        self.samples = 0
        self.loss = 0.0
        self.horizon: float = 60 * wanted.horizon
        self.softness = wanted.softness
        self.folder = wanted.out
        self.network = Network(wanted.width, wanted.blocks)
        self.averaged = copy.deepcopy(self.network)
        self.optimizer = torch.optim.Adam(self.network.parameters(), RATES[0], eps=1e-5)
        self._resume()
        seed = wanted.seed + self.samples
        self._random = np.random.default_rng(seed)
        self.environments = Environments(
            rules, wanted.games, STEPS, seed, wanted.share, other, wanted.trace
        )

    # --- steps -------------------------------------------------------------------------------

    def train(self, minutes: float, every: float, keep: Callable[[], None]) -> None:
        """Train for some minutes of processor time; ``keep`` is called every ``every`` minutes, and
        at the end."""
        until = self.trained + 60 * minutes
        kept = self.trained
        while self.trained < until:
            begun = time.process_time()
            self.step()
            self.trained += time.process_time() - begun
            if self.trained - kept >= 60 * every or self.trained >= until:
                kept = self.trained
                keep()

    @property
    def _done(self) -> float:
        return min(1.0, self.trained / self.horizon)

    def step(self) -> None:
        """One move at every table, and one step of learning from moves made some time ago."""
        rows = self.environments.look()
        self.environments.play(self._choose(rows))
        self._learn()

    def _choose(self, rows: NDArray[np.int16]) -> NDArray[np.int64]:
        legal = rows[:, LEGAL] > 0
        values = best_values(self.network, rows)
        ring, start = self.environments.ring, self.environments.start
        best = np.where(legal, values, -np.inf).max(1)
        ring.values[start : start + len(rows)] = POINTS * best
        if self.softness:
            # The highest of values with Gumbel noise is a draw by the softmax of the values.
            soft = self.softness * (1 + (SOFTNESS_LEFT - 1) * self._done) / POINTS
            values = values + soft * self._random.gumbel(size=values.shape).astype(np.float32)
        share = RANDOM[0] + (RANDOM[1] - RANDOM[0]) * self._done
        dice = self._random.random(len(rows)) < share
        values[dice] = self._random.random((int(dice.sum()), legal.shape[1]))
        found: NDArray[np.int64] = np.where(legal, values, -np.inf).argmax(1)
        return found

    def _learn(self) -> None:
        ring, count = self.environments.ring, self.environments.count
        start = (self.environments.start - SETTLED_AFTER * count) % ring.size
        part = slice(start, start + count)
        settled = np.flatnonzero(ring.tricks[part] != UNSETTLED) + start
        if len(settled) < count // 2:
            return
        rows = torch.from_numpy(ring.rows[settled])
        moves = torch.from_numpy(ring.moves[settled])
        points = torch.from_numpy(ring.points[settled]) / POINTS
        tricks = torch.from_numpy(ring.tricks[settled])
        set_rate(self.optimizer, RATES, self._done)
        with short_floats():
            values, odds = self.network(rows)
        found = values.gather(1, moves[:, None])[:, 0]
        loss: Tensor = smooth_l1_loss(found, points) + 0.05 * cross_entropy(odds, tricks)
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        self.optimizer.step()
        self.samples += len(settled)
        self.loss += 0.001 * (loss.item() - self.loss)
        steps = self.samples / self.environments.count
        take_in(self.averaged, self.network, AVERAGED, steps)

    # --- keeping ---------------------------------------------------------------------------

    def save(self) -> None:
        """Write the checkpoint."""
        state = {
            "network": self.network.state_dict(),
            "averaged": self.averaged.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "trained": self.trained,
            "samples": self.samples,
        }
        write_checkpoint(state, self.folder / "checkpoint.pt")

    def _resume(self) -> None:
        path = self.folder / "checkpoint.pt"
        if not path.exists():
            return
        restore(path, self._take_over)
        end = " (its horizon is reached)" if self._done == 1 else ""
        goes_on = f"goes on after {self.trained / 60:.0f} minutes{end}, {self.samples:,} decisions"
        print(f"training: {self.folder} {goes_on}", flush=True)

    def _take_over(self, state: dict[str, Any]) -> None:
        self.network.load_state_dict(state["network"])
        self.averaged.load_state_dict(state["averaged"])
        self.optimizer.load_state_dict(state["optimizer"])
        self.trained = state["trained"]
        self.samples = state["samples"]


def best_values(network: Network, rows: NDArray[np.int16]) -> NDArray[np.float32]:
    """The values of all moves, by row."""
    with torch.inference_mode(), short_floats():
        values, _ = network(torch.from_numpy(rows))
    found: NDArray[np.float32] = values.numpy()
    return found
