"""The page without a server (``make alone``): its tables are in the browser, which may lack a
network, room or memory, and may have them open twice."""

from __future__ import annotations

import re
import shutil
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from os import kill
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, Worker, expect

from page.browsing import PLAYED_BEFORE, UNPAINTED, barriers, code_of, too_wide, unfold
from page.hosts import FOLDER, Host
from page.playing import NEXT, QUICK, press
from page.test_alone_hosts import keep_all, publish, updated
from page.test_guided import hurry
from page.waiting import once, soon, tries
from rage.notation import parse_record, write_link
from server.test_shared import played

SHORT = "new?rules=poof+schedule:2.1&players=3"
#: The worker with the tables, Python itself, and what it reads last.
WORKER, PYTHON = re.compile(r"/assets/worker-.*\.js"), re.compile(r"/python/rage-")
WASM, SCRIPT = re.compile(r"\.asm\.wasm$"), re.compile(r"\.asm\.mjs$")
#: What only a later version has (``publish``).
LATER = "meta[name=later]"
HAND = "[data-hand]"


class Resident:
    """Somebody whose page is in a folder of a host."""

    def __init__(self, browser: Browser, host: Host) -> None:
        self.host = host
        self.context = browser.new_context(locale="en", reduced_motion="reduce")
        for script in (UNPAINTED, PLAYED_BEFORE, QUICK):
            self.context.add_init_script(script)
        self.failed: list[str] = []
        self.context.on("weberror", lambda error: self.failed.append(str(error.error)))

    def go(self, path: str = "") -> Page:
        page = self.context.new_page()
        page.goto(self.host.url + path)
        return page

    def sits_down(self, path: str = SHORT) -> Page:
        """A page at a new table, at which it is my turn to bid."""
        page = self.go(path)
        page.get_by_role("button", name="Start game").click()
        expect(bids(page).first).to_be_visible()
        return page


@pytest.fixture
def resident(browser: Browser, folder: Host) -> Iterator[Resident]:
    """Somebody at the folder, who has played before."""
    resident = Resident(browser, folder)
    yield resident
    folder.close()
    folder.open()
    resident.context.close()
    assert resident.failed == []


def tables_of(page: Page) -> Worker:
    """The worker with the tables of a page."""
    return next(worker for worker in page.workers if WORKER.search(worker.url))


def bids(page: Page) -> Any:
    return page.locator("[data-number]:not([aria-disabled])")


def plays_on(page: Page, until: str = "#game-end", patience: float = 60) -> None:
    """Do what there is to do until something is there."""
    for _ in tries(page, patience):
        if page.locator(until).count():
            return
        for there in (NEXT, ".colour:not([aria-disabled])",
                      "[data-number]:not([aria-disabled])", f"{HAND}:has(.playable)"):  # fmt: skip
            if page.locator(there).count():
                with suppress(Exception):  # it may be gone at this very moment
                    page.locator(there).first.click(timeout=500)
                break
        else:
            page.keyboard.press("Escape")


def test_a_game_without_a_network_is_played_looked_back_at_and_saved(resident: Resident) -> None:
    page = resident.sits_down()
    keep_all(page)
    resident.host.close()
    plays_on(page, "[data-played]")  # in the middle of a trick
    hand = page.locator(HAND).count()
    page.reload()
    expect(page.locator("[data-played]").first).to_be_visible()
    assert once(page.locator(HAND).count) <= hand
    plays_on(page)
    page.get_by_role("link", name="Look back").click()
    expect(page.get_by_role("heading", name="After the game")).to_be_visible()
    page.locator("#after-take").evaluate("one => one.closest('details').open = true")
    with page.expect_download() as downloading:
        page.get_by_role("button", name="Download the record").click()
    assert len(parse_record(downloading.value.path().read_bytes()).rounds) == 2
    page.goto(resident.host.url + "mine")
    expect(page.get_by_role("region", name="Games played").get_by_role("link")).to_have_count(1)
    for path, heading in (("sheet", "New score sheet"), ("judge", "Trick judge")):
        page.goto(resident.host.url + path)
        expect(page.locator("h1").first).to_contain_text(heading)


