"""The package as people get it: built from a copy of the sources, and installed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import time
import venv
from collections.abc import Callable
from pathlib import Path

import pytest

from rage.files import InUse, lock

ROOT = Path(__file__).parent.parent
PAGE = "rage/server/page"
MEGABYTE = 1_000_000
PURE = {"RAGE_PURE": "1"}
#: When everything was built, as far as an archive can say.
BUILT = {"SOURCE_DATE_EPOCH": "1700000000"}
#: What a build does not read.
_ELSEWHERE = ("tests", "lab", "tools", ".ci")


def tracked(*wanted: str) -> set[str]:
    """The files that git has or would take, below some folders or everywhere."""
    listing = ["git", "ls-files", "-z", "-c", "-o", "--exclude-standard", *wanted]
    done = subprocess.run(listing, cwd=ROOT, capture_output=True, check=True, text=True)
    return {name for name in done.stdout.split("\0") if name and (ROOT / name).exists()}


def copy_of_sources(folder: Path) -> Path:
    """What a clone holds, in a folder of its own; no page is built in it."""
    for name in tracked():
        if name.partition("/")[0] not in _ELSEWHERE:
            target = folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, target)
    return folder


def hook(source: Path, call: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Call one of the hooks by which pip builds."""
    command = [sys.executable, "-c", f"from setuptools import build_meta as b; print(b.{call})"]
    clean = {k: v for k, v in os.environ.items() if not k.startswith("RAGE_")}
    return subprocess.run(
        command, cwd=source, env={**clean, **environment}, check=False,
        capture_output=True, text=True,
    )  # fmt: skip


def built(source: Path, call: str, **environment: str) -> Path:
    """The file that such a hook makes."""
    done = hook(source, call, **environment)
    assert done.returncode == 0, done.stderr
    return source / "dist" / done.stdout.splitlines()[-1]


def unpack(distribution: Path, folder: Path) -> Path:
    """Unpack a source distribution. Returns the folder of its files."""
    with tarfile.open(distribution) as archive:
        archive.extractall(folder, filter="data")
    return folder / distribution.name.removesuffix(".tar.gz")


def make_distribution(folder: Path) -> None:
    """Make a source distribution in ``folder / "dist"``, with the page as it is built here."""
    source = copy_of_sources(folder)
    page = ROOT / "src" / PAGE
    if not (page / "index.html").exists():
        pytest.skip("the page is not built: python web/build.py")
    shutil.copytree(page, source / "src" / PAGE)
    built(source, "build_sdist('dist')", **PURE, **BUILT, RAGE_NO_PAGE="1")


def make_wheel(distribution: Path, folder: Path) -> None:
    """Make a compiled wheel of a source distribution, for which no Node is there."""
    source = unpack(distribution, folder)
    (source / "web" / "build.py").unlink()
    (source / "src" / "rage" / "py.typed").chmod(0o600)  # as a umask of 077 leaves it
    wheel = built(source, "build_wheel('dist')", **BUILT, CFLAGS="-O0")  # soon built
    wheel.rename(folder / wheel.name)


def make_environment(wheel: Path, folder: Path) -> None:
    """Make an environment that has the wheel and nothing else, not even pip."""
    venv.create(folder)
    command = [sys.executable, "-m", "pip", "--python", str(python_of(folder)), "install"]
    options = ["--quiet", "--no-compile", "--no-index"]
    subprocess.run([*command, *options, str(wheel)], check=True)


def python_of(environment: Path) -> Path:
    """The interpreter of an environment."""
    return environment / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], None]) -> Path:
    """A folder that ``make`` fills: once in a run of the tests, whichever worker comes first."""
    base = factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        base = base.parent
    while True:
        try:
            with lock(base / f"{name}.lock"):
                if not (base / f"{name}.made").exists():
                    shutil.rmtree(base / name, ignore_errors=True)
                    (base / name).mkdir()
                    make(base / name)
                    (base / f"{name}.made").touch()
                return base / name
        except InUse:
            time.sleep(0.2)
