"""After the game, in a real browser: every moment, the link to it, the record, and the proof."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from operator import sub
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import Page, expect

from page.browsing import (
    Visitors,
    across_the_rim,
    apart,
    barriers,
    become,
    too_wide,
    unfold,
)
from page.waiting import lets_pass, once, soon
from rage.cli import main
from rage.engine.deal import word_commitment
from rage.notation import parse_record, read_link, write_record
from rage.say import LANGUAGES, Reason, sentence, text
from server.running import Running, open_table
from server.table_client import connected, cookie, play_out

RULES = "poof+schedule:3.2.1"
WORD = "señor Ñandú 00112233445566778899aabbccddeeff"
CARD = re.compile(r"\b([ROYGBP])(1[0-5]|\d)\b")
#: What is drawn: the hands by seat, the card played by each, and the sentence.
DRAWN = """() => {
    const codes = (at) => [...at.querySelectorAll('[data-card]')].map((card) => card.dataset.card);
    const rows = [...document.querySelectorAll('[data-seat]')];
    const story = (without) => {
        const copy = document.querySelector('[data-testid=story]').cloneNode(true);
        for (const each of copy.querySelectorAll(without)) each.remove();
        return copy.textContent.replace(/\\s+/g, ' ').trim();
    };
    return {
        at: document.querySelector('[data-at]').dataset.at,
        hands: rows.map((row) => codes(row.querySelector('.strip') ?? document.createElement('p'))),
        trick: rows.map((row) => codes(row.querySelector('.played'))[0] ?? null),
        seen: story('[aria-hidden] + .unseen'),
        heard: story('[aria-hidden]'),
    };
}"""


class Over(NamedTuple):
    """A game that is over, and its host's cookie; ``answer``: what the server says of it."""

    server: Running
    table: str
    cookie: str
    answer: dict[str, Any]

    @property
    def path(self) -> str:
        return f"g/{self.table}/1"

    def visited(self, visitors: Visitors, moment: str = "", **options: Any) -> Page:
        """The game, seen by its host, at a moment."""
        page = visitors.blank(**options)
        self.enter(page, visitors)
        page.goto(f"{self.path}#{moment}")
        unfold(page)
        expect(page.get_by_role("region", name="All hands")).to_be_visible()
        return page

    def enter(self, page: Page, visitors: Visitors) -> None:
        """Become the host."""
        become(page, self.cookie, self.server, visitors.folder)


def over(server: Running, rules: str, players: int) -> Over:
    """A game of one person, who has added a word, and bots."""
    ann = server.someone("Ann")
    table = open_table(ann, rules, players, bots=["steady"] * (players - 1))

    async def play() -> None:
        async with connected(server.url, table, ann) as guest:
            hash_ = word_commitment(guest.table["commitment"], WORD)
            await guest.do("commit_word", hash=hash_)
            await guest.do("start")
            await guest.do("reveal_word", word=WORD)
            await play_out([guest], Random(3))

    apart(play)
    answer = ann.get(f"/api/tables/{table}/games/1").json()
    return Over(server, table, cookie(ann), answer)


@pytest.fixture(scope="module")
def game(page_server: Running) -> Over:
    return over(page_server, RULES, 4)


# --- every moment --------------------------------------------------------------------------


