"""Nothing is lost at 200 and 400 %, with more room between letters, and with the keyboard: WCAG
1.4.4, 1.4.10, 1.4.12, 2.4.11 and 2.5.8."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from page.browsing import Visitors, rest, too_wide
from page.conftest import Come
from page.overlaps import TARGETS, check
from page.playing import press, pressed
from page.staging import Scene, bids_last, follows, leads
from page.test_after import over
from page.waiting import soon

#: A window of 1280 by 1024 at 200 and at 400 %.
ZOOMED = [{"width": 640, "height": 512}, {"width": 320, "height": 256}]
TRICK, BIDS, PEOPLE = (
    Scene("poof", 4, follows),
    Scene("poof", 5, bids_last),
    Scene("poof+schedule:11", 8, follows),
)
LEADS = Scene("amigo", 3, leads)
#: The distances that a reader may set.
SPACED = """* { line-height: 1.5 !important; letter-spacing: 0.12em !important;
    word-spacing: 0.16em !important; } p { margin-block-end: 2em !important; }"""
#: Text that is cut off by a box of a fixed size. What ends in dots says the rest when asked.
CUT = """() => !document.querySelector('main *, .play *') ? ['nothing is there']
    : [...document.querySelectorAll('main *, .play *, dialog *')].filter((one) => {
    if (!one.checkVisibility({ visibilityProperty: true })) return false;
    if (one.closest('svg, .unseen')) return false;
    const style = getComputedStyle(one);
    const text = [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    const dots = style.textOverflow === 'ellipsis' || style.webkitLineClamp !== 'none';
    if (!text || dots || style.clipPath !== 'none') return false; // told, but not shown
    if (style.overflowX === 'visible' && style.overflowY === 'visible') return false;
    return one.scrollWidth > one.clientWidth + 2 || one.scrollHeight > one.clientHeight + 2;
}).map((one) => one.textContent.trim().slice(0, 60))"""
#: What has the focus, as long as it is wholly hidden by something else.
OBSCURED = """() => {
    const one = document.activeElement;
    const { left, top, right, bottom } = one.getBoundingClientRect();
    const points = [0.1, 0.5, 0.9].flatMap((x) => [0.1, 0.5, 0.9].map((y) =>
        document.elementFromPoint(left + x * (right - left), top + y * (bottom - top))));
    const seen = (above) => above && (one.contains(above) || above.contains(one));
    const unseen = one.closest('.unseen') || one === document.body;
    return unseen || points.some(seen) ? null : (one.ariaLabel ?? one.textContent).trim();
}"""

#: Notes where the focus goes from now on.
PLACES = """() => {
    window.places = new Set();
    addEventListener('focusin', ({ target }) => places.add(target));
}"""


def styled(page: Page, css: str) -> None:
    """Set a style as a reader would, whom no content security policy hinders."""
    page.evaluate(
        """(css) => {
            const style = new CSSStyleSheet();
            style.replaceSync(css);
            document.adoptedStyleSheets = [style];
        }""",
        css,
    )


@pytest.mark.alone
@pytest.mark.sampled(4)
@pytest.mark.parametrize("size", ZOOMED, ids=["200", "400"])
@pytest.mark.parametrize("scene", [TRICK, BIDS], ids=["trick", "bids"])
def test_a_table_is_whole_when_it_is_enlarged(
    come: Come, scene: Scene, size: dict[str, int]
) -> None:
    page = come(scene, viewport=size, locale="de")
    assert too_wide(page) <= 0
    assert check(page, scene.moment) == []
    assert soon(page.evaluate, TARGETS) == []
    buttons = page.locator(".top button, .mine button").filter(visible=True)
    expect(buttons).not_to_have_count(0)
    for button in buttons.all():
        button.click(trial=True)
    press(page, "Punkte")
    sheet = page.get_by_role("dialog", name="Punkte")
    expect(sheet.get_by_role("table").first).to_be_visible()
    assert soon(sheet.evaluate, "(one) => one.getBoundingClientRect().width") <= size["width"]
    assert soon(sheet.evaluate, "(one) => one.getBoundingClientRect().height") <= size["height"]
    assert too_wide(page) <= 0
    page.keyboard.press("Escape")
    expect(sheet).to_have_count(0)


def test_the_sheet_beside_a_table_is_whole_in_a_low_window(come: Come) -> None:
    """The panel scrolls; the sheet does not shrink to a slit."""
    page = come(TRICK, viewport={"width": 1280, "height": 800}, locale="en")
    sheet = page.get_by_role("region", name="Score sheet")
    assert soon(sheet.evaluate, "(sheet) => sheet.scrollHeight - sheet.clientHeight") == 0


@pytest.mark.sampled(2)
@pytest.mark.parametrize("scene", [TRICK, BIDS], ids=["trick", "bids"])
def test_a_table_bears_more_room_between_letters(come: Come, scene: Scene) -> None:
    page = come(scene, viewport={"width": 390, "height": 844})
    styled(page, SPACED)
    rest(page)
    assert too_wide(page) <= 0
    assert soon(page.evaluate, CUT) == []
    assert check(page, scene.moment) == []
    press(page, "Scores")
    expect(page.get_by_role("dialog", name="Scores").get_by_role("table").first).to_be_visible()
    assert soon(page.evaluate, CUT) == []


@pytest.mark.sampled(3)
@pytest.mark.parametrize("size", [(320, 568), (568, 320), (1280, 800)])
def test_what_the_people_can_do_is_over_everything_and_in_reach(
    come: Come, size: tuple[int, int]
) -> None:
    look = {"width": size[0], "height": size[1]}
    page = come(PEOPLE, viewport=look)
    panel = pressed(page, "People")
    expect(panel).to_be_visible()
    styled(page, ".trick * { pointer-events: auto; }")
    above = """(panel) => [...document.querySelectorAll('[data-played] .card')].filter((card) => {
        const { left, top, width, height } = card.getBoundingClientRect();
        const [x, y] = [left + width / 2, top + height / 2], box = panel.getBoundingClientRect();
        const under = x > box.left && x < box.right && y > box.top && y < box.bottom;
        return under && !panel.contains(document.elementFromPoint(x, y));
    }).length"""
    assert soon(panel.evaluate, above) == 0
    for name in ("Let a bot play for me", "Pause the game", "Table options", "Leave the table"):
        action = panel.get_by_role("button", name=name)
        action.scroll_into_view_if_needed()
        action.click(trial=True)
        expect(action).to_be_in_viewport(ratio=0.99)
    assert soon(page.evaluate, TARGETS) == []


@pytest.mark.sampled(2)
@pytest.mark.parametrize("size", [(320, 568), (1280, 800)])
def test_the_focus_is_never_behind_anything(come: Come, size: tuple[int, int]) -> None:
    look = {"width": size[0], "height": size[1]}
    page = come(LEADS, viewport=look)
    assert behind(page, 25) == []
    press(page, "People")
    assert behind(page, 12) == []


def behind(page: Page, stops: int) -> list[str]:
    """What has the focus and cannot be seen, at a number of stops of the Tab key, which moves it to
    seven different places at least."""
    page.evaluate(PLACES)
    found = []
    for _ in range(stops):
        page.keyboard.press("Tab")
        found.append(page.evaluate(OBSCURED))
    assert soon(page.evaluate, "places.size") >= 7
    return [each for each in found if each is not None]


@pytest.mark.long
@pytest.mark.parametrize("size", ZOOMED, ids=["200", "400"])
def test_every_page_is_whole_when_it_is_enlarged(visitors: Visitors, size: dict[str, int]) -> None:
    """Start, a new table, settings, and a game that is over, in German, letters far apart."""
    game = over(visitors.server, "poof+schedule:3.2.1", 4)
    page = visitors.visit("healthz", viewport=size, locale="de")
    game.enter(page, visitors)
    for path in (f"{game.path}#1.1", "", "new", "mine", "settings", "handover"):
        page.goto("healthz")
        page.goto(path)
        expect(page.locator("h1").first).to_be_attached()
        rest(page)
        for fold in page.locator("summary").all():
            fold.click()
        assert soon(page.evaluate, TARGETS) == [], path
        for style in ("", SPACED):
            styled(page, style)
            assert too_wide(page) <= 0, (path, style)
            assert soon(page.evaluate, CUT) == [], (path, style)
