"""Chromium as a phone with a fresh profile, and what a person does with it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from playwright.sync_api import Browser, Error, Page, ViewportSize, sync_playwright

from lab.benchmarks.progress import Failure

WATCH: Final = Path(__file__).with_name("watch.js")
_NAMES: Final = ("chromium", "chromium-browser", "google-chrome", "chrome",
                 "chromium-headless-shell")  # fmt: skip
#: The screen of a mid-range phone, in CSS pixels.
PHONE: Final[ViewportSize] = {"width": 390, "height": 844}
#: Milliseconds to wait for an element.
_TIMEOUT: Final = 30_000

_GO_ON: Final = "[aria-labelledby=round-end] .primary"
_BID: Final = "[data-number]:not([aria-disabled])"
#: A card that may be played: new players see the coach instead of the words that say so.
MY_TURN: Final = ".play:not(:has([data-number])) [data-hand]:has(.playable)"
_CARD: Final = "[data-hand]:not([aria-disabled])"
_COLOUR: Final = ".colour:not([aria-disabled])"


def chromium_path() -> str:
    """The path of the browser: what ``CHROMIUM`` names, or the one installed. Raises
    :class:`Failure`."""
    found = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, _NAMES)), None)
    if found is None:
        raise Failure("no Chromium: install it, or name it in CHROMIUM")
    return found


@contextmanager
def failing() -> Iterator[None]:
    """Turn Playwright's errors into :class:`Failure`, without their long lists of options that a
    browser was started with."""
    try:
        yield
    except Error as error:
        raise Failure(f"the browser failed: {error.message[:300]}") from None


@contextmanager
def chromium() -> Iterator[Browser]:
    """A browser in which every context is a fresh profile. Raises :class:`Failure`."""
    with failing(), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_path())
        yield browser
        browser.close()


@contextmanager
def profile(folder: Path) -> Iterator[tuple[Page, int]]:
    """A browser with a profile in a folder: its page, and its remote debugging port."""
    with failing(), sync_playwright() as playwright:
        context = playwright.chromium.launch_persistent_context(
            str(folder),
            executable_path=chromium_path(),
            locale="en",
            args=["--remote-debugging-port=0"],
        )
        port = int((folder / "DevToolsActivePort").read_text().splitlines()[0])
        yield context.pages[0], port
        context.close()


def phone(browser: Browser, language: str = "en") -> Page:
    """The page of a new visitor with a phone, in which ``watch.js`` times the moves."""
    context = browser.new_context(
        locale=language, viewport=PHONE, device_scale_factor=3, is_mobile=True, has_touch=True
    )
    context.add_init_script(path=WATCH)
    page = context.new_page()
    page.set_default_timeout(_TIMEOUT)
    return page


def begin(page: Page, address: str) -> None:
    """Open the page and touch *Play now*."""
    page.goto(address)
    page.locator("main .primary").wait_for()
    page.wait_for_timeout(1500)  # a quick person; the browser prefetches meanwhile
    page.locator("main .primary").click()
    page.locator("[data-hand]").first.wait_for()


def play_card(page: Page) -> None:
    """Bid and continue as needed until one more of my cards is in the trick."""
    before = page.evaluate("rageMoves.length")
    while not page.locator(MY_TURN).count():
        page.locator(f"{_BID}, {MY_TURN}, {_GO_ON}").first.wait_for()
        for each in (_GO_ON, _BID):
            if page.locator(each).count():
                page.locator(each).first.click()
                page.locator(each).first.wait_for(state="detached")
    page.locator(_CARD).first.click()
    shown = "([before, colour]) => rageMoves.length > before || document.querySelector(colour)"
    page.wait_for_function(shown, arg=[before, _COLOUR])
    if page.locator(_COLOUR).count():
        page.locator(_COLOUR).first.click()
    page.wait_for_function("(before) => rageMoves.length > before", arg=before)
