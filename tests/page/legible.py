"""No page shows a key in place of its sentence, nor a placeholder, at any moment."""

from __future__ import annotations

import json
from functools import partialmethod
from typing import Any

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage

from rage.say import catalogue

#: With this begins what a page logs about such a text.
_MARK = "not legible: "
#: The first words of all keys (``page``, ``coach``).
_FAMILIES = "|".join(sorted({code.partition(".")[0] for code in catalogue("en")}))
#: ``coach.aim``, but neither ``x.coach.aim`` nor ``/coach.aim``; the ending of no file of ours.
_KEY = rf"(?<![\w./@-])(?:{_FAMILIES})\.(?!json\b|csv\b|pdf\b|txt\b)[a-z_]\w*"
_PLACE = r"\{\w+(?::[^{}]*)?\}"
#: Run in every page before its own scripts: looks at each text, and at each attribute that is read
#: to somebody, as soon as it comes or changes. The title of a page is a text in its head.
_LOOK = """([odd, mark]) => {
    const found = RegExp(odd);
    const ATTRIBUTES = ['aria-label', 'aria-description', 'aria-roledescription', 'aria-valuetext',
        'title', 'alt', 'placeholder', 'label'];
    const look = (text) => { if (found.test(text)) console.error(mark + text.slice(0, 300)); };
    const read = (node) => {
        if (node.nodeType === Node.TEXT_NODE) look(node.data);
        if (node.nodeType !== Node.ELEMENT_NODE || /^(SCRIPT|STYLE)$/.test(node.tagName)) return;
        for (const name of ATTRIBUTES) look(node.getAttribute(name) ?? '');
        node.childNodes.forEach(read);
    };
    new MutationObserver((changes) => changes.forEach(({ target, addedNodes, attributeName }) => {
        if (attributeName) look(target.getAttribute(attributeName) ?? '');
        else if (target.nodeType === Node.TEXT_NODE) look(target.data);
        else addedNodes.forEach(read);
    })).observe(document, {
        subtree: true, childList: true, characterData: true, attributeFilter: ATTRIBUTES,
    });
}"""

#: What pages have shown since the test began.
found: list[str] = []


def _heard(message: ConsoleMessage) -> None:
    if message.text.startswith(_MARK):
        found.append(message.text)


def _new_context(browser: Browser, make: Any, **options: Any) -> BrowserContext:
    context: BrowserContext = make(browser, **options)
    given = json.dumps([f"{_KEY}|{_PLACE}", _MARK])
    context.add_init_script(f"({_LOOK})({given})")
    context.on("console", _heard)
    return context


#: In place of ``Browser.new_context``: the pages of every context are looked at.
new_context = partialmethod(_new_context, Browser.new_context)
