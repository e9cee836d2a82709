"""Running the page's TypeScript: with the Node of a wheel, and nothing else installed."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from node import run_node
from page.browsing import Visitors
from page.seen import Gallery, built, chromium
from server.running import Running

ROOT = Path(__file__).parents[2]
Ask = Callable[[str, Iterable[Any]], list[Any]]


@pytest.fixture(scope="session")
def ask(tmp_path_factory: pytest.TempPathFactory) -> Ask:
    """Put questions to ``answer.ts``: what kind they are, and the questions themselves as JSON
    data. The answers, in the same order."""

    def ask(kind: str, questions: Iterable[Any]) -> list[Any]:
        lines = [json.dumps(each) for each in questions]
        file = tmp_path_factory.mktemp("page") / f"{kind}.jsonl"
        file.write_text("\n".join(lines), encoding="ascii")
        said = run_node(str(Path(__file__).with_name("answer.ts")), kind, str(file))
        answers = [json.loads(line) for line in said.splitlines()]
        assert len(answers) == len(lines)
        return answers

    return ask


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A real browser. Not for the whole session: while Playwright's synchronous interface is
    open, no asynchronous test can run."""
    with chromium() as browser:
        yield browser


@pytest.fixture(scope="module")
def gallery(tmp_path_factory: pytest.TempPathFactory, browser: Browser) -> Gallery:
    """How the page looks."""
    return Gallery(built(tmp_path_factory.mktemp("gallery")), browser)


@pytest.fixture(scope="module")
def visitors(tmp_path_factory: pytest.TempPathFactory, browser: Browser) -> Iterator[Visitors]:
    """People at the page of a server whose bots answer at once. The page has to be built."""
    if not (ROOT / "src/rage/server/page/index.html").is_file():
        pytest.fail("the page is not built: python web/build.py")
    server = Running(tmp_path_factory.mktemp("server") / "data")
    try:
        visitors = Visitors(browser, server)
        yield visitors
        visitors.close()
    finally:
        server.end()
    assert visitors.said == []
    assert "Traceback" not in server.logged()
