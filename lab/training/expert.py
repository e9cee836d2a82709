"""Teach a network the results of many worlds: the labels of `python -m lab.training.labels`.

    python -m lab.training.expert --labels labels --start RUN --out OUT

It begins with the network of another run, if one is given, and learns all legal moves of each
position at once. Some positions are held out; what the network loses there by its choice, in points
a decision, is written to `log.csv` beside its gain on steady.
"""

from __future__ import annotations

import argparse
import copy
import csv
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import cross_entropy, smooth_l1_loss

from lab.options import above, existing_folder, integer, read
from lab.training.checkpoint import restore, write_checkpoint
from lab.training.export import export
from lab.training.labels import labels_folder, read_labels
from lab.training.measuring import MEASURED, against_steady
from lab.training.network import POINTS, Network, short_floats
from lab.training.schedule import set_rate, take_in

BATCH: Final = 1024
#: How the learning rate falls over the run, and how much of the averaged network stays at a step.
RATES: Final = (5e-4, 2e-5)
AVERAGED: Final = 0.998
#: The weight of the mean of a position's values beside their differences, which decide; the mean
#: has an error common to the worlds that were tried.
MEAN: Final = 0.2
#: The share of the positions that are held out.
HELD_OUT: Final = 0.03


class Student:
    """A network that learns labels. ``trained`` counts seconds of processor time."""

    def __init__(self, wanted: argparse.Namespace) -> None:
        torch.set_num_threads(wanted.threads)
        torch.manual_seed(wanted.seed)
        labels = read_labels(wanted.labels)
        held_out = int(len(labels.rows) * HELD_OUT)
        self.held_out, self.labels = (
            labels.part(0, held_out),
            labels.part(held_out, len(labels.rows)),
        )
        self.trained = 0.0
        self.samples = 0
        self.until = 60 * wanted.minutes
        self.folder: Path = wanted.out
        self.network = Network(wanted.width, wanted.blocks)
        if wanted.start is not None:
            restore(
                wanted.start / "checkpoint.pt",
                lambda state: self.network.load_state_dict(state["averaged"]),
            )
        self.averaged = copy.deepcopy(self.network)
        self.optimizer = torch.optim.AdamW(self.network.parameters(), RATES[0], weight_decay=0.01)
        self._random = np.random.default_rng(wanted.seed)
        if not (self.folder / "log.csv").exists():
            self._log(["minutes", "positions", "lost"] + [f"{name}_{n}" for name, n in MEASURED])

    def step(self) -> None:
        """Learn from one batch."""
        set_rate(self.optimizer, RATES, self.trained / self.until)
        chosen = self._random.integers(len(self.labels.rows), size=BATCH)
        rows, values, tricks = (torch.from_numpy(each[chosen]) for each in self.labels)
        loss = loss_of(self.network, rows, values.float() / POINTS, tricks)
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        self.optimizer.step()
        self.samples += BATCH
        take_in(self.averaged, self.network, AVERAGED, self.samples / BATCH)

    def lost(self) -> float:
        """The loss of the averaged network by its choice in held-out positions, in points a
        decision: the value of the best move less that of the one it takes."""
        rows, values, _ = self.held_out
        with torch.inference_mode():
            found = self.averaged(torch.from_numpy(rows))[0].numpy()
        illegal = np.isnan(values)
        taken = np.where(illegal, -np.inf, found).argmax(1)
        known = np.where(illegal, -np.inf, values.astype(np.float32))
        return float((known.max(1) - known[np.arange(len(known)), taken]).mean())

    def keep(self, gains: list[float]) -> None:
        """Write the checkpoint, the weights that the bots play by, and a line of the log."""
        write_checkpoint({"averaged": self.averaged.state_dict()}, self.folder / "checkpoint.pt")
        export(self.averaged, self.folder / "network.safetensors")
        minutes = round(self.trained / 60, 1)
        self._log(
            [
                minutes,
                self.samples,
                round(self.lost(), 4),
                *(round(float(gain), 2) for gain in gains),
            ]
        )

    def _log(self, row: Sequence[object]) -> None:
        with (self.folder / "log.csv").open("a", encoding="utf-8", newline="") as file:
            csv.writer(file).writerow(row)
        print(row, flush=True)


def loss_of(network: Network, rows: Tensor, values: Tensor, tricks: Tensor) -> Tensor:
    """The distance of a network from labels; ``values`` are NaN for illegal moves."""
    with short_floats():
        found, odds = network(rows)
    legal = ~values.isnan()
    off = torch.where(legal, found - values.nan_to_num(), 0.0)
    mean = off.sum(1, keepdim=True) / legal.sum(1, keepdim=True)
    apart = torch.where(legal, off - mean, 0.0)[legal]
    nothing = torch.zeros(())
    loss = smooth_l1_loss(apart, nothing.expand_as(apart), beta=0.3)
    loss = loss + MEAN * smooth_l1_loss(mean, nothing.expand_as(mean), beta=0.3)
    return loss + 0.02 * cross_entropy(odds, tricks)


def main() -> None:
    """Teach for some minutes of processor time."""
    parser = argparse.ArgumentParser(prog="python -m lab.training.expert", description=__doc__)
    parser.add_argument(
        "--labels", type=labels_folder, required=True, help="the folder of the labels"
    )
    parser.add_argument("--start", type=existing_folder, help="the folder of the run to begin with")
    parser.add_argument("--out", type=Path, required=True, help="the folder of this run")
    parser.add_argument("--minutes", type=above(0), default=20.0, help="of processor time")
    parser.add_argument("--every", type=above(0), default=4.0, help="minutes between measurements")
    parser.add_argument("--width", type=integer(1, 512), default=256)
    parser.add_argument("--blocks", type=integer(1, 16), default=2)
    parser.add_argument("--threads", type=integer(1, 1024), default=1)
    parser.add_argument("--seed", type=integer(0), default=1)
    wanted = read(parser)
    if (wanted.out / "checkpoint.pt").exists():  # it would be overwritten
        parser.error("argument --out: there is a run in this folder; name another")
    student = Student(wanted)
    print(f"{len(student.labels.rows):,} positions; before: {student.lost():.4f}", flush=True)
    measured = 0.0
    while student.trained < student.until:
        begun = time.process_time()
        student.step()
        student.trained += time.process_time() - begun
        if student.trained - measured >= 60 * wanted.every or student.trained >= student.until:
            measured = student.trained
            student.keep([each.points for each in against_steady(student.averaged, wanted.seed)])


if __name__ == "__main__":
    main()
