"""The site of the pages (``make site``): its reference, and that it needs no other server."""

from __future__ import annotations

import re
import runpy
import shutil
import tarfile
import tomllib
from html.parser import HTMLParser
from pathlib import Path

import pytest
import yaml  # type: ignore[import-untyped]

import rage
from documents import PAGES, ROOT, blocks
from tools import pages

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
        shown = re.findall(r"^\.\. auto\w+:: (rage\.[\w.]+)", page.read_text("utf-8"), re.MULTILINE)
        for each in shown:
            inner = not re.fullmatch(r"rage\.\w+", each)
            assert not inner or each.rpartition(".")[2] in names, each


@built
def test_the_site_works_from_any_folder_and_needs_no_other_server() -> None:
    game = SITE / "play"  # tests/page/test_alone_hosts.py
    found = sorted(page for page in SITE.rglob("*.html") if not page.is_relative_to(game))
    assert len(found) > 30
    for page in found:
        leads_somewhere(page)


def leads_somewhere(page: Path) -> None:
    """Fail if a page fetches something from elsewhere, or names something that is not there."""
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


# --- as it is published ---------------------------------------------------------------------

ADDRESS = "https://example.org/rage/"


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A small site, with the game; and in ``stable.tar.gz`` an older one, which has a page more."""
    folder = tmp_path / "site"
    (folder / "play").mkdir(parents=True)
    for name in ("tutorial/old.html", "alone.html", "index.html", "play/index.html"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(f"{name} {pages.VERSIONS} <a {pages.GAME}>Play</a>", "utf-8")
    (folder / "play" / "index.html").write_text("the older game", "utf-8")
    with tarfile.open(tmp_path / "stable.tar.gz", "w:gz") as archive:
        archive.add(folder, "site")
    shutil.rmtree(folder / "tutorial")
    (folder / "play" / "index.html").write_text("the newer game", "utf-8")
    return folder


def test_each_version_leads_to_the_other_and_to_the_one_game(site: Path, tmp_path: Path) -> None:
    published = tmp_path / "pages"
    pages.assemble(site, tmp_path / "stable.tar.gz", published, None)
    assert (published / "play" / "index.html").read_text("utf-8") == "the older game"
    assert not [*published.glob("*/play")]
    assert 'url=stable/"' in (published / "index.html").read_text("utf-8")
    for page in published.rglob("*.html"):
        leads_somewhere(page)
    old = (published / "stable" / "tutorial" / "old.html").read_text("utf-8")
    assert '<a href="../../stable/tutorial/old.html" aria-current="true">stable</a>' in old
    assert '<a href="../../latest/index.html">latest</a>' in old


def test_before_the_first_release_there_is_the_latest_alone(site: Path, tmp_path: Path) -> None:
    published = tmp_path / "pages"
    pages.assemble(site, None, published, None)
    assert {each.name for each in published.iterdir()} == {
        "404.html", "index.html", "latest", "play"}  # fmt: skip
    assert (published / "play" / "index.html").read_text("utf-8") == "the newer game"
    assert 'url=latest/"' in (published / "index.html").read_text("utf-8")


def test_a_site_that_has_an_address_tells_search_engines(site: Path, tmp_path: Path) -> None:
    published = tmp_path / "pages"
    pages.assemble(site, tmp_path / "stable.tar.gz", published, ADDRESS)
    listed = re.findall(r"<loc>(.+)</loc>", (published / "sitemap.xml").read_text("utf-8"))
    assert listed == [
        f"{ADDRESS}stable/{name}" for name in ("alone.html", "index.html", "tutorial/old.html")
    ]
    assert f'href="{ADDRESS}"' in (published / "404.html").read_text("utf-8")
    (tmp_path / "docs").mkdir()
    shutil.copy(ROOT / "docs" / "conf.py", tmp_path / "docs")
    project = (ROOT / "pyproject.toml").read_text("utf-8")
    named = project.replace("[project.urls]\n", f'[project.urls]\nDocumentation = "{ADDRESS}"\n')
    (tmp_path / "pyproject.toml").write_text(named, "utf-8")
    conf = runpy.run_path(str(tmp_path / "docs" / "conf.py"))
    assert conf["html_baseurl"] == f"{ADDRESS}stable/"


@built
def test_the_pages_have_room_for_the_versions_and_the_game() -> None:
    assert pages.VERSIONS in (SITE / "index.html").read_text("utf-8")
    if (SITE / "play").exists():
        assert pages.GAME in (SITE / "alone.html").read_text("utf-8")


# --- what names an address -------------------------------------------------------------------


def test_what_is_cited_is_this_version_at_the_address_of_the_project() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    assert cited["version"] == project["version"]
    assert cited["license"] == project["license"]
    shown = (ROOT / "docs" / "citing.md").read_text("utf-8")
    assert f"version = {{{project['version']}}}" in shown
    assert cited.get("repository-code") == project["urls"].get("Source")
    assert cited.get("url") == project["urls"].get("Documentation")


def test_the_code_of_conduct_names_an_address_or_says_that_there_is_none() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    said = (ROOT / "CODE_OF_CONDUCT.md").read_text("utf-8")
    addresses = [each["email"] for each in project.get("maintainers", ())]
    assert ("no address is known yet" in said) == (not addresses)
    assert all(each in said for each in addresses)