@pytest.mark.long
def test_nothing_is_offered_that_needs_others(resident: Resident) -> None:
    page = resident.go()
    expect(page.get_by_role("link", name="Join")).to_have_count(0)
    page.get_by_role("button", name="With friends").click()
    expect(page.get_by_role("dialog")).to_contain_text("one of you runs Rage on a computer")
    expect(page.get_by_role("dialog")).to_contain_text("rage --lan")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Play now").click()
    expect(bids(page).first).to_be_visible()
    expect(page.get_by_role("button", name="Chat")).to_have_count(0)
    page.get_by_role("button", name="Menu").click()
    entries = page.get_by_role("dialog").get_by_role("listitem").all_inner_texts
    assert soon(lambda: {"People", "Rules", "Help"} <= {*entries()})
    assert not {"Chat", "Show on a television", "Take my seat to another device"} & {*entries()}
    page.goto(resident.host.url + "settings")
    expect(page.get_by_text("Games are kept in this browser only.")).to_be_visible()
    expect(page.get_by_text("other device")).to_have_count(0)
    page.goto(resident.host.url + "day")
    expect(page.get_by_text("this is practice, without a ranking")).to_be_visible()
    expect(page.get_by_role("button", name="Play today's cards")).to_be_visible()


@pytest.mark.long
def test_a_second_tab_says_so_and_may_have_the_tables(resident: Resident) -> None:
    page = resident.sits_down()
    other = resident.go(f"t/{code_of(page)}")
    expect(other.get_by_role("heading", name="You are playing in another window")).to_be_visible()
    other.get_by_role("button", name="Continue here").first.click()
    expect(bids(other).first).to_be_visible()
    expect(page.get_by_role("heading", name="You are playing in another window")).to_be_visible()
    bids(other).first.click()
    plays_on(other, "[data-played]")
    other.close()
    expect(page.locator("[data-played]").first).to_be_visible()


@pytest.mark.long
def test_what_cannot_be_kept_has_not_happened(resident: Resident) -> None:
    page = resident.sits_down()
    full_note = page.locator("div.note").filter(has_text="This device may have no room left")
    with full(page):
        bids(page).nth(1).click()
        expect(page.get_by_text("This device may have no room left").first).to_be_visible()
        bids(page).nth(1).click()  # as bots do, which try again
        expect(full_note).to_be_visible()
    expect(bids(page).nth(1)).to_be_visible()
    bids(page).nth(1).click()
    expect(full_note).to_have_count(0)
    plays_on(page)


@pytest.mark.long
def test_what_the_browser_removes_in_a_game_is_written_again(resident: Resident) -> None:
    """As it does on a full device: no other window has the tables, and none is gone."""
    page = resident.sits_down()
    lost = page.locator("div.note").filter(has_text="the browser has removed the games")
    with full(page):
        for worker in page.workers:
            worker.evaluate(_DROPPED)
        for _ in range(3):
            bids(page).nth(1).click()
            expect(
                page.get_by_text("This device may have no room left").or_(lost).first
            ).to_be_visible()
        expect(lost).to_be_visible()
        expect(page.get_by_text("another window")).to_have_count(0)
    bids(page).nth(1).click()
    expect(lost).to_have_count(0)
    plays_on(page)
    page.reload()
    plays_on(page)


@pytest.mark.long
def test_an_update_in_the_midst_of_a_trick_waits_and_loses_nothing(
    browser: Browser, tmp_path: Path
) -> None:
    host = Host(shutil.copytree(FOLDER, tmp_path / "alone"))
    resident = Resident(browser, host)
    page = resident.sits_down()
    keep_all(page)
    plays_on(page, "[data-played]")
    publish(host.folder)
    updated(page)
    plays_on(page, "#round-end")
    plays_on(page, "[data-played]")
    expect(page.locator(LATER)).to_have_count(0)
    page.goto(host.url)  # as somebody does who opens it again
    expect(page.locator(LATER)).to_have_count(1)
    page.get_by_role("region", name="Go on playing").get_by_role("link").click()
    expect(page.locator("[data-played]").first).to_be_visible()
    plays_on(page)
    page.get_by_role("link", name="Look back").click()
    expect(page.get_by_role("region", name="All hands")).to_be_attached()
    resident.context.close()
    host.close()
    assert resident.failed == []


