"""A game with real cards, recorded card by card on the score sheet, in a real browser."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from page.browsing import Visitors, barriers, barriers_in_both_themes, too_wide
from page.entering import Entering, begin, kept, saved, shown_scores
from page.hosts import Host
from page.test_alone_hosts import keep_all
from page.waiting import lets_pass, soon
from rage.notation import parse_record, replay
from rage.notation.writer import rules_data
from rage.rules.editions import ruleset
from rage.say import LANGUAGES, catalogue
from rage.score.file import read_sheet

NAMES = ("Ann", "Ben", "Cem")
COLOURS = {"R": "red", "O": "orange", "Y": "yellow", "G": "green", "B": "blue", "P": "purple"}
ACTIONS = {"W": "Joker", "C": "Change Trump", "X": "No Trump", "+": "+5", "-": "−5"}


#: Taps a number, and what lies in its place a moment later.
TAPPED_TWICE = """async ([number, name]) => {
    document.querySelector(number).click();
    await new Promise(requestAnimationFrame);
    [...document.querySelectorAll('button')].find((each) => each.innerText.includes(name)).click();
}"""


def tap(page: Page, *cards: str) -> None:
    """Enter cards, each of which is asked for: its colour is there already where it was led."""
    picker = page.locator(".picker")
    for code in cards:
        if code[0] in ACTIONS:
            picker.get_by_role("button", name=ACTIONS[code[0]], exact=True).click()
            continue
        colour = COLOURS[code[0]]
        rank = picker.get_by_role("button", name=f"{colour} {code[1:]}", exact=True)
        if not rank.count():
            picker.get_by_role("button", name=colour, exact=True).click()
        rank.click()


def record_cards(page: Page) -> None:
    """Record the cards of the round that begins, from the menu below the sheet."""
    page.get_by_role("button", name="Sheet", exact=True).click()
    page.get_by_role("button", name="Record this round's cards").click()


def asked(page: Page, question: str) -> None:
    expect(page.locator(".pad h2")).to_contain_text(question)


@pytest.mark.alone
def test_a_round_is_recorded_and_looked_back_at(
    visitors: Visitors, offline_noise: None, home: Host | None
) -> None:
    page = visitors.visit("sheet", service_workers="allow", has_touch=True)
    kept(page)
    if home is not None:
        page.goto("")
        keep_all(page)
        page.goto("sheet")
    page.context.set_offline(True)
    page.locator("summary", has_text="Variants").click()
    page.get_by_role("radio", name="AMIGO").check()
    page.get_by_role("switch", name="Rising").check()
    begin(page, NAMES)
    entering = Entering(page)
    # Of the first round, only the results are entered in the end.
    record_cards(page)
    tap(page, "G7")
    lets_pass(page, 500)  # within which this would be a second tap
    entering.button("Results only")
    for n in (1, 0, 0, 1):
        entering.number(n)
    entering.button("Next round")
    record_cards(page)
    # The second is recorded. Ben deals; a trump is turned up after an action card.
    asked(page, "Which card was turned up?")
    tap(page, "+")
    asked(page, "which card came after it?")
    tap(page, "G7")
    for n in (1, 0):
        entering.number(n)
    page.evaluate(TAPPED_TWICE, ["[data-number='1']", "Results only"])
    asked(page, "Cem leads")
    tap(page, "R5")
    asked(page, "Ann: which card?")
    tap(page, "R9")
    entering.button("Undo")
    tap(page, "C")
    asked(page, "Change Trump from Ann: which card was turned up?")
    tap(page, "B2", "B9")
    said = page.locator(".voice")
    expect(said).to_contain_text("Ben wins the trick: Ann made blue trump with Change Trump")
    page.reload()  # and everything is there again
    asked(page, "Ben leads")
    # Between the cards, a bid can be corrected.
    entering.button("Correct a bid")
    asked(page, "Touch the bid or the card that was wrong.")
    page.get_by_role("button", name="Bid of Ann: 0").click()
    entering.number(1)
    asked(page, "Ben leads")
    entering.button("Undo")
    asked(page, "Ben leads")
    tap(page, "Y3", "X")
    expect(page.get_by_role("button", name="yellow 3", exact=True)).to_have_attribute(
        "aria-disabled", "true"
    )
    assert barriers(page) == []
    tap(page, "R1")
    # Who revoked is told. The round counts nevertheless, and is in no record.
    revoke = "Ann played Change Trump in trick 1 though red was led: Ann still held"
    told = page.get_by_role("alert").filter(has_text="Ann played")
    expect(told).to_contain_text(f"{revoke} red 1.")
    assert barriers(page) == []
    entering.button("Next round")
    entering.button("Sheet")
    left = page.locator("main li", has_text="is left out")
    expect(left).to_have_text(
        [
            "Round 1 is left out: only its results were entered.",
            f"Round 2 is left out: {revoke} R1.",
        ]
    )
    # It was another card, in truth.
    entering.button("Correct round 2")
    page.get_by_role("button", name=re.compile("^Trick 2, Ann, red 1")).click()
    asked(page, "Trick 2, Ann: what was red 1 really?")
    tap(page, "Y8")
    expect(told).to_have_count(0)
    entering.button("Save the correction")
    expect(left).to_have_count(1)
    assert barriers(page) == []
    record = parse_record(saved(page, "Save the record"))
    game = replay(record)
    assert (record.first_round, game.rounds[0].bids) == (2, (0, 1, 1))
    assert [list(map(str, trick.moves)) for trick in game.rounds[0].tricks] == [
        ["R5", "C", "B9"],
        ["Y3", "X", "Y8"],
    ]
    first = [10, 11, 10]  # all bids were met
    assert soon(shown_scores, page) == [a + b for a, b in zip(first, game.scores, strict=True)]
    sheet = read_sheet(saved(page, "Save as file"))
    assert sheet.rounds[1].extra == {
        "turned": ["+ G7", "B2"],
        "tricks": ["R5 C B9", "Y3 X Y8"],
    }
    page.get_by_role("button", name="Look back").click()
    if home is None:
        expect(page.locator(".menu .error")).to_contain_text("You are offline")
        page.context.set_offline(False)
        page.get_by_role("button", name="Look back").click()
    page.wait_for_url(re.compile("/open#1\\."))
    expect(page.get_by_text("Ben deals 2 cards each")).to_be_visible()


# --- a game that is on the device already --------------------------------------------------------


def with_round(
    visitors: Visitors, rules: str, names: tuple[str, ...], entry: dict[str, Any], **options: Any
) -> Page:
    """The sheet of a game whose first round is under way, being recorded with its cards."""
    seats = list(range(len(names)))
    nothing = {"won": [None for _ in seats], "bonus": [0 for _ in seats], "mad": [0 for _ in seats]}
    sheet = {"format": "rage-score", "version": 1, "rules": rules_data(ruleset(rules))}
    game = {
        "id": "one",
        "sheet": {**sheet, "players": names, "rounds": []},
        "entry": {"seats": seats, "hand_size": 2, "dealer": 0, **nothing, **entry},
    }
    page = visitors.blank(**options)
    page.add_init_script(
        f"localStorage['rage.sheet-now'] ??= '\"one\"';"
        f"localStorage['rage.sheet.one'] ??= {json.dumps(json.dumps(game))};"
    )
    page.goto("sheet")
    return page


def test_secret_bids_are_entered_after_the_last_trick(visitors: Visitors) -> None:
    cards = {"turned": ["G7"], "tricks": ["R5 R6", "R7"]}
    page = with_round(
        visitors, "poof+secret-bids", NAMES[:2], {"bids": [None, None], "extra": cards}
    )
    asked(page, "Ben: which card?")
    tap(page, "R8")
    asked(page, "How many will Ben win?")
    entering = Entering(page)
    entering.number(0)
    entering.number(1)
    tricks = page.get_by_role("button", name=re.compile("^Tricks of"))
    expect(tricks).to_have_text(["1", "1"])
    expect(tricks.first).to_be_disabled()
    entering.button("Next round")
    expect(page.get_by_role("heading", name=re.compile("Round 2"))).to_be_visible()


def test_a_card_that_was_missed_or_tapped_twice(visitors: Visitors) -> None:
    """By keyboard alone: each step leads on to the next."""
    cards = {"turned": ["G7"], "tricks": ["R5 R7 R6", "R8"]}
    page = with_round(visitors, "poof", NAMES, {"bids": [0, 0, 0], "extra": cards})

    def press(name: str) -> None:
        page.get_by_role("button", name=re.compile(name)).first.focus()
        page.keyboard.press("Enter")

    asked(page, "Ann: which card?")
    press("^Trick 2, Cem, red 8")
    expect(page.locator(".pad")).to_be_focused()
    press("A card before it is missing")
    asked(page, "Which card fell before red 8")
    press("^purple$")
    press("^purple 3$")
    asked(page, "Ben: which card?")
    expect(page.locator("body")).not_to_be_focused()
    press("^Trick 2, Ann, red 8")
    press("Take it out")
    asked(page, "Ann: which card?")
    press("^Change Rage$")
    barred = page.locator(".colours").get_by_role("button", name="green")
    expect(barred).to_have_attribute("aria-disabled", "true")
    press("^orange$")
    asked(page, "Ben: which card?")
    expect(page.locator(".trump")).to_contain_text("orange")


@pytest.mark.long
@pytest.mark.parametrize("language", LANGUAGES)
def test_no_barriers_and_nothing_too_wide(visitors: Visitors, language: str) -> None:
    """Eight at the table, in the smallest window, with somebody who has revoked."""
    names = ("Ann", "Benedikt-Maximilian", "Cem", "Dora", "Eva", "Fritz", "Gül", "Hans")
    cards = {"turned": ["X G7"], "tricks": ["R5 B6 WR CP X + - R10", "Y11 R12 B1"]}
    size = {"width": 320, "height": 568}
    page = with_round(
        visitors,
        "poof",
        names,
        {"bids": [0, 1, 0, 1, 0, 1, 0, 0], "extra": cards},
        locale=language,
        viewport=size,
    )
    words = catalogue(language)
    fold = page.locator("summary", has_text=words["page.record.cards"])
    fold.click()
    expect(page.locator(".break")).to_have_count(1)
    assert barriers_in_both_themes(page) == []
    assert too_wide(page) <= 0
    page.locator(".break button").click()  # it is corrected
    assert barriers(page) == []
    assert too_wide(page) <= 0
    page.set_viewport_size({"width": 640, "height": 400})  # as at a zoom of 200 %
    assert too_wide(page) <= 0
