"""Optional libraries of some commands, and how they are installed; and how a command is quoted."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, requires
from pathlib import Path
from typing import Literal


def install_command(extra: Literal["arena", "cluster"]) -> str:
    """The command that installs the libraries of an extra into this Python. It names the libraries,
    because the extra would install Rage again; only if they are unknown it names the extra, that of
    the folder if Rage runs from its sources."""
    try:
        requirements = requires("rage-cards") or []
    except PackageNotFoundError:
        requirements = []
    mark = re.compile(rf"""( and|;) extra == ["']{extra}["']$""")
    libraries = [mark.sub("", each) for each in requirements if mark.search(each)]
    sources = Path(__file__).resolve().parents[2]
    rage = sources if (sources / "pyproject.toml").exists() else "rage-cards"
    words = libraries or [f"{rage}[{extra}]"]
    return command_line([sys.executable, "-m", "pip", "install", *words])


def command_line(words: Sequence[str]) -> str:
    """Words as a command that can be pasted into a terminal."""
    return subprocess.list2cmdline(words) if os.name == "nt" else shlex.join(words)
