"""The trick judge, in a real browser: who wins a trick of real cards, and what may be played."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from page.browsing import Visitors, barriers
from page.waiting import soon


def tap(page: Page, *cards: str) -> None:
    """Enter cards by what their buttons are called."""
    for card in cards:
        for name in card.split(" > "):
            page.get_by_role("button", name=name, exact=True).click()


@pytest.mark.alone
def test_the_judge_says_who_wins_and_where_editions_differ(visitors: Visitors) -> None:
    """It refuses a Change that names the trump in force, as ``rage judge`` does; turned up, it may
    be the same colour."""
    page = visitors.visit("judge/")
    tap(page, "blue > blue 13", "blue > blue 10", "yellow > yellow 10", "red > red 2")
    said = page.locator(".voice")
    expect(said).to_contain_text("Which colour was trump before the trick")
    page.get_by_role("radio", name="red").check()
    expect(said).to_contain_text("Player 4 wins the trick")
    expect(said).to_contain_text("The same in every edition.")
    tap(page, "Clear", "Wild Rage > blue", "Wild Rage > blue")
    expect(said).to_contain_text("Poof-Slinky 2013 and Fundex, from Wikipedia: Player 1 wins")
    expect(said).to_contain_text("AMIGO 00990: Player 2 wins the trick")
    assert barriers(page) == []
    tap(page, "Clear")
    page.get_by_role("radio", name="blue").check()
    tap(page, "Change Rage > blue", "red > red 7")
    expect(said).to_contain_text(
        "Poof-Slinky 2013 and Fundex, from Wikipedia: Against the rules. "
        "Blue is trump already: Change Rage must name another colour."
    )
    expect(said).to_contain_text("AMIGO 00990: Player 2 wins the trick")
    expect(page.locator("[data-icon=crown]")).to_have_count(0)
    tap(page, "Clear", "Out Rage", "Change Rage > blue", "red > red 7")
    expect(said).to_contain_text("The same in every edition.")


def test_the_judge_says_which_card_may_be_played(visitors: Visitors) -> None:
    """With all cards to tap in in sight, on a short phone without the five action cards while the
    numbers of another colour are shown."""
    page = visitors.visit("judge")
    tap(page, "green > green 5", "May I play it?", "green > green 1", "red > red 2", "Out Rage")
    may = page.locator(".may li")
    expect(may.filter(has_text="green 1 may be played now")).to_be_visible()
    expect(may.filter(has_text="Green was led and you hold green")).to_have_count(2)
    page.get_by_role("switch", name="action cards at any time").check()
    expect(may.filter(has_text="Out Rage may be played now.")).to_be_visible()
    tap(page, "To the trick", *[f"blue > blue {n}" for n in range(9)])
    expect(may.filter(has_text="The trick is full: all 10 have played.")).to_have_count(3)
    tap(page, "Who wins?")
    page.get_by_role("radio", name="no trump").check()
    expect(page.locator(".voice")).to_contain_text("Player 1 wins the trick")
    tap(page, "May I play it?")
    assert barriers(page) == []
    tap(page, "Clear", "blue > blue 13", "May I play it?", "red > red 7", "green > green 3", "red")
    for width, height, cards in ((390, 844, 27), (360, 640, 22)):
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate("scrollTo(0, 0)")
        for keys, count in ((".picker button", cards), (".pad .views button", 2)):
            expect(page.locator(keys)).to_have_count(count)
            for key in page.locator(keys).all():
                expect(key).to_be_in_viewport(ratio=1)


#: The words of the keys that are broken, and of what has been played and is said about it, what
#: lies under the keys or outside the window.
_UNREAD = """() => {
    const pad = document.querySelector('.pad').getBoundingClientRect();
    const hidden = [...document.querySelectorAll('.cards li, .voice p')].filter((one) => {
        const { top, bottom, right } = one.getBoundingClientRect();
        return top < 0 || bottom > innerHeight || (right > pad.left && bottom > pad.top);
    });
    const broken = [...document.querySelectorAll('.actions button')].flatMap(({ firstChild }) =>
        [...firstChild.data.matchAll(/[^ ]+/g)].filter(({ 0: word, index }) => {
            const range = document.createRange();
            range.setStart(firstChild, index);
            range.setEnd(firstChild, index + word.length);
            return new Set([...range.getClientRects()].map(({ top }) => top)).size > 1;
        }).map(([word]) => word));
    return [...hidden.map((one) => one.textContent), ...broken];
}"""


@pytest.mark.parametrize(("width", "height"), [(320, 568), (390, 844), (844, 390), (1280, 800)])
def test_the_keys_leave_the_trick_in_sight(visitors: Visitors, width: int, height: int) -> None:
    """And break no word, however long."""
    page = visitors.visit("judge", locale="de-DE", viewport={"width": width, "height": height})
    page.get_by_role("radio", name="grün").check()
    tap(page, "Blau > Blau 13", "Lila > Lila 12", "Rot > Rot 2")
    expect(page.locator(".voice")).to_contain_text("Spieler 1 gewinnt")
    assert soon(page.evaluate, _UNREAD) == []
