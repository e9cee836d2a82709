"""The score sheet, in a real browser: a whole game without a network."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from pathlib import Path
from random import Random
from threading import Thread

import pytest
from PIL import Image
from playwright.sync_api import expect

from page.browsing import Visitors, barriers, barriers_in_both_themes, paint, too_wide
from page.entering import (
    NAMES,
    Entering,
    begin,
    kept,
    random_round,
    saved,
    shown_scores,
    stop,
    written,
)
from page.test_start import OWN_TYPE
from page.waiting import soon
from rage.cli import main
from rage.cli.commands.sheet import write_folder
from rage.rules.editions import ruleset
from rage.say import LANGUAGES, catalogue
from rage.score.file import read_sheet
from rage.score.link import read_link, write_link
from rage.score.spreadsheet import write_csv
from rage.score.standing import leaders, scores
from score.entering import correct, new_sheet, with_rules

#: How many touches a player may cost in a round.
MAX_TAPS = 5
#: The sizes of what a page has received before its form is there, and the cards that adorn it are
#: asked for; without the list of what is kept for later.
RECEIVED_FIRST = """() => {
    const all = performance.getEntries().filter((each) => each.encodedBodySize);
    return all.slice(0, all.findIndex(({ name }) => name.includes('/Fan-')))
        .filter(({ name }) => !name.endsWith('/files.json'))
        .map((each) => each.encodedBodySize);
}"""


@pytest.mark.alone
def test_a_whole_game_without_a_network(
    visitors: Visitors, offline_noise: None, tmp_path: Path
) -> None:
    page = visitors.visit("sheet", service_workers="allow", has_touch=True)
    kept(page)
    page.context.set_offline(True)
    page.reload()  # from the worker alone
    begin(page)
    rng, sheet = Random(5), new_sheet(ruleset("amigo"), NAMES)
    entering = Entering(page)
    for number in range(1, 11):
        sheet = random_round(sheet, rng)
        entering.taps = 0
        entering.round(sheet)
        if number == 6:  # the telephone dies, and everything is there again
            page.reload()
            expect(page.get_by_role("heading", name=re.compile("Round 6"))).to_be_visible()
        entering.button("End the game" if number == 10 else "Next round")
        assert entering.taps <= MAX_TAPS * len(NAMES)
        if number == 5:
            page.get_by_role("button", name="Sheet", exact=True).click()
            assert soon(shown_scores, page) == scores(sheet)
            page.get_by_role("button", name="Correct round 3").click()
            place = next(at for at, won in enumerate(sheet.rounds[2].won) if won == 0 or at == 3)
            bids = list(sheet.rounds[2].bids)
            bids[place] = (bids[place] or 0) + 1
            sheet = correct(sheet, 2, bids=bids)
            page.get_by_role("button", name=f"Bid of {NAMES[place]}").click()
            page.locator(f"[data-number='{bids[place]}']").click()
            page.get_by_role("button", name=f"Tricks of {NAMES[place]}").click()
            won = sheet.rounds[2].won[place] or 0
            page.locator(f"[data-number='{won + 1}']").click()
            expect(page.locator(".pad .sum")).to_have_text(re.compile("over · 1 too many$"))
            page.get_by_role("button", name=f"Tricks of {NAMES[place]}").click()
            page.locator(f"[data-number='{won}']").click()
            page.get_by_role("button", name="Save the correction").click()
            assert soon(shown_scores, page) == scores(sheet)
            page.get_by_role("button", name="Round", exact=True).click()
    assert soon(shown_scores, page) == scores(sheet)
    expect(page.locator(".finish li b")).to_have_text(
        [*map(written, sorted(scores(sheet), reverse=True))]
    )
    winners = " and ".join(NAMES[side] for side in leaders(sheet))
    expect(page.locator(".standing")).to_contain_text(f"{winners} win")
    assert saved(page, "Save as CSV") == write_csv(sheet, "en")
    file = read_sheet(saved(page, "Save as file"))
    assert file._replace(extra={}) == sheet
    assert barriers(page) == []


def test_it_is_small_and_opens_at_once(visitors: Visitors, offline_noise: None) -> None:
    page = visitors.visit("sheet", service_workers="allow", locale="de-DE")  # the longest words
    begin = page.locator(".bar button")
    expect(begin).to_be_visible()
    assert soon(page.evaluate, OWN_TYPE)
    kept(page)
    received = page.evaluate(RECEIVED_FIRST)
    assert 20_000 < sum(received) <= 64_000, received
    page.context.set_offline(True)
    page.clock.install()
    page.clock.pause_at(page.evaluate("Date.now() + 1000"))
    page.reload()
    expect(begin).to_be_visible()  # it waits for nothing: its clock stands still
    page.clock.resume()
    page.locator("header > a").click()  # to the table, which was never opened here
    expect(page.get_by_role("alert").filter(has_text="Server")).to_be_visible()
    expect(begin).to_be_visible()


@pytest.mark.alone
def test_a_link_holds_the_sheet(visitors: Visitors) -> None:
    """And a second link, in the same window, the second sheet."""
    page = visitors.visit("sheet")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    begin(page)
    sheet = random_round(new_sheet(ruleset("amigo"), NAMES), Random(8))
    entering = Entering(page)
    entering.round(sheet)
    entering.button("Next round")
    page.get_by_role("button", name="Sheet", exact=True).click()
    page.get_by_role("button", name="Link to this sheet").click()
    expect(page.get_by_text("Copied.")).to_be_attached()
    link = page.evaluate("navigator.clipboard.readText()")
    assert read_link(link) == sheet
    assert len(link) < 200
    other = visitors.visit(link)
    expect(other.locator("tfoot")).to_be_visible()
    assert soon(shown_scores, other) == scores(sheet)
    assert barriers(other) == []
    second = random_round(new_sheet(ruleset("amigo"), (*NAMES[:3], "Eva")), Random(3))
    other.goto(f"sheet#{write_link(second)}")
    expect(other.locator("thead")).to_contain_text("Eva")
    other.get_by_role("button", name="Keep it on this device").click()
    expect(other.get_by_role("heading", name=re.compile("Round 2 of 10"))).to_be_visible()
    other.get_by_role("button", name="Sheet", exact=True).click()
    expect(other.locator("thead")).to_contain_text("Eva")
    broken = visitors.visit("sheet#1.abc.def")
    expect(broken.get_by_role("alert").filter(has_text="not a link")).to_be_visible()


def test_ten_people_play_with_real_cards(visitors: Visitors) -> None:
    """A hundred cards are dealt to them in the first round, and their columns fit the paper."""
    names = tuple(f"{name} {n}" for n in "12345" for name in ("Ann", "Benedikt"))
    page = visitors.visit("sheet", viewport={"width": 320, "height": 568})
    begin(page, names)
    rng = Random(7)
    sheet = random_round(new_sheet(ruleset("amigo"), names), rng)
    entering = Entering(page)
    entering.round(sheet)
    entering.button("Next round")
    page.get_by_role("button", name="Sheet", exact=True).click()
    assert soon(shown_scores, page) == scores(sheet)
    file = read_sheet(saved(page, "Save as file"))
    assert file.finished == sheet.rounds
    for _ in range(9):
        sheet = random_round(sheet, rng)
    page.goto(f"sheet#{write_link(sheet)}")
    assert soon(shown_scores, page) == scores(sheet)
    page.set_viewport_size({"width": 687, "height": 971})  # A4 within its margins
    page.emulate_media(media="print")
    for name in names:
        expect(page.get_by_role("columnheader", name=name)).to_be_in_viewport(ratio=1)


def test_what_cannot_be_is_refused_with_the_reason(visitors: Visitors) -> None:
    page = visitors.visit("sheet")
    page.locator("summary", has_text="Variants").click()
    page.get_by_role("radio", name="AMIGO").check()
    page.get_by_role("switch", name="Plus/minus one").check()
    begin(page, NAMES[:3])
    entering = Entering(page)
    entering.number(4)
    entering.number(4)
    struck = page.locator("[data-number='2']")
    expect(struck).to_have_attribute("aria-disabled", "true")
    struck.click(force=True)
    expect(page.locator("main").get_by_role("alert").filter(has_text="Not 2")).to_be_visible()
    expect(page.locator("[data-live=assertive] p")).to_have_count(0)  # it is read once
    expect(page.get_by_text("8 bid so far for 10 tricks")).to_be_visible()
    entering.number(1)
    entering.number(5)
    expect(page.locator(".sum")).to_contain_text(re.compile("^9 .*under"))
    entering.number(3)  # the last one has the rest
    page.get_by_role("button", name="Tricks of Ben: 5").click()
    entering.number(6)
    add_up = page.get_by_role("alert").filter(has_text="The tricks won add up to 11")
    expect(add_up).to_be_visible()
    page.get_by_role("button", name="Next round").click(force=True)
    expect(page.get_by_role("heading", name=re.compile("Round 1"))).to_be_visible()
    page.get_by_role("button", name="Undo").click()
    expect(add_up).to_have_count(0)
    for n in range(3):
        page.get_by_role("button", name=f"+5, Ben: {n}").click()
    page.get_by_role("button", name="+5, Cem: 0").click()
    expect(
        page.locator("main").get_by_role("alert").filter(has_text="the pack holds 3")
    ).to_be_visible()


@pytest.mark.long
@pytest.mark.alone
def test_two_tabs_show_the_same(visitors: Visitors) -> None:
    """What is entered in one is there in the other, and neither undoes what the other did."""
    page = visitors.visit("sheet")
    begin(page, NAMES[:3])
    other = visitors.again(page.context, "sheet")
    Entering(page).number(1)
    bids = other.get_by_role("button", name=re.compile("^Bid of"))
    expect(bids).to_have_text(["1", "", ""])
    Entering(other).number(2)
    expect(page.get_by_role("button", name=re.compile("^Bid of"))).to_have_text(["1", "2", ""])
    page.get_by_role("button", name="Undo").click()
    expect(bids).to_have_text(["1", "", ""])


def test_people_come_and_go_and_the_game_stops_early(visitors: Visitors) -> None:
    page = visitors.visit("sheet")
    begin(page, NAMES[:3])
    sheet = random_round(new_sheet(ruleset("amigo"), NAMES[:3]), Random(9))
    entering = Entering(page)
    entering.round(sheet)
    entering.button("Next round")
    page.get_by_role("button", name="Sheet", exact=True).click()
    page.get_by_role("button", name="Seats and dealer").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Ann leaves").click()
    dialog.get_by_role("textbox", name="Someone joins late").fill("Ben")
    dialog.get_by_role("button", name="Add").click()
    expect(dialog.get_by_role("alert").first).to_have_text("Ben would have two seats.")
    dialog.get_by_role("button", name="Use these seats").click()
    expect(dialog.get_by_role("alert").first).to_have_text("Ben would have two seats.")
    dialog.get_by_role("textbox", name="Someone joins late").fill("Eva")
    dialog.get_by_label("Cards for each").fill("2.5")
    dialog.get_by_role("button", name="Use these seats").click()
    expect(dialog.get_by_role("alert").first).to_contain_text("1 to 15 cards for each, not 2.5")
    dialog.get_by_label("Cards for each").fill("9")
    dialog.get_by_role("button", name="Use these seats").click()
    page.get_by_role("button", name="Round", exact=True).click()
    expect(page.get_by_role("heading", name="How many will Cem win?")).to_be_visible()
    for n in (1, 2, 3, 4, 5):
        entering.number(n)
    entering.button("Next round")
    stop(page)
    data = json.loads(saved(page, "Save as file"))
    assert data["players"] == ["Ann", "Ben", "Cem", "Eva"]
    assert (data["rounds"][1]["seats"], data["stopped"]) == ([1, 2, 3], True)
    read_sheet(json.dumps(data).encode())
    # The same file is opened on another device.
    other = visitors.visit("sheet")
    file = {"name": "x.rage-score.json", "mimeType": "", "buffer": json.dumps(data).encode()}
    other.locator("input[type=file]").set_input_files(file)  # type: ignore[arg-type]
    expect(other.get_by_role("heading", name="The game was ended early")).to_be_visible()
    assert soon(shown_scores, other) == data["scores"]
    other.get_by_role("button", name="Continue after all").click()
    expect(other.get_by_role("heading", name=re.compile("Round 3"))).to_be_visible()
    # It was another edition all the time, and Cem writes his name otherwise.
    other.get_by_role("button", name="Sheet", exact=True).click()
    other.get_by_role("button", name="Rules and names").click()
    dialog = other.get_by_role("dialog")
    dialog.get_by_label("Name of player 3").fill("Çem")
    dialog.get_by_role("radio", name="Poof-Slinky").check()
    dialog.get_by_role("button", name="Use these").click()
    sheet = with_rules(read_sheet(json.dumps(data).encode()), ruleset("poof"))
    assert soon(shown_scores, other) == scores(sheet)
    expect(other.locator("thead")).to_contain_text("Çem")


def test_what_cannot_be_read_says_so_and_is_not_lost(visitors: Visitors) -> None:
    page = visitors.blank()
    page.add_init_script("localStorage['rage.sheet.odd'] = '{\"sheet\":2}'")
    page.goto("sheet#history")
    expect(page.get_by_text("1 sheet on this device cannot be read.")).to_be_visible()
    assert json.loads(saved(page, "Save what can still be read")) == [{"sheet": 2}]
    page.goto("sheet#new")
    for text in ("{", "[]", '{"format": "rage-score", "version": 2}'):
        file = {"name": "x.json", "mimeType": "", "buffer": text.encode()}
        page.locator("input[type=file]").set_input_files(file)  # type: ignore[arg-type]
        expect(page.locator(".error")).to_have_text(re.compile(r"\w"))


@pytest.mark.alone
def test_the_history_counts_every_evening(visitors: Visitors) -> None:
    page = visitors.visit("sheet")
    begin(page, NAMES[:3])
    sheet = random_round(new_sheet(ruleset("amigo"), NAMES[:3]), Random(10))
    entering = Entering(page)
    entering.round(sheet)
    entering.button("Next round")
    page.get_by_role("link", name="History").click()
    expect(page.get_by_role("heading", name="Games on this device")).to_be_focused()
    page.get_by_label("Whose numbers?").select_option("Ben")
    own = page.get_by_role("region", name="Games of Ben")
    expect(own).to_have_count(0)  # no game has ended yet
    page.get_by_role("link", name="Sheet", exact=True).click()
    stop(page)
    page.get_by_role("link", name="History").click()
    page.get_by_label("Whose numbers?").select_option("Ben")
    expect(own).to_contain_text(written(scores(sheet)[1]))
    assert barriers(page) == []
    whole = json.loads(saved(page, "Save all as a file"))
    assert whole["sheets"][0]["scores"] == scores(sheet)
    other = visitors.visit("sheet#history")
    file = {"name": "h.json", "mimeType": "", "buffer": json.dumps(whole).encode()}
    other.locator("input[type=file]").set_input_files(file)  # type: ignore[arg-type]
    expect(other.get_by_role("button", name=re.compile("Ann, Ben, Cem"))).to_be_visible()


@pytest.mark.alone
def test_where_nothing_can_be_kept_it_is_said(visitors: Visitors) -> None:
    page = visitors.blank()
    page.add_init_script("Storage.prototype.setItem = () => { throw new Error('full') }")
    page.goto("sheet")
    begin(page, NAMES[:3])
    expect(page.get_by_role("alert").filter(has_text="cannot keep the sheet")).to_be_visible()


@pytest.mark.sampled(2)
@pytest.mark.parametrize("paper", ["A4", "Letter"])
def test_on_paper_there_is_the_sheet_and_nothing_to_touch(visitors: Visitors, paper: str) -> None:
    """Black on white, also from the dark, and from where a round is entered."""
    page = visitors.visit("sheet", color_scheme="dark")
    begin(page)
    sheet = random_round(new_sheet(ruleset("amigo"), NAMES), Random(12))
    entering = Entering(page)
    entering.round(sheet)
    entering.button("Next round")
    paint(page)
    assert pages_of(page.pdf(format=paper)) == 1
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    words = page.locator("body").inner_text()
    for name in NAMES:
        assert name in words
    for points in scores(sheet):
        assert written(points) in words
    assert "AMIGO 00990" in words
    assert "Rage: score sheet" in words
    for control in (
        "Round 2",
        "Next round",
        "Undo",
        "Print",
        "Show to others",
        "Judge",
        "History",
        "Cards won",
    ):
        assert control not in words
    picture = Image.open(BytesIO(page.screenshot())).convert("RGB")
    colours = picture.getcolors(picture.width * picture.height) or []
    seen = [rgb for _, rgb in colours if isinstance(rgb, tuple)]
    assert max(max(rgb) - min(rgb) for rgb in seen) < 8  # no hue anywhere
    assert max(colours)[1] == (255, 255, 255)
    page.emulate_media(media="screen")
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    expect(page.get_by_role("heading", name="How many will Cem win?")).to_be_visible()


def pages_of(printed: bytes) -> int:
    """The pages of a PDF as Chromium writes it."""
    return len(re.findall(rb"/Type /Page\b", printed))


def test_a_new_sheet_is_printed_blank(visitors: Visitors) -> None:
    page = visitors.visit("sheet")
    page.get_by_role("textbox", name="Name of player 1").fill("Ann")
    page.evaluate("window.print = () => { window.printed = true }")
    page.get_by_role("button", name="Print a blank sheet").click()
    page.wait_for_function("window.printed")
    assert pages_of(page.pdf(format="A4")) == 1
    page.emulate_media(media="print")
    table = page.get_by_role("table")
    expect(table.get_by_role("row")).to_have_count(1 + 10 + 1)
    expect(table.get_by_role("columnheader", name="Ann")).to_be_visible()
    expect(page.get_by_role("button")).to_have_count(0)
    assert soon(lambda: not re.search(r"\b0\b", table.inner_text()))


def test_the_sheet_of_the_command_line_fits_one_page(visitors: Visitors, tmp_path: Path) -> None:
    path, page = tmp_path / "sheet.html", visitors.blank()
    for players in (2, 5, 10):
        names = ",".join(f"Donaudampfschifffahrt {n}" for n in range(players))
        words = ["--names", names, "--lang", "de", "--rules", "poof+sweep", "--paper", "letter"]
        assert main(["sheet", *words, "--out", str(path)]) == 0
        page.goto(path.as_uri())
        printed = page.pdf(prefer_css_page_size=True)
        assert pages_of(printed) == 1
        size = re.search(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", printed)
        assert size is not None
        width, height = (round(float(each) / 72 * 25.4) for each in size.groups())
        assert (width, height) == ((279, 216) if players > 4 else (216, 279))


def test_by_keyboard_alone(visitors: Visitors) -> None:
    page = visitors.visit("sheet")
    page.get_by_role("textbox", name="Name of player 1").focus()
    for name in NAMES[:3]:
        page.keyboard.type(name)
        page.keyboard.press("Enter" if name != NAMES[2] else "Tab")
    page.get_by_role("button", name="Start").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="How many will Ben win?")).to_be_visible()
    page.get_by_role("toolbar").get_by_role("button").first.focus()
    for keys in ("3", "1", "0", "3", "7"):
        page.keyboard.type(keys)
        page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Next round")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name=re.compile("Round 2"))).to_be_visible()


# --- everywhere ----------------------------------------------------------------------------


@pytest.mark.alone
@pytest.mark.sampled(3)
@pytest.mark.parametrize("language", LANGUAGES)
def test_no_barriers_and_nothing_too_wide(visitors: Visitors, language: str) -> None:
    page = visitors.visit("sheet", locale=language)
    expect(page.locator("h1")).to_be_visible()
    usual = catalogue(language)[f"edition.short.{catalogue(language)['edition.usual']}"]
    expect(page.get_by_role("radio", name=usual)).to_be_checked()
    for fold in page.locator("summary").all():
        fold.click()
    assert barriers_in_both_themes(page) == []
    page.locator(".bar button").click()
    for n in (10, 10, 10):
        page.locator(f"[data-number='{n}']").click()
    assert barriers_in_both_themes(page) == []
    for path in ("sheet", "sheet#new", "sheet#history", "judge"):
        page.goto(path)
        expect(page.locator("h1")).to_be_visible()
        for width in (320, 390):
            page.set_viewport_size({"width": width, "height": 640})
            assert too_wide(page) <= 0, (path, width)
        page.set_viewport_size({"width": 640, "height": 400})  # as at a zoom of 200 %
        for size in ("200%", ""):
            page.evaluate("size => { document.documentElement.style.fontSize = size; }", size)
            assert too_wide(page) <= 0, (path, size)


# --- elsewhere than at the root of localhost -----------------------------------------------


@pytest.fixture(scope="module")
def sheet_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The page as a folder of files, on a plain web host, below a path; its address."""
    root = tmp_path_factory.mktemp("host")
    write_folder(str(root / "games" / "sheet"))
    handler = partial(Quiet, directory=str(root))
    with ThreadingHTTPServer(("localhost", 0), handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://localhost:{server.server_port}/games/sheet/"
        server.shutdown()


class Quiet(SimpleHTTPRequestHandler):
    """Sends files, and logs nothing."""

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  # the library's name
        pass


def test_a_folder_of_files_works_on_any_host(
    visitors: Visitors, offline_noise: None, sheet_folder: str
) -> None:
    page = visitors.visit(sheet_folder, service_workers="allow")
    kept(page)
    page.context.set_offline(True)
    page.goto(f"{sheet_folder}judge.html")
    expect(page.get_by_role("heading", name="Trick judge")).to_be_visible()
    page.get_by_role("link", name="Sheet").click()
    begin(page)
    assert page.url == sheet_folder
    page.reload()
    expect(page.get_by_role("heading", name=re.compile("Round 1"))).to_be_visible()
    page.context.set_offline(False)
    manifest = page.evaluate(
        "fetch(document.querySelector('link[rel=manifest]').href).then((each) => each.json())"
    )
    assert (manifest["start_url"], manifest["scope"]) == ("./", "./")
    for icon in manifest["icons"]:
        assert page.request.get(sheet_folder + icon["src"]).ok
