"""From opening the page to the first card, and every other way to a table, in a real browser."""

from __future__ import annotations

import re
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from urllib.parse import urlsplit

import pytest
from benchmarks.page.browser import begin, phone, play_card
from benchmarks.page.proxy import counting_proxy
from playwright.sync_api import Browser, Page, Route, expect

import browsers
from page.browsing import (
    Visitors,
    barriers,
    barriers_in_both_themes,
    become,
    cookie_of,
    finish,
    rest,
    too_wide,
)
from rage.say import LANGUAGES
from server.running import Running, open_table

PAGES = (
    *("", "new", "join", "mine", "settings", "handover", "learn", "hello/abc", "no/such/page"),
)
CARD = "[data-card]:not([data-card=back])"
#: What may be transferred from opening the page until the first card is in the trick.
MOST_BYTES = 120_000


def code_of(page: Page) -> str:
    """The table that a page is at."""
    page.wait_for_url(re.compile(r"/t/"))
    return page.url.rpartition("/")[2]


def wait(page: Page) -> None:
    """Wait until a page has its heading, and nothing is on its way."""
    expect(page.locator("h1").first).to_be_visible()
    page.wait_for_load_state("networkidle")


# --- playing -------------------------------------------------------------------------------


def test_three_taps_from_opening_the_page_to_the_first_card(visitors: Visitors) -> None:
    page = visitors.visit()
    page.get_by_role("button", name="Play now").click()
    assert len(code_of(page)) == 8
    hand = page.locator(f"main {CARD}")
    expect(hand.nth(9)).to_be_visible()
    page.locator("[data-bid='2']").click()
    # Whichever may be played: neither a Wild nor a Change, which ask for a colour.
    card = page.locator("[data-hand]:has(.playable)").filter(
        has=page.locator("[data-card]:not([data-card=W], [data-card=C])")
    )
    card.first.click()
    expect(page.locator("[data-hand]")).to_have_count(9)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("language", LANGUAGES)
def test_little_is_transferred_until_the_first_card(
    page_server: Running, browser: Browser, language: str
) -> None:
    """By a new visitor, whom the coach tells what to bid and to play, until a card of theirs is in
    the trick: as `page-weight` counts it (docs/benchmarks.md)."""
    with counting_proxy(urlsplit(page_server.url).port or 80) as proxy:
        page = phone(browser, language)
        begin(page, f"http://127.0.0.1:{proxy.port}/")
        expect(page.locator(".plate")).to_be_visible()
        play_card(page)
        page.context.close()
    assert 60_000 < sum(proxy.received.values()) <= MOST_BYTES, proxy.received


@pytest.mark.long
def test_what_was_played_last_is_played_again(visitors: Visitors) -> None:
    page = visitors.visit("new?rules=fundex+sweep&players=3")
    page.get_by_role("button", name="All bots").click()
    page.get_by_role("button", name="Start game").click()
    code_of(page)
    page.goto("")
    says = "You and 2 bots · Rage (Fundex, per Wikipedia) + Winner takes all"
    expect(page.get_by_role("button", name="Play now")).to_contain_text(says)
    page.get_by_role("button", name="Play now").click()
    line = page.request.get(f"api/tables/{code_of(page)}").json()
    assert (line["rules"], line["players"]) == ("fundex+sweep", 3)


def test_unfinished_tables_and_open_ones_are_on_the_first_page(visitors: Visitors) -> None:
    someone = visitors.server.someone("Gertrude")
    theirs = open_table(someone, "poof", 4, name="Gertrude", options={"access": "open"})
    page = visitors.visit()
    page.get_by_role("button", name="Play now").click()
    mine = code_of(page)
    page.goto("")
    go_on = page.get_by_role("region", name="Go on playing")
    expect(go_on.get_by_role("link")).to_have_attribute("href", f"t/{mine}")
    expect(go_on).to_contain_text("round 1 of 10")
    listed = page.get_by_role("region", name="Open tables").get_by_role("link", name="Gertrude")
    expect(listed.first).to_have_attribute("href", f"t/{theirs}")
    assert barriers(page) == []
    page.set_viewport_size({"width": 320, "height": 640})
    assert too_wide(page) <= 0


