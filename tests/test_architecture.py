"""What docs/design.md asks of the sources: layers, sizes, types, words, and one game twice."""

from __future__ import annotations

import ast
import json
import os
import re
import statistics
import struct
import subprocess
import sys
from collections.abc import Mapping
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path
from typing import Any, get_args

import pytest

import rage
import rage.arena.data.uncompiled
import rage.bots.uncompiled
import rage.envs.uncompiled
from rage import ruleset
from rage.arena.data.schema import TABLES, WIDE
from rage.engine import kernel, uncompiled
from rage.features.meanings import FEATURES
from rage.house.requests.days import DayEdition
from rage.rules import cards
from rage.rules.ruleset import EDITIONS
from rage.rules.settings import PRINTED
from rage.say import LANGUAGES, catalogue
from uncompiled import run_uncompiled

PACKAGE = Path(rage.__file__).parent
ROOT = Path(__file__).parents[1]
PXD = (PACKAGE / "engine" / "kernel.pxd").read_text(encoding="utf-8")
KERNEL = (PACKAGE / "engine" / "kernel.py").read_text(encoding="utf-8")
SOURCES = sorted(PACKAGE.rglob("*.py"))


@cache
def parsed(path: Path) -> ast.Module:
    """The syntax of a source."""
    return ast.parse(path.read_text(encoding="utf-8"))


# --- the types of C ------------------------------------------------------------------------


def constants_of_c() -> dict[str, int]:
    """The enumerators and the 64-bit macros of kernel.pxd."""
    found = {n: int(v, 0) for n, v in re.findall(r"^    ([A-Z_]+) = (\d+)$", PXD, re.M)}
    macros = re.findall(r"#define ([A-Z_0-9]+) RAGE_U64\((\w+)\)", PXD)
    return found | {name: int(value, 0) for name, value in macros}


def constants_of_python() -> dict[str, int]:
    """What kernel.py defines where it is not compiled."""
    block = next(
        node for node in ast.parse(KERNEL).body
        if isinstance(node, ast.If) and ast.unparse(node.test) == "not cython.compiled"
    )  # fmt: skip
    names: dict[str, Any] = {}
    exec("\n".join(ast.unparse(node) for node in block.body), names)
    return {name: value for name, value in names.items() if type(value) is int}


def test_the_constants_of_c_are_those_of_python() -> None:
    in_c, in_python = constants_of_c(), constants_of_python()
    assert len(in_c) > 35
    for name, value in in_c.items():
        expected = in_python[name] if name in in_python else getattr(cards, name)
        assert expected == value, name
    assert in_python.keys() <= in_c.keys()


def test_uncompiled_every_struct_has_the_fields_of_its_pxd() -> None:
    declared = {
        name: fields.count("\n")
        for path in PACKAGE.rglob("*.pxd")
        for name, fields in re.findall(
            r"^cdef struct (\w+):\n((?:    .*\n)+)", path.read_text(encoding="utf-8"), re.M
        )
    }
    made = {each.__name__: len(vars(each())) for each in uncompiled.Struct.__subclasses__()}
    made["State"] -= 1  # the next one of an array
    assert made == declared


def test_a_state_is_at_most_256_bytes() -> None:
    """ "One state of fixed size, at most 256 bytes, holds the whole game" """
    state = vars(uncompiled.State())
    sizes = {name: len(each) for name, each in state.items() if isinstance(each, list)}
    layout = (f"{sizes.get(name, 1)}{code}" for name, code in uncompiled.State.codes.items())
    assert struct.calcsize("".join(layout) + "0Q") <= 256


def test_position_imports_only_what_the_types_of_c_have() -> None:
    """Uncompiled it names what it imports; compiled it gets everything of kernel.pxd."""
    tree = ast.parse((PACKAGE / "engine" / "position.py").read_text(encoding="utf-8"))
    names = [
        alias.name for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)
        and node.module == "rage.engine.kernel" for alias in node.names
    ]  # fmt: skip
    assert len(names) > 10
    assert all(re.search(rf"\b{name}\b", PXD) for name in names)


# --- sizes and words -----------------------------------------------------------------------


def test_the_kernel_has_at_most_700_lines() -> None:
    assert KERNEL.count("\n") <= 700


