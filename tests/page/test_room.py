"""Everything that a decision needs can be seen at once, on the smallest telephones, too."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from page.overlaps import CHECK, TARGETS
from page.staging import (
    Scene,
    Staged,
    bids_by_many_turn_ups,
    bids_last,
    follows,
    leads,
    names_a_colour,
    staged,
)
from rage.table import Options

SMALL, LOW = (320, 568), (568, 320)
EIGHT = "poof+schedule:11"
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
]

FOUR = Scene("poof", 4, follows, mark="numbers")


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Staged]:
    scenes = [*(scene for scene, _, _ in SCENES), FOUR]
    with staged(tmp_path_factory.mktemp("room"), scenes) as tables:
        yield tables


def named(case: tuple[Scene, tuple[int, int], str]) -> str:
    scene, (wide, high), language = case
    return f"{wide}x{high}-{scene.players}-{scene.moment.__name__}-{language}"


@pytest.mark.parametrize("case", SCENES, ids=named)
def test_nothing_lies_on_anything_and_all_is_in_sight(
    browser: Browser, tables: Staged, case: tuple[Scene, tuple[int, int], str]
) -> None:
    scene, (wide, high), language = case
    size = {"width": wide, "height": high}
    page = tables.page(browser, scene, viewport=size, locale=language, has_touch=True)
    if scene.moment is names_a_colour:
        page.locator('[data-hand="W"]').first.tap()
        expect(page.locator(".colour")).to_have_count(6)
        page.wait_for_timeout(100)
    assert page.evaluate(CHECK) == []
    assert page.evaluate("document.documentElement.scrollHeight - innerHeight") <= 0
    assert page.evaluate(TARGETS) == []
    page.context.close()


@pytest.mark.parametrize("language", ["en", "de", "es"])
def test_tricks_and_bid_are_told_in_numbers_on_a_telephone(
    browser: Browser, tables: Staged, language: str
) -> None:
    """For all players, and wholly within their places."""
    page = tables.page(browser, FOUR, viewport={"width": 360, "height": 640}, locale=language)
    numbers = page.locator(".seats .numbers")
    expect(numbers).to_have_count(3)
    for each in numbers.all():
        inner, outer = each.bounding_box(), each.locator("xpath=ancestor::li").bounding_box()
        assert inner is not None
        assert outer is not None
        assert inner["width"] > 25
        assert outer["x"] <= inner["x"]
        assert inner["x"] + inner["width"] <= outer["x"] + outer["width"]
    page.context.close()
