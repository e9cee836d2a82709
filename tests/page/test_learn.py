"""What is there for newcomers: the guided round, and the coach at a table, in a real browser."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from page.browsing import Visitors, barriers, finish, rest, too_wide

HEARD = "[data-live=polite]"


def hurry(page: Page, shown: Locator) -> None:
    """Touch the stage until something is shown, so that nothing has to be waited for."""
    for _ in range(60):
        if shown.count() and shown.first.is_visible():
            return
        page.locator(".stage h2, .stage").first.click(position={"x": 2, "y": 2})
        page.wait_for_timeout(60)
    raise AssertionError("it is never shown")


def ready(page: Page) -> None:
    """Wait until it is the learner's decision, or the end of a scene."""
    hurry(page, page.locator("[data-first]:not([aria-disabled=true])"))


def card(page: Page, code: str) -> Locator:
    return page.locator(f".hand [data-card='{code}']")


# --- the guided round ----------------------------------------------------------------------


def test_all_five_scenes_from_the_first_page_on(visitors: Visitors) -> None:
    page = visitors.visit(never_played=True)
    page.get_by_role("link", name="Learn by playing").click()
    expect(page.get_by_role("heading", name="Scene 1 of 5: Following")).to_be_visible()
    ready(page)
    card(page, "R12").click()  # a wrong move: nothing happens, and why is said
    expect(page.locator(".said")).to_have_text("Green was led and you hold green: play G13 or G5.")
    expect(card(page, "R12")).to_be_visible()
    card(page, "G5").click()  # a bad one: it is played, the bid is missed, and one tries again
    ready(page)
    card(page, "R12").click()
    again = page.get_by_role("button", name="Try again")
    hurry(page, again)
    expect(page.locator(".plate")).to_contain_text("Bid of 1 missed: 0 tricks, 0 points.")
    again.click()
    for moves in (["G13", "R12"], ["B3", "Y2"], ["W", "O3"], ["C", "B14"], ["R15", "B1"]):
        ready(page)
        if moves[0] == "R15":
            page.get_by_role("group", name="Your bid").get_by_role("button", name="2").click()
            ready(page)
        for code in moves:
            card(page, code).click()
            if code in ("W", "C"):
                colour = "green" if code == "W" else "blue"
                page.get_by_role("group", name="Which colour?").get_by_role(
                    "button", name=colour
                ).click()
            ready(page)
        expect(page.locator(".plate")).to_contain_text("Bid met:")
        page.get_by_role("button", name="Next").click()
        if moves[0] == "G13":
            page.reload()  # and it is the same scene
            expect(page.get_by_role("heading", name="Scene 2 of 5: Trump")).to_be_visible()
    expect(page.locator(".plate")).to_contain_text("That's all you need.")
    expect(page.get_by_role("link", name="Back to the start")).to_be_visible()
    play = page.get_by_role("button", name="Play now")
    expect(play).to_be_focused()
    play.click()
    expect(page.locator("[data-number='2']")).to_be_visible(timeout=20_000)


def test_a_scene_by_keyboard_alone_and_what_is_heard(visitors: Visitors) -> None:
    page = visitors.visit("learn", never_played=True)
    heard = page.locator(HEARD)
    expect(heard).to_contain_text("Scene 1 of 5: Following")
    expect(heard).to_contain_text("players who hold its colour must follow.")
    ready(page)
    for part in ("players who hold its colour", "Green was led and you hold green"):
        expect(page.locator(".plate")).to_contain_text(part)  # the one stays, the other follows
    page.locator("[data-first]").focus()
    page.keyboard.press("Enter")
    expect(heard).to_contain_text("Green was led and you hold green: play green 13 or green 5.")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(heard).to_contain_text(re.compile("plays green 13"))
    ready(page)
    expect(heard).to_contain_text("and no one played purple, the trump")
    expect(page.locator("[data-first]")).to_be_focused()
    page.keyboard.press("Enter")
    hurry(page, page.get_by_role("button", name="Next"))
    expect(page.get_by_role("button", name="Next")).to_be_focused()
    expect(heard).to_contain_text("Bid met: 1 trick + 10 for the bid = 11 points.")


def test_what_a_scene_is_about_stands_there_until_the_first_move(visitors: Visitors) -> None:
    page = visitors.visit("learn#wild", never_played=True)
    question = page.locator(".plate").get_by_text("which colour wins you a trick?")
    expect(page.get_by_role("heading", name="Scene 3 of 5")).to_be_visible()
    ready(page)
    expect(question).to_be_visible()
    card(page, "W").click()
    expect(question).to_be_visible()
    colours = page.get_by_role("group", name="Which colour?")
    expect(colours.get_by_role("button", name="red")).to_be_focused()
    page.keyboard.press("Escape")
    expect(colours).to_have_count(0)
    expect(page.get_by_role("button", name="Wild Rage")).to_be_focused()
    page.keyboard.press("Enter")
    colours.get_by_role("button", name="green").click()
    expect(question).to_have_count(0)


#: What must be in sight while something is to be chosen; the last is a window at 200 %.
SIGHTS = [(320, 568), (360, 640), (390, 844), (844, 390), (1280, 800), (640, 400)]


@pytest.mark.sampled(3)
@pytest.mark.parametrize("scene", ["follow", "wild", "bid"])
def test_what_is_said_and_what_can_be_chosen_are_in_sight_together(
    visitors: Visitors, scene: str
) -> None:
    page = visitors.visit(f"learn#{scene}", never_played=True)
    ready(page)
    parts = [page.locator(".plate"), page.get_by_role("group", name="Your hand")]
    if scene == "wild":
        card(page, "W").click()
        parts.insert(1, page.get_by_role("group", name="Which colour?"))
    elif scene == "bid":
        parts.insert(1, page.get_by_role("group", name="Your bid"))
    for width, height in SIGHTS:
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate("scrollTo(0, 0)")
        rest(page)
        edge = 0.0
        for part in (page.get_by_role("banner"), *parts):
            box = part.bounding_box()
            assert box is not None
            assert edge <= box["y"], (width, height)
            edge = box["y"] + box["height"]
        assert edge <= height, (width, height)


