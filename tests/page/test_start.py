"""From opening the page to the first card, and other ways to a table, in a real browser."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Route, expect

from lab.benchmarks.page.browser import begin, phone, play_card
from lab.benchmarks.page.proxy import counting_proxy
from page.browsing import (
    SIZES,
    Visitors,
    barriers,
    become,
    code_of,
    cookie_of,
    finish,
    loaded,
    too_wide,
)
from page.playing import Player, plays_out, press
from page.waiting import once, soon
from rage.say import LANGUAGES
from server.running import Running, open_table
from tools import browsers

CARD = "[data-card]:not([data-card=back])"
#: What may be transferred from opening the page until the first card is in the trick.
MAX_BYTES = 125_000
#: Whether a page is set in its own type, and whether it has fetched it.
OWN_TYPE = "[...document.fonts].some(({ family }) => family === 'Figtree')"
FETCHED = "performance.getEntriesByType('resource').some(({ name }) => /figtree/.test(name))"


# --- playing -------------------------------------------------------------------------------


@pytest.mark.alone
def test_three_taps_from_opening_the_page_to_the_first_card(visitors: Visitors) -> None:
    """Besides those with which somebody reads the rules first."""
    page = visitors.visit()
    page.get_by_role("button", name="Rules", exact=True).click()
    dialog = page.get_by_role("dialog", name="Rules")
    expect(dialog).to_contain_text("Rage (Poof-Slinky 2013)")
    expect(dialog.get_by_role("heading").nth(2)).to_be_visible()
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    page.get_by_role("button", name="Play now").click()
    assert len(code_of(page)) == 8
    hand = page.locator(f"main {CARD}")
    expect(hand.nth(9)).to_be_visible()
    page.locator("[data-number='2']").click()
    # Whichever may be played: neither a Wild nor a Change, which ask for a colour.
    card = page.locator("[data-hand]:has(.playable)").filter(
        has=page.locator("[data-card]:not([data-card=W], [data-card=C])")
    )
    card.first.click()
    expect(page.locator("[data-hand]")).to_have_count(9)
    # The coach leaves alone who has played before.
    expect(page.get_by_role("complementary", name="Hint")).to_have_count(0)
    expect(page.get_by_role("button", name="No more hints")).to_have_count(0)


@pytest.fixture(scope="module")
def empty_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server where nobody has opened a table that the start page would list."""
    server = Running(tmp_path_factory.mktemp("empty") / "data")
    yield server
    server.end()


@pytest.mark.sampled(3)
@pytest.mark.parametrize("language", LANGUAGES)
def test_little_is_transferred_until_the_first_card(
    empty_server: Running, browser: Browser, language: str
) -> None:
    """By a new visitor, whom the coach tells what to bid and to play, until a card of theirs is in
    the trick: as `page-weight` counts it (docs/benchmarks.md)."""
    with counting_proxy(urlsplit(empty_server.url).port or 80) as proxy:
        page = phone(browser, language)
        begin(page, f"http://127.0.0.1:{proxy.port}/")
        expect(page.locator(".plate")).to_be_visible()
        play_card(page)
        page.context.close()
    # The pad of colours comes only where the first card, or a bot's, is one that names a colour.
    received = {at: size for at, size in proxy.received.items() if "/Colour" not in at}
    assert 60_000 < sum(received.values()) <= MAX_BYTES, received


@pytest.mark.alone
def test_the_page_has_its_own_type_from_the_page_after_a_game_on(visitors: Visitors) -> None:
    """The next visit fetches it at the start."""
    ann = Player(visitors)
    ann.plays_bots("poof+schedule:3", 3)
    assert not once(ann.page.evaluate, OWN_TYPE)
    plays_out(ann)
    assert soon(ann.page.evaluate, "localStorage['rage.type'] !== undefined")
    ann.page.get_by_role("link", name="Back to the start").first.click()
    assert soon(ann.page.evaluate, OWN_TYPE)
    ann.page.goto("")
    assert soon(ann.page.evaluate, FETCHED)


