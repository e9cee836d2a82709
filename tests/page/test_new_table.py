"""The form of a new table, in a real browser: rule sets, variants, settings, players."""

from __future__ import annotations

import re
from threading import Event

import pytest
from playwright.sync_api import Page, Route, expect

from page.browsing import BEGIN, Visitors, code_of
from page.waiting import soon


def more(visitors: Visitors, path: str) -> Page:
    """The form of a new table with all that is folded."""
    page = visitors.visit(path)
    page.get_by_text("More: variants").click()
    return page


def test_all_bots_are_as_strong_as_chosen(visitors: Visitors) -> None:
    page = visitors.visit("new")
    page.get_by_role("radio", name="Hard").check()
    page.get_by_text("More: variants").click()
    seat = page.get_by_label("Seat 2")
    titles = ["Easy", "Steady", "Medium", "Hard", "Master", "Thinker"]
    assert soon(seat.locator("option").all_inner_texts) == [
        "A friend",
        *(f"Bot: {title}" for title in titles),
    ]
    page.get_by_role("button", name="All bots").click()
    expect(seat).to_have_value("hard")
    page.get_by_role("radio", name="Easy").check()
    expect(seat).to_have_value("easy")
    page.get_by_role("button", name="Start game").click()
    line = page.request.get(f"api/tables/{code_of(page)}").json()
    assert [each["bot"] for each in line["seats"]] == [None, "easy", "easy", "easy"]


def test_a_new_table_with_variants(visitors: Visitors) -> None:
    page = more(visitors, "new")
    page.get_by_role("radio", name="AMIGO").check()
    page.get_by_role("switch", name="Winner takes all").check()
    page.get_by_role("switch", name="Hidden bids").check()
    summary = page.locator("aside")
    expect(summary).to_contain_text("a player who wins every trick of a round scores 2 per trick")
    expect(summary).to_contain_text("show the bids before the first card is led")
    page.get_by_role("radio", name="5", exact=True).check()
    page.get_by_label("Seat 3").select_option("steady")
    expect(
        page.get_by_text("Steady: Bids what its hand is worth and plays to make it, just as")
    ).to_be_visible()
    page.get_by_text("At the table:").click()
    page.get_by_role("radio", name="Anyone on this server").check()
    page.get_by_role("radio", name="Brisk").check()
    page.get_by_role("switch", name="Take back").uncheck()
    page.get_by_role("button", name="Open table").click()
    code = code_of(page)
    line = page.request.get(f"api/tables/{code}").json()
    assert line["rules"] == "amigo+hidden-bids+sweep"
    assert [seat["bot"] for seat in line["seats"]] == [None, None, "steady", None, None]
    assert code in [each["table"] for each in page.request.get("api/tables").json()["mine"]]


def test_a_named_rule_set_is_chosen_like_an_edition(visitors: Visitors) -> None:
    page = more(visitors, "new")
    page.get_by_role("radio", name="AMIGO").check()
    page.get_by_role("switch", name="Winner takes all").check()
    folded = page.get_by_role("radio", name="Board Game Arena")
    expect(folded).to_be_hidden()
    page.get_by_text("Other editions").click()
    folded.check()
    expect(page.get_by_role("radio", name="AMIGO")).not_to_be_checked()
    expect(page.locator("aside")).to_contain_text("the one who met more bids")
    page.get_by_role("button", name="Open table").click()
    line = page.request.get(f"api/tables/{code_of(page)}").json()
    assert line["rules"] == "amigo+sweep+tie:exact_bids"


@pytest.mark.alone
@pytest.mark.long
def test_a_link_carries_the_rules(visitors: Visitors) -> None:
    page = visitors.visit("new?rules=amigo+sweep+miss:-3&players=6")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    expect(page.get_by_role("switch", name="Winner takes all")).to_be_checked()
    page.get_by_role("button", name="Copy link to these rules").click()
    expect(page.get_by_text("Copied.")).to_be_attached()
    link = page.evaluate("navigator.clipboard.readText()")
    other = visitors.visit(link)
    expect(other.get_by_role("switch", name="Winner takes all")).to_be_checked()
    expect(other.locator("aside")).to_contain_text("a missed bid costs 3 points")
    expect(other.get_by_role("radio", name="6", exact=True)).to_be_checked()


@pytest.mark.alone
def test_what_cannot_be_or_not_together_is_said_and_goes_on(visitors: Visitors) -> None:
    """Rules of a link that there are not, a variant that turns off another, and players who are too
    many for the rules."""
    page = visitors.visit("new?rules=canasta&players=4")
    expect(page.get_by_role("radio", name="Poof")).to_be_checked()
    said = page.get_by_text("Other rules are chosen, because these cannot be used here")
    expect(said).to_contain_text("canasta")
    expect(said).to_be_in_viewport()
    expect(page.get_by_text("does not go with your choice")).to_have_count(0)

    page.goto("new?rules=amigo+hidden-bids&players=4")
    page.get_by_role("switch", name="Secret bids").check()
    expect(page.get_by_role("switch", name="Hidden bids")).not_to_be_checked()
    expect(page.get_by_text("does not go with your choice: Hidden bids")).to_be_visible()
    page.get_by_role("switch", name="Plus/minus one").check()
    expect(page.get_by_role("switch", name="Secret bids")).not_to_be_checked()

    page.goto("new?rules=poof+two-teams&players=4")
    page.get_by_role("radio", name="5", exact=True).check()
    expect(page.get_by_role("alert").filter(has_text="4 or 6").first).to_be_visible()
    page.get_by_role("button", name=BEGIN).click(force=True)
    expect(page).to_have_url(re.compile("/new"))
    page.get_by_role("radio", name="6", exact=True).check()
    expect(page.get_by_role("button", name=BEGIN)).to_have_attribute("aria-disabled", "false")


