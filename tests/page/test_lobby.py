"""Before the game: the host changes what will be played, and everybody is told what."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from page import playing
from page.browsing import barriers, too_wide
from page.playing import Player, Seat

served, seat = playing.served, playing.seat  # pytest finds them here


def come(seat: Seat, table: str, name: str, **look: Any) -> Player:
    """Somebody sits down at a table."""
    player = seat(name, **look)
    player.goes(table)
    player.page.get_by_label("Your name").fill(name)
    player.page.get_by_role("button", name="Sit down").click()
    expect(player.page.get_by_role("heading", name="Before the game")).to_be_visible()
    return player


def form(page: Page) -> Locator:
    """The form with the rules, opened."""
    page.get_by_role("button", name="Change the rules").click()
    dialog = page.get_by_role("dialog", name="Change the rules")
    expect(dialog.get_by_role("radio", name="Fundex")).to_be_visible()
    return dialog


def players(dialog: Locator, number: int) -> None:
    seats = dialog.get_by_role("group", name="How many of you?")
    seats.get_by_role("radio", name=str(number), exact=True).check()


def heard(page: Page) -> Locator:
    """What is told to who listens."""
    return page.locator("[data-live=polite]")


def test_the_host_changes_rules_and_seats_and_all_are_told_what(seat: Seat) -> None:
    ann = seat("Ann")
    fetched: list[str] = []
    ann.page.on("request", lambda request: fetched.append(request.url))
    table = ann.opens("poof", 5, bots=["random"])
    ben = come(seat, table, "Ben")
    ben.page.get_by_role("button", name="seat 5").click()
    expect(ben.page.get_by_role("listitem").filter(has_text="Ben")).to_contain_text("you")
    expect(ben.page.get_by_role("button", name="Change the rules")).to_have_count(0)
    assert not any("LobbyRules" in url for url in fetched), "nobody has asked for it"

    dialog = form(ann.page)
    expect(dialog.get_by_role("radio", name="Poof")).to_be_checked()
    dialog.get_by_role("radio", name="AMIGO").check()
    players(dialog, 3)
    expect(dialog.get_by_text("Fewer seats than now")).to_be_visible()
    dialog.get_by_role("switch", name="Hidden bids").check()
    dialog.get_by_role("button", name="Play by these rules").click()
    expect(dialog).to_have_count(0)
    expect(ann.page.get_by_role("button", name="Change the rules")).to_be_focused()

    told = "The host has changed the table. Rules: Rage (AMIGO 00990); Seats: 3; Your seat: 3."
    expect(heard(ben.page)).to_contain_text(told)
    expect(heard(ben.page)).to_contain_text("Unlike before:")
    expect(heard(ben.page)).to_contain_text("the action cards are called Joker")
    expect(heard(ann.page)).to_contain_text("Rules: Rage (AMIGO 00990); Seats: 3.")
    for page in (ann.page, ben.page):
        rules = page.get_by_role("region", name=re.compile("AMIGO"))
        expect(rules).to_contain_text("The action cards are called Joker", ignore_case=True)
        expect(rules.get_by_role("listitem").filter(has_text="Seats: 3")).to_be_visible()
        seats = page.get_by_role("region", name="Seats").get_by_role("listitem")
        expect(seats).to_have_count(3)
        expect(seats.nth(2)).to_contain_text("Ben")
    # And those are the rules that are played.
    ann.page.get_by_role("button", name="Start").click()
    expect(ben.hand).to_have_count(10)
    line = ann.page.request.get(f"{ann.server.url}/api/tables/{table}").json()
    assert (line["edition"], line["players"]) == ("amigo", 3)
    assert line["rules"] == "amigo+hidden-bids"


def test_own_settings_are_told_as_what_they_mean(seat: Seat) -> None:
    ann = seat("Ann")
    ben = come(seat, ann.opens("poof", 2), "Ben")
    dialog = form(ann.page)
    dialog.get_by_text("Your own rules and schedule").click()
    dialog.locator("input[aria-describedby=about-schedule]").fill("3, 2, 1")
    dialog.get_by_role("button", name="Play by these rules").click()
    expect(heard(ben.page)).to_contain_text("Rules: not as before.")
    expect(heard(ben.page)).to_contain_text("3, 2, 1")
    # Options are told by the same way.
    ann.page.get_by_text("Table options").click()
    ann.page.get_by_role("switch", name="Take back").uncheck()
    ann.page.get_by_role("button", name="Save").click()
    expect(heard(ben.page)).to_contain_text("The host has changed the table. Take back: off.")


def test_nobody_loses_a_seat(seat: Seat) -> None:
    ann = seat("Ann")
    table = ann.opens("poof", 3)
    ben, _ = come(seat, table, "Ben"), come(seat, table, "Cleo")
    dialog = form(ann.page)
    players(dialog, 2)
    expect(dialog.get_by_text("3 people sit here already")).to_be_visible()
    save = dialog.get_by_role("button", name="Play by these rules")
    expect(save).to_be_disabled()
    save.click(force=True)
    players(dialog, 4)
    expect(dialog.get_by_text("the new ones are free")).to_be_visible()
    expect(heard(ben.page)).not_to_contain_text("The host has changed")
    save.click()
    expect(heard(ben.page)).to_contain_text("The host has changed the table. Seats: 4.")
    expect(ben.page.get_by_role("region", name="Seats").get_by_text("free")).to_have_count(1)


@pytest.mark.parametrize("theme", ["dark", "light"])
@pytest.mark.parametrize("size", [(320, 640), (1280, 800)])
def test_no_barriers(seat: Seat, theme: Any, size: tuple[int, int]) -> None:
    width, height = size
    ann = seat("Ann", viewport={"width": width, "height": height}, color_scheme=theme)
    ann.opens("poof+sweep", 4, bots=["random"])
    dialog = form(ann.page)
    players(dialog, 3)
    expect(dialog.get_by_text("Fewer seats than now")).to_be_visible()
    assert barriers(ann.page) == []
    assert too_wide(ann.page) == 0
    dialog.get_by_role("button", name="Play by these rules").click()
    expect(dialog).to_have_count(0)
    expect(ann.page.get_by_text("Seats: 3", exact=True)).to_be_visible()
    assert barriers(ann.page) == []
    assert too_wide(ann.page) == 0