def test_play_now_has_bots_as_strong_as_chosen_and_remembers_it(visitors: Visitors) -> None:
    page = visitors.visit()
    expect(page.get_by_role("radio", name="Easy")).to_be_checked()
    expect(page.get_by_text("A gentle start")).to_be_visible()
    page.get_by_role("radio", name="Hard").check()
    page.reload()
    expect(page.get_by_role("radio", name="Hard")).to_be_checked()
    page.get_by_role("radio", name="Steady").check()
    page.get_by_role("button", name="Play now").click()
    line = page.request.get(f"api/tables/{code_of(page)}").json()
    assert {each["bot"] for each in line["seats"]} == {None, "steady"}


@pytest.mark.alone
@pytest.mark.sampled(3)
@pytest.mark.parametrize("language", LANGUAGES)
def test_to_play_and_to_go_on_are_above_the_fold_of_every_window(
    visitors: Visitors, language: str
) -> None:
    page = visitors.visit(locale=language, viewport={"width": 320, "height": 568})
    play = page.locator("button.primary")
    for tables in range(3):
        for width, height in reversed(SIZES):
            page.set_viewport_size({"width": width, "height": height})
            expect(play).to_be_in_viewport(ratio=1)
            if tables:
                expect(page.locator(".go-on a")).to_be_in_viewport(ratio=1)
        play.click()
        code_of(page)
        expect(page.locator(".pad")).to_be_visible()  # my turn
        page.goto("")
    go_on = page.locator(".go-on a")
    expect(go_on).to_contain_text("3")
    expect(go_on).to_be_in_viewport(ratio=1)
    assert too_wide(page) <= 0
    expect(page.locator("a[href=learn]")).to_be_visible()
    assert barriers(page) == []


@pytest.mark.long
def test_what_was_played_last_is_played_again(visitors: Visitors) -> None:
    page = visitors.visit("new?rules=fundex+sweep&players=3")
    page.get_by_text("More: variants").click()
    page.get_by_role("button", name="All bots").click()
    page.get_by_role("button", name="Start game").click()
    code_of(page)
    page.goto("")
    says = "You and 2 bots · Rage (Fundex, from Wikipedia) + Winner takes all"
    expect(page.get_by_role("button", name="Play now")).to_contain_text(says)
    page.get_by_role("button", name="Play now").click()
    line = page.request.get(f"api/tables/{code_of(page)}").json()
    assert (line["rules"], line["players"]) == ("fundex+sweep", 3)


def test_rules_that_no_bot_has_learned_say_who_plays(visitors: Visitors) -> None:
    """In a new table, on the first page, and at the table, of a bot and with the rules."""
    said = re.compile(r"No bot has learned rounds of more than 12 cards\. .* play as Steady does")
    page = visitors.visit("new?rules=poof&players=3")
    expect(page.get_by_role("heading", name="Rage (Poof-Slinky 2013)")).to_be_visible()
    expect(page.locator("[data-bots]")).to_have_count(0)
    page.goto("new?rules=poof%2Bschedule:13.2&players=3")
    expect(page.locator("[data-bots]")).to_have_text(said)
    page.get_by_role("button", name="All bots").click()
    page.get_by_role("button", name="Start game").click()
    code_of(page)
    page.locator("[data-about=seat][data-seat='1']").click(button="right")
    expect(page.get_by_role("tooltip")).to_have_text(said)
    page.keyboard.press("Escape")
    expect(page.get_by_role("tooltip")).to_have_count(0)
    press(page, "Rules")
    expect(page.get_by_role("dialog").locator("[data-bots]")).to_have_text(said)
    page.goto("")
    expect(page.locator("[data-bots]")).to_have_text(said)


@pytest.mark.long
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


# --- joining -------------------------------------------------------------------------------


def test_a_code_is_read_however_it_is_typed(visitors: Visitors) -> None:
    """And once, where Enter comes when it is looked up already."""
    code = open_table(visitors.server.someone("Ann"))
    page = visitors.visit("join")
    field = page.get_by_label("Code or link")
    expect(page.get_by_role("link", name="New to Rage? Learn by playing")).to_be_visible()
    for written in (code.upper(), f" {code[:4]} {code[4:]}", code):
        field.fill(written)
        page.wait_for_url(f"**/t/{code}")
        expect(page.get_by_role("button", name="Sit down")).to_be_visible()  # there is its socket
        page.go_back()
    held = list[Route]()
    page.route("**/api/tables/*", lambda route: held.append(route), times=1)
    with page.expect_request("**/api/tables/*"):
        field.fill(code)
    expect(page.get_by_role("button", name="Find table")).to_have_attribute("aria-disabled", "true")
    field.press("Enter")
    with page.expect_response(f"**/api/tables/{code}*"):
        held[0].continue_()
    page.wait_for_url(f"**/t/{code}")
    expect(page.get_by_role("button", name="Sit down")).to_be_visible()
    page.go_back()
    expect(field).to_be_visible()


