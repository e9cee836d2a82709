"""The host, the owner, and a seat that passes by consent, each person in a browser of their own."""

from __future__ import annotations

import time
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from house.recording import hub_on
from page.browsing import Visitors, apart, barriers, too_wide
from page.playing import PHONE, WIDE, Seats, Table, log_of, pressed, watch
from rage.table import Pause, SetPresence
from server.running import open_table
from server.table_client import connected


def watching(visitors: Visitors, code: str, name: str, **options: Any) -> Page:
    """Somebody who has come to watch."""
    page = visitors.visit(f"t/{code}", **options)
    watch(page, name)
    expect(page.locator("[data-icon=menu], [data-icon=people]").first).to_be_visible()
    return page


@pytest.mark.sampled(2)
@pytest.mark.parametrize("size", [PHONE, WIDE], ids=["phone", "wide"])
def test_a_spectator_gets_a_seat_when_all_agree(
    visitors: Visitors, seats: Seats, size: Any
) -> None:
    table = seats("poof+schedule:3.2", "Ann", "Ben", bots=1)
    ann, ben = table.pages(**size)
    cy = watching(visitors, table.code, "Cy", **size)
    people = pressed(ann, "People")
    bot = people.locator("[data-seat='2'] b").inner_text()
    people.get_by_role("button", name="More about Ben").click()
    expect(people.get_by_label("Give the seat to").locator("option")).to_have_text(["a bot"])
    people.get_by_role("button", name="More about Ben").click()
    people.get_by_role("button", name=f"More about {bot}").click()
    people.get_by_label("Give the seat to").select_option(label="Cy")
    people.get_by_role("button", name="Give", exact=True).click()
    expect(ann.get_by_role("dialog")).to_have_count(0)
    mine = ann.locator("[data-proposal=seat]")
    expect(mine).to_contain_text(f"You would like to give Cy the seat of {bot}.")
    expect(mine).to_contain_text("Waiting for Ben.")
    asked = ben.locator("[data-proposal=seat]")
    expect(asked).to_contain_text(f"The host would like to give Cy the seat of {bot}.")
    expect(log_of(ben)).to_contain_text("The host would like to give Cy the seat")
    assert too_wide(ben) == 0
    assert barriers(ben) == []
    expect(cy.locator("[data-hand]")).to_have_count(0)
    asked.get_by_role("button", name="Agree").click()
    expect(cy.locator("[data-hand]")).to_have_count(3)
    message = f"You have the seat of {bot} now: play on."
    expect(log_of(cy)).to_contain_text(message)
    expect(cy.get_by_text(message).last).to_be_visible()
    expect(ann.locator("[data-proposal]")).to_have_count(0)
    expect(log_of(ben)).to_contain_text(f"Cy takes the seat of {bot}.")


def test_a_player_gives_their_own_seat_and_the_other_declines(
    visitors: Visitors, seats: Seats
) -> None:
    table = seats("poof+schedule:3.2", "Ann", "Ben")
    ann, ben = table.pages()
    watching(visitors, table.code, "Cy")
    people = pressed(ben, "People")
    people.get_by_role("button", name="More about Ben").click()
    people.get_by_label("Give the seat to").select_option(label="Cy")
    people.get_by_role("button", name="Give", exact=True).click()
    expect(ben.locator("[data-proposal=seat]")).to_contain_text(
        "You would like to give Cy your seat."
    )
    asked = ann.locator("[data-proposal=seat]")
    expect(asked).to_contain_text("Ben would like to give Cy their seat.")
    asked.get_by_role("button", name="No", exact=True).click()
    expect(log_of(ben)).to_contain_text("The seat stays as it is.")


@pytest.mark.parametrize("size", [PHONE, WIDE], ids=["phone", "wide"])
def test_the_keyboard_stays_in_the_panel_when_what_was_pressed_goes(
    seats: Seats, size: Any
) -> None:
    table = seats("poof+schedule:3.2", "Ann", "Ben")
    ann = table.page(0, **size)
    people = pressed(ann, "People")
    people.get_by_role("button", name="More about Ann").click()
    people.get_by_label("Give the seat to").select_option(label="a bot")
    people.get_by_role("button", name="Give", exact=True).press("Enter")
    expect(people.get_by_role("button", name="Give", exact=True)).to_have_count(0)
    expect(people).to_be_focused()
    if size == PHONE:
        ann.keyboard.press("Escape")
        expect(people).to_have_count(0)


@pytest.mark.long
@pytest.mark.parametrize("size", [PHONE, WIDE], ids=["phone", "wide"])
def test_the_way_back_from_a_bot_is_where_the_bot_was_asked_for(seats: Seats, size: Any) -> None:
    """The panel lies over the line that says that a bot plays."""
    table = seats("poof+schedule:3.2", "Ann", "Ben")
    ann = table.page(0, **size)
    people = pressed(ann, "People")
    people.get_by_role("button", name="Let a bot play for me").press("Enter")
    back = people.get_by_role("button", name="Take my seat back")
    expect(back).to_be_focused()
    expect(back).to_be_in_viewport(ratio=1)
    expect(log_of(ann)).to_contain_text("A bot plays for you.")
    back.press("Enter")
    expect(people.get_by_role("button", name="Let a bot play for me")).to_be_focused()
    expect(ann.get_by_text("A bot is playing for you.")).to_have_count(0)