def test_own_settings_and_a_schedule(visitors: Visitors) -> None:
    """A choice that is refused is not shown as made."""
    page = more(visitors, "new?rules=poof&players=4")
    page.get_by_text("Your own rules and schedule").click()
    bidding = page.locator("input[name=bidding]")
    expect(bidding.first).to_be_visible()
    chosen = [radio.is_checked() for radio in bidding.all()]
    page.route("**/api/rules/*", lambda route: route.fulfill(status=400, json={"text": "No!"}))
    bidding.nth(chosen.index(False)).click()
    expect(page.get_by_role("alert").filter(has_text="No!").first).to_be_visible()
    assert soon(lambda: [radio.is_checked() for radio in bidding.all()]) == chosen
    page.get_by_role("radio", name="AMIGO").click()
    expect(page.get_by_role("radio", name="Poof")).to_be_checked()
    page.unroute("**/api/rules/*")

    page.get_by_role("textbox", name=re.compile("round by round")).fill("3, 2,1")
    missed = page.get_by_role("textbox", name=re.compile("missing the bid"))
    for typed in ("-3", "–4", "−2"):
        missed.fill(typed)
        missed.press("Tab")
        expect(missed).to_have_value(f"−{typed[1]}")
    page.get_by_role("spinbutton", name="Out Rage").fill("0")
    page.get_by_role("spinbutton", name="Out Rage").press("Tab")
    expect(page.locator("aside")).to_contain_text("a missed bid costs 2 points")
    expect(page.locator("aside")).to_contain_text("0 × Out Rage")
    page.get_by_role("button", name="Open table").click()
    line = page.request.get(f"api/tables/{code_of(page)}").json()
    assert line["rules"] == "poof+pack:out0+miss:-2+schedule:3.2.1"


def test_what_is_typed_before_the_last_change_is_answered_is_kept(visitors: Visitors) -> None:
    page = more(visitors, "new?rules=poof&players=4")
    page.get_by_text("Your own rules and schedule").click()
    held, released = list[Route](), Event()
    page.route(
        "**/api/rules/**",
        lambda route: route.continue_() if released.is_set() else held.append(route),
    )
    for name, count in (("Out Rage", "0"), ("Change Rage", "1")):
        field = page.get_by_role("spinbutton", name=name)
        field.fill(count)
        field.press("Tab")
    missed = page.get_by_role("textbox", name=re.compile("missing the bid"))
    missed.fill("-3")
    missed.press("Tab")
    missed.fill("-4")
    released.set()
    for route in held:
        route.continue_()
    expect(page.locator("aside")).to_contain_text("a missed bid costs 3 points")
    expect(missed).to_have_value("-4")
    missed.press("Tab")
    expect(missed).to_have_value("−4")
    page.get_by_role("button", name="Open table").click()
    line = page.request.get(f"api/tables/{code_of(page)}").json()
    assert line["rules"] == "poof+pack:change1.out0+miss:-4"


@pytest.mark.alone
def test_a_setting_out_of_range_is_refused_in_words_and_nothing_changes(
    visitors: Visitors,
) -> None:
    page = more(visitors, "new?rules=poof&players=4")
    page.get_by_text("Your own rules and schedule").click()
    schedule = page.get_by_role("textbox", name=re.compile("round by round"))
    for typed in ("99", "none"):
        schedule.fill(typed)
        schedule.press("Tab")
        expect(page.get_by_role("alert").filter(has_text="1 to 30 rounds").first).to_be_visible()
        expect(schedule).to_have_value("10, 9, 8, 7, 6, 5, 4, 3, 2, 1")
    for name, typed, before, allowed in (
        (re.compile("missing the bid"), "1000", "0", "a whole number from −100 to 100"),
        (re.compile("missing the bid"), "", "0", "a whole number from −100 to 100"),
        ("Out Rage", "9", "4", "0 to 4 of each of wild, change, out, bonus and mad"),
    ):
        number = page.get_by_label(name).and_(page.locator("input:not([type=radio])"))
        number.fill(typed)
        number.press("Tab")
        said = page.get_by_role("alert").filter(has_text=f"Only possible here: {allowed}.")
        expect(said).to_be_visible()
        expect(number).to_have_value(before)
    expect(page.locator("aside")).to_contain_text("Standard rules")


@pytest.mark.alone
def test_a_newcomer_is_asked_three_things_and_which_box_it_is(visitors: Visitors) -> None:
    page = visitors.visit("new")
    asked = page.locator("main fieldset").filter(visible=True).locator("> legend")
    players = visitors.says("page.new.players")
    expect(asked).to_have_text(["Which Rage?", players, "How strong are the bots?"])
    page.get_by_role("button", name="Which box do you own?").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="something else").click()
    dialog.get_by_role("button", name=re.compile("Joker")).click()
    dialog.get_by_role("button", name="Play Rage (AMIGO 00990)").click()
    expect(dialog).not_to_be_attached()
    expect(page.get_by_role("radio", name="AMIGO")).to_be_checked()
