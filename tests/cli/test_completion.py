"""Shell completion: what is offered, and that the shells take it."""

from __future__ import annotations

import functools
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from rage.cli import main
from rage.rules.editions import ruleset
from rage.say import LANGUAGES
from rage.tui.session import Session

RUN = "from rage.cli import main; raise SystemExit(main())"
RAGE = f'#!/bin/sh\nexec "{sys.executable}" -c "{RUN}" "$@"\n'
#: Completes a line as bash does when Tab is pressed at its end, by a script that it has read.
BASH = """
eval "$2"
COMP_LINE=$1 COMP_POINT=${#1} COMP_TYPE=9 COMP_WORDS=($1)
[[ $1 == *" " ]] && COMP_WORDS+=("")
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
_python_argcomplete rage "${COMP_WORDS[$COMP_CWORD]}" ""
printf '%s\\n' "${COMPREPLY[@]}"
"""
bash = pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")


@pytest.fixture(autouse=True)
def _program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A program ``rage``, and a data folder."""
    (tmp_path / "rage").write_text(RAGE)
    (tmp_path / "rage").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("RAGE_DATA", str(tmp_path / "data"))
    monkeypatch.delenv("TERM", raising=False)


@functools.cache
def script() -> str:
    """What bash reads when it starts, once for all lines."""
    asked = ["rage", "completion", "bash"]
    return subprocess.run(asked, capture_output=True, text=True, timeout=30, check=True).stdout


def offered(line: str) -> list[str]:
    done = subprocess.run(
        ["bash", "--norc", "-c", BASH, "bash", line, script()],
        capture_output=True, text=True, timeout=30, check=True,
    )  # fmt: skip
    assert done.stderr == ""
    return done.stdout.split()


@pytest.mark.sampled(3)
@bash
@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("rage pl", ["play"]),
        ("rage --lang de pl", ["play"]),
        ("rage games d", ["delete"]),
        ("rage play --sp", ["--speed"]),
        ("rage play --speed ", ["slow", "normal", "fast", "instant"]),
        ("rage play --rules a", ["amigo"]),
        ("rage play --rules amigo+sw", ["amigo+sweep"]),
        ("rage rules b", ["bga"]),
        ("rage rules bga+sw", ["bga+sweep"]),
        ("rage play --bots steady,m", ["steady,medium", "steady,master"]),
        ("rage play --bots ra", []),  # a yardstick
        ("rage arena steady fl", ["flat", "flat+"]),
        ("rage rules --lang ", [*LANGUAGES]),
        ("rage --no-b", ["--no-browser"]),
        ("rage --lan --no", ["--no-browser"]),
        ("rage serve --log ", ["text", "json"]),
        ("rage replay docs/rec", ["docs/record.md"]),
        ("rage play --players ", []),
        ("rage play --name ", []),
    ],
)
def test_what_could_stand_there_is_offered(
    line: str, words: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(Path(__file__).parents[2])
    assert sorted(offered(line)) == sorted(words)


@bash
def test_kept_games_are_offered() -> None:
    session = Session.start(ruleset("poof"), ["Ann", "Ben"], ["random"], b"x")
    name = session.path.name.partition(".")[0]
    assert offered("rage games resume 2") == [name]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_every_shell_reads_what_is_printed(
    shell: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["completion", shell]) == 0
    script = tmp_path / f"complete.{shell}"
    script.write_text(capsys.readouterr().out)
    assert "_ARGCOMPLETE" in script.read_text()
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    check = {"bash": ["--norc", "-n"], "zsh": ["-f", "-n"], "fish": ["--no-config", "-n"]}[shell]
    done = subprocess.run([shell, *check, str(script)], capture_output=True, text=True, timeout=30)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.skipif(shutil.which("fish") is None, reason="needs fish")
def test_fish_offers_what_each_option_is_for() -> None:
    line = 'rage completion fish | source; complete -C "rage play --sp"'
    done = subprocess.run(
        ["fish", "--no-config", "-c", line], capture_output=True, text=True, timeout=30, check=True
    )
    assert done.stdout == "--speed\thow fast the bots move (default: normal)\n"