@pytest.mark.sampled(9)
@pytest.mark.parametrize("language", ["en", "de", "es"])
@pytest.mark.parametrize("size", [(320, 568), (844, 390), (1440, 900)])
def test_the_guided_round_fits_and_has_no_barriers(
    visitors: Visitors, language: str, size: tuple[int, int]
) -> None:
    look = {"viewport": {"width": size[0], "height": size[1]}, "locale": language}
    page = visitors.visit("learn", never_played=True, **look)
    ready(page)
    assert too_wide(page) <= 0
    assert barriers(page) == []
    said = page.locator(".stage").inner_text()
    assert not re.search(r"\b(learn|coach|account|event|page)\.\w", said)  # no bare codes


# --- the coach -----------------------------------------------------------------------------


def at_table(visitors: Visitors) -> Page:
    """Somebody who has never played, at a table with bots, when it is their turn."""
    page = visitors.visit(never_played=True)
    page.get_by_role("button", name="Play now").click()
    expect(page.locator("[data-number='2']")).to_be_visible(timeout=20_000)
    return page


def coach(page: Page) -> Locator:
    return page.get_by_role("complementary", name="Hint")


def codes(cards: Locator, attribute: str) -> set[str | None]:
    return {card.get_attribute(attribute) for card in cards.all()}


def test_the_coach_comes_by_itself_to_who_has_never_played(visitors: Visitors) -> None:
    page = at_table(visitors)
    expect(coach(page)).to_contain_text("How many of 10 tricks will you win?")
    expect(coach(page)).to_contain_text("1 of 17")
    expect(page.locator(HEARD)).to_contain_text("How many of 10 tricks will you win?")
    # What it speaks of is lit: the fair bid, and the strong cards.
    said = coach(page).inner_text()
    fair = re.search(r"A fair bid is (\d+)", said)
    assert fair is not None
    expect(page.locator("[data-number]:has([data-lit])")).to_have_text(fair[1])
    expect(page.locator("[data-hand]")).to_have_count(10)
    strong = codes(coach(page).locator("[data-chip]"), "data-chip")
    strong |= {"W"} if "Wild Rage" in said else set()
    assert strong or "You hold no strong card." in said
    assert codes(page.locator("[data-hand]:has([data-lit])"), "data-hand") == strong
    expect(page.locator("[data-hand]:not(:has([data-lit]))")).not_to_have_count(0)
    page.locator("[data-number='2']").click()
    expect(page.locator("[data-hand]:has(.playable)").first).to_be_visible(timeout=20_000)
    expect(coach(page)).not_to_contain_text("How many of 10 tricks")
    expect(coach(page)).to_contain_text("2 of 17")


@pytest.mark.long
def test_one_touch_ends_it_for_good_and_the_help_calls_it_again(visitors: Visitors) -> None:
    page = at_table(visitors)
    page.get_by_role("button", name="No more hints").click()
    expect(coach(page)).to_have_count(0)
    expect(page.locator("[data-lit]")).to_have_count(0)
    page.reload()
    expect(page.locator("[data-number='2']")).to_be_visible()
    expect(coach(page)).to_have_count(0)
    page.keyboard.press("?")
    page.get_by_role("button", name="Hints again").click()
    page.keyboard.press("Escape")
    expect(coach(page)).to_contain_text("How many of 10 tricks will you win?")


@pytest.mark.long
def test_after_a_first_game_it_is_quiet_and_the_first_page_offers_nothing(
    visitors: Visitors,
) -> None:
    page = at_table(visitors)
    expect(coach(page)).to_be_visible()
    finish(page, visitors.server, page.url.rpartition("/")[2])
    page.goto("")
    page.get_by_role("link", name="Learn by playing").wait_for()  # nobody has seen its end here
    page.go_back()
    here = page.get_by_role("button", name="Play here")
    end = page.locator("main").get_by_text("wins the game").first
    here.or_(end).first.wait_for()
    if here.count():
        here.click()
    expect(end).to_be_visible()
    expect(coach(page)).to_have_count(0)
    page.goto("")
    expect(page.get_by_role("button", name="Play now")).to_be_visible()
    expect(page.get_by_role("link", name="Learn by playing")).to_have_count(0)


@pytest.mark.sampled(5)
@pytest.mark.parametrize("size", [(320, 568), (360, 640), (390, 844), (844, 390), (1440, 900)])
def test_the_coach_covers_no_card_and_reaches_out_of_nothing(
    visitors: Visitors, size: tuple[int, int]
) -> None:
    page = at_table(visitors)
    page.set_viewport_size({"width": size[0], "height": size[1]})
    expect(coach(page)).to_be_visible()
    page.wait_for_timeout(300)
    assert too_wide(page) <= 0
    covered = page.evaluate(
        """() => {
            const plate = document.querySelector('aside .plate').getBoundingClientRect();
            return [...document.querySelectorAll('.card, [data-number]')].filter((one) => {
                const box = one.getBoundingClientRect();
                return box.width && box.left < plate.right && box.right > plate.left
                    && box.top < plate.bottom - 1 && box.bottom > plate.top + 1;
            }).map((one) => one.dataset.card ?? one.dataset.bid);
        }"""
    )
    assert covered == []
    button = page.get_by_role("button", name="No more hints").bounding_box()
    assert button is not None
    assert button["height"] >= 44
    assert barriers(page) == []
