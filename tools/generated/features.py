"""``python -m tools.generated.features`` prints docs/encode.md with the blocks of the features."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Final

from rage.features.meanings import FEATURES

PAGE: Final = Path(__file__).resolve().parents[2] / "docs" / "encode.md"


def page() -> str:
    """The page, with its table generated from the meanings of the features."""
    lines = []
    for each in FEATURES:
        shape = " x ".join(map(str, each.shape)) or "1"
        values = f"{each.low} .. {each.high}"
        lines.append(
            f"| {each.start} | `{each.name}` | {shape} | {values} | {each.scale} | {each.meaning} |"
        )
    return re.sub(
        r"(?<=\| from \| block \| shape \| values \| scale \| meaning \|\n"
        r"\| --- \| --- \| --- \| --- \| --- \| --- \|\n)(?:\|.*\n)+",
        lambda _: "\n".join(lines) + "\n",
        PAGE.read_text(encoding="utf-8"),
    )


if __name__ == "__main__":
    sys.stdout.write(page())
