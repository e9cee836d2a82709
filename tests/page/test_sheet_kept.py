"""What was entered on the score sheet stays what it was, in a real browser."""

from __future__ import annotations

import re
from random import Random
from typing import Any

from playwright.sync_api import Page, expect

from page.browsing import Visitors
from page.entering import NAMES, Entering, begin, random_round
from page.test_recording import tap
from page.waiting import once, soon
from rage.rules.editions import ruleset
from rage.score.sheet import Sheet
from score.entering import new_sheet

WIDE: Any = {"viewport": {"width": 1280, "height": 900}}


def played(names: tuple[str, ...], seed: int) -> Sheet:
    """A sheet with a round that is over."""
    return random_round(new_sheet(ruleset("amigo"), names), Random(seed))


def question(page: Page, text: str) -> None:
    expect(page.locator(".pad h2")).to_have_text(text)


def seats(page: Page, *steps: str) -> None:
    """Change who sits at the table."""
    page.get_by_role("button", name="Seats and dealer").click()
    for step in steps:
        page.get_by_role("dialog").get_by_role("button", name=step).click()
    page.get_by_role("dialog").get_by_role("button", name="Use these seats").click()


def stones(page: Page, where: str) -> dict[str, str]:
    """The signs that are shown in a place, by the letters on them."""
    found: dict[str, str] = page.locator(where).evaluate_all(
        "all => Object.fromEntries(all.map((each) => [each.textContent.trim(), "
        "each.dataset.stone]))"
    )
    return found


def test_what_was_touched_in_one_round_is_not_asked_for_in_the_next(visitors: Visitors) -> None:
    page = visitors.visit("sheet")
    begin(page, NAMES[:3])
    entering = Entering(page)
    entering.round(played(NAMES[:3], 9))
    page.get_by_role("button", name=re.compile("^Tricks of Ann")).click()
    question(page, "How many did Ann win?")
    entering.button("Next round")
    question(page, "How many will Cem win?")
    entering.number(2)
    expect(page.get_by_role("button", name="Bid of Cem: 2")).to_be_visible()
    page.get_by_role("button", name="Undo").click()
    page.get_by_role("button", name="Undo").click()
    question(page, "Is that right?")


def test_nobody_is_asked_who_has_left_meanwhile(visitors: Visitors) -> None:
    page = visitors.visit("sheet", **WIDE)
    begin(page)
    page.get_by_role("button", name="Bid of Dora: –").click()
    question(page, "How many will Dora win?")
    seats(page, "Dora leaves")
    question(page, "How many will Ben win?")


def test_undo_takes_a_touch_back_before_what_was_done_until_then(visitors: Visitors) -> None:
    page = visitors.visit("sheet", **WIDE)
    begin(page)
    seats(page, "Dora leaves")
    page.get_by_role("button", name="Bid of Cem: –").click()
    question(page, "How many will Cem win?")
    page.get_by_role("button", name="Undo").click()
    question(page, "How many will Ben win?")
    dora = page.get_by_role("button", name="Bid of Dora: –")
    expect(dora).to_have_count(0)
    page.get_by_role("button", name="Undo").click()
    expect(dora).to_be_visible()


def test_a_player_has_one_sign_wherever_they_sit(visitors: Visitors) -> None:
    page = visitors.visit("sheet", **WIDE)
    begin(page)
    entering = Entering(page)
    entering.round(played(NAMES, 9))
    entering.button("Next round")
    seats(page, "Ann leaves")
    assert soon(lambda: sorted(stones(page, "thead .sign"))) == sorted(name[:2] for name in NAMES)
    column = stones(page, "thead .sign")
    there = {name[:2]: column[name[:2]] for name in NAMES[1:]}
    assert soon(stones, page, ".entry .sign") == there
    page.get_by_role("button", name="Seats and dealer").click()
    assert soon(stones, page, "dialog .sign") == there
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Record this round's cards").click()
    tap(page, "R3")
    for n in (1, 2, 3):
        entering.number(n)
    tap(page, "R5")
    expect(page.locator("[data-cloth] button")).to_have_count(1)
    del there["Ce"]  # who has led
    assert soon(stones, page, "[data-cloth] .sign") == there


def test_a_wide_window_prints_the_sheet_alone(visitors: Visitors) -> None:
    """A browser says so, and prints, while the button is still being pressed."""
    page = visitors.visit("sheet", **WIDE)
    page.add_init_script(
        """window.print = () => {
            dispatchEvent(new Event('beforeprint'));
            window.printed = document.querySelector('main').innerText;
            dispatchEvent(new Event('afterprint'));
        }"""
    )
    page.reload()
    begin(page)
    page.get_by_role("button", name="Print").click()
    assert soon(lambda: "Ann" in page.evaluate("window.printed"))
    assert "How many will Ben win?" not in once(page.evaluate, "window.printed")
    question(page, "How many will Ben win?")
