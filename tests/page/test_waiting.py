"""No test asserts what a page has shown at a single look (``waiting.py``)."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

#: What reads a page or a part of it now, whatever is about to change.
READS = {
    "all_inner_texts", "all_text_contents", "aria_snapshot", "bounding_box", "count", "evaluate",
    "evaluate_all", "get_attribute", "inner_html", "inner_text", "input_value", "is_checked",
    "is_disabled", "is_editable", "is_enabled", "is_hidden", "is_visible", "text_content", "title",
}  # fmt: skip
#: What waits, or says that a single look is meant; within them anything may be read.
WAITS = {"soon", "once", "lasting"}
FILES = sorted(Path(__file__).parent.glob("*.py"))


def name_of(node: ast.expr) -> str:
    """What is called, or decorates."""
    return getattr(node, "id", getattr(node, "attr", ""))


def reads(node: ast.AST, readers: set[str]) -> bool:
    """Whether a page is read there, by Playwright or by one of the functions that do."""
    if isinstance(node, ast.Call):
        if name_of(node.func) in WAITS:
            return False
        if isinstance(node.func, ast.Name) and node.func.id in readers:
            return True
        of_playwright = isinstance(node.func, ast.Attribute) and node.func.attr in READS
        if of_playwright and not (node.func.attr in ("count", "title") and node.args):  # type: ignore[attr-defined]
            return True
    return any(reads(each, readers) for each in ast.iter_child_nodes(node))


def readers_of(tree: ast.Module) -> set[str]:
    """The functions of a file that return at once what they have read."""
    found = set[str]()
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef):
            within = list(ast.walk(function))
            returned = [each for each in within if isinstance(each, ast.Return)]
            # What is returned may have been given a name, and a type, a line above.
            names = {name_of(each.value) for each in returned if each.value} - {""}
            typed = [each for each in within if isinstance(each, ast.AnnAssign)]
            looks = [*returned, *(each for each in typed if name_of(each.target) in names)]
            waits = any(name_of(each) in WAITS for each in function.decorator_list)
            if not waits and any(reads(each, set()) for each in looks):
                found.add(function.name)
    return found


def single_looks(source: str, others: dict[str, set[str]]) -> Iterator[int]:
    """The lines whose assertions read a page a single time."""
    tree = ast.parse(source)
    readers = readers_of(tree)
    for each in ast.walk(tree):
        if isinstance(each, ast.ImportFrom):
            readers |= others.get(each.module or "", set()) & {one.name for one in each.names}
    for each in ast.walk(tree):
        if isinstance(each, ast.Assert) and reads(each.test, readers):
            yield each.lineno


def test_every_assertion_about_a_page_waits_or_says_that_it_looks_once() -> None:
    sources = {path.stem: path.read_text("utf-8") for path in FILES}
    others = {f"page.{name}": readers_of(ast.parse(text)) for name, text in sources.items()}
    found = [
        f"{name}.py:{line}" for name, text in sources.items() for line in single_looks(text, others)
    ]
    assert found == [], "write soon(...), expect(...) or once(...), as in waiting.py"


def test_nothing_waits_for_a_time_that_does_not_say_what_it_is() -> None:
    texts = {path.name: path.read_text("utf-8") for path in FILES}
    found = [name for name, text in texts.items() if re.search(r"\.wait_for_timeout\(", text)]
    assert found == ["waiting.py"], "write expect(...), soon(...), tries(...) or lets_pass(...)"


def test_the_search_finds_each_way_to_look_once() -> None:
    source = re.sub(r"^ {8}", "", """
        def shown(page): return page.locator("b").inner_text()
        assert page.evaluate("x") == 1
        assert not page.locator("b").count()
        assert [each.is_visible() for each in page.all()] == [True]
        assert shown(page) == "3"
        assert soon(shown, page) == "3"
        assert once(page.title) == "Rage"
        assert soon(lambda: page.locator("b").count() > 3)
        assert "text".count("t") == 2
    """, flags=re.MULTILINE)  # fmt: skip
    assert list(single_looks(source, {})) == [3, 4, 5, 6]
