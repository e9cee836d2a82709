"""The operator's own texts, as a browser shows them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import expect

from page.browsing import Visitors
from page.colours import contrast, parsed
from page.conftest import ROOT
from page.waiting import once
from server.running import Running

TEXT = f"""# What we keep

A paragraph, and a long word: {"Donaudampfschifffahrt" * 20}

- a list, with https://club.example/{"a" * 300}
- me@club.example

[words](https://club.example/) and **marks** are text
"""
WIDER = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"
COLOURS = """() => [getComputedStyle(document.documentElement).backgroundColor,
    ...['p', 'a'].map((each) => getComputedStyle(document.querySelector(each)).color)]"""


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server with such a text."""
    folder = tmp_path_factory.mktemp("notices")
    (file := Path(folder, "privacy.md")).write_text(TEXT, encoding="utf-8")
    running = Running(folder / "data", ["--privacy", str(file)])
    yield running.url
    running.end()
    running.check_log()


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [320, 1280])
def test_a_text_of_the_operator_looks_like_the_page(
    visitors: Visitors, host: str, width: int, theme: Literal["light", "dark"]
) -> None:
    """In its colours, which can be read, and no word is wider than the window."""
    context = visitors.browser.new_context(
        viewport={"width": width, "height": 700}, color_scheme=theme, locale="en"
    )
    page = context.new_page()
    page.goto(f"{host}/privacy")
    expect(page.get_by_role("heading", name="What we keep")).to_be_visible()
    expect(page.get_by_role("link", name="me@club.example")).to_be_visible()
    expect(page.get_by_text("[words](https://club.example/) and **marks**")).to_be_visible()
    assert once(page.evaluate, WIDER) == 0
    plate, text, link = map(parsed, once(page.evaluate, COLOURS))
    assert contrast(plate, text) > 7
    assert contrast(plate, link) > 4.5
    tokens = Path(ROOT, "web/src/style/tokens.css").read_text("utf-8")
    written = "#{:02x}{:02x}{:02x}".format(*map(round, plate))
    light = written if theme == "light" else "#fbf7ef"
    assert f"--plate: light-dark({light}, " in tokens
    assert written in tokens
    context.close()
