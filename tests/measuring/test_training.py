"""What a network learns from a round: its points, and what it took later decisions to be worth."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

pytest.importorskip("numpy")

from training.environments import UNSETTLED, Environment, Ring

from rage.bots.steady import best_move_of
from rage.editions import ruleset
from rage.kernel import Rules

ROOT = Path(__file__).parents[2]


def played(trace: float, seed: int) -> tuple[Ring, list[tuple[int, int]]]:
    """A round of three players, all moves random; its decisions as rows and seats. The network took
    each to be worth the number of its row."""
    ring = Ring(100, trace)
    ring.values[:] = range(100)
    rng = Random(seed)
    game = Environment([Rules(ruleset("poof+schedule:3.3"), 3)], rng, 0.0, best_move_of)
    game.go(ring)
    decisions: list[tuple[int, int]] = []
    while not ring.leads:
        seat = game.position.to_act
        assert seat is not None
        decisions.append((len(decisions), seat))
        game.decisions.append(decisions[-1])
        game.make(rng.choice(game.position.legal()), ring)
        if not ring.leads:
            game.go(ring)
    return ring, decisions


@pytest.mark.parametrize("trace", [0.0, 0.25, 1.0])
def test_a_decision_is_worth_what_comes_after_it(trace: float) -> None:
    """Of each seat, the last decision the points of the round; any other its share of the target of
    the next one, and the rest of what that was taken to be worth."""
    for seed in range(5):
        ring, decisions = played(trace, seed)
        for seat in range(3):
            rows = [row for row, whose in decisions if whose == seat]
            target = ring.leads[seat]
            for row in reversed(rows):
                assert ring.points[row] == pytest.approx(target, abs=1e-4)
                target = trace * target + (1 - trace) * row
        assert all(ring.tricks[row] != UNSETTLED for row, _ in decisions)
        assert all(ring.tricks[len(decisions) :] == UNSETTLED)


#: Runs a program as ``python -m`` does, where a library cannot be found.
WITHOUT_TORCH = """
import importlib.machinery, runpy, sys

found = importlib.machinery.PathFinder
find = found.find_spec
found.find_spec = lambda name, *of: None if name == "torch" else find(name, *of)
sys.path.insert(0, "")
sys.argv[:] = ["-m"]
runpy.run_module(sys.orig_argv[-1], run_name="__main__", alter_sys=True)
"""


@pytest.mark.parametrize("name", ["training", "training.expert", "training.nash"])
def test_without_pytorch_a_program_says_what_installs_it(name: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_TORCH, name], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 1
    assert done.stderr.startswith("training: ")
    assert "torch" in done.stderr
    assert done.stderr.endswith("pip install -r training/requirements.txt does it\n")
    assert done.stderr.count("\n") == 1


def test_labels_are_made_without_pytorch() -> None:
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_TORCH, "training.labels"],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert done.stderr.startswith("usage: ")


@pytest.mark.long
def test_the_run_that_ships_can_go_on() -> None:
    """Needs PyTorch."""
    pytest.importorskip("torch")
    from training.checkpoint import restore

    taken = list[float]()
    restore(ROOT / "training/runs/general/checkpoint.pt", lambda run: taken.append(run["trained"]))
    assert taken


@pytest.mark.long
@pytest.mark.parametrize("damaged", [False, True])
def test_a_checkpoint_that_does_not_fit_is_refused_in_a_line(damaged: bool, tmp_path: Path) -> None:
    """Needs PyTorch."""
    torch = pytest.importorskip("torch")
    from training.checkpoint import restore

    path = tmp_path / "checkpoint.pt"
    if damaged:
        path.write_bytes(b"PK")
    else:
        torch.save({}, path)
    with pytest.raises(SystemExit, match="is damaged, or that of a network of another size"):
        restore(path, lambda run: run["trained"])


@pytest.mark.long
@pytest.mark.parametrize(("cards", "most"), [(1, 0.3), (2, 0.5)])
def test_where_rage_is_so_small_the_training_comes_close_to_a_solution(
    cards: int, most: float
) -> None:
    """The last NashConv that `training/nash.py` prints. Takes some minutes, and PyTorch."""
    pytest.importorskip("torch")
    command = ["-m", "training.nash", "--cards", str(cards), "--minutes", "4"]
    done = subprocess.run(
        [sys.executable, *command], cwd=ROOT, capture_output=True, text=True, check=True
    )
    found = re.findall(r"NashConv ([0-9.]+)", done.stdout)
    assert float(found[-1]) < most
