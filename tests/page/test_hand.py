"""What one does with one's cards: naming a colour, and putting them in order, in every way."""

from __future__ import annotations

import re
from functools import partial

import pytest
from playwright.sync_api import Locator, Page, expect

from page.conftest import Come
from page.overlaps import TARGETS
from page.staging import Scene, Staged, follows, may_name
from page.waiting import lets_pass, soon
from rage import Game

pytestmark = pytest.mark.alone

SCENE = Scene("poof+schedule:10", 3, may_name)
HAND_FIRST = {"sort": "hand"}


@pytest.fixture
def at_table(come: Come, tables: Staged) -> Come:
    """My browser at a table where I may play a Wild or a Change."""
    return lambda **look: come(tables.fresh(SCENE), **look)


def hand(page: Page) -> list[str]:
    cards = page.locator("[data-hand]")
    codes: list[str] = cards.evaluate_all("all => all.map((each) => each.dataset.hand)")
    return codes


def pad(page: Page) -> Locator:
    return page.get_by_role("group", name=re.compile("which colour"))


def goes_to(page: Page, code: str) -> None:
    """With the keyboard, from wherever it is, to a card of the hand."""
    page.locator("[data-hand]").first.focus()
    page.keyboard.press("Home")
    for _ in range(hand(page).index(code)):
        page.keyboard.press("ArrowRight")
    expect(page.locator(f'[data-hand="{code}"]:focus')).to_have_count(1)


# --- naming a colour -----------------------------------------------------------------------


def test_a_colour_is_named_by_keys_and_by_none_of_the_browser_s_own(at_table: Come) -> None:
    page = at_table()
    goes_to(page, "W")
    page.keyboard.press("Enter")
    colours = pad(page).locator(".colour")
    expect(colours.first).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(colours.nth(1)).to_be_focused()
    for key in ("Control+4", "Alt+4", "Meta+4"):
        page.keyboard.press(key)
    lets_pass(page, 100)
    expect(pad(page)).to_be_visible()
    page.keyboard.press("Escape")
    expect(pad(page)).to_have_count(0)
    expect(page.locator('[data-hand="W"]:focus')).to_have_count(1)
    expect(page.locator("[data-pending], [data-played='WG']")).to_have_count(0)
    page.keyboard.press("Enter")
    expect(colours.first).to_be_focused()
    page.keyboard.press("4")
    expect(page.locator('[data-played="WG"]')).to_be_visible()
    expect(page.locator("[data-hand]:focus")).to_have_count(1)


def test_colours_are_heard_and_touched_and_a_change_says_which_it_may_not_name(
    at_table: Come,
) -> None:
    page = at_table(has_touch=True, viewport={"width": 320, "height": 568})
    page.get_by_role("toolbar", name="Your hand").get_by_role("button", name="Wild").first.tap()
    said = partial(re.findall, r'- button "([^"]*)"')
    named = [*("red", "orange", "yellow", "green", "blue", "purple"), "Another card"]
    assert soon(lambda: said(pad(page).aria_snapshot())) == named
    assert soon(page.evaluate, TARGETS) == []
    pad(page).get_by_role("button", name="Another card").tap()
    expect(pad(page)).to_have_count(0)
    page.locator('[data-hand="C"]').first.tap()
    off = pad(page).locator(".colour[aria-disabled]")
    expect(off).to_have_count(1)
    trump = off.get_attribute("data-colour")
    off.tap(force=True)  # it says it is off, and answers
    expect(page.get_by_role("alert")).to_contain_text(re.compile("trump", re.IGNORECASE))
    expect(pad(page)).to_be_visible()
    other = pad(page).locator(".colour:not([aria-disabled])").last
    code = other.get_attribute("data-colour")
    assert code != trump
    other.tap()
    expect(page.locator(f'[data-played="C{code}"]')).to_be_visible()


# --- putting it in order -------------------------------------------------------------------


