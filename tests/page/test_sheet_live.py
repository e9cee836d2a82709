"""A score sheet that others watch, and bids on everybody's own phone: three browsers at a table."""

from __future__ import annotations

import re
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from page.browsing import Visitors, barriers, too_wide
from page.entering import Entering, begin, random_round, shown_scores, stop, written
from page.waiting import once, soon
from rage.rules.editions import ruleset
from rage.say import LANGUAGES
from rage.score.standing import scores
from score.entering import new_sheet

NAMES = ("Ann", "Ben", "Cem")
ROUND_1, ROUND_2 = (re.compile(f"Round {n} of 10") for n in (1, 2))


def keeping(visitors: Visitors, variant: str = "", **options: Any) -> Page:
    """Somebody who keeps a sheet of three, with a variant of AMIGO's rules if one is named."""
    page = visitors.visit("sheet", has_touch=True, **options)
    if variant:
        page.locator("summary", has_text="Variants").click()
        page.get_by_role("radio", name="AMIGO").check()
        page.get_by_role("switch", name=variant).check()
    begin(page, NAMES)
    return page


def show(page: Page) -> str:
    """Show the sheet of a page to others; the link that they get."""
    page.get_by_role("button", name="Sheet", exact=True).click()
    page.get_by_role("button", name="Show to others").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("img", name="QR code")).to_be_visible()
    link = dialog.locator(".link").first.inner_text()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Round", exact=True).click()
    return link


def come(visitors: Visitors, link: str, name: str | None = None) -> Page:
    """Somebody who follows the link, to watch, or to bid for a player."""
    page = visitors.visit(link, has_touch=True)
    expect(page.locator("tfoot")).to_be_visible()
    if name is not None:
        page.get_by_role("button", name=name, exact=True).click()
        expect(page.get_by_role("heading", name=re.compile(name))).to_be_visible()
    return page


def bid(page: Page, n: int) -> None:
    """Bid on the player's own phone."""
    page.locator(f"[data-number='{n}']").click()
    page.get_by_role("button", name=re.compile(f"^Bid {n}( for good)?$")).last.click()
    expect(page.get_by_text(f"You have bid {n}.").last).to_be_visible()


def totals(page: Page, *points: int) -> None:
    """Wait until the foot of the sheet says so."""
    expect(page.locator("tfoot td b")).to_have_text([*map(written, points)])


def progress(page: Page) -> Locator:
    """How far the round under way is, on the page of somebody who watches."""
    return page.locator("section.own .progress")


def cell(page: Page, name: str) -> str:
    """What the sheet of a page says of a player in the round under way."""
    names = page.locator("thead .name").all_inner_texts()
    return page.locator("tbody .now td").nth(names.index(name)).inner_text().strip()


def test_others_watch_each_change(visitors: Visitors) -> None:
    keeper = keeping(visitors)
    link = show(keeper)
    watcher = come(visitors, link)
    expect(watcher.get_by_role("heading", level=1)).to_have_text(ROUND_1)
    expect(watcher.get_by_role("status")).to_have_text("Live")
    expect(progress(watcher)).to_have_text("Waiting for the bids of Ben, Cem and Ann.")
    assert too_wide(watcher) == 0
    assert barriers(watcher) == []
    entering = Entering(keeper)
    entering.number(4)
    expect(progress(watcher)).to_have_text("Waiting for the bids of Cem and Ann.")
    assert soon(cell, watcher, "Ben") == "–/4"
    for n in (3, 2, 4, 3):
        entering.number(n)
    entering.button("Next round")
    expect(watcher.get_by_role("heading", level=1)).to_have_text(ROUND_2)
    totals(watcher, -2, 14, 13)
    expect(watcher.locator("[data-live=polite]")).to_contain_text("Ben leads with 14.")
    watcher.get_by_role("button", name="Keep a copy on this device").click()
    expect(watcher.get_by_role("heading", level=1)).to_have_text(ROUND_2)
    expect(watcher.get_by_role("button", name="Undo")).to_be_visible()
    stop(keeper)
    keeper.get_by_role("button", name="Play again").click()
    next_game = come(visitors, link)
    expect(next_game.get_by_role("heading", level=1)).to_have_text(ROUND_1)
    expect(progress(next_game)).to_have_text("Waiting for the bids of Cem, Ann and Ben.")
    keeper.get_by_role("button", name="Others can watch").click()
    assert barriers(keeper) == []
    assert too_wide(keeper) == 0
    keeper.get_by_role("button", name="Stop showing").click()
    late = visitors.visit(link)
    expect(late.get_by_role("status")).to_have_text("This sheet is not shown any more.")
    expect(keeper.get_by_role("button", name="Others can watch")).to_have_count(0)


