"""The pages for people: which there are, what stands in their blocks, and whether it is true.

``python tests/documents.py PAGE ...`` runs pages with nothing but the library.
"""

from __future__ import annotations

import contextlib
import doctest
import io
import re
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[1]
PAGES = [
    *sorted(ROOT.glob("*.md")),
    *sorted((ROOT / "docs").rglob("*.md")),
    ROOT / "lab/training/README.md",
]
#: A fenced block: its language, or its directive for the site, and its text.
FENCE = re.compile(r"^```(\w*|\{[^\n]+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


class Block(NamedTuple):
    """A fenced block of a page: its language, its text and the line it begins in."""

    language: str
    text: str
    line: int


def blocks(page: Path) -> list[Block]:
    text = page.read_text(encoding="utf-8")
    return [
        Block(match[1], match[2], text.count("\n", 0, match.start(2)) + 1)
        for match in FENCE.finditer(text)
    ]


def only(page: str, language: str) -> str:
    """The one block of a language on a page."""
    (found,) = [block.text for block in blocks(ROOT / page) if block.language == language]
    return found


def run(page: Path) -> None:
    """Run every block of Python of a page and every ``$ rage``, in order, in the working folder.
    Raises AssertionError where what it shows is not what comes of it."""
    from rage.cli import main

    names: dict[str, Any] = {"__name__": page.stem}
    for block in blocks(page):
        if block.language == "python":
            _run_python(block, page, names)
        elif block.language == "console":
            for words, shown in commands(block.text):
                assert words[0] == "rage", words
                printed = io.StringIO()
                with contextlib.redirect_stdout(printed):
                    assert main(words[1:]) == 0, words
                assert not shown.strip() or matches(shown, printed.getvalue()), printed.getvalue()


def _run_python(block: Block, page: Path, names: dict[str, Any]) -> None:
    if ">>>" not in block.text:
        with contextlib.redirect_stdout(io.StringIO()):
            exec(compile(block.text, f"{page}:{block.line}", "exec"), names)
        return
    test = doctest.DocTestParser().get_doctest(block.text, names, page.name, None, block.line)
    report: list[str] = []
    result = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(
        test, out=report.append, clear_globs=False
    )
    names.update(test.globs)  # it worked on a copy
    assert (result.failed, result.attempted > 0) == (0, True), "".join(report)


def commands(block: str) -> Iterator[tuple[list[str], str]]:
    """Each command of a console block, and the output shown below it."""
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        command, _, output = part.partition("\n")
        yield shlex.split(command), output


def matches(shown: str, given: str) -> bool:
    """Whether this output is what is shown, in which ``...`` stands for anything."""
    pattern = "(?s:.*)".join(re.escape(part) for part in shown.strip().split("..."))
    return re.fullmatch(pattern, given.strip()) is not None


if __name__ == "__main__":
    for name in sys.argv[1:]:
        run(Path(name))
