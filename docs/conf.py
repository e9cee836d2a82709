"""The Sphinx configuration of the site of these pages: ``make site``.

The pages read the same in the repository and on the site: links between Markdown files
work, even to files outside ``docs``, of which the site has copies (:data:`COPIES`).
"""

from __future__ import annotations

import builtins
import os
import re
import shutil
import sys
import tomllib
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import rage

if TYPE_CHECKING:
    from docutils.nodes import Node, TextElement
    from sphinx.addnodes import pending_xref
    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

DOCS = Path(__file__).parent
ROOT = DOCS.parent
#: The folder that plays without a server, and the file written there last.
GAME = ROOT / "build" / "alone"
GAME_BUILT = GAME / "worker.js"
#: The pages from outside docs/, and the pages of docs/ that include them.
COPIES = {
    "README.md": "index.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "SECURITY.md": "security.md",
    "CODE_OF_CONDUCT.md": "conduct.md",
    "lab/training/README.md": "training.md",
}

project = "Rage"
author = "the contributors to Rage"
copyright = "the contributors to Rage"  # noqa: A001  # Sphinx decides on its name
version = release = rage.__version__
language = "en"

extensions = ["myst_parser", "sphinx.ext.autodoc"]
exclude_patterns = ["pictures/*.py"]
nitpick_ignore = [("py:class", "Cause")]  # the name of a type in a signature
myst_enable_extensions = ["html_image"]
myst_heading_anchors = 4
suppress_warnings = ["myst.xref_ambiguous"]

autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
add_module_names = False
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 80

#: The address of the published site, if pyproject.toml names one.
ADDRESS = (
    tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    .get("urls", {})
    .get("Documentation")
)

html_theme = "furo"
html_title = "Rage"
html_favicon = html_logo = "../web/public/icon.svg"
html_static_path = ["static"]
templates_path = ["templates"]
if ADDRESS:  # which pages of all versions name as theirs, for search engines (tools/pages.py)
    html_baseurl = f"{ADDRESS.rstrip('/')}/stable/"
html_css_files = ["site.css"]
html_copy_source = False
html_show_sourcelink = False
html_show_sphinx = False
html_use_index = True
html_theme_options = {"navigation_with_keys": True}

_LINK = re.compile(r'(\[[^]\n]*\]\(|<img src=")([^)\s":#]+)((?:#[^)\s"]*)?[)"])')
_PAGE = re.compile(r"``docs/(\w+)\.md``")
_FENCED = re.compile(r"^(```+).*?^\1$", re.MULTILINE | re.DOTALL)


def _follow_links(text: str, source: Path, page: Path) -> str:
    """The text of ``source``, its links adapted to lead to the same files from ``page``."""

    def follow(link: re.Match[str]) -> str:
        target = (source.parent / link[2]).resolve()
        if target.is_dir():  # which the site does not have
            return link[1][1:-2]
        copy = COPIES.get(target.relative_to(ROOT).as_posix())
        found = os.path.relpath(DOCS / copy if copy else target, page.parent)
        return f"{link[1]}{Path(found).as_posix()}{link[3]}"

    done, parts = 0, []
    for fence in _FENCED.finditer(text):
        parts += [_LINK.sub(follow, text[done : fence.start()]), fence[0]]
        done = fence.end()
    return "".join([*parts, _LINK.sub(follow, text[done:])])


def _read_page(app: Sphinx, name: str, content: list[str]) -> None:
    page = Path(app.env.doc2path(name))
    content[0] = _follow_links(content[0], page, page)


def _read_copy(app: Sphinx, path: Path, name: str, content: list[str]) -> None:
    source = (DOCS / path).resolve()
    page = COPIES.get(source.relative_to(ROOT).as_posix())
    if page:
        content[0] = _follow_links(content[0], source, DOCS / page)


def _link_game(app: Sphinx, name: str, content: list[str]) -> None:
    """Link the site's own copy of the game."""
    if name == "alone" and GAME_BUILT.exists():
        content[0] += '\n## Here\n<p><a href="play/">Play Rage.</a></p>\n'


def _outdated(app: Sphinx, *_: object) -> list[str]:
    """The page that depends on what is built besides: it is read each time."""
    return ["alone"]


def _copy_game(app: Sphinx, failed: Exception | None) -> None:
    """Copy the folder that plays without a server into the site, if it is built."""
    if failed is None and GAME_BUILT.exists():
        shutil.copytree(GAME, Path(app.outdir) / "play", dirs_exist_ok=True)


def _exists(name: str) -> bool:
    """Return whether a dotted name leads to a module, a class, or a member of one, in Rage, Python
    or the libraries that signatures name."""
    first, *rest = name.split(".")
    if hasattr(builtins, first) and not rest:
        return True
    if first not in {"rage", "numpy", "gymnasium", *sys.stdlib_module_names}:
        return False
    found: Any = import_module(first)
    for number, part in enumerate(rest, 2):
        if not hasattr(found, part):
            try:
                import_module(".".join([first, *rest][:number]))
            except ImportError:
                return part in getattr(found, "__annotations__", {})
        found = getattr(found, part)
    return True


def _name_without_entry(
    app: Sphinx, env: BuildEnvironment, node: pending_xref, shown: TextElement
) -> Node | None:
    """Link a name missing from the reference to what ``rage`` exports under it. Show any other
    without a link if it exists, because it is Python's own or internal; otherwise, Sphinx warns."""
    if node.get("refdomain") != "py":
        return None
    python, target = env.domains.python_domain, node["reftarget"]
    last = target.rpartition(".")[2]
    known = f"rage.{last}" if last in rage.__all__ else ""
    if target == last and not known:  # the name of a type in a signature
        known = next((name for name in python.objects if name.endswith(f".{last}")), "")
    if known and known != target:
        kind = node["reftype"]
        return python.resolve_xref(env, node["refdoc"], app.builder, kind, known, node, shown)
    within = [node.get("py:module"), node.get("py:class")]
    names = [target, *(".".join([*filter(None, within[:n]), target]) for n in (1, 2))]
    return shown if any(map(_exists, names)) else None


def _skip(
    app: Sphinx, what: str, name: str, value: Any, skip: bool, options: object
) -> bool | None:
    """Leave out the fields of a named tuple, which its signature shows."""
    return (getattr(value, "__doc__", None) or "").startswith("Alias for field number") or None


def _link_pages(
    app: Sphinx, what: str, name: str, value: Any, options: object, lines: list[str]
) -> None:
    """Make the pages that a docstring mentions by their paths links."""
    lines[:] = [_PAGE.sub(r":doc:`\1.md </\1>`", line) for line in lines]


def setup(app: Sphinx) -> None:
    """Connect the handlers; called by Sphinx."""
    app.connect("source-read", _read_page)
    app.connect("source-read", _link_game)
    app.connect("env-get-outdated", _outdated)
    app.connect("build-finished", _copy_game)
    app.connect("include-read", _read_copy)
    app.connect("autodoc-process-docstring", _link_pages)
    app.connect("autodoc-skip-member", _skip)
    app.connect("missing-reference", _name_without_entry)
