"""Who watches, a server that was gone for a moment, and what its operator announces."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import time
from pathlib import Path

from playwright.sync_api import Browser, expect

from page.browsing import Visitors
from page.playing import Player, Seat, plays_out, press, watch
from page.waiting import soon
from server.running import STANDSTILL, Running, busy

#: What a browser says of a server that is gone.
LOST = re.compile("ERR_CONNECTION_REFUSED|WebSocket connection to .* failed")


def test_who_watches_sees_no_hand_but_one_that_is_shown(seat: Seat) -> None:
    ann, eve = seat("Ann"), seat("Eve")
    table = ann.open("poof+schedule:4", 2, bots=["random"])
    eve.go(table)
    title = eve.page.request.get(f"{eve.server.url}/api/tables/{table}").json()["title"]
    expect(eve.page.get_by_text(f"{title} · 2 players")).to_be_visible()
    watch(eve.page, "Eve")
    ann.page.get_by_role("button", name="Start").click()
    expect(eve.page.locator("[data-trump]")).to_be_visible()
    expect(ann.hand).to_have_count(4)
    expect(eve.page.locator("[data-hand]")).to_have_count(0)
    expect(eve.page.get_by_text("You are watching", exact=True)).to_be_visible()
    expect(ann.page.get_by_text("You are watching")).to_have_count(0)
    codes = [card.get_attribute("data-hand") for card in ann.hand.all()]
    press(eve.page, "People")
    press(ann.page, "People")
    ann.page.get_by_role("switch").or_(ann.page.get_by_role("checkbox")).first.click()
    ann.page.keyboard.press("Escape")
    eve.page.get_by_role("button", name="Look").first.click()
    expect(eve.page.locator("[data-hand]")).to_have_count(len(codes))
    shown = eve.page.locator("[data-hand]")
    assert soon(shown.evaluate_all, "all => all.map((one) => one.dataset.hand)") == codes
    expect(eve.page.get_by_text("You are watching the hand of Ann")).to_be_visible()
    press(eve.page, "Chat")
    expect(eve.page.get_by_text("If you have seen a hand, you cannot chat")).to_be_visible()
    eve.page.keyboard.press("Escape")
    # Somebody else's cards are looked at, not played.
    eve.page.locator("[data-hand]").first.click()
    expect(eve.page.locator("[data-pending]")).to_have_count(0)


def test_the_page_goes_on_by_itself_when_the_server_is_back(
    tmp_path: Path, browser: Browser
) -> None:
    """Killed in the middle of a game, with a card sent while nobody was there to take it."""
    first = Running(tmp_path / "data")
    visitors = Visitors(browser, first)
    ann = Player(visitors)
    ann.plays_bots("poof+pack:wild0.change0.out0.bonus0.mad0+schedule:6", 2)
    ann.page.locator('[data-number="1"]').click()
    expect(ann.page.locator(".status.mine")).to_be_visible()
    expect(ann.page.locator("[data-number]")).to_have_count(0)
    first.end(signal.SIGKILL)
    expect(ann.page.get_by_text("Connection lost")).to_be_visible()
    card = ann.hand.and_(ann.page.locator(":not([aria-disabled])")).first
    code = card.get_attribute("data-hand")
    card.click()
    expect(ann.page.locator(f'[data-played="{code}"][data-pending]')).to_be_visible()
    again = Running(tmp_path / "data", port=first.port)
    back = time.monotonic()
    try:
        expect(ann.page.get_by_text("Connection lost")).to_have_count(0)
        expect(ann.page.locator("[data-pending]")).to_have_count(0)
        assert time.monotonic() - back <= 2 * busy(again) + STANDSTILL
        expect(ann.page.locator(f'[data-hand="{code}"]')).to_have_count(0)
        plays_out(ann)
    finally:
        visitors.close()
        again.end()
    assert [each for each in visitors.said if not LOST.search(each)] == []


def test_an_announcement_is_shown_until_it_is_closed(page_server: Running, seat: Seat) -> None:
    ann = seat("Ann", viewport={"width": 320, "height": 568})
    ann.open("poof+schedule:3", 2)
    words = "<b>Restart</b> in ten minutes, at 8 p.m.; all tables go on where they are"
    command = [sys.executable, "-m", "rage", "admin", "announce", words]
    subprocess.run([*command, "--data", str(page_server.data)], check=True, capture_output=True)
    notice = ann.page.get_by_role("status").filter(has_text=words)
    expect(notice).to_contain_text(f"From the people who run this server: {words}")
    notice.get_by_role("button", name="Close").click()
    expect(ann.page.get_by_text(words)).to_have_count(0)
