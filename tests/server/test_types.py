"""What other clients read of the protocol is what the server has."""

from __future__ import annotations

from pathlib import Path

from tools.generated import messages
from tools.generated.types import typescript

ROOT = Path(__file__).parents[2]


def test_the_page_has_the_types_of_the_server() -> None:
    """Messages are typed structs; the TypeScript types are generated from them."""
    types = (ROOT / "web/src/protocol.ts").read_text(encoding="utf-8")
    assert types == typescript(), "run make generated"


def test_every_command_and_event_is_described() -> None:
    page = (ROOT / "docs/messages.md").read_text(encoding="utf-8")
    assert page == messages.page(), "run make generated"
