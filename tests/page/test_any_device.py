"""The first pages on any device: settings, keyboard, sizes, no network, other addresses."""

from __future__ import annotations

import re
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect

from page.browsing import (
    BEGIN,
    Visitors,
    barriers,
    barriers_in_both_themes,
    code_of,
    loaded,
    rest,
    too_wide,
)
from page.playing import Seat
from page.test_start import CARD
from page.waiting import once, soon
from server.running import Running
from tools import browsers

PAGES = (
    *("", "new", "join", "mine", "settings", "handover", "recover", "learn"),
    *("join#handover=abc", "no/such/page", "day", "stats"),
)


# --- settings ------------------------------------------------------------------------------


@pytest.mark.long
def test_the_language_changes_at_once_in_every_tab_and_stays(visitors: Visitors) -> None:
    page = visitors.visit("settings")
    tab = visitors.again(page.context, "new")
    page.evaluate("window.same = true")
    page.get_by_role("radio", name="Deutsch").check()
    expect(page.get_by_role("heading", level=1)).to_have_text("Einstellungen")
    expect(page.locator("html")).to_have_attribute("lang", "de")
    expect(tab.get_by_role("heading", level=1)).to_have_text("Neuer Tisch")
    expect(tab.get_by_text("Alle sagen gleichzeitig und verdeckt an").first).to_be_visible()
    page.get_by_role("radio", name="Español").check()
    expect(page.get_by_role("heading", level=1)).to_have_text("Ajustes")
    assert once(page.evaluate, "window.same")
    page.reload()
    expect(page.get_by_role("heading", level=1)).to_have_text("Ajustes")


@pytest.mark.alone
def test_the_theme_is_the_system_s_unless_one_is_chosen_for_all_windows(visitors: Visitors) -> None:
    """Each window once stored again, in its own way, what the other had changed, and both heard of
    it again."""
    one = visitors.visit("settings", color_scheme="light")
    other = visitors.again(one.context, "settings")
    expect(other.get_by_role("radio", name="Dark")).to_be_visible()
    other.evaluate(
        """() => {
            window.writes = 0;
            const { setItem } = Storage.prototype;
            Storage.prototype.setItem = function (...of) { writes += 1; setItem.apply(this, of); };
        }"""
    )
    cloth = "getComputedStyle(document.documentElement).backgroundColor"
    light = one.evaluate(cloth)
    one.get_by_role("radio", name="Dark").check()
    assert soon(one.evaluate, cloth) != light
    dark = one.evaluate(cloth)
    expect(other.get_by_role("radio", name="Dark")).to_be_checked()
    assert soon(other.evaluate, cloth) == dark
    assert once(other.evaluate, "window.writes") == 0
    other.get_by_role("radio", name="Light").check()
    expect(one.get_by_role("radio", name="Light")).to_be_checked()
    assert soon(other.evaluate, "window.writes") == 1
    other.get_by_role("radio", name="Dark").check()
    expect(one.get_by_role("radio", name="Dark")).to_be_checked()
    one.reload()
    assert soon(one.evaluate, cloth) == dark
    one.get_by_role("radio", name="Same as the device").check()
    assert soon(one.evaluate, cloth) == light
    one.emulate_media(color_scheme="dark")
    assert soon(one.evaluate, cloth) == dark
    one.get_by_role("radio", name="Light").check()
    assert soon(one.evaluate, cloth) == light


# --- by keyboard, by ear, in any size ------------------------------------------------------