def moments(answer: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """What is to be seen at each moment: worked out from the record's hands and the moves."""
    replay = answer["replay"]
    for number, written in zip(replay["rounds"], answer["record"]["rounds"], strict=True):
        hands = [hand.split() for hand in written["hands"]]
        trick: list[str | None] = [None] * 4
        for step in number["steps"]:
            if step["at"].split(".")[1] != "0":
                if step["at"].endswith(".1"):
                    trick = [None] * 4
                move, seat = step["move"], step["seat"]
                trick[seat] = move
                hands[seat].remove(move[0] if move[0] in "WC" else move)
            said = [Reason(each.pop("code"), each) for each in (dict(one) for one in step["say"])]
            story = " ".join(
                sentence(each, edition="poof", names=replay["players"])
                for each in sorted(said, key=lambda each: each.code.startswith("event.points"))
            )
            at = [sorted(hand) for hand in hands]
            heard = CARD.sub(lambda card: f"{text(f'colour.{card[1]}')} {card[2]}", story)
            yield {"at": step["at"], "hands": at, "trick": trick.copy(), "seen": story,
                   "heard": heard}  # fmt: skip


def shows(page: Page, at: str) -> None:
    """Wait until the page shows a moment, which its address says a little later."""
    expect(page.locator("[data-at]")).to_have_attribute("data-at", at)


def drawn(page: Page) -> dict[str, Any]:
    found: dict[str, Any] = page.evaluate(DRAWN)
    return {**found, "hands": [sorted(hand) for hand in found["hands"]]}


def without_letters(text: str) -> str:
    """A sentence as it is seen: a card in it has a symbol in place of the letters of its colour."""
    return re.sub(r"\b[^\W\d]{1,2}(?=\d)", "", text)


def raised(page: Page) -> set[str]:
    """The cards that stand higher."""
    cards = page.locator(".stage .up [data-card]")
    return {*cards.evaluate_all("all => all.map((one) => one.dataset.card)")}


@pytest.mark.alone
def test_every_moment_shows_all_hands_the_trick_and_what_happened(
    visitors: Visitors, game: Over
) -> None:
    """What the one to act could play stands higher."""
    page = game.visited(visitors)
    expected = list(moments(game.answer))
    assert len(expected) == 3 * 5 + 4 * 6
    tricks = {step["at"]: step for step in game.answer["replay"]["rounds"][0]["steps"][4:9]}
    for each in expected:
        shows(page, each["at"])
        assert soon(drawn, page) == {**each, "seen": without_letters(each["seen"])}
        if step := tricks.get(each["at"]):
            legal = {move[0] if move[0] in "WC" else move for move in step["legal"].split()}
            assert soon(raised, page) == legal
            expect(page.locator(f"[data-seat='{step['to_act']}']")).to_contain_text("to act")
        page.keyboard.press("ArrowRight")
    assert soon(lambda: drawn(page)["at"]) == expected[-1]["at"]  # and no further
    page.keyboard.press("ArrowLeft")
    page.wait_for_function("at => location.hash === '#' + at", arg=expected[-2]["at"])


#: A finger goes over the cards, so far to the right.
SWIPE = """(by) => {
    const at = document.querySelector('[data-seat="0"]');
    const touch = (type, x) => at.dispatchEvent(new PointerEvent(type, {
        bubbles: true, pointerType: 'touch', clientX: x, clientY: 200,
    }));
    touch('pointerdown', 200);
    touch('pointerup', 200 + by);
}"""


@pytest.mark.alone
def test_buttons_slider_rounds_swipes_and_addresses_lead_everywhere(
    visitors: Visitors, game: Over
) -> None:
    page = game.visited(visitors, "1.1.2", has_touch=True)
    page.get_by_role("button", name="Forward one").click()
    shows(page, "1.1.3")
    page.get_by_role("button", name="Forward to the next trick").click()
    shows(page, "1.1.4")
    page.get_by_role("button", name="Forward to the next trick").click()
    shows(page, "1.2.4")
    page.get_by_role("button", name="Back to the previous trick").click()
    shows(page, "1.1.4")
    page.get_by_role("button", name="Back one").click()
    shows(page, "1.1.3")
    page.get_by_role("button", name="Round 3, 1 card").click()
    shows(page, "3.0.0")
    page.get_by_role("button", name="Go to round 2").click()
    shows(page, "2.0.0")
    slider = page.get_by_role("slider")
    slider.focus()
    slider.press("ArrowRight")
    # once, though the page hears the key as well
    expect(page).to_have_url(re.compile(r"#2\.0\.1$"))
    slider.press("PageUp")
    shows(page, "2.0.4")
    slider.press("End")
    shows(page, "2.2.4")
    expect(slider).to_have_attribute("aria-valuetext", "Round 2, trick 2, card 4")
    page.keyboard.press("Shift+ArrowRight")
    expect(page).to_have_url(re.compile(r"#3\.0\.4$"))
    # Another moment of the game leaves the page as it is.
    page.goto(f"{game.path}#1.2")
    expect(page.locator(".where")).to_have_text("Round 1, trick 2, card 4")
    button = page.get_by_role("button", name="Copy a link for everyone")
    button.focus()
    page.go_back()
    shows(page, "3.0.4")
    expect(button).to_be_focused()
    page.evaluate(SWIPE, 80)
    expect(page).to_have_url(re.compile(r"#3\.0\.3$"))
    page.evaluate(SWIPE, -80)
    expect(page).to_have_url(re.compile(r"#3\.0\.4$"))
    page.evaluate(SWIPE, 20)
    lets_pass(page, 100)
    expect(page).to_have_url(re.compile(r"#3\.0\.4$"))


@pytest.mark.alone
@pytest.mark.long
def test_the_game_plays_by_itself_and_stops(visitors: Visitors, game: Over) -> None:
    page = game.visited(visitors, "3.0.0")
    page.get_by_role("button", name="Play", exact=True).click()
    status = page.get_by_test_id("story")
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    expect(status).to_contain_text("bids")
    page.keyboard.press("ArrowLeft")  # to look at a moment stops the replay
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    shown = status.inner_text()
    lets_pass(page, 1400)
    assert once(status.inner_text) == shown


# --- what one takes away -------------------------------------------------------------------


@pytest.mark.alone
def test_an_address_that_may_not_change_so_often_spoils_nothing(
    visitors: Visitors, game: Over
) -> None:
    """Safari refuses the hundred and first change within half a minute."""
    page = game.visited(visitors, "1")
    page.evaluate(
        """() => {
            window.changes = 0;
            history.replaceState = () => {
                window.changes += 1;
                throw new DOMException('too often', 'SecurityError');
            };
        }"""
    )
    # The time in which they count as one may pass before a slow machine has pressed all the keys.
    page.clock.install()
    page.clock.pause_at(page.evaluate("Date.now() + 1000"))
    for _ in range(25):
        page.keyboard.press("ArrowRight")
    page.clock.run_for(60_000)
    assert soon(page.evaluate, "window.changes") > 0
    expect(page.get_by_role("region", name="All hands")).to_be_visible()
    where = page.locator(".where").inner_text()
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".where")).not_to_have_text(where)
    assert once(page.evaluate, "window.changes") < 5