# --- a new table ---------------------------------------------------------------------------


def test_a_new_table_with_variants(visitors: Visitors) -> None:
    page = visitors.visit("new")
    page.get_by_role("radio", name="AMIGO").check()
    page.get_by_role("switch", name="Winner takes all").check()
    page.get_by_role("switch", name="Hidden bids").check()
    summary = page.locator("aside")
    expect(summary).to_contain_text("whoever wins every trick of a round scores 2 a trick")
    expect(summary).to_contain_text("show the bids before the first card is led")
    page.get_by_role("radio", name="5", exact=True).check()
    page.get_by_label("Seat 3").select_option("steady")
    page.get_by_text("At the table:").click()
    page.get_by_role("radio", name="Anyone on this server").check()
    page.get_by_role("radio", name="Brisk").check()
    page.get_by_role("switch", name="Take back").uncheck()
    page.get_by_role("button", name="Open table").click()
    code = code_of(page)
    line = page.request.get(f"api/tables/{code}").json()
    assert line["rules"] == "amigo+hidden-bids+sweep"
    assert [seat["bot"] for seat in line["seats"]] == [None, None, "steady", None, None]
    assert code in [each["table"] for each in page.request.get("api/tables").json()["mine"]]


@pytest.mark.long
def test_a_rule_set_with_a_name_of_its_own_is_chosen_like_an_edition(visitors: Visitors) -> None:
    page = visitors.visit("new")
    page.get_by_role("radio", name="AMIGO").check()
    page.get_by_role("switch", name="Winner takes all").check()
    bga = page.get_by_role("radio", name="As on Board Game Arena")
    expect(bga).not_to_be_checked()
    bga.check()
    expect(page.get_by_role("radio", name="AMIGO")).not_to_be_checked()
    expect(page.locator("aside")).to_contain_text("whoever met more bids")
    assert barriers(page) == []
    page.get_by_role("button", name="Open table").click()
    line = page.request.get(f"api/tables/{code_of(page)}").json()
    assert line["rules"] == "amigo+sweep+tie:exact_bids"
    # Whoever goes back to the edition has its own rules again.
    page.goto("new?rules=bga+sweep&players=4")
    expect(bga).to_be_checked()
    page.get_by_role("radio", name="AMIGO").check()
    expect(bga).not_to_be_checked()
    page.get_by_role("button", name="Open table").click()
    assert page.request.get(f"api/tables/{code_of(page)}").json()["rules"] == "amigo+sweep"


def test_what_does_not_go_together_is_turned_off_and_said(visitors: Visitors) -> None:
    page = visitors.visit("new?rules=amigo+hidden-bids&players=4")
    page.get_by_role("switch", name="Secret bids").check()
    expect(page.get_by_role("switch", name="Hidden bids")).not_to_be_checked()
    expect(page.get_by_text("so it is off now: Hidden bids")).to_be_visible()
    page.get_by_role("switch", name="Plus/minus one").check()
    expect(page.get_by_role("switch", name="Secret bids")).not_to_be_checked()


@pytest.mark.long
def test_a_link_carries_the_rules(visitors: Visitors) -> None:
    page = visitors.visit("new?rules=amigo+sweep+miss:-3&players=6")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    expect(page.get_by_role("switch", name="Winner takes all")).to_be_checked()
    page.get_by_role("button", name="Copy link to these rules").click()
    expect(page.get_by_text("Copied.")).to_be_attached()
    link = page.evaluate("navigator.clipboard.readText()")
    other = visitors.visit(link.removeprefix(f"{visitors.server.url}/"))
    expect(other.get_by_role("switch", name="Winner takes all")).to_be_checked()
    expect(other.locator("aside")).to_contain_text("a missed bid costs 3 points")
    expect(other.get_by_role("radio", name="6", exact=True)).to_be_checked()


def test_a_link_with_rules_that_there_are_not_says_so_and_goes_on(visitors: Visitors) -> None:
    page = visitors.visit("new?rules=canasta&players=4")
    expect(page.get_by_role("radio", name="Poof")).to_be_checked()
    expect(page.get_by_text("canasta").first).to_be_visible()


