"""Prints what extras of pyproject.toml ask for, one requirement a line.

    python tools/asked.py test docs

pip checks the hashes of constraints.txt for these, but refuses to install a folder beside them.
"""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
_PROJECT: Final = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def asked(extra: str) -> Iterator[str]:
    """What an extra asks for; an extra of ours stands for what that asks for."""
    for each in _PROJECT["optional-dependencies"][extra]:
        name, _, others = each.partition("[")
        if name == _PROJECT["name"]:
            for other in others.rstrip("]").split(","):
                yield from asked(other)
        else:
            yield each


if __name__ == "__main__":
    print(*(each for extra in sys.argv[1:] for each in asked(extra)), sep="\n")
