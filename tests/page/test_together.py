"""The people at a table, each in a browser of their own: undo and claim by consent, votes, chat,
spectators, seats, options, another game."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from page.browsing import Visitors, barriers_in_both_themes, become, finish, loaded, too_wide
from page.line import Line
from page.playing import Seats, Table, pressed, sit_down, watch
from rage import Game
from rage.cards import CARD_NUMBERS
from rage.deal import Deal
from rage.table.claims import find_order
from server.running import open_table
from server.table_client import cookie

TWO = "poof+schedule:2"
PHONE = {"viewport": {"width": 320, "height": 640}}
#: The end of a round is to be seen before what comes after it.
SLOW = 20_000
WIDE = {"viewport": {"width": 1280, "height": 800}}


def bid(page: Page, number: int = 0) -> None:
    """Bid, when it is one's turn."""
    page.locator(f"[data-number='{number}']").click()
    expect(page.locator("[data-number]")).to_have_count(0)


def play_any(page: Page) -> None:
    """Play a card, when it is one's turn, and name any colour if it asks for one."""
    card = page.locator("[data-hand]:has(.playable)").first
    names = card.get_attribute("data-hand") in ("W", "C")
    card.click()
    if names:
        page.locator(".colour:not([aria-disabled])").first.click()


def first_to_bid(table: Table, pages: list[Page]) -> list[Page]:
    """The pages in the order of bidding: from eldest."""
    eldest = (table.deal["dealer"] + 1) % len(pages)
    return pages[eldest:] + pages[:eldest]


def opened_panel(page: Page, name: str | re.Pattern[str]) -> Locator:
    """A panel, opened by its button."""
    return pressed(page, name)


def log_of(page: Page) -> Locator:
    """What a screen reader announces."""
    return page.locator("[data-live=polite]")


# --- taking back ---------------------------------------------------------------------------


def test_a_bid_is_taken_back_when_the_other_agrees(seats: Seats) -> None:
    table = seats(TWO, "Ann", "Ben")
    first, second = first_to_bid(table, table.pages())
    bid(first, 1)
    first.get_by_role("button", name="Take back").click()
    expect(first.get_by_text("You would like to take your last decision back.")).to_be_visible()
    asked = second.locator("[data-proposal=undo]")
    expect(asked).to_contain_text("would like to take the last decision back.")
    # It is the other's turn, and nothing keeps them from bidding instead of answering.
    expect(second.locator("[data-number='0']")).to_be_visible()
    second.locator("[data-number='0']").click(trial=True)
    asked.get_by_role("button", name="Agree").click()
    expect(first.locator("[data-number='1']")).to_be_visible()
    expect(asked).to_have_count(0)
    expect(log_of(second)).to_contain_text("1 decision is taken back.")
    bid(first, 2)
    expect(second.locator("[data-number='0']")).to_be_visible()


@pytest.mark.long
def test_an_undo_is_declined_or_withdrawn(seats: Seats) -> None:
    table = seats(TWO, "Ann", "Ben")
    first, second = first_to_bid(table, table.pages())
    bid(first, 1)
    first.get_by_role("button", name="Take back").click()
    second.get_by_role("button", name="No", exact=True).click()
    expect(log_of(first)).to_contain_text("Nothing is taken back.")
    expect(first.locator("[data-number]")).to_have_count(0)
    first.get_by_role("button", name="Take back").click()
    first.get_by_role("button", name="Withdraw").click()
    expect(second.locator("[data-proposal]")).to_have_count(0)
    expect(log_of(second)).to_contain_text("The proposal is withdrawn.")
    # The other's bid shows something: from then on there is nothing to take back any more.
    bid(second, 0)
    expect(first.get_by_role("button", name="Take back")).to_have_count(0)


@pytest.mark.long
def test_a_request_that_the_game_overtakes_ends_for_all(seats: Seats) -> None:
    table = seats(TWO, "Ann", "Ben")
    first, second = first_to_bid(table, table.pages())
    bid(first, 1)
    first.get_by_role("button", name="Take back").click()
    expect(second.locator("[data-proposal=undo]")).to_be_visible()
    bid(second, 0)
    for page in (first, second):
        expect(log_of(page)).to_contain_text("Nothing is taken back: the game has gone on.")
        expect(page.locator("[data-proposal]")).to_have_count(0)


# --- claiming ------------------------------------------------------------------------------