@pytest.mark.long
def test_what_stops_in_a_game_is_said_and_goes_on(resident: Resident) -> None:
    page = resident.sits_down()
    tables_of(page).evaluate("setTimeout(() => { throw new Error('broken') })")
    note = page.get_by_role("alert").filter(has_text="The game has stopped. What you have played")
    expect(note).to_be_visible()
    expect(page.get_by_text("Connection lost")).to_have_count(0)
    note.get_by_role("button", name="Try again").click()
    expect(note).to_have_count(0)
    expect(bids(page).first).to_be_visible()
    resident.failed.clear()  # of ours


@pytest.mark.long
def test_a_database_that_falls_silent_is_said_and_loses_a_move_at_most(resident: Resident) -> None:
    page = resident.sits_down()
    tables_of(page).evaluate("IDBObjectStore.prototype.get = () => ({})")
    bids(page).first.click()
    note = page.get_by_role("alert").filter(has_text="the browser does not save what happens now")
    expect(note).to_be_visible()
    note.get_by_role("button", name="Try again").click()
    expect(note).to_have_count(0)
    plays_on(page)


#: Has the browser close its database, as iOS does while a page is in the background.
_CLOSE = """() => {
    const { prototype } = IDBDatabase;
    const { transaction } = prototype;
    prototype.transaction = function (...given) {
        prototype.transaction = transaction;
        this.close();
        return this.transaction(...given);
    };
}"""


@pytest.mark.long
def test_a_database_that_the_browser_closes_is_opened_again(resident: Resident) -> None:
    page = resident.sits_down()
    tables_of(page).evaluate(_CLOSE)
    bids(page).first.click()
    expect(page.locator(f"{HAND}:has(.playable)").first).to_be_visible()
    expect(page.get_by_text("This device may have no room left")).to_have_count(0)
    page.reload()
    expect(page.locator(f"{HAND}:has(.playable)").first).to_be_visible()


#: Puts something else where the games are kept.
_DAMAGE = """async (name) => {
    const opening = indexedDB.open(name, 1);
    opening.onupgradeneeded = () => {
        for (const store of ['pages', 'facts']) opening.result.createObjectStore(store);
    };
    await new Promise((resolve) => { opening.onsuccess = resolve; });
    const transaction = opening.result.transaction(['pages', 'facts'], 'readwrite');
    transaction.objectStore('pages').put(new Uint8Array(4096).fill(7), 0);
    transaction.objectStore('facts').put(SIZE, 'size');
    await new Promise((resolve) => { transaction.oncomplete = resolve; });
    opening.result.close();
}"""


@pytest.mark.long
@pytest.mark.parametrize("size", [100, 4096], ids=["pages", "file"])
def test_games_that_cannot_be_read_are_said_and_may_be_deleted(
    resident: Resident, size: int
) -> None:
    page = resident.go("licenses.json")  # where nothing has them open
    page.evaluate(_DAMAGE.replace("SIZE", str(size)), "rage /rage/")
    page.goto(resident.host.url)
    note = page.get_by_role("alert").filter(has_text="The games that are kept here cannot be read")
    note.get_by_role("button", name="Delete all games here").click()
    note.get_by_role("button", name="Delete them for good?").click()
    page.get_by_role("button", name="Play now").click()
    expect(bids(page).first).to_be_visible()
    expect(note).to_have_count(0)


#: What a browser does that has no room left.
_FULL = """(full) => {
    const { prototype } = IDBObjectStore;
    prototype.stored ??= prototype.put;
    prototype.put = full
        ? () => { throw new DOMException('full', 'QuotaExceededError'); }
        : prototype.stored;
}"""


#: What a browser does that drops a database: it is closed, and another one is empty.
_DROPPED = """() => {
    const { prototype } = IDBDatabase, begin = prototype.transaction;
    prototype.transaction = function (...given) {
        prototype.transaction = begin;
        this.close();
        indexedDB.deleteDatabase(this.name);
        return begin.apply(this, given);
    };
}"""


@contextmanager
def full(page: Page) -> Iterator[None]:
    """The browser has no room left."""
    for worker in page.workers:
        worker.evaluate(_FULL, True)
    yield
    for worker in page.workers:
        worker.evaluate(_FULL, False)


def before(page: Page, script: str) -> None:
    """Run a script in the worker before anything else."""

    def begin(route: Route) -> None:
        response = route.fetch()
        route.fulfill(response=response, body=f"{script};{response.text()}")

    page.context.route(WORKER, begin)


