"""Before the game: the host changes what will be played, and everybody sees what."""

from __future__ import annotations

import re
from re import Pattern
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from page.browsing import (
    Visitors,
    apart,
    barriers_and_echoes,
    barriers_in_both_themes,
    code_of,
    rest,
    too_wide,
)
from page.playing import Seat, log_of
from page.waiting import lets_pass, soon
from server.table_client import connected

#: How a round waits for as long as it takes.
READY = re.compile("wait until everyone is ready$")


def form(page: Page) -> Locator:
    """The form with the rules, opened."""
    page.get_by_role("button", name="Change the rules").click()
    dialog = page.get_by_role("dialog", name="Change the rules")
    expect(dialog.get_by_role("radio", name="AMIGO")).to_be_visible()
    return dialog


def players(dialog: Locator, number: int) -> None:
    seats = dialog.get_by_role("group", name="How many of you?")
    seats.get_by_role("radio", name=str(number), exact=True).check()


@pytest.mark.long
def test_by_keyboard_the_focus_goes_from_view_to_view(seat: Seat) -> None:
    """From the door to the seats, and into the game, also for those who only wait for it."""
    ann, ben = seat("Ann"), seat("Ben")
    table = ann.open("poof+schedule:2", 2)
    ben.go(table)
    ben.page.get_by_label("Your name").fill("Ben")
    ben.page.get_by_role("button", name="Sit down").press("Enter")
    expect(ben.page.get_by_role("heading", name="Before the game")).to_be_focused()
    ann.page.get_by_role("button", name="Start").press("Enter")
    for player in (ann, ben):
        expect(player.page.locator(".play :focus")).to_have_count(1)
    # A reload begins at the top of the page, as everywhere.
    ben.page.reload()
    expect(ben.page.locator("[data-hand]").first).to_be_visible()
    assert soon(ben.page.evaluate, "document.activeElement === document.body")


def test_text_may_be_selected_to_beyond_the_dialog(seat: Seat) -> None:
    """What is let go outside was not touched there; what begins outside closes it. On a tablet,
    where the invitation below it stays in its panel."""
    ann = seat("Ann", viewport={"width": 1024, "height": 1366})
    ann.open("poof", 4)
    panel = ann.page.locator(".panel:has(.invite)")
    expect(panel.get_by_role("link", name="Show on a television")).to_be_visible()
    outside = """panel => [...panel.querySelectorAll('*')].filter((one) =>
            one.getBoundingClientRect().right > panel.getBoundingClientRect().right).length"""
    assert soon(panel.evaluate, outside) == 0
    dialog = form(ann.page)
    box = dialog.bounding_box()
    assert box is not None
    mouse = ann.page.mouse
    mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    mouse.down()
    mouse.move(box["x"] / 2, box["y"] + box["height"] / 2)
    mouse.up()
    lets_pass(ann.page, 300)
    expect(dialog).to_be_visible()
    mouse.click(box["x"] / 2, box["y"] + box["height"] / 2)
    expect(dialog).to_have_count(0)


def test_the_host_changes_rules_and_seats_and_all_are_told_what(seat: Seat) -> None:
    ann = seat("Ann", viewport={"width": 320, "height": 640})
    fetched: list[str] = []
    ann.page.on("request", lambda request: fetched.append(request.url))
    table = ann.open("poof", 5, bots=["random"])
    ben = seat("Ben").sit_down(table)
    ben.page.get_by_role("button", name="seat 5").click()
    expect(ben.page.get_by_role("listitem").filter(has_text="Ben")).to_contain_text("you")
    expect(ben.page.get_by_role("button", name="Change the rules")).to_have_count(0)
    assert not any("LobbyRules" in url for url in fetched), "nobody has asked for it"

    dialog = form(ann.page)
    assert any("LobbyRules" in url for url in fetched)
    expect(dialog.get_by_role("radio", name="Poof")).to_be_checked()
    dialog.get_by_role("radio", name="AMIGO").check()
    players(dialog, 3)
    expect(dialog.get_by_text("Fewer seats than now")).to_be_visible()
    assert barriers_in_both_themes(ann.page) == []
    assert too_wide(ann.page) == 0
    dialog.get_by_role("switch", name="Hidden bids").check()
    dialog.get_by_role("button", name="Play by these rules").click()
    expect(dialog).to_have_count(0)
    expect(ann.page.get_by_role("button", name="Change the rules")).to_be_focused()

    message = "The table has been changed. Rules: Rage (AMIGO 00990); Seats: 3; Your seat: 3."
    expect(log_of(ben.page)).to_contain_text(message)
    expect(log_of(ben.page)).to_contain_text("Unlike before:")
    expect(log_of(ben.page)).to_contain_text("the action cards are called Joker")
    expect(log_of(ann.page)).to_contain_text("Rules: Rage (AMIGO 00990); Seats: 3.")
    for page in (ann.page, ben.page):
        rules = page.get_by_role("region", name=re.compile("AMIGO"))
        expect(rules).to_contain_text("The action cards are called Joker", ignore_case=True)
        expect(rules.get_by_role("listitem").filter(has_text="Seats: 3")).to_be_visible()
        seats = page.get_by_role("list", name="Seats").get_by_role("listitem")
        expect(seats).to_have_count(3)
        expect(seats.nth(2)).to_contain_text("Ben")
    expect(ann.page.locator("[data-cloth]")).to_have_count(1)
    for size in ((320, 640), (1280, 800)):
        ann.page.set_viewport_size({"width": size[0], "height": size[1]})
        assert barriers_and_echoes(ann.page) == []
        assert too_wide(ann.page) == 0
    # And those are the rules that are played.
    ann.page.get_by_role("button", name="Start").click()
    expect(ben.hand).to_have_count(10)
    line = ann.page.request.get(f"{ann.server.url}/api/tables/{table}").json()
    assert (line["edition"], line["players"]) == ("amigo", 3)
    assert line["rules"] == "amigo+hidden-bids"


