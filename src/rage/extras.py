"""Extras: the libraries that only some commands need, and how they are installed."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from typing import Literal


def install_command(extra: Literal["arena", "cluster", "sheet"]) -> str:
    """The command that installs an extra into the Python that runs this, to be given in the folder
    of the repository."""
    words = [sys.executable, "-m", "pip", "install", f".[{extra}]"]
    return subprocess.list2cmdline(words) if os.name == "nt" else shlex.join(words)