def test_hidden_bids_on_phones_come_to_the_sheet_by_themselves(visitors: Visitors) -> None:
    keeper = keeping(visitors, "Hidden bids")
    link = show(keeper)
    ben, cem, watcher = (come(visitors, link, name) for name in ("Ben", "Cem", None))
    expect(keeper.get_by_role("heading", name="How many will Ann win?")).to_be_visible()
    assert barriers(ben) == []
    assert too_wide(ben) == 0
    bid(ben, 5)
    ben.get_by_role("button", name="Change the bid").click()
    bid(ben, 4)
    entering = Entering(keeper)
    entering.number(3)  # Ann has no phone: she bids on that of the keeper
    expect(keeper.get_by_role("heading", name="Waiting for the phone of Cem")).to_be_visible()
    for name in ("Ann", "Ben"):
        expect(keeper.get_by_role("button", name=f"Bid of {name}: hidden")).to_be_visible()
    expect(keeper.get_by_text("2 of 3 have bid")).to_be_visible()
    keeper.get_by_role("button", name="Sheet", exact=True).click()
    assert soon(lambda: [cell(keeper, name) for name in NAMES]) == [""] * 3
    keeper.get_by_role("button", name="Round", exact=True).click()
    expect(progress(watcher)).to_have_text("2 of 3 have bid. Waiting for the bid of Cem.")
    assert soon(lambda: [cell(watcher, name) for name in NAMES]) == [""] * 3
    assert barriers(keeper) == []
    bid(cem, 2)
    expect(keeper.get_by_role("heading", name="How many did Ben win?")).to_be_visible()
    for page in (watcher, ben, cem):
        expect(progress(page)).to_have_text("All have bid.")
        for name, shown in zip(NAMES, ("–/3", "–/4", "–/2"), strict=True):
            assert soon(cell, page, name) == shown
        expect(page.get_by_role("button", name="Change the bid")).to_have_count(0)
    for n in (4, 3):
        entering.number(n)
    entering.button("Next round")
    totals(ben, 13, 14, -2)
    expect(ben.get_by_role("heading", name="Ben, how many will you win?")).to_be_visible()


@pytest.mark.long
def test_without_a_network_bids_are_entered_by_hand(
    visitors: Visitors, offline_noise: None
) -> None:
    """And the keeper frees the name that somebody else has taken."""
    keeper = keeping(visitors, "Hidden bids")
    link = show(keeper)
    wrong = come(visitors, link, "Ben")
    keeper.get_by_role("button", name="Others can watch").click()
    dialog = keeper.get_by_role("dialog")
    dialog.get_by_role("button", name="Release").click()
    dialog.get_by_role("button", name="Yes").click()
    expect(wrong.get_by_text("Are you playing?")).to_be_visible()
    keeper.keyboard.press("Escape")
    ben = come(visitors, link, "Ben")
    expect(keeper.get_by_role("heading", name="How many will Cem win?")).to_be_visible()
    keeper.context.set_offline(True)
    entering = Entering(keeper)
    entering.number(2)
    entering.number(3)
    expect(keeper.get_by_role("heading", name="Waiting for the phone of Ben")).to_be_visible()
    keeper.get_by_role("button", name="Bid of Ben: –").click()
    for n in (4, 4, 3):
        entering.number(n)
    keeper.context.set_offline(False)
    entering.button("Next round")
    expect(ben.get_by_role("heading", level=1)).to_have_text(ROUND_2)
    totals(ben, 13, 14, -2)


@pytest.mark.long
@pytest.mark.parametrize("language", LANGUAGES)
def test_it_fits_on_a_small_phone_in_every_language(visitors: Visitors, language: str) -> None:
    """Also with letters twice as large, on one that is turned."""
    keeper = keeping(visitors, "Hidden bids")
    link = show(keeper)
    small: Any = {"viewport": {"width": 320, "height": 568}, "locale": language}
    ben = visitors.visit(link, **small)
    ben.get_by_role("button", name="Ben", exact=True).click()
    expect(ben.locator("[data-number='10']")).to_be_visible()
    expect(keeper.get_by_role("heading", name="How many will Cem win?")).to_be_visible()
    keeper.set_viewport_size({"width": 320, "height": 568})
    keeper.evaluate(
        "language => localStorage['rage.settings'] = JSON.stringify({language})", language
    )
    keeper.reload()
    sealed = keeper.locator(".slot.bids [data-icon=devices]")
    expect(sealed).to_have_count(1)
    assert too_wide(keeper) == 0
    keeper.locator(".shown").click()
    expect(keeper.get_by_role("dialog").locator(".qr")).to_be_visible()
    for page in (ben, keeper):
        assert too_wide(page) == 0
        assert barriers(page) == []
        page.set_viewport_size({"width": 640, "height": 400})  # as at a zoom of 200 %
        page.evaluate("document.documentElement.style.fontSize = '200%'")
        assert too_wide(page) == 0


def test_over_plain_http_an_open_page_goes_on_without_a_network(abroad: Visitors) -> None:
    abroad.expected.append("ERR_INTERNET_DISCONNECTED")
    page = abroad.blank()
    with page.expect_response(re.compile("files.json")) as listed:
        page.goto("sheet")
    assert not once(page.evaluate, "isSecureContext")
    files = [each for each in listed.value.json() if each.endswith(".js")]
    page.wait_for_function(
        """(count) => performance.getEntriesByType('resource')
            .filter((each) => each.name.endsWith('.js') && each.responseEnd).length >= count""",
        arg=len(files),
    )
    page.get_by_text("Look and language").or_(page.locator("summary").last).first.click()
    expect(page.get_by_text("browsers do not let this page be installed")).to_be_visible()
    page.context.set_offline(True)
    begin(page, NAMES)
    sheet = random_round(new_sheet(ruleset("amigo"), NAMES), Random(3))
    entering = Entering(page)
    entering.round(sheet)
    entering.button("Next round")
    page.get_by_role("link", name="Judge").click()
    expect(page.get_by_role("heading", name="Trick judge")).to_be_visible()
    page.get_by_role("link", name="History").click()
    expect(page.get_by_role("button", name=re.compile("Ann, Ben, Cem"))).to_be_visible()
    page.context.set_offline(False)
    other = abroad.again(page.context, "sheet")  # as on the next evening
    other.get_by_role("button", name="Sheet", exact=True).click()
    assert soon(shown_scores, other) == scores(sheet)
    link = show(other)
    assert link.startswith(f"{abroad.server.url}/sheet#live=")
    watcher = come(abroad, link, "Ben")
    totals(watcher, *scores(sheet))
