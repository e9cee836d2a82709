"""What docstrings and comments refer to is there, under the name that they use where they stand."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import pytest

import rage

PACKAGE = Path(rage.__file__).parent
SOURCES = sorted(PACKAGE.rglob("*.py"))
REFERENCE = re.compile(r":(?:func|class|meth|data|attr|mod|exc):`~?([\w.]+)`")


def module_name(path: Path) -> str:
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_name(path): path for path in SOURCES}


@cache
def names_of(module: str) -> dict[str, ast.AST | str]:
    """The names at the top of a module: what defines each, or for an import the dotted name."""
    found: dict[str, ast.AST | str] = {}
    for node in ast.walk(ast.parse(MODULES[module].read_text(encoding="utf-8"))):
        match node:
            case ast.ImportFrom(module=str() as origin):
                found |= {each.asname or each.name: f"{origin}.{each.name}" for each in node.names}
            case ast.Import():
                found |= {each.asname or each.name: each.name for each in node.names}
    return found | defined(ast.parse(MODULES[module].read_text(encoding="utf-8")))


def defined(scope: ast.Module | ast.ClassDef) -> dict[str, ast.AST]:
    """What is defined in a module or a class, also under a condition, and attributes of
    ``self``."""
    found: dict[str, ast.AST] = {}
    nodes = list(scope.body)
    while nodes:
        node = nodes.pop()
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                found[name] = node
                nodes += own_attributes(node) if isinstance(scope, ast.ClassDef) else []
            case ast.ClassDef(name=name):
                found[name] = node
            case ast.If() | ast.Try():
                nodes += [each for each in ast.iter_child_nodes(node) if isinstance(each, ast.stmt)]
            case ast.Assign(targets=targets):
                found |= {each: node for target in targets for each in assigned(target)}
            case ast.AnnAssign(target=target) | ast.For(target=target):
                found |= dict.fromkeys(assigned(target), node)
    return found


def own_attributes(function: ast.FunctionDef | ast.AsyncFunctionDef) -> list[ast.stmt]:
    return [each for each in ast.walk(function) if isinstance(each, ast.Assign | ast.AnnAssign)]


def assigned(target: ast.AST) -> Iterator[str]:
    for each in ast.walk(target):
        if isinstance(each, ast.Name):
            yield each.id
        elif isinstance(each, ast.Attribute) and isinstance(each.value, ast.Name):
            yield each.attr


def is_there(dotted: str) -> bool:
    """Whether a dotted name below ``rage`` leads to something; any other is believed."""
    if dotted.partition(".")[0] != "rage":
        return True
    module = max((m for m in MODULES if f"{dotted}.".startswith(f"{m}.")), key=len)
    rest = dotted[len(module) + 1 :].split(".") if dotted != module else []
    if not rest:
        return True
    if module == "rage":
        return hasattr(rage, rest[0])
    origin = names_of(module).get(rest[0])
    return origin is not None and leads_to(origin, rest[1:], module)


def leads_to(origin: ast.AST | str, rest: list[str], module: str) -> bool:
    if isinstance(origin, str):
        return is_there(".".join([origin, *rest]))
    if not rest or not isinstance(origin, ast.ClassDef):
        return not rest
    return rest[0] in members(origin, module)


def members(scope: ast.ClassDef, module: str) -> set[str]:
    """The members of a class, and of the classes of ``rage`` that it is derived from."""
    found = set(defined(scope))
    for base in scope.bases:
        name = ast.unparse(base).partition("[")[0]
        origin = names_of(module).get(name)
        if isinstance(origin, str) and origin.startswith("rage."):
            module, _, name = origin.rpartition(".")
            origin = names_of(module).get(name) if module in MODULES else None
        if isinstance(origin, ast.ClassDef) and origin is not scope:
            found |= members(origin, module)
    return found


def references(tree: ast.AST, inside: tuple[ast.ClassDef, ...] = ()) -> Iterator[
    tuple[str, tuple[ast.ClassDef, ...]]
]:  # fmt: skip
    """What the texts of a tree refer to, and the classes that each stands in."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield from ((each, inside) for each in REFERENCE.findall(node.value))
        yield from references(node, (*inside, node) if isinstance(node, ast.ClassDef) else inside)


@pytest.mark.parametrize("module", MODULES)
def test_what_a_docstring_refers_to_is_there(module: str) -> None:
    source = MODULES[module].read_text(encoding="utf-8")
    missing = []
    found = list(references(ast.parse(source)))
    found += [(each, ()) for line in source.splitlines() if line.lstrip().startswith("#")
              for each in REFERENCE.findall(line)]  # fmt: skip
    for dotted, inside in found:
        first, *rest = dotted.split(".")
        origin = names_of(module).get(first)
        there = (
            is_there(dotted) if first == "rage" or f"{module}.{first}" in MODULES
            else leads_to(origin, rest, module) if origin is not None
            else hasattr(builtins, first) or find_spec(first) is not None
            or any(first in members(each, module) for each in inside)
        )  # fmt: skip
        if not there:
            missing.append(dotted)
    assert missing == []


def test_every_name_that_a_module_exports_is_there() -> None:
    for module in MODULES:
        tree = ast.parse(MODULES[module].read_text(encoding="utf-8"))
        for node in tree.body:
            if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
                exported = ast.literal_eval(node.value)
                assert [each for each in exported if not is_there(f"{module}.{each}")] == []
