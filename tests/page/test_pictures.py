"""What the page looks like, state by state: compared with small pictures that somebody has looked
at (``tests/page/pictures``), and open to everybody, with the system's own colours, and enlarged."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image, ImageDraw, ImageFilter
from playwright.sync_api import Browser

from docs.pictures.camera import Camera, camera, letters
from docs.pictures.likeness import MAX_DIFFERENCE, MAX_ELSEWHERE, PLAIN_FONT, difference, shrunk
from docs.pictures.states import FORCED, STATES, State
from page.browsing import barriers, too_wide

FOLDER = Path(__file__).with_name("pictures")
#: Where a picture goes that differs.
NEW = Path(__file__).parents[2] / "build" / "pictures"
NAMED = {state.name: state for state in STATES}
#: A window of 1280 by 800 at 200 and at 400 %.
ZOOMED = [{"width": 640, "height": 400}, {"width": 320, "height": 200}]

in_every_state = pytest.mark.parametrize("state", STATES, ids=NAMED)
#: Those that differ by more than what is played, and by how large the window is.
APART = [NAMED[name] for name in
         ("table", "light", "sheet", "start", "lobby", "bids-coached", "colours", "hidden", "teams",
          "round", "end-desk", "chat", "menu")]  # fmt: skip

#: What cannot be reached: buttons, links, fields and words that nothing scrolls wholly into sight
#: (what is wider or higher than the window, not in part), or that lie under something else.
OUT_OF_REACH = """() => {
    const within = [...document.querySelectorAll('dialog[open]')].at(-1)
        ?? document.querySelector('.over') ?? document.querySelector('main');
    const all = [...within.querySelectorAll('button, a, input, select, h1, h2, td, b')];
    return all.filter((one) => {
        if (!one.checkVisibility({ visibilityProperty: true }) || one.closest('.unseen, svg'))
            return false;
        if (one.matches('.unseen')) return false;
        one.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
        const { left, right, top, bottom } = one.getBoundingClientRect();
        const wide = Math.min(right - left, innerWidth), high = Math.min(bottom - top, innerHeight);
        const shown = [Math.min(right, innerWidth) - Math.max(left, 0),
                       Math.min(bottom, innerHeight) - Math.max(top, 0)];
        return shown[0] < 0.9 * wide || shown[1] < 0.9 * high;
    }).map((one) => [one.ariaLabel ?? one.textContent.trim(), one.tagName]);
}"""

#: Sets a style in place of the one set before.
ALSO = """(css) => {
    const [plain] = document.adoptedStyleSheets, style = new CSSStyleSheet();
    style.replaceSync(css);
    document.adoptedStyleSheets = [plain, style];
}"""


@pytest.fixture(scope="module")
def by(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Camera]:
    with camera(browser, tmp_path_factory.mktemp("pictures") / "data", STATES) as by:
        yield by


@pytest.fixture(scope="module")
def most(browser: Browser) -> int:
    """How much a picture may differ here: more where letters are drawn in another way."""
    kept = (FOLDER / "letters.webp").read_bytes()
    alike = difference(kept, shrunk(letters(browser), 390), 390).most < 3
    return MAX_DIFFERENCE if alike else MAX_ELSEWHERE


@pytest.mark.sampled(9)
@in_every_state
def test_it_looks_as_it_did(by: Camera, state: State, most: int) -> None:
    path = FOLDER / f"{state.name}.webp"
    with by.at(state, script=PLAIN_FONT) as page:
        now = shrunk(page.screenshot(animations="disabled"), state.size[0])
    new = NEW / path.name
    accept = f"if that is meant: python -m docs.pictures --small {state.name}"
    found = difference(path.read_bytes(), now, state.size[0]) if path.exists() else None
    if found is None or found.most > most:
        NEW.mkdir(parents=True, exist_ok=True)
        new.write_bytes(now)
    assert found is not None, f"there is no {path} yet: look at {new}; {accept}"
    assert found.most <= most, (
        f"{state.name} looks different at {found.x}, {found.y} (by {found.most}, at most {most}): "
        f"look at {path} and {new}; {accept}"
    )


#: What somebody may break without noticing.
BROKEN = {
    "a player is gone": ".seats li:first-child { visibility: hidden }",
    "a name is gone": ".seats li:first-child .name { visibility: hidden }",
    "a bid is gone": ".seats li:first-child .row { visibility: hidden }",
    "the hand is lower": ".cards { transform: translateY(12px) }",
    "the voice is gone": ".voice { visibility: hidden }",
    "my place has moved": ".own .mine { translate: 12px }",
    "the cloth has another dye": "[data-cloth] { --lit: #45335e; --cloth: #221934 }",
    "the lamp has another colour": ":root { --lamp: #7fb2ff !important }",
}


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", ["phone", "table"])
def test_what_is_broken_is_seen(by: Camera, name: str) -> None:
    state = NAMED[name]
    unseen = []
    with by.at(state, script=PLAIN_FONT) as page:
        before = shrunk(page.screenshot(animations="disabled"), state.size[0])
        for what, css in BROKEN.items():
            page.evaluate(ALSO, css)
            for _ in range(5):  # a screenshot may come before what has changed is painted
                now = shrunk(page.screenshot(animations="disabled"), state.size[0])
                if (most := difference(before, now, state.size[0]).most) > MAX_DIFFERENCE:
                    break
            if most <= MAX_DIFFERENCE:
                unseen.append(what)
    assert unseen == []


def drawn(*, moved: int = 0, ink: str = "#fff", box: bool = True, soft: float = 0) -> bytes:
    """A window with a word, a box, and cards."""
    picture = Image.new("RGB", (390, 844), "#133d56")
    draw = ImageDraw.Draw(picture)
    draw.text((150, 60), "Tessa 0/2", fill=ink, font_size=20)
    if box:
        draw.rounded_rectangle((20, 400, 370, 450), 12, fill="#141a22")
    for at in range(6):
        left = 20 + 50 * at
        draw.rounded_rectangle(
            (left, 700 + moved, left + 100, 840 + moved), 8, "#7bd1a5", "#000", 2
        )
    to = BytesIO()
    picture.filter(ImageFilter.GaussianBlur(soft)).save(to, "PNG")
    return shrunk(to.getvalue(), 390)


def test_pictures_differ_by_what_an_eye_sees() -> None:
    usual = drawn()
    assert not difference(usual, usual, 390).most
    softer = drawn(soft=0.7)  # as another rasteriser would
    assert difference(usual, softer, 390).most <= MAX_DIFFERENCE
    assert difference(usual, drawn(moved=12), 390).y > 650
    for other in (drawn(moved=12), drawn(ink="#f33"), drawn(ink="#133d56"), drawn(box=False)):
        assert difference(usual, other, 390).most > MAX_DIFFERENCE
    small = Image.new("RGB", (10, 10))
    to = BytesIO()
    small.save(to, "PNG")
    assert difference(usual, shrunk(to.getvalue(), 390), 390).most > MAX_DIFFERENCE


@pytest.mark.sampled(14)
@pytest.mark.parametrize("state", APART, ids=lambda state: state.name)
def test_there_are_no_barriers_in_the_colours_of_the_system(by: Camera, state: State) -> None:
    with by.at(state, **FORCED) as page:
        page.clock.resume()  # axe waits for itself
        found = barriers(page)
    # The system sees to contrast; a browser tells axe the colours that it has replaced.
    assert [each for each in found if not each.startswith("color-contrast:")] == []


@pytest.mark.sampled(14)
@pytest.mark.parametrize(
    "state", [each for each in APART if each.touched], ids=lambda one: one.name
)
def test_all_can_be_reached_when_it_is_enlarged(by: Camera, state: State) -> None:
    found = {}
    for size in ZOOMED:
        with by.at(state, viewport=size) as page:
            wide, away = too_wide(page), page.evaluate(OUT_OF_REACH)
        if wide > 0 or away:
            found[size["width"]] = (wide, away)
    assert found == {}
