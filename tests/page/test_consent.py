"""What all at a table must agree to, each in a browser of their own: taking back, and claiming."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from page.line import Line
from page.playing import WIDE, Seats, Table, bid, first_to_bid, log_of, play_any, pressed
from rage import Game
from rage.engine.deal import Deal
from rage.table.play.claims import find_order

TWO = "poof+schedule:2"
#: The end of a round is to be seen before what comes after it.
SLOW = 20_000


# --- taking back ---------------------------------------------------------------------------


def test_a_bid_is_taken_back_when_the_other_agrees(seats: Seats) -> None:
    """The wish may be withdrawn, or declined: then it is not asked for again. An explanation makes
    room for the question, and for my turn."""
    table = seats(TWO, "Ann", "Ben")
    first, second = first_to_bid(table, table.pages())
    explained = second.get_by_role("tooltip")
    second.locator("[data-hand]").first.click(button="right")
    expect(explained).to_be_visible()
    bid(first, 1)  # now it is the other's turn
    expect(explained).to_have_count(0)
    second.locator("[data-hand]").first.click(button="right")
    expect(explained).to_be_visible()
    wish = first.get_by_role("button", name="Take back")
    wish.click()
    expect(second.locator("[data-proposal=undo]")).to_be_visible()
    expect(explained).to_have_count(0)
    first.get_by_role("button", name="Withdraw").click()
    expect(log_of(second)).to_contain_text("The proposal is withdrawn.")
    asked = second.locator("[data-proposal=undo]")
    expect(asked).to_have_count(0)
    wish.click()
    expect(first.get_by_text("You would like to take your last decision back.")).to_be_visible()
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
    wish.click()
    second.get_by_role("button", name="No", exact=True).click()
    expect(log_of(first)).to_contain_text("Nothing is taken back.")
    expect(wish).to_have_count(0)


def test_after_two_minutes_without_a_clock_there_is_a_way_out(seats: Seats) -> None:
    table = seats(TWO, "Ann", "Ben")
    first, second = first_to_bid(table, table.pages())
    first.clock.install()
    # The first has taken long, which says nothing of the second.
    first.evaluate("{ const now = Date.now; Date.now = () => now() + 125_000 }")
    bid(first, 1)
    status = first.locator(".voice .status")
    expect(status).to_contain_text("is thinking.")
    first.clock.fast_forward(125_000)
    expect(status).to_contain_text("for two minutes. The host can let a bot help")
    expect(second.locator("[data-number='0']")).to_be_visible()


def test_who_comes_late_learns_how_a_kept_seat_becomes_free_and_so_does_the_host(
    seats: Seats,
) -> None:
    table = seats(TWO, "Ann", "Ben")
    host, ben = table.pages()
    pressed(ben, "People").get_by_role("button", name="Let a bot play for me").click()
    late = table.visitors.visit(f"t/{table.code}")
    expect(late.get_by_text("A bot plays for Ben, who keeps the seat.")).to_be_visible()
    late.get_by_role("textbox", name="Your name").fill("Cleo")
    late.get_by_role("button", name="Watch").click()
    people = pressed(host, "People")
    expect(people.locator("[data-seat='1']")).to_contain_text("remove them to free the seat")


# --- claiming ------------------------------------------------------------------------------


def possible(table: Table, bids: int) -> list[int]:
    """How the tricks of a deal can fall, worked out with both hands."""
    deal = Deal(table.deal["dealer"], table.deal["hands"], table.deal["turned"])
    game = Game(TWO, 2, deals=[deal])
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
    panel = pressed(first, "Claim the rest")
    mine, other = pages.index(first), pages.index(second)
    expect(panel).to_contain_text("Tricks left: 2.")
    claim = panel.get_by_role("button", name="Claim", exact=True)
    panel.get_by_role("button", name="One fewer for you").click()
    expect(panel.get_by_text("1 still to assign")).to_be_visible()
    expect(claim).to_have_attribute("aria-disabled", "true")
    panel.get_by_role("button", name="One more for you").click()
    more = panel.get_by_role("button", name=f"One more for {['Ann', 'Ben'][other]}")
    for _ in range(tricks[other]):
        more.click()
    expect(panel.locator("output")).to_have_text([str(n) for n in tricks])
    expect(panel.get_by_text("That adds up.")).to_be_visible()
    claim.click()
    expect(panel).to_have_count(0)
    asked = second.locator("[data-proposal=claim]")
    shown = asked.locator("[data-card]")
    expect(shown).to_have_count(2)
    codes = {each.get_attribute("data-card") for each in shown.all()}
    assert codes == set(table.deal["hands"][mine])
    expect(asked).to_contain_text(f"You: {tricks[other]}")
    asked.get_by_role("button", name="Agree").click()
    expect(log_of(second)).to_contain_text("Everyone agrees: the rest is played out.")
    path = f"/api/tables/{table.code}/games/1"
    expect(first.locator("#game-end")).to_be_visible(timeout=SLOW)
    assert table.people[0].get(path).json()["record"]["rounds"][0]["won"] == tricks


@pytest.mark.long
def test_no_claim_is_offered_that_would_be_refused(seats: Seats) -> None:
    """While one is open, after their own, and once a card of their own is on its way."""
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
    expect(log_of(first)).to_contain_text("The claim is refused. Play continues.")
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
