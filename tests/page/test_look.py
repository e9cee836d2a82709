"""Everybody can read what is there and tell the colours apart: contrast, colours, sizes.

All is measured in a real browser, on the values of ``web/src/style/tokens.css`` and on the cards as
drawn; ``web/gallery.html`` shows them.
"""

from __future__ import annotations

import gzip
import importlib.util
import re
from itertools import combinations
from math import hypot
from typing import Any

import pytest

from page.colours import LOSSES, Colour, contrast, distance, oklab, parsed
from page.seen import WEB, Gallery
from page.waiting import soon
from rage.rules.cards import LETTERS

FIELDS = ("red", "orange", "yellow", "green", "blue", "purple")
THEMES = ("dark", "light")
#: The smallest distance in OKLab between two of the six, in any vision.
APART = 0.148

in_both_themes = pytest.mark.parametrize("theme", THEMES)


def tokens(page: Any, *names: str) -> dict[str, Colour]:
    """The colours of the style, as the browser computes them."""
    script = """(names) => {
        const probe = document.body.appendChild(document.createElement('i'));
        return names.map((name) => {
            probe.style.color = 'transparent';
            probe.style.color = `var(--${name})`;
            return getComputedStyle(probe).color;
        });
    }"""
    return dict(zip(names, map(parsed, page.evaluate(script, names)), strict=True))


GROUNDS = ("room", "plate", "raised", "sunk")
WORDS = ("text", "muted", "lamp", "ok", "warn", "danger")
PAIRS = [
    *((word, ground) for word in WORDS for ground in GROUNDS if (word, ground) != ("warn", "room")),
    *(("ink", seal) for seal in ("seal-met", "seal-over", "seal-short")),
    *((f"on-{field}", field) for field in FIELDS),
    ("on-lamp", "lamp"),
    ("paper", "card-dark"),
]
#: Lines that show where something is, and shapes that say something.
EDGES = [
    *((line, ground) for line in ("edge", "focus", "lamp") for ground in GROUNDS),
    *(("card-line", field) for field in FIELDS),
    *((field, "card-dark") for field in FIELDS),
    ("card-back-line", "card-back"),
]
#: What the cloth is dyed in, and what is written and drawn on it.
DYES = ("none", "R", "O", "Y", "G", "B", "P", "gold")
ON_CLOTH = {"text": 4.5, "muted": 4.5, "lamp": 4.5, "ok": 4.5, "danger": 4.5, "focus": 3.0}
CLOTHS = """([dyes, names]) => dyes.map((dye) => {
    const probe = document.body.appendChild(document.createElement('i'));
    probe.dataset.cloth = dye;
    return names.map((name) => {
        probe.style.color = `var(--${name})`;
        return getComputedStyle(probe).color;
    });
})"""


@in_both_themes
def test_words_edges_and_cards_stand_out(gallery: Gallery, theme: str) -> None:
    """Also from every cloth, in the middle of the lamp's pool, too, which is an eighth of its glow;
    a card at least by its edge."""
    tones = {name for pair in (*PAIRS, *EDGES) for name in pair}
    with gallery.page(f"show=none&theme={theme}") as page:
        value = tokens(page, *tones, "paper", "ink", "card-line")
        cloths = page.evaluate(CLOTHS, [DYES, ["lit", "cloth", "glow", *ON_CLOTH]])
    for least, pairs in ((4.5, PAIRS), (3, EDGES)):
        found = {pair: round(contrast(value[pair[0]], value[pair[1]]), 2) for pair in pairs}
        assert {pair: ratio for pair, ratio in found.items() if ratio < least} == {}
    for dye, colours in zip(DYES, cloths, strict=True):
        lit, cloth, glow, *words = map(parsed, colours)
        pool: Colour = tuple(0.12 * a + 0.88 * b for a, b in zip(glow, lit, strict=True))  # type: ignore[assignment]
        for ground in (lit, cloth, pool):
            for (name, least), word in zip(ON_CLOTH.items(), words, strict=True):
                assert contrast(word, ground) >= least, (dye, name)
            edge = value["card-line"]
            if theme == "dark":
                edge = tuple(
                    0.55 * a + 0.45 * b for a, b in zip(value["paper"], ground, strict=True)
                )  # type: ignore[assignment]
            assert contrast(edge, ground) >= 3, dye