def functions() -> list[tuple[str, int]]:
    """The functions of the package and how many lines each has."""
    found = []
    for path in SOURCES:
        for node in ast.walk(parsed(path)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                lines = (node.end_lineno or 0) - node.lineno + 1
                found.append((f"{path.name}:{node.name}", lines))
    return found


def test_functions_are_short() -> None:
    """ "Functions are short: a median under ten lines, 70 at most." """
    assert statistics.median(lines for _, lines in functions()) < 10
    assert not [each for each in functions() if each[1] > 70]


@pytest.mark.parametrize("module", ["kernel.py", "kernel.pxd", "position.py"])
def test_the_kernel_knows_no_edition(module: str) -> None:
    """ "The kernel tests settings, never an edition's name" """
    text = (PACKAGE / "engine" / module).read_text(encoding="utf-8").lower()
    assert not [word for word in (*PRINTED, "oh_hell", "oh hell", "edition") if word in text]


def test_every_printed_edition_stands_wherever_editions_are_named() -> None:
    """The list that a new one has to go through: docs/design.md, Where to change what."""
    assert get_args(DayEdition) == PRINTED
    built = ROOT / "web" / "src" / "guided" / "built"
    for name in PRINTED:
        assert (built / f"{name}.json").is_file()
        for language in LANGUAGES:
            for code in ("edition.{}", "edition.short.{}", "rules.source.{}"):
                assert code.format(name) in catalogue(language)


def test_each_setting_is_read_in_one_place_of_the_kernel() -> None:
    """ "each setting is read in one function": where the rules are made into numbers."""
    tree = ast.parse(KERNEL)
    readers: dict[str, set[str]] = {}
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef):
            for setting in re.findall(r"ruleset\.(\w+)", ast.unparse(function)):
                readers.setdefault(setting, set()).add(function.name)
    several = {setting for setting, names in readers.items() if len(names) > 1}
    assert not several
    assert "change" in readers


def logged(tree: ast.Module) -> list[ast.Call]:
    """What is written to a log, which operators of servers read, and grep, in English."""
    return [
        node for node in ast.walk(tree)
        if isinstance(node, ast.Call) and re.fullmatch(
            r"_?log\.(debug|info|warning|error|exception)", ast.unparse(node.func)
        )
    ]  # fmt: skip


ERRORS = {"AttributeError", "ImportError", "TypeError", "ValueError"}


def for_programmers(tree: ast.Module) -> list[ast.AST]:
    """What a ``repr`` is made of, and what Python's own errors say."""
    return [
        part for node in ast.walk(tree)
        if (isinstance(node, ast.FunctionDef) and node.name in ("__repr__", "_repr"))
        or (isinstance(node, ast.Call) and ast.unparse(node.func) in ERRORS)
        for part in ast.walk(node)
    ]  # fmt: skip


def no_docstrings(tree: ast.Module) -> list[str]:
    """The string literals of a module that are neither docstrings nor for a log, nor for
    programmers."""
    bare = {
        id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)
    }  # docstrings and the like
    bare |= {id(each) for call in logged(tree) for each in call.args}
    bare |= {id(each) for each in for_programmers(tree)}
    return [
        node.value for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in bare
    ]  # fmt: skip


#: Like the log, metrics explain themselves to operators in English.
METRICS = PACKAGE / "server" / "metrics.py"


def test_no_sentence_for_people_stands_in_the_code() -> None:
    """Three plain words in a row are a sentence, and belong into a catalogue."""
    sentence = re.compile(r"[A-Za-z]{2,} [a-z]{2,} [a-z]{2,}")
    columns = [each.says for table in (*TABLES.values(), WIDE) for each in table]
    known = {*(each.meaning for each in FEATURES), *columns}
    for path in SOURCES:
        if path != METRICS:
            literals = no_docstrings(ast.parse(path.read_text(encoding="utf-8")))
            found = [each for each in literals if sentence.search(each) and each not in known]
            assert found == [], path


# --- layers and imports --------------------------------------------------------------------


