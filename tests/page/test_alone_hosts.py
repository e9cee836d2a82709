"""The folder that plays without a server (``make alone``), on hosts that only know files."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from page.hosts import FOLDER, Host
from page.waiting import once, soon
from tools.node import run_node

#: The page of a server.
PAGE = Path(__file__).parents[2] / "src" / "rage" / "server" / "page"
Go = Callable[..., Page]
#: Milliseconds for what a busy machine does: some pages appear only once Python is there.
PATIENCE = 60_000
#: Waits until a worker controls the page.
_CONTROLLED = """async () => {
    const { serviceWorker: workers } = navigator;
    while (!workers.controller) await new Promise((resume) => setTimeout(resume, 20));
}"""
#: Waits until the worker has kept everything, which it does once it has seen Python's last file.
_ALL_KEPT = """async ({ rage, count }) => {
    await fetch(rage);
    for (;;) {
        for (const name of await caches.keys()) {
            const kept = await (await caches.open(name)).keys();
            if (kept.length === count) return name;
        }
        await new Promise((resume) => setTimeout(resume, 50));
    }
}"""
#: Has the worker look for a later version, and waits until that is loaded.
_UPDATED = """async () => {
    const registration = await navigator.serviceWorker.getRegistration();
    await registration.update();
    while (!registration.waiting) await new Promise((resume) => setTimeout(resume, 50));
}"""
#: Has the worker look for a later version, and waits until that has failed, which may be before
#: the search has ended.
_REFUSED = """async () => {
    const registration = await navigator.serviceWorker.getRegistration();
    const found = new Promise((resume) => {
        registration.onupdatefound = () => resume(registration.installing);
    });
    await registration.update();
    const later = await found;
    while (!['installed', 'redundant'].includes(later.state))
        await new Promise((resume) => setTimeout(resume, 50));
    if (later.state === 'installed') throw new Error('it was taken');
}"""
#: Loads files, and says what they are and how many bytes they have.
_LOADED = """(files) => Promise.all(files.map(async (name) => {
    const answer = await fetch(name);
    return [answer.headers.get('Content-Type'), (await answer.arrayBuffer()).byteLength];
}))"""


@pytest.fixture(
    params=[pytest.param(False, id="pages"), pytest.param(True, id="bare", marks=pytest.mark.long)]
)
def host(request: pytest.FixtureRequest) -> Iterator[Host]:
    """A host with the built folder."""
    if not (FOLDER / "worker.js").is_file():
        pytest.fail("the folder is not built: make alone")
    host = Host(bare=request.param, base="/" if request.param else "/rage/")
    yield host
    host.close()


@pytest.fixture
def go(browser: Browser) -> Iterator[Go]:
    """A page in a new browser, at an address."""
    pages: list[Page] = []

    def go(url: str, **options: Any) -> Page:
        pages.append(browser.new_context(locale="en", **options).new_page())
        pages[-1].goto(url)
        return pages[-1]

    yield go
    for page in pages:
        page.context.close()


def listed(folder: Path = FOLDER) -> dict[str, object]:
    """What the worker keeps."""
    text = (folder / "worker.js").read_text(encoding="utf-8")
    found: dict[str, object] = json.loads(text.partition("=")[2].partition(";\n")[0])
    return found


def keep_all(page: Page) -> str:
    """Wait until everything is kept; the name of the store."""
    page.evaluate(_CONTROLLED)
    files = listed()["files"]
    assert isinstance(files, list)
    rage = next(name for name in files if name.startswith("python/rage-"))
    name: str = page.evaluate(_ALL_KEPT, {"rage": rage, "count": len(files)})
    return name


@pytest.mark.sampled(2)
@pytest.mark.parametrize("workers", ["block", "allow"])
def test_every_address_is_found_on_a_first_visit(host: Host, go: Go, workers: str) -> None:
    for path, heading in {
        "": "Rage",
        "open/": "Open a game",
        "learn": "Learn by playing",
        "sheet/": "New score sheet",
        "judge/": "Trick judge",
        "no/such/page": "There is nothing here",
    }.items():
        page = go(host.url + path, service_workers=workers)
        expect(page.locator("h1").first).to_contain_text(heading, timeout=PATIENCE)
        page.context.close()  # or Python would start beside the next one


@pytest.mark.long
@pytest.mark.parametrize("precompressed", [True, False], ids=["precompressed", "as it is"])
def test_after_a_first_visit_it_needs_no_network(host: Host, go: Go, precompressed: bool) -> None:
    """From any host, in any form; each time, a game is played so in ``test_alone.py``."""
    host.precompressed = precompressed
    page = go(host.url)
    keep_all(page)
    host.close()
    for path, heading in {
        "": "Rage",
        "open": "Open a game",
        "g/abcdefgh/1": "There is nothing here",
        "sheet": "New score sheet",
        "judge": "Trick judge",
    }.items():
        page.goto(host.url + path)
        expect(page.locator("h1").first).to_contain_text(heading, timeout=PATIENCE)
    page.get_by_role("link", name="Start").click()
    expect(page).to_have_url(host.url)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("path", ["day", "stats", "new"])
def test_what_is_shown_while_it_loads_moves_nothing(host: Host, go: Go, path: str) -> None:
    host.sending.clear()
    page = go(host.url + path, service_workers="block")
    heading = page.locator("h1").first
    strip = page.get_by_text(re.compile("Getting the game ready"))
    expect(strip).to_be_visible()
    expect(heading).to_be_visible()
    top = once(heading.bounding_box)
    host.sending.set()
    expect(strip).to_have_count(0, timeout=PATIENCE)
    assert soon(heading.bounding_box) == top


#: Prints the names of compressed files that are not what lies beside them.
_STALE = """
const { readFileSync, readdirSync } = require('node:fs'), zlib = require('node:zlib');
for (const folder of process.argv.slice(1))
  for (const name of readdirSync(folder, { recursive: true })) {
    const unpack = { br: zlib.brotliDecompressSync, gz: zlib.gunzipSync }[name.slice(-2)];
    const read = (name) => readFileSync(`${folder}/${name}`);
    if (unpack && /[.](br|gz)$/.test(name) && !unpack(read(name)).equals(read(name.slice(0, -3))))
      console.log(name);
  }
