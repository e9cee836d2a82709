"""An evening of several tables, as people, its director and a television see it."""

from __future__ import annotations

import asyncio
import re
from contextlib import AsyncExitStack
from pathlib import Path
from random import Random

from playwright.sync_api import Locator, Page, expect

from page.browsing import (
    Visitors,
    apart,
    barriers,
    barriers_and_echoes,
    become,
    code_of,
    cookie_of,
    too_wide,
)
from page.playing import Player, plays_out
from page.waiting import soon
from server.table_client import connected, cookie, play_out

RULES = "poof+schedule:2.1"
WIDTHS = ((320, 568), (390, 844), (1280, 800), (1920, 1080))


def joins(player: Player, code: str) -> None:
    """Take part in an evening under a name."""
    page = player.page
    page.goto(f"e/{code}")
    page.get_by_label("Your name").fill(player.name)
    page.get_by_role("button", name="Join", exact=True).click()
    expect(page.get_by_role("button", name="Leave")).to_be_visible()


def standing(page: Page) -> Locator:
    return page.get_by_role("table", name="Standing").locator("tbody tr")


def plays(*players: Player) -> None:
    """Those who are at tables play them to the end, over sockets beside their pages."""
    tables: dict[str, list[str]] = {}
    for each in players:
        each.page.wait_for_load_state("networkidle")  # the last window of a person wins
        tables.setdefault(code_of(each.page), []).append(cookie_of(each.page))

    async def play(table: str, cookies: list[str]) -> None:
        async with AsyncExitStack() as stack:
            url = players[0].server.url
            guests = [await stack.enter_async_context(connected(url, table, c)) for c in cookies]
            await play_out(guests, Random(1))

    async def play_all() -> None:
        await asyncio.gather(*(play(*each) for each in tables.items()))

    apart(play_all)


def fits(page: Page) -> None:
    """Nobody is kept from using it, and it is as wide as its window."""
    assert barriers(page) == []
    for width, height in WIDTHS:
        page.set_viewport_size({"width": width, "height": height})
        assert too_wide(page) == 0, width


def test_an_evening_from_the_form_to_the_standing_on_paper(visitors: Visitors) -> None:
    """Three people play a round at one table. One more comes late, plays the second at two tables,
    where bots fill the chairs, and leaves in the middle of it."""
    ann, ben, cleo, dora = (Player(visitors, each) for each in ("Ann", "Ben", "Cleo", "Dora"))
    become(ann.page, cookie(visitors.server.someone("Ann")), visitors.server)
    ann.page.goto(f"new?rules={RULES}&players=3")
    ann.page.get_by_text("Evening at several tables").click()
    for label in ("Rounds", "Deals in a round"):
        ann.page.get_by_role("combobox", name=label, exact=True).select_option("2")
    ann.page.get_by_role("button", name="Open the evening").click()
    ann.page.wait_for_url(re.compile("/e/"))
    code = ann.page.url.rpartition("/")[2]
    expect(ann.page.get_by_text("2 rounds of 2 deals, tables of 3")).to_be_visible()
    for each in (ben, cleo):
        joins(each, code)
    expect(ann.page.get_by_text("3 people at 1 table; every chair is taken.")).to_be_visible()
    expect(ann.page.get_by_alt_text("QR code of the link to this evening")).to_be_visible()
    fits(ann.page)
    ann.page.get_by_role("button", name="Begin round 1").click()
    expect(
        ben.page.get_by_role("heading", name=re.compile("^Table 1 Chair [123]$"))
    ).to_be_visible()
    joins(dora, code)
    expect(dora.page.get_by_text("You play from the next round on.")).to_be_visible()
    one = "(Ann|Ben|Cleo)"
    expect(dora.page.get_by_text(re.compile(f"^{one}, {one} and {one}$"))).to_be_visible()
    plays_out(ann, ben, cleo)  # each table has opened by itself
    assert barriers(ben.page) == []
    expect(ben.page.get_by_role("button", name="Play again")).to_have_count(0)
    ann.page.get_by_role("link", name="To the evening").last.click()
    expect(standing(ann.page)).to_have_count(3)
    expect(ann.page.get_by_text("After 2 deals")).to_be_visible()
    expect(ben.page.get_by_role("link", name="Look back")).to_be_visible()
    expect(
        ann.page.get_by_text("4 people at 2 tables; 2 bots fill the empty chairs.")
    ).to_be_visible()
    ann.page.get_by_role("button", name="Begin round 2").click()
    ben.page.get_by_role("link", name=re.compile("^Round 2: table [12], chair [123]$")).click()
    code_of(dora.page)  # she is taken there, and only once
    dora.page.get_by_role("link", name="To the evening").click()
    dora.page.get_by_role("button", name="Leave").click()
    dora.page.get_by_role("button", name="Yes").click()
    expect(dora.page.get_by_role("button", name="Join", exact=True)).to_be_visible()
    cleo.page.get_by_role("link", name=re.compile("^Round 2")).click()
    plays(ann, ben, cleo)
    expect(dora.page.get_by_text("The evening is over.")).to_be_visible()
    expect(standing(dora.page)).to_have_count(4)
    row = standing(dora.page).filter(has_text="Dora")
    expect(row).to_contain_text("a bot finished")
    expect(row).to_contain_text("has left")
    fits(dora.page)
    with dora.page.expect_download() as saved:
        dora.page.get_by_role("button", name="Save as CSV").click()
    lines = Path(saved.value.path()).read_text(encoding="utf-8").splitlines()
    assert len(lines) == 1 + 3 + 6
    assert lines[0] == "round,table,chair,player,bot,corrected,points,par,deal_1,deal_2"
    dora.page.evaluate("dispatchEvent(new Event('beforeprint'))")
    dora.page.emulate_media(media="print")
    expect(dora.page.get_by_role("table")).to_have_count(4)  # the standing, and each table
    expect(dora.page.get_by_role("button")).to_have_count(0)
    paper = "getComputedStyle(document.documentElement).backgroundColor"
    assert soon(dora.page.evaluate, paper) == "rgb(255, 255, 255)"