@pytest.fixture
def unkept(browser: Browser, folder: Host) -> Iterator[Page]:
    """A page whose files can be changed on their way, because no worker keeps them."""
    context = browser.new_context(locale="en", service_workers="block")
    context.add_init_script(UNPAINTED)
    failed: list[str] = []
    context.on("weberror", lambda error: failed.append(str(error.error)))
    yield context.new_page()
    context.close()
    assert failed == []


@pytest.mark.long
@pytest.mark.parametrize("database", ["throw new Error('no')", "return { open: () => ({}) }"])
def test_where_nothing_is_kept_it_plays_and_says_so(
    unkept: Page, folder: Host, database: str
) -> None:
    before(unkept, f"Object.defineProperty(self, 'indexedDB', {{ get() {{ {database} }} }})")
    unkept.goto(folder.url)
    expect(unkept.get_by_text("games are gone when this tab is closed")).to_be_visible()
    unkept.get_by_role("button", name="Close").click()
    expect(unkept.get_by_text("games are gone when this tab is closed")).to_have_count(0)
    unkept.get_by_role("button", name="Play now").click()
    expect(bids(unkept).first).to_be_visible()


@pytest.mark.long
def test_it_plays_over_plain_http(unkept: Page, folder: Host) -> None:
    def answer(route: Route) -> None:
        url = route.request.url.replace("http://rage.test/", folder.url)
        route.fulfill(response=route.fetch(url=url))

    unkept.context.route("http://rage.test/**", answer)
    unkept.goto("http://rage.test/")
    assert once(unkept.evaluate, "!isSecureContext && !navigator.locks")
    unkept.get_by_role("button", name="Play now").click()
    expect(bids(unkept).first).to_be_visible()


@pytest.mark.long
def test_a_game_that_was_deleted_is_gone(resident: Resident) -> None:
    page = resident.sits_down()
    press(page, "People")
    page.get_by_role("button", name="Delete this game").click()
    page.get_by_role("button", name="Yes").click()
    expect(page.get_by_role("button", name="Play now")).to_be_visible()
    expect(page.get_by_role("heading", name="Go on")).to_have_count(0)
    page.go_back()
    expect(page.get_by_role("heading", name="There is nothing here")).to_be_visible()
    page.get_by_role("alert").get_by_role("link", name="Start").click()
    expect(page.get_by_role("button", name="Play now")).to_be_visible()


@pytest.mark.long
def test_what_was_removed_is_said(resident: Resident) -> None:
    page = resident.go()
    page.evaluate("localStorage['rage.alone.played'] = '1'")
    page.reload()
    expect(page.get_by_text("The browser has removed the games")).to_be_visible()


@pytest.mark.parametrize("width", [pytest.param(320, marks=pytest.mark.long), 390])
def test_who_waits_sees_how_far_it_is_and_may_learn_meanwhile(
    unkept: Page, folder: Host, width: int
) -> None:
    unkept.context.route(PYTHON, lambda route: None)  # it does not come
    unkept.set_viewport_size({"width": width, "height": 568})
    unkept.goto(folder.url)
    unkept.get_by_role("button", name="Play now").click()
    far = re.compile(r"Getting the game ready: \d+%")
    expect(unkept.get_by_text(far)).to_be_visible()
    assert too_wide(unkept) <= 0
    assert barriers(unkept) == []
    unkept.get_by_role("link", name="Learn by playing meanwhile").click()
    unkept.get_by_role("button", name="Begin").click()
    hurry(unkept, unkept.locator("[data-hand]:has(.playable)"))


def lacks(file: re.Pattern[str]) -> Callable[[Page], object]:
    """A file does not come."""
    return lambda page: page.context.route(file, lambda route: route.abort())