def copied(page: Page, button: str) -> str:
    """What a button copies."""
    page.evaluate("navigator.clipboard.writeText('')")
    page.get_by_role("button", name=button).click()
    reading = soon(page.evaluate, "navigator.clipboard.readText()")
    assert reading != ""
    expect(page.get_by_text("Copied.").first).to_be_visible()
    text: str = reading.seen
    return text


@pytest.mark.alone
def test_a_game_is_saved_shared_and_played_again(
    visitors: Visitors, game: Over, tmp_path: Path
) -> None:
    """As its record, as squares that give away no card, and from a moment on at a table of its
    own."""
    page = game.visited(visitors, permissions=["clipboard-read", "clipboard-write"])
    with page.expect_download() as downloading:
        name = "Download the record"
        page.get_by_role("link", name=name).or_(page.get_by_role("button", name=name)).click()
    path = tmp_path / downloading.value.suggested_filename
    downloading.value.save_as(path)
    assert path.name == f"{game.table}-1.rage.json"
    record = parse_record(path.read_bytes())
    assert json.loads(path.read_bytes()) == game.answer["record"]
    assert main(["verify", str(path)]) == 0
    assert main(["replay", str(path)]) == 0
    assert write_record(read_link(copied(page, "The whole game as a text"))) == write_record(record)

    said = copied(page, "Share the result")
    met = [0 in each["met"] for each in game.answer["replay"]["rounds"]]
    title, squares, told = said.splitlines()
    assert title.startswith("Rage")
    assert squares == "".join("🟩" if each else "⬜" for each in met)
    assert told.startswith(f"{sum(met)} of 3 bids met, ")
    assert CARD.search(said) is None

    at = page.locator("[data-moment]").get_attribute("data-moment") or ""
    page.get_by_role("button", name="Play it again").click()
    expect(page).to_have_url(re.compile(r"/t/\w{8}$"))
    assert page.url[-8:] != game.table
    expect(page.get_by_text(re.compile(f"Round {at[0]} of 3"))).to_be_visible()
    expect(page.locator(".top .round small")).to_have_text("practice")


def test_nobody_else_sees_the_game(visitors: Visitors, game: Over) -> None:
    page = visitors.visit(game.path)
    expect(page.get_by_role("alert").filter(has_text=re.compile("."))).to_be_visible()
    expect(page.locator("[data-card]")).to_have_count(0)


# --- the proof -----------------------------------------------------------------------------

NO_SUBTLE = "Object.defineProperty(crypto, 'subtle', {value: undefined})"


@pytest.mark.alone
def test_the_proof_holds_also_without_crypto_subtle(visitors: Visitors, game: Over) -> None:
    page = visitors.blank()
    page.add_init_script(NO_SUBTLE)
    game.enter(page, visitors)
    page.goto(game.path)
    assert once(page.evaluate, "crypto.subtle === undefined")
    expect(page.locator("[data-verdict]")).to_have_attribute("data-verdict", "half")
    expect(page.get_by_text("those fit their fingerprints")).to_be_visible()
    page.get_by_text("How that was checked").click()
    record = game.answer["record"]
    for shown in (record["seed"], record["commitment"]):
        parts = re.findall(".{1,8}", shown)
        code = page.locator("code").filter(has_text=parts[0])
        assert soon(code.evaluate, "at => at.textContent.replace(/\\s/g, '')") == shown
    expect(page.get_by_text(WORD)).to_be_visible()
    expect(page.get_by_text("fits its fingerprint", exact=True)).to_have_count(1)
    expect(page.get_by_text("This browser did not note it before the game")).to_be_visible()
    expect(page.get_by_text("one honest browser is enough")).to_be_visible()
    expect(page.get_by_text(visitors.says("page.proof.not_looking"))).to_be_visible()
    expect(page.get_by_role("img", name=re.compile(r"Round \d matches"))).to_have_count(3)


