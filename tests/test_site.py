"""The site of the pages (``make site``): its reference, and that it needs no other server."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest

import rage
from documents import PAGES, ROOT, blocks

SITE = ROOT / "build" / "site"
built = pytest.mark.skipif(not (SITE / "index.html").is_file(), reason="make site")

#: What a browser fetches without being asked, by element.
FETCHED = {"img": "src", "script": "src", "link": "href", "iframe": "src", "source": "src"}


class Fetched(HTMLParser):
    """The addresses that a page fetches from, and that it leads to."""

    def __init__(self) -> None:
        super().__init__()
        self.fetched = set[str]()
        self.linked = set[str]()

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        by_name = dict(attributes)
        if address := by_name.get(FETCHED.get(tag, "")):
            self.fetched.add(address)
        if tag == "a" and (address := by_name.get("href")):
            self.linked.add(address)


def test_the_reference_has_what_rage_exports_and_nothing_else_under_that_name() -> None:
    text = "".join(page.read_text("utf-8") for page in PAGES if page.parent.name == "reference")
    shown = re.findall(r"^\.\. auto(?!module)\w+:: rage\.(\w+)(?:\(\))?$", text, re.MULTILINE)
    assert sorted(shown) == sorted(rage.__all__)


def test_the_tutorial_has_the_settings_that_a_refusal_names() -> None:
    page = (ROOT / "docs" / "tutorial" / "rules.md").read_text("utf-8")
    _, _, table = page.partition("| setting | decides | values |")
    rows = [row.split("|")[1] for row in table.splitlines() if row.startswith("| `")]
    with pytest.raises(rage.NotReadable) as refused:
        rage.ruleset("poof").replace(bonus=5)
    named = refused.value.reason.params["allowed"].split(", ")
    assert re.findall(r"`(\w+)`", "".join(rows)) == named


def test_each_page_of_the_reference_begins_with_what_to_import() -> None:
    """And what is imported there is what the page documents."""
    for page in PAGES:
        if page.parent.name != "reference" or page.name == "index.md":
            continue
        imports, *_ = blocks(page)
        assert imports.language == "python", page
        names: dict[str, object] = {}
        exec(imports.text, names)
        shown = re.findall(
            r"^\.\. auto(?!module)\w+:: (rage\.[\w.]+)", page.read_text("utf-8"), re.MULTILINE
        )
        for each in shown:
            inner = not re.fullmatch(r"rage\.\w+", each)
            assert not inner or each.rpartition(".")[2] in names, each


@built
def test_the_site_works_from_any_folder_and_needs_no_other_server() -> None:
    game = SITE / "play"  # tests/page/test_alone_hosts.py
    pages = sorted(page for page in SITE.rglob("*.html") if not page.is_relative_to(game))
    assert len(pages) > 30
    for page in pages:
        found = Fetched()
        found.feed(page.read_text("utf-8"))
        for address in found.fetched | {each for each in found.linked if ":" not in each}:
            name = re.split(r"[?#]", address)[0]
            assert ":" not in name, (page, address)
            assert not name.startswith("/"), (page, address)
            assert not name or (page.parent / name).exists(), (page, address)


@built
def test_the_site_can_be_searched_and_linked_to() -> None:
    assert (SITE / "objects.inv").read_bytes().startswith(b"# Sphinx inventory version 2")
    assert "Search.setIndex" in (SITE / "searchindex.js").read_text("utf-8")