def test_the_host_moves_people_and_bots_by_choice_by_keys_and_by_dragging(seat: Seat) -> None:
    ann = seat("Ann", viewport={"width": 320, "height": 568})
    ben = seat("Ben").sit_down(ann.open("poof+two-teams", 4))
    rows, theirs = (each.page.locator("[data-seat]") for each in (ann, ben))
    for row, team in enumerate(("Team I", "Team II", "Empty chair Team I", "Empty chair Team II")):
        expect(theirs.nth(row)).to_contain_text(team)
    expect(theirs.nth(0).get_by_role("button")).to_have_count(0)  # only the host moves Ann
    rows.nth(1).get_by_role("button").click()
    sheet = ann.page.get_by_role("dialog", name="Ben")
    places = sheet.get_by_role("group", name="Move Ben to").get_by_role("button")
    expect(places).to_have_text(["1: Ann", "3: free", "4: free"])
    places.get_by_text("3: free").click()
    expect(sheet).to_have_count(0)
    expect(log_of(ben.page)).to_contain_text("You move to seat 3.")
    rows.nth(2).get_by_role("button").click()
    places.get_by_text("1: Ann").click()
    expect(log_of(ben.page)).to_contain_text("change seats.")
    for row, name in ((0, "Ben"), (2, "Ann")):
        expect(theirs.nth(row)).to_contain_text(name)

    rows.nth(0).get_by_role("button").press("ArrowRight")
    expect(rows.nth(1)).to_contain_text("Ben")
    expect(rows.nth(1)).to_contain_text("Team II")
    expect(rows.nth(1).get_by_role("button")).to_be_focused()
    rows.nth(0).get_by_role("button").click()
    empty = ann.page.get_by_role("dialog", name="Empty chair")
    assert barriers_in_both_themes(ann.page) == []
    empty.get_by_role("button", name="Easy").click()
    expect(rows.nth(0)).to_contain_text("Puck")
    rows.nth(0).get_by_role("button").click()
    ann.page.get_by_role("dialog", name="Puck").get_by_role("button", name="Hard").click()
    expect(rows.nth(0)).to_contain_text("Antares")
    bot = rows.nth(0).get_by_role("button")
    bot.hover()
    ann.page.mouse.down()
    rows.nth(3).hover()
    expect(rows.nth(3)).to_have_class(re.compile("target"))
    ann.page.mouse.up()
    expect(rows.nth(3)).to_contain_text("Antares")
    rows.nth(3).get_by_role("button").click()
    ann.page.get_by_role("button", name="Send Antares away").click()
    expect(rows.nth(3)).to_contain_text("Empty chair")
    assert too_wide(ann.page) <= 0
    assert barriers_in_both_themes(ann.page) == []


def test_on_a_phone_the_invitation_is_a_sheet(seat: Seat) -> None:
    ann = seat("Ann", viewport={"width": 390, "height": 844})
    code = ann.open("poof", 3)
    ann.page.get_by_role("button", name="Invite").click()
    sheet = ann.page.get_by_role("dialog", name="Invite")
    expect(sheet.get_by_role("img")).to_be_in_viewport(ratio=1)
    expect(sheet.get_by_text(f"/t/{code}")).to_be_visible()
    assert barriers_in_both_themes(ann.page) == []


