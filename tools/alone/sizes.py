"""Compresses the files of the folder as small as can be, and says how much a first game loads.

    python -m tools.alone.sizes

Beside each file of Python lies a ``.br`` then, for hosts that send such, as beside the page's own.
It takes half a minute, once for each version of Pyodide.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Final

from tools.alone.folder import pack_small
from tools.alone.python import ROOT

FOLDER: Final = ROOT / "build" / "alone"
#: At most so many bytes are loaded until the first game, by how they are compressed.
LIMITS: Final = {"br": 6_000_000, "gz": 7_500_000}
#: What no first game loads: the score sheet, games that are over, other languages.
_LATER: Final = ("sheet/", "assets/after-", "assets/late-")


def main() -> int:
    """Compress, and print the sums. Returns the exit status: 1 where one is over its limit."""
    files = _files()
    pack_small([FOLDER / name for name in files if name.startswith("python/")])
    sums = {ending: sum(_size(FOLDER / name, ending) for name in files) for ending in LIMITS}
    for ending, size in sums.items():
        print(f".{ending}: {size / 1e6:.2f} MB of at most {LIMITS[ending] / 1e6:g} MB")
    return int(any(sums[ending] > limit for ending, limit in LIMITS.items()))


def _files() -> list[str]:
    """What a first game may load, of what the service worker keeps: a little more than it does."""
    text = (FOLDER / "worker.js").read_text(encoding="utf-8")
    kept = json.loads(text.partition("=")[2].partition(";\n")[0])["files"]
    return [name for name in kept if not name.startswith(_LATER)]


def _size(path: Path, ending: str) -> int:
    path = path / "index.html" if path.is_dir() else path
    packed = path.with_name(f"{path.name}.{ending}")
    return (packed if packed.exists() else path).stat().st_size


if __name__ == "__main__":
    sys.exit(main())
