"""Who looks at the settings from a table is still there; who goes home is not."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, WebSocket, expect

from page.playing import Seat, plays_out, press


def sockets(page: Page) -> list[WebSocket]:
    """The connections that a page opens from now on."""
    found: list[WebSocket] = []
    page.on("websocket", lambda socket: found.append(socket))
    return found


def closed(found: list[WebSocket]) -> list[bool]:
    return [socket.is_closed() for socket in found]


@pytest.mark.long
def test_who_looks_at_the_settings_is_still_here_and_hears_of_their_turn(seat: Seat) -> None:
    ann, ben = seat("Ann"), seat("Ben")
    found = {each.name: sockets(each.page) for each in (ann, ben)}
    table = ann.open("poof+schedule:4", 2, options={"grace": 0})
    ben.sit_down(table)
    ann.page.get_by_role("button", name="Start").click()
    expect(ben.hand).to_have_count(4)
    expect(ann.hand).to_have_count(4)
    deals = ann.page.locator(".own [data-icon=dealer]").count()
    first, second = (ben, ann) if deals else (ann, ben)
    # The player who waits looks at the settings; the other bids.
    before = found[second.name].copy()
    press(second.page, "Help")
    second.page.get_by_role("link", name="Settings").click()
    expect(second.page.get_by_role("link", name="Back to the table")).to_be_visible()
    first.page.locator('[data-number="1"]').click()
    back = second.page.get_by_role("link", name="Your turn: to the table")
    expect(back).to_be_visible()
    expect(second.page.locator("[data-live=polite]")).to_contain_text("Your turn")
    expect(first.page.get_by_text(f"{second.name} is thinking")).to_be_visible()
    expect(first.page.get_by_text("is away")).to_have_count(0)
    # What is done meanwhile is there at once, on one's return.
    back.click()
    second.page.locator('[data-number="1"]').click()
    assert found[second.name] == before
    assert closed(before)[-1] is False
    # Gone home is gone.
    second.page.locator("header a[href='./']").click()
    expect(first.page.get_by_text(f"{second.name} is away").first).to_be_attached()


def test_who_looks_at_the_last_game_is_there_for_the_next(seat: Seat) -> None:
    ann = seat("Ann")
    found = sockets(ann.page)
    ann.plays_bots("poof+schedule:1", 2)
    plays_out(ann)
    ann.page.locator(".end a").click()
    expect(ann.page.get_by_role("region", name="All hands")).to_be_visible()
    ann.page.get_by_role("link", name="Back to the table").click()
    expect(ann.page.get_by_role("button", name="Play again")).to_be_visible()
    assert closed(found) == [False]
    ann.page.get_by_role("button", name="Play again").click()
    expect(ann.hand).to_have_count(1)
    assert closed(found) == [False]