def desert(table: Table, seconds: int, *, paused: bool = False) -> None:
    """Let Ann, the host, have been away for some seconds, and have paused the game before."""
    ann = table.people[0].get("/api/me").json()["person"]
    then = int(time.time() * 1000) - 1000 * seconds

    async def leave() -> None:
        house = hub_on(table.visitors.server.data, now=lambda: then)
        await house.do(table.code, SetPresence(ann, True), None)
        if paused:
            await house.do(table.code, Pause(), ann)
        await house.do(table.code, SetPresence(ann, False), None)
        await house.close()

    apart(leave)


@pytest.mark.long
@pytest.mark.sampled(2)
@pytest.mark.parametrize("size", [PHONE, WIDE], ids=["phone", "wide"])
def test_it_is_said_how_long_the_host_is_waited_for(
    visitors: Visitors, seats: Seats, size: Any
) -> None:
    """To Ben, who can be host then, until Ann is back; to Cy, who has no seat, only who is away."""
    table = seats("poof+schedule:3.2", "Ann", "Ben")
    ann, ben = table.pages(**size)
    cy = watching(visitors, table.code, "Cy", **size)
    people = pressed(ben, "People")
    expect(people.locator("[data-seat='0']")).to_contain_text("host")
    ann.goto("healthz")
    expect(people.locator("[data-host-soon]")).to_contain_text("Ann, the host, is away. In 1")
    expect(log_of(ben)).to_contain_text("Ann is away.")
    assert barriers(ben) == []
    assert too_wide(ben) == 0
    people.locator("[data-host-soon]").scroll_into_view_if_needed()
    theirs = pressed(cy, "People")
    expect(theirs.locator("[data-seat='0']")).to_contain_text("away")
    expect(theirs.get_by_role("button", name="Become host")).to_have_count(0)
    expect(theirs.locator("[data-host-soon]")).to_have_count(0)
    ann.goto(f"t/{table.code}")
    expect(people.locator("[data-host-soon]")).to_have_count(0)
    expect(log_of(ben)).to_contain_text("Ann is back.")


@pytest.mark.long
@pytest.mark.sampled(2)
@pytest.mark.parametrize("size", [PHONE, WIDE], ids=["phone", "wide"])
def test_the_host_is_replaced_and_the_owner_is_host_again(seats: Seats, size: Any) -> None:
    table = seats("poof+schedule:3.2", "Ann", "Ben")
    desert(table, 300)
    ben = table.page(1, **size)
    people = pressed(ben, "People")
    people.get_by_role("button", name="Become host instead of Ann").click()
    expect(people.locator("[data-seat='1']")).to_contain_text("you, host")
    expect(people.locator("[data-seat='0']")).to_contain_text("owner, away")
    expect(people.get_by_role("button", name="Become host")).to_have_count(0)
    ann = table.page(0, **size)
    expect(log_of(ann)).to_contain_text(
        "Ben is the host now instead of you. You can be host again: see “People”."
    )
    mine = pressed(ann, "People")
    expect(mine.locator("[data-seat='0']")).to_contain_text("you, owner")
    people.get_by_role("button", name="More about Ann").click()
    expect(people.get_by_role("button", name="Remove")).to_have_count(0)
    again = mine.get_by_role("button", name="Become host again")
    again.scroll_into_view_if_needed()
    again.click()
    expect(mine.locator("[data-seat='0']")).to_contain_text("you, host")
    expect(people.locator("[data-seat='0']")).to_contain_text("host")
    ann.keyboard.press("Escape")
    expect(ann.get_by_role("dialog")).to_have_count(0)
    expect(log_of(ben)).to_contain_text("Ann is the host now instead of you.")


def test_a_paused_game_goes_on_without_its_host(visitors: Visitors, seats: Seats) -> None:
    """The line that says that it is paused has the way on, for mouse and keyboard."""
    table = seats("poof+schedule:3.2", "Ann", "Ben")
    desert(table, 300, paused=True)
    ben = table.page(1, **PHONE)
    cy = watching(visitors, table.code, "Cy")
    theirs = cy.get_by_role("region", name="The game is paused.")
    expect(theirs).to_contain_text("someone with a seat can become host instead.")
    expect(theirs.get_by_role("button")).to_have_count(0)
    paused = ben.get_by_role("region", name="The game is paused.")
    expect(paused).to_contain_text("Ann, the host, can resume it, but is away.")
    instead = paused.get_by_role("button", name="Become host instead of Ann")
    expect(instead).to_be_in_viewport(ratio=1)
    assert barriers(ben) == []
    assert too_wide(ben) == 0
    instead.press("Enter")
    go_on = paused.get_by_role("button", name="Resume")
    expect(go_on).to_be_focused()
    go_on.press("Enter")
    expect(paused).to_have_count(0)
    expect(theirs).to_have_count(0)


def test_the_host_is_replaced_before_the_game(visitors: Visitors) -> None:
    """The lobby says that the host is away, and offers to replace them in time."""
    server = visitors.server
    people = [server.someone(name) for name in ("Ann", "Ben")]
    code = open_table(people[0], "poof+schedule:3.2", 2)
    table = Table(visitors, code, people, {})

    async def come() -> None:
        async with connected(server.url, code, people[1]) as guest:
            await guest.do("join", name="Ben", seat=1)

    apart(come)
    desert(table, 300)
    ben = table.page(1, **PHONE)
    waiting = ben.locator("[data-wait-host]")
    expect(waiting.get_by_role("status")).to_have_text(
        "Ann, the host, starts the game, but is away."
    )
    assert barriers(ben) == []
    assert too_wide(ben) == 0
    waiting.get_by_role("button", name="Become host instead of Ann").click()
    expect(ben.get_by_role("button", name="Start")).to_be_visible()
