"""A game that is shared: the link that anybody opens, files, and the viewpoint."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from page.browsing import Visitors, barriers_in_both_themes, too_wide, unfold
from page.test_after import Over, copied, over, shows
from rage.notation import parse_record, write_text
from rage.rules.editions import ruleset
from rage.score.file import write_sheet
from rage.score.link import write_link as write_sheet_link
from score.entering import new_sheet
from server.running import Running
from server.test_shared import played

pytestmark = pytest.mark.alone

CLIPBOARD = ["clipboard-read", "clipboard-write"]
REMARK = "What do you think of this moment?"
SHEET = new_sheet(ruleset("poof"), ["Ann", "Ben"])
FROM_HERE = "Begin at this moment"


@pytest.fixture(scope="module")
def game(page_server: Running) -> Over:
    return over(page_server, "poof+schedule:3.2.1+hidden-bids", 4)


def shown(page: Page) -> None:
    """The page shows a game, with all folds open."""
    unfold(page)
    expect(page.get_by_role("region", name="All hands")).to_be_visible()


def copied_link(page: Page) -> str:
    return copied(page, "Copy a link for everyone")


def test_who_was_there_shares_a_moment_and_anybody_opens_it(visitors: Visitors, game: Over) -> None:
    page = game.visited(visitors, "2.1.3", permissions=CLIPBOARD)
    button = page.get_by_role("button", name="Copy a link for everyone")
    said = page.locator(f"#{button.get_attribute('aria-describedby')}")
    expect(said).to_contain_text("Anyone with the link sees the whole game")
    link = copied_link(page)
    assert len(link) < 2000
    stranger = visitors.visit("open")
    expect(stranger.get_by_role("heading", name="Open a game")).to_be_visible()
    requests: list[str] = []
    stranger.on("request", lambda request: requests.append(request.url))
    stranger.goto(link)
    expect(stranger.get_by_role("heading", name="A game to look back at")).to_be_visible()
    expect(stranger.locator(".where")).to_have_text("Round 2, trick 1, card 3")
    cards = page.locator(".stage [data-card]").count()
    expect(stranger.locator(".stage [data-card]")).to_have_count(cards)
    game_in_it = link.partition("#")[2].split(".")[2][:40]
    assert not any(game_in_it in url for url in requests)
    expect(stranger.locator("[data-verdict]")).to_have_attribute("data-verdict", "half")
    # The address goes with the moment, so that it can be passed on.
    stranger.keyboard.press("ArrowRight")
    expect(stranger).to_have_url(re.compile(r"open/?#1\.[\w-]+\.[\w-]+&at=2\.1\.4$"))
    third = visitors.visit(stranger.url)
    expect(third.locator(".where")).to_have_text("Round 2, trick 1, card 4")
    # Or the game from its beginning.
    page.get_by_label(FROM_HERE).uncheck()
    link = copied_link(page)
    assert "&" not in link
    page.goto(link)
    expect(page.locator(".where")).to_have_text("Round 1: dealt")


def test_hands_and_bids_are_hidden_as_they_were(visitors: Visitors, game: Over) -> None:
    page = game.visited(visitors, "1.0.2", permissions=CLIPBOARD)
    page.get_by_label("Seen by").select_option("0")
    rows = page.locator("[data-seat]")
    expect(rows.nth(0).locator(".strip [data-card]")).to_have_count(3)
    for seat in (1, 2, 3):
        expect(rows.nth(seat).locator("[data-hidden]")).to_have_attribute("data-hidden", "3")
        expect(rows.nth(seat).locator("[data-card]:not([data-card=back])")).to_have_count(0)
    steps = game.answer["replay"]["rounds"][0]["steps"]
    bidders = [step["seat"] for step in steps[1:3]]
    hidden = [seat for seat in bidders if seat != 0]
    expect(page.get_by_text("bid hidden")).to_have_count(len(hidden))
    if steps[2]["seat"] != 0:
        expect(page.get_by_test_id("story")).to_contain_text("has bid.")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(page.get_by_text("bid hidden")).to_have_count(0)  # now all have bid
    page.keyboard.press("ArrowLeft")
    link = copied_link(page)
    assert link.endswith("&at=1.0.3&viewpoint=0")
    other = visitors.visit(link)
    expect(other.get_by_label("Seen by")).to_have_value("0")
    expect(other.locator("[data-hidden]")).to_have_count(3)
    other.get_by_label("Seen by").select_option("")
    expect(other.locator("[data-hidden]")).to_have_count(0)  # after the game all may look
    expect(other).to_have_url(re.compile(r"&at=1\.0\.3$"))


def test_a_text_and_a_file_open(visitors: Visitors, tmp_path: Path) -> None:
    record = played("amigo+schedule:2.1")
    page = visitors.visit("mine")
    page.get_by_role("link", name="Open a shared game").click()
    page.get_by_label("The text or the link").fill(write_text(record))
    page.get_by_role("button", name="Show the game").click()
    shown(page)
    with page.expect_download() as downloading:
        page.get_by_role("button", name="Download the record").click()
    file = tmp_path / "x.rage.json"
    downloading.value.save_as(file)
    assert parse_record(file.read_bytes()).names == record.names
    page.get_by_role("link", name="Open another game").click()
    page.get_by_label("Choose a file").set_input_files(file)
    shown(page)
    expect(page).to_have_url(re.compile(r"open#1\.[\w-]+\.[\w-]+&at=1\.0\.0$"))
    page.go_back()
    expect(page.get_by_role("heading", name="Open a game")).to_be_visible()


DROP = """(text) => {
    const data = new DataTransfer();
    data.items.add(new File([text], 'game.txt', {type: 'text/plain'}));
    const event = new DragEvent('drop', {bubbles: true, cancelable: true, dataTransfer: data});
    document.querySelector('h1').dispatchEvent(event);
}"""


def test_a_file_is_dropped_and_a_link_comes_from_the_clipboard(
    visitors: Visitors, game: Over
) -> None:
    """Names and remarks of a given game are only text."""
    record = played("poof+schedule:1")
    record.names[0] = "<img src=x onerror=alert(1)>"
    record.extra["remarks"] = {"1.0.0": "<b id=harm>x</b>"}
    page = visitors.visit("open", permissions=CLIPBOARD)
    expect(page.get_by_role("heading", name="Open a game")).to_be_visible()
    page.evaluate(DROP, write_text(record))
    shown(page)
    expect(page.locator("main img, #harm")).to_have_count(0)
    expect(page.get_by_role("button", name="<b id=harm>")).to_be_visible()
    page.goto("open")
    link = game.answer["replay"]["link"]
    page.evaluate("text => navigator.clipboard.writeText(text)", link)
    page.get_by_role("button", name="From the clipboard").click()
    shown(page)


#: What is no game, and what is said of it: something else than of the one before.
NO_GAME = (
    ("", "nothing in the field"),
    ("Hello", "is not a game"),
    ("1.AAAA.AAAA", "not a link to a game"),
    (f"http://home/sheet#{write_sheet_link(SHEET)}", "This is a score sheet, not a game"),
    ("<img src=x onerror=alert(1)>", "is not a game"),
    (write_sheet(SHEET).decode(), "This is a score sheet, not a game: open it on the page"),
)


def test_what_is_no_game_is_said_in_a_line(visitors: Visitors, game: Over) -> None:
    page = visitors.visit("open")
    field = page.get_by_label("The text or the link")
    for text, says in NO_GAME:
        field.fill(text)
        page.get_by_role("button", name="Show the game").click()
        expect(page.get_by_role("alert").filter(has_text=says)).to_be_visible()
        expect(field).to_have_attribute("aria-invalid", "true")
    page.goto("open#" + game.answer["replay"]["link"][:-9])
    expect(page.get_by_role("alert").filter(has_text="cut short")).to_be_visible()
    page.get_by_role("link", name="Open another game").click()
    expect(page.get_by_label("Choose a file")).to_be_attached()


# --- looking back --------------------------------------------------------------------------


def test_every_missed_bid_and_trump_change_is_gone_to(visitors: Visitors, game: Over) -> None:
    page = game.visited(visitors)
    panel = page.get_by_role("region", name="Missed bids and trump changes")
    items = panel.get_by_role("listitem")
    missed = sum(
        bid != won
        for each in game.answer["replay"]["rounds"]
        for bid, won in zip(each["bids"], each["won"], strict=True)
    )
    expect(items.filter(has_text="can no longer be met")).to_have_count(missed)
    places = [text.split("\n") for text in items.locator("small").all_inner_texts()]
    seen, at = list[str](), page.locator("[data-at]")
    forward = panel.get_by_role("button", name="The next one")
    while forward.get_attribute("aria-disabled") != "true":
        before = at.get_attribute("data-at") or ""
        forward.click()
        expect(at).not_to_have_attribute("data-at", before)
        seen.append(at.get_attribute("data-at") or "")
    assert seen == list(dict.fromkeys(place[0] for place in places))
    back = panel.get_by_role("button", name="The one before")
    for place in reversed(seen[:-1]):  # of a game with few of them, none
        back.click()
        shows(page, place)
    expect(back).to_have_attribute("aria-disabled", "true")
    items.first.get_by_role("button").click()
    expect(page).to_have_url(re.compile(re.escape(f"#{seen[0]}")))


@pytest.mark.long
def test_remarks_stay_on_the_device_unless_they_are_shared(visitors: Visitors, game: Over) -> None:
    page = game.visited(visitors, "1.1.4", permissions=CLIPBOARD)
    page.get_by_label(REMARK).fill("Why not the Wild?")
    page.keyboard.press("ArrowRight")  # in a field, that moves the caret
    expect(page.locator(".where")).to_have_text("Round 1, trick 1, card 4")
    page.reload()
    unfold(page)
    expect(page.get_by_label(REMARK)).to_have_value("Why not the Wild?")
    plain = copied_link(page)
    stranger = visitors.visit(plain)
    shown(stranger)
    expect(stranger.get_by_text("Why not the Wild?")).to_have_count(0)
    page.get_by_label("With 1 remark").check()
    link = copied_link(page)
    assert link != plain
    reader = visitors.visit(link)
    unfold(reader)
    expect(reader.get_by_role("button", name="Why not the Wild?")).to_be_visible()
    reader.get_by_label(REMARK).fill("It was gone.")
    reader.reload()
    unfold(reader)
    expect(reader.get_by_role("button", name="It was gone.")).to_be_visible()
    # And by the same game as who was there found it, whatever link it came with.
    reader.close()  # only one tab is shown games in that folder
    again = visitors.again(reader.context, plain)
    unfold(again)
    expect(again.get_by_role("button", name="It was gone.")).to_be_visible()


@pytest.mark.long
@pytest.mark.parametrize("width", [320, 390, 1280])
def test_no_barriers(visitors: Visitors, game: Over, width: int) -> None:
    page = visitors.visit("open", viewport={"width": width, "height": 800})
    expect(page.get_by_role("heading", name="Open a game")).to_be_visible()
    assert barriers_in_both_themes(page) == []
    assert too_wide(page) == 0
    page.goto("open#" + game.answer["replay"]["link"] + "&at=1.1.2&viewpoint=1")
    shown(page)
    assert barriers_in_both_themes(page) == []
    assert too_wide(page) == 0
