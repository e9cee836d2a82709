"""The score sheet in a real browser: how people begin one, and enter their rounds."""

from __future__ import annotations

import re
from random import Random

from playwright.sync_api import Page, expect

from rage.score.sheet import Sheet
from score.entering import begin_round, enter

NAMES = ("Ann", "Ben", "Cem", "Dora")


def begin(page: Page, names: tuple[str, ...] = NAMES, edition: str = "AMIGO") -> None:
    """Begin a sheet; the page has to show the form."""
    page.get_by_role("radio", name=edition).check()
    while page.get_by_role("textbox", name="Name of player").count() < len(names):
        page.get_by_role("button", name="Add player").click()
    for number, name in enumerate(names, 1):
        page.get_by_label(f"Name of player {number}", exact=True).fill(name)
    page.get_by_role("button", name="Start").click()
    expect(page.get_by_role("heading", name=re.compile("Round 1 of 10"))).to_be_visible()


def written(points: int) -> str:
    """Points as the page writes them, with a minus."""
    return str(points).replace("-", "−")


class Entering:
    """Enters rounds, as a person would, and counts the touches."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.taps = 0

    def number(self, n: int) -> None:
        self.page.locator(f"[data-number='{n}']").click()
        self.taps += 1

    def button(self, name: str) -> None:
        self.page.get_by_role("button", name=name, exact=True).click()
        self.taps += 1

    def round(self, sheet: Sheet) -> None:
        """Enter the last round of a sheet, which is over."""
        current = sheet.rounds[-1]
        at = current.seats.index(current.dealer) + 1
        order = [(at + step) % len(current.seats) for step in range(len(current.seats))]
        for place in order:
            self.number(current.bids[place] or 0)
        left = current.hand_size
        for place in order[:-1]:
            if left:
                self.number(current.won[place] or 0)
                left -= current.won[place] or 0
        for counts, card in ((current.bonus, "+5"), (current.mad, "−5")):
            for place, count in enumerate(counts):
                name = sheet.players[current.seats[place]]
                for n in range(count):
                    self.button(f"{card}, {name}: {n}")


def random_round(sheet: Sheet, rng: Random) -> Sheet:
    """A sheet with one more round, over."""
    sheet = begin_round(sheet)
    current = sheet.rounds[-1]
    hand, n = current.hand_size, len(current.seats)
    won = [0] * n
    for _ in range(hand):
        won[rng.randrange(n)] += 1
    bids = [max(0, min(hand, tricks + rng.choice((-1, 0, 0, 1)))) for tricks in won]
    winner = max(range(n), key=won.__getitem__)
    bonus = [int(place == winner and rng.random() < 0.6) for place in range(n)]
    mad = [int(place == winner and rng.random() < 0.3) for place in range(n)]
    return enter(enter(sheet, bids=bids), won=won, bonus=bonus, mad=mad)


def stop(page: Page) -> None:
    """Stop the game under way."""
    page.get_by_role("button", name="Sheet", exact=True).click()
    page.get_by_role("button", name="End early").click()
    page.get_by_role("button", name="Yes").click()
    expect(page.get_by_role("heading", name="The game was ended early")).to_be_visible()


def saved(page: Page, name: str) -> bytes:
    """What a button saves as a file."""
    with page.expect_download() as downloading:
        page.get_by_role("button", name=name).click()
    return downloading.value.path().read_bytes()


def shown_scores(page: Page) -> list[int]:
    """The totals at the foot of the sheet."""
    shown = page.locator("tfoot td b").all_inner_texts()
    return [int(each.replace("−", "-")) for each in shown]


def kept(page: Page) -> None:
    """Wait until the worker has every file of the page, which must have one."""
    page.evaluate(
        """async () => {
            let wanted = 'a worker';
            const late = new Promise((_, fail) =>
                setTimeout(() => fail(Error(`${wanted} is not there`)), 20_000));
            const all = async () => {
                await navigator.serviceWorker.ready;
                const start = document.querySelector('base') ? '../sheet' : './';
                const files = [start, ...(await (await fetch('files.json')).json())];
                const store = await caches.open('rage-1');
                for (wanted of files) {
                    while (!(await store.match(new URL(wanted, document.baseURI)))) {
                        await new Promise((resume) => setTimeout(resume, 20));
                    }
                }
            };
            await Promise.race([all(), late]);
        }"""
    )
