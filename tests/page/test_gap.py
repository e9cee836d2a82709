"""A table that has lost its last events: what people at it see, and how it goes on."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from playwright.sync_api import Browser, expect

from page.browsing import Visitors, barriers, too_wide
from page.playing import bid, first_to_bid, table_in_play
from page.test_table_guests import LOST
from rage.server.stores import STORE
from server.running import Running


def test_a_table_with_a_gap_goes_on_and_says_how_much_is_lost(
    tmp_path: Path, browser: Browser
) -> None:
    """Both have seen two bids of which a server that starts again can read none. Only the host may
    let the table go on."""
    first = Running(tmp_path / "data")
    visitors = Visitors(browser, first)
    table = table_in_play(visitors, "poof+schedule:3", "Ann", "Ben")
    host, guest = table.page(0), table.page(1, viewport={"width": 320, "height": 568})
    eldest, last = first_to_bid(table, [host, guest])
    for page in (eldest, last):
        bid(page)
    expect(eldest.locator(".status.mine")).to_be_visible()
    first.end()
    with closing(sqlite3.connect(first.data / STORE)) as store, store:
        store.execute(
            "DELETE FROM events WHERE seq = (SELECT min(seq) FROM events"
            " WHERE json_extract(CAST(data AS TEXT), '$.type') = 'played')"
        )
    again = Running(first.data, port=first.port)
    try:
        asked = guest.get_by_role("alert").filter(has_text="can no longer be read")
        expect(asked).to_contain_text("Ann is the host")
        assert too_wide(guest) <= 0
        assert barriers(guest) == []
        asked.get_by_role("button", name="Go on from here").click()
        expect(guest.get_by_role("alert").filter(has_text="Only the host")).to_be_visible()
        host.get_by_role("button", name="Go on from here").click()
        for page in (host, guest):
            expect(page.get_by_role("button", name="Go on from here")).to_have_count(0)
            lost = page.get_by_role("status").filter(has_text="events that you saw are lost")
            expect(lost).to_be_visible()
        bid(eldest)
    finally:
        visitors.close()
        again.end()
    assert [each for each in visitors.said if not LOST.search(each)] == []
