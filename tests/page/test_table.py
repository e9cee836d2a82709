"""The table in a real browser, against the real server."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from page.playing import FOCUS, Player, Seat, bid, play_any, plays_out
from page.waiting import PATIENCE, lets_pass, soon, tries


def plays_by_keys(player: Player) -> int:
    """A game to its end, touching nothing but keys; how many decisions were made."""
    page, made = player.page, 0
    page.keyboard.press("Tab")
    for _ in tries(page, 8 * PATIENCE):
        if player.over:
            break
        # For a moment it may be nowhere, while something goes.
        assert soon(lambda: not page.evaluate(FOCUS)["body"]), "the focus is lost"
        if page.locator("[data-number]").count():
            page.keyboard.press("1" if page.locator('[data-number="1"][aria-disabled]').count() == 0
                                else "0")  # fmt: skip
            expect(page.locator("[data-number]:focus")).to_have_count(1)
            page.keyboard.press("Enter")
            made += 1
        elif page.locator(".status.mine").count():
            for _ in range(40):
                if page.evaluate(FOCUS)["hand"] is not None:
                    break
                page.keyboard.press("Tab")
            page.keyboard.press("Home")
            for _ in range(10):
                if not page.evaluate(FOCUS)["off"]:
                    break
                page.keyboard.press("ArrowRight")
            page.keyboard.press("Enter")
            lets_pass(page, 100)  # the pad of colours is fetched when it is first needed
            if page.locator(".colour").count():
                page.keyboard.press("1" if page.locator(".colour[aria-disabled]").count() == 0
                                    else "6")  # fmt: skip
                if page.locator(".colour").count():
                    page.keyboard.press("2")
            made += 1
        else:
            page.keyboard.press("Escape")
    return made


@pytest.mark.alone
@pytest.mark.long
def test_a_whole_game_of_ten_rounds_by_keyboard_alone(seat: Seat) -> None:
    """From as many cards as there are to one, and several of the same number."""
    ann = seat()
    ann.plays_bots("poof+schedule:10.5.4.4.3.3.2.2.1.1", 2)
    assert plays_by_keys(ann) >= 45
    assert soon(ann.page.locator("#game-end").inner_text)


@pytest.mark.alone
@pytest.mark.long
def test_a_whole_game_through_the_accessibility_tree_alone(seat: Seat) -> None:
    """Nothing but roles and names is known of the page."""
    ann = seat()
    ann.plays_bots("amigo+schedule:4.3.2.1", 3)
    page, made = ann.page, 0
    button = page.get_by_role
    for _ in tries(page):
        if page.get_by_role("link", name="Look back").count():
            break
        go_on = button("button", name=re.compile("Next round|End of the game"))
        bids = page.get_by_role("toolbar", name="Your bid").get_by_role("button", disabled=False)
        colours = page.get_by_role("group", name="which colour").get_by_role("button")
        cards = ann.hand.and_(button("button", disabled=False))
        if go_on.count():
            go_on.click()
        elif bids.count():
            bids.first.click()
            made += 1
        elif colours.count():
            colours.filter(has_text="blue").click()
        elif page.get_by_text("Your turn.", exact=True).count() and cards.count():
            cards.first.click()
            made += 1
        else:
            page.keyboard.press("Escape")
    assert made >= 14
    assert soon(page.get_by_role("heading", name=re.compile("wins?(, Ann)?!$")).count)


#: Notes what the button below the summary of a round says, which goes by itself.
LABEL = """() => new MutationObserver(() => {
    window.label ??= document.querySelector('section:has(#round-end) .primary')?.textContent;
}).observe(document.body, { subtree: true, childList: true })"""


@pytest.mark.alone
def test_the_summary_of_the_last_round_says_what_comes_next(seat: Seat) -> None:
    ann = seat()
    ann.plays_bots("poof+schedule:1", 2)
    ann.page.evaluate(LABEL)
    bid(ann.page)
    play_any(ann.page)
    expect(ann.page.locator("#game-end")).to_be_visible()
    assert soon(ann.page.evaluate, "label") == "End of the game"


def test_four_people_play_a_game_through_a_reload_a_cut_and_another_device(seat: Seat) -> None:
    ann, *others = (seat(name) for name in ("Ann", "Ben", "Cleo", "Dan"))
    table = ann.open("fundex+schedule:2.1", 4)
    for each in others:
        each.sit_down(table)
        expect(ann.page.get_by_text(each.name, exact=True)).to_be_visible()
    ann.page.get_by_role("button", name="Start").click()
    everybody = [ann, *others]
    for each in everybody:
        expect(each.hand).to_have_count(2)
    rounds(everybody, 3)
    others[0].page.reload()
    rounds(everybody, 3)
    others[1].context.set_offline(True)
    rounds([each for each in everybody if each is not others[1]], 3)
    others[1].context.set_offline(False)
    second = others[2].context.new_page()
    second.goto(others[2].page.url)
    expect(others[2].page.get_by_role("button", name="Continue here")).to_be_visible()
    others[2].page = second
    plays_out(*everybody)
    crowned = ".podium li:has(.crown) .name"
    winners = {frozenset(each.page.locator(crowned).all_inner_texts()) for each in everybody}
    (names,) = winners
    assert names


def rounds(players: list[Player], times: int) -> None:
    """Everybody does what there is to do, some times over."""
    for _ in range(times):
        for each in players:
            each.act()
