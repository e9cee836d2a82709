"""People at a table in a real browser: how they come to it, and how they play."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable
from typing import Any, NamedTuple

import httpx
from playwright.sync_api import BrowserContext, Locator, Page, expect
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from page.browsing import Visitors, apart, become
from page.waiting import tries
from server.running import open_table
from server.table_client import connected, cookie, start

#: Where the keyboard's focus is.
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

#: The size of a desktop window, in pixels.
DESK = {"width": 1280, "height": 800}
#: Run in every page of somebody who plays, for whom nothing is held for long, and who plays every
#: card by hand.
QUICK = """try {
    localStorage['rage.settings'] ??= '{"pace":"quick","trick":"short","single":false}';
} catch {}"""
#: The button at the end of a round that goes on.
NEXT = "section:has(#round-end) .primary"
#: A small phone and a desktop, as options of a page.
PHONE = {"viewport": {"width": 320, "height": 640}}
WIDE = {"viewport": DESK}


def sit_down(page: Page, name: str) -> None:
    """Sit down at the table of a page, before the game."""
    page.get_by_label("Your name").fill(name)
    page.get_by_role("button", name="Sit down").click()


def watch(page: Page, name: str) -> None:
    """Watch at the table of a page."""
    page.get_by_label("Your name").fill(name)
    page.get_by_role("button", name="Watch").click()


#: What the menu of a table is called.
MENU = re.compile("^Men(u|ü|ú)$")


def press(page: Page, name: str | re.Pattern[str]) -> None:
    """Press a button of a table: one in sight, a tab beside the table, or an entry of the menu."""
    opener = page.get_by_role("button", name=MENU)
    shown = page.get_by_role("button", name=name).or_(page.get_by_role("tab", name=name))
    shown = shown.filter(visible=True)
    menu = page.get_by_role("dialog", name=MENU)
    expect(shown.or_(opener).first).to_be_visible()
    for _ in range(2):
        if shown.count():
            # A pad may open at this very moment, and take the place of what was in sight.
            with contextlib.suppress(PlaywrightTimeout):
                shown.first.click(timeout=2000)
                return
        opener.click()
        expect(menu).to_be_visible()
        entry = menu.get_by_role("button", name=name)
        if entry.count():
            entry.first.click()
            return
        # What stands beside the table on a desktop is not in the menu, and comes a moment after it.
        page.keyboard.press("Escape")
        expect(menu).to_have_count(0)
    shown.first.click()


def pressed(page: Page, name: str | re.Pattern[str]) -> Locator:
    """The panel that such a button opens."""
    press(page, name)
    tab = page.get_by_role("tab", name=name, selected=True)
    return page.get_by_role("tabpanel") if tab.count() else page.get_by_role("dialog").last


class Player:
    """A person at a table, in a browser of their own."""

    def __init__(self, visitors: Visitors, name: str = "Ann", **look: Any) -> None:
        usual = {"locale": "en", "reduced_motion": "reduce"}
        self.server, self.name, self.folder = visitors.server, name, visitors.folder
        self.page: Page = visitors.blank(**{**usual, "viewport": DESK, **look})
        self.page.add_init_script(QUICK)

    @property
    def context(self) -> BrowserContext:
        return self.page.context

    def open(self, rules: str, players: int, **fields: Any) -> str:
        """Open a table and go there; its code."""
        client = self.server.someone(self.name)
        table = open_table(client, rules, players, name=self.name, **fields)
        become(self.page, cookie(client), self.server, self.folder)
        self.go(table)
        return table

    def plays_bots(self, rules: str, players: int, **fields: Any) -> str:
        """Open a table with bots and begin."""
        bots = ["random"] * (players - 1)
        table = self.open(rules, players, bots=bots, start=True, **fields)
        expect(self.page.get_by_role("toolbar", name="Your hand")).to_be_visible()
        return table

    def go(self, table: str) -> None:
        """Go to a table."""
        self.page.goto(f"t/{table}")

    def sit_down(self, table: str) -> Player:
        """Go to a table before the game, and sit down. Returns this player, who sits there."""
        self.go(table)
        sit_down(self.page, self.name)
        expect(self.page.get_by_role("heading", name="Before the game")).to_be_visible()
        return self

    def watch(self, table: str) -> None:
        """Go to a table, to watch."""
        self.go(table)
        watch(self.page, self.name)

    @property
    def hand(self) -> Locator:
        return self.page.get_by_role("toolbar", name="Your hand").get_by_role("button")

    @property
    def over(self) -> bool:
        return self.page.locator("#game-end").count() > 0

    def act(self, *, goes_on: bool = True) -> bool:
        """Do whatever there is to do, with the mouse, in any language. Returns whether there was
        something: at the end of a round there is not, unless this player ``goes_on``."""
        page = self.page
        state = page.evaluate(
            """() => {
                const one = (what) => document.querySelector(what) !== null;
                return {
                    over: one('#game-end'), round: one('#round-end'), colour: one('.colour'),
                    bid: one('[data-number]:not([aria-disabled])'), mine: one('.status.mine'),
                };
            }"""
        )
        if state["over"] or (state["round"] and not goes_on):
            return False
        if state["round"]:
            # The next round may begin by itself, and the button go, before it is reached.
            with contextlib.suppress(PlaywrightTimeout):
                page.locator(NEXT).click(timeout=1000)
        elif state["colour"]:
            page.locator(".colour:not([aria-disabled])").first.click()
        elif state["bid"]:
            page.locator("[data-number]:not([aria-disabled])").nth(1).click()
        elif state["mine"]:
            page.locator("[data-hand]:not([aria-disabled])").first.click()
        else:
            page.keyboard.press("Escape")
            return False
        return True


def plays_out(*players: Player, until: str = "#game-end") -> None:
    """These players act until the game is over for all of them, or until something else is there,
    such as the end of a round."""
    for _ in tries(players[0].page):
        if all(player.page.locator(until).count() for player in players):
            return
        for player in players:
            player.act(goes_on=until != "#round-end")


#: Gives people by their names, each in a browser of their own.
Seat = Callable[..., Player]


class Table(NamedTuple):
    """A table, its people, and the first deal as each has seen it."""

    visitors: Visitors
    code: str
    people: list[httpx.Client]
    deal: dict[str, Any]

    def page(self, seat: int, **options: Any) -> Page:
        """The table as a person sees it, who is let in by their cookie."""
        page = self.visitors.blank(**options)
        page.add_init_script(QUICK)
        become(page, cookie(self.people[seat]), self.visitors.server)
        page.goto(f"t/{self.code}")
        expect(page.locator("[data-icon=menu], [data-icon=people]").first).to_be_visible()
        return page

    def pages(self, **options: Any) -> list[Page]:
        return [self.page(seat, **options) for seat in range(len(self.people))]


#: Gives a table at which a game of these people has begun.
Seats = Callable[..., Table]


def table_in_play(
    visitors: Visitors, rules: str, *names: str, bots: int = 0, **options: Any
) -> Table:
    """A table at which these people sit, in this order, and bots behind them; the game has begun,
    and nobody is connected."""
    server, players = visitors.server, len(names) + bots
    people = [server.someone(name) for name in names]
    usual = {"undo": True, "takeover": "vote", "grace": 0}
    code = open_table(people[0], rules, players, options={**usual, **options})

    async def begin() -> list[dict[str, Any]]:
        async with contextlib.AsyncExitStack() as stack:
            guests = [
                await stack.enter_async_context(connected(server.url, code, person))
                for person in people
            ]
            for seat, (guest, name) in enumerate(zip(guests, names, strict=True)):
                if seat:
                    await guest.do("join", name=name, seat=seat)
            await start(*guests)
        seen = []
        for person in people:
            async with connected(server.url, code, person) as guest:
                seen.append(guest.table["game"])
        return seen

    seen = apart(begin)
    first = seen[0]["rounds"][0]
    deal = {
        "dealer": first["dealer"],
        "turned": first["trump_changes"][0]["cards"].split(),
        "hands": [game["hand"].split() for game in seen],
    }
    return Table(visitors, code, people, deal)


def first_to_bid(table: Table, pages: list[Page]) -> list[Page]:
    """The pages in the order of bidding: from eldest."""
    eldest = (table.deal["dealer"] + 1) % len(pages)
    return pages[eldest:] + pages[:eldest]


def bid(page: Page, number: int = 0) -> None:
    """Bid, when it is one's turn."""
    page.locator(f"[data-number='{number}']").click()
    expect(page.locator("[data-number]")).to_have_count(0)


def play_any(page: Page) -> None:
    """Play a card, when it is one's turn, and name any colour if it asks for one."""
    card = page.locator("[data-hand]:has(.playable)").first
    names = card.get_attribute("data-hand") in ("W", "C")
    card.click()
    if names:
        page.locator(".colour:not([aria-disabled])").first.click()


def log_of(page: Page) -> Locator:
    """What a screen reader announces."""
    return page.locator("[data-live=polite]")
