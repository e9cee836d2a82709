"""The people at a table, each in a browser of their own: votes, spectators, seats, options, another
game."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from page.browsing import Visitors, barriers_in_both_themes, become, loaded, too_wide
from page.playing import PHONE, WIDE, Seats, Table, bid, first_to_bid, log_of, pressed, watch
from page.waiting import lets_pass, once, soon
from rage.say import LANGUAGES
from server.running import open_table
from server.table_client import cookie

#: Whether every card of the hand lies beside or below a panel.
BESIDE = """(panel) => {
    const box = panel.getBoundingClientRect();
    return [...document.querySelectorAll('[data-hand] [data-card]')].every((card) => {
        const { left, right, top } = card.getBoundingClientRect();
        return left >= box.right || right <= box.left || top >= box.bottom;
    });
}"""
#: The end of a round is to be seen before what comes after it.
SLOW = 20_000


# --- somebody is away ----------------------------------------------------------------------


@pytest.mark.long
def test_the_others_vote_a_bot_in_and_one_tap_takes_the_seat_back(seats: Seats) -> None:
    table = seats("poof+schedule:3.2", "Ann", "Ben", "Cy")
    pages = table.pages()
    first, second, third = first_to_bid(table, pages)
    name = ["Ann", "Ben", "Cy"][pages.index(first)]
    context = first.context
    first.close()
    away = second.get_by_role("region", name=f"{name} is away.")
    expect(away).to_contain_text("0 of 2 votes for a bot")
    expect(second.locator(".status")).to_have_text(f"{name} is away.")
    away.get_by_role("button", name="Let a bot play").click()
    expect(third.get_by_text("1 of 2 votes for a bot")).to_be_visible()
    expect(away.get_by_role("button", name="Let a bot play")).to_have_attribute(
        "aria-pressed", "true"
    )
    third.get_by_role("button", name="Let a bot play").click()
    expect(log_of(second)).to_contain_text(f"A bot plays for {name}.")
    expect(away).to_have_count(0)
    expect(second.locator("[data-number='0']")).to_be_visible()  # the bot has bid
    back = table.visitors.again(context, f"t/{table.code}")
    expect(back.get_by_text("A bot is playing for you.")).to_be_visible()
    back.get_by_role("button", name="Take my seat back").click()
    expect(back.get_by_text("A bot is playing for you.")).to_have_count(0)
    expect(log_of(third)).to_contain_text(f"{name} plays again.")


#: Notes whatever else a reminder says from now on, and whether it is the same one.
WATCH = """() => {
    const reminder = document.querySelector('[data-stage]');
    window.told = [];
    new MutationObserver(() => window.told.push(reminder.dataset.stage))
        .observe(reminder, {attributes: true, childList: true, subtree: true});
    window.stays = () => reminder.isConnected && window.told.length === 0;
}"""
TURNED = "document.querySelector('svg[data-since] .left').style.animationDelay"


def test_the_clock_reminds_then_asks(seats: Seats) -> None:
    """Once, although others join."""
    clock = {"nudge": 1, "ask": 2, "hand_over": 600}
    table = seats("poof+schedule:3.2", "Ann", "Ben", clock=clock)
    pages = table.pages()
    first, second = first_to_bid(table, pages)
    name = ["Ann", "Ben"][pages.index(first)]
    expect(second.locator("svg[data-since]")).to_have_count(1)
    expect(first.locator("[data-stage=ask]")).to_have_text("The others are waiting for you.")
    expect(second.get_by_role("region", name=f"{name} is taking a while.")).to_be_visible()
    first.evaluate(WATCH)
    turned = second.evaluate(TURNED)
    # A person who joins changes the table; after a reconnection the server tells the time.
    for guest in ("Cy", "Di"):
        watch(table.visitors.visit(f"t/{table.code}"), guest)
        for page in (first, second):
            page.evaluate("dispatchEvent(new Event('online'))")
            expect(log_of(page)).to_contain_text(f"{guest} is watching.")
    lets_pass(first, 300)
    assert once(first.evaluate, "window.stays()"), first.evaluate("window.told")
    assert once(second.evaluate, TURNED) == turned
    bid(first)
    expect(second.get_by_role("region", name=f"{name} is taking a while.")).to_have_count(0)


# --- the host ------------------------------------------------------------------------------


def test_the_host_pauses_gives_seats_and_removes(visitors: Visitors, seats: Seats) -> None:
    table = seats("poof+schedule:3.2", "Ann", "Ben")
    ann, ben = table.pages()
    cy = visitors.visit(f"t/{table.code}")
    watch(cy, "Cy")
    people = pressed(ann, "People")
    people.get_by_role("button", name="Pause the game").click()
    expect(ben.get_by_text("Ann can resume it.")).to_be_visible()
    people.get_by_role("button", name="More about Ben").click()
    people.get_by_role("button", name="Give", exact=True).click()
    expect(people.locator("[data-spectator]")).to_contain_text(["Cy", "Ben"])
    bot = people.locator("[data-seat='1'] b").inner_text()
    expect(log_of(ann)).to_contain_text(f"{bot}, a bot, takes the seat of Ben.")
    people.get_by_role("button", name=f"More about {bot}").click()
    # Its hand was dealt to Ben, so nobody else may have it now.
    expect(people.get_by_label("Give the seat to").locator("option")).to_have_text(["Ben"])
    people.get_by_role("button", name="More about Ben").click()
    people.get_by_role("button", name="Remove for good").click()
    expect(people.locator("[data-spectator]")).to_have_count(2)  # not before it is confirmed
    people.get_by_role("button", name="Yes").click()
    expect(people.locator("[data-spectator]")).to_have_count(1)
    expect(ben.get_by_role("button", name="Menu")).to_have_count(0)
    ben.reload()
    expect(ben.get_by_text("You are barred from this table.")).to_be_visible()
    expect(ben.get_by_label("Your name")).to_have_count(0)
    ann.keyboard.press("Escape")
    ann.get_by_role("button", name="Resume").click()
    expect(cy.get_by_text("The game is paused.")).to_have_count(0)


def test_who_is_gone_is_no_longer_chosen_for_a_seat(visitors: Visitors, seats: Seats) -> None:
    table = seats("poof+schedule:3", "Ann", bots=1)
    (ann,) = table.pages()
    for name in ("Cy", "Dan"):
        watch(visitors.visit(f"t/{table.code}"), name)
    people = pressed(ann, "People")
    bot = people.locator("[data-seat='1'] b").inner_text()
    people.get_by_role("button", name=f"More about {bot}").click()
    chosen = people.get_by_label("Give the seat to")
    chosen.select_option(label="Dan")
    people.get_by_role("button", name="More about Dan").click()
    people.get_by_role("button", name="Remove", exact=True).click()
    people.get_by_role("button", name="Yes").click()
    expect(chosen.locator("option:checked")).to_have_text("Cy")


@pytest.mark.long
def test_a_latecomer_asks_for_the_seat_of_a_bot(visitors: Visitors, seats: Seats) -> None:
    table = seats("poof+schedule:3", "Ann", "Ben", bots=1)
    ann, ben = table.pages()
    dan = visitors.blank()
    become(dan, cookie(visitors.server.someone("Dan")), visitors.server)
    dan.goto(f"t/{table.code}")
    dan.get_by_role("button", name="Watch").click()
    people = pressed(dan, "People")
    people.locator("summary").click()
    expect(people.get_by_alt_text("QR code of the link to this table")).to_be_visible()
    wish = people.locator("[data-seat='2']").get_by_role("button", name="Ask for this seat")
    wish.click()
    expect(wish).to_have_attribute("aria-pressed", "true")
    expect(log_of(ben)).to_contain_text("Dan would like the seat of ")
    expect(ben.locator("[data-wish]")).to_have_count(0)
    asked = ann.locator("[data-wish]")
    expect(asked).to_contain_text("Dan would like the seat of ")
    asked.get_by_role("button", name="No", exact=True).click()
    expect(asked).to_have_count(0)
    expect(wish).to_have_attribute("aria-pressed", "false")
    wish.click()
    asked.get_by_role("button", name="Give").click()
    expect(ben.locator("[data-proposal=seat]")).to_be_visible()


def test_the_next_round_waits_until_all_have_looked(seats: Seats) -> None:
    """And it is said how many have, and for how long it waits. Meanwhile the chat is at hand, in
    the summary and above it, and lies over it."""
    # Without cards that ask for a colour.
    table = seats("poof+pack:wild0.change0.out0.bonus0.mad0+schedule:1.1", "Ann", "Ben",
                  between=600)  # fmt: skip
    pages = table.pages()
    ann, ben = pages
    seconds = re.compile(r"Next round in \d+ seconds at the latest\.")
    for page in first_to_bid(table, pages):
        bid(page)
    for page in first_to_bid(table, pages):
        page.locator("[data-hand]:has(.playable)").first.click()
    for page in pages:
        expect(page.locator("#round-end")).to_be_visible(timeout=SLOW)
        expect(page.get_by_text("0 of 2 are ready.")).to_be_in_viewport(ratio=1)
        expect(page.get_by_text(seconds)).to_be_in_viewport(ratio=1)
    summaries = [page.locator("section").filter(has=page.locator("#round-end")) for page in pages]
    ann.set_viewport_size({"width": 320, "height": 568})
    summaries[0].get_by_role("button", name="Chat").click()
    panel = ann.get_by_role("dialog", name="Chat")
    panel.get_by_role("button", name="Well played!").click()  # not covered
    ann.keyboard.press("Escape")
    expect(summaries[1].get_by_role("button", name="Chat, 1 new")).to_be_visible()
    assert too_wide(ann) == 0
    for page, size in zip(pages, ((390, 844), (1280, 800)), strict=True):
        page.set_viewport_size({"width": size[0], "height": size[1]})
        page.get_by_role("button", name="Menu").click(trial=True)
        chat = page.get_by_role("navigation").get_by_role("button", name="Chat")
        chat.click()
        expect(page.get_by_role("dialog", name="Chat")).to_be_visible()
        page.keyboard.press("Escape")
        expect(chat).to_be_focused()
    ann.get_by_role("button", name="Next round").click()
    expect(ann.get_by_text("The next round waits for Ben.")).to_be_visible()
    expect(ann.get_by_text(seconds)).to_be_visible()
    expect(ben.get_by_text("1 of 2 is ready.")).to_be_visible()
    ann.reload()
    expect(ann.get_by_text("The next round waits for Ben.")).to_be_visible()
    expect(ann.locator("#round-end")).to_have_count(0)
    ben.mouse.click(640, 300)  # beside it
    expect(ben.locator("#round-end")).to_be_visible()
    expect(ben.get_by_text("The next round waits")).to_have_count(0)
    ben.get_by_role("button", name="Next round").click()
    for page in pages:
        expect(page.locator("#round-end")).to_have_count(0)
        expect(page.locator("[data-hand]")).to_have_count(1, timeout=SLOW)
    expect(ann.get_by_text("The next round waits")).to_have_count(0)


# --- everyone ------------------------------------------------------------------------------


def test_no_panel_lies_over_the_hand(seats: Seats) -> None:
    table = seats("poof+schedule:10", "Ann", "Ben")
    first, second = first_to_bid(table, table.pages(**PHONE))
    bid(first, 0)
    bid(second, 0)
    sizes: list[Any] = [PHONE, WIDE]
    for size in sizes:
        first.set_viewport_size(size["viewport"])
        for name in ("Chat", "People", "Claim the rest"):
            panel = pressed(first, name)
            cards = first.locator("[data-hand] [data-card]")
            expect(cards).to_have_count(10)
            assert soon(panel.evaluate, BESIDE), (size, name)
            first.locator("[data-hand]:has(.playable)").first.click(trial=True)
            first.keyboard.press("Escape")


@pytest.mark.sampled(3)
@pytest.mark.parametrize("language", sorted(LANGUAGES))  # the longest words first
def test_people_gather_on_a_small_phone(visitors: Visitors, language: str) -> None:
    host = visitors.server.someone("Ann")
    table = Table(visitors, open_table(host, "poof", 8), [host], {})
    page = table.page(0, locale=language, **PHONE)
    loaded(page)
    assert too_wide(page) == 0


@pytest.mark.long
def test_no_barriers(seats: Seats) -> None:
    table = seats("poof+schedule:4", "Ann", "Ben")
    pages = table.pages(**PHONE)
    first, second = first_to_bid(table, pages)
    bid(first, 0)
    bid(second, 0)
    for name in ("Chat", "People", "Claim the rest"):
        pressed(first, name)
        assert barriers_in_both_themes(first) == [], name
        first.keyboard.press("Escape")
    pressed(first, "People")
    for more in first.get_by_role("button", name=re.compile("More about")).all():
        more.click()
    assert barriers_in_both_themes(first) == []
    first.get_by_role("button", name="Table options").click()
    assert barriers_in_both_themes(first) == []
    first.keyboard.press("Escape")
    pressed(first, "Claim the rest")
    first.get_by_role("button", name="Claim", exact=True).click()
    expect(second.locator("[data-proposal]")).to_be_visible()
    assert barriers_in_both_themes(second) == []