"""


def test_every_compressed_file_is_the_one_beside_it() -> None:
    """In the folder, and in the page of a server, with its sheet."""
    folders = [FOLDER, PAGE]
    for folder in folders:
        assert len([*folder.rglob("*.gz")]) > 3
    assert run_node("-e", _STALE, *map(str, folders)) == ""


def test_the_licences_of_all_components_are_listed(host: Host, go: Go) -> None:
    """Also those that were added after the page was built, on a host that sends what is beside."""
    host.precompressed = True
    names = [each["name"] for each in json.loads((FOLDER / "licenses.json").read_text("utf-8"))]
    assert {"pyodide", "msgspec", "svelte"} <= set(names)
    page = go(host.url)
    sent = "async () => (await (await fetch('licenses.json')).json()).map(({ name }) => name)"
    assert soon(page.evaluate, sent) == names


@pytest.mark.parametrize("host", [True], ids=["bare"], indirect=True)
def test_python_is_compressed_also_where_the_host_does_not(host: Host, go: Go) -> None:
    page = go(host.url)
    page.evaluate(_CONTROLLED)
    types = page.evaluate(_LOADED, listed()["packed"])
    files = listed()["packed"]
    assert isinstance(files, list)
    for name, (kind, size) in zip(files, types, strict=True):
        assert size == (FOLDER / name).stat().st_size
        if name.endswith((".mjs", ".wasm")):
            assert kind in ("text/javascript", "application/wasm")
    packed = sum(size for path, size in host.asked if path.endswith(".gz"))
    assert packed > 3_000_000


@pytest.mark.long
def test_a_later_version_waits_until_no_other_page_is_open(
    host: Host, go: Go, tmp_path: Path
) -> None:
    folder = host.folder = shutil.copytree(FOLDER, tmp_path / "alone")
    page = go(host.url)
    before = keep_all(page)
    publish(folder)
    updated(page)
    other = page.context.new_page()
    other.goto(host.url)
    expect(other.locator("h1").first).to_be_visible(timeout=PATIENCE)
    assert once(lambda: len(other.evaluate("caches.keys()"))) == 2
    expect(other.locator("meta[name=later]")).to_have_count(0)
    other.close()
    page.goto(host.url)
    expect(page.locator("meta[name=later]")).to_have_count(1, timeout=PATIENCE)
    assert soon(lambda: before not in page.evaluate("caches.keys()"))


@pytest.mark.long
@pytest.mark.parametrize("host", [False], ids=["pages"], indirect=True)
def test_a_page_in_the_place_of_a_file_is_not_kept(host: Host, go: Go, tmp_path: Path) -> None:
    """As where a later version is not yet there as a whole."""
    folder = host.folder = shutil.copytree(FOLDER, tmp_path / "alone")
    host.lenient = True
    page = go(host.url)
    keep_all(page)
    publish(folder)
    late = (folder / "assets/Stats-later.js").rename(tmp_path / "late.js")
    page.evaluate(_REFUSED)
    late.rename(folder / "assets/Stats-later.js")
    updated(page)


def updated(page: Page) -> None:
    """Wait until a page's browser has loaded the version that the host has by now."""
    page.evaluate(_UPDATED)


def publish(folder: Path) -> None:
    """Make a later version of it, in which a file has another name."""
    (old,) = folder.glob("assets/Stats-*.js")
    old.rename(old.with_name("Stats-later.js"))
    start = folder / "index.html"
    start.write_text(start.read_text().replace("<head>", '<head><meta name="later" />'))
    worker = folder / "worker.js"
    text = worker.read_text().replace(old.name, "Stats-later.js")
    worker.write_text(re.sub(r'"version":"\w+"', '"version":"later"', text, count=1))
