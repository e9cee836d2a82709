"""Writes Rage as a folder for any web host, ``build/alone``, which plays without a server.

    python -m tools.alone

It contains the page, built for this purpose, and a Python for the browser: Pyodide, with its
library cut to the modules used, and the packages of Rage that run tables.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Final

from tools.alone import CACHE, ROOT, Failed, folder, licenses
from tools.alone.python import Python, build
from tools.node import NODE

FOLDER: Final = ROOT / "build" / "alone"
#: Input for the page's build: the location and the size of the Python that it loads.
PARTS: Final = CACHE / "python.json"
CHECK: Final = Path(__file__).with_name("check.mjs")


def main() -> int:
    """Write the folder. Returns the exit status."""
    try:
        _web("install")
        python = build()
        parts = _parts(python)
        PARTS.write_text(json.dumps(parts, indent=2) + "\n", encoding="utf-8")
        _web("run", "vite", "build", "--logLevel", "warn", "--config", "alone.config.ts")
        for name, path in python.files.items():
            folder.copy(path, FOLDER / name)
            folder.pack(FOLDER / name)
        _check({**parts, "modules": python.modules})
        licenses.add_components(FOLDER, python.versions)
        folder.write_pages(FOLDER)
        folder.write_worker(FOLDER, list(python.files))
        folder.pack_changed(FOLDER)
    except Failed as error:
        print(error, file=sys.stderr)
        return 1
    print(f"Written: {FOLDER}")
    return 0


def _web(*arguments: str) -> None:
    """Run ``web/build.py``. Raises :class:`Failed`."""
    done = subprocess.run([sys.executable, str(ROOT / "web" / "build.py"), *arguments], check=False)
    if done.returncode:
        raise Failed("The page could not be built; why, is above.")


def _parts(python: Python) -> dict[str, object]:
    """The files of Python in the folder, for the page's build."""
    (runtime,) = {name.rpartition("/")[0] for name in python.files if name.count("/") == 2}
    (rage,) = (name for name in python.files if name.count("/") == 1)
    sizes = {name: path.stat().st_size for name, path in python.files.items()}
    return {"runtime": f"{runtime}/", "rage": rage, "sizes": sizes}


def _check(parts: dict[str, object]) -> None:
    """Import all of our modules in the copied Python. Raises :class:`Failed`."""
    given = CACHE / "check.json"
    given.write_text(json.dumps(parts), encoding="utf-8")
    if subprocess.run([NODE, str(CHECK), str(FOLDER), str(given)], check=False).returncode:
        raise Failed("Something that is needed is missing in the folder; what, is above.")


if __name__ == "__main__":
    sys.exit(main())
