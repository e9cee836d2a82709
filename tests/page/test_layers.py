"""The layers of the page (``web/layers.js``): what the check refuses, and what it lets pass."""

from __future__ import annotations

import json
from pathlib import Path

from tools.node import run_node

LAYERS = "boundaries/dependencies"


def refused(sources: dict[str, str]) -> dict[str, list[str]]:
    """The lines of each file's source that ESLint refuses for their imports."""
    given = [{"file": file, "source": source} for file, source in sources.items()]
    script = str(Path(__file__).with_name("layers.mjs"))
    lines = json.loads(run_node(script, LAYERS, given=json.dumps(given)))
    return {
        file: [source.splitlines()[line - 1].strip() for line in found]
        for (file, source), found in zip(sources.items(), lines, strict=True)
    }


#: A file, the imports that are refused there, and those that are allowed.
CASES = [
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
        ["import '../pages.ts';", "import '../sheet/storage.ts';"],
        ["import '../offline/proof.ts';"],
    ),
    (
        "src/sheet/new.ts",
        ["import '../pages.ts';"],
        ["import '../offline/sheet.ts';", "import '../after/stats.ts';"],
    ),
]
COMPONENT = "import Hand from '../table/Hand.svelte';"


def test_imports_run_down_and_only_proofs_ask_a_judge() -> None:
    sources = {file: "\n".join([*up, *down]) + "\n" for file, up, down in CASES}
    sources["src/together/New.svelte"] = (
        f'<script lang="ts">\n  {COMPONENT}\n</script>\n\n<Hand />\n'
    )
    expected = {file: up for file, up, _ in CASES} | {"src/together/New.svelte": [COMPONENT]}
    assert refused(sources) == expected
