"""Train a network from nothing, or go on from where the last run stopped.

    python -m lab.training --minutes 60 --horizon 60 --out build/training

The network plays all seats of many games at once, mostly a move that it values about as much as the
best, and learns from what came of each decision: from what it took the later ones of that seat to
be worth, and from the points of the round. The folder gets a checkpoint, and each time the network
is measured against steady a line of `log.csv`, a drawing of that log, and the weights that the bots
play by.
"""

from __future__ import annotations

import argparse

from lab.options import above, read, share
from lab.training.export import export
from lab.training.learning import HORIZON, Learner, add_options
from lab.training.measuring import Log, against_steady
from lab.training.plot import plot
from lab.training.rule_sets import all_rules


def main() -> None:
    """Train for some minutes of processor time."""
    parser = argparse.ArgumentParser(prog="python -m lab.training", description=__doc__)
    parser.add_argument("--minutes", type=above(0), default=60.0, help="of processor time, now")
    parser.add_argument("--horizon", type=above(0), default=60.0, help=HORIZON)
    parser.add_argument(
        "--share", type=share, default=0.15, help="how much of all seats but one steady plays"
    )
    add_options(parser)
    wanted = read(parser)
    log = Log(wanted.out)
    learner = Learner(wanted, all_rules(wanted.seed))
    learner.train(wanted.minutes, wanted.every, lambda: keep(learner, log, wanted.seed))


def keep(learner: Learner, log: Log, seed: int) -> None:
    """Store what has been learned, and measure it."""
    learner.save()
    export(learner.averaged, learner.folder / "network.safetensors")
    log.add(learner, against_steady(learner.averaged, seed))
    plot(learner.folder)


if __name__ == "__main__":
    main()
