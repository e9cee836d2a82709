"""The types of the installed package, as the checkers of its users see them."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from pkgutil import resolve_name
from typing import NamedTuple

import pytest

from documents import PAGES, ROOT

EXAMPLES = sorted((ROOT / "examples").glob("*.py"))

#: Every line marked as wrong must be an error, and no other may be one.
MISUSE = """
import rage

game = rage.Game("poof", 4, seed=1)
view = game.view(0)
game.play(3)  # wrong
game.play(3.5)  # wrong
game.why_not(None)  # wrong
game.is_legal(rage.Card("R15"))
game.is_legal(rage.Colour.RED)  # wrong
game.names[game.to_act]  # wrong
game.trump = None  # wrong
game.view("Ada")  # wrong
game.hand()  # wrong
view.play("3")  # wrong
view.hand.append(rage.Card("R15"))  # wrong
rage.Card(3)  # wrong
rage.Move(3)  # wrong
rage.Move("3").rank + 1  # wrong
rage.Hand([1, 2])  # wrong
rage.Game("poof", 4.0)  # wrong
rage.Game("poof", players=["Ada", 2])  # wrong
rage.bot("hard").choose(game)  # wrong
rage.bot("hard").choose(view, 32)  # wrong
rage.bot("hard", seed="x")  # wrong
rage.replay("sample")  # wrong
rage.read_record(3)  # wrong
rage.Reason("bid").sentence(1)  # wrong
rage.ruleset("poof").replace("miss", -5)  # wrong
rage.Gmae("poof", 4)  # wrong


class Silent:
    name = "silent"


class Wordy:
    name = "wordy"

    def choose(self, view: rage.View, budget: rage.Budget | None = None) -> int:
        return 3


silent: rage.Bot = Silent()  # wrong
wordy: rage.Bot = Wordy()  # wrong
"""


class Error(NamedTuple):
    """Where a checker finds fault, and with what."""

    file: str
    line: int
    said: str


def run(python: Path, folder: Path, tool: str, *words: str, more: str = "") -> str:
    """What a checker says, with the packages of an environment and of the folder ``more``, and none
    of the tests'."""
    search = os.pathsep.join((str(python.parent), os.environ["PATH"]))
    environment = {**os.environ, "PATH": search, "PYTHONPATH": more}
    done = subprocess.run(
        [sys.executable, "-m", tool, *words], cwd=folder, env=environment,
        capture_output=True, text=True, encoding="utf-8", check=False,
    )  # fmt: skip
    assert done.returncode in (0, 1), done.stdout + done.stderr
    return done.stdout


def by_mypy(python: Path, folder: Path) -> list[Error]:
    files = [each.name for each in folder.glob("*.py")]
    options = ["--strict", "--output", "json", "--cache-dir", os.devnull]
    said = run(python, folder, "mypy", *options, "--python-executable", str(python), *files)
    found = [json.loads(line) for line in said.splitlines()]
    return [Error(each["file"], each["line"], each["message"]) for each in found]


def by_pyright(python: Path, folder: Path) -> list[Error]:
    (folder / "pyrightconfig.json").write_text('{"typeCheckingMode": "strict"}')
    found = json.loads(run(python, folder, "pyright", "--outputjson"))["generalDiagnostics"]
    return [Error(Path(each["file"]).name, each["range"]["start"]["line"] + 1, each["message"])
            for each in found]  # fmt: skip


@pytest.mark.sampled(2)
@pytest.mark.parametrize("check", [by_mypy, by_pyright])
def test_a_strict_checker_accepts_the_examples_and_refuses_misuse(
    check: Callable[[Path, Path], list[Error]], installed: Path, tmp_path: Path
) -> None:
    for each in EXAMPLES:
        shutil.copy(each, tmp_path)
    (tmp_path / "misuse.py").write_text(MISUSE)
    lines = enumerate(MISUSE.splitlines(), 1)
    wrong = {("misuse.py", number) for number, line in lines if line.endswith("# wrong")}
    errors = check(installed, tmp_path)
    assert [each for each in errors if each[:2] not in wrong] == []
    assert {each[:2] for each in errors} == wrong


def public() -> set[str]:
    """The names in the reference; those of functions and classes also as they are where they are
    defined, with the bases of classes."""
    text = "".join(page.read_text("utf-8") for page in PAGES if page.parent.name == "reference")
    shown = set(re.findall(r"^\.\. auto(?!module)\w+:: ([\w.]+)", text, re.MULTILINE))
    for name in re.findall(r"^\.\. automodule:: (.+)", text, re.MULTILINE):
        exported = getattr(import_module(name), "__all__", None)
        shown |= {f"{name}.{each}" for each in exported} if exported else {name}
    things = map(resolve_name, shown)
    origins = (each for thing in things for each in getattr(thing, "__mro__", (thing,)))
    named = (each for each in origins if hasattr(each, "__qualname__"))
    return shown | {f"{each.__module__}.{each.__qualname__}" for each in named}


#: What extends classes that have no types themselves, or ambiguous ones; mypy checks it.
OF_OTHERS = ("rage.envs.aec.", "rage.envs.seat.", "rage.envs.vector.")


@pytest.mark.long
def test_everything_in_the_reference_is_fully_typed(installed: Path, tmp_path: Path) -> None:
    options = ["--verifytypes", "rage", "--ignoreexternal", "--outputjson"]
    theirs = sysconfig.get_path("purelib")  # NumPy and others, which some types are of
    said = run(installed, tmp_path, "pyright", *options, more=theirs)
    report = json.loads(said)["typeCompleteness"]
    symbols = {name: each["isTypeKnown"] and not each["isTypeAmbiguous"]
               for each in report["symbols"]
               for name in (each["name"], *each.get("alternateNames", ()))}  # fmt: skip
    untyped = set[str]()
    for name in public():
        if name.startswith("rage.") and not name.startswith(OF_OTHERS):
            members = {each for each in symbols if f"{each}.".startswith(f"{name}.")}
            untyped |= {each for each in members if not symbols[each]} if members else {name}
    assert not untyped, "not fully typed:\n" + "\n".join(sorted(untyped))