def test_nobody_loses_a_seat(seat: Seat) -> None:
    ann = seat("Ann")
    table = ann.open("poof", 3)
    ben, _ = seat("Ben").sit_down(table), seat("Cleo").sit_down(table)
    dialog = form(ann.page)
    players(dialog, 2)
    expect(dialog.get_by_text("3 people sit here already")).to_be_visible()
    save = dialog.get_by_role("button", name="Play by these rules")
    expect(save).to_be_disabled()
    save.click(force=True)
    players(dialog, 4)
    expect(dialog.get_by_text("the new ones are free")).to_be_visible()
    expect(log_of(ben.page)).not_to_contain_text("The table has been changed")
    save.click()
    expect(log_of(ben.page)).to_contain_text("The table has been changed. Seats: 4.")
    expect(ben.page.get_by_role("list", name="Seats").get_by_text("Empty chair")).to_have_count(1)


#: What is chosen for each option of a table that has a control, and what the server has then.
OPTIONS: list[tuple[dict[str, bool], list[str | Pattern[str]], dict[str, object]]] = [
    (
        {"Take back": False, "Show what is known": True, "Spectators": False},
        ["Anyone on this server", "a bot plays on by itself", "Relaxed", READY,
         "Only when you play alone against bots"],
        {
            "undo": False, "known": True, "spectators": False, "access": "open",
            "takeover": "at_once", "between": None, "advice": "alone",
            "clock": {"nudge": 60, "ask": 120, "hand_over": 180},
        },
    ),
    (
        {"Take back": True, "Show what is known": False, "Spectators": True},
        ["Anyone with the link", "wait: never a bot", "My own times", "120 seconds at most",
         "For everyone"],
        {
            "undo": True, "known": False, "spectators": True, "access": "link",
            "takeover": "never", "between": 120, "advice": "always",
            "clock": {"nudge": 7, "ask": 7, "hand_over": 7},
        },
    ),
    (
        {},
        ["the others vote", "No clock", "the next round is dealt at once",
         "For no one"],
        {
            "undo": True, "known": False, "spectators": True, "access": "link",
            "takeover": "vote", "between": 0, "clock": None, "advice": "never",
        },
    ),
]  # fmt: skip


def choose(form: Locator, switches: dict[str, bool], radios: list[str | Pattern[str]]) -> None:
    """Set the options of a table in a form."""
    for name, on in switches.items():
        form.get_by_role("switch", name=name, exact=True).set_checked(on)
    for radio in radios:
        form.get_by_role("radio", name=radio).check()
        if radio == "My own times":
            own = form.get_by_label("Remind after (seconds)")
            own.fill("7")
            own.blur()


def options_of(visitors: Visitors, table: str) -> dict[str, Any]:
    """The options of a table, as the server tells somebody who only looks at it."""
    stranger = visitors.server.someone("Eve")

    async def look() -> dict[str, Any]:
        async with connected(visitors.server.url, table, stranger) as guest:
            options: dict[str, Any] = guest.table["options"]
            return options

    return apart(look)


def test_every_option_is_set_in_the_lobby(visitors: Visitors, seat: Seat) -> None:
    ann = seat("Ann")
    table = ann.open("poof", 3)
    form = ann.page.locator("details").filter(has=ann.page.get_by_text("Table options"))
    rest(ann.page)  # what is said of the rules comes above it
    form.locator("summary").click()
    for seconds, (switches, radios, wanted) in enumerate(OPTIONS, 30):
        choose(form, switches, radios)
        form.get_by_label("Seconds that someone may be away").fill("")  # then it is as before
        form.get_by_label("Seconds that someone may be away").blur()
        expect(form.get_by_label("Seconds that someone may be away")).not_to_have_value("")
        form.get_by_label("Seconds that someone may be away").fill(str(seconds))
        form.get_by_role("button", name="Save").click()
        expect(form.get_by_text("Saved.")).to_be_visible()
        assert options_of(visitors, table) == {**wanted, "grace": seconds, "bot": "steady"}


@pytest.mark.long
def test_every_option_is_set_when_a_table_is_opened(visitors: Visitors) -> None:
    for switches, radios, wanted in OPTIONS:
        page = visitors.visit("new")
        page.get_by_text("At the table:").click()
        choose(page.locator("main"), switches, radios)
        page.get_by_role("button", name="Open table").click()
        assert options_of(visitors, code_of(page)) == {**wanted, "grace": 20, "bot": "steady"}
