"""Masked PPO in NumPy: learns to play Rage against bots, many tables at once.

python ppo.py [--against steady] [--minutes 80] [--out ppo.npz]

It learns from rounds of one to ten cards in which it plays seat 0, and shows now and then how far
it is ahead of the bots in whole games. `Network` is what PyTorch or JAX would be in a larger one.
"""

import argparse
import math
import time
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from rage.envs import Step, Tables, unit_rules, unpack
from rage.features.meanings import FEATURES

Array = NDArray[Any]
Bot = Literal["random", "steady"]

TABLES, STEPS = 256, 32  # decisions of one batch: their product
EPOCHS, MINIBATCH = 3, 1024
CLIP, LAMBDA, ENTROPY, RATE = 0.2, 0.95, 0.01, 7e-4
HIDDEN = 128
#: Rewards are some ten points a round.
POINTS = 10.0
#: What a single round does not depend on, or what is the same at every table here.
LEFT_OUT = {"ahead", "met", "rounds_left", "later", "score", "players", "pack"}
USED = [each for each in FEATURES if each.name not in LEFT_OUT]
COLUMNS = np.concatenate([np.arange(block.slice.start, block.slice.stop) for block in USED])
SCALES = np.concatenate(
    [np.full(block.slice.stop - block.slice.start, block.scale) for block in USED]
)


class Network:
    """Two hidden layers, and on top a logit for each move and the reward to expect."""

    def __init__(self, rng: np.random.Generator) -> None:
        sizes = [(len(COLUMNS), HIDDEN), (HIDDEN, HIDDEN), (HIDDEN, 129)]
        self.weights = [rng.normal(0, a**-0.5, (a, b)).astype(np.float32) for a, b in sizes]
        self.weights[2] *= 0.01
        self.weights += [np.zeros(b, np.float32) for _, b in sizes]
        self.moments = [(np.zeros_like(each), np.zeros_like(each)) for each in self.weights]
        self.updates, self.rate = 0, RATE

    def forward(self, rows: Array, legal: Array) -> tuple[Array, Array, list[Array]]:
        """The probabilities of the moves, what is to be expected, and what backward needs."""
        a, b, c, *biases = self.weights
        first = np.maximum(rows @ a + biases[0], 0)
        second = np.maximum(first @ b + biases[1], 0)
        out = second @ c + biases[2]
        logits = np.where(legal, out[:, :128], -np.inf)
        chances = np.exp(logits - logits.max(axis=1, keepdims=True))
        chances /= chances.sum(axis=1, keepdims=True)
        return chances, out[:, 128], [rows, first, second]

    def backward(self, top: Array, layers: list[Array]) -> None:
        """One step of Adam down the gradient ``top`` of the logits and values."""
        weights, biases = [], []
        for layer, values in zip((2, 1, 0), reversed(layers), strict=True):
            weights.append(values.T @ top)
            biases.append(top.sum(axis=0))
            if layer:
                top = (top @ self.weights[layer].T) * (values > 0)
        self.updates += 1
        gradients = weights[::-1] + biases[::-1]
        length = np.sqrt(sum(float((each**2).sum()) for each in gradients))
        for at, gradient in enumerate(gradients):
            gradient *= min(1, 0.5 / length)
            mean, square = self.moments[at]
            mean += 0.1 * (gradient - mean)
            square += 0.001 * (gradient**2 - square)
            step = mean / (1 - 0.9**self.updates)
            self.weights[at] -= (
                self.rate * step / (np.sqrt(square / (1 - 0.999**self.updates)) + 1e-5)
            )


def inputs(step: Step) -> Array:
    """The observations as the network reads them."""
    assert step.observation is not None
    rows: Array = step.observation[:, COLUMNS] / SCALES
    return rows


def collect(
    tables: Tables, step: Step, network: Network, rng: np.random.Generator
) -> tuple[Step, list[Array]]:
    """Play some steps at all tables: arrays of (steps, tables)."""
    kept: list[tuple[Array, ...]] = []
    for _ in range(STEPS):
        rows, legal = inputs(step), unpack(step.legal)
        chances, values, _ = network.forward(rows, legal)
        # The move with the greatest of these is drawn with its probability.
        with np.errstate(divide="ignore"):
            actions = (np.log(chances) + rng.gumbel(size=chances.shape)).argmax(axis=1)
        step = tables.step(actions)
        chance = chances[np.arange(TABLES), actions]
        reward = step.rewards[:, 0] / POINTS
        kept.append((rows, legal, actions, chance, values, reward, step.terminated))
    return step, [np.stack(each) for each in zip(*kept, strict=True)]


