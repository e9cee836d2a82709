"""The tests of the page fail where it shows a key or a placeholder: that they can."""

from __future__ import annotations

from playwright.sync_api import expect

from page import legible
from page.browsing import Visitors

#: Shows a text in one way, for no longer than a moment.
SHOWN = {
    "a text": "text => { const it = document.createElement('p'); it.textContent = text;"
    " document.querySelector('[data-live=polite]').append(it); setTimeout(() => it.remove()) }",
    "a text that changes": "text => { document.querySelector('h1').firstChild.data = text }",
    "the title": "text => { document.title = text }",
    "a name": "text => document.querySelector('h1').setAttribute('aria-label', text)",
}


def test_a_key_or_a_placeholder_is_noticed(visitors: Visitors) -> None:
    page = visitors.visit()
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    for way, show in SHOWN.items():
        for text in ("Ann: coach.out_held.round", "{n} tricks", "won {n:plural|trick|tricks}"):
            page.evaluate(show, text)
            page.evaluate("new Promise(setTimeout)")
            assert legible.found == [f"not legible: {text}"], way
            visitors.said.clear()
            legible.found.clear()
        for text in ("http://rage.example/page.html", "x.rage.json", "sheet.csv", "1.2.0", "{ }"):
            page.evaluate(show, text)
        page.evaluate("new Promise(setTimeout)")
        assert legible.found == [], way
