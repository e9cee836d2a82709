"""``python -m lab.strength.rlcard.train``: train RLCard's Deep Monte Carlo on our game, by its own
trainer, for some minutes; continues from the checkpoint in the folder.

RLCard's trainer counts frames and has no clock, so it runs in a process that is stopped at the
first checkpoint after the time is over. It writes one every five minutes; if it is stopped in
between, the minutes since the last are lost, and are not counted.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from time import monotonic, sleep
from typing import Final

from lab.options import above, integer
from lab.strength.listing import RLCARD

#: Minutes between two checkpoints, at most.
_EVERY: Final = 5.0


def checkpoint() -> Path:
    """The file of RLCard's checkpoint."""
    return RLCARD / "dmc" / "model.tar"


def minutes_trained() -> float:
    """The total time of all trainings, up to the last checkpoint."""
    path = RLCARD / "minutes.json"
    return float(json.loads(path.read_text())) if path.exists() else 0.0


def main() -> int:
    """Train."""
    parser = argparse.ArgumentParser(prog="python -m lab.strength.rlcard.train")
    parser.add_argument("--minutes", type=above(0), default=240, help="in all (default 240)")
    parser.add_argument(
        "--actors", type=integer(1, 1024), default=2, help="processes that play (default 2)"
    )
    parser.add_argument("--trainer", type=float, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.trainer:
        _train(arguments.actors, arguments.trainer)
        return 0
    before = minutes_trained()
    left = arguments.minutes - before
    if left <= 0:
        print(f"trained for {before:.0f} minutes already")
        return 0
    RLCARD.mkdir(parents=True, exist_ok=True)
    words = [sys.executable, "-m", "lab.strength.rlcard.train"]
    words += ["--trainer", str(min(_EVERY, left / 2)), "--actors", str(arguments.actors)]
    begun = monotonic()
    signal.signal(
        signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM)
    )  # runs the finally blocks
    # With more threads than cores, PyTorch's only wait for each other.
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    process = subprocess.Popen(words, env=environment, start_new_session=True)
    try:
        ended = _wait(process, begun, before, left)
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)  # its actors too, which would wait forever
        process.wait()
    if not ended:
        print("RLCard's trainer has failed; its error is above", file=sys.stderr)
        return 1
    print(f"trained for {minutes_trained():.0f} minutes in all, by {checkpoint()}")
    return 0


def _wait(process: subprocess.Popen[bytes], begun: float, before: float, left: float) -> bool:
    """Until the time is over and a last checkpoint is written, record the time of each. Returns
    whether it came to that."""
    written = checkpoint().stat().st_mtime if checkpoint().exists() else 0.0
    while process.poll() is None:
        sleep(1)
        spent = (monotonic() - begun) / 60
        now = checkpoint().stat().st_mtime if checkpoint().exists() else 0.0
        if now != written:
            written = now
            sleep(5)  # it is still being written
            (RLCARD / "minutes.json").write_text(json.dumps(round(before + spent, 2)))
            for each in checkpoint().parent.glob("*.pth"):  # each agent once more, whole
                each.unlink()
            if spent >= left:
                return True
    return False


def _train(actors: int, every: float) -> None:
    """Train endlessly."""
    from rlcard.agents.dmc_agent import DMCTrainer

    from lab.strength.rlcard.env import RageEnv

    DMCTrainer(
        RageEnv(),
        cuda="",
        load_model=True,
        save_interval=every,
        num_actors=actors,
        savedir=str(RLCARD),
    ).start()


if __name__ == "__main__":
    sys.exit(main())
