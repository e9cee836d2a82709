"""People at the page of a real server, each in a browser of their own."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from random import Random
from typing import Any, TypeVar

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, expect

from page.homes import move_in
from page.hosts import Host
from page.waiting import lasting
from rage.say import catalogue
from server.running import Running
from server.table_client import connected, play_out

Answer = TypeVar("Answer")
#: What the browser logs for every refusal; each test decides whether it expects one. 426 answers a
#: page that asks over HTTP why its WebSocket has failed, while a server starts again.
_REFUSAL = re.compile(r"the server responded with a status of (400|403|404|409|426|429)")
#: What Playwright says of a worker that is not wanted.
_NO_WORKER = "Service Worker registration blocked by Playwright"
#: What Svelte says of an animation that ends after what was animated: it is shown to nobody.
_LATE = "derived_inert"
#: Run in every page of somebody who has played before, whom the coach leaves alone.
PLAYED_BEFORE = "try { localStorage['rage.coach'] ??= '{\"played\":true}' } catch {}"
#: Run in every page at which nobody looks: nothing is painted, for pictures would take half of the
#: processor time. What is on a page, and where, stays the same.
UNPAINTED = """{
    window.unpainted = new CSSStyleSheet();
    window.unpainted.replaceSync('html { opacity: 0 !important }');
    document.adoptedStyleSheets = [window.unpainted];
}"""
#: The ways to look at a page that WCAG 2.2 asks for.
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
#: The rules of axe that look at colours.
COLOURS = ["color-contrast", "link-in-text-block"]
#: What axe finds, by some rules, when the page is painted. To name also what is in order, and
#: where, would take longer than to look at it.
_BARRIERS = """async (rules) => {
    const { unpainted } = window;
    const how = { runOnly: rules, resultTypes: ['violations'], selectors: false };
    if (unpainted) unpainted.disabled = true;
    const { violations } = await axe.run(document, how);
    if (unpainted) unpainted.disabled = false;
    return violations.flatMap(({ id, nodes }) =>
        nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
}"""
#: Names of parts that are heard twice, in the topmost dialog if there is one. axe allows that.
_ECHOES = """() => {
    const name = (at) => at.getAttribute('aria-label') ?? (at.getAttribute('aria-labelledby') ?? '')
        .split(' ').map((id) => document.getElementById(id)?.textContent.trim() ?? '').join(' ');
    const within = [...document.querySelectorAll('dialog')].at(-1) ?? document;
    const named = [...within.querySelectorAll('section, aside, nav, dialog, ul, ol, [role]')]
        .filter((at) => at.role !== 'img' && name(at)).map(name);
    return named.filter((each, at) => named.indexOf(each) !== at);
}"""
#: Lets everything have the colours of another theme at once.
_AT_ONCE = """() => {
    const at_once = new CSSStyleSheet();
    at_once.replaceSync('*, ::before, ::after { transition: none !important }');
    document.adoptedStyleSheets.push(at_once);
}"""


#: The windows in which everything has to fit: phones either way up, a tablet, desktops.
SIZES = (
    *((320, 568), (390, 844), (844, 390), (568, 320), (768, 1024), (1280, 800)),
    (1920, 1080),
)
#: What begins a game from the form of a new table: on a server, friends may come first.
BEGIN = re.compile("^(Open table|Start game)$")
#: Waits until nothing has moved for five frames.
_AT_REST = """() => new Promise((done) => {
    let [before, frames] = ['', 0];
    const look = () => {
        const boxes = [...document.querySelectorAll('body *:not(svg *)')].map((one) => {
            const { x, y, width, height } = one.getBoundingClientRect();
            return [x, y, width, height];
        }).join();
        frames = boxes === before ? frames + 1 : 0;
        before = boxes;
        if (frames < 5) requestAnimationFrame(look); else done();
    };
    look();
})"""


def loaded(page: Page) -> None:
    """Wait until a page has its heading, and nothing is on its way."""
    expect(page.locator("h1").first).to_be_visible()
    page.wait_for_load_state("networkidle")


def code_of(page: Page) -> str:
    """The table that a page is at."""
    page.wait_for_url(re.compile(r"/t/"))
    return page.url.rpartition("/")[2]


def rest(page: Page) -> None:
    """Wait until nothing on a page moves any more."""
    page.evaluate(_AT_REST)


class Visitors:
    """People at the pages of a server, or of a folder that plays without one, each in a browser of
    their own. Whatever a page logs, or throws, is a failure in the end."""

    def __init__(self, browser: Browser, server: Running, folder: Host | None = None) -> None:
        self.browser = browser
        self.server = server
        self.folder = folder
        self.url = folder.url if folder else f"{server.url}/"
        self.said: list[str] = []
        #: What is not a failure, wherever it stands in what a page logs.
        self.expected: list[str] = []
        self._contexts: list[BrowserContext] = []

    def visit(self, path: str = "", *, never_played: bool = False, **options: Any) -> Page:
        """Somebody at a path, who has played before unless told otherwise. ``options`` are those
        of a browser context; the page has no worker unless ``service_workers="allow"``, for to
        install one takes a browser a quarter of the time of the whole visit."""
        page = self.blank(never_played=never_played, **options)
        page.goto(path)
        return page

    def blank(self, *, never_played: bool = False, **options: Any) -> Page:
        """A page of somebody who has not opened anything yet."""
        usual = {"locale": "en-GB", "viewport": {"width": 390, "height": 844}}
        address = {"base_url": self.url, "service_workers": "block"}
        context = self.browser.new_context(**{**usual, **address, **options})
        context.add_init_script(UNPAINTED)
        if not never_played:
            context.add_init_script(PLAYED_BEFORE)
        context.on("console", self._heard)
        context.on("weberror", lambda error: self._note(str(error.error)))
        self._contexts.append(context)
        return context.new_page()

    def again(self, context: BrowserContext, path: str = "") -> Page:
        """One more page of somebody who is there already."""
        page = context.new_page()
        page.goto(path)
        return page

    def says(self, code: str) -> str:
        """What the page says by a key, of which the folder may have words of its own."""
        words = catalogue("en")
        return words.get(f"alone.{code}", words[code]) if self.folder else words[code]

    def _heard(self, message: ConsoleMessage) -> None:
        at = message.location
        self._note(f"{message.text} ({at['url']}:{at['lineNumber']}:{at['columnNumber']})")

    def _note(self, text: str) -> None:
        if not _REFUSAL.search(text) and not any(
            each in text for each in (_LATE, _NO_WORKER, *self.expected)
        ):
            self.said.append(text)

    def close(self) -> None:
        """Everybody goes."""
        while self._contexts:
            self._contexts.pop().close()


def cookie_of(page: Page) -> str:
    """The cookie of whose page it is, as a header."""
    cookies = page.context.cookies()
    return "; ".join(f"{each.get('name')}={each.get('value')}" for each in cookies)


def become(page: Page, who: str, server: Running, folder: Host | None = None) -> None:
    """Let a page be somebody, by their cookie as a header; or have all that the server has stored
    of them in a folder."""
    if folder:
        move_in(page, who, server, folder)
    else:
        name, _, value = who.partition("=")
        page.context.add_cookies([{"name": name, "value": value, "url": server.url}])


def apart(work: Callable[[], Coroutine[Any, Any, Answer]]) -> Answer:
    """What asynchronous work gives, done in a thread of its own: Playwright has a loop in this."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(lambda: asyncio.run(work())).result()


def paint(page: Page) -> None:
    """Have a page painted from now on, for somebody looks at it."""
    page.evaluate("window.unpainted.disabled = true")


def finish(page: Page, server: Running, table: str) -> None:
    """Play a table of one person and bots to its end, over a socket beside the page."""
    cookie = cookie_of(page)

    async def play() -> None:
        async with connected(server.url, table, cookie) as guest:
            await play_out([guest], Random(1))

    apart(play)


def barriers(page: Page) -> list[str]:
    """What axe finds: the rule, and where."""
    return _violations(page, {"type": "tag", "values": RULES})


def barriers_in_both_themes(page: Page) -> list[str]:
    """What axe finds in the dark theme, and what it finds of the colours in the light one, for
    nothing else differs. From then on the page changes colours at once."""
    page.evaluate(_AT_ONCE)
    page.emulate_media(color_scheme="light")
    light = _violations(page, {"type": "rule", "values": COLOURS})
    page.emulate_media(color_scheme="dark")
    return [*barriers(page), *(f"light: {each}" for each in light)]


def barriers_and_echoes(page: Page) -> list[str]:
    """What keeps somebody from using a page, and names that are heard twice."""
    return [*barriers_in_both_themes(page), *_echoes(page)]


@lasting
def _echoes(page: Page) -> list[str]:
    found: list[str] = page.evaluate(_ECHOES)
    return found


@lasting
def _violations(page: Page, rules: dict[str, Any]) -> list[str]:
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    found: list[str] = page.evaluate(_BARRIERS, rules)
    return found


def unfold(page: Page) -> None:
    """Open every fold of the page after a game."""
    expect(page.locator("#after-analysis")).to_be_attached()
    page.locator(".fold > details, .watching > details").evaluate_all(
        "all => all.forEach(at => at.open = true)"
    )


@lasting
def too_wide(page: Page) -> int:
    """By how many pixels a page is wider than its window."""
    width: int = page.evaluate(
        "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    )
    return width


#: What lies across the rim of the cloth: texts and controls, each with its place.
_ACROSS = r"""(within) => {
    const cloth = document.querySelector('.ground .cloth');
    if (!cloth) return []; // as on a wide start page
    const box = cloth.getBoundingClientRect();
    const rise = parseFloat(getComputedStyle(cloth).getPropertyValue('--rise'));
    const edge = (x, inset) => {
        const [across, up] = [box.width / 2 - inset, rise - inset];
        const out = Math.min(1, Math.abs(x - box.left - box.width / 2) / across);
        return box.top + rise - up * Math.sqrt(1 - out ** 2);
    };
    const across = ({ left, right, top, bottom }) =>
        [left, (left + right) / 2, right].some((x) =>
            x > box.left && x < box.right && top < edge(x, 24) && bottom > edge(x, 0));
    const seen = (one) => !one.closest('.unseen, .ground, [inert]') && one.checkVisibility();
    const found = [];
    const note = (rects, what) => {
        for (const at of rects)
            if (at.width && across(at)) found.push(`${what}: ${Math.round(at.top)}`);
    };
    const texts = document.createTreeWalker(document.querySelector(within), NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
        const text = texts.currentNode;
        if (!text.data.trim() || !seen(text.parentElement)) continue;
        const range = document.createRange();
        range.selectNodeContents(text);
        note(range.getClientRects(), text.data.trim());
    }
    for (const one of document.querySelectorAll('button, .button, input, select, .panel'))
        if (one.closest(within) && seen(one))
            note([one.getBoundingClientRect()], one.outerHTML.slice(0, 60));
    return found;
}"""


@lasting
def across_the_rim(page: Page, within: str = "body") -> list[str]:
    """What of a page, or of a part of it, lies across the rim of its cloth."""
    found: list[str] = page.evaluate(_ACROSS, within)
    return found
