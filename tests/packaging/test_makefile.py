"""What ``make`` makes again."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from documents import ROOT

#: What has been made, and the command that makes it again, for which goal.
MADE = {
    "src/rage_cards.egg-info/PKG-INFO": ("play", "--no-deps --editable ."),
    "src/rage/server/page/index.html": ("test", "web/build.py"),
    "build/alone/worker.js": ("test", "-m tools.alone"),
}
STAMPS = (
    "pyvenv.cfg",
    "node",
    "tested",
    "services",
    "browsers",
    "built",
    "page",
    "played",
    "alone",
)


@pytest.fixture
def made(tmp_path: Path) -> Path:
    """A copy in which everything has been made."""
    leave_out = shutil.ignore_patterns("node_modules", "page", "*.so", "__pycache__", "networks")
    for each in ("src", "web", "tools"):
        shutil.copytree(ROOT / each, tmp_path / each, ignore=leave_out)
    for each in ("Makefile", "pyproject.toml", "constraints.txt", "setup.py"):
        shutil.copy2(ROOT / each, tmp_path)
    for each in (*MADE, *(f".venv/{stamp}" for stamp in STAMPS)):
        file = tmp_path / each
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch()
    return tmp_path


def would_run(folder: Path, goal: str) -> str:
    """The commands that ``make`` would run there."""
    plain = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    command = ["make", "--dry-run", goal]
    run = subprocess.run(command, cwd=folder, env=plain, capture_output=True, text=True, check=True)
    return run.stdout


@pytest.mark.skipif(shutil.which("make") is None, reason="no make")
def test_what_has_been_removed_is_made_again_and_nothing_else_is(made: Path) -> None:
    for path, (goal, command) in MADE.items():
        assert "Installing" not in would_run(made, goal)
        assert command not in would_run(made, goal)
        (made / path).unlink()
        assert command in would_run(made, goal), path
        (made / path).touch()
