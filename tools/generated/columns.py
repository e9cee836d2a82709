"""``python -m tools.generated.columns`` prints docs/data.md with the columns of simulated games."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from rage.arena.data.schema import TABLES, WIDE, Column

PAGE: Final = Path(__file__).resolve().parents[2] / "docs" / "data.md"
_TEXT: Final = ("colour", "bot", "code", "string")


def page() -> str:
    """The page, with its tables generated from the schema."""
    tables = iter((TABLES["decisions"], WIDE, TABLES["rounds"], TABLES["games"]))
    return re.sub(
        r"(?<=\| column \| type \| is \|\n\| --- \| --- \| --- \|\n)(?:\|.*\n)+",
        lambda _: _rows(next(tables)),
        PAGE.read_text(encoding="utf-8"),
    )


def _rows(columns: Sequence[Column]) -> str:
    types = ("text" if each.type in _TEXT else each.type for each in columns)
    named = zip(columns, types, strict=True)
    return "".join(f"| `{each.name}` | {kind} | {each.says} |\n" for each, kind in named)


if __name__ == "__main__":
    sys.stdout.write(page())
