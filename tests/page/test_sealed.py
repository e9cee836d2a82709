"""Secret bids of four people in four browsers: all pads are open at the same time."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from page.playing import PHONE, Seats, bid
from page.waiting import soon


def says(page: Page, text: str) -> None:
    expect(page.locator(".voice .status")).to_have_text(text)


def test_four_bid_secretly_at_the_same_time(seats: Seats) -> None:
    """One changes the bid, one reloads; nobody sees more than who has bid."""
    table = seats("poof+secret-bids+schedule:3.2", "Ann", "Ben", "Cy", "Di")
    pages = table.pages(**PHONE)
    ann, ben, cy, di = pages
    for page in pages:
        expect(page.locator("[data-number]")).to_have_count(4)
        expect(page.get_by_text("So far 0 of 4 have bid.")).to_be_visible()
    bid(cy, 3)
    expect(cy.locator("[data-number]")).to_have_count(0)
    expect(ann.get_by_text("So far 1 of 4 has bid.")).to_be_visible()
    expect(cy.locator(".note")).to_have_text("Your bid: 3. You can change it until all have bid.")
    says(cy, "So far 1 of 4 has bid.")
    cy.get_by_role("button", name="Change", exact=True).click()
    expect(cy.get_by_role("button", name="Keep 3")).to_be_visible()
    bid(cy, 0)
    expect(cy.locator(".note")).to_contain_text("Your bid: 0.")
    bid(di, 2)
    di.reload()
    expect(di.locator(".note")).to_contain_text("Your bid: 2.")
    says(di, "So far 2 of 4 have bid.")
    bid(ann, 1)
    expect(ben.get_by_text("So far 3 of 4 have bid.")).to_be_visible()
    assert soon(lambda: [page.get_by_text("bid hidden").count() for page in pages]) == [2, 3, 2, 2]
    bid(ben, 1)
    for page in pages:
        expect(page.get_by_role("button", name="Change", exact=True)).to_have_count(0)
        expect(page.get_by_text("bid hidden")).to_have_count(3)
    expect(cy.locator("[data-seat='2'] .numbers")).to_have_text("0/0")
