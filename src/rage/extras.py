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
    """The command that installs the libraries of an extra where Rage runs, with the tool that
    installed it; of a tool that installs anew, with what a table needs. If Rage runs from its
    sources without being installed, it names their folder."""
    name = "rage-cards"
    try:
        distribution(name)
    except PackageNotFoundError:
        sources = Path(__file__).resolve().parents[2]
        if (sources / "pyproject.toml").exists():
            name = str(sources)
    prefix, anew = Path(sys.prefix), f"{name}[{','.join(sorted({extra, 'play'}))}]"
    if once := runner():
        # What was typed, unless another program imports Rage.
        typed = sys.argv[1:] if Path(sys.argv[0]).stem.startswith("rage") else []
        words = [*once, anew, *typed]
    elif (prefix / "uv-receipt.toml").exists():
        words = ["uv", "tool", "install", anew]
    elif (prefix / "pipx_metadata.json").exists():
        words = ["pipx", "install", "--force", anew]
    elif _made_by_uv(prefix):
        words = ["uv", "pip", "install", "--python", sys.executable, f"{name}[{extra}]"]
    else:
        words = [sys.executable, "-m", "pip", "install", f"{name}[{extra}]"]
    return command_line(words)


def runner() -> list[str]:
    """The command of the tool that has made this environment for a single run, if one has."""
    prefix = Path(sys.prefix)
    if prefix.parent.name.startswith("archive-v"):  # in the cache of uv
        return ["uvx"]
    if (prefix / "pipx_metadata.json").exists() and prefix.parent.name != "venvs":
        return ["pipx", "run"]
    return []


def _made_by_uv(prefix: Path) -> bool:
    """Return whether uv made an environment, which then has no pip."""
    try:
        return "\nuv = " in (prefix / "pyvenv.cfg").read_text(encoding="utf-8")
    except OSError:
        return False


def command_line(words: Sequence[str]) -> str:
    """Words as a command that can be pasted into a terminal."""
    return subprocess.list2cmdline(words) if os.name == "nt" else shlex.join(words)
