"""The folder's own Python, in Node: what it plays is what the package plays."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from alone.games import told
from tools.alone.__main__ import FOLDER, PARTS
from tools.alone.sizes import LIMITS, total
from tools.node import NODE

HERE = Path(__file__).parent


def run_inside(tmp_path: Path, program: str) -> str:
    """What a program is that the folder's Python runs after ``games.py``."""
    if not (FOLDER / "worker.js").is_file():
        pytest.fail("the folder is not built: make alone")
    whole = tmp_path / "program.py"
    whole.write_text(f"{(HERE / 'games.py').read_text()}\n{program}", encoding="utf-8")
    command = [NODE, str(HERE / "inside.mjs"), str(FOLDER), str(PARTS), str(whole)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_first_game_loads_no_more_than_it_may() -> None:
    """Brotli takes half a minute; ``make alone`` says what becomes of it."""
    assert total("gz") <= LIMITS["gz"]


@pytest.mark.parametrize(
    ("name", "count"),
    [("steady", 4), ("hard", 2), pytest.param("steady", 100, marks=pytest.mark.long)],
)
def test_a_game_is_that_of_the_package_byte_for_byte(tmp_path: Path, name: str, count: int) -> None:
    """Compiled there as here: another Python would have steady play for hard."""
    program = f"''.join(told(number, {name!r}) for number in range({count}))"
    expected = "".join(told(number, name) for number in range(count))
    assert run_inside(tmp_path, program) == f"{expected}\n"
