"""The names of the package itself, each loaded when it is first used."""

from __future__ import annotations

import subprocess
import sys

import rage

#: In a process of its own, in which nobody has used any of them.
FRESH = """
import rage, sys
assert "rage.game" not in sys.modules
print(*[name for name in rage.__all__ if name not in dir(rage)])
assert "rage.game" not in sys.modules
"""


def test_dir_names_everything_before_it_is_used() -> None:
    said = subprocess.run([sys.executable, "-c", FRESH], check=True, capture_output=True, text=True)
    assert said.stdout.split() == []


def test_every_name_is_there() -> None:
    assert all(getattr(rage, name) is not None for name in rage.__all__)
    assert dir(rage) == sorted(set(dir(rage)))
