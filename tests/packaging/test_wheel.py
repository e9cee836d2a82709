"""``pip install`` with a C compiler and without one: the same game, compiled or not."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import msgspec
import pytest

from packages import built, copy_of_sources, hook

GAMES = """
import rage
from rage.engine import kernel
print(kernel.COMPILED, kernel.random_games(rage.ruleset("amigo"), 5, 3, 1))
"""


#: How a machine looks that has no compiler.
NO_COMPILER = {"CC": "no-such-compiler", "PATH": "/nowhere"}


def copy_of_build(wheel: Path, folder: Path) -> Path:
    """A copy of what built a wheel: translated to C, which takes longest, and compiled."""
    (source,) = wheel.parent.glob("rage_cards-*/")
    return shutil.copytree(source, folder / "source")


def translated(wheel: Path, folder: Path) -> Path:
    """The same, but not compiled."""
    source = copy_of_build(wheel, folder)
    for compiled in (*source.glob("build/lib*"), *source.glob("build/temp*")):
        shutil.rmtree(compiled)
    return source


def plain_wheel(source: Path, **environment: str) -> Path:
    """Build a wheel without compiled modules, and unpack it."""
    unpacked = source.parent / "unpacked"
    wheel = built(source, "build_wheel('dist')", RAGE_NO_PAGE="1", **environment)
    zipfile.ZipFile(wheel).extractall(unpacked)
    return unpacked


def run(installed: Path, *words: str) -> str:
    """What a command prints, run with nothing but the unpacked wheel."""
    command = [sys.executable, "-S", *words]
    environment = {**os.environ, "PYTHONPATH": str(installed)}
    return subprocess.run(
        command, check=True, env=environment, cwd=installed, capture_output=True, text=True
    ).stdout


@pytest.fixture(scope="module")
def compiled(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    unpacked = tmp_path_factory.mktemp("compiled")
    zipfile.ZipFile(wheel).extractall(unpacked)
    return unpacked


@pytest.fixture(scope="module")
def without_compiler(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return plain_wheel(translated(wheel, tmp_path_factory.mktemp("plain")), **NO_COMPILER)


def test_a_compiler_is_used_where_there_is_one(compiled: Path) -> None:
    assert run(compiled, "-c", GAMES).startswith("True ")


def test_without_a_compiler_the_same_source_plays_the_same_games(
    compiled: Path, without_compiler: Path
) -> None:
    plain = run(without_compiler, "-c", GAMES)
    assert plain.startswith("False ")
    assert plain.removeprefix("False") == run(compiled, "-c", GAMES).removeprefix("True")


def test_where_it_must_be_compiled_a_missing_compiler_is_an_error(
    wheel: Path, tmp_path: Path
) -> None:
    source = translated(wheel, tmp_path)
    made = hook(source, "build_wheel('dist')", RAGE_COMPILED="1", RAGE_NO_PAGE="1", **NO_COMPILER)
    assert made.returncode != 0
    (error,) = (each for each in made.stderr.splitlines() if each.startswith("error: "))
    assert "rage.engine.kernel" in error
    assert "python3-dev" in error
    assert not [*source.glob("dist/*.whl")]


@pytest.fixture(scope="module")
def failing_compiler(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A compiler that cannot compile one of the modules."""
    compiler = tmp_path_factory.mktemp("bin") / "cc"
    fail = 'case "$*" in *rollouts*) echo "out of memory" >&2; exit 1;; esac'
    compiler.write_text(f'#!/bin/sh\n{fail}\nexec cc "$@"\n')
    compiler.chmod(0o755)
    return compiler


@pytest.mark.long
@pytest.mark.skipif(os.name == "nt", reason="the compiler that fails is a shell script")
def test_where_one_module_cannot_be_compiled_all_stay_uncompiled(
    wheel: Path, failing_compiler: Path, tmp_path: Path
) -> None:
    """Those that an earlier build has compiled, too."""
    source = copy_of_build(wheel, tmp_path)
    for made in source.glob("build/**/rollouts*.[so]*"):
        made.unlink()
    assert [*source.glob("build/lib*/**/*.so")]
    installed = plain_wheel(source, CC=str(failing_compiler), CFLAGS="-O0")
    assert not [path.name for path in installed.rglob("*.so")]
    assert run(installed, "-c", GAMES).startswith("False ")


@pytest.mark.long  # one build more; the others try all but the place
@pytest.mark.skipif(os.name == "nt", reason="the compiler that fails is a shell script")
def test_in_place_what_an_earlier_build_left_is_removed_too(
    failing_compiler: Path, tmp_path: Path
) -> None:
    source = copy_of_sources(tmp_path)
    left = source / "src" / "rage" / "engine" / f"kernel{sysconfig.get_config_var('EXT_SUFFIX')}"
    left.write_bytes(b"of an earlier build")
    subprocess.run(
        [sys.executable, "setup.py", "-q", "build_ext", "--inplace"],
        cwd=source,
        check=True,
        env={**os.environ, "RAGE_NO_PAGE": "1", "CC": str(failing_compiler), "CFLAGS": "-O0"},
        capture_output=True,
    )
    assert not [path.name for path in (source / "src").rglob("*.so")]


def test_an_editable_installation_that_shall_be_uncompiled_keeps_nothing_compiled(
    tmp_path: Path,
) -> None:
    source = copy_of_sources(tmp_path)
    left = source / "src" / "rage" / "engine" / f"kernel{sysconfig.get_config_var('EXT_SUFFIX')}"
    left.write_bytes(b"of an earlier build")
    subprocess.run(
        [sys.executable, "setup.py", "-q", "editable_wheel", "--dist-dir", str(tmp_path)],
        cwd=source,
        check=True,
        env={**os.environ, "RAGE_NO_PAGE": "1", "RAGE_PURE": "1"},
        capture_output=True,
    )
    assert [*tmp_path.glob("*.whl")]
    assert not left.exists()


@pytest.mark.long
def test_without_a_compiler_it_is_said_once(without_compiler: Path, tmp_path: Path) -> None:
    # What the table needs lies in a folder where, without "site", no other Rage is found.
    packages = Path(msgspec.__file__).parents[1]
    command = [sys.executable, "-S", "-m", "rage", "play", "--plain", "--new"]
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join((str(without_compiler), str(packages))),
        "RAGE_DATA": str(tmp_path),
        "RAGE_LANG": "en",
    }
    for times in (1, 0):
        done = subprocess.run(
            command,
            check=False,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr
        assert done.stderr.count("only slower") == done.stderr.count("\n") == times
