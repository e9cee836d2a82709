"""The same deals again, and the deal of the day, in a real browser."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from playwright.sync_api import Browser, expect

from page.browsing import (
    Visitors,
    barriers,
    barriers_in_both_themes,
    finish,
    too_wide,
    unfold,
)
from page.test_after import Over, over
from rage.house.requests.days import Day, DayPlayed
from rage.say import signed
from server.running import Running


@pytest.fixture(scope="module")
def game(page_server: Running) -> Over:
    return over(page_server, "poof+schedule:2.1", 3)


def test_the_same_deals_are_played_again_and_the_results_stand_side_by_side(
    visitors: Visitors, game: Over
) -> None:
    """With others, the lobby says that the cards may be known."""
    page = game.visited(visitors)
    page.get_by_role("button", name="With others").click()
    expect(page.get_by_text("someone here may know them")).to_be_visible()
    expect(page.get_by_role("button", name=re.compile("^Start"))).to_be_visible()
    page.get_by_text("Every player's browser helps shuffle").click()
    expect(page.get_by_label("A word of your own")).to_have_count(0)
    page.goto(game.path)
    unfold(page)
    panel = page.get_by_role("region", name="The same deal again")
    expect(panel.get_by_role("table")).to_have_count(0)
    panel.get_by_role("button", name="Alone, with bots").click()
    expect(page).to_have_url(re.compile(r"/t/\w{8}$"))
    again = page.url[-8:]
    assert again != game.table
    page.goto("healthz")  # or this page and the client there would push each other out
    finish(page, game.server, again)
    page.goto(f"g/{again}/1")
    unfold(page)
    rows = page.get_by_role("region", name="The same deal again").get_by_role("row")
    expect(rows).to_have_count(4)  # the head, two rounds, the total
    expect(rows.first.get_by_role("link")).to_have_count(2)
    first = game.answer["record"]["scores"][0]
    expect(rows.last.get_by_role("cell").first).to_have_text(signed(first))
    assert barriers(page) == []
    assert too_wide(page) == 0


@pytest.mark.alone
def test_where_the_browser_keeps_nothing_the_deal_of_the_day_is_there_still(
    visitors: Visitors,
) -> None:
    page = visitors.blank()
    page.add_init_script("Storage.prototype.setItem = () => { throw new Error('full'); }")
    page.goto("day")
    expect(page.get_by_role("button", name="Play today's cards")).to_be_visible()
    expect(page.locator("p.error")).to_have_count(0)


@pytest.fixture
def alone(tmp_path: Path, browser: Browser) -> Iterator[Visitors]:
    """People at a server at which nobody has played, nor at an earlier try of the test."""
    server = Running(tmp_path / "data")
    visitors = Visitors(browser, server)
    yield visitors
    visitors.close()
    server.end()
    assert visitors.said == []


@pytest.mark.long
def test_the_days_played_stand_in_a_calendar(visitors: Visitors) -> None:
    """The start page says how many there have been in a row."""
    played = [
        DayPlayed("2026-03-02", "abcdefgh", 31, [True, False]),
        DayPlayed("2026-03-01", "bcdefghi", -5, [False, False]),
        DayPlayed("2026-02-27", "cdefghij", 12, [True, True]),
    ]
    day = Day("2026-03-02", "poof", "abcdefgh", True, 0, [], played, 2)
    page = visitors.blank(viewport={"width": 390, "height": 844})
    page.route("**/api/day?*", lambda route: route.fulfill(json=msgspec.to_builtins(day)))
    page.goto("day")
    month = page.get_by_role("table", name="March: 2 days played")
    expect(month.get_by_role("link")).to_have_count(2)
    expect(month.get_by_role("link", name="March 2, 2026: 1 of 2 bids met, 31")).to_be_visible()
    expect(month).to_contain_text("2 days in a row")
    assert barriers_in_both_themes(page) == []
    assert too_wide(page) == 0
    page.goto("")
    expect(page.get_by_role("link", name="The deal of the day")).to_contain_text("2 days in a row")
    assert barriers(page) == []
    assert too_wide(page) == 0


@pytest.mark.long
def test_the_deal_of_the_day_is_played_once_and_then_tells_how_all_did(alone: Visitors) -> None:
    page = alone.visit("")
    page.get_by_role("link", name="The deal of the day").click()
    page.get_by_label("Edition").select_option("amigo")
    expect(page.get_by_text("No one has played it yet today")).to_be_visible()
    assert barriers(page) == []
    assert too_wide(page) == 0
    page.get_by_role("button", name="Play today's cards").click()
    expect(page).to_have_url(re.compile(r"/t/\w{8}$"))
    table = page.url[-8:]
    page.goto("day")
    page.get_by_role("button", name="Go on playing").click()
    expect(page).to_have_url(re.compile(f"/t/{table}$"))
    page.goto("healthz")
    finish(page, alone.server, table)
    page.goto("day")
    expect(page.get_by_role("listitem").filter(has_text="(you)")).to_be_visible()
    expect(page.get_by_role("button", name="Play today's cards")).to_have_count(0)
    assert barriers(page) == []
    expect(page.get_by_role("table").get_by_role("link")).to_have_count(1)
    page.get_by_role("link", name="Look back at your game").click()
    expect(page.get_by_role("region", name="All hands")).to_be_visible()
