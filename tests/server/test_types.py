"""The page's types are those of the server."""

from __future__ import annotations

from pathlib import Path

from tools.generated.types import typescript

FILE = Path(__file__).parents[2] / "web" / "src" / "protocol.ts"


def test_the_page_has_the_types_of_the_server() -> None:
    """Messages are typed structs; the TypeScript types are generated from them."""
    assert FILE.read_text(encoding="utf-8") == typescript(), (
        "python -m tools.generated.types > web/src/protocol.ts"
    )
