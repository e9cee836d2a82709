"""The score sheet and the judge where somebody looks elsewhere meanwhile, or part of the page does
not come, in a real browser."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from page.browsing import Visitors
from page.entering import begin
from page.test_judge import tap as tap_judge
from page.test_recording import asked, tap, with_round

NAMES = ("Ann", "Ben")
#: Where no worker can be registered, as with one that the server does not send.
NO_WORKER = "navigator.serviceWorker.register = () => Promise.reject(new Error('not here'))"


def test_a_wild_whose_colour_was_asked_for_is_not_what_was_turned_up(visitors: Visitors) -> None:
    cards: dict[str, list[str]] = {"turned": [], "tricks": []}
    page = with_round(visitors, "poof", NAMES, {"bids": [0, 0], "extra": cards})
    tap(page, "G7")
    asked(page, "Ben leads")
    page.get_by_role("button", name="Wild Rage").click()
    expect(page.get_by_text("which colour is it called?")).to_be_visible()
    page.get_by_role("button", name="Undo").click()
    asked(page, "Which card was turned up?")
    tap(page, "G3")
    asked(page, "Ben leads")
    expect(page.locator(".trump")).to_contain_text("green")


@pytest.mark.alone
@pytest.mark.sampled(2)
@pytest.mark.parametrize("part", ["History", "Recorder"])
def test_a_part_that_does_not_load_says_so(visitors: Visitors, part: str) -> None:
    visitors.expected.append("ERR_FAILED")
    page = visitors.blank()
    gone = re.compile(f"/assets/{part}")
    page.route(gone, lambda route: route.abort())
    page.goto("sheet")
    begin(page, (*NAMES, "Cem"))
    if part == "History":
        page.get_by_role("link", name="History").click()
    else:
        page.get_by_role("button", name="Sheet", exact=True).click()
        page.get_by_role("button", name="Record this round's cards").click()
    said = page.get_by_role("alert").filter(has_text="could not be loaded")
    expect(said).to_be_visible()
    page.unroute(gone)
    said.get_by_role("button", name="Try again").click()
    found = "Games on this device" if part == "History" else "Which card was turned up?"
    expect(page.get_by_role("heading", name=found)).to_be_visible()


def test_without_a_worker_the_open_page_has_all_its_files(
    visitors: Visitors, offline_noise: None
) -> None:
    page = visitors.blank(service_workers="allow")
    page.add_init_script(NO_WORKER)
    with page.expect_response(re.compile("/assets/Recorder")):
        page.goto("sheet")
    page.wait_for_load_state("networkidle")
    page.context.set_offline(True)
    page.get_by_role("link", name="History").click()
    expect(page.get_by_role("heading", name="Games on this device")).to_be_visible()


@pytest.mark.alone
def test_the_judge_keeps_its_trick_and_begins_with_the_edition_of_the_sheet(
    visitors: Visitors,
) -> None:
    page = visitors.visit("sheet")
    begin(page, (*NAMES, "Cem"), "AMIGO")
    page.get_by_role("link", name="Judge").click()
    edition = page.get_by_role("combobox", name="Edition")
    expect(edition).to_have_value("amigo")
    page.get_by_role("radio", name="red").check()
    tap_judge(page, "Joker > blue", "blue > blue 3")
    said = page.locator(".voice")
    expect(said).to_contain_text("Player 1 wins the trick")
    page.get_by_role("link", name="Sheet", exact=True).click()
    page.get_by_role("link", name="Judge").click()
    expect(said).to_contain_text("Player 1 wins the trick")
    edition.select_option("fundex")
    page.reload()
    expect(said).to_contain_text("Player 1 wins the trick")
    expect(edition).to_have_value("fundex")
    page.goto("sheet#new")  # everything else begins with what was used last, too
    expect(page.get_by_role("radio", name="Fundex")).to_be_checked()
    page.goto("")
    expect(page.get_by_role("button", name="Play now")).to_contain_text("Fundex")
