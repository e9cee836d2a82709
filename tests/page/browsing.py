"""People at the page of a real server, each in a browser of their own."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from random import Random
from typing import Any, TypeVar

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Page

from server.running import Running
from server.sitting import play_out, sitting

Answer = TypeVar("Answer")
#: What the browser says of every answer that is a refusal; whether it was one is the test's to say.
_REFUSAL = re.compile(r"the server responded with a status of (400|403|404|409|429)")
#: The ways to look at a page that WCAG 2.2 asks for.
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


class Visitors:
    """Opens pages of a server. Whatever a page logs, or throws, is a failure in the end."""

    def __init__(self, browser: Browser, server: Running) -> None:
        self.browser = browser
        self.server = server
        self.said: list[str] = []
        self._contexts: list[BrowserContext] = []

    def visit(self, path: str = "", **options: Any) -> Page:
        """Somebody new at a path. ``options`` are those of a browser context."""
        usual = {"locale": "en-GB", "viewport": {"width": 390, "height": 844}}
        address = {"base_url": f"{self.server.url}/"}
        context = self.browser.new_context(**{**usual, **address, **options})
        self._contexts.append(context)
        return self.again(context, path)

    def again(self, context: BrowserContext, path: str = "") -> Page:
        """One more page of somebody who is there already."""
        page = context.new_page()
        page.set_default_timeout(10_000)
        page.on("console", lambda message: self._note(message.text))
        page.on("pageerror", lambda error: self._note(str(error)))
        page.goto(path)
        return page

    def _note(self, text: str) -> None:
        if not _REFUSAL.search(text):
            self.said.append(text)

    def close(self) -> None:
        """Everybody goes."""
        for context in self._contexts:
            context.close()


def cookie_of(page: Page) -> str:
    """The cookie of whose page it is, as a header."""
    cookies = page.context.cookies()
    return "; ".join(f"{each.get('name')}={each.get('value')}" for each in cookies)


def become(page: Page, who: str, server: Running) -> None:
    """Let a page be somebody, by their cookie as a header."""
    name, _, value = who.partition("=")
    page.context.add_cookies([{"name": name, "value": value, "url": server.url}])


def apart(work: Callable[[], Coroutine[Any, Any, Answer]]) -> Answer:
    """What asynchronous work gives, done in a thread of its own: Playwright has a loop in this."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(lambda: asyncio.run(work())).result()


def finish(page: Page, server: Running, table: str) -> None:
    """Play a table of one person and bots to its end, over a socket beside the page."""
    cookie = cookie_of(page)

    async def play() -> None:
        async with sitting(server.url, table, cookie) as guest:
            await play_out([guest], Random(1))

    apart(play)


def barriers(page: Page) -> list[str]:
    """What axe finds: the rule, and where."""
    found = Axe().run(page, options={"runOnly": {"type": "tag", "values": RULES}})
    return [
        f"{each['id']}: {node['html'][:200]}"
        for each in found.response["violations"]
        for node in each["nodes"]
    ]


def too_wide(page: Page) -> int:
    """By how many pixels a page is wider than its window."""
    width: int = page.evaluate(
        "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    )
    return width
