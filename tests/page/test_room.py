"""Everything that a decision needs can be seen at once, on the smallest telephones, too."""

from __future__ import annotations

from typing import Any
from urllib.parse import urljoin

import pytest
from playwright.sync_api import Page, expect

from page.browsing import rest
from page.conftest import Come
from page.overlaps import ALWAYS, CHECK, TARGETS, check
from page.staging import (
    Scene,
    bids_by_many_turn_ups,
    bids_last,
    crowded,
    follows,
    leads,
    names_a_colour,
)
from page.waiting import soon
from rage.table import Options

FOUR = Scene("poof", 4, follows, mark="numbers")
SMALL, LOW = (320, 568), (568, 320)
EIGHT = "poof+schedule:11"
CROWDED = Scene("poof+pack:bonus4.mad4+schedule:9", 8, crowded)
#: What is looked at, on which screen, in which language: whatever is tightest.
SCENES = [
    (Scene(EIGHT, 8, bids_last), SMALL, "en"),
    (Scene(EIGHT, 8, bids_last), LOW, "de"),
    (Scene(EIGHT, 8, bids_by_many_turn_ups), (320, 640), "en"),
    (Scene("amigo+plus-minus-one+schedule:13", 7, bids_last), SMALL, "es"),
    (Scene("amigo+plus-minus-one+schedule:15", 6, bids_last), LOW, "en"),
    (Scene("poof+schedule:15", 5, bids_last), (360, 640), "de"),
    (Scene(EIGHT, 8, follows), SMALL, "en"),
    (Scene(EIGHT, 8, follows), LOW, "es"),
    (Scene("fundex+schedule:15", 6, follows), (390, 844), "de"),
    (Scene("poof+schedule:13", 7, leads, Options(known=True)), (844, 390), "de"),
    (Scene("poof+schedule:15", 2, names_a_colour), SMALL, "es"),
    (Scene(EIGHT, 8, names_a_colour), (320, 640), "de"),
    (Scene(EIGHT, 8, names_a_colour), LOW, "es"),
    (Scene("poof", 4, follows), (1280, 800), "en"),
    (FOUR, (360, 640), "en"),
    (CROWDED, SMALL, "de"),
    (CROWDED, LOW, "es"),
]

#: What is looked at with larger cards: where they have room, and where they have least.
LARGER = [
    (Scene("poof+schedule:13", 7, leads, Options(known=True)), (844, 390), "de"),
    (Scene(EIGHT, 8, follows), SMALL, "en"),
    (Scene("fundex+schedule:15", 6, follows), (390, 844), "de"),
    (Scene("poof", 4, follows), (360, 640), "es"),
    (Scene("poof", 4, follows), (1280, 800), "en"),
]

TEN = Scene("poof", 4, leads, mark="ten")
TEAMS = Scene("poof+teams:3", 6, follows)

#: Every size that is promised, and what is looked at on each, in which language and theme.
SIZES = [
    *((320, 568), (360, 640), (375, 553), (390, 664), (390, 844)),
    *((844, 390), (768, 1024), (1100, 800), (1440, 900)),
]
EVERYWHERE = [
    (Scene("poof", 2, follows), "en", "dark"),
    (Scene("poof", 2, bids_last), "de", "light"),
    (Scene("amigo", 4, follows), "es", "dark"),
    (Scene("poof", 4, bids_last, mark="sizes"), "en", "light"),
    (Scene("poof", 6, follows), "de", "dark"),
    (Scene("poof", 6, bids_last), "es", "light"),
    (Scene("poof", 8, follows), "en", "dark"),
    (Scene("poof", 8, bids_last), "de", "light"),
    (TEAMS, "de", "dark"),
    (Scene("poof+teams:2", 4, bids_last), "es", "light"),
    (Scene("poof+hidden-bids", 6, follows), "es", "dark"),
    (Scene("poof+secret-bids", 8, follows), "de", "light"),
]
#: Words that are smaller than 12 px.
TINY = """() => !document.querySelector('.play') ? ['nothing is there']
    : [...document.querySelectorAll('.play *')].filter((one) => {
    const text = [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    return text && one.checkVisibility({ visibilityProperty: true }) && !one.closest('svg, .unseen')
        && parseFloat(getComputedStyle(one).fontSize) < 12;
}).map((one) => `${one.textContent} ${getComputedStyle(one).fontSize}`)"""
#: Buttons on which a thumb is not sure, but for cards of the hand, of which others cover a part.
SMALL_TARGETS = """() => !document.querySelector('.play button') ? ['nothing is there']
    : [...document.querySelectorAll('.play button:not([data-hand]), .play a')]
    .filter((one) => one.checkVisibility({ visibilityProperty: true }) && !one.closest('aside'))
    .map((one) => {
        const after = getComputedStyle(one, '::after');
        const { width, height } = one.getBoundingClientRect();
        const more = after.content === 'none' || after.position !== 'absolute'
            ? 0 : -2 * parseFloat(after.top || '0');
        return [one.ariaLabel ?? one.textContent.trim(), Math.round(width),
                Math.round(height + Math.max(0, more))];
    }).filter(([, width, height]) => Math.min(width, height) < 43)"""


