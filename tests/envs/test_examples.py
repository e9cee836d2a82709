"""The programs in ``examples/envs`` that need no other package than the environments do."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from documents import ROOT
from examples.envs import ppo

FOLDER = ROOT / "examples" / "envs"


@pytest.mark.long
def test_ppo_learns() -> None:
    """A few seconds take it well ahead of random play."""
    learner = ppo.Learner("random")
    for _ in range(5):
        learner.learn()
    lead, _ = ppo.evaluate(learner.network, "random", games=100, seed=3)
    assert lead > 5


def test_ppo_plays_only_legal_moves_and_shows_how_far_it_is() -> None:
    """In a whole run of its program; the tables refuse any other move."""
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    shown = subprocess.run(
        [sys.executable, FOLDER / "ppo.py", "--against", "steady", "--minutes", "0"],
        check=True, capture_output=True, text=True, env=environment,
    ).stdout  # fmt: skip
    head, row = shown.splitlines()
    assert head.split() == ["minutes", "decisions", "points", "ahead", "a", "game"]
    assert row.split()[2].startswith("-")  # it has not learned anything yet


def test_bots_are_scored_as_messages() -> None:
    shown = subprocess.run(
        [sys.executable, FOLDER / "text_scores.py", "random", "--rounds", "20"],
        check=True, capture_output=True, text=True,
    ).stdout  # fmt: skip
    assert shown.splitlines()[2].startswith("| random | -")
