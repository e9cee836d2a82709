"""The pages for people: which there are, and what stands in their blocks."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
PAGES = [
    *sorted(ROOT.glob("*.md")),
    *sorted((ROOT / "docs").rglob("*.md")),
    ROOT / "lab/training/README.md",
]
#: A fenced block: its language, or its directive for the site, and its text.
FENCE = re.compile(r"^```(\w*|\{[^\n]+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


class Block(NamedTuple):
    """A fenced block of a page: its language, its text and the line it begins in."""

    language: str
    text: str
    line: int


def blocks(page: Path) -> list[Block]:
    text = page.read_text(encoding="utf-8")
    return [
        Block(match[1], match[2], text.count("\n", 0, match.start(2)) + 1)
        for match in FENCE.finditer(text)
    ]


def only(page: str, language: str) -> str:
    """The one block of a language on a page."""
    (found,) = [block.text for block in blocks(ROOT / page) if block.language == language]
    return found
