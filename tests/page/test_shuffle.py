"""What each browser adds to the shuffle, and what it notices: real pages of a real server, and
servers that cheat, by somebody on the line who changes messages."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from page.browsing import barriers, too_wide
from page.line import Line
from page.playing import Player, Seat, plays_out, press
from rage.engine.deal import Deals, commitment, word_commitment
from rage.rules.editions import ruleset

RULES = "poof+schedule:1"
SECOND = b"a seed that suits somebody"
#: The parts of the page that only people who gather need.
PARTS = re.compile("(shuffle|witness|Lobby)-")
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}}


def come(seat: Seat, table: str, name: str, *, line: bool = False, **look: Any) -> Player:
    """Somebody sits down at a table, perhaps with somebody on the line."""
    player: Player = seat(name, **look)
    player.line = Line(player.page) if line else None  # type: ignore[attr-defined]
    return player.sit_down(table)


def line_of(player: Player) -> Line:
    line: Line = player.line  # type: ignore[attr-defined]
    return line


def all_in(player: Player, names: str) -> None:
    """Wait until these are told to add to the shuffle."""
    page = player.page
    page.locator("details").filter(has_text="helps shuffle").evaluate("at => at.open = true")
    expect(page.get_by_text(f"Helping shuffle: {names}")).to_be_visible()


def proof(player: Player, table: str, verdict: str) -> Page:
    """The proof of the first game, with what it comes to."""
    player.page.goto(f"{player.server.url}/g/{table}/1")
    shown = player.page.locator("[data-verdict]")
    expect(shown).to_have_attribute("data-verdict", verdict)
    details = player.page.get_by_text("How that was checked")
    if verdict != "fails":
        details.click()
    return player.page


def record_of(player: Player, table: str) -> dict[str, Any]:
    address = f"{player.server.url}/api/tables/{table}/games/1/record"
    record: dict[str, Any] = player.page.request.get(address).json()
    return record


@pytest.mark.sampled(3)
@pytest.mark.parametrize("edition", ["poof", "amigo", "fundex"])
def test_every_browser_adds_a_word_and_vouches_for_what_it_saw(seat: Seat, edition: str) -> None:
    """Also one that was opened again in the middle of a round; and for no other record."""
    ann = seat("Ann")
    options = {"between": None}
    table = ann.open(f"{edition}+schedule:3.2", 3, bots=["random"], options=options)
    ben = come(seat, table, "Ben", **PHONE)
    all_in(ben, "Ann and Ben")
    assert not too_wide(ben.page)
    assert barriers(ben.page) == []
    ben.page.get_by_label("A word of your own").fill("owl")
    ben.page.get_by_role("button", name="Add").click()
    expect(ben.page.get_by_text("Your word: owl")).to_be_visible()
    ben.page.reload()
    all_in(ben, "Ann and Ben")
    expect(ben.page.get_by_text("Your word: owl")).to_be_visible()
    ann.page.get_by_role("button", name="Start").click()
    expect(ben.hand).to_have_count(3)
    ben.page.reload()
    plays_out(ann, ben, until="#round-end")
    ben.page.reload()
    plays_out(ann, ben)
    words = record_of(ann, table)["words"]
    assert [bool(re.fullmatch(due, word or "")) for due, word in zip(
        ("[0-9a-f]{32}", "", "owl [0-9a-f]{32}"), words, strict=True)] == [True] * 3  # fmt: skip
    for player in (ann, ben):
        page = proof(player, table, "holds")
        expect(page.get_by_text("Yes. No one could choose these cards")).to_be_visible()
        expect(page.get_by_text("added by this browser")).to_have_count(1)
        expect(page.get_by_text("fits its fingerprint")).to_have_count(2)
        expect(page.get_by_text("In 2 of 2 rounds it saw its own hand")).to_be_visible()
        assert not too_wide(page)
        assert barriers(page) == []

    def answer(route: Route) -> None:
        told = route.fetch().json()
        tricks = told["record"]["rounds"][1]["tricks"]
        tricks[0], tricks[1] = tricks[1], tricks[0]
        route.fulfill(json=told)

    page.route(re.compile(rf"/api/tables/{table}/games/1(\?|$)"), answer)
    page = proof(ben, table, "fails")
    expect(page.get_by_text("not the cards that this browser saw")).to_be_visible()


def test_with_bots_alone_nobody_waits_and_the_proof_claims_less(seat: Seat) -> None:
    ann = seat("Ann")
    fetched: list[str] = []
    ann.page.on("request", lambda request: fetched.extend(PARTS.findall(request.url)))
    table = ann.plays_bots(RULES, 2)
    plays_out(ann)
    assert fetched == []
    page = proof(ann, table, "none")
    expect(page.get_by_text("One person played against bots and no word was added")).to_be_visible()
    ann.open(RULES, 2)
    all_in(ann, "Ann")
    assert {"shuffle", "witness", "Lobby"} <= set(fetched)


@pytest.mark.long
def test_a_second_commitment_is_an_alarm_at_once_and_after_the_game(seat: Seat) -> None:
    """A server that commits to another seed once it knows all words, and has a record to fit."""
    ann = seat("Ann")
    table = ann.open(RULES, 2)
    ben = come(seat, table, "Ben", line=True)
    all_in(ben, "Ann and Ben")
    noted = ben.page.locator("details code").first.inner_text()
    ann.page.get_by_role("button", name="Start").click()
    expect(ben.hand).to_have_count(1)
    alarm = ben.page.get_by_role("dialog", name="Something is wrong with the shuffle")
    expect(alarm).to_have_count(0)
    line_of(ben).tell({"type": "seed_committed", "game": 1, "hash": commitment(SECOND)})
    expect(alarm.get_by_text("another fingerprint of its seed")).to_be_visible()
    assert barriers(ben.page) == []

    # It also is one after the page was reopened, if that shows the second one as the first.
    def doctor(message: dict[str, Any]) -> None:
        if message["type"] == "table":
            message["table"]["commitment"] = commitment(SECOND)

    line_of(ben).doctor = doctor
    ben.page.reload()
    expect(alarm).to_be_visible()
    alarm.get_by_role("button", name="Close").click()
    expect(alarm).to_have_count(0)
    plays_out(ann, ben)
    assert record_of(ann, table)["commitment"] == noted != commitment(SECOND)

    forge(ben.page, table)
    page = proof(ben, table, "fails")
    expect(page.get_by_text("No. This is not what this browser noted")).to_be_visible()
    expect(page.get_by_text("this browser noted a different one:")).to_be_visible()
    # A person who was not there finds nothing wrong in the forged record, and sees no more.
    forge(ann.page, table)
    ann.page.evaluate("localStorage.clear()")
    page = proof(ann, table, "half")
    expect(page.get_by_text("this one did not")).to_be_visible()


def forge(page: Page, table: str) -> None:
    """Another game in the place of the one that was played: from the second seed, with words and
    commitments that fit it."""

    def answer(route: Route) -> None:
        answer = route.fetch().json()
        record, replay = answer["record"], answer["replay"]
        rules, words = ruleset(replay["rules"]), record["words"]
        deal = Deals(rules, 2, SECOND, [word or "" for word in words]).deal(1)
        for whole in (record["rounds"][0], replay["rounds"][0]):
            whole["dealer"] = deal.dealer
            whole["hands"] = [str(hand) for hand in deal.hands]
        record["rounds"][0]["stock"] = str(deal.stock)
        record["seed"], record["commitment"] = SECOND.hex(), commitment(SECOND)
        record["word_commitments"] = [word_commitment(commitment(SECOND), each) for each in words]
        route.fulfill(json=answer)

    page.route(re.compile(rf"/api/tables/{table}/games/1(\?|$)"), answer)


def test_who_is_left_out_of_the_list_reveals_nothing_and_is_told(seat: Seat) -> None:
    ann = seat("Ann")
    table = ann.open(RULES, 2)
    ben = come(seat, table, "Ben", line=True)
    all_in(ben, "Ann and Ben")

    def doctor(message: dict[str, Any]) -> None:
        for event in message.get("events", ()):
            if event["type"] == "words_closed":
                event["hashes"][1] = None
        if changed := message.get("changed", {}).get("word_commitments"):
            changed[1] = None

    line_of(ben).doctor = doctor
    ann.page.get_by_role("button", name="Start").click()
    alarm = ben.page.get_by_role("dialog", name="Something is wrong with the shuffle")
    expect(alarm.get_by_text("was left out or replaced")).to_be_visible()
    assert line_of(ben).of("reveal_word") == []


def take_seat(table: dict[str, Any]) -> None:
    """I have the other seat, and its cards."""
    table["me"]["seat"] = table["game"]["seat"] = 1 - table["me"]["seat"]


def see_hand(table: dict[str, Any]) -> None:
    """I keep my seat, but have other cards."""
    table["game"]["hand"] = "R15" if table["game"]["hand"] != "R15" else "R14"


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("change", "said"),
    [
        (take_seat, "a different seat from the one that it noted"),
        (see_hand, "not the cards that this browser saw"),
    ],
)
def test_who_is_given_another_seat_or_other_cards_is_told(
    seat: Seat, change: Callable[[dict[str, Any]], None], said: str
) -> None:
    """At once, and when the page is opened again. What else a server may change, and when, is in
    ``fair/shuffle.test.ts``."""
    ann = seat("Ann")
    table = ann.open(RULES, 2)
    ben = come(seat, table, "Ben", line=True)
    all_in(ben, "Ann and Ben")
    ann.page.get_by_role("button", name="Start").click()
    expect(ben.hand).to_have_count(1)
    alarm = ben.page.get_by_role("dialog", name="Something is wrong with the shuffle")
    ben.page.reload()
    expect(ben.hand).to_have_count(1)
    expect(alarm).to_have_count(0)
    line_of(ben).show(change)
    expect(alarm.get_by_text(said)).to_be_visible()
    ben.page.reload()
    expect(alarm.get_by_text(said)).to_be_visible()


@pytest.mark.long
def test_who_stays_silent_is_waited_for_named_and_left_out(seat: Seat) -> None:
    ann = seat("Ann")
    table = ann.open(RULES, 3, bots=["random"])
    silent = come(seat, table, "Ben", line=True, **PHONE)
    all_in(ann, "Ann and Ben")
    line_of(silent).drop = "reveal_word"
    ann.page.get_by_role("button", name="Start").click()
    for page in (ann.page, silent.page):
        shuffling = page.get_by_role("region", name="Shuffling")
        row = shuffling.get_by_role("listitem")
        expect(row.filter(has_text="Ann")).to_contain_text("is in")
        expect(row.filter(has_text="Ben")).to_have_text("Still waiting for Ben")
        assert barriers(page) == []
        assert not too_wide(page)
    expect(ann.hand).to_have_count(1)
    message = "The game begins without the word that Ben had added to the shuffle"
    expect(ann.page.locator("[data-live=polite]")).to_contain_text(message)
    ann.page.reload()
    press(ann.page, "Log")
    expect(ann.page.get_by_role("listitem").filter(has_text=message)).to_be_visible()
    expect(ann.hand).to_have_count(1)
    plays_out(ann, silent)
    for player in (ann, silent):
        page = proof(player, table, "half")
        expect(page.get_by_text("1 word was held back")).to_be_visible()
        expect(page.get_by_text("choose between 2 deals")).to_be_visible()
        row = page.locator("dl > div").filter(has_text="Ben")
        expect(row).to_contain_text("held back")
