"""The rules of a table where they are needed: at the section that matters now, and of each thing on
the table what it is and does."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from page.browsing import barriers, too_wide
from page.conftest import Come
from page.playing import MENU, Seat
from page.staging import Scene, bids_last, leads
from page.waiting import once, soon
from rage import Game

PHONE = {"viewport": {"width": 360, "height": 640}, "has_touch": True, "is_mobile": True}


def out_lies(game: Game) -> bool:
    """I may not play every card, and an Out lies in the trick."""
    if game.bidding or not game.rounds[-1].tricks:
        return False
    held = game.view(0).as_data()["hand"].split()
    lie = {str(move) for move in game.rounds[-1].tricks[-1].moves}
    legal = set(map(str, game.legal_moves))
    return "X" in lie and bool(legal & set(held)) and not set(held) <= legal


BIDDING = Scene("amigo+plus-minus-one", 4, bids_last, mark="rules")
LEADING = Scene("amigo", 4, leads, mark="rules")
PRESSED = Scene("amigo", 4, leads, mark="press")
OUT = Scene("poof", 4, out_lies, mark="rules")


def explained(page: Page) -> Locator:
    return page.get_by_role("tooltip")


def is_open_at(page: Page, chapter: str) -> Locator:
    """The dialog with the rules, whose section for now is in sight and has the focus."""
    dialog = page.get_by_role("dialog", name="The rules of this table")
    heading = dialog.get_by_role("heading", name=f"{chapter} Now")
    expect(heading).to_be_focused()
    expect(heading).to_be_in_viewport(ratio=1)
    expect(dialog.get_by_role("heading", name=re.compile("Now$"))).to_have_count(1)
    return dialog


# --- the rules of this table ----------------------------------------------------------------


@pytest.mark.long
@pytest.mark.alone
def test_they_open_at_what_matters_now(come: Come) -> None:
    page = come(BIDDING, **PHONE)
    page.get_by_role("button", name=MENU).tap()
    page.get_by_role("dialog").get_by_role("button", name="Rules").tap()
    dialog = is_open_at(page, "Bidding")
    assert too_wide(page) <= 0
    assert barriers(page) == []
    # What differs from another box.
    dialog.get_by_label("The box you know").select_option("poof")
    differs = dialog.locator("[data-differs]")
    expect(differs).to_contain_text("Unlike Rage (Poof-Slinky 2013):")
    expect(differs).to_contain_text("the bids may not add up to the number of tricks")
    expect(differs).to_contain_text("a missed bid costs 5 points")
    page.go_back()
    expect(page.get_by_role("dialog")).to_have_count(0)

    desk = come(LEADING)
    desk.get_by_role("button", name="Rules").click()
    marked = is_open_at(desk, "Play").locator("li.now")
    expect(marked).to_contain_text("the winner of a trick leads to the next")

    desk = come(OUT)
    desk.keyboard.press("?")
    desk.get_by_role("button", name="The rules of this table").click()
    marked = is_open_at(desk, "Action cards").locator("li.now")
    expect(marked.first).to_contain_text("Out Rage: there is no trump in this trick")
    expect(marked.last).to_contain_text("If you hold a coloured card of the led colour, play one.")


def test_before_a_game_they_say_what_differs(seat: Seat) -> None:
    ann = seat()
    ann.open("amigo+sweep", 4)
    differs = ann.page.locator("[data-differs]:not(dialog *)")
    expect(differs).to_contain_text("Unlike Rage (AMIGO 00990):")
    expect(differs.get_by_role("listitem")).to_have_count(1)
    ann.page.get_by_role("button", name="Rules", exact=True).click()
    dialog = ann.page.get_by_role("dialog", name="The rules of this table")
    dialog.get_by_label("The box you know").select_option("poof")
    expect(dialog.locator("[data-differs]")).to_contain_text("the action cards are called Joker")
    ann.page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    # The device knows it from now on.
    expect(differs).to_contain_text("Unlike Rage (Poof-Slinky 2013):")
    ann.page.wait_for_function("!history.state?.over")
    ann.page.reload()
    expect(differs).to_contain_text("Unlike Rage (Poof-Slinky 2013):")


# --- what something is ----------------------------------------------------------------------


class Finger:
    """A finger on a page."""

    def __init__(self, page: Page) -> None:
        self._devtools = page.context.new_cdp_session(page)

    def _touch(self, kind: str, *points: dict[str, float]) -> None:
        said = {"type": kind, "touchPoints": list(points)}
        self._devtools.send("Input.dispatchTouchEvent", said)

    def down(self, what: Locator) -> dict[str, float]:
        box = what.bounding_box()
        assert box is not None
        at = {"x": box["x"] + min(10, box["width"] / 2), "y": box["y"] + box["height"] / 2}
        self._touch("touchStart", at)
        return at

    def move(self, x: float, y: float) -> None:
        self._touch("touchMove", {"x": x, "y": y})

    def up(self) -> None:
        self._touch("touchEnd")


@pytest.mark.alone
def test_a_long_press_explains_a_card_and_plays_nothing(come: Come) -> None:
    page = come(PRESSED, **PHONE)
    finger, cards = Finger(page), page.locator("[data-hand]")
    url = page.url

    def hand() -> list[str | None]:
        return [card.get_attribute("data-hand") for card in cards.all()]

    # Dragging a card puts it elsewhere, and explains nothing, however slow it is.
    sorted_hand = hand()
    page.clock.install()
    page.clock.pause_at(page.evaluate("Date.now() + 1000"))
    at = finger.down(cards.first)
    for step in range(1, 9):
        finger.move(at["x"] + 12 * step, at["y"])
    page.clock.run_for(1000)
    finger.up()
    page.clock.resume()
    expect(explained(page)).to_have_count(0)
    before = hand()
    assert before != sorted_hand

    at = finger.down(cards.first)
    expect(explained(page)).to_contain_text("The highest trump wins the trick")
    finger.move(at["x"] + 90, at["y"])  # too late to pull it
    finger.up()
    expect(cards.first).to_have_attribute("aria-describedby", re.compile("."))
    # A touch closes it, and does nothing else; so does Back.
    cards.nth(2).tap()
    expect(explained(page)).to_have_count(0)
    finger.down(cards.nth(1))
    expect(explained(page)).to_be_visible()
    finger.up()
    page.go_back()
    expect(explained(page)).to_have_count(0)
    assert page.url == url
    assert once(hand) == before
    expect(page.locator("[data-played]")).to_have_count(0)
    # And the next touch is a touch again.
    cards.first.tap()
    expect(page.locator("[data-played][data-by='0'], .colour").first).to_be_visible()


@pytest.mark.alone
def test_a_bid_says_what_it_promises(come: Come) -> None:
    """By the right button, and by the question mark where it has the focus."""
    page = come(BIDDING)
    bids = page.locator("[data-about=bid]")
    refused = page.locator("[data-about=bid][aria-disabled=true]").first
    refused.click(button="right", force=True)
    expect(explained(page)).to_contain_text("The last bidder may not do that")
    page.keyboard.press("Escape")
    expect(explained(page)).to_have_count(0)
    number = bids.and_(page.locator(":not([aria-disabled])")).first.get_attribute("data-number")
    bids.nth(int(number or 0)).focus()
    page.keyboard.press("?")
    expect(explained(page)).to_contain_text(f"You say that you will win exactly {number} trick")


#: What an explanation covers that it may not: it is said by the plate in front of me.
COVERED = """() => {
    const { left, right, top, bottom } =
        document.querySelector('[role=tooltip]').getBoundingClientRect();
    return [...document.querySelectorAll('.seats li, .near, .rim > *, [data-played], .voice')]
        .filter((one) => {
            const at = one.getBoundingClientRect();
            return Math.min(right, at.right) - Math.max(left, at.left) > 1 &&
                Math.min(bottom, at.bottom) - Math.max(top, at.top) > 1;
        }).map((one) => one.className);
}"""


@pytest.mark.alone
@pytest.mark.sampled(2)
@pytest.mark.parametrize("size", [(1280, 720), (320, 568)])
def test_signs_and_numbers_say_what_they_are(come: Come, size: tuple[int, int]) -> None:
    page = come(OUT, viewport={"width": size[0], "height": size[1]})
    left_to_the_browser = page.evaluate_handle(
        """() => {
            const all = [];
            addEventListener('contextmenu', (event) => event.defaultPrevented || all.push(event));
            return all;
        }"""
    )
    middle = page.get_by_role("region", name="The table")
    for what, says in (
        (middle.locator("[data-played=X]"), "Out Rage: there is no trump in this trick"),
        (middle.locator("[data-bids]"), r"\d+ of 10 bid, \d+ too (many|few): someone will miss"),
        (middle.locator("[data-about=trump]"), "There is no trump."),
        (middle.locator("[data-about=pips]").first, r"\d of \d: .+ has won \d tricks? and bid \d"),
        (
            page.locator("[data-about=deals]"),
            r"Cleo deals this round\.\s*The player on the dealer's left",
        ),
        (page.locator("[data-about=round]"), "one fewer in every round"),
        (page.locator(".own [data-about=points]"), "You have 0 points"),
    ):
        what.click(button="right")
        expect(explained(page)).to_have_text(re.compile(says))
        assert soon(page.evaluate, COVERED) == [], says
        page.keyboard.press("Escape")
        expect(explained(page)).to_have_count(0)
    assert once(left_to_the_browser.evaluate, "all => all.length") == 0


@pytest.mark.alone
@pytest.mark.long
def test_a_key_says_it_of_what_has_the_focus(come: Come) -> None:
    page = come(OUT)
    page.locator("[data-hand]").first.focus()
    page.keyboard.press("End")
    off = page.locator("[data-hand][aria-disabled]").first
    for _ in range(10):
        if off.evaluate("card => card === document.activeElement"):
            break
        page.keyboard.press("ArrowLeft")
    page.keyboard.press("?")
    expect(explained(page)).to_contain_text("was led and you hold")
    expect(off).to_have_accessible_description(re.compile("was led and you hold"))
    expect(page.locator("[data-live=polite]")).to_contain_text("was led and you hold")
    assert barriers(page) == []
    # Again, and it is the help, which explains all that cannot have the focus.
    page.keyboard.press("?")
    helped = page.get_by_role("dialog", name="Help and keys")
    expect(explained(page)).to_have_count(0)
    helped.get_by_text("Everything on the table").click()
    expect(helped).to_contain_text("someone will miss")
    expect(helped).to_contain_text("Bo has won")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(off).to_be_focused()