def test_own_settings_and_a_schedule(visitors: Visitors) -> None:
    page = visitors.visit("new?rules=poof&players=4")
    page.get_by_text("Your own rules and schedule").click()
    page.get_by_role("textbox", name=re.compile("round by round")).fill("3, 2,1")
    page.get_by_role("spinbutton", name=re.compile("missing the bid")).fill("-2")
    page.get_by_role("spinbutton", name=re.compile("missing the bid")).press("Tab")
    page.get_by_role("spinbutton", name="Out Rage").fill("0")
    page.get_by_role("spinbutton", name="Out Rage").press("Tab")
    expect(page.locator("aside")).to_contain_text("a missed bid costs 2 points")
    expect(page.locator("aside")).to_contain_text("0 × Out Rage")
    page.get_by_role("button", name="Open table").click()
    line = page.request.get(f"api/tables/{code_of(page)}").json()
    assert line["rules"] == "poof+pack:out0+miss:-2+schedule:3.2.1"


def test_a_setting_out_of_range_is_refused_in_words_and_nothing_changes(
    visitors: Visitors,
) -> None:
    page = visitors.visit("new?rules=poof&players=4")
    page.get_by_text("Your own rules and schedule").click()
    schedule = page.get_by_role("textbox", name=re.compile("round by round"))
    for typed in ("99", "none"):
        schedule.fill(typed)
        schedule.press("Tab")
        expect(page.get_by_role("alert").filter(has_text="1 to 30 rounds").first).to_be_visible()
        expect(schedule).to_have_value("10, 9, 8, 7, 6, 5, 4, 3, 2, 1")
    for name, typed, before, allowed in (
        (re.compile("missing the bid"), "1000", "0", "a whole number from -100 to 100"),
        (re.compile("missing the bid"), "", "0", "a whole number from -100 to 100"),
        ("Out Rage", "9", "4", "0 to 4 of each of wild, change, out, bonus and mad"),
    ):
        number = page.get_by_role("spinbutton", name=name)
        number.fill(typed)
        number.press("Tab")
        said = page.get_by_role("alert").filter(has_text=f"Only possible here: {allowed}.")
        expect(said).to_be_visible()
        expect(number).to_have_value(before)
    expect(page.locator("aside")).to_contain_text("Nothing is changed")


def test_which_box_do_you_own(visitors: Visitors) -> None:
    page = visitors.visit("new?rules=poof&players=4")
    page.get_by_role("button", name="Which box do you own?").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="something else").click()
    dialog.get_by_role("button", name=re.compile("Joker")).click()
    dialog.get_by_role("button", name="Play Rage (AMIGO 00990)").click()
    expect(dialog).not_to_be_attached()
    expect(page.get_by_role("radio", name="AMIGO")).to_be_checked()


def test_so_many_cannot_play_by_these_rules(visitors: Visitors) -> None:
    page = visitors.visit("new?rules=poof+two-teams&players=4")
    page.get_by_role("radio", name="5", exact=True).check()
    expect(page.get_by_role("alert").filter(has_text="4 or 6").first).to_be_visible()
    page.get_by_role("button", name="Open table").click(force=True)
    expect(page).to_have_url(re.compile("/new"))
    page.get_by_role("radio", name="6", exact=True).check()
    expect(page.get_by_role("button", name="Open table")).to_have_attribute(
        "aria-disabled", "false"
    )


# --- joining -------------------------------------------------------------------------------


@pytest.mark.parametrize("write", [str.upper, lambda code: f" {code[:4]} {code[4:]}", str])
def test_a_code_is_read_however_it_is_typed(visitors: Visitors, write: type[str]) -> None:
    code = open_table(visitors.server.someone("Ann"))
    page = visitors.visit("join")
    page.get_by_label("Code or link").fill(write(code))
    page.wait_for_url(f"**/t/{code}")


def test_a_link_can_be_pasted_for_a_code(visitors: Visitors) -> None:
    code = open_table(visitors.server.someone("Ann"))
    page = visitors.visit("join")
    page.get_by_label("Code or link").fill(f"http://192.168.1.3:7243/t/{code}")
    page.wait_for_url(f"**/t/{code}")


