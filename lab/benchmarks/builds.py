"""Fresh builds of the package in a temporary folder; the working tree stays as it is."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from lab.benchmarks.progress import Failure, say

ROOT: Final = Path(__file__).resolve().parents[2]
#: The environment variables of each build; ``portable`` is what ``pip install`` makes.
BUILDS: Final[Mapping[str, dict[str, str]]] = {
    "portable": {},
    "native": {"RAGE_NATIVE": "1"},
    "uncompiled": {"RAGE_PURE": "1"},
}


class Builds:
    """Builds each kind when it is first asked for, beneath ``folder``."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._made: dict[str, dict[str, str]] = {}

    def environment(self, build: str) -> dict[str, str]:
        """An environment in which ``import rage`` finds this build."""
        if build not in self._made:
            self._made[build] = self._make(build)
        return self._made[build]

    def _make(self, build: str) -> dict[str, str]:
        say(f"building rage: {build}")
        source = self._copy(build)
        target = self._folder / build
        settings = {name: value for name, value in os.environ.items() if name[:5] != "RAGE_"}
        command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps"]
        if find_spec("Cython") and find_spec("setuptools"):
            command.append("--no-build-isolation")  # else pip fetches what the build needs
        command += ["--disable-pip-version-check", "--target", str(target), str(source)]
        build_settings = settings | BUILDS[build] | {"RAGE_NO_PAGE": "1"}
        made = subprocess.run(
            command, env=build_settings, capture_output=True, text=True, check=False
        )
        if made.returncode:
            raise Failure(f"the {build} build failed:\n{made.stdout}{made.stderr}")
        return settings | {"PYTHONPATH": os.pathsep.join((str(target), str(ROOT)))}

    def _copy(self, build: str) -> Path:
        """A copy of the sources without leftovers of earlier builds."""
        copy = self._folder / f"{build}-source"
        ignored = shutil.ignore_patterns("*.so", "*.pyd", "*.egg-info", "__pycache__")
        shutil.copytree(ROOT / "src", copy / "src", ignore=ignored)
        for name in ("setup.py", "pyproject.toml", "README.md", "LICENSE"):
            shutil.copy(ROOT / name, copy)
        return copy
