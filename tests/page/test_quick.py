"""What keeps a slow phone quick: what the page leaves out or puts off while cards move."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from page.conftest import Come
from page.playing import Seat, plays_out
from page.staging import Scene, leads
from page.waiting import lets_pass, once, soon

PHONE = {"width": 390, "height": 844}
LEAD = Scene("poof", 4, leads, mark="quick")
#: By how much what is drawn may move while a table opens, as browsers count it; 0.1 is too much.
MAX_SHIFT = 0.01

#: Notes what has come to the page at once: seats, or cards of the hand.
STEPS = """() => {
    window.steps = [];
    const what = (node) => node.nodeType !== 1 ? ''
        : node.matches('.place') ? 'hand' : node.matches('.fan') ? 'seats' : '';
    new MutationObserver((changes) => {
        const nodes = changes.flatMap((change) => [...change.addedNodes]);
        const found = [...new Set(nodes.map(what))].filter(Boolean);
        if (found.length) steps.push(found.sort().join());
    }).observe(document, { childList: true, subtree: true });
}"""
SHIFTS = """window.shift = 0; new PerformanceObserver((list) => {
    for (const { value } of list.getEntries()) window.shift += value;
}).observe({ type: 'layout-shift', buffered: true });"""
#: Notes what was looked up of the worker, and whether what lost the focus was still on the page.
SPY = """() => {
    window.asked = 0;
    window.left = [];
    const find = ServiceWorkerContainer.prototype.getRegistration;
    ServiceWorkerContainer.prototype.getRegistration = function (...names) {
        window.asked += 1;
        return find.apply(this, names);
    };
    addEventListener('focusout', ({ target }) =>
        left.push(target.isConnected && document.querySelectorAll('[data-hand]').length), true);
}"""


@pytest.mark.alone
def test_a_deal_is_drawn_in_steps(seat: Seat) -> None:
    """The others first, and the own cards once these are drawn: both at once would keep a slow
    phone for a fifth of a second."""
    ann = seat(viewport=PHONE)
    ann.plays_bots("poof+schedule:1.5", 4, options={"between": None})
    plays_out(ann, until="#round-end")
    ann.page.evaluate(STEPS)
    ann.page.get_by_role("button", name="Next round").click()
    expect(ann.page.locator("[data-hand]")).to_have_count(5)
    assert soon(ann.page.evaluate, "steps") == ["seats", "hand"]


@pytest.mark.alone
@pytest.mark.long
def test_nothing_moves_while_a_table_opens(come: Come) -> None:
    """Browsers count only what is painted; what moves later shows that they have counted."""
    look: dict[str, Any] = {"viewport": PHONE, "is_mobile": True, "reduced_motion": "no-preference"}
    page = come(LEAD, scripts=[SHIFTS], painted=True, **look)
    lets_pass(page, 1000)
    assert once(page.evaluate, "shift") < MAX_SHIFT
    page.evaluate("document.body.style.paddingTop = '200px'")
    page.wait_for_function("limit => shift > limit", arg=MAX_SHIFT)


@pytest.mark.alone
def test_a_card_that_is_played_lets_go_of_the_focus_first(come: Come) -> None:
    """With all cards in their places: a browser that has to take the focus away from what goes lays
    out the page once more. And no worker is asked for notifications that nobody has allowed."""
    page = come(LEAD, viewport=PHONE)
    page.evaluate(SPY)
    page.locator("[data-hand]:not(:has([data-card=W], [data-card=C]))").first.click()
    expect(page.locator("[data-hand]")).to_have_count(9)
    expect(page.locator("[data-hand]:focus")).to_have_count(1)
    assert soon(page.evaluate, "left") == [10]
    assert once(page.evaluate, "asked") == 0
