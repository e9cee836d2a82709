"""The cards as they are drawn: symbols, edge bands, the strip that is seen in a fan, names.

``web/gallery.html`` shows them; all is measured on its pixels in a real browser.
"""

from __future__ import annotations

from itertools import combinations

import pytest

from page.seen import Gallery
from rage.rules.cards import CARD_CODES, LETTERS, MOVE_CODES
from rage.rules.settings import PRINTED
from rage.say import LANGUAGES

#: As much of what they cover as two symbols of 12 px may have in common.
ALIKE = 0.62


def coverage(gallery: Gallery, png: bytes) -> dict[tuple[int, int], float]:
    """How much of each pixel a white shape on black covers."""
    rows = gallery.pixels(png)
    return {(x, y): row[x][0] / 255 for y, row in enumerate(rows) for x in range(len(row))}


def alike(one: dict[tuple[int, int], float], other: dict[tuple[int, int], float]) -> float:
    """What two shapes have in common of what either covers, on each other as well as can be."""
    best = 0.0
    for dx in (-2, -1, 0, 1, 2):
        for dy in (-2, -1, 0, 1, 2):
            moved = {(x + dx, y + dy): part for (x, y), part in other.items()}
            places = one.keys() | moved.keys()
            pairs = [(one.get(place, 0), moved.get(place, 0)) for place in places]
            best = max(best, sum(map(min, pairs)) / sum(map(max, pairs)))
    return best


WHITE_ON_BLACK = "* { background: #000 !important } svg { color: #fff !important }"


@pytest.mark.long
def test_symbols_differ_at_12_px(gallery: Gallery) -> None:
    with gallery.page("show=symbols") as page:
        page.add_style_tag(content=WHITE_ON_BLACK)
        found = page.locator('[data-symbols="12px"] svg').all()
        shapes = {
            symbol.get_attribute("data-colour"): coverage(gallery, symbol.screenshot())
            for symbol in found
        }
    assert set(shapes) == set(LETTERS)
    for shape in shapes.values():
        assert 20 < sum(shape.values()) < 110, "neither a speck nor a blot"
        assert alike(shape, shape) == 1
    for one, other in combinations(LETTERS, 2):
        assert alike(shapes[one], shapes[other]) <= ALIKE, (one, other)


WHITE_BANDS = ".card rect { fill: #000 !important } .card { color: #fff !important }"


def test_edge_bands_differ(gallery: Gallery) -> None:
    """Six patterns: the part of the strip below the symbol is told apart without any colour."""
    with gallery.page("show=all") as page:
        page.add_style_tag(content=WHITE_BANDS)
        bands = {}
        for letter in LETTERS:
            png = page.locator(f'[data-card="{letter}8"]').screenshot()
            rows = gallery.pixels(png)[60:90]
            bands[letter] = [[pixel[0] / 255 for pixel in row[1:7]] for row in rows]
    for one, other in combinations(LETTERS, 2):
        apart = [
            abs(a - b)
            for left, right in zip(bands[one], bands[other], strict=True)
            for a, b in zip(left, right, strict=True)
        ]
        assert sum(apart) / len(apart) > 0.1, (one, other)


#: The cards of the fans, each by itself, with nothing but what the strip must show.
STRIPS = """
    .fan { flex-wrap: wrap } .held { width: 80px !important }
    .far, .middle, .frame { display: none !important } .card { box-shadow: none !important }
"""
PLACES = """() => [...document.querySelectorAll('.held')].map((held) => {
    const card = held.firstElementChild;
    const { left, top, width } = card.getBoundingClientRect();
    const letter = card.querySelector('.letter')?.getBoundingClientRect().height;
    const strip = Number(held.dataset.strip);
    return [card.dataset.card, strip, left + scrollX, top + scrollY, width, letter];
})"""
RESIZE = """(width) => document.querySelectorAll('[data-strip="24"] .card').forEach((card) => {
    card.style.setProperty('--card-width', width + 'px');
})"""


@pytest.mark.long
def test_the_strip_of_a_fan_shows_rank_symbol_and_band(gallery: Gallery) -> None:
    """Nothing of them lies under the next card, and they fill what there is."""
    done = set()
    with gallery.page("show=fans", device_scale_factor=1) as page:
        page.add_style_tag(content=STRIPS)
        for narrow in (40, 44, 47, 48, 52, 56, 57, 60, 64, 66, 67, 70, 72):
            page.evaluate(RESIZE, narrow)
            pixels = gallery.pixels(page.screenshot(full_page=True))
            for card, strip, left, top, width, letter in page.evaluate(PLACES):
                if (card, strip, width) in done:
                    continue
                done.add((card, strip, width))
                rows = [row[round(left) :][: round(width)] for row in pixels[round(top) :]]
                shown = rows[2 : round(width * 1.4) - 2]
                field = shown[len(shown) // 2][-4]
                assert all(set(row[strip - 1 : -2]) == {field} for row in shown), (card, strip)
                if card[0] in LETTERS:
                    # beside the band, above the symbol
                    upper = [row[round(width / 8) : strip] for row in shown[: round(width * 0.5)]]
                    figures = sum(set(row) != {field} for row in upper)
                    assert figures >= 14, (card, strip, width)
                    assert letter > 8.9, (card, strip, width)
    assert len({(strip, width) for _, strip, width in done}) > 16


def test_every_card_is_drawn_and_named(gallery: Gallery) -> None:
    """Each code of ``docs/record.md``, in a hand and played."""
    codes = {*CARD_CODES, *MOVE_CODES[:112]}
    for language in LANGUAGES:
        with gallery.page(f"show=all&language={language}") as page:
            names = dict(page.locator(".card[role=img]").evaluate_all(
                "all => all.map((card) => [card.dataset.card, card.ariaLabel])"
            ))  # fmt: skip
        assert set(names) == codes | {"back"}
        assert len(set(names.values())) == len(names), "no two cards have one name"
        assert all(name and len(name) >= 2 for name in names.values())


OVERFLOW = """() => [...document.querySelectorAll('.card .name')].map((name) => {
    const [box, card] = [name, name.closest('.card')].map((each) => each.getBoundingClientRect());
    return [name.textContent, (card.width - box.width) / card.width / 2];
})"""


@pytest.mark.sampled(9)
@pytest.mark.parametrize("edition", PRINTED)
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_names_of_action_cards_fit(gallery: Gallery, edition: str, language: str) -> None:
    with gallery.page(f"show=large&edition={edition}&language={language}") as page:
        names = page.evaluate(OVERFLOW)
    assert len(names) >= 5
    for name, margin in names:
        assert margin >= 0.06, (name, margin)
