"""Browsers translate pages by putting elements in the place of texts: nothing wrong comes of it."""

from __future__ import annotations

from random import Random

import pytest
from playwright.sync_api import Page, expect

from page.browsing import Visitors, rest
from page.entering import NAMES, Entering, begin, random_round, shown_scores
from page.playing import Seat
from page.waiting import soon, tries
from rage.rules.editions import ruleset
from rage.score.standing import scores
from score.entering import new_sheet

#: Replaces every text, also those that come later; by itself, so that a text that is not the right
#: one is found by its words. ``heeds``: it leaves alone what must not be translated.
TRANSLATOR = """(heeds) => addEventListener('DOMContentLoaded', () => {
    if (sessionStorage.untranslated) return;
    const left = `font, svg, script, style, noscript, textarea${heeds ? ', [translate=no]' : ''}`;
    const translate = (node) => {
        if (node.nodeType !== Node.TEXT_NODE) return [...node.childNodes].forEach(translate);
        if (!node.data.trim() || !node.parentNode || node.parentNode.closest(left)) return;
        const [outer, inner] = ['font', 'font'].map((each) => document.createElement(each));
        inner.textContent = node.data;
        outer.append(inner);
        node.replaceWith(outer);
    };
    new MutationObserver((changes) => setTimeout(() =>
        changes.forEach(({ target, addedNodes }) => [target, ...addedNodes].forEach(translate)))
    ).observe(document, { subtree: true, childList: true, characterData: true });
})"""


def translated(page: Page, *, heeds: bool = False) -> Page:
    """A page that is translated from now on."""
    page.add_init_script(f"({TRANSLATOR})({str(heeds).lower()})")
    return page


@pytest.mark.alone
@pytest.mark.sampled(3)
@pytest.mark.parametrize("path", ["", "join", "sheet"])
def test_a_translator_is_told_to_leave_the_page_alone(visitors: Visitors, path: str) -> None:
    """And who reads none of its languages is told which there are."""
    page = translated(visitors.blank(locale="pl"), heeds=True)
    page.goto(path)
    choice = page.get_by_role("region", name="Language")
    expect(choice).to_contain_text("Deutsch, English")
    choice.get_by_role("button", name="Español").click()
    expect(page.get_by_role("region", name="Idioma")).to_contain_text("Esta página")
    expect(page.locator("font")).to_have_count(0)
    page.reload()
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.get_by_role("region", name="Idioma")).to_have_count(0)
    native = visitors.visit(path, locale="de")
    expect(native.get_by_role("heading", level=1)).to_be_visible()
    expect(native.get_by_role("region", name="Sprache")).to_have_count(0)


#: What extensions do that mark words: every text falls into two.
SPLIT = """() => {
    const all = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
    const texts = [];
    while (all.nextNode()) if (all.currentNode.data.trim().length > 3) texts.push(all.currentNode);
    texts.forEach((text) => text.splitText(Math.floor(text.data.length / 2)));
}"""


@pytest.mark.alone
def test_a_text_that_was_split_is_written_whole(visitors: Visitors) -> None:
    page = visitors.visit("recover")
    field, found = page.get_by_role("textbox"), page.locator(".next")
    expect(found).to_have_text("0 of 7 words")
    page.evaluate(SPLIT)
    expect(found).to_have_text("0 of 7 words")
    field.fill("zzzz yyyy ")
    expect(found).to_have_text("2 of 7 words")


class Asked(Entering):
    """Enters rounds, and looks at each question: it is about the name that is marked."""

    def number(self, n: int) -> None:
        name = self.page.locator(".now .name .ellipsis").inner_text()
        expect(self.page.locator("h2[aria-live]")).to_contain_text(name)
        super().number(n)


@pytest.mark.alone
def test_a_translated_sheet_asks_for_what_it_enters(visitors: Visitors) -> None:
    page = translated(visitors.blank())
    page.goto("sheet")
    begin(page)
    rng, sheet = Random(7), new_sheet(ruleset("amigo"), NAMES)
    entering = Asked(page)
    for _ in range(3):
        sheet = random_round(sheet, rng)
        entering.round(sheet)
        entering.button("Next round")
    expect(page.get_by_role("heading", name="Round 4 of 10")).to_be_visible()
    assert soon(page.locator("font").count) > 20
    page.get_by_role("button", name="Sheet", exact=True).click()
    assert soon(shown_scores, page) == scores(sheet)


def texts(page: Page) -> list[list[str]]:
    """What stands at a table, word by word."""
    parts = (".seats", "div.own", ".status", "h2", "table")
    return [" ".join(page.locator(part).all_inner_texts()).split() for part in parts]


def test_a_translated_table_shows_what_is_so(seat: Seat) -> None:
    """The same as without a translator: names, bids, tricks, points, the prompt."""
    ann = seat("Ann")
    page = translated(ann.page)
    ann.plays_bots("poof+schedule:3.4", 3)
    second, status = page.get_by_text("Round 2 of 2"), page.locator(".status")
    for _ in tries(page):
        if second.count() and status.all_inner_texts() == ["Your turn."]:
            break
        ann.act()
    rest(page)
    shown = texts(page)
    assert soon(page.locator("font").count) > 20
    page.evaluate("sessionStorage.untranslated = true")
    page.reload()
    expect(status).to_have_text("Your turn.")
    rest(page)
    expect(page.locator("font")).to_have_count(0)
    assert soon(texts, page) == shown
