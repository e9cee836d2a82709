"""Bring the page to a state in a real browser, on a real server, with everything at rest."""

from __future__ import annotations

import asyncio
import os
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Browser, Page
from websockets.sync.client import connect

import rage
from docs.pictures.staging import BEGAN, ME, NEWCOMER, SECRET, Evening, cookie, store
from docs.pictures.states import State

#: When all pictures are taken: the day after the evenings, in seconds since 1970.
NOW: Final = BEGAN / 1000 + 86_400
#: Cards never play themselves, because what there is to click would depend on the machine's speed.
_BY_HAND: Final = "localStorage['rage.settings'] ??= '{\"single\":false}'"
#: In the pages of everyone except newcomers.
_PLAYED: Final = "localStorage['rage.coach'] ??= '{\"played\":true}'"
_TYPE: Final = next((Path(rage.__file__).parent / "server/page/assets").glob("figtree-*.woff2"))
#: Whether a table is fully drawn: in a game under way, the trick comes last.
_DRAWN: Final = (
    """() => !document.querySelector('.play:not(.ended)') || document.querySelector('.trick')"""
)


def letters(browser: Browser) -> bytes:
    """A screenshot of plain words, 390 pixels wide: it shows how this machine draws letters."""
    page = browser.new_page(viewport={"width": 390, "height": 100})
    page.set_content(f"<body style='font: 20px DejaVu Sans'>{'Round 7: green 15 wins. ' * 6}")
    seen = page.screenshot()
    page.close()
    return seen


class Camera:
    """Brings the page to states on a server, whose ``tables`` are given by code."""

    def __init__(self, browser: Browser, url: str, tables: Mapping[str, Evening]) -> None:
        self._browser = browser
        self._url = url
        self._tables = tables

    @contextmanager
    def at(self, state: State, script: str = "", **look: Any) -> Iterator[Page]:
        """The page in a state, with a ``script`` that runs before its own. Its clock stands
        still."""
        with self.coming(state, **{"reduced_motion": "reduce", **look}) as page:
            page.add_init_script(script)
            page.context.clock.install(time=NOW)
            self.enter(page, state)
            page.clock.pause_at(
                page.evaluate("Date.now() / 1000") + 3
            )  # sooner than a socket gives up
            if not state.evening:
                page.clock.run_for(10_000)  # for texts that appear step by step
            state.come(page)
            page.mouse.move(0, 0)  # off the card that takes the place of the one just played
            page.clock.run_for(50)
            yield page

    @contextmanager
    def coming(self, state: State, **look: Any) -> Iterator[Page]:
        """A page that can ``enter`` a state, with all other players connected."""
        with ExitStack() as stack:
            if state.evening:
                for person in self._tables[state.code].people:
                    if person != ME:
                        stack.enter_context(self._sits(person, state.code))
            page = self._page(state, **look)
            stack.callback(page.context.close)
            yield page

    def enter(self, page: Page, state: State) -> None:
        """Open the page of a state, and wait until it is drawn."""
        page.goto(f"{self._url}/{state.address}")
        if not state.evening:
            page.wait_for_load_state("networkidle")
        page.locator(state.there).first.wait_for()
        page.wait_for_function(_DRAWN)

    def _page(self, state: State, **look: Any) -> Page:
        width, height = state.size
        usual = {"locale": "en", "color_scheme": "dark"}
        touch = {"is_mobile": True, "has_touch": True} if state.touched else {}
        size = {"viewport": {"width": width, "height": height}}
        context = self._browser.new_context(**{**usual, **touch, **size, **state.look, **look})
        context.add_init_script(_BY_HAND)
        # With the page's own type, as on every visit but the first.
        context.add_init_script(f"localStorage['rage.type'] ??= '{self._url}/assets/{_TYPE.name}'")
        if not state.coached:
            context.add_init_script(_PLAYED)
        name, _, value = cookie(ME if state.evening else NEWCOMER).partition("=")
        context.add_cookies([{"name": name, "value": value, "url": self._url}])
        return context.new_page()

    @contextmanager
    def _sits(self, person: str, code: str) -> Iterator[None]:
        """Keep a person connected to a table."""
        address = f"{self._url.replace('http', 'ws', 1)}/ws/{code}"
        with connect(address, additional_headers={"Cookie": cookie(person)}) as socket:
            socket.recv()
            yield


@contextmanager
def camera(
    browser: Browser,
    data: Path,
    states: Iterable[State],
    environment: Mapping[str, str] = os.environ,
    bot_seconds: float = 60,
) -> Iterator[Camera]:
    """A camera for these states, with a server on a folder of data, run in an ``environment``.
    Nothing happens there by itself, unless its bots take fewer seconds."""
    tables = {state.code: state.evening() for state in states if state.evening}
    with ThreadPoolExecutor(1) as apart:  # Playwright has a loop in this thread
        apart.submit(lambda: asyncio.run(store(data, tables))).result()
    command = [sys.executable, "-m", "rage", "serve", "--no-browser", "--port", "0"]
    process = subprocess.Popen(
        [*command, "--data", str(data), "--bot-delay", str(bot_seconds)],
        env={**environment, "RAGE_SECRET": SECRET},
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )
    try:
        assert process.stdout is not None
        found = next(filter(None, (re.search(r"http://\S+", line) for line in process.stdout)))
        yield Camera(browser, found[0].rstrip("/"), tables)
    finally:
        process.terminate()
        process.communicate(timeout=10)
