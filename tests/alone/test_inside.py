"""The folder's own Python, in Node: what it plays is what the package plays."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from alone.games import told
from tools.alone.__main__ import FOLDER, PARTS
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


@pytest.mark.parametrize("count", [4, pytest.param(100, marks=pytest.mark.long)])
def test_a_game_of_steady_is_that_of_the_package_byte_for_byte(tmp_path: Path, count: int) -> None:
    program = f"''.join(told(number) for number in range({count}))"
    expected = "".join(told(number) for number in range(count))
    assert run_inside(tmp_path, program) == f"{expected}\n"


def test_a_bot_that_has_learned_plays_the_same_with_the_layers_in_javascript(
    tmp_path: Path,
) -> None:
    program = """
from rage.house.alone import layers
game, moves = Game("amigo", 4, seed=3), []
while game.ply < 12:
    seat = game.to_act
    moves.append(str(bot("medium", seat).choose(game.view(seat))))
    game.play(moves[-1])
layers.use(make_layers)
again, same = Game("amigo", 4, seed=3), []
while again.ply < 12:
    seat = again.to_act
    same.append(str(bot("medium", seat).choose(again.view(seat))))
    again.play(same[-1])
str(moves == same)
"""
    assert run_inside(tmp_path, program) == "True\n"
