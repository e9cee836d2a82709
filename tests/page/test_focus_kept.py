"""On the score sheet and the judge: where the focus is once what had it is gone, and what is read
out, once."""

from __future__ import annotations

import json
import re
from typing import Any

from playwright.sync_api import Locator, Page, Route, expect

from page.browsing import Visitors
from page.entering import Entering
from page.test_judge import tap
from rage.notation.writer import rules_data
from rage.rules.editions import ruleset

NAMES = ("Ann", "Ben", "Cem")
NOTHING = {"won": [None, None], "bonus": [0, 0], "mad": [0, 0]}
OVER = {"hand_size": 2, "dealer": 0, "bids": [1, 1], "won": [1, 1]}
NEXT = {"seats": [0, 1], "hand_size": 1, "dealer": 1, "bids": [None, None], **NOTHING}


def with_games(visitors: Visitors, path: str, *games: dict[str, Any]) -> Page:
    """A page of a device that has games of two rounds, the first of which is on the page; each
    with what is in it beside its rules."""
    page = visitors.blank()
    sheet = {"format": "rage-score", "version": 1}
    page.add_init_script("localStorage['rage.sheet-now'] ??= '\"game0\"'")
    for at, game in enumerate(games):
        rules = rules_data(ruleset("poof+schedule:2.1"))
        started = f"2026-01-0{9 - at}T20:00:00Z"  # the last one first
        whole = {**sheet, "rules": rules, "players": NAMES[:2], "started": started, **game}
        entry = whole.pop("entry", None)
        kept = json.dumps({"id": f"game{at}", "sheet": whole, "entry": entry, "recording": False})
        page.add_init_script(f"localStorage['rage.sheet.game{at}'] ??= {json.dumps(kept)}")
    page.goto(path)
    return page


def press(page: Page, name: str) -> None:
    """Press a button by keyboard."""
    page.get_by_role("button", name=name, exact=True).focus()
    page.keyboard.press("Enter")


def aloud(page: Page, level: str = "polite") -> Locator:
    """What is read out: polite or assertive."""
    return page.locator(f"[data-live={level}] p")


def test_the_heading_has_the_focus_where_another_sheet_or_round_comes(visitors: Visitors) -> None:
    page = with_games(visitors, "sheet", {"rounds": [OVER], "entry": NEXT})

    def arrives(at: str) -> None:
        heading = page.get_by_role("heading", level=1)
        expect(heading).to_contain_text(at)
        expect(heading).to_be_focused()

    press(page, "Sheet")
    expect(page.get_by_role("heading", level=1)).not_to_be_focused()
    press(page, "Correct round 1")
    arrives("Correct round 1")
    press(page, "Leave as it was")
    arrives("Round 2 of 2")
    press(page, "Correct round 1")
    press(page, "Bid of Ann: 1")
    Entering(page).number(2)
    press(page, "Save the correction")
    arrives("Round 2 of 2")
    expect(aloud(page)).to_have_text(["Round 1 is corrected."])
    press(page, "End early")
    page.keyboard.press("Enter")  # which means yes
    arrives("The game was ended early")
    press(page, "Continue after all")
    arrives("Round 2 of 2")
    press(page, "Round")
    for n in (1, 0, 1):
        page.locator(f"[data-number='{n}']").focus()
        page.keyboard.press("Enter")
    press(page, "End the game")
    arrives("The game is over")
    press(page, "Play again")
    arrives("Round 1 of 2")


def test_the_next_sheet_has_the_focus_where_one_is_removed(visitors: Visitors) -> None:
    games = [{"players": [name, "Zoe"], "rounds": []} for name in NAMES]
    page = with_games(visitors, "sheet#history", *games)

    def remove(at: int, left: int) -> None:
        page.get_by_role("button", name="Remove").nth(at).focus()
        page.keyboard.press("Enter")
        page.keyboard.press("Enter")  # which means yes
        expect(page.locator(".list .open")).to_have_count(left)

    remove(1, 2)
    expect(page.get_by_role("button", name="Cem, Zoe")).to_be_focused()
    expect(aloud(page)).to_have_text(["Removed."])
    remove(1, 1)
    expect(page.get_by_role("button", name="Ann, Zoe")).to_be_focused()
    remove(0, 0)
    expect(page.get_by_role("heading", name="Games on this device")).to_be_focused()


def test_the_judge_by_keyboard_and_by_ear(visitors: Visitors) -> None:
    page = visitors.visit("judge")
    for name in ("green", "green 5"):
        press(page, name)
    expect(page.locator(".pad")).to_be_focused()
    press(page, "Card 1, green 5: take it back")
    expect(page.locator(".pad")).to_be_focused()
    tap(page, "green > green 5", "May I play it?", "green > green 1", "red > red 2", "red > red 3")
    expect(page.locator(".may li")).to_have_count(3)
    refused = re.compile("^Green was led and you hold green")
    expect(aloud(page)).to_have_text(["Green 1 may be played now.", refused, refused])
    press(page, "Clear")
    expect(page.locator(".pad")).to_be_focused()


def test_names_are_refused_while_they_are_typed(visitors: Visitors) -> None:
    """With a player who has none yet."""
    page = visitors.visit("sheet")
    page.get_by_role("radio", name="AMIGO").check()
    names = page.get_by_role("textbox", name="Name of player")
    for at in (0, 1):
        names.nth(at).fill("Ann")
    bar = page.locator(".bar [role=alert]")
    expect(bar).to_have_text(re.compile("^Two players would be called Ann"))
    names.nth(1).fill("Ben")
    expect(page.locator(".bar p")).to_have_text("Rage (AMIGO 00990)")
    expect(bar).to_have_count(0)


def _refuse_to_open(route: Route) -> None:
    """Answer no request for a new table; what tables there are may be asked."""
    if route.request.method == "POST":
        route.fulfill(status=400, json={"text": "No!"})
    else:
        route.continue_()


def test_a_refusal_is_read_once(visitors: Visitors) -> None:
    """On the first page, where no table can be opened."""
    page = visitors.blank()
    page.route("**/api/tables?*", _refuse_to_open)
    page.goto("")
    page.get_by_role("button", name="Play now").click()
    expect(page.locator("main [role=alert]")).to_have_text("No!")
    expect(aloud(page, "assertive")).to_have_count(0)