def python(program: str, *words: str, path: Path | None = None) -> str:
    """What a program prints, in an interpreter of its own; with ``path`` before all else."""
    environment = dict(os.environ)
    if path is not None:
        environment["PYTHONPATH"] = str(path)
    done = subprocess.run(
        [sys.executable, "-c", program, *words],
        capture_output=True, text=True, check=False, env=environment, cwd=ROOT / "tests",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_importing_rage_loads_nothing_heavy() -> None:
    loaded = python("import rage, sys; print(*sys.modules)").split()
    assert "rage" in loaded
    assert not {"numpy", "textual", "rage.engine.kernel", "rage.say"} & set(loaded)


def test_the_library_loads_no_package_of_others() -> None:
    program = (
        "import rage, rage.bots, rage.notation, rage.game.story, sys\n"
        "game = rage.Game('poof', 3, seed=b'x'); game.view(0).as_data(); print(*sys.modules)"
    )
    loaded = python(program).split()
    assert "rage.engine.kernel" in loaded
    assert not {"numpy", "textual", "msgspec", "cython", "Cython"} & set(loaded)


def test_every_layer_imports_only_what_stands_below_it() -> None:
    program = (
        "from importlinter.cli import lint_imports; raise SystemExit(lint_imports(no_cache=True))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False, cwd=ROOT
    )
    assert done.returncode == 0, done.stdout


def imported(path: Path, modules: Mapping[str, Path]) -> set[str]:
    """The modules of the package that a file imports, also in a function or for types alone."""
    tree = parsed(path)
    found = set[str]()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {each.name for each in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = {f"{node.module}.{each.name}" for each in node.names}
            found |= names & modules.keys() or {node.module}
    return found & modules.keys()


def test_no_files_import_each_other_in_a_circle() -> None:
    modules = {
        ".".join(("rage", *path.relative_to(PACKAGE).with_suffix("").parts)).removesuffix(
            ".__init__"
        ): path
        for path in SOURCES
    }
    graph = {name: imported(path, modules) for name, path in modules.items()}
    assert "rage.bots.interface" in graph["rage.bots"]
    assert [*TopologicalSorter(graph).static_order()]  # raises CycleError, which names the circle


# --- one game twice ------------------------------------------------------------------------

RANDOM_GAMES = """
import json, sys
from rage import ruleset
from rage.engine import kernel
for line in sys.stdin:
    rules, players, games, seed = json.loads(line)
    print(*kernel.random_games(ruleset(rules), players, games, seed))
"""

SIZES = [
    (edition, players)
    for edition in PRINTED
    for players in range(EDITIONS[edition].player_range[0], EDITIONS[edition].player_range[1] + 1)
]
VARIED = [
    ("poof+out:trick+anytime-actions+sweep", 4), ("poof+change:reveal+second_wild:higher", 3),
    ("amigo+change:choose+two-teams", 6), ("fundex+three-teams+secret-bids+sweep", 6),
    ("amigo+plus-minus-one+pack:wild4.change4.out4.bonus4.mad4", 5), ("poof+rising+volatile", 8),
    ("amigo+schedule:15.1.15", 6), ("fundex+pack:wild0.change0.out0.bonus0.mad0", 2),
]  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the package is as it is written, once it has been copied there."""
    return tmp_path_factory.mktemp("uncompiled")


def compare(folder: Path, wanted: list[tuple[str, int]], games: int) -> None:
    """Play the same games compiled and not."""
    lines = "\n".join(json.dumps([*each, games, seed]) for seed, each in enumerate(wanted))
    said = run_uncompiled(folder, RANDOM_GAMES, lines)
    answers = [tuple(map(int, line.split())) for line in said.splitlines()]
    expected = [
        kernel.random_games(ruleset(rules), players, games, seed)
        for seed, (rules, players) in enumerate(wanted)
    ]
    assert dict(zip(wanted, answers, strict=True)) == dict(zip(wanted, expected, strict=True))


needs_compiled = pytest.mark.skipif(
    not kernel.COMPILED, reason="there is no compiled kernel here to compare with"
)


@needs_compiled
def test_compiled_and_uncompiled_games_are_equal(folder: Path) -> None:
    compare(folder, SIZES, 30)


@needs_compiled
def test_compiled_and_uncompiled_games_are_equal_in_variants(folder: Path) -> None:
    compare(folder, VARIED, 15)


@pytest.mark.long
@needs_compiled
@pytest.mark.parametrize(("edition", "players"), SIZES)
def test_ten_thousand_compiled_and_uncompiled_games_are_equal(
    folder: Path, edition: str, players: int
) -> None:
    compare(folder, [(edition, players)], 10_000)


def test_random_games_are_repeatable_and_differ_by_seed() -> None:
    rules = ruleset("poof")
    assert kernel.random_games(rules, 4, 20, 1) == kernel.random_games(rules, 4, 20, 1)
    assert kernel.random_games(rules, 4, 20, 1)[1] != kernel.random_games(rules, 4, 20, 2)[1]
