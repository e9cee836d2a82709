"""Compresses the files of the folder as much as possible, and prints how much a first game loads.

    python -m tools.alone.sizes

Each file of Python then has a ``.br`` next to it, like the page's own, for hosts that send these.
It takes half a minute, once for each version of Pyodide.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Final

from tools.alone import ROOT
from tools.alone.folder import pack_small

FOLDER: Final = ROOT / "build" / "alone"
#: The most bytes to load until the first game, by kind of compression.
LIMITS: Final = {"br": 5_900_000, "gz": 7_600_000}
#: Not loaded by a first game: the score sheet, finished games, other languages.
_LATER: Final = ("sheet/", "assets/after-", "assets/late-")


def main() -> int:
    """Compress, and print the sums. Returns the exit status: 1 if a sum exceeds its limit."""
    files = _files()
    pack_small([FOLDER / name for name in files if name.startswith("python/")])
    sums = {ending: total(ending) for ending in LIMITS}
    for ending, size in sums.items():
        print(f".{ending}: {size / 1e6:.2f} MB of at most {LIMITS[ending] / 1e6:g} MB")
    return int(any(sums[ending] > limit for ending, limit in LIMITS.items()))


def total(ending: str) -> int:
    """How many bytes a first game loads, by kind of compression."""
    return sum(_size(FOLDER / name, ending) for name in _files())


def _files() -> list[str]:
    """The files kept by the service worker that a first game may load: a few more than it does."""
    text = (FOLDER / "worker.js").read_text(encoding="utf-8")
    kept = json.loads(text.partition("=")[2].partition(";\n")[0])["files"]
    return [name for name in kept if not name.startswith(_LATER)]


def _size(path: Path, ending: str) -> int:
    path = path / "index.html" if path.is_dir() else path
    packed = path.with_name(f"{path.name}.{ending}")
    return (packed if packed.exists() else path).stat().st_size


if __name__ == "__main__":
    sys.exit(main())
