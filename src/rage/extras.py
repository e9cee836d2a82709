"""Extras: the libraries that only some commands need, and how they are installed; and how a
command is written down."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, requires
from pathlib import Path
from typing import Literal


def install_command(extra: Literal["arena", "cluster", "sheet"]) -> str:
    """The command that installs the libraries of an extra into the Python that runs this. It names
    them, and not the extra, for that would install Rage itself once more. Only where Rage is not
    installed (it runs from its sources) the extra of its folder is named."""
    try:
        requirements = requires("rage-cards") or []
    except PackageNotFoundError:
        requirements = []
    libraries = [
        requirement.partition(";")[0].strip()
        for requirement in requirements
        if requirement.replace("'", '"').rstrip().endswith(f'extra == "{extra}"')
    ]
    words = libraries or [f"{Path(__file__).resolve().parents[2]}[{extra}]"]
    return command_line([sys.executable, "-m", "pip", "install", *words])


def command_line(words: Sequence[str]) -> str:
    """Words as a command that can be copied into a terminal."""
    return subprocess.list2cmdline(words) if os.name == "nt" else shlex.join(words)