def possible(table: Table, bids: int) -> list[int]:
    """How the tricks of a deal can fall, worked out with both hands."""
    hands = tuple(tuple(CARD_NUMBERS[card] for card in hand) for hand in table.deal["hands"])
    stock = tuple(CARD_NUMBERS[card] for card in table.deal["turned"])
    game = Game(TWO, 2, deals=[Deal(table.deal["dealer"], hands, stock)])
    game.play(str(bids))
    game.play(str(bids))
    for split in ([2, 0], [1, 1], [0, 2]):
        if find_order(game.position, split):
            return split
    raise AssertionError


def test_an_accepted_claim_is_played_out_as_claimed(seats: Seats) -> None:
    table = seats(TWO, "Ann", "Ben")
    pages = table.pages()
    first, second = first_to_bid(table, pages)
    bid(first, 0)
    bid(second, 0)
    tricks = possible(table, 0)
    panel = opened_panel(first, "Claim the rest")
    mine, other = pages.index(first), pages.index(second)
    expect(panel).to_contain_text("Tricks left: 2.")
    more = panel.get_by_role("button", name=f"One more for {['Ann', 'Ben'][other]}")
    for _ in range(tricks[other]):
        more.click()
    expect(panel.locator("output")).to_have_text([str(n) for n in tricks])
    expect(panel.get_by_text("That adds up.")).to_be_visible()
    panel.get_by_role("button", name="Claim", exact=True).click()
    expect(panel).to_have_count(0)
    asked = second.locator("[data-proposal=claim]")
    shown = asked.locator("[data-card]")
    expect(shown).to_have_count(2)
    codes = {each.get_attribute("data-card") for each in shown.all()}
    assert codes == set(table.deal["hands"][mine])
    expect(asked).to_contain_text(f"Ann: {tricks[0]}")
    asked.get_by_role("button", name="Agree").click()
    expect(log_of(second)).to_contain_text("All agree: the rest is played out.")
    path = f"/api/tables/{table.code}/games/1"
    expect(first.locator("#game-end")).to_be_visible(timeout=SLOW)
    assert table.people[0].get(path).json()["record"]["rounds"][0]["won"] == tricks


@pytest.mark.long
def test_a_claim_must_add_up_and_may_be_refused_once_a_round(seats: Seats) -> None:
    table = seats(TWO, "Ann", "Ben")
    pages = table.pages()
    first, second = first_to_bid(table, pages)
    bid(first, 0)
    bid(second, 0)
    mine = ["Ann", "Ben"][pages.index(first)]
    panel = opened_panel(first, "Claim the rest")
    panel.get_by_role("button", name=f"One fewer for {mine}").click()
    expect(panel.get_by_text("1 still to assign")).to_be_visible()
    claim = panel.get_by_role("button", name="Claim", exact=True)
    expect(claim).to_have_attribute("aria-disabled", "true")
    panel.get_by_role("button", name=f"One more for {mine}").click()
    claim.click()
    second.get_by_role("button", name="No", exact=True).click()
    expect(log_of(first)).to_contain_text("The claim is refused: play goes on.")


@pytest.mark.long
def test_no_claim_is_offered_that_would_be_refused(seats: Seats) -> None:
    """While one stands, after one's own, and once a card of one's own is on its way."""
    table = seats("poof+schedule:3", "Ann", "Ben")
    pages = table.pages(**WIDE)
    first, second = first_to_bid(table, pages)
    bid(first, 0)
    bid(second, 0)
    offered = first.get_by_role("button", name="Claim the rest")
    offered.click()
    first.get_by_role("dialog").get_by_role("button", name="Claim", exact=True).click()
    expect(first.get_by_text("You claim the rest.")).to_be_visible()
    expect(offered).to_have_count(0)
    second.get_by_role("button", name="No", exact=True).click()
    expect(log_of(first)).to_contain_text("The claim is refused: play goes on.")
    expect(first.locator("[data-hand]:has(.playable)").first).to_be_visible()
    expect(offered).to_have_count(0)
    line = Line(second)
    second.reload()
    play_any(first)
    offered = second.get_by_role("button", name="Claim the rest")
    expect(offered).to_be_visible()
    line.drop = "play"  # it is on its way for as long as one looks
    play_any(second)
    expect(second.locator("[data-pending]")).to_have_count(1)
    expect(offered).to_have_count(0)


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
    back.get_by_role("button", name="Play myself again").click()
    expect(back.get_by_text("A bot is playing for you.")).to_have_count(0)
    expect(log_of(third)).to_contain_text(f"{name} plays again.")