def test_two_people_come_together_by_a_code(visitors: Visitors) -> None:
    host = visitors.visit("new?rules=poof&players=3")
    host.get_by_role("button", name="Open table").click()
    code = code_of(host)
    guest = visitors.visit("join")
    guest.get_by_label("Code or link").fill(code.upper())
    guest.wait_for_url(f"**/t/{code}")
    guest.get_by_role("textbox", name=re.compile("name", re.I)).fill("Benedikt")
    guest.get_by_role("button", name=re.compile("Sit|Join")).click()
    expect(host.get_by_text("Benedikt").first).to_be_visible()


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("typed", "said"), [("abc", "eight letters and digits"), ("zzzz-zzzz", "no table zzzzzzzz")]
)
def test_a_code_that_leads_nowhere_says_why(visitors: Visitors, typed: str, said: str) -> None:
    page = visitors.visit("join")
    page.get_by_label("Code or link").fill(typed)
    page.get_by_label("Code or link").press("Enter")
    expect(page.get_by_role("alert").filter(has_text=re.compile(said, re.I))).to_be_visible()


def test_where_the_camera_cannot_be_used_it_is_said(visitors: Visitors) -> None:
    page = visitors.visit("join")
    page.get_by_role("button", name="Scan QR code").click()
    expect(page.get_by_role("dialog").get_by_role("alert")).to_contain_text("type the code")


def test_a_code_before_the_camera_leads_to_its_table(visitors: Visitors) -> None:
    """With a camera of Chromium's own; Debian's cannot read codes, so that a stand-in does."""
    code = open_table(visitors.server.someone("Ann"))
    media = ["--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream"]
    browser = visitors.browser.browser_type.launch(executable_path=browsers.found(), args=media)
    others = Visitors(browser, visitors.server)
    page = others.blank()
    page.add_init_script(
        f"""window.BarcodeDetector = class {{
            async detect(video) {{
                window.width = video.videoWidth;
                return window.width ? [{{ rawValue: "http://10.0.0.9:7243/t/{code}" }}] : [];
            }}
        }}"""
    )
    page.goto("join")
    page.get_by_role("button", name="Scan QR code").click()
    page.wait_for_url(f"**/t/{code}")
    assert page.evaluate("window.width") > 0
    others.close()
    browser.close()
    assert others.said == []


# --- my tables, my games, my other device --------------------------------------------------


@pytest.mark.long
def test_my_games_say_how_they_went(visitors: Visitors) -> None:
    page = visitors.visit("new?rules=poof+schedule:2&players=3")
    page.get_by_role("button", name="All bots").click()
    page.get_by_role("button", name="Start game").click()
    code = code_of(page)
    page.goto("settings")
    finish(page, visitors.server, code)
    page.goto("mine")
    games = page.get_by_role("region", name="Games played")
    expect(games).to_contain_text("1 played")
    game = page.request.get("api/games").json()["games"][0]
    mine = game["scores"][0]
    expect(games.get_by_role("link")).to_contain_text(re.compile(f"{abs(mine)} points?"))
    expect(games.get_by_role("link")).to_contain_text(game["names"][1])
    assert barriers(page) == []
    assert too_wide(page) <= 0
    games.get_by_role("link").click()
    page.wait_for_url(re.compile(f"/g/{code}/1"))
    expect(page.locator("h1").first).to_be_visible()


def test_nothing_played_yet_says_so_and_shows_the_way(visitors: Visitors) -> None:
    page = visitors.visit("mine")
    expect(page.get_by_text("No games yet.")).to_be_visible()


@pytest.mark.long
def test_another_device_takes_the_seat(visitors: Visitors) -> None:
    page = visitors.visit("settings")
    page.get_by_label("Your name").fill("Ann-Kathrin")
    page.get_by_label("Your name").press("Enter")
    expect(page.get_by_text("Name saved.")).to_be_attached()
    page.goto("")
    page.get_by_role("button", name="Play now").click()
    code = code_of(page)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto("handover")
    expect(page.get_by_role("img", name="QR code")).to_be_visible()
    page.get_by_role("button", name="Copy the link").click()
    link = page.evaluate("navigator.clipboard.readText()")

    other = visitors.visit(link.removeprefix(f"{visitors.server.url}/"))
    before = other.request.get("api/tables").json()["mine"]
    assert before == []
    other.get_by_role("button", name="Yes, go on here").click()
    expect(other.get_by_text("You are Ann-Kathrin here now.")).to_be_visible()
    other.get_by_role("button", name="To my tables").click()
    expect(other.get_by_role("region", name="Go on playing").get_by_role("link")).to_have_attribute(
        "href", f"t/{code}"
    )

    third = visitors.visit(link.removeprefix(f"{visitors.server.url}/"))
    third.get_by_role("button", name="Yes, go on here").click()
    expect(third.get_by_role("alert").filter(has_text=re.compile(r"\w"))).to_be_visible()
    assert third.request.get("api/tables").json()["mine"] == []


