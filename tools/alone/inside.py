"""Runs inside Pyodide (``compile.mjs``): finds which modules are needed, and compiles them.

It is a static analysis: it follows every import statement, also those inside functions, because
running a game or two would import less than people ever need.
"""

from __future__ import annotations

import ast
import importlib.util
import json
import marshal
import sys
import zipfile
from collections.abc import Collection, Iterable, Iterator
from importlib import import_module
from typing import Final

#: The start of a .pyc that is never compared with its source (PEP 552).
_UNCHECKED: Final = importlib.util.MAGIC_NUMBER + (1).to_bytes(4, "little")
#: The optimization level that drops docstrings and assertions.
_OPTIMIZED: Final = 2


class Sources:
    """The sources of all modules in some archives, by module name."""

    def __init__(self, archives: Iterable[str]) -> None:
        self.texts: dict[str, bytes] = {}
        self.packages: set[str] = set()
        for archive in archives:
            with zipfile.ZipFile(archive) as opened:
                for path in filter(lambda path: path.endswith(".py"), opened.namelist()):
                    name = path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
                    self.texts[name] = opened.read(path)
                    if path.endswith("/__init__.py"):
                        self.packages.add(name)

    def imports(self, name: str) -> set[str]:
        """The imports of a module: modules, and names that may be modules."""
        package = name if name in self.packages else name.rpartition(".")[0]
        found = set[str]()
        for node in _executed(ast.parse(self.texts[name])):
            if isinstance(node, ast.Import):
                found.update(each.name for each in node.names)
            elif isinstance(node, ast.ImportFrom):
                above = package.rsplit(".", node.level - 1)[0] if node.level else ""
                start = ".".join(filter(None, (above, node.module)))
                found.update((start, *(f"{start}.{each.name}" for each in node.names)))
        return found

    def path(self, name: str) -> str:
        """The path of a compiled module in its archive."""
        return name.replace(".", "/") + ("/__init__.pyc" if name in self.packages else ".pyc")


def _executed(tree: ast.AST) -> Iterator[ast.AST]:
    """All descendants of a node, except code for type checkers, command lines or other systems."""
    for each in ast.iter_child_nodes(tree):
        if isinstance(each, ast.If) and _is_never_true(each.test):
            for other in each.orelse:
                yield other
                yield from _executed(other)
        else:
            yield each
            yield from _executed(each)


def _is_never_true(test: ast.expr) -> bool:
    match test:
        case ast.Name("TYPE_CHECKING") | ast.Compare(ast.Name("__name__")):
            return True
        case ast.Compare(ast.Attribute(attr="platform"), [ast.Eq()], [ast.Constant(name)]):
            return name != sys.platform
    return False


def follow(
    sources: Sources, roots: Iterable[str], without: Collection[str]
) -> tuple[set[str], set[str], dict[str, list[str]]]:
    """Follow all imports, starting from some modules. Returns the modules that are needed, the
    entries of ``without`` (modules, or packages with all below them) that were met and left out,
    and by name the missing imports of our own modules."""
    needed, left, nowhere = set[str](), set[str](), dict[str, list[str]]()
    due = list(roots)
    while due:
        name = due.pop()
        if name in needed or name not in sources.texts:
            continue
        parts = name.split(".")
        above = {".".join(parts[:end]) for end in range(1, len(parts) + 1)}
        if not above.isdisjoint(without):
            left |= above.intersection(without)
            continue
        needed.add(name)
        imported = sources.imports(name)
        due += above | imported
        if parts[0] == "rage":
            for each in {each.partition(".")[0] for each in imported}:
                if each not in sources.texts and each not in sys.builtin_module_names:
                    nowhere.setdefault(each, []).append(name)
    return needed, left, nowhere


def compile_into(path: str, sources: Sources, names: Iterable[str]) -> None:
    """Write modules as .pyc into an uncompressed archive from which they can be imported."""
    with zipfile.ZipFile(path, "w") as archive:
        for name in sorted(names):
            code = compile(
                sources.texts[name], f"{name}.py", "exec", dont_inherit=True, optimize=_OPTIMIZED
            )
            body = _UNCHECKED + importlib.util.source_hash(sources.texts[name])
            archive.writestr(zipfile.ZipInfo(sources.path(name)), body + marshal.dumps(code))


#: The modules and attributes that give the version of a library they are made of.
_VERSIONS: Final = {
    "expat": ("pyexpat", "EXPAT_VERSION"),
    "mpdecimal": ("decimal", "__libmpdec_version__"),
    "pyodide": ("pyodide", "__version__"),
    "sqlite": ("sqlite3", "sqlite_version"),
    "zlib": ("zlib", "ZLIB_VERSION"),
    "zstd": ("compression.zstd", "zstd_version"),
}


def versions() -> dict[str, str]:
    """The versions of the components of this Python."""
    found = {"python": sys.version.partition(" ")[0]}
    for name, (module, attribute) in _VERSIONS.items():
        found[name] = getattr(import_module(module), attribute).removeprefix("expat_")
    return found


def run(started: Iterable[str]) -> None:
    """Compile the modules requested in ``/host/asked.json`` from ``/host/sources.zip`` and Python's
    own library. ``started``: the modules that Pyodide loads by itself."""
    with open("/host/asked.json", encoding="utf-8") as file:
        asked = json.load(file)
    library = Sources(["/lib/python314.zip"])
    sources = Sources(["/lib/python314.zip", "/host/sources.zip"])
    below = tuple(f"{package}." for package in asked["packages"])
    roots = {name for name in sources.texts if name.startswith(below)}
    named = {*asked["packages"], *asked["modules"]}
    needed, left, nowhere = follow(sources, roots | named | {*started}, asked["without"])
    nowhere |= {each: ["tools/alone/python.py"] for each in named - needed}
    compile_into("/host/python_stdlib.zip", sources, needed & library.texts.keys())
    ours = needed - library.texts.keys() - {*asked["compiled"]}
    compile_into("/host/rage.zip", sources, ours)
    unused = sorted({*asked["without"]} - left)
    found = {
        "needed": sorted(needed), "unused": unused, "nowhere": nowhere, "versions": versions(),
    }  # fmt: skip
    with open("/host/found.json", "w", encoding="utf-8") as file:
        json.dump(found, file)
