"""Builds the files of a release in ``dist/``: the source distribution and a wheel for each Python
that is installed or that uv can fetch. Each wheel is repaired for manylinux, installed in an empty
environment, and plays a game there.

    python tools/wheels.py
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import tomllib
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
DIST: Final = ROOT / "dist"
PYTHONS: Final = ("3.11", "3.12", "3.13", "3.14")
_PROJECT: Final = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
#: What each wheel must do, here and where all are built (cibuildwheel): play a game.
_TEST: Final[str] = _PROJECT["tool"]["cibuildwheel"]["test-command"]


def main() -> int:
    """Build everything. Returns 1 if something failed, or if no Python could be found."""
    shutil.rmtree(DIST, ignore_errors=True)
    try:
        _uv("build", "--sdist", *_locked(), "--out-dir", str(DIST), str(ROOT))
        (distribution,) = DIST.glob("*.tar.gz")
        print(_described(distribution), flush=True)
        for version in PYTHONS:
            python = _find(version)
            if python is None:
                print(f"no Python {version} here, and none to be had: no wheel for it", flush=True)
            else:
                print(_described(_make(distribution, python)), flush=True)
    except subprocess.CalledProcessError as error:
        print(f"{' '.join(error.cmd)}\n{error.stdout or ''}{error.stderr or ''}", file=sys.stderr)
        return 1
    return 0 if [*DIST.glob("*.whl")] else 1


def _make(distribution: Path, python: str) -> Path:
    """Build a wheel for one Python, and let it play a game."""
    with tempfile.TemporaryDirectory() as folder:
        options = ("--python", python, "--out-dir", folder)
        _uv("build", "--wheel", *_locked(), *options, str(distribution))
        (built,) = Path(folder).glob("*.whl")
        wheel = _repair(built)
        environment = Path(folder) / "environment"
        _uv("venv", "--python", python, str(environment))
        _uv("pip", "install", "--python", str(environment), "--no-index", str(wheel))
        programs = environment / ("Scripts" if os.name == "nt" else "bin")
        program, *words = _TEST.split()
        _run(str(programs / program), *words, cwd=folder)
    return wheel


def _repair(wheel: Path) -> Path:
    """Put a wheel into ``dist/``; on Linux, tag it for the oldest systems on which it runs."""
    if sys.platform != "linux":
        return Path(shutil.move(wheel, DIST))
    before = {*DIST.glob("*.whl")}
    _run(sys.executable, "-m", "auditwheel", "repair", "--strip", "-w", str(DIST), str(wheel))
    (repaired,) = {*DIST.glob("*.whl")} - before
    return repaired


def _find(version: str) -> str | None:
    """The interpreter of a version, fetched if needed; ``None`` if unavailable."""
    for action in ("find", "install"):
        try:
            found = _uv("python", action, version)
            return found if action == "find" else _uv("python", "find", version)
        except subprocess.CalledProcessError:
            continue
    return None


def _locked() -> tuple[str, str]:
    return "--build-constraint", str(ROOT / "constraints.txt")


def _uv(*words: str) -> str:
    return _run(sys.executable, "-m", "uv", *words)


def _run(*command: str, cwd: str | None = None) -> str:
    """Run a command with the tools of this environment on its path, and return its output."""
    tools = os.pathsep.join((sysconfig.get_path("scripts"), os.environ.get("PATH", "")))
    clean = {name: value for name, value in os.environ.items() if name[:5] != "RAGE_"}
    clean |= {"PATH": tools, "RAGE_COMPILED": "1"}
    done = subprocess.run(command, env=clean, cwd=cwd, check=True, capture_output=True, text=True)
    return done.stdout.strip()


def _described(file: Path) -> str:
    return f"{file.relative_to(ROOT)}  {file.stat().st_size / 1e6:.1f} MB"


if __name__ == "__main__":
    sys.exit(main())