@pytest.mark.long
@pytest.mark.parametrize("width", [390, 1280])
def test_sessions_are_ended_on_all_other_devices(visitors: Visitors, width: int) -> None:
    """By the keyboard alone, after a question; the other device begins as somebody new."""
    page = visitors.visit("settings", viewport={"width": width, "height": 900})
    wait(page)
    other = visitors.visit("settings")
    wait(other)  # or a cookie comes after those that are cleared
    other.context.clear_cookies()
    become(other, cookie_of(page), visitors.server)
    person = page.request.get("api/me").json()["person"]
    assert other.request.get("api/me").json()["person"] == person
    button = page.get_by_role("button", name="End my sessions on all other devices")
    button.focus()
    page.keyboard.press("Enter")
    question = page.get_by_role("group", name="End them everywhere else?")
    expect(question.get_by_role("button", name="No")).to_be_visible()
    expect(question.get_by_role("button", name="Yes")).to_be_focused()
    assert barriers(page) == []
    assert not too_wide(page)
    page.keyboard.press("Enter")
    expect(page.get_by_text("Only this browser is you now.").first).to_be_visible()
    expect(button).to_be_focused()
    assert page.request.get("api/me").json()["person"] == person
    assert other.request.get("api/me").json()["person"] != person


@pytest.mark.long
def test_a_table_says_that_the_sessions_were_ended(visitors: Visitors) -> None:
    """Where they were ended, one plays on; on the other device one is somebody new."""
    page = visitors.visit("")
    page.get_by_role("button", name="Play now").click()
    code = code_of(page)
    expect(page.locator("[data-hand]").first).to_be_visible()
    other = visitors.visit("settings")
    wait(other)
    other.context.clear_cookies()
    become(other, cookie_of(page), visitors.server)
    other.goto(f"t/{code}")
    expect(page.get_by_role("button", name="here")).to_be_visible()
    expect(other.locator("[data-hand]").first).to_be_visible()
    ending = visitors.again(page.context, "settings")
    ending.get_by_role("button", name="End my sessions on all other devices").click()
    ending.get_by_role("button", name="Yes").click()
    expect(ending.get_by_text("Only this browser is you now.").first).to_be_visible()
    message = other.get_by_text(
        "Your sessions were ended, or the cookies of this browser were deleted."
    )
    expect(message).to_be_visible()
    assert barriers(other) == []
    assert not too_wide(other)
    page.reload()
    expect(page.locator("[data-hand]").first).to_be_visible()
    other.get_by_role("button", name="Try again").click()
    expect(message).to_be_visible()


def test_a_name_is_typed_before_the_server_has_said_the_old_one(visitors: Visitors) -> None:
    page = visitors.blank()
    held: list[Route] = []
    page.route("**/api/me*", lambda route: held.append(route))
    page.goto("settings")
    name = page.get_by_label("Your name")
    name.fill("Ann-Kat")
    for route in held:
        route.continue_()
    page.unroute("**/api/me*")
    expect(page.get_by_text("Name saved.")).to_have_count(0)
    name.press("End")
    name.press_sequentially("hrin")
    name.press("Enter")
    expect(page.get_by_text("Name saved.")).to_be_attached()
    expect(name).to_have_value("Ann-Kathrin")


