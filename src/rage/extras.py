"""Extras: the libraries that only some commands need, and how they are installed; and how a
command is written down."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from collections.abc import Sequence
from typing import Literal


def install_command(extra: Literal["arena", "cluster", "sheet"]) -> str:
    """The command that installs an extra into the Python that runs this, to be given in the folder
    of the repository."""
    return command_line([sys.executable, "-m", "pip", "install", f".[{extra}]"])


def command_line(words: Sequence[str]) -> str:
    """Words as a command that can be copied into a terminal."""
    return subprocess.list2cmdline(words) if os.name == "nt" else shlex.join(words)