def halves(file: re.Pattern[str]) -> Callable[[Page], object]:
    """A file comes by half."""

    def halve(route: Route) -> None:
        response = route.fetch()
        body = response.body()
        route.fulfill(response=response, body=body[: len(body) // 2])

    return lambda page: page.context.route(file, halve)


def has(script: str) -> Callable[[Page], object]:
    """A script runs in the worker before anything else."""
    return lambda page: before(page, script)


@pytest.mark.sampled(8)
@pytest.mark.parametrize(
    ("obstacle", "why"),
    [
        (lacks(WASM), "could not be loaded"),
        (halves(WASM), "could not be loaded"),
        (halves(SCRIPT), "could not be loaded"),
        (lacks(PYTHON), "could not be loaded"),
        (lacks(WORKER), "could not be loaded"),
        (lambda page: page.add_init_script("delete window.Worker"), "cannot run the game"),
        (has("self.WebAssembly = undefined"), "cannot run the game"),
        (
            has(
                "WebAssembly.instantiate = WebAssembly.instantiateStreaming = () => {"
                " throw new RangeError('Out of memory') }"
            ),
            "too little free memory",
        ),
    ],
)
def test_what_did_not_start_says_why_and_leaves_the_sheet(
    unkept: Page, folder: Host, obstacle: Callable[[Page], object], why: str
) -> None:
    obstacle(unkept)
    unkept.goto(folder.url + "stats")
    note = unkept.get_by_role("alert").filter(has_text=why)
    expect(note).to_be_visible()
    expect(unkept.get_by_role("alert").filter(has_text=re.compile(r"\w"))).to_have_count(1)
    expect(unkept.get_by_text("No games yet")).to_have_count(0)
    unkept.goto(folder.url)
    expect(note).to_be_visible()
    expect(unkept.get_by_role("button", name="Play now")).to_be_disabled()
    unkept.goto(folder.url + "open")
    expect(note).to_be_visible()
    expect(unkept.get_by_role("button", name="Show the game")).to_be_disabled()
    expect(unkept.get_by_label("Choose a file")).to_be_disabled()
    note.get_by_role("link", name="Score sheet").click()
    expect(unkept.get_by_role("heading", name="New score sheet")).to_be_visible()


@pytest.mark.long
def test_who_was_frozen_goes_on(resident: Resident, browser: Browser) -> None:
    """As a phone does with a page in the background: nobody was away, and no bot has played."""
    page = resident.sits_down()
    session = browser.new_browser_cdp_session()
    processes = session.send("SystemInfo.getProcessInfo")["processInfo"]
    renderers = [int(each["id"]) for each in processes if each["type"] == "renderer"]
    for process in renderers:
        kill(process, signal.SIGSTOP)
    time.sleep(40)  # longer than anybody is waited for at a table
    for process in renderers:
        kill(process, signal.SIGCONT)
    bids(page).first.click()
    expect(page.get_by_text("A bot plays for you")).to_have_count(0)
    plays_on(page)


#: Has a worker stand still, with its timers, for so many milliseconds.
_FREEZE = """(milliseconds) => {
    const { buffer } = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
    setTimeout(() => Atomics.wait(new Int32Array(buffer), 0, 0, milliseconds));
}"""


@pytest.mark.long
def test_a_worker_that_is_frozen_for_five_minutes_is_said_and_goes_on(resident: Resident) -> None:
    page = resident.sits_down()
    tables_of(page).evaluate(_FREEZE, 300_000)
    begun = time.monotonic()
    bids(page).first.click()
    said = page.get_by_text("The game does not answer")
    expect(said).to_be_visible()
    expect(said).to_have_count(0, timeout=330_000)
    assert time.monotonic() - begun > 290
    plays_on(page)


@pytest.mark.long
def test_advice_and_analyses_are_as_fine_as_on_a_server(resident: Resident) -> None:
    page = resident.go()
    page.get_by_text("Hard", exact=True).click()
    page.get_by_role("button", name="Play now").click()
    expect(bids(page).first).to_be_visible()
    page.get_by_role("button", name="Advice").click()
    expect(page.get_by_label("Advice")).to_contain_text("you can expect")
    page.get_by_role("button", name="Close the advice").click()
    bids(page).first.click()
    expect(page.locator("[data-hand]:has(.playable)").first).to_be_visible()
    page.goto(f"{resident.host.url}open#{write_link(played('poof+schedule:4.3'))}")
    expect(page.get_by_test_id("story")).to_be_visible()
    unfold(page)
    panel = page.get_by_role("region").filter(has=page.locator("#after-analysis"))
    panel.get_by_role("button").first.click()
    expect(panel).to_contain_text("in 300 deals that fit that")


@pytest.mark.long
def test_a_game_of_ten_rounds(resident: Resident) -> None:
    page = resident.sits_down("new?rules=poof&players=4")
    for _ in range(3):
        plays_on(page, "#round-end", 180)
        page.reload()
        page.locator(NEXT).click()
        expect(page.locator("#round-end")).to_have_count(0)
    plays_on(page, patience=400)
