"""Statistics over evenings, in a real browser: worked out and kept on the device."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from page.browsing import Visitors, barriers, barriers_in_both_themes, too_wide
from page.entering import written
from page.test_after import Over, over
from page.waiting import soon
from server.running import Running

pytestmark = pytest.mark.alone


@pytest.fixture(scope="module")
def game(page_server: Running) -> Over:
    return over(page_server, "poof+schedule:3.2.1", 3)


def opened(visitors: Visitors, game: Over, **look: Any) -> Page:
    page = visitors.blank(**look)
    game.enter(page, visitors)
    page.goto("mine")
    page.get_by_role("link", name="Statistics").click()
    expect(page.get_by_role("region", name="My games")).to_be_visible()
    return page


def test_the_numbers_are_those_of_the_games(visitors: Visitors, game: Over, tmp_path: Path) -> None:
    """They stay on the device, for which each game is read once."""
    page = opened(visitors, game)
    record = game.answer["record"]
    rounds = record["rounds"]
    met = sum(each["bids"][0] == each["won"][0] for each in rounds)
    own = page.get_by_role("region", name="My games")
    expect(own).to_contain_text(f"{met}/3")
    expect(own).to_contain_text(written(record["scores"][0]))
    with page.expect_download() as downloading:
        page.get_by_role("button", name="Save as CSV").click()
    file = tmp_path / downloading.value.suggested_filename
    downloading.value.save_as(file)
    with file.open(newline="", encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines))
    assert len(rows) == 9
    mine = [row for row in rows if row["me"] == "1"]
    assert [int(row["points"]) for row in mine] == [each["points"][0] for each in rounds]
    assert int(mine[-1]["score"]) == record["scores"][0]
    with page.expect_download() as downloading:
        page.get_by_role("button", name="Save as JSON").click()
    downloading.value.save_as(file)
    assert json.loads(file.read_text())[0]["scores"] == record["scores"]

    for width in (320, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        assert barriers_in_both_themes(page) == []
        assert too_wide(page) == 0

    # One game says little about each number of cards: five do.
    by_cards = page.get_by_role("region", name="Bids met by cards")
    expect(by_cards).to_have_count(0)
    page.evaluate(
        """() => {
            const [game] = JSON.parse(localStorage['rage.stats']);
            const five = [0, 1, 2, 3, 4].map((i) => ({...game, id: `${game.id}${i || ''}`}));
            localStorage['rage.stats'] = JSON.stringify(five);
        }"""
    )
    asked: list[str] = []
    sent: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("request", lambda request: sent.append(request.method))
    page.reload()
    expect(by_cards.get_by_role("row")).to_have_count(4)
    page.wait_for_load_state("networkidle")
    assert not any("/games/1" in url for url in asked)  # it is known already
    assert set(sent) == {"GET"}  # and nothing is told to the server
    page.get_by_role("button", name="Remove from this device").click()
    page.get_by_role("button", name="Yes").click()
    expect(page.get_by_text("No games yet")).to_be_visible()
    assert soon(page.evaluate, "localStorage.getItem('rage.stats')") == "[]"


def test_without_games_it_says_so(visitors: Visitors) -> None:
    page = visitors.visit("stats")
    expect(page.get_by_text("No games yet")).to_be_visible()
    assert barriers(page) == []
    page.goto("mine")
    expect(page.get_by_text("No games yet.")).to_be_visible()