@pytest.mark.alone
def test_by_keyboard_alone(visitors: Visitors) -> None:
    """Another page has its title, and the focus at its heading, also on the way back."""
    page = visitors.visit()
    loaded(page)
    expect(page).to_have_title("Rage, the card game")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_be_focused()
    for _ in range(5):  # the name, its sign, how strong the bots are, and Play now
        page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="New table")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="New table")).to_be_focused()
    expect(page).to_have_title("New table · Rage")
    page.go_back()
    expect(page).to_have_title("Rage, the card game")
    expect(page.get_by_role("heading", level=1, name="Rage")).to_be_focused()
    page.go_forward()
    expect(page.get_by_role("heading", name="New table")).to_be_focused()
    expect(page.get_by_role("radio", name="Poof")).to_be_visible()
    page.keyboard.press("Tab")
    expect(page.get_by_role("radio", name="Poof")).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("radio", name="AMIGO")).to_be_checked()
    page.get_by_text("More: variants").focus()
    page.keyboard.press("Enter")
    page.get_by_role("switch", name="Hidden bids").focus()
    page.keyboard.press("Space")
    expect(page.get_by_role("switch", name="Hidden bids")).to_be_checked()
    page.get_by_role("button", name="Which box").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).not_to_be_attached()
    expect(page.get_by_role("button", name="Which box")).to_be_focused()
    page.get_by_role("button", name=BEGIN).focus()
    page.keyboard.press("Enter")
    assert len(code_of(page)) == 8


@pytest.mark.alone
@pytest.mark.sampled(9)
@pytest.mark.parametrize("path", PAGES)
def test_a_page_has_no_barrier_and_lies_on_the_cloth(visitors: Visitors, path: str) -> None:
    page = visitors.visit(path)
    loaded(page)
    expect(page.locator("[data-cloth]")).to_have_count(1)
    for fold in page.locator("summary").all():
        fold.click()
    assert barriers_in_both_themes(page) == []


@pytest.mark.long
def test_no_page_is_wider_than_its_window(visitors: Visitors) -> None:
    page = visitors.blank(viewport={"width": 390, "height": 640})
    for path in PAGES:
        page.goto(path)
        loaded(page)
        for fold in page.locator("summary").all():
            fold.click()
        for width in (320, 390, 1280, 1920):
            page.set_viewport_size({"width": width, "height": 640})
            rest(page)
            assert too_wide(page) <= 0, (path, width)
        # Letters alone twice as large, in half of a window.
        page.set_viewport_size({"width": 640, "height": 400})
        page.evaluate("document.documentElement.style.fontSize = '200%'")
        assert too_wide(page) <= 0, (path, "large letters")


@pytest.mark.long
def test_scroll_bars_that_take_room_make_no_page_wider(visitors: Visitors) -> None:
    """As in Firefox, on Windows, with a mouse on a Mac; Playwright hides them."""
    shown = visitors.browser.browser_type.launch(
        executable_path=browsers.found(), ignore_default_args=["--hide-scrollbars"]
    )
    others = Visitors(shown, visitors.server)
    page = others.blank()
    for path in PAGES:
        page.goto(path)
        loaded(page)
        for width in (390, 1280):
            page.set_viewport_size({"width": width, "height": 640})
            rest(page)
            assert too_wide(page) <= 0, (path, width)
    page.goto("new")
    loaded(page)
    # There was one to be measured.
    assert soon(page.evaluate, "innerWidth - document.documentElement.clientWidth") > 0
    shown.close()
    assert others.said == []


# --- when something is missing -------------------------------------------------------------


def test_without_a_network_it_is_said_and_the_page_opens_still(
    visitors: Visitors, offline_noise: None
) -> None:
    """Of the game that is played then, its worker keeps nothing."""
    page = visitors.visit(service_workers="allow")
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page.reload()  # now through the worker, which keeps the files
    loaded(page)
    page.context.set_offline(True)
    expect(page.get_by_text("You are offline.").first).to_be_visible()
    page.get_by_role("button", name="Play now").click()
    expect(page.get_by_role("alert").filter(has_text="You are offline.").first).to_be_visible()
    page.reload()
    expect(page.get_by_role("button", name="Play now")).to_be_visible()
    page.context.set_offline(False)
    page.get_by_role("button", name="Play now").click()
    assert len(code_of(page)) == 8
    expect(page.locator(f"main {CARD}").nth(9)).to_be_visible()
    page.reload()
    expect(page.locator(f"main {CARD}").nth(9)).to_be_visible()
    assert soon(lambda: "/" in kept_paths(page))
    assert all(path == "/" or path.startswith("/assets/") for path in once(kept_paths, page))