@pytest.mark.long
def test_a_bot_comes_at_once_where_the_table_says_so(seats: Seats) -> None:
    table = seats("poof+schedule:3.2", "Ann", "Ben", takeover="at_once", grace=600)
    pages = table.pages()
    first, second = first_to_bid(table, pages)
    first.close()
    second.get_by_role("button", name="Let a bot play").click()
    expect(second.locator("[data-number='0']")).to_be_visible()


def test_the_clock_reminds_then_asks(seats: Seats) -> None:
    clock = {"nudge": 1, "ask": 2, "hand_over": 600}
    table = seats("poof+schedule:3.2", "Ann", "Ben", clock=clock)
    pages = table.pages()
    first, second = first_to_bid(table, pages)
    name = ["Ann", "Ben"][pages.index(first)]
    expect(second.locator("svg[data-since]")).to_have_count(1)
    expect(first.locator("[data-stage=ask]")).to_have_text("The others are waiting for you.")
    expect(second.get_by_role("region", name=f"{name} is taking a while.")).to_be_visible()
    bid(first)
    expect(second.get_by_role("region", name=f"{name} is taking a while.")).to_have_count(0)


#: Notes whatever else a reminder says from now on, and whether it is the same one.
WATCH = """() => {
    const reminder = document.querySelector('[data-stage]');
    window.told = [];
    new MutationObserver(() => window.told.push(reminder.dataset.stage))
        .observe(reminder, {attributes: true, childList: true, subtree: true});
    window.stays = () => reminder.isConnected && window.told.length === 0;
}"""
TURNED = "document.querySelector('svg[data-since] .left').style.animationDelay"


def test_a_reminder_is_given_once_whoever_comes_meanwhile(seats: Seats) -> None:
    clock = {"nudge": 1, "ask": 2, "hand_over": 600}
    table = seats("poof+schedule:3.2", "Ann", "Ben", clock=clock)
    first, second = first_to_bid(table, table.pages())
    expect(first.locator("[data-stage=ask]")).to_be_visible()
    first.evaluate(WATCH)
    turned = second.evaluate(TURNED)
    # Whoever comes changes the table; a network that is back has the server say what time it is.
    for name in ("Cy", "Di"):
        watch(table.visitors.visit(f"t/{table.code}"), name)
        for page in (first, second):
            page.evaluate("dispatchEvent(new Event('online'))")
            expect(log_of(page)).to_contain_text(f"{name} has joined the table.")
    first.wait_for_timeout(300)
    assert first.evaluate("window.stays()"), first.evaluate("window.told")
    assert second.evaluate(TURNED) == turned


# --- talking -------------------------------------------------------------------------------


def test_what_is_said_shows_until_the_chat_is_opened_whatever_my_clock_says(seats: Seats) -> None:
    table = seats(TWO, "Ann", "Ben")
    ann, ben = table.pages()
    ben.add_init_script("const now = Date.now; Date.now = () => now() + 600_000;")
    ben.reload()
    expect(ben.locator("[data-hand]").first).to_be_visible()
    opened_panel(ann, "Chat").get_by_role("button", name="Good luck!").click()
    toast = ben.locator(".toast")
    expect(toast).to_contain_text("Good luck!")
    toast.click()
    expect(ben.get_by_role("log").filter(has_text="Good luck!").last).to_be_visible()
    expect(toast).to_have_count(0)


def test_chat_is_heard_by_all_who_want_to(seats: Seats) -> None:
    table = seats("poof+schedule:3.2", "Ann", "Ben")
    ann, ben = table.page(0), table.page(1, locale="de")
    chat = opened_panel(ann, "Chat")
    chat.get_by_role("button", name="Well played!").click()
    chat.get_by_role("textbox").fill("<b>Hm</b> & so")
    chat.get_by_role("textbox").press("Enter")
    expect(chat.get_by_role("textbox")).to_have_value("")
    heard = opened_panel(ben, "Chat, 2 neu").get_by_role("log")
    expect(heard).to_contain_text("Gut gespielt!")  # in the reader's language
    expect(heard).to_contain_text("<b>Hm</b> & so")
    ben.keyboard.press("Escape")
    # It was opened by the menu where the pad was in the place of the button.
    expect(ben.locator("button:focus")).to_have_accessible_name(re.compile("^(Menü|Chat)"))

    people = opened_panel(ben, "Leute")
    people.get_by_role("button", name="Mehr zu Ann").click()
    people.get_by_role("button", name="Stummschalten").click()
    expect(people.get_by_role("button", name="Wieder hören")).to_be_visible()
    chat.get_by_role("button", name="Oops!").click()
    expect(chat.get_by_role("log")).to_contain_text("Oops!")
    heard = opened_panel(ben, "Chat").get_by_role("log")
    ben.get_by_role("button", name="Danke!").click()
    expect(heard).to_contain_text("Danke!")  # what comes after it is there
    expect(heard).not_to_contain_text("Ups!")
    expect(heard).not_to_contain_text("Gut gespielt!")
    expect(ben.get_by_text("Du hast Ann stummgeschaltet.")).to_be_visible()
    ann.reload()
    heard = opened_panel(ann, re.compile("^Chat")).get_by_role("log")
    expect(heard).to_contain_text("Well played!")  # a table tells it once, the page keeps it
    expect(heard).to_contain_text("Thanks!")


