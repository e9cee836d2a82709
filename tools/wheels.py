"""Makes what a release consists of, in ``dist/``: the source distribution and, for each Python that
is here or that uv can fetch, a wheel of it. Each is repaired for manylinux, installed in a new
environment that has nothing else, and plays a game there.

    python tools/wheels.py
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
DIST: Final = ROOT / "dist"
PYTHONS: Final = ("3.11", "3.12", "3.13", "3.14")
#: A whole game, by a bot that plays only where Rage is compiled.
_GAME: Final = """
import rage
from rage.bots import bot
from rage.engine.kernel import COMPILED
assert COMPILED
game = rage.Game("poof", 3, seed=b"a new wheel")
bots = [bot("hard", seed=seat) for seat in range(3)]
while not game.over:
    game.play(bots[game.to_act].choose(game.view(game.to_act)))
print(*game.scores)
"""


def main() -> int:
    """Make everything. Returns 1 if something failed, or if no Python could be found."""
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
    """A wheel for one Python that has played a game."""
    with tempfile.TemporaryDirectory() as folder:
        options = ("--python", python, "--out-dir", folder)
        _uv("build", "--wheel", *_locked(), *options, str(distribution))
        (built,) = Path(folder).glob("*.whl")
        wheel = _repair(built)
        environment = Path(folder) / "environment"
        _uv("venv", "--python", python, str(environment))
        _uv("pip", "install", "--python", str(environment), "--no-index", str(wheel))
        name = "Scripts/python.exe" if os.name == "nt" else "bin/python"
        _run(str(environment / name), "-c", _GAME, cwd=folder)
    return wheel


def _repair(wheel: Path) -> Path:
    """The wheel in ``dist/``; on Linux for the oldest systems on which it runs."""
    if sys.platform != "linux":
        return Path(shutil.move(wheel, DIST))
    before = {*DIST.glob("*.whl")}
    _run(sys.executable, "-m", "auditwheel", "repair", "--strip", "-w", str(DIST), str(wheel))
    (repaired,) = {*DIST.glob("*.whl")} - before
    return repaired


def _find(version: str) -> str | None:
    """The interpreter of a version, fetched if need be; ``None`` if there is none."""
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
    """What a command prints; it finds the tools of this environment."""
    tools = os.pathsep.join((sysconfig.get_path("scripts"), os.environ.get("PATH", "")))
    clean = {name: value for name, value in os.environ.items() if name[:5] != "RAGE_"}
    done = subprocess.run(
        command, env={**clean, "PATH": tools}, cwd=cwd, check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


def _described(file: Path) -> str:
    return f"{file.relative_to(ROOT)}  {file.stat().st_size / 1e6:.1f} MB"


if __name__ == "__main__":
    sys.exit(main())