@pytest.mark.long
def test_a_refused_name_is_no_longer_refused_when_the_old_one_is_back(visitors: Visitors) -> None:
    page = visitors.visit("settings")
    wait(page)
    name = page.get_by_label("Your name")
    trouble = page.locator("#name-trouble")
    name.fill("Ann")
    name.press("Enter")
    expect(page.get_by_text("Name saved.")).to_be_attached()
    for old in ("Ann", ""):
        name.fill("An\u202en")
        name.press("Enter")
        expect(trouble).to_be_visible()
        name.fill(old)
        name.press("Enter")
        expect(trouble).to_have_count(0)
        expect(name).to_have_value("Ann")


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
    assert page.evaluate("window.same")
    page.reload()
    expect(page.get_by_role("heading", level=1)).to_have_text("Ajustes")


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("locale", "word"), [("de-AT", "Jetzt spielen"), ("es-MX", "Jugar ya"), ("fr-FR", "Play now")]
)
def test_the_first_language_is_the_browser_s(visitors: Visitors, locale: str, word: str) -> None:
    page = visitors.visit("", locale=locale)
    expect(page.get_by_role("button", name=word)).to_be_visible()


def test_the_theme_is_chosen(visitors: Visitors) -> None:
    page = visitors.visit("settings", color_scheme="light")
    cloth = "getComputedStyle(document.documentElement).backgroundColor"
    light = page.evaluate(cloth)
    page.get_by_role("radio", name="Dark").check()
    dark = page.evaluate(cloth)
    assert dark != light
    page.reload()
    assert page.evaluate(cloth) == dark
    page.get_by_role("radio", name="Same as the device").check()
    assert page.evaluate(cloth) == light


# --- by keyboard, by ear, in any size ------------------------------------------------------


def test_by_keyboard_alone(visitors: Visitors) -> None:
    page = visitors.visit()
    wait(page)
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the page")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_be_focused()
    for _ in range(3):
        page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="New table")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="New table")).to_be_focused()
    expect(page.get_by_role("radio", name="Poof")).to_be_visible()
    page.keyboard.press("Tab")
    expect(page.get_by_role("radio", name="Poof")).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("radio", name="AMIGO")).to_be_checked()
    page.get_by_role("switch", name="Hidden bids").focus()
    page.keyboard.press("Space")
    expect(page.get_by_role("switch", name="Hidden bids")).to_be_checked()
    page.get_by_role("button", name="Which box").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).not_to_be_attached()
    expect(page.get_by_role("button", name="Which box")).to_be_focused()
    page.get_by_role("button", name="Open table").focus()
    page.keyboard.press("Enter")
    assert len(code_of(page)) == 8


def test_going_back_and_forth_keeps_title_and_focus(visitors: Visitors) -> None:
    page = visitors.visit()
    expect(page).to_have_title("Rage, the card game")
    page.get_by_role("link", name="Settings").click()
    expect(page).to_have_title("Settings · Rage")
    expect(page.get_by_role("heading", name="Settings")).to_be_focused()
    page.go_back()
    expect(page).to_have_title("Rage, the card game")
    expect(page.get_by_role("heading", level=1, name="Rage")).to_be_focused()


@pytest.mark.sampled(9)
@pytest.mark.parametrize("path", PAGES)
def test_axe_finds_no_barrier(visitors: Visitors, path: str) -> None:
    page = visitors.visit(path)
    wait(page)
    for fold in page.locator("summary").all():
        fold.click()
    assert barriers_in_both_themes(page) == []


@pytest.mark.long
def test_no_page_is_wider_than_its_window(visitors: Visitors) -> None:
    page = visitors.blank(viewport={"width": 390, "height": 640})
    for path in PAGES:
        page.goto(path)
        wait(page)
        for fold in page.locator("summary").all():
            fold.click()
        for width in (320, 390, 1280, 1920):
            page.set_viewport_size({"width": width, "height": 640})
            rest(page)
            assert too_wide(page) <= 0, (path, width)


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
        wait(page)
        for width in (390, 1280):
            page.set_viewport_size({"width": width, "height": 640})
            rest(page)
            assert too_wide(page) <= 0, (path, width)
    page.goto("new")
    wait(page)
    # There was one to be measured.
    assert page.evaluate("innerWidth - document.documentElement.clientWidth") > 0
    shown.close()
    assert others.said == []


