"""The page's types are those of the server."""

from __future__ import annotations

from pathlib import Path
from typing import get_type_hints

import pytest

from rage.bots.advice import AdviceData, MoveData
from rage.server.api.advice import AdviceAnswer, AdvisedMove
from rage.server.types import typescript
from rage.table.shapes import SeenGameData
from rage.view import GameData

FILE = Path(__file__).parents[2] / "web" / "src" / "protocol.ts"


def test_the_page_has_the_types_of_the_server() -> None:
    """Messages are typed structs; the TypeScript types are generated from them."""
    assert FILE.read_text(encoding="utf-8") == typescript(), (
        "python -m rage.server.types > web/src/protocol.ts"
    )


@pytest.mark.parametrize(
    ("library", "told", "not_told", "besides", "unlike"),
    [
        (GameData, SeenGameData, {"legal", "met"}, set(), {"seen", "voids"}),
        (AdviceData, AdviceAnswer, {"exact"}, {"ply"}, {"moves"}),
        (MoveData, AdvisedMove, {"tricks"}, set(), set()),
    ],
)
def test_what_is_told_is_what_the_library_says(
    library: type, told: type, not_told: set[str], besides: set[str], unlike: set[str]
) -> None:
    """The library loads no package, so its plain data are dicts, and what is told of them structs:
    with the same names and types, but for what only one of them has or is not always told."""
    said, sent = get_type_hints(library), get_type_hints(told)
    assert set(said) - not_told == set(sent) - besides
    assert {name for name in set(said) & set(sent) if said[name] != sent[name]} == unlike
