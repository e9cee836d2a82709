"""The package as it is written, without anything compiled, in a process of its own."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import rage

PACKAGE = Path(rage.__file__).parent
TESTS = Path(__file__).parent


def run_uncompiled(folder: Path, program: str, given: str = "") -> str:
    """What a program prints that can import the package, copied into ``folder`` (unless it is there
    already) without what is compiled, and the modules of the tests; it may print no error.
    ``given``: its input."""
    if not (folder / "rage").exists():
        compiled = shutil.ignore_patterns("*.so", "*.pyd", "__pycache__")
        shutil.copytree(PACKAGE, folder / "rage", ignore=compiled)
    begin = (
        "import sys; sys.path[:0] = sys.argv[1:]\n"
        "from rage.engine.kernel import COMPILED; assert not COMPILED\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", begin + program, str(folder), str(TESTS)],
        input=given,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == ""
    return done.stdout.strip()
