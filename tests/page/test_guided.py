"""The guided round, played at the table itself, in a real browser."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from page.browsing import Visitors, across_the_rim, barriers, too_wide
from page.playing import log_of
from page.waiting import lets_pass, once, tries
from rage.say import LANGUAGES

pytestmark = pytest.mark.alone

#: The moves that meet every bid: a digit is a bid, a name a card, and after it perhaps a colour.
SCENES = {
    "follow": ["green 13", "red 12"],
    "trump": ["blue 3", "yellow 2"],
    "wild": ["Wild Rage, green", "orange 3"],
    "change": ["Change Rage, blue", "blue 14"],
    "bid": ["2", "red 15", "blue 1"],
}
#: Keys of the catalogues, and codes of cards, which nobody should ever read.
RAW = re.compile(
    r"\b(learn|coach|account|event|page|refuse|trick)\.\w|\b[ROYGBP]\d+\b|\bW[ROYGBP]\b"
)


def coach(page: Page) -> Locator:
    return page.get_by_role("complementary", name="Hint")


def hurry(page: Page, shown: Locator) -> None:
    """Hurry what is told until something is shown."""
    for _ in tries(page):
        if shown.count() and shown.first.is_visible():
            return
        page.keyboard.press("Escape")


def by_keys(page: Page, target: Locator) -> None:
    """Reach something with the keyboard alone, and press Enter."""
    expect(target.first).to_be_visible()
    for key in ["ArrowLeft"] * 4 + ["ArrowRight"] * 6 + ["Tab"] * 12:
        if target.first.evaluate("one => one === document.activeElement"):
            break
        page.keyboard.press(key)
    expect(target.first).to_be_focused()
    page.keyboard.press("Enter")


def card(page: Page, name: str) -> Locator:
    hand = page.get_by_role("group", name="Your hand").or_(page.locator(".cards"))
    return hand.get_by_role("button", name=re.compile(rf"^{name}\b"))


def play(page: Page, move: str) -> None:
    """Make a move by keys, once it may be made."""
    name, _, colour = move.partition(", ")
    if name.isdigit():
        hurry(page, page.locator(f"[data-number='{name}']"))
        page.keyboard.press(name)
        page.keyboard.press("Enter")
        return
    hurry(page, page.locator("[data-hand]:has(.playable)"))
    lets_pass(page, 400)  # so soon after another card, a key counts for nothing
    by_keys(page, card(page, name))
    if colour:
        by_keys(page, page.get_by_role("button", name=colour, exact=True))


def words(page: Page) -> str:
    text: str = page.locator("main").inner_text()
    return text


def test_every_scene_by_keys_alone_left_resumed_and_repeated(visitors: Visitors) -> None:
    """One of them without a server, from its beginning to that of the next."""
    page = visitors.visit(never_played=True)
    page.get_by_role("link", name="Learn by playing").click()
    for number, (scene, moves) in enumerate(SCENES.items(), 1):
        expect(page.get_by_role("heading", name=f"Scene {number} of 5")).to_be_visible()
        by_keys(page, coach(page).get_by_role("button", name="Begin"))
        page.context.set_offline(scene == "trump")
        for move in moves:
            play(page, move)
            assert not RAW.search(once(words, page))
        further = coach(page).get_by_role("button", name="Next")
        hurry(page, further)
        expect(coach(page)).to_contain_text("Bid met:")
        expect(further).to_be_focused()
        page.keyboard.press("Enter")
        if scene == "follow":  # leave, and go on from the start page
            page.get_by_role("link", name="Start").click()
            page.get_by_role("link", name="Learn by playing: scene 2 of 5").click()
    expect(page.get_by_role("heading", name="Well done!")).to_be_visible()
    assert across_the_rim(page) == []
    expect(page.get_by_role("button", name="Play now")).to_be_visible()
    page.get_by_role("button", name="Read the rules").click()
    expect(page.get_by_role("dialog")).to_contain_text("trump")
    page.keyboard.press("Escape")
    page.reload()  # it is all still there, each scene, too
    page.get_by_role("button", name="3. Wild Rage").click()
    expect(page.get_by_role("heading", name="Scene 3 of 5")).to_be_visible()
    expect(coach(page).get_by_role("button", name="Begin")).to_be_visible()


@pytest.mark.long
def test_each_card_is_commented_on_to_see_and_to_hear(visitors: Visitors) -> None:
    page = visitors.visit("learn#follow", never_played=True)
    heard = log_of(page)
    expect(heard).to_contain_text("Scene 1 of 5: Following. Everyone plays one card")
    coach(page).get_by_role("button", name="Begin").click()
    expect(coach(page)).to_contain_text("Ada bids 1.")
    for told in ("Ada leads green 11: green must be followed.", "Ben plays green 4: lower than"):
        expect(heard).to_contain_text(told)
    hurry(page, page.locator("[data-hand]:has(.playable)"))
    expect(coach(page)).to_contain_text("Green was led and you hold green")
    card(page, "red 12").click(force=True)  # refused, with the reason, and nothing happens
    expect(coach(page)).to_contain_text("Green was led and you hold green: play")
    card(page, "green 5").click()  # possible, but worse
    worse = "Your green 5 lost to green 11. green 13 would have won."
    expect(heard).to_contain_text(re.compile(worse, re.IGNORECASE))
    expect(coach(page)).to_contain_text("would have won.")
    play(page, "green 13")
    again = coach(page).get_by_role("button", name="Try again")
    hurry(page, again)
    expect(coach(page)).to_contain_text("Bid of 1 missed: 0 tricks, 0 points.")
    again.click()
    expect(coach(page)).to_contain_text("Everyone plays one card")


def test_a_card_may_be_played_as_soon_as_the_light_falls_on_me(visitors: Visitors) -> None:
    """Also while the last comment is still told, which goes on."""
    page = visitors.visit("learn#follow", never_played=True)
    coach(page).get_by_role("button", name="Begin").click()
    expect(coach(page)).to_contain_text("Ben plays green 4", timeout=10_000)
    card(page, "green 13").click()
    expect(page.locator("[data-played=G13]")).to_be_visible()
    expect(page.get_by_text("is thinking")).to_have_count(0)


def test_who_skips_every_scene_is_told_so(visitors: Visitors) -> None:
    page = visitors.visit("learn", never_played=True)
    for number in range(1, 6):
        expect(page.get_by_role("heading", name=f"Scene {number} of 5")).to_be_visible()
        coach(page).get_by_role("button", name="Skip this scene").click()
    expect(page.get_by_role("heading", name="Skipped for now")).to_be_visible()
    expect(page.get_by_text("You have skipped 5 of 5 scenes")).to_be_visible()
    page.reload()
    expect(page.get_by_role("heading", name="Skipped for now")).to_be_visible()


#: What must be in sight while something is to be chosen; the last is a window at 200 %.
SIGHTS = [(320, 568), (360, 640), (390, 844), (844, 390), (1280, 800), (640, 400)]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("scene", ["wild", "bid"])
def test_what_is_said_and_what_can_be_chosen_are_in_sight_together(
    visitors: Visitors, scene: str
) -> None:
    page = visitors.visit(f"learn#{scene}", never_played=True)
    coach(page).get_by_role("button", name="Begin").click()
    choice = page.locator("[data-number='2']" if scene == "bid" else "[data-hand]:has(.playable)")
    hurry(page, choice)
    for width, height in SIGHTS:
        page.set_viewport_size({"width": width, "height": height})
        for part in (coach(page), choice.first):
            expect(part).to_be_in_viewport(ratio=0.9)


@pytest.mark.sampled(9)
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", [(320, 568), (844, 390), (1440, 900)])
def test_the_guided_round_fits_and_has_no_barriers(
    visitors: Visitors, language: str, size: tuple[int, int]
) -> None:
    look = {"viewport": {"width": size[0], "height": size[1]}, "locale": language}
    page = visitors.visit("learn", never_played=True, **look)
    begin = page.locator("aside button").first
    expect(begin).to_be_in_viewport(ratio=1)
    assert too_wide(page) <= 0
    assert barriers(page) == []
    begin.click()
    hurry(page, page.locator("[data-hand]:has(.playable)"))
    assert too_wide(page) <= 0
    assert barriers(page) == []
    assert not RAW.search(once(words, page))