def test_without_a_network_the_hand_stays_in_the_window(seat: Seat, offline_noise: None) -> None:
    ann = seat()
    ann.plays_bots("poof+schedule:8", 4)
    for width, height in ((390, 844), (1280, 800)):
        ann.page.set_viewport_size({"width": width, "height": height})
        ann.page.context.set_offline(True)
        expect(ann.page.get_by_text("You are offline.").first).to_be_visible()
        for card in ann.hand.all():
            expect(card).to_be_in_viewport(ratio=0.95)
        high = "document.documentElement.scrollHeight - innerHeight"
        assert soon(ann.page.evaluate, high) <= 0
        ann.page.context.set_offline(False)
        expect(ann.page.get_by_text("You are offline.")).to_have_count(0)
        assert soon(ann.page.locator(".play").evaluate, "one => one.clientHeight") == height


class Away(BaseHTTPRequestHandler):
    """Answers as a proxy does whose server is away."""

    def do_GET(self) -> None:
        self.send_error(502)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  # likewise
        pass


@pytest.mark.long
def test_while_a_proxy_has_no_server_the_page_opens_still(
    visitors: Visitors, tmp_path: Path
) -> None:
    server = Running(tmp_path / "data")
    here = Visitors(visitors.browser, server)
    page = here.visit(service_workers="allow")
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page.reload()
    loaded(page)
    server.end()
    with ThreadingHTTPServer(("localhost", server.port), Away) as proxy:
        Thread(target=proxy.serve_forever, daemon=True).start()
        page.reload()
        expect(page.get_by_role("button", name="Play now")).to_be_visible()
        proxy.shutdown()
    here.close()


def test_where_a_telephone_is_full_the_page_opens_still(visitors: Visitors) -> None:
    page = visitors.visit(service_workers="allow")
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    full = {"origin": visitors.server.url, "quotaSize": 1}
    page.context.new_cdp_session(page).send("Storage.overrideQuotaForOrigin", full)
    page.goto("settings")
    expect(page.get_by_role("heading", name="Settings")).to_be_visible()
    assert soon(page.evaluate, "navigator.serviceWorker.controller !== null")


def kept_paths(page: Page) -> set[str]:
    """What the worker has kept."""
    return set(
        page.evaluate(
            """async () => {
                const names = await caches.keys();
                const all = await Promise.all(names.map(async (name) =>
                    (await (await caches.open(name)).keys()).map((each) => each.url)));
                return all.flat().map((url) => new URL(url).pathname);
            }"""
        )
    )


#: What is kept as the start of the page.
_KEPT_START = "caches.match('./').then((start) => start.text())"


def test_the_worker_forgets_nothing_but_the_files_of_the_version_before(
    visitors: Visitors, offline_noise: None
) -> None:
    page = visitors.visit(service_workers="allow")
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page.goto("settings")
    loaded(page)
    assert soon(lambda: any("/Preferences-" in path for path in kept_paths(page)))
    before, start = kept_paths(page), page.evaluate(_KEPT_START)
    for path in ("t/abcdefgh", "", "t/abcdefgh", "licenses.json"):
        page.goto(path)
        page.wait_for_load_state("networkidle")
    assert before <= soon(kept_paths, page)
    assert soon(page.evaluate, _KEPT_START) == start
    page.context.set_offline(True)
    page.goto("settings")
    expect(page.get_by_role("heading", name="Settings")).to_be_visible()
    page.context.set_offline(False)
    page.evaluate(
        """async () => {
            const store = await caches.open('rage-1');
            const html = { headers: { 'content-type': 'text/html' } };
            const older = '<script type="module" src="./assets/page-older.js"></script>';
            await store.put('./', new Response(older, html));
            await store.put('./assets/page-older.js', new Response(''));
            await store.put('./assets/Seldom-older.js', new Response(''));
        }"""
    )
    page.goto("t/abcdefgh")
    loaded(page)
    page.wait_for_function("() => caches.match('./assets/Seldom-older.js').then((one) => !one)")
    parts = page.evaluate(
        """performance.getEntriesByType('resource').map((each) => new URL(each.name).pathname)
            .filter((path) => path.startsWith('/assets/'))"""
    )
    assert len(parts) > 5
    assert {*parts} <= soon(kept_paths, page)
    assert soon(lambda: not any("older" in path for path in kept_paths(page)))
    assert soon(page.evaluate, _KEPT_START) == start


