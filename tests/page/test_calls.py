"""How the page calls somebody who is not looking: title, message and a hum; what it must not show;
and how each is switched off."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from page.conftest import Come
from page.staging import Scene, Staged, leads
from page.waiting import lets_pass, once, soon

pytestmark = pytest.mark.alone

#: Two players and no action cards: after each card of mine it is my turn again at once.
PLAIN = "poof+pack:wild0.change0.out0.bonus0.mad0+schedule:10"
SCENE = Scene(PLAIN, 2, leads)
#: Keeps what is shown and hummed, and lets a test hide the page. (A Chromium without windows says
#: that messages are denied, though the context allows them.)
SPY = """
window.shown = [], window.hums = [], window.away = false;
const Real = window.Notification;
window.Notification = class extends Real {
    static permission = 'granted';
    constructor(title, options) {
        super(title, options);
        this.seen = {title, ...options, closed: false};
        window.shown.push(this.seen);
    }
    close() {
        this.seen.closed = true;
        super.close();
    }
};
navigator.vibrate = (pattern) => window.hums.push(pattern) > 0;
Object.defineProperty(document, 'hidden', {get: () => window.away});
"""
HIDE = "window.away = true, document.dispatchEvent(new Event('visibilitychange'))"
SHOW = "window.away = false, document.dispatchEvent(new Event('visibilitychange'))"
CODE = re.compile(r"\b[ROYGBP]\d{1,2}\b")


@pytest.fixture
def spied_on(come: Come, tables: Staged) -> Come:
    """My browser, spied on, at a table where I lead."""

    def at_table(**settings: Any) -> Page:
        page = come(
            tables.fresh(SCENE), settings=settings, scripts=[SPY], permissions=["notifications"],
            viewport={"width": 390, "height": 844},
        )  # fmt: skip
        page.evaluate("hums.length = 0")  # to look at a page counts as a touch: it may have hummed
        return page

    return at_table


def plays(page: Page) -> None:
    """I play a card, and it is my turn again."""
    left = page.locator("[data-hand]").count()
    page.locator("[data-hand]:not([aria-disabled])").first.click()
    expect(page.locator("[data-hand]")).to_have_count(left - 1)
    expect(page.locator(".status.mine")).to_be_visible()


def test_a_hidden_page_tells_that_it_is_my_turn_and_nothing_else(spied_on: Come) -> None:
    page = spied_on(notify=True)
    held = {
        word
        for card in page.locator("[data-hand]").all()
        for word in (card.get_attribute("data-hand"), card.get_attribute("aria-label"))
    }
    page.evaluate(HIDE)
    plays(page)
    expect(page).to_have_title("Your turn!")
    assert soon(lambda: len(page.evaluate("shown"))) == 1
    (message,) = page.evaluate("shown")
    assert message["title"] == "Your turn!"
    assert message.keys() <= {"title", "tag", "closed", "data"}, "no text, no picture"
    assert not CODE.search(str(message))
    assert not any(word and word in str(message) for word in held)
    page.evaluate(SHOW)
    page.wait_for_function("shown[0].closed")
    expect(page).not_to_have_title("Your turn!")


@pytest.mark.long
def test_my_turn_can_be_felt(spied_on: Come) -> None:
    """And in sight it is only felt."""
    page = spied_on(notify=True)
    plays(page)
    assert soon(page.evaluate, "hums") == [40]
    lets_pass(page, 200)
    assert once(page.evaluate, "shown") == []
    page.evaluate(HIDE)
    plays(page)
    assert soon(page.evaluate, "hums") == [40, [120, 80, 120]]


@pytest.mark.long
def test_nobody_is_called_who_does_not_want_it(spied_on: Come) -> None:
    page = spied_on(notify=False, blink=False, vibration=False)
    title = page.title()
    plays(page)
    page.evaluate(HIDE)
    plays(page)
    lets_pass(page, 1300)
    assert once(page.title) == title
    assert once(page.evaluate, "[shown, hums]") == [[], []]
