"""What decisions cost, on the page of a finished game: asked for once, and shown at each moment."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, Route, expect

from page.browsing import Visitors, barriers, too_wide, unfold
from page.playing import DESK
from rage.notation import write_link
from server.running import Running
from server.test_shared import played

SIZES = {"desk": DESK, "phone": {"width": 390, "height": 780}}


def analysed(
    visitors: Visitors,
    size: str,
    players: int = 4,
    elsewhere: Callable[[Route], None] | None = None,
) -> Page:
    """A game that chance has played, opened from its link, with its analysis. ``elsewhere`` answers
    what is asked of the analysis."""
    link = write_link(played("poof+schedule:4.3", players))
    page = visitors.blank(viewport=SIZES[size])
    if elsewhere is not None:
        page.route("**/api/analysis**", elsewhere)
    page.goto(f"open#{link}")
    expect(page.get_by_test_id("story")).to_be_visible()
    unfold(page)
    panel = page.get_by_role("region").filter(has=page.locator("#after-analysis"))
    panel.get_by_role("button").first.click()
    expect(panel.get_by_role("table")).to_be_visible()
    expect(panel.get_by_role("heading", level=2)).to_be_focused()
    return page


@pytest.mark.long
@pytest.mark.alone
@pytest.mark.sampled(2)
@pytest.mark.parametrize("size", list(SIZES))
def test_it_shows_what_was_costly_and_leads_there(visitors: Visitors, size: str) -> None:
    page = analysed(visitors, size)
    panel = page.get_by_role("region", name="What decisions cost")
    expect(panel.get_by_role("heading", level=3)).to_have_count(4)
    expect(panel.get_by_role("img", name="Expected lead during the game")).to_be_visible()
    first = panel.get_by_role("listitem").first
    expect(first).to_contain_text("was better.")
    said = first.locator(".grow").inner_text().splitlines()[0]
    first.get_by_role("button").click()
    expect(first.get_by_role("button")).to_have_attribute("aria-current", "step")
    expect(page.locator("[data-testid=story] .cost")).to_contain_text(said.split(" points")[0][-4:])
    expect(page.locator("[data-costly]").first).to_be_attached()
    assert too_wide(page) == 0
    assert barriers(page) == []
    expect(page.locator("[data-live=polite]")).to_contain_text("The analysis is ready.")
    # Where the next round is dealt, the line stands where the last one has ended.
    page.locator(".rounds button").nth(1).click()
    expect(panel.locator("line.now")).to_have_count(1)


def test_it_is_begun_again_where_it_is_not_known(visitors: Visitors, tmp_path: Path) -> None:
    """Behind a proxy, another server may be asked for it than the one that has begun it."""
    other, asked = Running(tmp_path / "other"), list[str]()
    client = other.nobody()

    def elsewhere(route: Route) -> None:
        request = route.request
        if request.method == "POST" and not asked:
            return route.continue_()
        answer = client.request(
            request.method, urlsplit(request.url).path, content=request.post_data_buffer
        )
        asked.append(f"{request.method} {answer.status_code}")
        return route.fulfill(status=answer.status_code, json=answer.json())

    analysed(visitors, "phone", players=3, elsewhere=elsewhere)
    other.end()
    assert asked[:3] == ["GET 404", "POST 200", "GET 200"]
