"""The tutorial and the examples, with the wheel and nothing else."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from documents import ROOT

TUTORIAL = sorted((ROOT / "docs" / "tutorial").glob("*.md"))
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))


def run(python: Path, folder: Path, *words: str) -> str:
    """What a program prints, in an empty folder, with the packages of a Python."""
    environment = {**os.environ, "RAGE_LANG": "en", "COLUMNS": "80", "PYTHONIOENCODING": "utf-8"}
    for each in ("PYTHONPATH", "RAGE_DATA"):
        environment.pop(each, None)
    done = subprocess.run(
        [str(python), *words], cwd=folder, env=environment,
        capture_output=True, text=True, encoding="utf-8", check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.long
def test_the_tutorial_is_true_with_the_wheel_alone(installed: Path, tmp_path: Path) -> None:
    assert len(TUTORIAL) > 8
    run(installed, tmp_path, str(ROOT / "tests" / "documents.py"), *map(str, TUTORIAL))


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_runs_with_the_wheel_alone(
    example: Path, installed: Path, tmp_path: Path
) -> None:
    few = {"tournament": ["2", "steady", "random"], "bids_met": [str(ROOT / "tests/records/legal")]}
    assert run(installed, tmp_path, str(example), *few.get(example.stem, [])).strip()
    assert len(example.read_text(encoding="utf-8").splitlines()) < 60
