"""Which sentences a picture shows, so that translators can look at them where they stand."""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from playwright.sync_api import Page

from rage.say import catalogue

#: What is shown or read aloud, piece by piece.
_TEXTS: Final = """() => [...document.body.querySelectorAll('*')]
    .filter((one) => one.checkVisibility())
    .flatMap((one) => [one.innerText, one.ariaLabel, one.title, one.placeholder])
    .filter((text) => text && text.length < 400)"""
_PLACE: Final = re.compile(r"\{\w+(?::([^{}]*))?\}")


def sentences(page: Page) -> set[str]:
    """The keys of the English sentences on a page; one that is hardly more than what it is filled
    with is left out."""
    shown = {" ".join(text.split()) for text in page.evaluate(_TEXTS)}
    return {key for key, found in _patterns().items() if any(map(found.fullmatch, shown))}


@cache
def _patterns() -> dict[str, re.Pattern[str]]:
    return {
        key: re.compile(_filled(template))
        for key, template in catalogue("en").items()
        if len(re.sub(r"[^A-Za-z]", "", _PLACE.sub("", template))) > (5 if "{" in template else 1)
    }


def _filled(template: str) -> str:
    """A pattern for a sentence with anything in its places."""
    pattern, end = "", 0
    for place in _PLACE.finditer(template):
        kind, *forms = (place[1] or "").split("|")
        words = "|".join(map(re.escape, forms)) if kind in ("plural", "you") else ".*"
        pattern += f"{re.escape(template[end : place.start()])}(?:{words})"
        end = place.end()
    return pattern + re.escape(template[end:])
