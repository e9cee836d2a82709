"""A table that has lost its last events: what people at it see, and how it goes on."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import pytest
from playwright.sync_api import Browser, Page, expect

from page.browsing import Visitors, barriers, too_wide
from page.playing import bid, first_to_bid, table_in_play
from page.test_table_guests import LOST
from rage.server.stores import STORE
from server.running import Running


class Gap(NamedTuple):
    """The pages of the host and of a guest, and of who bid first."""

    host: Page
    guest: Page
    eldest: Page


@pytest.fixture
def gap(tmp_path: Path, browser: Browser) -> Iterator[Gap]:
    """Both have seen two bids of which a server that starts again can read none."""
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
    yield Gap(host, guest, eldest)
    visitors.close()
    again.end()
    assert [each for each in visitors.said if not LOST.search(each)] == []


def test_the_host_lets_a_table_with_a_gap_go_on(gap: Gap) -> None:
    host, guest, eldest = gap
    asked = guest.get_by_role("alert").filter(has_text="can no longer be read")
    expect(asked).to_contain_text("Ann is the host")
    assert too_wide(guest) <= 0
    assert barriers(guest) == []
    asked.get_by_role("button", name="Go on from here").click()
    expect(guest.get_by_role("alert").filter(has_text="Only the host")).to_be_visible()
    host.get_by_role("button", name="Go on from here").click()
    for page in (host, guest):
        expect(page.get_by_role("button", name="Go on from here")).to_have_count(0)
    bid(eldest)


def test_people_read_how_much_of_what_they_saw_is_lost(gap: Gap) -> None:
    gap.host.get_by_role("button", name="Go on from here").click()
    for page in gap:
        expect(
            page.get_by_role("status").filter(has_text="events that you saw are lost")
        ).to_be_visible()
