"""The invitation: what is shown to somebody who opens the link of a table, and its preview."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from page.browsing import Visitors, barriers_and_echoes, too_wide
from page.playing import DESK, Seat
from rage.say import LANGUAGES, text
from server.running import Running, open_table


def test_an_invitation_says_whose_table_it_is_and_who_sits_there(visitors: Visitors) -> None:
    code = open_table(visitors.server.someone("Ann"), "amigo", 5, name="Ann", bots=["easy"])
    page = visitors.visit(f"t/{code}")
    expect(page.get_by_role("heading", name="Ann’s table")).to_be_visible()
    expect(page.locator("[data-cloth]")).to_have_count(1)
    chairs = page.get_by_role("list", name="Who sits here").get_by_role("listitem")
    said = ["Ann", "bot", *["Empty chair"] * 3]
    expect(chairs).to_have_text([re.compile(f"{each}$") for each in said], use_inner_text=True)
    expect(page.get_by_text("Rage (AMIGO 00990) · 5 players")).to_be_visible()
    expect(page.get_by_text("Then win exactly that many.")).to_be_visible()
    for size in ({"width": 390, "height": 844}, DESK):
        page.set_viewport_size(size)  # type: ignore[arg-type]
        assert barriers_and_echoes(page) == []
    page.get_by_role("button", name="Rules").click()
    expect(page.get_by_role("dialog")).to_contain_text("Rage (AMIGO 00990)")
    page.keyboard.press("Escape")
    page.get_by_label("Language").select_option("de")
    expect(page.get_by_role("heading", name="Der Tisch von Ann")).to_be_visible()


@pytest.mark.sampled(3)
@pytest.mark.parametrize("language", LANGUAGES)
def test_to_sit_down_is_in_sight_on_the_smallest_phone_either_way_up(
    visitors: Visitors, language: str
) -> None:
    code = open_table(visitors.server.someone("Ann"), "poof", 8, name="Bartholomew")
    page = visitors.visit(f"t/{code}", locale=language, viewport={"width": 320, "height": 568})
    button = page.get_by_role("button", name=text("page.table.door.sit", language))
    expect(button).to_be_in_viewport(ratio=1)
    expect(page.get_by_role("heading")).to_contain_text("Bartholomew")
    assert too_wide(page) <= 0
    page.set_viewport_size({"width": 568, "height": 320})
    expect(button).to_be_in_viewport(ratio=1)
    assert too_wide(page) <= 0


def test_who_comes_late_asks_for_the_seat_of_a_bot_at_the_door(seat: Seat) -> None:
    ann, eve = seat("Ann"), seat("Eve", viewport={"width": 844, "height": 390})
    eve.go(ann.plays_bots("poof+schedule:3", 2))
    eve.page.get_by_label("Your name").fill("Eve")
    eve.page.get_by_role("button", name=re.compile("^Ask for .*’s seat$")).click()
    wish = ann.page.locator("[data-wish]")
    expect(wish).to_contain_text(re.compile("Eve would like .* seat"))
    wish.get_by_role("button", name="Give").click()
    expect(eve.hand).to_have_count(3)


# --- the preview ---------------------------------------------------------------------------


def tags(server: Running, code: str, language: str = "en") -> dict[str, str]:
    """What a messenger reads of a link: the Open Graph of the page, as it is written there."""
    asked = server.nobody().get(f"/t/{code}", headers={"Accept-Language": language})
    assert asked.status_code == 200
    return dict(re.findall(r'<meta property="og:([\w:]+)" content="([^"]*)" />', asked.text))


def test_a_link_that_is_pasted_in_a_messenger_has_a_preview(page_server: Running) -> None:
    """Where there is a table; a name in it is text."""
    ann = page_server.someone("Ann")
    code = open_table(ann, "poof", 4, name="Ann")
    found = tags(page_server, code)
    assert found["title"] == "Rage with Ann"
    assert found["description"].startswith("Rage (Poof-Slinky 2013). 3 seats are free")
    assert found["url"] == f"{page_server.url}/t/{code}"
    assert found["image"].startswith(f"{page_server.url}/")
    picture = page_server.nobody().get(found["image"])
    assert picture.headers["content-type"] == "image/png"
    size = [int.from_bytes(picture.content[at : at + 4], "big") for at in (16, 20)]
    assert size == [int(found["image:width"]), int(found["image:height"])] == [1200, 630]
    assert tags(page_server, code, "de")["title"] == "Rage mit Ann"
    begun = open_table(ann, "poof", 4, name="Ann", bots=["easy"] * 3, start=True)
    assert "has begun" in tags(page_server, begun)["description"]
    named = open_table(page_server.someone("Ann"), name='"><i>&')
    assert tags(page_server, named)["title"] == "Rage with &quot;&gt;&lt;i&gt;&amp;"
    assert "<i>" not in page_server.nobody().get(f"/t/{named}").text
    assert tags(page_server, "zzzzzzzz") == {}
