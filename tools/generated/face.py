"""The public face of the library: ``python -m tools.generated.face`` prints every name of the
reference, page by page, with its arguments and its public members.

They come from the sources, so that compiled modules have them, too. A test checks that
``tests/face.txt`` is up to date, and that no public name is left out.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from inspect import isclass
from pathlib import Path
from pkgutil import resolve_name
from typing import Any, NamedTuple

from rage.rules.frozen import Value

REFERENCE = Path(__file__).parents[2] / "docs" / "reference"
_DIRECTIVE = re.compile(r"^\.\. (?:auto|py:)(\w+):: ([\w.]+).*\n((?:   :.*\n)*)", re.MULTILINE)
_OPTION = re.compile(r":([\w-]+):(.*)")
_CDEF = re.compile(r"^    cdef (?!readonly |public )[\w* ]*?(\w+)(?:\(.*)?$", re.MULTILINE)
Function = ast.FunctionDef | ast.AsyncFunctionDef


class Entry(NamedTuple):
    """A name on a page of the reference, and how it is shown."""

    page: str
    kind: str
    name: str
    options: dict[str, str]

    @property
    def thing(self) -> Any:
        """What has that name."""
        return resolve_name(self.name)


def entries() -> Iterator[Entry]:
    """Every name of the reference, in order."""
    for page in sorted(REFERENCE.glob("*.md")):
        for kind, name, options in _DIRECTIVE.findall(page.read_text("utf-8")):
            if kind == "currentmodule":
                continue
            found = {key: value.strip() for key, value in _OPTION.findall(options)}
            whole = name if name.startswith("rage.") else f"{found.get('module', 'rage')}.{name}"
            yield Entry(page.name, kind, whole, found)


@cache
def _module(name: str) -> dict[str, ast.stmt]:
    """What is defined at the top of a module, by name."""
    spec = find_spec(name)
    assert spec is not None
    source = Path(str(spec.origin))
    if source.suffix != ".py":
        source = source.with_name(f"{name.rpartition('.')[2]}.py")
    found: dict[str, ast.stmt] = {}
    for node in ast.parse(source.read_text("utf-8")).body:
        if isinstance(node, Function | ast.ClassDef):
            found[node.name] = node
        elif isinstance(node, ast.AnnAssign):
            found[ast.unparse(node.target)] = node
    return found


@cache
def _inner(name: str) -> frozenset[str]:
    """What only the C code of a compiled module can reach."""
    spec = find_spec(name)
    assert spec is not None
    types = Path(str(spec.origin)).with_name(f"{name.rpartition('.')[2]}.pxd")
    return frozenset(_CDEF.findall(types.read_text("utf-8")) if types.is_file() else ())


def classes(kind: type) -> Iterator[ast.ClassDef]:
    """The definitions of a class and of the classes of Rage that it is derived from."""
    for each in kind.__mro__:
        if each.__module__.partition(".")[0] == "rage":
            node = _module(_home(each)).get(each.__name__)
            if isinstance(node, ast.ClassDef):
                yield node


def _home(thing: Any) -> str:
    """The module in which something is defined, whatever it is called in tracebacks."""
    name: str = thing.__module__
    if name in ("rage", "rage.notation"):
        return "rage.say" if name == "rage" else "rage.notation.record"
    return name


def members(kind: type) -> dict[str, str]:
    """The public members of a class by name, each in one line."""
    found: dict[str, str] = {}
    for node in classes(kind):
        for each in node.body:
            for name, line in _member(each):
                if not name.startswith("_") and name not in _inner(_home(kind)):
                    found.setdefault(name, line)
    return found


def _member(node: ast.stmt) -> Iterator[tuple[str, str]]:
    if isinstance(node, Function):
        yield from _own(node)
        if any("property" in ast.unparse(each) for each in node.decorator_list):
            yield node.name, f"{node.name}: {ast.unparse(node.returns or ast.Constant(None))}"
        else:
            yield node.name, signature(node, node.name)
    elif isinstance(node, ast.AnnAssign):
        yield ast.unparse(node.target), ast.unparse(node)
    elif isinstance(node, ast.Assign):
        yield from ((ast.unparse(each), ast.unparse(node)) for each in node.targets)


def _own(function: Function) -> Iterator[tuple[str, str]]:
    """The attributes to which a method gives a type."""
    for node in ast.walk(function):
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Attribute):
            yield node.target.attr, f"{node.target.attr}: {ast.unparse(node.annotation)}"


def signature(node: Function, name: str) -> str:
    """A function as it is called, without what Python passes by itself."""
    given = ast.unparse(node.args)
    static = any(ast.unparse(each) == "staticmethod" for each in node.decorator_list)
    if re.match(r"(self|cls)\b", given) and not static:
        given = re.sub(r"^(self|cls)(, )?", "", given)
    returns = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    return f"{name}({given}){returns}"


def _told(entry: Entry) -> Iterator[str]:
    thing = entry.thing
    if not isclass(thing):
        node = _module(_home(thing)).get(thing.__name__) if hasattr(thing, "__name__") else None
        yield signature(node, entry.name) if isinstance(node, Function) else entry.name
        return
    made = (each for node in classes(thing) for each in node.body)
    maker = next((each for each in made if isinstance(each, Function)
                  and each.name in ("__init__", "__new__")), None)  # fmt: skip
    if issubclass(thing, Value) and "__init__" not in vars(thing):
        maker = None  # its fields say it
    given = signature(maker, "").removesuffix(" -> None").partition(" -> ")[0] if maker else ""
    shown = entry.options.get("members", "")
    yield entry.name if given in ("", "()") else f"{entry.name}{given}"
    for name, line in members(thing).items():
        if not shown or name in shown.split(", "):
            yield f"    {line}"


def main() -> None:
    """Print the face."""
    page = ""
    for entry in entries():
        if entry.page != page:
            page = entry.page
            sys.stdout.write(f"\n# {page}\n")
        sys.stdout.write("\n".join(_told(entry)) + "\n")


if __name__ == "__main__":
    main()