def named(case: tuple[Scene, tuple[int, int], str]) -> str:
    scene, (wide, high), language = case
    return f"{wide}x{high}-{scene.players}-{scene.moment.__name__}-{language}"


@pytest.mark.alone
@pytest.mark.sampled(12)
@pytest.mark.parametrize("case", SCENES, ids=named)
def test_nothing_lies_on_anything_and_all_is_in_sight(
    come: Come, case: tuple[Scene, tuple[int, int], str]
) -> None:
    scene, (wide, high), language = case
    size = {"width": wide, "height": high}
    page = come(scene, viewport=size, locale=language, has_touch=True)
    if scene.moment is names_a_colour:
        page.locator('[data-hand="W"]').first.tap()
        expect(page.locator(".colour")).to_have_count(6)
        rest(page)
    assert check(page, scene.moment) == []
    assert soon(page.evaluate, "document.documentElement.scrollHeight - innerHeight") <= 0
    assert soon(page.evaluate, TARGETS) == []


@pytest.mark.sampled(5)
@pytest.mark.parametrize("case", LARGER, ids=named)
def test_larger_cards_lie_on_nothing_either(
    come: Come, case: tuple[Scene, tuple[int, int], str]
) -> None:
    scene, (wide, high), language = case
    look: dict[str, Any] = {"viewport": {"width": wide, "height": high}, "locale": language}
    page = come(scene, settings={"cards": "large"}, has_touch=True, **look)
    assert check(page, scene.moment) == []
    assert soon(page.evaluate, "document.documentElement.scrollHeight - innerHeight") <= 0
    assert soon(page.evaluate, SMALL_TARGETS) == []


#: Stamps of a trick that stand out of the window.
OUTSIDE = """() => [...document.querySelectorAll('[data-played] .by')].filter((one) => {
    const { left, top, right } = one.getBoundingClientRect();
    return top < 0 || left < 0 || right > innerWidth;
}).length"""


@pytest.mark.alone
def test_a_hint_leaves_room_for_eight(come: Come) -> None:
    look: dict[str, Any] = {"viewport": {"width": 320, "height": 568}}
    coached = "localStorage['rage.coach'] = '{}'"
    page = come(Scene(EIGHT, 8, follows), scripts=[coached], **look)
    expect(page.get_by_role("complementary", name="Hint")).to_be_visible()
    for wide, high in (SMALL, LOW, (664, 320)):
        page.set_viewport_size({"width": wide, "height": high})
        rest(page)
        assert soon(page.evaluate, CHECK, [*ALWAYS, "bids", "played"]) == [], (wide, high)
        assert soon(page.evaluate, OUTSIDE) == 0, (wide, high)


