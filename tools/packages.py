"""Draws the packages of ``src/rage`` and their imports of each other: ``docs/packages.svg``.

    python -m tools.packages

A single module directly in ``src/rage`` counts as a package. Each stands one floor above the
highest package that it imports, types included. Arrows implied by others are left out.
"""

from __future__ import annotations

import ast
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
PACKAGE: Final = ROOT / "src" / "rage"
PICTURE: Final = ROOT / "docs" / "packages.svg"
#: The size of a package, and the gaps and floors between packages, in pixels.
WIDTH, HEIGHT, GAP, FLOOR = 104, 34, 18, 72

_PICTURE: Final = """\
<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}">
<style>
  .ground {{ fill: #f6f7f9 }}
  .package {{ fill: #fff; stroke: #2b5d8a; stroke-width: 1.4 }}
  line {{ stroke: #8a8f98; stroke-width: 1.2 }}
  text {{ font: 15px system-ui, sans-serif; text-anchor: middle; fill: #111 }}
</style>
<marker id="head" viewBox="0 0 8 8" refX="4" refY="4" markerWidth="7" markerHeight="7"
        orient="auto"><path d="M0 0 L8 4 L0 8 z" fill="#8a8f98"/></marker>
<rect class="ground" width="{width}" height="{height}"/>
@
</svg>
"""

Graph = dict[str, set[str]]


@cache
def packages() -> Graph:
    """Each package with the packages it imports. Left out are ``__init__`` and ``__main__`` of
    ``rage`` itself, which only lead to the others."""
    names = {path.stem for path in PACKAGE.iterdir() if _is_package(path)}
    graph: Graph = {name: set() for name in names}
    for path in PACKAGE.rglob("*.py"):
        package = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
        if package in names:
            graph[package] |= {
                each for each in _imported(path) if each in names and each != package
            }
    return graph


def _is_package(path: Path) -> bool:
    return (path / "__init__.py").exists() or (path.suffix == ".py" and path.stem[0] != "_")


def _imported(path: Path) -> set[str]:
    """The names of the packages of ``rage`` that a file imports."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {each.name for each in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {f"{node.module}.{each.name}" for each in node.names}
    return {name.split(".")[1] for name in found if name.startswith("rage.")}


def floors(graph: Graph) -> list[list[str]]:
    """The packages by floor, from the ground up. Raises ``graphlib.CycleError`` for a cycle."""
    floor: dict[str, int] = {}
    for package in TopologicalSorter(graph).static_order():
        floor[package] = 1 + max((floor[each] for each in graph[package]), default=-1)
    top = max(floor.values())
    return [sorted(package for package in floor if floor[package] == n) for n in range(top + 1)]


def direct(graph: Graph) -> Graph:
    """The arrows that are not implied by a path through other packages."""
    below: Graph = {}
    for package in TopologicalSorter(graph).static_order():
        below[package] = graph[package].union(*(below[each] for each in graph[package]))
    return {
        package: {each for each in found if not any(each in below[other] for other in found)}
        for package, found in graph.items()
    }


def draw(graph: Graph) -> str:
    """The picture, as SVG."""
    rows = floors(graph)
    width = max(len(row) for row in rows) * (WIDTH + GAP) + GAP
    height = (len(rows) - 1) * FLOOR + HEIGHT + 2 * GAP
    at = {}
    for n, row in enumerate(rows):
        left = (width - len(row) * (WIDTH + GAP) + GAP) / 2
        for i, package in enumerate(row):
            at[package] = (left + i * (WIDTH + GAP), height - GAP - HEIGHT - n * FLOOR)
    arrows = [
        f'<line x1="{at[package][0] + WIDTH / 2:g}" y1="{at[package][1] + HEIGHT:g}"'
        f' x2="{at[each][0] + WIDTH / 2:g}" y2="{at[each][1] - 5:g}" marker-end="url(#head)"/>'
        for package, found in sorted(direct(graph).items()) for each in sorted(found)
    ]  # fmt: skip
    boxes = [
        f'<rect class="package" x="{x:g}" y="{y:g}" width="{WIDTH}" height="{HEIGHT}" rx="6"/>'
        f'<text x="{x + WIDTH / 2:g}" y="{y + HEIGHT / 2 + 5:g}">{package}</text>'
        for package, (x, y) in sorted(at.items())
    ]
    picture = _PICTURE.format(width=width, height=height)
    return picture.replace("@", "\n".join(arrows + boxes))


if __name__ == "__main__":
    PICTURE.write_text(draw(packages()), encoding="utf-8")
