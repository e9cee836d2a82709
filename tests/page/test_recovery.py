"""The same person on another device, by the words of a recovery code."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from page.browsing import Visitors, barriers, become, loaded, too_wide
from page.playing import Seat, Seats
from server.table_client import cookie

PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "has_touch": True,
    "locale": "de",
}
#: Touches from opening the link to the hand, besides the words.
TOUCHES = 4


def words_of(page: Page) -> list[str]:
    """The words of a new code, as a page shows them."""
    page.goto("handover")
    page.get_by_role("button", name="Show me my words").click()
    words = page.get_by_role("list", name="Your words").get_by_role("listitem")
    expect(words).to_have_count(7)
    return words.all_inner_texts()


def says_to_be_ben(phone: Page, code: str) -> None:
    """Ben, whose phone is dead, asks for the seat from a new one that knows nothing of him."""
    phone.goto(f"t/{code}")
    phone.get_by_role("link", name="I play here already").click()
    phone.get_by_role("button", name="I am Ben").click()


def test_a_new_phone_has_the_hand_within_four_touches(visitors: Visitors, seats: Seats) -> None:
    """From opening the link of the table; in another language, with four letters of each word."""
    table = seats("amigo", "Ann", "Ben", bots=1)
    old = table.page(0)
    words = words_of(old)
    assert barriers(old) == []
    old.close()

    phone = visitors.blank(**PHONE)
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
    codes = [card.get_attribute("data-hand") for card in hand.all()]
    assert sorted(filter(None, codes)) == sorted(table.deal["hands"][0])


def test_words_are_completed_and_refused_and_replaced_with_the_lost_device(
    visitors: Visitors,
) -> None:
    words = words_of(visitors.visit("settings"))
    page = visitors.visit("recover", viewport={"width": 320, "height": 568})
    loaded(page)
    assert barriers(page) == []
    assert too_wide(page) <= 0
    field = page.get_by_role("textbox")
    field.press_sequentially(words[0][:3])
    page.locator(".next").get_by_role("button", name=words[0], exact=True).click()
    expect(field).to_have_value(f"{words[0]} ")
    expect(field).to_be_focused()
    page.keyboard.type(f"{' '.join(words[1:6])} qqqq")
    page.keyboard.press("Enter")
    alert = page.get_by_role("alert")
    expect(alert.filter(has_text=re.compile("qqqq"))).to_be_visible()
    field.fill(" ".join(reversed(words)))
    page.keyboard.press("Enter")
    expect(alert.filter(has_text="no such code")).to_be_visible()

    field.fill(" ".join(words))
    page.get_by_role("checkbox").check()
    page.locator("form").get_by_role("button", name="Go on here").click()
    shown = page.get_by_text("These are your new ones").locator("..").locator("b")
    expect(shown).to_be_visible()
    fresh = shown.inner_text()
    assert barriers(page) == []
    page.get_by_role("button", name="I have kept them").click()
    expect(page.get_by_role("heading", name="My games")).to_be_visible()
    third = visitors.visit("recover")
    for typed, refused in ((" ".join(words), True), (fresh, False)):
        third.get_by_role("textbox").fill(typed)
        third.keyboard.press("Enter")
        alert = third.get_by_role("alert").filter(has_text="no such code")
        expect(alert).to_have_count(int(refused))
    expect(third.get_by_role("heading", name="My games")).to_be_visible()


@pytest.mark.long
def test_who_sits_down_with_others_is_offered_a_code_once(seat: Seat) -> None:
    ann = seat("Ann")
    code = ann.open("amigo", 3)
    expect(ann.page.get_by_role("button", name="Start")).to_be_visible()
    offer = ann.page.get_by_text("Seven words get your seat back")
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
    expect(ben.page.get_by_role("list", name="Your words")).to_be_visible()
    ben.go(code)
    loaded(ben.page)
    expect(ben.page.get_by_text("Seven words get your seat back")).to_have_count(0)


def test_without_a_code_the_others_say_who_it_is(visitors: Visitors, seats: Seats) -> None:
    """Ben's phone is dead. The new one asks for the seat, the others agree, and it has the hand;
    but if the old one comes back in the same round, the seat is its own again."""
    table = seats("amigo", "Ann", "Ben", "Cleo")
    ann, cleo = table.page(0), table.page(2)
    phone = visitors.blank(viewport={"width": 390, "height": 844}, locale="en")
    phone.goto(f"t/{table.code}")
    phone.get_by_role("link", name="I play here already").click()
    expect(phone.get_by_text("Still connected: Ann and Cleo.")).to_be_visible()
    assert barriers(phone) == []
    phone.get_by_role("button", name="I am Ben").click()
    asking = phone.get_by_role("region", name="The others are asked whether you are Ben")
    expect(asking).to_be_visible()
    says = re.compile("says: “I am Ben”")
    ann.get_by_role("region", name=says).get_by_role("button", name="That is right").click()
    expect(asking).to_contain_text("Waiting for Cleo")
    expect(asking.get_by_role("button", name="Withdraw")).to_be_visible()
    cleo.get_by_role("region", name=says).get_by_role("button", name="Agree").click()
    hand = phone.locator("[data-hand]")
    expect(hand).to_have_count(len(table.deal["hands"][1]))
    codes = [card.get_attribute("data-hand") for card in hand.all()]
    assert sorted(filter(None, codes)) == sorted(table.deal["hands"][1])
    assert phone.request.get("api/tables").json()["mine"][0]["seats"][1]["name"] == "Ben"
    old = visitors.blank(locale="en")  # charged again
    become(old, cookie(table.people[1]), visitors.server)
    old.goto(f"t/{table.code}")
    expect(old.locator("[data-hand]")).to_have_count(len(table.deal["hands"][1]))
    expect(hand).to_have_count(0)


@pytest.mark.long
def test_the_host_learns_why_a_seat_cannot_be_given_yet(seats: Seats, visitors: Visitors) -> None:
    table = seats("amigo", "Ann", "Ben", "Cleo")
    ann, cleo = table.page(0), table.page(2)
    expect(cleo.locator("[data-hand]").first).to_be_visible()
    phone = visitors.blank(locale="en")
    says_to_be_ben(phone, table.code)
    wish = ann.get_by_role("region", name=re.compile("says: “I am Ben”"))
    wish.get_by_role("button", name="That is right").click()
    cleo.get_by_role("button", name="No", exact=True).click()
    expect(wish).to_contain_text("You can ask again when the next round is dealt")
    expect(wish.get_by_role("button", name="That is right")).to_have_count(0)


@pytest.mark.long
def test_where_nobody_may_watch_the_own_seat_can_be_asked_for(
    seats: Seats, visitors: Visitors
) -> None:
    """Who comes with that question has left when the answer is no, and is told so."""
    table = seats("amigo", "Ann", "Ben", "Cleo", spectators=False)
    ann, cleo = table.page(0), table.page(2)
    phone = visitors.blank(locale="en")
    for agreed in (False, True):
        says_to_be_ben(phone, table.code)
        wish = ann.get_by_role("region", name=re.compile("says: “I am Ben”"))
        if not agreed:
            asking = phone.get_by_role("region", name="The others are asked whether you are Ben")
            expect(asking).to_be_visible()  # a slow phone is still drawing the table
            wish.get_by_role("button", name="No", exact=True).click()
            alert = phone.get_by_role("alert").filter(has_text="no longer ask for Ben's seat")
            expect(alert).to_be_visible()
            expect(phone.get_by_text("This table has no spectators.")).to_be_visible()
            continue
        wish.get_by_role("button", name="That is right").click()
        cleo.get_by_role("button", name="Agree").click()
        expect(phone.locator("[data-hand]")).to_have_count(len(table.deal["hands"][1]))