#: Where everything lies that a plate may neither move nor cover.
PLACES = """() => {
    const all = document.querySelectorAll('.seats li, .turned, .near, [data-played]');
    return [...all].map((one) => {
        const { x, y, width, height } = one.getBoundingClientRect();
        return [one.className, ...[x, y, width, height].map(Math.round)];
    });
}"""
#: What a plate cannot tell whole: it scrolls, its words touch its edge, or something has no room
#: that one needs to know while it asks: the card turned up, the sum of bids.
UNTOLD = """() => {
    const there = (what) => [...document.querySelectorAll(what)].some((one) =>
        one.checkVisibility({ visibilityProperty: true }));
    const flat = document.documentElement.dataset.layout === 'flat';
    const said = document.querySelector('.front .said'), plate = said.querySelector('.plate');
    const far = plate?.querySelector('.far');
    const gap = far?.checkVisibility()
        ? plate.getBoundingClientRect().right - far.getBoundingClientRect().right : 8;
    return [
        said.scrollHeight > said.clientHeight && `scrolls ${said.scrollHeight - said.clientHeight}`,
        gap < 7 && `${gap} px to the edge`,
        !there(flat ? '[data-trump]' : ':is(.turned, .near) :is(.up, .chip)') && 'no turn-up',
        !there('[data-bids], .front [data-number]') && 'no sum of bids',
    ].filter(Boolean);
}"""
#: Every size that is promised, and the smallest on their sides.
WINDOWS = [*SIZES, LOW, (664, 320)]
#: What is asked there, of a person who has a coach and whom somebody else asks something, too.
ASKED = [
    (Scene("poof+schedule:15", 2, names_a_colour, asked=True), "es"),
    (Scene("poof", 4, names_a_colour, asked=True), "de"),
    (Scene("poof", 6, names_a_colour, asked=True), "en"),
    (Scene(EIGHT, 8, names_a_colour, asked=True), "es"),
    (Scene("poof", 4, bids_last, asked=True), "de"),
    (Scene(EIGHT, 8, bids_last, asked=True), "en"),
    (Scene("poof+teams:3", 6, bids_last, asked=True), "es"),
    (Scene("poof", 4, names_a_colour), "es"),
    (Scene(EIGHT, 8, bids_last), "de"),
]


@pytest.mark.long
@pytest.mark.sampled(12)
@pytest.mark.parametrize(
    "case", ASKED, ids=lambda case: f"{case[0].players}-{case[0].moment.__name__}-{case[0].asked}"
)
def test_a_pad_moves_and_covers_nothing(come: Come, case: tuple[Scene, str]) -> None:
    """At any size, with a coach who speaks and a question of somebody else at once."""
    scene, language = case
    look: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "locale": language}
    page = come(scene, scripts=["localStorage['rage.coach'] = '{}'"], **look)
    found, opened = {}, {}
    bids = scene.moment is bids_last
    due = [*ALWAYS, "pad", "plate"]
    for wide, high in WINDOWS:
        page.set_viewport_size({"width": wide, "height": high})
        rest(page)
        before = page.evaluate(PLACES)
        if not bids:
            page.locator('[data-hand="W"]').first.click()
            expect(page.locator(".colour")).to_have_count(6)
            rest(page)
        opened[wide, high] = page.evaluate(PLACES)
        if wrong := [*page.evaluate(CHECK, due), *page.evaluate(UNTOLD)]:
            found[wide, high] = wrong
        if not bids:
            assert opened[wide, high] == before, (wide, high)
            page.locator(".pad .cancel").click()
    assert found == {}
    if not bids:
        return
    page.locator(".talk").evaluate("(one) => (one.style.display = 'none')")  # as before it opened
    for wide, high in WINDOWS:
        page.set_viewport_size({"width": wide, "height": high})
        rest(page)
        assert soon(page.evaluate, PLACES) == opened[wide, high], (wide, high)


def told(case: tuple[Scene, str, str]) -> str:
    scene, language, theme = case
    return f"{scene.rules}-{scene.players}-{scene.moment.__name__}-{language}-{theme}"


#: Every table in every other window, and in the rest.
HALVES = [
    pytest.param(case, SIZES[half::2], id=f"{told(case)}-{half}")
    for case in EVERYWHERE
    for half in range(2)
]


@pytest.mark.alone
@pytest.mark.sampled(28)
@pytest.mark.parametrize(("case", "sizes"), HALVES)
def test_all_fits_at_every_size(
    come: Come,
    case: tuple[Scene, str, str],
    sizes: list[tuple[int, int]],
) -> None:
    """One table on every screen: nothing overflows, overlaps or is cut, and all can be read and
    touched."""
    scene, language, theme = case
    size = {"width": 390, "height": 844}
    look: dict[str, Any] = {
        "viewport": size, "locale": language, "color_scheme": theme, "has_touch": True,
    }  # fmt: skip
    page = come(scene, **look)
    found = {}
    for wide, high in sizes:
        page.set_viewport_size({"width": wide, "height": high})
        rest(page)
        wrong = [
            *check(page, scene.moment),
            *page.evaluate(TINY),
            *page.evaluate(SMALL_TARGETS),
            *(["it scrolls"] if page.evaluate("document.documentElement.scrollHeight > innerHeight")
              else []),
        ]  # fmt: skip
        if wrong:
            found[wide, high] = wrong
    assert found == {}