def advantages(rewards: Array, values: Array, ends: Array, last: Array) -> Array:
    """How much better each decision was than expected (GAE)."""
    found, ahead, later = np.zeros_like(rewards), np.zeros(TABLES), last
    for at in reversed(range(STEPS)):
        goes_on = ~ends[at]
        surprise = rewards[at] + later * goes_on - values[at]
        ahead = surprise + LAMBDA * ahead * goes_on
        found[at], later = ahead, values[at]
    return found


def improve(network: Network, batch: list[Array], last: Array, rng: np.random.Generator) -> None:
    """Learn from a batch."""
    gains = advantages(batch[5], batch[4], batch[6], last)
    targets = gains + batch[4]
    flat = [each.reshape(-1, *each.shape[2:]) for each in (*batch[:4], gains, targets)]
    for _ in range(EPOCHS):
        for some in rng.permutation(TABLES * STEPS).reshape(-1, MINIBATCH):
            rows, legal, actions, before, gain, target = (each[some] for each in flat)
            gain = (gain - gain.mean()) / (gain.std() + 1e-6)
            chances, values, layers = network.forward(rows, legal)
            ratio = chances[np.arange(MINIBATCH), actions] / before
            # Where the ratio has left the clip already, in the direction of the gain, it stays.
            pull = np.where(np.where(gain > 0, ratio < 1 + CLIP, ratio > 1 - CLIP), ratio * gain, 0)
            chosen = np.eye(128, dtype=np.float32)[actions]
            logs = np.log(np.maximum(chances, 1e-12))
            entropy = -(chances * logs).sum(axis=1, keepdims=True)
            top = pull[:, None] * (chances - chosen) + ENTROPY * chances * (logs + entropy)
            top = np.hstack([top, 0.5 * (values - target)[:, None]]) / MINIBATCH
            network.backward(top.astype(np.float32), layers)


class Learner:
    """A network, and the tables that it learns at."""

    def __init__(self, against: Bot) -> None:
        self.rng = np.random.default_rng(1)
        self.network = Network(self.rng)
        rounds = [unit_rules("poof", 4, hand=hand) for hand in range(1, 11)]
        self.tables = Tables(rounds, TABLES, 1, opponents=against, autoreset="same_step")
        self.step = self.tables.reset()

    def learn(self) -> None:
        """One batch."""
        self.step, batch = collect(self.tables, self.step, self.network, self.rng)
        _, last, _ = self.network.forward(inputs(self.step), unpack(self.step.legal))
        improve(self.network, batch, last, self.rng)


def evaluate(network: Network, against: Bot, games: int, seed: int) -> tuple[float, float]:
    """The mean lead over three bots in whole games, in points, and its standard error."""
    tables = Tables("poof", games, seed, unit="game", opponents=against, autoreset="disabled")
    step, leads = tables.reset(), np.zeros(games)
    while not step.terminated.all():
        chances, _, _ = network.forward(inputs(step), unpack(step.legal))
        step = tables.step(chances.argmax(axis=1))
        leads += step.rewards[:, 0]
    return float(leads.mean()), float(leads.std() / games**0.5)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--against", choices=("random", "steady"), default="random")
    parser.add_argument("--minutes", type=float, default=3, help="how long at most (default 3)")
    parser.add_argument("--every", type=float, default=0.5, help="minutes between evaluations")
    parser.add_argument("--until", type=float, default=math.inf, help="points a game to stop at")
    parser.add_argument("--out", type=Path, help="where the network is kept")
    wanted = parser.parse_args()
    learner = Learner(wanted.against)
    begun, shown, decisions = time.monotonic(), 0.0, 0
    print("minutes  decisions  points ahead a game")
    while True:
        minutes = (time.monotonic() - begun) / 60
        if minutes >= min(shown, wanted.minutes):
            lead, error = evaluate(learner.network, wanted.against, 1000, seed=2)
            print(f"{minutes:7.1f} {decisions:10,}  {lead:+.1f} ± {1.96 * error:.1f}", flush=True)
            shown += wanted.every
            if wanted.out:
                np.savez(wanted.out, *learner.network.weights)
            if minutes >= wanted.minutes or lead - 1.96 * error > wanted.until:
                return
        learner.network.rate = RATE * max(0.05, 1 - minutes / wanted.minutes)
        learner.learn()
        decisions += TABLES * STEPS


if __name__ == "__main__":
    main()
