"""Reactions to a card: who sees them, each in a browser of their own, and on the television."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import Page, expect

from page.browsing import barriers, rest
from page.playing import Player, Seat, pressed
from page.waiting import once, tries

#: Where everything on the table is.
PLACES = """() => [...document.querySelectorAll('[data-played], [data-seat], [data-hand]')]
    .map((one) => JSON.stringify(one.getBoundingClientRect()))"""


def one_card(*players: Player) -> None:
    """These players bid, and one of them leads."""
    card = players[0].page.locator("[data-played]:not([data-pending])")
    for _ in tries(players[0].page):
        for player in players:
            if card.count():
                return
            player.act()


def next_turn(*players: Player) -> None:
    """Wait until the page of one of these players says that it is their turn."""
    for _ in tries(players[0].page):
        if any(player.page.locator(".status.mine").count() for player in players):
            return


def at_rest(page: Page) -> Any:
    """Where everything is, once nothing moves."""
    rest(page)
    return page.evaluate(PLACES)


def floats(page: Page, kind: str) -> None:
    expect(page.locator(f"[data-reaction={kind}]").first).to_be_visible()


def test_a_reaction_floats_at_its_card_for_all_who_want_and_moves_nothing(seat: Seat) -> None:
    ann, ben = seat("Ann"), seat("Ben", viewport={"width": 320, "height": 568}, has_touch=True)
    code = ann.open("poof+schedule:3", 2)
    ben.sit_down(code)
    tv = ann.context.new_page()
    tv.goto(f"tv/{code}")
    ann.page.get_by_role("button", name="Start", exact=True).click()
    one_card(ann, ben)
    card = ben.page.locator("[data-played]")
    expect(card).to_be_visible()
    expect(tv.locator("[data-played]")).to_be_visible()
    expect(ann.page.locator("[data-played]")).to_be_visible()
    next_turn(ann, ben)
    before = at_rest(ann.page)

    # With a long press, or here the right button.
    card.click(button="right")
    choice = ben.page.get_by_role("dialog")
    expect(choice.get_by_role("button")).to_have_count(6)
    assert barriers(ben.page) == []
    choice.get_by_role("button", name="Bravo!").click()
    for page in (ann.page, ben.page, tv):
        floats(page, "bravo")
    assert once(ann.page.evaluate, PLACES) == before
    expect(choice).to_have_count(0)
    heard = re.compile(r"Ben \(.+\): Bravo!")
    expect(ann.page.locator("[data-live=polite]")).to_contain_text(heard)
    expect(ann.page.locator("[data-reaction]")).to_have_count(0)

    # By keyboard, after which the focus is where it was.
    ann.page.get_by_role("button", name="React").focus()
    ann.page.keyboard.press("r")
    expect(ann.page.get_by_role("button", name="Bravo!")).to_be_focused()
    ann.page.keyboard.press("ArrowRight")
    ann.page.keyboard.press("Enter")
    floats(ben.page, "laugh")
    expect(ann.page.get_by_role("button", name="React")).to_be_focused()

    # Ann does not want to see any; who sends too many is told so.
    menu = pressed(ann.page, re.compile("^Menu$"))
    menu.get_by_role("switch", name="Show reactions").click()
    ann.page.keyboard.press("Escape")
    expect(ann.page.get_by_role("button", name="React")).to_have_count(0)
    refused = ben.page.locator(".voice", has_text="Not so fast")
    for _ in range(12):
        if not refused.count():
            card.click(button="right")
            choice.get_by_role("button", name="Grr!").click()
            expect(choice).to_have_count(0)
    expect(refused).to_be_visible()
    floats(tv, "grr")
    expect(ann.page.locator("[data-reaction=grr]")).to_have_count(0)
