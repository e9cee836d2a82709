"""What people at a table say to each other, each in a browser of their own."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from page.browsing import Visitors
from page.playing import Seats, Table, pressed, sit_down
from server.running import open_table

TWO = "poof+schedule:2"


def test_what_is_said_shows_until_the_chat_is_opened_whatever_my_clock_says(seats: Seats) -> None:
    table = seats(TWO, "Ann", "Ben")
    ann, ben = table.pages()
    ben.add_init_script("const now = Date.now; Date.now = () => now() + 600_000;")
    ben.reload()
    expect(ben.locator("[data-hand]").first).to_be_visible()
    pressed(ann, "Chat").get_by_role("button", name="Good luck!").click()
    toast = ben.locator(".toast")
    expect(toast).to_contain_text("Good luck!")
    expect(ben.locator("[data-live=polite]")).to_contain_text("Ann: Good luck!")
    toast.click()
    said = ben.get_by_role("log", name="What has been said")
    expect(said).to_contain_text("Good luck!")
    expect(toast).to_have_count(0)
    ben.keyboard.press("Escape")
    expect(ben.get_by_role("dialog")).to_have_count(0)
    # In a dialog, too: screen readers hear nothing of what lies outside it.
    ben.keyboard.press("?")
    dialog = ben.get_by_role("dialog")
    expect(dialog).to_be_visible()
    ann.get_by_role("button", name="Well played!").click()
    expect(dialog.get_by_role("log")).to_contain_text("Ann: Well played!")


@pytest.mark.long
def test_what_was_said_before_the_game_can_be_read_in_it(visitors: Visitors) -> None:
    server = visitors.server
    host = server.someone("Ann")
    table = open_table(host, TWO, 2)
    ann = Table(visitors, table, [host], {}).page(0)
    ben = visitors.visit(f"t/{table}")
    sit_down(ben, "Ben")
    pressed(ann, "Chat").get_by_role("button", name="Good luck!").click()
    expect(ben.get_by_role("button", name="Chat, 1 new")).to_be_visible()
    ann.keyboard.press("Escape")
    ann.get_by_role("button", name="Start", exact=True).click()
    expect(ben.locator("[data-hand]").first).to_be_visible()
    expect(pressed(ben, "Chat, 1 new").get_by_role("log")).to_contain_text("Ann Good luck!")


def test_chat_is_heard_by_all_who_want_to(seats: Seats) -> None:
    table = seats("poof+schedule:3.2", "Ann", "Ben")
    ann, ben = table.page(0), table.page(1, locale="de")
    chat = pressed(ann, "Chat")
    chat.get_by_role("button", name="Well played!").click()
    chat.get_by_role("textbox").fill("<b>Hm</b> & so")
    chat.get_by_role("textbox").press("Enter")
    expect(chat.get_by_role("textbox")).to_have_value("")
    heard = pressed(ben, "Chat, 2 neu").get_by_role("log")
    expect(heard).to_contain_text("Gut gespielt!")  # in the reader's language
    expect(heard).to_contain_text("<b>Hm</b> & so")
    ben.keyboard.press("Escape")
    # It was opened by the menu where the pad was in the place of the button.
    expect(ben.locator("button:focus")).to_have_accessible_name(re.compile("^(Menü|Chat)"))

    people = pressed(ben, "Leute")
    people.get_by_role("button", name="Mehr zu Ann").click()
    people.get_by_role("button", name="Stummschalten").click()
    expect(people.get_by_role("button", name="Wieder hören")).to_be_visible()
    chat.get_by_role("button", name="Oops!").click()
    expect(chat.get_by_role("log")).to_contain_text("Oops!")
    heard = pressed(ben, "Chat").get_by_role("log")
    ben.get_by_role("button", name="Danke!").click()
    expect(heard).to_contain_text("Danke!")  # what comes after it is there
    expect(heard).not_to_contain_text("Ups!")
    expect(heard).not_to_contain_text("Gut gespielt!")
    expect(ben.get_by_text("Du hast Ann stummgeschaltet.")).to_be_visible()
    ann.reload()
    heard = pressed(ann, re.compile("^Chat")).get_by_role("log")
    expect(heard).to_contain_text("Well played!")  # a table tells it once, the page keeps it
    expect(heard).to_contain_text("Thanks!")
