"""A page that cannot start says why, and what would help."""

from __future__ import annotations

import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect

from page.browsing import Visitors
from rage.cli.commands.sheet import write_folder
from rage.say import LANGUAGES, text
from tools import browsers

PAGES = ("", "sheet")


def sentence(code: str, language: str) -> str:
    return text(code, language, chrome="111", firefox="121", safari="16.4")


def lines(page: Page, code: str, languages: Iterable[str] = ("de", "en")) -> None:
    """Wait until a sentence is there, in the language of the browser and in English."""
    for language in languages:
        line = page.locator(f"p[lang={language}]", has_text=sentence(code, language))
        expect(line.last).to_be_visible()


@pytest.mark.alone
@pytest.mark.parametrize("path", PAGES)
def test_without_scripts(visitors: Visitors, path: str) -> None:
    page = visitors.visit(path, java_script_enabled=False, locale="de")
    lines(page, "cannot.no_scripts")
    expect(page.get_by_text(text("cannot.not_started", "en"))).to_be_hidden()


@pytest.mark.alone
@pytest.mark.sampled(3)  # each page, and each way, once
@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize("how", ["blocked", "not understood"])
def test_a_script_that_does_not_run(visitors: Visitors, path: str, how: str) -> None:
    visitors.expected += ["ERR_FAILED", "SyntaxError", "Unexpected token"]
    page = visitors.blank(locale="de")

    def spoil(route: Route) -> None:
        if how == "blocked":
            route.abort()
        else:
            route.fulfill(body="}", content_type="text/javascript")

    page.route("**/assets/*.js", spoil)
    page.goto(path)
    expect(page.get_by_text(text("cannot.not_started", "en"))).to_be_hidden()  # it may be slow
    page.evaluate("document.getAnimations().forEach((each) => each.finish())")
    lines(page, "cannot.not_started")
    lines(page, "cannot.oldest")
    page.unroute("**/assets/*.js")
    page.reload()
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.locator("#cannot")).to_have_count(0)


def test_a_folder_that_is_opened_by_a_double_click(visitors: Visitors, tmp_path: Path) -> None:
    visitors.expected += ["origin 'null'", "ERR_FAILED"]
    write_folder(str(tmp_path))
    page = visitors.visit((tmp_path / "judge.html").as_uri())
    page.evaluate("document.getAnimations().forEach((each) => each.finish())")
    lines(page, "cli.sheet.double_click", LANGUAGES)


@pytest.fixture
def old(visitors: Visitors, tmp_path: Path) -> Iterator[Page]:
    """A page of Chromium 92 (see ``tools/browsers.py``)."""
    if not browsers.oldest_runs():
        pytest.skip("no Chromium of 2021 runs here: python -m tools.browsers")
    options = [*browsers.OLD_OPTIONS, f"--user-data-dir={tmp_path}", "--remote-debugging-port=0"]
    with subprocess.Popen([browsers.OLDEST, *options], stderr=subprocess.PIPE, text=True) as run:
        assert run.stderr is not None
        said = next(line for line in run.stderr if "listening on ws:" in line)
        over = visitors.browser.browser_type.connect_over_cdp(said.split()[-1])
        yield over.contexts[0].pages[0]
        over.close()
        run.kill()


@pytest.mark.alone
def test_a_browser_that_is_too_old(visitors: Visitors, old: Page) -> None:
    """What works there works, below a line that says which browsers the page is for."""
    for path in (*PAGES, "judge"):
        old.goto(f"{visitors.url}{path}")
        expect(old.locator("#cannot.old")).to_have_count(1)
        expect(old.locator("#cannot")).to_contain_text(sentence("cannot.oldest", "en"))
    expect(old.get_by_text("Who wins?")).to_have_count(1)
