"""Prints what a release changes, from the top of CHANGELOG.md, if its tag, version and date are the
same wherever they are written.

    python -m tools.notes v0.2.0
"""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
_TOP: Final = re.compile(r"^## (\S+) \((\d{4}-\d\d-\d\d)\)\n+(.*?)\s*(?=^## |\Z)", re.M | re.S)
_LINK: Final = re.compile(r"\[([^]]+)\]\((?![a-z]+:)([^)]+)\)")


class Failed(Exception):
    """The release cannot be described; the message says what to change."""


def notes(root: Path, tag: str) -> str:
    """The notes of the release of a tag. Raises :class:`Failed`."""
    found = {name: (root / name).read_text(encoding="utf-8")
             for name in ("CHANGELOG.md", "CITATION.cff", "src/rage/__init__.py")}  # fmt: skip
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    version = project["version"]
    if tag != f"v{version}":
        raise Failed(f"The tag is {tag}, but pyproject.toml has the version {version}: v{version}.")
    top = _TOP.search(found["CHANGELOG.md"])
    if top is None or top[1] != version or "\n## " in found["CHANGELOG.md"][: top.start()]:
        raise Failed(f'CHANGELOG.md has to begin with "## {version} (YEAR-MONTH-DAY)".')
    needed = {
        "src/rage/__init__.py": f'__version__ = "{version}"',
        "CITATION.cff": f"version: {version}\ndate-released: {top[2]}\n",
    }
    for name, text in needed.items():
        if text not in found[name]:
            raise Failed(f"{name} lacks this: {text}")
    source = project.get("urls", {}).get("Source")
    return _LINK.sub(rf"[\1]({source}/blob/{tag}/\2)" if source else r"\1", top[3])


def main() -> int:
    """Print the notes. Returns the exit status."""
    try:
        print(notes(ROOT, *sys.argv[1:2] or ("",)))
    except Failed as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
