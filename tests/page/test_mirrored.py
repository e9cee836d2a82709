"""A language that is written from the right: the page is mirrored, and a table can be played at."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from page.browsing import Visitors, rest
from page.conftest import ROOT, Come
from page.overlaps import check
from page.playing import bid
from page.staging import Moment, Scene, bids_last, follows
from page.waiting import soon
from rage.say import completed

PHONE: ViewportSize = {"width": 390, "height": 844}
#: How far a page goes beyond its window.
BEYOND = "document.documentElement.scrollWidth - innerWidth"


def arabic(page: Page) -> Page:
    """The page with the Arabic catalogue of the tests in place of the Spanish one."""
    own = json.loads((ROOT / "tests/words/ar.json").read_text(encoding="utf-8"))
    said = json.dumps(completed(own))
    page.route(
        "**/assets/es-*.js",
        lambda route: route.fulfill(content_type="text/javascript", body=f"export default {said}"),
    )
    page.reload()
    expect(page.locator("html")).to_have_attribute("dir", "rtl")
    return page


@pytest.mark.parametrize("moment", [bids_last, follows])
def test_a_table_is_mirrored_and_nothing_lies_on_anything(come: Come, moment: Moment) -> None:
    page = arabic(come(Scene("amigo", 4, moment), viewport=PHONE, locale="es", has_touch=True))
    expect(page.locator("[data-hand]").first).to_be_visible()
    rest(page)
    assert check(page, moment) == []
    assert soon(page.evaluate, BEYOND) <= 0


def test_a_bid_is_made_there(come: Come) -> None:
    page = arabic(come(Scene("amigo", 4, bids_last, mark="rtl"), viewport=PHONE, locale="es"))
    bid(page, 1)


@pytest.mark.parametrize("path", ["", "new", "settings", "join"])
def test_no_page_goes_beyond_its_window(visitors: Visitors, path: str) -> None:
    page = arabic(visitors.visit(path, locale="es", viewport=PHONE))
    expect(page.locator("h1")).to_be_visible()
    assert soon(page.evaluate, BEYOND) <= 0
