"""Writes a software bill of materials, in CycloneDX format, of the server in production or of the
folder that plays without a server.

    python -m tools.sbom                              of a new server, as ``deploy/install``
                                                      installs it
    python -m tools.sbom --python /opt/rage/bin/python    of a server that is already installed
    python -m tools.sbom --alone                      of the folder ``build/alone``

It names the Python packages and the npm packages that are part of the built page, each with its
version and licence, and is written to ``build/sbom.cdx.json`` (``--output`` names another file).
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

from web.bill import add, bill_of

ROOT: Final = Path(__file__).resolve().parents[1]
CONSTRAINTS: Final = ROOT / "constraints.txt"
OUTPUT: Final = ROOT / "build" / "sbom.cdx.json"
ALONE: Final = ROOT / "build" / "alone"
NAME: Final = "rage-cards"
#: The built page, with the licences of its packages (written by Vite).
PAGE: Final = ROOT / "src" / "rage" / "server" / "page"
LICENSES: Final = "licenses.json"
_FIND_PAGE: Final = "import rage; print(rage.__path__[0])"
#: Skips the compiled modules and the page, which add no package and take a while.
_QUICK: Final = {
    "RAGE_PURE": "1", "RAGE_COMPILED": "", "RAGE_NO_PAGE": "1", "PYTHON": sys.executable,
}  # fmt: skip


class Failed(Exception):
    """The bill of materials cannot be made; the message says why, and what might help."""


def install(folder: Path) -> Path:
    """Install the server with the locked versions in a new environment. Returns its interpreter.
    Raises :class:`Failed`."""
    command = [str(ROOT / "deploy" / "install"), str(folder), "play"]
    if subprocess.run(command, env={**os.environ, **_QUICK}, check=False).returncode:
        raise Failed("the server could not be installed; what pip said is above.")
    return folder / "bin" / "python"


def installed_page(python: Path) -> Path:
    """The folder of the page in an environment. Raises :class:`Failed`."""
    done = subprocess.run(
        [str(python), "-c", _FIND_PAGE], cwd=tempfile.gettempdir(), check=False,
        capture_output=True, text=True,
    )  # fmt: skip
    if done.returncode:
        raise Failed(f"{python} has no rage installed:\n{done.stderr}")
    return Path(done.stdout.strip()) / "server" / "page"


def packages_of(page: Path) -> list[dict[str, str]]:
    """The npm packages of a built page. Raises :class:`Failed`."""
    try:
        found: list[dict[str, str]] = json.loads((page / LICENSES).read_text(encoding="utf-8"))
    except OSError:
        how = "make alone" if page == ALONE else "python web/build.py"
        raise Failed(f"{page / LICENSES} is missing: build it first, with {how}.") from None
    return found


def describe(python: Path, packages: list[dict[str, str]]) -> dict[str, Any]:
    """The bill of materials of an environment, and of the npm packages in its page. Raises
    :class:`Failed`."""
    command = [sys.executable, "-m", "cyclonedx_py", "environment", str(python)]
    command += ["--pyproject", str(ROOT / "pyproject.toml"), "--mc-type", "application"]
    done = subprocess.run(
        [*command, "--output-reproducible"], check=False, capture_output=True, text=True
    )
    if done.returncode:
        raise Failed(f"cyclonedx-py failed:\n{done.stderr}")
    bill: dict[str, Any] = json.loads(done.stdout)
    _hide_folders(bill)
    add(bill, packages)
    return bill


def _hide_folders(bill: dict[str, Any]) -> None:
    """Remove references to local folders from which packages were installed."""
    for each in (bill["metadata"]["component"], *bill["components"]):
        links = each.pop("externalReferences", [])
        if kept := [link for link in links if not link["url"].startswith("file:")]:
            each["externalReferences"] = kept


def main(words: list[str] | None = None) -> int:
    """Write a bill of materials. Returns the exit status."""
    parser = argparse.ArgumentParser(description="A software bill of materials, in CycloneDX.")
    parser.add_argument("--python", type=Path, help="the interpreter of an installed server")
    parser.add_argument("--alone", action="store_true", help="of the folder build/alone")
    parser.add_argument("--output", type=Path, help="the file to write")
    asked = parser.parse_args(words)
    output = asked.output or (ALONE.with_suffix(".cdx.json") if asked.alone else OUTPUT)
    try:
        if asked.alone:
            return _write(bill_of(NAME, version(NAME), packages_of(ALONE)), output)
        with tempfile.TemporaryDirectory() as folder:
            packages = packages_of(installed_page(asked.python) if asked.python else PAGE)
            bill = describe(asked.python or install(Path(folder) / "venv"), packages)
    except Failed as error:
        print(error, file=sys.stderr)
        return 1
    return _write(bill, output)


def _write(bill: dict[str, Any], output: Path) -> int:
    output.parent.mkdir(parents=True, exist_ok=True)
    output.write_text(json.dumps(bill, indent=2) + "\n", encoding="utf-8")
    print(f"{len(bill['components'])} packages: {output}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
