"""The same person on another device, by the words of a recovery code."""

from __future__ import annotations

import re
import time

from playwright.sync_api import Page, expect

from page.browsing import Visitors, barriers, loaded, too_wide
from page.playing import Seat, Seats

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "locale": "de"}
#: Seconds from opening the link to the hand, and touches besides the words.
SECONDS, TOUCHES = 20, 4


def words_of(page: Page) -> list[str]:
    """The words of a new code, as a page shows them."""
    page.goto("handover")
    page.get_by_role("button", name="Show me my words").click()
    words = page.get_by_role("list", name="Your words").get_by_role("listitem")
    expect(words).to_have_count(7)
    return words.all_inner_texts()


def test_a_new_phone_has_the_hand_within_twenty_seconds_and_four_touches(
    visitors: Visitors, seats: Seats
) -> None:
    """From opening the link of the table; in another language, with four letters of each word."""
    table = seats("amigo", "Ann", "Ben", bots=1)
    old = table.page(0)
    words = words_of(old)
    assert barriers(old) == []
    old.close()

    phone = visitors.blank(**PHONE)
    begun = time.monotonic()
    phone.goto(f"t/{table.code}")
    touched = [
        phone.get_by_role("link", name="Ich spiele hier schon"),
        phone.get_by_label("Die Wörter deines Ersatzcodes"),
        phone.get_by_role("button", name="Hier weiterspielen"),
    ]
    assert len(touched) <= TOUCHES
    for at, each in enumerate(touched):
        each.tap()
        if at == 1:
            phone.keyboard.type(" ".join(word[:4].upper() for word in words))
    hand = phone.locator("[data-hand]")
    expect(hand).to_have_count(len(table.deal["hands"][0]))
    assert time.monotonic() - begun < SECONDS
    codes = [card.get_attribute("data-hand") for card in hand.all()]
    assert sorted(filter(None, codes)) == sorted(table.deal["hands"][0])


def test_a_word_is_completed_and_a_wrong_one_named(visitors: Visitors) -> None:
    words = words_of(visitors.visit("settings"))
    page = visitors.visit("recover", viewport={"width": 320, "height": 568})
    loaded(page)
    assert barriers(page) == []
    assert too_wide(page) <= 0
    page.get_by_role("textbox").press_sequentially(words[0][:3])
    page.locator(".next").get_by_role("button", name=words[0], exact=True).click()
    field = page.get_by_role("textbox")
    expect(field).to_have_value(f"{words[0]} ")
    expect(field).to_be_focused()
    page.keyboard.type(f"{' '.join(words[1:6])} qqqq")
    page.keyboard.press("Enter")
    alert = page.get_by_role("alert").filter(has_text=re.compile("qqqq"))
    expect(alert).to_be_visible()
    field.fill(" ".join(reversed(words)))
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert").filter(has_text="no such code")).to_be_visible()


def test_who_sits_down_with_others_is_offered_a_code_once(seat: Seat) -> None:
    ann = seat("Ann")
    code = ann.open("amigo", 3)
    expect(ann.page.get_by_role("button", name="Start")).to_be_visible()
    offer = ann.page.get_by_text("seven words bring your seat back")
    expect(offer).to_have_count(0)
    ben = seat("Ben")
    ben.sit_down(code)
    expect(offer).to_be_visible()
    ann.page.get_by_role("button", name="Not now").click()
    expect(offer).to_have_count(0)
    ann.page.reload()
    loaded(ann.page)
    expect(offer).to_have_count(0)
    ben.page.get_by_role("link", name="Get my words").click()
    ben.page.get_by_role("button", name="Show me my words").click()
    ben.go(code)
    loaded(ben.page)
    expect(ben.page.get_by_text("seven words bring your seat back")).to_have_count(0)
