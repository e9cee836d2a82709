"""What somebody does about what is stored of them, and about those who misbehave."""

from __future__ import annotations

import json
from random import Random

from playwright.sync_api import expect

from page.browsing import Visitors, apart, barriers, become, loaded, too_wide
from page.playing import Seats
from server.table_client import cookie, game_of, play_out


def test_a_game_is_deleted_and_then_everything(visitors: Visitors) -> None:
    server = visitors.server
    ann, ben = server.someone("Ann"), server.someone("Ben")

    async def game() -> None:
        async with game_of(server.url, [ann, ben], rules="poof+schedule:1") as guests:
            await play_out(guests, Random(1))

    for _ in range(2):
        apart(game)
    page = visitors.blank(viewport={"width": 320, "height": 568})
    become(page, cookie(ann), server)
    page.goto("mine")
    rows = page.get_by_role("region", name="Games played").get_by_role("listitem")
    expect(rows).to_have_count(2)
    page.get_by_role("button", name="Delete games").click()
    rows.first.get_by_role("button", name="Delete this game").click()
    assert too_wide(page) <= 0
    assert barriers(page) == []
    rows.first.get_by_role("button", name="Yes").click()
    expect(rows).to_have_count(1)
    assert len(ann.get("/api/games").json()["games"]) == 1
    page.goto("settings")
    with page.expect_download() as begun:
        page.get_by_role("link", name="Download my data").click()
    told = json.loads(begun.value.path().read_bytes())
    assert (told["name"], len(told["games"])) == ("Ann", 2)  # Ben still keeps the other
    page.get_by_role("button", name="Delete everything about me").click()
    assert too_wide(page) <= 0
    page.get_by_role("button", name="Yes").click()
    expect(page.get_by_role("heading", name="Rage", exact=True)).to_be_visible()
    loaded(page)
    assert page.request.get("api/games").json() == {"games": []}
    assert page.request.get("api/me").json()["person"] != told["person"]
    reader = visitors.blank(locale="de")
    become(reader, cookie(ben), server)
    reader.goto("mine")
    expect(reader.get_by_text("Mit Gelöschte Person 1")).to_have_count(2)


def test_somebody_at_the_table_is_reported(seats: Seats) -> None:
    table = seats("amigo", "Ann", "Ben", "Cleo")
    host, cleo = table.page(0), table.page(2)
    cleo.get_by_role("button", name="Menu").click()
    cleo.get_by_role("button", name="People").last.click()
    cleo.get_by_role("button", name="More about Ben").click()
    cleo.get_by_role("button", name="Report", exact=True).click()
    cleo.get_by_label("What has Ben done?").fill("insults")
    assert barriers(cleo) == []
    cleo.get_by_role("button", name="Send the report").click()
    expect(cleo.get_by_text("Thank you, it has been reported.").first).to_be_visible()
    expect(host.get_by_text("A player reports Ben: insults")).to_be_visible()