@pytest.mark.long
def test_people_talk_while_they_gather(visitors: Visitors) -> None:
    server = visitors.server
    host = server.someone("Ann")
    table = open_table(host, TWO, 2)
    ann = Table(visitors, table, [host], {}).page(0)
    ben = visitors.visit(f"t/{table}")
    sit_down(ben, "Ben")
    opened_panel(ann, "Chat").get_by_role("button", name="Good luck!").click()
    expect(ben.get_by_role("button", name="Chat, 1 new")).to_be_visible()
    ann.keyboard.press("Escape")
    ann.get_by_role("button", name="Start", exact=True).click()
    expect(ben.locator("[data-hand]").first).to_be_visible()
    heard = opened_panel(ben, "Chat, 1 new").get_by_role("log")
    expect(heard).to_contain_text("Ann Good luck!")


# --- watching ------------------------------------------------------------------------------


@pytest.mark.long
def test_a_spectator_looks_where_a_player_lets_them(visitors: Visitors, seats: Seats) -> None:
    table = seats("poof+schedule:3.2", "Ann", "Ben")
    ann = table.page(0)
    cy = visitors.visit(f"t/{table.code}")
    watch(cy, "Cy")
    people = opened_panel(cy, "People")
    expect(people.get_by_role("button", name="Ann: Look at the hand")).to_have_count(0)
    mine = opened_panel(ann, "People")
    expect(mine.locator("[data-spectator]")).to_contain_text("Cy")
    mine.get_by_role("switch", name="Spectators may see my hand").check()
    people.get_by_role("button", name="Ann: Look at the hand").click()
    expect(mine.locator("[data-spectator]")).to_contain_text("sees the hand of Ann")
    held = set(table.deal["hands"][0])
    seen = cy.locator("[data-hand]")
    expect(seen).to_have_count(3)
    cards = cy.locator("[data-hand] [data-card]").all()
    assert {each.get_attribute("data-card") for each in cards} == held
    opened_panel(cy, "Chat")
    expect(cy.get_by_text("Whoever has seen a hand keeps quiet")).to_be_visible()
    mine.get_by_role("switch", name="Spectators may see my hand").uncheck()
    expect(seen).to_have_count(0)


# --- the host ------------------------------------------------------------------------------


def test_the_host_pauses_gives_seats_and_removes(visitors: Visitors, seats: Seats) -> None:
    table = seats("poof+schedule:3.2", "Ann", "Ben")
    ann, ben = table.pages()
    cy = visitors.visit(f"t/{table.code}")
    watch(cy, "Cy")
    people = opened_panel(ann, "People")
    people.get_by_role("button", name="Pause the game").click()
    expect(ben.get_by_text("Ann can let it go on.")).to_be_visible()
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
    ann.keyboard.press("Escape")
    ann.get_by_role("button", name="Go on").click()
    expect(cy.get_by_text("The game is paused.")).to_have_count(0)


def test_who_is_gone_is_no_longer_chosen_for_a_seat(visitors: Visitors, seats: Seats) -> None:
    table = seats("poof+schedule:3", "Ann", bots=1)
    (ann,) = table.pages()
    for name in ("Cy", "Dan"):
        watch(visitors.visit(f"t/{table.code}"), name)
    people = opened_panel(ann, "People")
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
    people = opened_panel(dan, "People")
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
    """And it is said how many have, and for how long it waits."""
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