def test_a_director_helps_a_table_closes_a_round_and_corrects(visitors: Visitors) -> None:
    """In German, who does not play, and whose browser finds the evening again."""
    server = visitors.server
    director, *people = [server.someone(each) for each in ("Dirk", "Ann", "Ben", "Cleo", "Dora")]
    wanted = {"rules": RULES, "players": 3, "rounds": 2, "deals": 2, "plays": False}
    code = director.post("/api/events", json=wanted).json()["event"]
    for each in people:
        each.post(f"/api/events/{code}/join", json={})
    page = visitors.blank(locale="de", viewport={"width": 1280, "height": 800})
    become(page, cookie(director), server)
    page.goto(f"e/{code}")
    expect(
        page.get_by_text("4 Leute an 2 Tischen, 2 Bots nehmen die freien Plätze.")
    ).to_be_visible()
    page.get_by_role("button", name="Runde 1 beginnen").click()
    first = page.get_by_role("listitem").filter(has_text="Tisch 1")
    first.get_by_text("Tisch 1 leiten").click()
    first.get_by_role("button", name="Unterbrechen").click()
    expect(first).to_contain_text("unterbrochen")
    first.get_by_role("button", name="Weiterspielen lassen").click()
    first.get_by_role("button", name="Bots überlassen").click()
    first.get_by_role("button", name="Ja").click()
    expect(first).to_contain_text("fertig")
    assert barriers_and_echoes(page) == []
    page.get_by_role("button", name="Runde trotzdem schließen").click()
    page.get_by_role("button", name="Ja").click()
    page.get_by_text("Ergebnisse der Runde 1").click()
    expect(page.get_by_text("Dieser Tisch hat kein Ergebnis.")).to_be_visible()
    correct = re.compile("^Punkte von (Ann|Ben|Cleo|Dora) berichtigen$")
    button = page.get_by_role("button", name=correct).first
    expect(button).to_be_visible()
    found = correct.match(button.get_attribute("aria-label") or "")
    assert found is not None
    button.click()
    page.get_by_label("Punkte in Runde 1").fill("-99")
    page.get_by_role("button", name="Speichern").click()
    row = page.get_by_role("table", name="Stand").locator("tr", has_text=found[1])
    expect(row).to_contain_text("berichtigt")
    expect(row).to_contain_text("−99")
    page.get_by_role("link", name="Start", exact=True).click()
    page.get_by_role("link", name="Dein Abend: hingehen").click()
    page.get_by_role("button", name="Abend beenden").click()
    page.get_by_role("button", name="Ja").click()
    expect(page.get_by_text("Der Abend ist zu Ende.")).to_be_visible()


def test_the_code_of_an_evening_leads_to_it_and_any_other_nowhere(visitors: Visitors) -> None:
    director = visitors.server.someone("Dirk")
    code = director.post("/api/events", json={"rules": RULES, "players": 3}).json()["event"]
    page = visitors.visit("join")
    page.get_by_label("Code or link").fill(code)
    expect(page.get_by_role("heading", name="Evening", exact=True)).to_be_visible()
    page.goto("e/zzzzzzzz")
    expect(page.get_by_role("heading", name="There is nothing here")).to_be_visible()