@pytest.mark.long
def test_letters_twice_as_large_fit(visitors: Visitors) -> None:
    """200 % zoom leaves half the window; letters alone may be set twice as large, too."""
    page = visitors.blank(viewport={"width": 640, "height": 400}, device_scale_factor=2)
    for path in PAGES:
        page.goto(path)
        wait(page)
        for size in ("100%", "200%"):
            page.evaluate("size => { document.documentElement.style.fontSize = size; }", size)
            assert too_wide(page) <= 0, (path, size)


# --- when something is missing -------------------------------------------------------------


def test_without_a_network_it_is_said_and_the_page_opens_still(
    visitors: Visitors, offline_noise: None
) -> None:
    page = visitors.visit(service_workers="allow")
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page.reload()  # now through the worker, which keeps the files
    wait(page)
    page.context.set_offline(True)
    expect(page.get_by_text("You are offline.").first).to_be_visible()
    page.get_by_role("button", name="Play now").click()
    expect(page.get_by_role("alert").filter(has_text="You are offline.").first).to_be_visible()
    page.reload()
    expect(page.get_by_role("button", name="Play now")).to_be_visible()
    page.context.set_offline(False)
    page.get_by_role("button", name="Play now").click()
    assert len(code_of(page)) == 8


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
    wait(page)
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
    assert page.evaluate("navigator.serviceWorker.controller !== null")


def test_the_worker_keeps_nothing_of_a_game(visitors: Visitors) -> None:
    page = visitors.visit(service_workers="allow")
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page.reload()
    page.get_by_role("button", name="Play now").click()
    expect(page.locator(f"main {CARD}").nth(9)).to_be_visible()
    page.reload()
    expect(page.locator(f"main {CARD}").nth(9)).to_be_visible()
    kept = page.evaluate(
        """async () => {
            const names = await caches.keys();
            const all = await Promise.all(names.map(async (name) =>
                (await (await caches.open(name)).keys()).map((each) => each.url)));
            return all.flat();
        }"""
    )
    paths = {url.removeprefix(visitors.server.url) for url in kept}
    assert "/" in paths
    assert all(path == "/" or path.startswith("/assets/") for path in paths)


def test_the_page_can_be_installed(visitors: Visitors) -> None:
    page = visitors.visit(service_workers="allow")
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
    page = abroad.visit("settings")
    assert not page.evaluate("isSecureContext")
    expect(page.get_by_role("note")).to_contain_text("plain HTTP. Playing works; installing")
    expect(page.get_by_role("switch", name=re.compile("Notify"))).to_be_disabled()
    assert barriers(page) == []
    page.goto("join")
    page.get_by_role("button", name="Scan QR code").click()
    expect(page.get_by_role("dialog")).to_contain_text("only over HTTPS")
    page.goto("new?rules=poof&players=3")
    page.get_by_role("button", name="Copy link to these rules").click()
    expect(page.get_by_text("Copied.")).to_be_attached()
    page.goto("")
    page.get_by_role("button", name="Play now").click()
    code = code_of(page)
    assert page.url == f"{abroad.server.url}/t/{code}"
    expect(page.locator("[data-hand]")).to_have_count(10)


def test_below_a_base_path_every_link_holds(abroad: Visitors) -> None:
    page = abroad.visit()
    page.get_by_role("link", name="Settings").click()
    page.wait_for_url(f"{abroad.server.url}/settings")
    page.reload()
    page.get_by_role("link", name="Start").click()
    page.wait_for_url(f"{abroad.server.url}/")
    page.get_by_role("link", name="New table").click()
    page.get_by_role("button", name="Open table").click()
    code = code_of(page)
    expect(page.get_by_text(f"{abroad.server.url}/t/{code}")).to_be_visible()
    guest = abroad.visit(f"t/{code}")
    expect(guest.get_by_role("heading", level=1)).to_be_visible()


def test_who_invites_from_localhost_is_warned(visitors: Visitors) -> None:
    page = visitors.visit("new?rules=poof&players=3")
    page.get_by_role("button", name="Open table").click()
    code = code_of(page)
    expect(page.get_by_role("img", name="QR code")).to_be_visible()
    expect(page.get_by_text(f"{code[:4]}-{code[4:]}").first).to_be_visible()
    expect(page.get_by_text("works on this device only")).to_be_visible()
    assert barriers(page) == []