@pytest.mark.long
def test_who_is_left_becomes_host(seats: Seats) -> None:
    table = seats("poof+schedule:3.2", "Ann", "Ben")
    ann, ben = table.pages()
    people = opened_panel(ann, "People")
    people.get_by_role("button", name="Leave the table").click()
    people.get_by_role("button", name="Yes").click()
    expect(ann).to_have_url(re.compile(r"/$"))
    expect(log_of(ben)).to_contain_text("Ben is the host now.")
    mine = opened_panel(ben, "People")
    expect(mine.locator("[data-seat='1']")).to_contain_text("you, host")
    expect(mine.locator("[data-seat='0']")).to_contain_text("bot")


@pytest.mark.long
def test_an_option_holds_for_all_at_once(seats: Seats) -> None:
    table = seats(TWO, "Ann", "Ben")
    pages = table.pages()
    first, _ = first_to_bid(table, pages)
    bid(first, 1)
    expect(first.get_by_role("button", name="Take back")).to_be_visible()
    ann, ben = pages
    opened_panel(ben, "People").get_by_role("button", name="Table options").click()
    theirs = ben.get_by_role("dialog", name="Table options")
    expect(theirs.get_by_role("switch", name="Take back")).to_be_checked()
    opened_panel(ann, "People").get_by_role("button", name="Table options").click()
    options = ann.get_by_role("dialog", name="Table options")
    options.get_by_role("switch", name="Take back").uncheck()
    options.get_by_role("button", name="Save").click()
    expect(options.get_by_text("Saved.")).to_be_visible()
    expect(first.get_by_role("button", name="Take back", exact=True)).to_have_count(0)
    expect(theirs.get_by_role("switch", name="Take back")).not_to_be_checked()
    expect(theirs.get_by_role("switch", name="Take back")).to_be_disabled()


# --- another game --------------------------------------------------------------------------


@pytest.mark.long
def test_the_same_people_play_again(visitors: Visitors, seats: Seats) -> None:
    table = seats(TWO, "Ann", bots=1)
    watcher = visitors.visit(f"t/{table.code}")
    watch(watcher, "Cy")
    expect(watcher.get_by_role("button", name="Menu")).to_be_visible()
    ann = visitors.blank()
    become(ann, cookie(table.people[0]), visitors.server)
    finish(ann, visitors.server, table.code)
    ann.goto(f"t/{table.code}")
    expect(watcher.get_by_text("The host can start another game")).to_be_visible(timeout=SLOW)
    ann.get_by_role("button", name="Play again").click()
    expect(watcher.get_by_text("Ann").first).to_be_visible()
    expect(watcher.locator("#game-end")).to_have_count(0)
    answer = table.people[0].get(f"/api/tables/{table.code}").json()
    assert (answer["game"], answer["phase"], answer["spectators"]) == (2, "gathering", 1)


# --- everyone ------------------------------------------------------------------------------


@pytest.mark.long
@pytest.mark.parametrize("size", [PHONE, WIDE], ids=["phone", "wide"])
@pytest.mark.parametrize("panel", ["Chat", "People", "Claim the rest"])
def test_no_panel_lies_over_the_hand(seats: Seats, size: Any, panel: str) -> None:
    table = seats("poof+schedule:10", "Ann", "Ben")
    pages = table.pages(**size)
    first, second = first_to_bid(table, pages)
    bid(first, 0)
    bid(second, 0)
    opened_panel(first, panel)
    panel_now = first.get_by_role("dialog").or_(first.get_by_role("tabpanel", name=panel))
    box = panel_now.bounding_box()
    assert box
    cards = first.locator("[data-hand] [data-card]")
    expect(cards).to_have_count(10)
    for card in cards.all():
        held = card.bounding_box()
        assert held
        beside = held["x"] >= box["x"] + box["width"] or held["x"] + held["width"] <= box["x"]
        assert beside or held["y"] >= box["y"] + box["height"]
    card = first.locator("[data-hand]:has(.playable)").first
    card.click(trial=True)


@pytest.mark.parametrize("language", ["en", "de", "es"])
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
        opened_panel(first, name)
        assert barriers_in_both_themes(first) == [], name
        first.keyboard.press("Escape")
    opened_panel(first, "People")
    for more in first.get_by_role("button", name=re.compile("More about")).all():
        more.click()
    assert barriers_in_both_themes(first) == []
    first.get_by_role("button", name="Table options").click()
    assert barriers_in_both_themes(first) == []
    first.keyboard.press("Escape")
    opened_panel(first, "Claim the rest")
    first.get_by_role("button", name="Claim", exact=True).click()
    expect(second.locator("[data-proposal]")).to_be_visible()
    assert barriers_in_both_themes(second) == []
