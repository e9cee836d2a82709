"""What is there for newcomers: the coach at a table, in a real browser."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from page.browsing import Visitors, barriers, finish, rest, too_wide
from page.playing import log_of
from page.test_guided import coach
from page.waiting import soon


def at_table(visitors: Visitors, sent: list[str | bytes] | None = None) -> Page:
    """Somebody who has never played, at a table with bots, when it is their turn.

    What the page tells the server is added to `sent`.
    """
    page = visitors.visit(never_played=True)
    if sent is not None:
        page.on("websocket", lambda socket: socket.on("framesent", lambda data: sent.append(data)))
    page.get_by_role("button", name="Play now").click()
    expect(page.locator("[data-number='2']")).to_be_visible()
    return page


def codes(cards: Locator, attribute: str) -> set[str | None]:
    return {card.get_attribute(attribute) for card in cards.all()}


@pytest.mark.alone
def test_the_coach_comes_by_itself_to_who_has_never_played(visitors: Visitors) -> None:
    sent: list[str | bytes] = []
    page = at_table(visitors, sent)
    page.set_viewport_size({"width": 1280, "height": 800})  # with room, it says how far it is
    expect(coach(page)).to_contain_text("How many of 10 tricks will you win?")
    expect(coach(page)).to_contain_text("1 of 17")
    expect(log_of(page)).to_contain_text("How many of 10 tricks will you win?")
    # What it speaks of is lit: the fair bid, and the strong cards.
    said = coach(page).inner_text()
    fair = re.search(r"Bid about (\d+)", said)
    assert fair is not None
    expect(page.locator("[data-number]:has([data-lit])")).to_have_text(fair[1])
    expect(page.locator("[data-hand]")).to_have_count(10)
    strong = codes(coach(page).locator("[data-chip]"), "data-chip")
    strong |= {"W"} if "Wild Rage" in said else set()
    assert strong or "You hold no strong card." in said
    assert soon(codes, page.locator("[data-hand]:has([data-lit])"), "data-hand") == strong
    expect(page.locator("[data-hand]:not(:has([data-lit]))")).not_to_have_count(0)
    page.locator("[data-number='2']").click()
    expect(page.locator("[data-hand]:has(.playable)").first).to_be_visible()
    expect(coach(page)).not_to_contain_text("How many of 10 tricks")
    expect(coach(page)).to_contain_text("2 of 17")
    # Each answer must not ask again: the server would hang up.
    asked = [message for message in sent if "coach" in str(message)]
    assert len(asked) < 5, asked[:9]


@pytest.mark.alone
@pytest.mark.long
def test_one_touch_ends_it_for_good_and_the_help_calls_it_again(visitors: Visitors) -> None:
    page = at_table(visitors)
    page.get_by_role("button", name="No more hints").click()
    expect(coach(page)).to_have_count(0)
    expect(page.locator("[data-lit]")).to_have_count(0)
    page.reload()
    expect(page.locator("[data-number='2']")).to_be_visible()
    expect(coach(page)).to_have_count(0)
    page.keyboard.press("?")
    page.get_by_role("button", name="Hints again").click()
    page.keyboard.press("Escape")
    expect(coach(page)).to_contain_text("How many of 10 tricks will you win?")


@pytest.mark.long
def test_after_a_first_game_it_is_quiet_and_so_is_the_first_page(
    visitors: Visitors,
) -> None:
    page = at_table(visitors)
    expect(coach(page)).to_be_visible()
    finish(page, visitors.server, page.url.rpartition("/")[2])
    page.goto("")
    page.get_by_role("link", name="New to Rage?").wait_for()  # nobody has seen its end here
    page.go_back()
    here = page.get_by_role("button", name="Play here")
    end = page.locator("#game-end")
    here.or_(end).first.wait_for()
    if here.count():
        here.click()
    expect(end).to_be_visible()
    expect(coach(page)).to_have_count(0)
    page.goto("")
    expect(page.get_by_role("button", name="Play now")).to_be_visible()
    expect(page.get_by_role("link", name="New to Rage?")).to_have_count(0)
    expect(page.get_by_role("link", name="Learn by playing")).to_be_visible()


@pytest.mark.alone
@pytest.mark.sampled(5)
@pytest.mark.parametrize("size", [(320, 568), (360, 640), (390, 844), (844, 390), (1440, 900)])
def test_the_coach_covers_no_card_and_reaches_out_of_nothing(
    visitors: Visitors, size: tuple[int, int]
) -> None:
    page = at_table(visitors)
    page.set_viewport_size({"width": size[0], "height": size[1]})
    expect(coach(page)).to_be_visible()
    rest(page)
    assert too_wide(page) <= 0
    covered = """() => {
            const plate = document.querySelector('aside .plate').getBoundingClientRect();
            return [...document.querySelectorAll('.card, [data-number]')].filter((one) => {
                const box = one.getBoundingClientRect();
                return box.width && box.left < plate.right && box.right > plate.left
                    && box.top < plate.bottom - 1 && box.bottom > plate.top + 1;
            }).map((one) => one.dataset.card ?? one.dataset.bid);
        }"""
    assert soon(page.evaluate, covered) == []
    button = page.get_by_role("button", name="No more hints")
    assert soon(button.evaluate, "(one) => one.getBoundingClientRect().height") >= 44
    assert barriers(page) == []
