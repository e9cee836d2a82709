"""Positions, and what each legal move is worth in them, by trying it in many worlds.

    python -m lab.training.labels --minutes 60 --out labels \\
        --network src/rage/bots/networks/general.safetensors

It plays games of all rule sets by a network and labels some of their decisions: each legal move is
tried in the same worlds. The network plays these on, up to the seat's next decision after a number
of plies, where it says what the position is worth; or steady plays them, to the end of the round.
`python -m lab.training.expert` teaches the labels to a network.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lab.options import above, existing_folder, integer, network_file, read
from lab.training.environments import Environment, Ring
from lab.training.rule_sets import all_rules
from rage.bots.net import Network
from rage.bots.rollouts import Policy, Rollouts
from rage.bots.steady import best_move_of
from rage.engine.kernel import Rules
from rage.engine.position import Position
from rage.features.encode import canonical_move, colour_places, encode_into
from rage.rules.cards import N_MOVES

#: The positions in a file; an unfinished file is lost if the run is stopped.
IN_A_FILE = 1000
#: The share of the decisions that are labelled, and of the moves that are made at random.
LABELLED, RANDOM = 0.15, 0.04


class Labels(NamedTuple):
    """``rows`` of features (:mod:`rage.features.encode`), and for each the ``values`` of its
    canonical moves in points, NaN for an illegal move, and the ``tricks`` that its seat won in the
    end."""

    rows: NDArray[np.int16]
    values: NDArray[np.float16]
    tricks: NDArray[np.int64]

    def part(self, start: int, stop: int) -> Labels:
        """The labels from ``start`` up to ``stop``."""
        part = slice(start, stop)
        return Labels(self.rows[part], self.values[part], self.tricks[part])

    def write(self, path: Path) -> None:
        """Write them to a file, completely or not at all."""
        new = path.with_suffix(".new")
        with new.open("wb") as file:
            np.savez_compressed(file, **self._asdict())
        new.replace(path)


def labels_folder(text: str) -> Path:
    """A folder with labels, for the options of a program."""
    folder = existing_folder(text)
    if not any(folder.rglob("*.npz")):
        raise argparse.ArgumentTypeError(f"{folder}: there are no labels in this folder")
    return folder


def next_number(folder: Path, seed: int) -> int:
    """The number of the next file with labels of a seed: one never used there."""
    names = [path.stem.partition("-")[2] for path in folder.glob(f"{seed}-*.npz")]
    return 1 + max((int(name) for name in names if name.isdecimal()), default=-1)


def read_labels(folder: Path) -> Labels:
    """All labels of a folder and of the folders in it."""
    found = [np.load(path) for path in sorted(folder.rglob("*.npz"))]
    return Labels(*(np.concatenate([each[name] for each in found]) for name in Labels._fields))


class Labeller:
    """Plays one game after another and labels some of the decisions. A seat is played by a network,
    or by steady if the table says so."""

    def __init__(self, rules: Sequence[Rules], network: Network, policy: Policy, worlds: int,
                 plies: int, seed: int) -> None:  # fmt: skip
        self._random = random.Random(seed)
        self._network = network
        self._policy = policy
        self._worlds = worlds
        self._plies = plies
        self._environment = Environment(rules, random.Random(seed), 0.15, best_move_of)

    def label(self, count: int) -> Labels:
        """``count`` labelled positions."""
        ring = Ring(count)
        values = np.full((count, N_MOVES), np.nan, np.float16)
        labelled = 0
        while labelled < count or self._environment.decisions:
            self._environment.go(ring)
            position = self._environment.position
            if labelled < count and self._random.random() < LABELLED:
                move = self._label(position, ring.rows[labelled], values[labelled])
                seat = position.to_act
                assert seat is not None
                self._environment.decisions.append((labelled, seat))
                labelled += 1
            elif self._random.random() < RANDOM:
                move = self._random.choice(position.legal_moves)
            else:
                move = self._network.best_move(position)
            self._environment.make(move, ring)
        return Labels(ring.rows, values, ring.tricks)

    def _label(self, position: Position, row: NDArray[np.int16], noted: NDArray[np.float16]) -> int:
        """Store the features of a position and the values of its moves. Returns the best of
        them."""
        rollouts = Rollouts(position, self._random.getrandbits(32), self._policy, self._plies)
        rollouts.run(self._worlds)
        values = dict(rollouts.values)
        seat = position.to_act
        assert seat is not None
        encode_into(position, seat, row)
        places = colour_places(position, seat)
        for move, points in values.items():
            noted[canonical_move(move, places)] = points
        return max(values, key=lambda each: values[each])


def main() -> None:
    """Label for some minutes of processor time."""
    parser = argparse.ArgumentParser(prog="python -m lab.training.labels", description=__doc__)
    parser.add_argument("--minutes", type=above(0), default=60.0, help="of processor time")
    parser.add_argument("--out", type=Path, required=True, help="the folder of the labels")
    parser.add_argument(
        "--network", type=network_file, required=True, help="by which the games are played"
    )
    parser.add_argument("--policy", choices=["steady", "network"], default="network")
    parser.add_argument("--worlds", type=integer(1), default=16)
    parser.add_argument("--plies", type=integer(0), default=10, help="0: to the end of the round")
    parser.add_argument("--seed", type=integer(0), default=1)
    wanted = read(parser)
    network = Network(wanted.network.read_bytes())
    policy: Policy = network if wanted.policy == "network" else "steady"
    rules = all_rules(wanted.seed)
    number = next_number(wanted.out, wanted.seed)
    labeller = Labeller(
        rules, network, policy, wanted.worlds, wanted.plies, 10_000 * wanted.seed + number
    )
    until = time.process_time() + 60 * wanted.minutes
    while time.process_time() < until:
        labeller.label(IN_A_FILE).write(wanted.out / f"{wanted.seed}-{number:04}.npz")
        number += 1
        print(f"{number * IN_A_FILE:,} positions", flush=True)


if __name__ == "__main__":
    main()