@in_both_themes
def test_more_contrast_where_it_is_asked_for(gallery: Gallery, theme: str) -> None:
    with gallery.page(f"show=none&theme={theme}", contrast="more") as page:
        value = tokens(page, "text", "muted", "edge", *GROUNDS)
    for ground in GROUNDS:
        assert contrast(value["text"], value[ground]) >= 15
        assert contrast(value["muted"], value[ground]) >= 10
        assert contrast(value["edge"], value[ground]) >= 7


#: Of everything painted on a card its colours, what it is, and the ground it stands on. The back's
#: print is an ornament, and the gap is there not to be seen.
PAINTED = """() => [...document.querySelectorAll('.card')].flatMap((card) => {
    const field = getComputedStyle(card.querySelector('rect')).fill;
    const shapes = card.querySelectorAll('path, circle, text, rect:not(:first-child)');
    return [...shapes].filter((shape) => !shape.matches('.print, .gap')).flatMap((shape) => {
        const style = getComputedStyle(shape);
        const disc = shape.parentNode.querySelector(':scope > .disc');
        const ground = shape.matches('.detail')
            ? style.color
            : disc && disc !== shape ? getComputedStyle(disc).fill : field;
        return [style.fill, style.stroke]
            .filter((colour) => colour !== 'none')
            .map((colour) => [card.dataset.card, shape.outerHTML.slice(0, 60), colour, ground,
                              shape.tagName === 'text' || !!shape.closest('[data-figures]')]);
    });
})"""


@pytest.mark.sampled(4)
@pytest.mark.parametrize("forced", ["none", "active"])
@in_both_themes
def test_all_that_is_drawn_on_a_card_can_be_seen(gallery: Gallery, theme: str, forced: str) -> None:
    """Also where the system has colours of its own for everything: a card keeps its own."""
    with gallery.page(f"show=all&theme={theme}", forced_colors=forced) as page:
        painted = page.evaluate(PAINTED)
    assert len({card for card, *_ in painted}) > 100
    assert sum(reads for *_, reads in painted) > 300
    for card, shape, colour, ground, reads in painted:
        ratio = contrast(parsed(colour), parsed(ground))
        assert ratio >= (4.5 if reads else 3), (card, shape, colour, ground, ratio)


@in_both_themes
def test_a_veiled_card_can_still_be_read(gallery: Gallery, theme: str) -> None:
    """One that has lost a trick, or may not be played: its field is paler and no mud."""
    with gallery.page(f"show=fans&theme={theme}") as page:
        painted = page.evaluate(PAINTED.replace("'.card'", "'.card.veiled'"))
    ranks = {card: (colour, ground) for card, _, colour, ground, reads in painted if reads}
    assert {card[0] for card in ranks} >= set(LETTERS)
    for card, (colour, ground) in ranks.items():
        assert contrast(parsed(colour), parsed(ground)) >= 4.5, card


