"""Without a compiler the bots find what they find with one."""

from __future__ import annotations

import json
from math import isclose
from pathlib import Path

from bots import choices, test_advice, test_flat, test_ismcts, test_net, test_rollouts
from uncompiled import run_uncompiled

PROGRAM = """
import rage.arena.data.matches, rage.bots.steady, rage.bots.worth
from bots import choices, test_advice, test_flat, test_ismcts, test_net, test_rollouts
for module in (rage.arena.data.matches, rage.bots.steady, rage.bots.worth):
    assert module.__file__.endswith(".py")
assert choices.check_all(10, 2) > 100
for find in (test_net.found, test_flat.found, test_ismcts.trees, test_rollouts.found):
    print(find())
print(test_advice.found())
print(choices.digest(25, 7))
"""


def test_uncompiled_they_find_the_same(tmp_path: Path) -> None:
    network, *told, digest = run_uncompiled(tmp_path, PROGRAM).splitlines()
    assert told == [
        test_flat.found(), test_ismcts.trees(), test_rollouts.found(), test_advice.found()
    ]  # fmt: skip
    assert digest == choices.digest(25, 7)
    pairs = list(zip(json.loads(network), json.loads(test_net.found()), strict=True))
    assert len(pairs) > 50
    assert all(isclose(one, two, abs_tol=2e-3) for one, two in pairs)
