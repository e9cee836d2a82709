"""Without a compiler the bots find what they find with one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bots import choices, searching
from uncompiled import run_uncompiled

PROGRAM = """
import json, rage.arena.data.matches, rage.bots.steady, rage.bots.worth
from bots import choices, searching
for module in (rage.arena.data.matches, rage.bots.steady, rage.bots.worth):
    assert module.__file__.endswith(".py")
assert choices.check_all(10, 2) > 100
print(json.dumps(searching.values()), searching.found(), choices.digest(25, 7), sep="\\n")
"""


def test_uncompiled_they_find_the_same(tmp_path: Path) -> None:
    """What networks say, but for rounding."""
    values, *told = run_uncompiled(tmp_path, PROGRAM).splitlines()
    assert told == [searching.found(), choices.digest(25, 7)]
    assert json.loads(values) == pytest.approx(searching.values(), abs=2e-3)
