"""What people hear of a game: cards as words, in their language, by their edition's names."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from page.line import Line
from page.playing import Player, Seat
from page.test_table_acts import setting
from page.waiting import soon, tries
from rage.rules.cards import LETTERS
from rage.say import catalogue

pytestmark = pytest.mark.alone

#: Every name and every line for somebody who listens, as far as they stand on the page now.
NAMES = """() => [
    ...[...document.querySelectorAll('[data-hand], [data-card][role=img]')].map(
        (card) => card.getAttribute('aria-label')),
    ...[...document.querySelectorAll('[data-live] p')].map((line) => line.textContent),
]"""


def letters(language: str) -> str:
    return "|".join(catalogue(language)[f"letter.{each}"] for each in LETTERS)


def words(language: str) -> str:
    return "|".join(catalogue(language)[f"colour.{each}"] for each in LETTERS)


def played(player: Player) -> set[str]:
    """Play to the end; everything that was to be heard."""
    heard = set[str]()
    for _ in tries(player.page):
        heard |= set(player.page.evaluate(NAMES))
        if player.over:
            break
        player.act()
    return heard | set(player.page.evaluate(NAMES))


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("language", "edition", "printed"),
    [
        ("en", "poof", "Wild Rage|Bonus Rage|Mad Rage|Change Rage|Out Rage"),
        ("de", "amigo", "Joker|Kein Trumpf|Trumpfwechsel|[+]5|−5"),
        ("es", "fundex", "Wild Rage|Bonus Rage|Mad Rage|Change Rage|Out Rage"),
    ],
)
def test_cards_are_heard_as_words(seat: Seat, language: str, edition: str, printed: str) -> None:
    ann = seat()
    setting(ann, language=language, narration="full")
    # Enough cards that one of them is always an action card.
    ann.open(f"{edition}+schedule:9", 6, bots=["random"] * 5, start=True)
    heard = "\n".join(played(ann))
    code = re.compile(rf"(?<!\w)(?:{letters(language)})\d")
    assert not code.search(heard), code.search(heard)
    assert len(re.findall(rf"\b(?:{words(language)}) \d", heard)) > 20
    assert re.search(rf" (?:{printed})[ .]", heard)
    # In the log cards are drawn to see, and words to hear.
    ann.page.get_by_role("tab", name=catalogue(language)["page.table.tab.log"]).click()
    log = ann.page.locator("details ol")
    assert soon(log.locator("[aria-hidden] [data-chip]").count) > 20
    spoken = log.aria_snapshot()
    assert len(re.findall(rf"\b(?:{words(language)}) \d", spoken)) > 20
    assert not code.search(spoken), code.search(spoken)


def test_an_unplayable_card_stays_and_says_why(seat: Seat) -> None:
    """With cards as they are drawn for those who see them, and in words for those who listen."""
    ann = seat()
    setting(ann, language="de")
    line = Line(ann.page)
    ann.open("poof+pack:wild0.change0.out0.bonus0.mad0+schedule:10.10.10", 2,
              bots=["random"], start=True)  # fmt: skip
    for _ in tries(ann.page):
        if ann.page.locator("[data-hand][aria-disabled]").count():
            break
        ann.act()
    off = ann.page.locator("[data-hand][aria-disabled]").first
    card, before = off.get_attribute("data-hand"), len(line.sent)
    off.click(force=True)  # it says it is off, and answers
    # Both at the same moment, because the note goes again.
    seen, said = ann.page.wait_for_function(
        """() => {
            const at = document.querySelector('.note');
            const seen = at?.querySelector('span > [aria-hidden]')?.innerText ?? '';
            const said = at?.querySelector('.unseen')?.textContent;
            return seen.includes('bedienen, mit') && [seen, said];
        }"""
    ).json_value()
    assert "bedienen, mit" in seen
    reason = re.compile(r"^(\w+) ist ausgespielt: Du musst \1 bedienen, mit \1 \d+")
    assert reason.search(said)
    assert soon(lambda: reason.search(ann.page.get_by_role("alert").inner_text()))
    expect(ann.page.locator(f'[data-hand="{card}"]')).to_be_visible()
    assert len(line.sent) == before
