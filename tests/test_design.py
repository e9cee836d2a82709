"""The maps of docs/design.md are whole, and what the pages say of versions and libraries is so."""

from __future__ import annotations

import ast
import json
import re
import sys
import tomllib

from documents import FENCE, ROOT, blocks
from tools.packages import PICTURE, draw, floors, packages


def test_the_picture_of_the_packages_is_drawn_from_the_imports() -> None:
    assert PICTURE.read_text(encoding="utf-8") == draw(packages())


def test_the_packages_are_few_and_low() -> None:
    """A newcomer can hold this many in mind: more want one package less, or an arrow."""
    assert len(packages()) <= 20
    assert len(floors(packages())) <= 11


def test_the_map_of_the_package_is_whole() -> None:
    """``src/rage`` whole, and every top-level folder that the page names."""
    listing = next(
        text for _, text, _ in blocks(ROOT / "docs/design.md") if text.startswith("src/rage/\n")
        and "engine/" in text
    )  # fmt: skip
    lines = [line for line in listing.splitlines()[1:] if not line.startswith(" " * 4)]
    inside = {word for line in lines if line.startswith("  ") for word in first_words(line)}
    beside = {word for line in lines if not line.startswith("  ") for word in first_words(line)}
    package = ROOT / "src/rage"
    modules = {path.name for path in package.glob("*.py")} - {"__init__.py", "__main__.py"}
    folders = {path.parent.name for path in package.glob("*/*.py")} | {"locale"}
    assert inside == modules | folders
    assert all((ROOT / name).is_dir() for name in beside)
    assert "web" in beside


def first_words(line: str) -> list[str]:
    """What a line of a file list is about."""
    return [word.rstrip("/") for word in re.split(r"\s{2,}", line.strip())[0].split()]


def test_the_layers_of_the_browsers_page_are_those_that_are_checked() -> None:
    page = (ROOT / "docs/design.md").read_text(encoding="utf-8").split("## The page\n")[1]
    documented = [line.split(" | ") for line in FENCE.findall(page)[0][1].splitlines()]
    layers = (ROOT / "web/layers.js").read_text(encoding="utf-8")
    checked = re.findall(r"^  \[(.+)\],$", layers, re.M)
    assert documented == [re.findall(r"'(\w+)'", layer) for layer in checked]


def test_every_package_needed_is_explained() -> None:
    page = (ROOT / "docs/dependencies.md").read_text(encoding="utf-8").lower()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    needed = [
        *project["build-system"]["requires"],
        *project["project"]["dependencies"],
        *(each for extra in project["project"]["optional-dependencies"].values() for each in extra),
    ]
    for requirement in needed:
        name = re.split(r"[^\w-]", requirement)[0].replace("_", "").lower()
        if name == project["project"]["name"]:  # an extra that names others
            continue
        assert f"| {name} |" in page, requirement


def test_every_package_that_is_imported_is_declared() -> None:
    """And not only installed because another one needs it."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    declared = [
        *project["dependencies"],
        *(each for name in extras if name != "test" for each in extras[name]),
    ]
    known = {re.split(r"[^\w-]", each)[0].replace("-", "_") for each in declared}
    # Cython only where it compiles, PyTorch where the caller's rows are its tensors; PIL is Pillow,
    # pyspiel OpenSpiel.
    known |= {*sys.stdlib_module_names, "rage", "cython", "torch", "PIL", "pyspiel"}
    found = 0
    for path in (ROOT / "src/rage").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [each.name for each in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and node.module:
                names = [node.module]
            found += len(names)
            assert {name.partition(".")[0] for name in names} <= known, path
    assert found > 1000


def test_every_package_of_npm_is_explained() -> None:
    rows = (ROOT / "docs/dependencies.md").read_text(encoding="utf-8").lower().splitlines()
    first = " ".join(row.split("|")[1] for row in rows if row.startswith("|"))
    found = [ROOT / "web/package.json", *ROOT.glob("lab/benchmarks/*/package.json")]
    assert len(found) >= 3
    for path in found:
        package = json.loads(path.read_text(encoding="utf-8"))
        for name in {**package.get("dependencies", {}), **package.get("devDependencies", {})}:
            family = name.partition("/")[0].lstrip("@")
            assert name.lower() in first or family in first, (path, name)


def test_the_browsers_are_named_that_the_page_is_built_for() -> None:
    built = (ROOT / "web/browsers.ts").read_text(encoding="utf-8")
    oldest = dict(re.findall(r"'([a-z]+)([\d.]+)'", built))
    page = (ROOT / "docs/install.md").read_text(encoding="utf-8")
    since = r"Chrome and Edge from version (\S+), in Firefox from (\S+) and in Safari from (\S+)"
    named = re.search(since, page)
    assert named
    chrome, firefox, safari = named.groups()
    assert oldest == {"chrome": chrome, "edge": chrome, "firefox": firefox, "safari": safari}