def test_cards_are_large_on_a_usual_telephone(come: Come) -> None:
    """Of ten cards in the hand each shows 30 px, and a card is 113 wide; one of the trick, 96."""
    look: dict[str, Any] = {"viewport": {"width": 390, "height": 844}}
    page = come(TEN, **look)
    widths = "(all) => all.map((one) => one.offsetWidth)"
    expect(page.locator("[data-hand]")).to_have_count(10)
    assert soon(lambda: min(page.locator("[data-hand]").evaluate_all(widths))) >= 30
    assert soon(page.locator("[data-hand] .card").evaluate_all, widths) == [113] * 10
    page = come(FOUR, **look)
    assert soon(lambda: min(page.locator("[data-played] .card").evaluate_all(widths))) >= 96


#: Whether everything of a kind is at least so high, and so wide.
AT_LEAST = """([what, high, wide]) => [...document.querySelectorAll(what)].every((one) => {
    const { height } = one.getBoundingClientRect();
    return height >= high && (one.offsetWidth ?? wide) >= wide;
}) && document.querySelector(what) !== null"""
CORNER, STRIP = "[data-hand] .card[data-colour] svg > .corner", "[data-hand]"
PLAYED, HELD = "[data-played] .card", "[data-hand] .card"


def size_of(page: Page, what: str) -> tuple[float, float]:
    """The greatest height and width of a kind."""
    boxes = [each.bounding_box() for each in page.locator(what).all()]
    return max(box["height"] for box in boxes if box), max(box["width"] for box in boxes if box)


def test_every_team_has_its_number(come: Come) -> None:
    """Also where the words above it are long."""
    look: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "locale": "de"}
    page = come(TEAMS, **look)
    expect(page.locator("[data-bids] .sign text")).to_have_text(["I", "II", "III"])
    assert check(page, TEAMS.moment) == []


@pytest.mark.alone
def test_larger_cards_are_chosen_and_stay(come: Come) -> None:
    """Of ten cards each shows twice as much, and rank and symbol are 1.6 times as large; five,
    and those of the trick, are larger by a fifth."""
    look: dict[str, Any] = {"viewport": {"width": 390, "height": 844}}
    page = come(FOUR, **look)
    played, held = size_of(page, PLAYED), size_of(page, HELD)
    four = page.url
    page = come(TEN, **look)
    corner, ten = size_of(page, CORNER)[0], page.url
    page.goto(urljoin(ten, "../settings"))
    page.get_by_role("group", name="Cards on the table").get_by_label("Larger").check()
    page.goto(ten)
    page.wait_for_function(AT_LEAST, arg=[STRIP, 0, 60])
    page.wait_for_function(AT_LEAST, arg=[CORNER, 1.6 * corner, 0])
    page.goto(four)
    for what, (high, wide) in ((PLAYED, played), (HELD, held)):
        page.wait_for_function(AT_LEAST, arg=[what, 1.2 * high, 1.15 * wide])


#: Whether numbers are there, and wholly within their place.
WITHIN = """(one) => {
    const [inner, outer] = [one, one.closest('li')].map((each) => each.getBoundingClientRect());
    return inner.width > 15 && outer.left <= inner.left && inner.right <= outer.right;
}"""


def test_numbers_and_my_name_keep_their_places_on_a_telephone(come: Come) -> None:
    """Tricks and bids of all players; and my name, beside what sorts my hand."""
    look: dict[str, Any] = {"viewport": {"width": 360, "height": 640}, "locale": "de"}
    page = come(FOUR, settings={"sort": "hand"}, **look)
    numbers = page.locator(".seats .numbers")
    expect(numbers).to_have_count(3)
    for each in numbers.all():
        assert soon(each.evaluate, WITHIN)
    page.set_viewport_size({"width": 390, "height": 664})
    rest(page)
    name = page.locator(".own .name b")
    assert soon(name.evaluate, "(one) => one.offsetWidth") > 40
    assert check(page, FOUR.moment) == []