@pytest.mark.sampled(2)
@pytest.mark.parametrize("loss", LOSSES)
def test_six_colours_are_six_colours_to_everybody(gallery: Gallery, loss: str) -> None:
    """By the model, and in the browser's own simulation."""
    with gallery.page("show=none") as page:
        value = tokens(page, *FIELDS)
    for one, other in combinations(FIELDS, 2):
        assert distance(value[one], value[other], loss) >= APART, (one, other)

    with gallery.page("show=large", loss) as page:
        shown = {}
        for letter in LETTERS:
            card = page.locator(f'[data-card^="{letter}"]').first
            pixels = gallery.pixels(card.screenshot())
            shown[letter] = pixels[len(pixels) // 2][len(pixels[0]) * 3 // 4 + 10]
    assert len(set(shown.values())) == len(LETTERS)
    for one, other in combinations(LETTERS, 2):
        assert distance(shown[one], shown[other]) >= APART, (one, other, shown)


STONES = """() => [...document.querySelectorAll('[data-signs="3rem"] .body')].map((body) =>
    [getComputedStyle(body).fill, body.getAttribute('d')])"""


def test_eight_signs_differ_by_shape_and_are_no_cards(gallery: Gallery) -> None:
    """A stone is paler than any card, ink can be read on it, and no shape is there twice."""
    with gallery.page("show=signs") as page:
        found = page.evaluate(STONES)
        silhouettes = set()
        for sign in page.locator('[data-signs="1.375rem"] .sign').all():
            silhouettes.add(sign.screenshot())
        value = tokens(page, "ink", *FIELDS)
    assert len({shape for _, shape in found}) == len(silhouettes) == 8
    for fill, _ in found:
        _, a, b = oklab(parsed(fill))
        assert hypot(a, b) <= 0.06
        assert contrast(parsed(fill), value["ink"]) >= 7
    for field in FIELDS:
        _, a, b = oklab(value[field])
        assert hypot(a, b) >= 0.1


TARGETS = """() => [...document.querySelectorAll(
    'button, .choice, select, summary, input:not([type=checkbox], [type=radio])')]
    .filter((each) => each.checkVisibility())
    .map((each) => [each.outerHTML.slice(0, 60), ...['width', 'height'].map(
        (side) => each.getBoundingClientRect()[side])])"""


def test_targets_are_large_enough_for_a_thumb(gallery: Gallery) -> None:
    with gallery.page("show=elements", viewport={"width": 320, "height": 640}) as page:
        targets = page.evaluate(TARGETS)
        assert soon(page.evaluate, "document.documentElement.scrollWidth") <= 320
    assert len(targets) > 15
    for html, width, height in targets:
        assert width >= 44, html
        assert height >= 44, html


def test_the_icon_is_drawn_from_the_same_rays_and_colours() -> None:
    path = WEB / "draw_icons.py"
    spec = importlib.util.spec_from_file_location("draw_icons", path)
    assert spec
    assert spec.loader
    draw = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(draw)
    assert (WEB / "public" / "icon.svg").read_text(encoding="utf-8") == draw.icon(0.86, 0.22)
    for name, size, *_ in draw.PNGS:
        header = (WEB / "public" / name).read_bytes()[:24]
        assert header[:8] == b"\x89PNG\r\n\x1a\n"
        assert int.from_bytes(header[16:20]) == int.from_bytes(header[20:24]) == size


def test_looks_cost_little(gallery: Gallery) -> None:
    """Drawings and style together, compressed; and nothing is fetched or refers to an address."""
    (style,) = (gallery.folder / "assets").glob("*.css")
    drawings = [(WEB / "src" / "icons" / f"{name}.ts").read_bytes()
                for name in ("symbols", "actions", "digits", "icons")]  # fmt: skip
    assert len(gzip.compress(style.read_bytes() + b"".join(drawings))) <= 12 * 1024
    assert not re.search(r"url\(|@import|@font-face", style.read_text(encoding="utf-8"))


@pytest.mark.sampled(6)
@pytest.mark.parametrize("forced", ["none", "active"])
@pytest.mark.parametrize("kind", ["radio", "checkbox", "switch"])
def test_what_is_chosen_is_seen(gallery: Gallery, kind: str, forced: str) -> None:
    """By more than its colour: also where the system has colours of its own for everything."""
    which = f"[role={kind}]" if kind == "switch" else f"[type={kind}]:not([role])"
    with gallery.page("show=elements&theme=dark", forced_colors=forced) as page:
        on = gallery.pixels(page.locator(f"input{which}:checked").screenshot())
        off = gallery.pixels(page.locator(f"input{which}:not(:checked)").screenshot())
    changed = sum(
        contrast(one, other) >= 3
        for ours, theirs in zip(on, off, strict=False)  # a row more or less
        for one, other in zip(ours, theirs, strict=False)
    )
    assert changed > 25
