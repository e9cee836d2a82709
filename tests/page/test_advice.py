"""Advice at the table: in the voice's place, all moves on demand, gone with the turn."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from page.browsing import barriers, too_wide
from page.conftest import Come
from page.playing import DESK, press
from page.staging import Scene, bids_last, may_name
from page.waiting import soon
from rage.table import Options

pytestmark = pytest.mark.alone

BIDDING = Scene("poof", 4, bids_last, mark="advice")
PLAYING = Scene("poof", 4, may_name, mark="advice")
QUIET = Scene("poof", 4, bids_last, Options(advice="never"), mark="quiet")
PHONE = {"width": 390, "height": 780}
SMALL = {"width": 320, "height": 568}


@pytest.mark.sampled(3)
@pytest.mark.parametrize("size", [DESK, PHONE, SMALL], ids=["desk", "phone", "small"])
def test_it_says_what_to_do_and_what_each_move_would_bring(
    come: Come, size: dict[str, int]
) -> None:
    page = come(PLAYING, viewport=size)
    press(page, "Advice")
    advice = page.get_by_role("complementary", name="Advice")
    expect(advice).to_contain_text("Play ")
    expect(advice.get_by_role("button", name="Close the advice")).to_be_in_viewport(ratio=1)
    advice.get_by_role("button", name="All moves").click()
    moves = advice.get_by_role("list").first.get_by_role("listitem")
    expect(moves.first).to_contain_text("%")
    assert soon(moves.count) > 10
    tricks = advice.get_by_role(
        "list", name="How likely each number of tricks is in this round if you play "
    )
    chances = tricks.get_by_role("listitem").all_inner_texts()
    shares = [re.search(r"\d+ tricks?: (\d+)%", each) for each in chances]
    assert 95 < sum(int(each[1]) for each in shares if each) < 105
    assert too_wide(page) == 0
    assert barriers(page) == []
    advice.get_by_role("button", name="Close the advice").click()
    expect(advice).to_have_count(0)


def test_it_goes_with_the_turn(come: Come) -> None:
    page = come(BIDDING, viewport=PHONE)
    press(page, "Advice")
    advice = page.get_by_role("complementary", name="Advice")
    expect(advice).to_contain_text("Bid ")
    expect(advice.get_by_role("button", name="Close the advice")).to_be_in_viewport(ratio=1)
    page.locator("[data-number]:not([aria-disabled=true])").first.click()
    expect(advice).to_have_count(0)


def test_where_the_table_allows_none_there_is_no_button(come: Come) -> None:
    page = come(QUIET, viewport=DESK)
    expect(page.get_by_role("button", name="Help")).to_be_visible()
    expect(page.get_by_role("button", name="Advice")).to_have_count(0)