def swapped(answer: dict[str, Any]) -> None:
    """Two players exchange a card, in the record and in what is shown."""
    for whole in (answer["record"], answer["replay"]):
        hands = [hand.split() for hand in whole["rounds"][1]["hands"]]
        hands[0][0], hands[1][0] = hands[1][0], hands[0][0]
        whole["rounds"][1]["hands"] = [" ".join(hand) for hand in hands]


def shown_otherwise(answer: dict[str, Any]) -> None:
    hands = answer["replay"]["rounds"][0]["hands"]
    hands[0], hands[1] = hands[1], hands[0]


def another_seed(answer: dict[str, Any]) -> None:
    answer["record"]["seed"] = "00" * 16


def another_word(answer: dict[str, Any]) -> None:
    answer["record"]["words"][0] = "owl"


def no_seed(answer: dict[str, Any]) -> None:
    del answer["record"]["seed"]


TAMPERED = (
    (swapped, "fails", "Round 2 differs"),
    (shown_otherwise, "fails", "What this page shows is not what the record says."),
    (another_seed, "fails", "Its fingerprint is another one:"),
    (another_word, "fails", "does not fit its fingerprint"),
    (no_seed, "none", "the record has no seed"),
)


def test_what_was_tampered_with_is_seen(visitors: Visitors, game: Over) -> None:
    """In each part of the proof. What is wrong with which records is said in ``test_proof.py``, and
    what comes of it in ``after/verdict.test.ts``."""
    page = visitors.blank()
    game.enter(page, visitors)
    forged: dict[str, Any] = {}
    games = re.compile(r"/api/tables/\w+/games/1(\?|$)")
    page.route(games, lambda route: route.fulfill(json=forged))
    for change, verdict, says in TAMPERED:
        forged = json.loads(json.dumps(game.answer))
        change(forged)
        page.goto(game.path)
        expect(page.locator("[data-verdict]")).to_have_attribute("data-verdict", verdict)
        found = page.get_by_text(says).or_(page.get_by_role("img", name=says))
        expect(found.first).to_be_visible()


# --- the moments that mattered ------------------------------------------------------------


@pytest.mark.alone
@pytest.mark.sampled(5)
@pytest.mark.parametrize("width", [390, 320])
@pytest.mark.parametrize("language", LANGUAGES)
def test_three_moments_come_first_and_all_else_is_folded(
    visitors: Visitors, game: Over, width: int, language: str
) -> None:
    page = visitors.blank(
        viewport={"width": width, "height": 844 if width == 390 else 568}, locale=language
    )
    game.enter(page, visitors)
    page.goto(game.path)
    moment = page.locator("[data-moment]")
    expect(moment).to_be_visible()
    expect(page.locator("#after-analysis")).to_be_attached()
    expect(page.locator("[data-at]")).to_be_hidden()
    seen = []
    for _ in range(3):
        at = moment.get_attribute("data-moment") or ""
        seen.append(at)
        cards = 4 if at.split(".")[1] != "0" else 0
        expect(moment.locator(".trick [data-card]")).to_have_count(cards)
        expect(moment.get_by_role("status")).to_contain_text(at.split(".")[0])
        assert too_wide(page) == 0
        page.locator(".mattered .turn button").last.click()
    assert len(set(seen)) == 3
    assert barriers(page) == []
    assert across_the_rim(page) == []
    page.locator(".watching summary").click()
    assert soon(page.evaluate, "document.documentElement.scrollHeight") < 5.5 * 844


# --- everyone ------------------------------------------------------------------------------


@pytest.mark.alone
def test_eight_players_fit_a_small_phone(visitors: Visitors) -> None:
    game = over(visitors.server, "poof+schedule:11", 8)
    page = game.visited(visitors, "1.11.8", viewport={"width": 320, "height": 640})
    assert too_wide(page) == 0
    page.goto(f"{game.path}#1.0.0")
    # Of each card of eleven, the strip with its rank is to be seen.
    strip = page.locator("[data-seat='0'] .strip li")
    expect(strip).to_have_count(11)
    places = "all => all.map((one) => one.getBoundingClientRect().x)"
    assert soon(lambda: sub(*strip.evaluate_all(places)[1::-1])) >= 18