@pytest.mark.alone
def test_the_page_can_be_installed(visitors: Visitors) -> None:
    page = visitors.visit()
    found = page.evaluate(
        "fetch(document.querySelector('link[rel=manifest]').href).then((each) => each.json())"
    )
    assert found["display"] == "standalone"
    for icon in found["icons"]:
        answer = page.request.get(icon["src"])
        assert answer.ok
        assert answer.headers["content-type"] == icon["type"]


# --- elsewhere than at the root of localhost -----------------------------------------------


def test_over_plain_http_it_plays_and_says_what_it_cannot_do(abroad: Visitors) -> None:
    """And below a base path, every link holds."""
    url = abroad.server.url
    page = abroad.visit()
    page.get_by_role("link", name="Settings").click()
    page.wait_for_url(f"{url}/settings")
    page.reload()
    assert not once(page.evaluate, "isSecureContext")
    expect(page.get_by_role("note")).to_contain_text("plain HTTP. Playing works; installing")
    expect(page.get_by_role("switch", name=re.compile("Notify"))).to_be_disabled()
    assert barriers(page) == []
    page.goto("join")
    page.get_by_role("button", name="Scan QR code").click()
    expect(page.get_by_role("dialog")).to_contain_text("only over HTTPS")
    page.goto("new?rules=poof&players=3")
    page.get_by_role("button", name="Copy link to these rules").click()
    expect(page.get_by_text("Copied.")).to_be_attached()
    page.get_by_role("button", name="Open table").click()
    code = code_of(page)
    page.get_by_role("button", name="Invite").click()
    expect(page.get_by_text(f"{url}/t/{code}")).to_be_visible()
    page.keyboard.press("Escape")
    guest = abroad.visit(f"t/{code}")
    expect(guest.get_by_role("heading", level=1)).to_be_visible()
    page.goto("settings")
    page.get_by_role("link", name="Start").click()
    page.wait_for_url(f"{url}/")
    page.get_by_role("button", name="Play now").click()
    code = code_of(page)
    assert page.url == f"{url}/t/{code}"
    expect(page.locator("[data-hand]")).to_have_count(10)


def test_each_network_of_the_machine_has_its_link_and_its_code(visitors: Visitors) -> None:
    """Nobody knows in which of them a friend is: the likeliest first, one touch to the next. Who
    invites from localhost, and has no other, is warned."""
    addresses: list[str] = []
    page = visitors.blank()
    page.route("**/api/network*", lambda route: route.fulfill(json={"addresses": addresses}))
    page.goto("new?rules=poof&players=3")
    page.get_by_role("button", name="Open table").click()
    code = code_of(page)
    page.get_by_role("button", name="Invite").click()
    expect(page.get_by_role("img", name="QR code")).to_be_visible()
    expect(page.get_by_text(f"{code[:4]}-{code[4:]}").first).to_be_visible()
    expect(page.get_by_text("works on this device only")).to_be_visible()
    assert barriers(page) == []
    addresses += ["http://192.168.178.23:7243", "http://10.8.0.6:7243"]
    page.reload()
    page.get_by_role("button", name="Invite").click()
    for number, address in enumerate([*addresses, addresses[0]]):
        invitation = page.get_by_role("region", name="Invite")
        expect(invitation.get_by_text(f"{address}/t/{code}")).to_be_visible()
        encoded = re.compile(f"at={re.escape(quote(address, safe=''))}")
        expect(page.get_by_role("img", name="QR code")).to_have_attribute("src", encoded)
        page.get_by_role("button", name=f"Next address ({number % 2 + 1}/2)").click()
    assert not too_wide(page)
    assert barriers(page) == []
