"""Writes Rage as a folder for any web host, ``build/alone``, which plays without a server.

    python -m tools.alone

It holds the page, built for this purpose, and a Python that runs in the browser: Pyodide, with its
library cut to what is used, and the rooms of Rage that run tables.
"""

from __future__ import annotations

import gzip
import json
import shutil
import subprocess
import sys
from pathlib import Path

from tools.alone.python import CACHE, ROOT, Failed, Python, build
from tools.node import NODE

FOLDER = ROOT / "build" / "alone"
#: What the page is built with: where the Python that it loads is, and how many bytes that has.
PARTS = CACHE / "python.json"


def main() -> int:
    """Write the folder. Returns the exit status."""
    try:
        _web("install")
        python = build()
        _describe(python)
        _web("run", "vite", "build", "--emptyOutDir", "--outDir", str(FOLDER))
        _copy(python)
        _check(python)
    except Failed as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def _web(*arguments: str) -> None:
    """Run ``web/build.py``. Raises :class:`Failed`."""
    done = subprocess.run([sys.executable, str(ROOT / "web" / "build.py"), *arguments], check=False)
    if done.returncode:
        raise Failed("The page could not be built; why, is above.")


def _describe(python: Python) -> None:
    """Write for the page's build where Python's files are."""
    (runtime,) = {name.rpartition("/")[0] for name in python.files if name.count("/") == 2}
    (rage,) = (name for name in python.files if name.count("/") == 1)
    sizes = {name: path.stat().st_size for name, path in python.files.items()}
    parts = {"runtime": f"{runtime}/", "rage": rage, "sizes": sizes}
    PARTS.write_text(json.dumps(parts, indent=2) + "\n", encoding="utf-8")


def _copy(python: Python) -> None:
    """Put Python into the folder; beside each file its compressed form, for hosts that compress
    none of that kind."""
    for name, path in python.files.items():
        target = FOLDER / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)
        packed = gzip.compress(path.read_bytes(), 9, mtime=0)
        target.with_name(f"{target.name}.gz").write_bytes(packed)


def _check(python: Python) -> None:
    """Import all of our modules in the copied Python. Raises :class:`Failed`."""
    names = [name for name in python.modules if name.partition(".")[0] in ("rage", "msgspec")]
    given = CACHE / "check.json"
    given.write_text(json.dumps({**json.loads(PARTS.read_text()), "modules": names}))
    check = Path(__file__).with_name("check.mjs")
    if subprocess.run([NODE, str(check), str(FOLDER), str(given)], check=False).returncode:
        raise Failed("Something that is needed is missing in the folder; what, is above.")


if __name__ == "__main__":
    sys.exit(main())
