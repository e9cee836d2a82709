"""The optional libraries of some commands, how to install them, and how to quote a command."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Literal

Extra = Literal["play", "arena", "cluster", "data", "envs", "postgres", "spiel"]


def install_command(extra: Extra) -> str:
    """The command that installs the libraries of an extra into this Python. If Rage runs from its
    sources without being installed, it names their folder."""
    name = "rage-cards"
    try:
        distribution(name)
    except PackageNotFoundError:
        sources = Path(__file__).resolve().parents[2]
        if (sources / "pyproject.toml").exists():
            name = str(sources)
    return command_line([sys.executable, "-m", "pip", "install", f"{name}[{extra}]"])


def command_line(words: Sequence[str]) -> str:
    """Words as a command that can be pasted into a terminal."""
    return subprocess.list2cmdline(words) if os.name == "nt" else shlex.join(words)