def test_a_card_is_pulled_to_its_place(at_table: Come) -> None:
    page = at_table()
    before = hand(page)
    boxes = [card.bounding_box() for card in page.locator("[data-hand]").all()]
    first, fourth = boxes[0], boxes[3]
    assert first is not None
    assert fourth is not None
    y = first["y"] + 30
    page.mouse.move(first["x"] + 12, y)
    page.mouse.down()
    page.mouse.move(fourth["x"] + 12, y, steps=8)
    page.mouse.up()
    assert soon(hand, page) == [*before[1:4], before[0], *before[4:]]
    lets_pass(page, 200)
    assert soon(page.locator("[data-played][data-by='0']").count) == 0, "pulling plays nothing"


@pytest.mark.long
def test_two_touches_move_a_card_without_pulling(at_table: Come) -> None:
    page = at_table(settings=HAND_FIRST, has_touch=True, viewport={"width": 320, "height": 568})
    before = hand(page)
    arrange = page.get_by_role("button", name="Arrange my cards")
    arrange.tap()
    expect(arrange).to_have_attribute("aria-pressed", "true")
    cards = page.locator("[data-hand]")
    cards.nth(4).tap()
    expect(cards.nth(4)).to_have_attribute("aria-pressed", "true")
    cards.first.tap(position={"x": 8, "y": 12})
    assert soon(hand, page) == [before[4], *before[:4], *before[5:]]
    expect(page.locator("[data-played][data-by='0']")).to_have_count(0)
    arrange.tap()
    playable = page.locator("[data-hand]:not([aria-disabled])")
    code = playable.first.get_attribute("data-hand") or ""
    playable.first.tap()
    played = page.locator(f'[data-played^="{code}"][data-by="0"]')
    colour = page.locator(".colour:not([aria-disabled])")
    expect(played.or_(colour).first).to_be_visible()
    if colour.count():
        colour.first.tap()
    expect(played).to_be_visible()


def test_the_hand_is_one_tab_stop_and_keys_put_it_in_order(at_table: Come) -> None:
    """Its arrows go round, and move a card with Shift. The order outlives a reload; a button leaves
    it."""
    page = at_table()
    before, cards = hand(page), page.locator("[data-hand]")
    expect(page.locator('[data-hand][tabindex="0"]')).to_have_count(1)
    expect(page.locator('[data-hand][tabindex="-1"]')).to_have_count(len(before) - 1)
    cards.first.focus()
    page.keyboard.press("End")
    expect(cards.last).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(cards.first).to_be_focused()
    page.keyboard.press("ArrowLeft")
    expect(cards.last).to_be_focused()
    page.keyboard.press("Home")
    for _ in range(2):
        page.keyboard.press("Shift+ArrowRight")
    arranged = [*before[1:3], before[0], *before[3:]]
    assert soon(hand, page) == arranged
    expect(cards.nth(2)).to_be_focused()
    page.reload()
    expect(cards.first).to_be_visible()
    assert soon(hand, page) == arranged
    page.get_by_role("button", name="Sort by colour").click()
    assert soon(hand, page) == before


def first_may_not(game: Game) -> bool:
    """I am last to the first trick, and may not play the first card of my hand."""
    held = game.view(0).as_data()["hand"].split()
    return follows(game) and held[0] not in map(str, game.legal_moves)


def test_on_my_turn_the_keyboard_begins_at_the_first_card_that_may_be_played(
    come: Come, tables: Staged
) -> None:
    page = come(tables.fresh(Scene("poof+pack:wild0.change0+schedule:10", 4, first_may_not)))
    may = page.locator("[data-hand]:not([aria-disabled])").first
    expect(page.locator("[data-hand]").first).to_have_attribute("aria-disabled", "true")
    expect(may).to_have_attribute("tabindex", "0")
    expect(page.locator('[data-hand][tabindex="0"]')).to_have_count(1)
