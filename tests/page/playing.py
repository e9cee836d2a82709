"""People at a table in a real browser: how they come to it, and how they play."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from server.running import Running

OPEN = """async (body) => {
    const headers = {'X-Rage': '1', 'Content-Type': 'application/json'};
    await fetch('/api/me');
    const name = JSON.stringify({name: body.name});
    await fetch('/api/me', {method: 'PUT', headers, body: name});
    const post = {method: 'POST', headers, body: JSON.stringify(body)};
    const answer = await fetch('/api/tables', post);
    return (await answer.json()).table;
}"""
#: What may be played or bid now, with the keyboard's focus told.
FOCUS = """() => {
    const at = document.activeElement;
    return {
        body: at === document.body,
        hand: at?.dataset.hand ?? null,
        bid: at?.dataset.bid ?? null,
        off: at?.getAttribute('aria-disabled') === 'true',
        text: at?.textContent?.trim().slice(0, 40) ?? '',
    };
}"""


class Player:
    """A person with a browser of their own."""

    def __init__(self, server: Running, browser: Browser, name: str, **look: Any) -> None:
        self.server, self.name = server, name
        look = {"reduced_motion": "reduce", "viewport": {"width": 1280, "height": 800}, **look}
        self.context: BrowserContext = browser.new_context(locale="en", **look)
        self.page: Page = self.context.new_page()
        self.errors: list[str] = []
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("console", lambda message: self._note(message.type, message.text))

    def _note(self, kind: str, text: str) -> None:
        network = re.search(r"vibrate|WebSocket connection|Failed to load|ERR_INTERNET", text)
        if kind == "error" and not network:
            self.errors.append(text)

    def opens(self, rules: str, players: int, **more: Any) -> str:
        """Open a table and go there; its code."""
        self.page.goto(self.server.url)
        body = {"rules": rules, "players": players, "name": self.name, "options": {}, "bots": []}
        table: str = self.page.evaluate(OPEN, {**body, "start": False, **more})
        self.goes(table)
        return table

    def plays_bots(self, rules: str, players: int, **more: Any) -> str:
        """Open a table with bots and begin."""
        bots = ["random"] * (players - 1)
        table = self.opens(rules, players, bots=bots, start=True, **more)
        expect(self.page.get_by_role("toolbar", name="Your hand")).to_be_visible()
        return table

    def goes(self, table: str) -> None:
        """Go to a table."""
        self.page.goto(f"{self.server.url}/t/{table}")

    @property
    def hand(self) -> Locator:
        return self.page.get_by_role("toolbar", name="Your hand").get_by_role("button")

    @property
    def over(self) -> bool:
        return self.page.locator("#game-end").count() > 0

    def acts(self) -> bool:
        """Do whatever there is to do, with the mouse; whether there was something."""
        page = self.page
        state = page.evaluate(
            """() => {
                const one = (what) => document.querySelector(what) !== null;
                return {
                    over: one('#game-end'), round: one('#round-end'), colour: one('.colour'),
                    bid: one('[data-bid]:not([aria-disabled])'), mine: one('.status.mine'),
                };
            }"""
        )
        if state["over"]:
            return False
        if state["round"]:
            page.get_by_role("button", name="Go on").click(timeout=1000)
        elif state["colour"]:
            page.locator(".colour:not([aria-disabled])").first.click()
        elif state["bid"]:
            page.locator("[data-bid]:not([aria-disabled])").nth(1).click()
        elif state["mine"]:
            self.hand.and_(page.locator(":not([aria-disabled])")).first.click()
        else:
            page.keyboard.press("Escape")
            return False
        return True

    def ends(self) -> None:
        """Go, having had no error."""
        assert not self.errors
        self.context.close()


Seat = Callable[..., Player]


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    running = Running(tmp_path_factory.mktemp("table") / "data")
    yield running
    running.end()
    assert "Traceback" not in running.logged()


@pytest.fixture
def seat(served: Running, browser: Browser) -> Iterator[Seat]:
    """People with browsers, who go at the end of the test, having had no error."""
    players: list[Player] = []

    def come(name: str = "Ann", **look: Any) -> Player:
        players.append(Player(served, browser, name, **look))
        return players[-1]

    yield come
    for player in players:
        player.ends()
