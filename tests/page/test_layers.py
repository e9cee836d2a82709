"""The layers of the page (``web/layers.js``): what the check refuses, and what it lets pass."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

WEB = Path(__file__).parents[2] / "web"
LAYERS = "boundaries/dependencies"


def refused(file: str, source: str) -> list[str]:
    """The lines of a file's source that ESLint refuses for their imports."""
    command = [sys.executable, str(WEB / "build.py"), "run", "eslint", "--format", "json"]
    run = subprocess.run(
        [*command, "--stdin", "--stdin-filename", file],
        input=source,
        capture_output=True,
        encoding="utf-8",
        timeout=120,
    )
    [result] = json.loads(run.stdout)
    lines = source.splitlines()
    found = [each for each in result["messages"] if each["ruleId"] == LAYERS]
    return [lines[each["line"] - 1].strip() for each in found]


@pytest.mark.parametrize(
    ("file", "up", "down"),
    [
        (
            "src/shell/new.ts",
            [
                "import '../game/fold.ts';",
                "import type { Box } from '../table/room.ts';",
                "export { moments } from '../after/replay.ts';",
                "export const later = () => import('../start/Home.svelte');",
            ],
            ["import '../say.ts';", "import '../cards/Card.svelte';"],
        ),
        ("src/game/new.ts", ["import '../offline/trick.ts';"], ["import '../fair/witness.ts';"]),
        ("src/table/new.ts", ["import '../offline/score.ts';"], ["import '../game/story.ts';"]),
        (
            "src/after/new.ts",
            ["import '../pages.ts';", "import '../sheet/kept.ts';"],
            ["import '../offline/proof.ts';"],
        ),
        (
            "src/sheet/new.ts",
            ["import '../pages.ts';"],
            ["import '../offline/sheet.ts';", "import '../after/stats.ts';"],
        ),
    ],
    ids=["up", "game", "table", "after", "sheet"],
)
def test_imports_run_down_and_only_proofs_ask_a_judge(
    file: str, up: list[str], down: list[str]
) -> None:
    assert refused(file, "\n".join([*up, *down]) + "\n") == up


def test_components_are_checked_too() -> None:
    bad = "import Hand from '../table/Hand.svelte';"
    source = f'<script lang="ts">\n  {bad}\n</script>\n\n<Hand />\n'
    assert refused("src/together/New.svelte", source) == [bad]