def test_a_handover_that_is_pasted_for_a_code_reaches_no_server(visitors: Visitors) -> None:
    page = visitors.visit("join")
    asked = list[str]()
    page.on("request", lambda request: asked.append(request.url))
    page.get_by_label("Code or link").fill("http://10.0.0.2:7243/join#handover=abc.def")
    page.get_by_label("Code or link").press("Enter")
    expect(page.get_by_role("button", name="Yes, go on here")).to_be_visible()
    page.reload()
    expect(page.get_by_role("button", name="Yes, go on here")).to_be_visible()
    assert not [url for url in asked if "abc.def" in url.partition("#")[0]]


def test_what_leads_nowhere_says_why(visitors: Visitors) -> None:
    """A code that is none, one of no table, and a camera that cannot be used."""
    page = visitors.visit("join")
    for typed, said in (("abc", "eight letters and digits"), ("zzzz-zzzz", "no table zzzzzzzz")):
        page.get_by_label("Code or link").fill(typed)
        page.get_by_label("Code or link").press("Enter")
        expect(page.get_by_role("alert").filter(has_text=re.compile(said, re.I))).to_be_visible()
    page.get_by_role("button", name="Scan QR code").click()
    expect(page.get_by_role("dialog").get_by_role("alert").first).to_contain_text("type the code")


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
    assert once(page.evaluate, "window.width") > 0
    others.close()
    browser.close()
    assert others.said == []


# --- my tables, my games, my other device --------------------------------------------------


@pytest.mark.long
def test_my_games_say_how_they_went(visitors: Visitors) -> None:
    page = visitors.visit("new?rules=poof+schedule:2&players=3")
    page.get_by_text("More: variants").click()
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


def test_a_name_that_nobody_chose_presents_no_device(visitors: Visitors) -> None:
    page = visitors.visit("settings")
    field = page.get_by_label("Your name")
    expect(field).not_to_have_value("")
    made_up = field.input_value()
    page.goto("handover")
    expect(page.get_by_text("Scan this with the other device")).to_be_visible()
    expect(page.locator("main")).not_to_contain_text(made_up)


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
    loaded(page)
    other = visitors.visit("settings")
    loaded(other)  # or a cookie comes after those that are cleared
    other.context.clear_cookies()
    become(other, cookie_of(page), visitors.server)
    person = page.request.get("api/me").json()["person"]
    assert other.request.get("api/me").json()["person"] == person
    button = page.get_by_role("button", name="Sign out on all other devices")
    button.focus()
    page.keyboard.press("Enter")
    question = page.get_by_role("group", name="Sign out everywhere else?")
    expect(question.get_by_role("button", name="No")).to_be_visible()
    expect(question.get_by_role("button", name="Yes")).to_be_focused()
    assert barriers(page) == []
    assert not too_wide(page)
    page.keyboard.press("Enter")
    expect(page.get_by_text("You are signed out everywhere else.").first).to_be_visible()
    expect(button).to_be_focused()
    assert page.request.get("api/me").json()["person"] == person
    assert other.request.get("api/me").json()["person"] != person


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
@pytest.mark.alone
def test_a_refused_name_is_no_longer_refused_when_the_old_one_is_back(visitors: Visitors) -> None:
    page = visitors.visit("settings")
    loaded(page)
    name = page.get_by_label("Your name")
    name.fill("Ann")
    name.press("Enter")
    expect(page.get_by_text("Name saved.")).to_be_attached()
    for typed, refused in (("An\u202en", 1), ("Ann", 0)):
        name.fill(typed)
        name.press("Enter")
        expect(page.locator("#name-trouble")).to_have_count(refused)
