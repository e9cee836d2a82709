"""What takes long without a server is thought in a second worker: advice, bots that look ahead."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from page.browsing import PLAYED_BEFORE, UNPAINTED
from page.hosts import Host

#: Milliseconds until Python has started, in a first or a second worker.
STARTED = 60_000


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page of the folder."""
    host = Host()
    context = browser.new_context(locale="en", reduced_motion="reduce")
    for script in (UNPAINTED, PLAYED_BEFORE):
        context.add_init_script(script)
    page = context.new_page()
    page.goto(host.url)
    yield page
    context.close()
    host.close()


@pytest.mark.long
def test_hard_bots_and_advice_do_not_stop_the_table(page: Page) -> None:
    page.get_by_text("Hard", exact=True).click()
    page.get_by_role("button", name="Play now").click()
    bids = page.locator("[data-number]:not([aria-disabled])")
    expect(bids.first).to_be_visible(timeout=STARTED)
    page.get_by_role("button", name="Advice").click()
    expect(page.get_by_label("Advice")).to_contain_text("you can expect", timeout=STARTED)
    # Beside the page's own service worker, one has the tables, and one thinks.
    names = [worker.url.rpartition("/")[2] for worker in page.workers]
    assert sorted(name.partition("-")[0] for name in names) == ["thinker", "worker"]
    page.get_by_role("button", name="Close the advice").click()
    bids.first.click()
    expect(page.locator("[data-hand]:has(.playable)").first).to_be_visible(timeout=STARTED)
