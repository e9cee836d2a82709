"""Measures a network: its gain on other players, and the share of its bids that it meets."""

from __future__ import annotations

import csv
import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from lab.training.environments import Environments, Policy
from lab.training.network import Network
from rage.bots.steady import best_move_of
from rage.engine.kernel import Rules
from rage.rules.ruleset import EDITIONS

if TYPE_CHECKING:
    from lab.training.learning import Learner

#: The measurements: a rule set and a number of players each.
MEASURED = (("poof", 4), ("poof", 2), ("amigo", 4))
#: Five games of ten rounds at each table.
TABLES, ROUNDS = 256, 12_800
#: Added to a seed, so that no network is measured with deals that it has learned from.
OTHER_DEALS = 1 << 40


class Gain(NamedTuple):
    """The points a game of ten rounds that one network gains on a policy in all other seats, the
    half width of a 95 % interval, and the share of bids met."""

    points: float
    half: float
    met: float


def against_steady(network: Network, seed: int) -> list[Gain]:
    """One network against steady in all other seats, for each of ``MEASURED``: rounds with random
    deals, counted one by one."""
    return [gain(network, Rules(EDITIONS[name], n), seed) for name, n in MEASURED]


def gain(
    network: Network,
    rules: Rules,
    seed: int,
    other: Policy = best_move_of,
    rounds: int = ROUNDS,
) -> Gain:
    """The gain of one network on the policy ``other`` in all other seats, over ``rounds`` rounds
    with random deals, counted one by one."""
    from lab.training.learning import LEGAL, best_values

    environments = Environments([rules], TABLES, 1, OTHER_DEALS + seed, share=1.0, other=other)
    ring = environments.ring
    while len(ring.leads) < rounds:
        rows = environments.look()
        values = np.where(rows[:, LEGAL] > 0, best_values(network, rows), -np.inf)
        environments.play(values.argmax(1))
    leads = np.array(ring.leads)
    game = len(rules.ruleset.schedule)
    half = 1.96 * leads.std() * game / math.sqrt(len(leads))
    return Gain(game * leads.mean(), half, sum(ring.met) / max(1, sum(ring.bids)))


class Log:
    """The lines of `log.csv`, also printed: a gain for each of ``measured``, which are rule sets
    with a number of players. Ends the program if the folder has a log of other ones."""

    def __init__(self, folder: Path, measured: Sequence[tuple[str, int]] = MEASURED) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.path = folder / "log.csv"
        names = ["minutes", "samples", "loss"]
        for name, n in measured:
            names += [f"{name}_{n}", f"{name}_{n}_half", f"{name}_{n}_met"]
        if not self.path.exists():
            self._write(names)
        elif self.path.read_text(encoding="utf-8").partition("\n")[0] != ",".join(names):
            why = "is the log of another run; name another folder"
            raise SystemExit(f"training: {self.path} {why}")

    def _write(self, row: list[object] | list[str]) -> None:
        with self.path.open("a", encoding="utf-8", newline="") as file:
            csv.writer(file).writerow(row)

    def add(self, learner: Learner, gains: list[Gain]) -> None:
        """Add a line: how long it has learned, from how much, and how it plays."""
        row: list[object] = [
            round(learner.trained / 60, 1),
            learner.samples,
            round(learner.loss, 4),
        ]
        for gain in gains:
            row += [round(float(each), 3) for each in gain]
        self._write(row)
        print(row, flush=True)
