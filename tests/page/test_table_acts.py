"""What one does at a table, and how it answers: at once, with reasons, and without giving tells."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from playwright.sync_api import expect

from page.browsing import Visitors
from page.line import Line
from page.playing import Player, Seat, plays_out
from page.waiting import lets_pass, once, soon, tries

SIMPLE = "poof+pack:wild0.change0.out0.bonus0.mad0+schedule:"


def bids(player: Player, bid: int = 1) -> None:
    """Bid, whenever one's turn comes."""
    player.page.locator(f'[data-number="{bid}"]').click()


def my_turn(player: Player) -> list[str]:
    """Wait until one may play a card; the cards that may be."""
    expect(player.page.locator(".status.mine")).to_be_visible()
    expect(player.page.locator("[data-number]")).to_have_count(0)
    cards = player.hand.and_(player.page.locator(":not([aria-disabled])"))
    return [card.get_attribute("data-hand") or "" for card in cards.all()]


def test_a_card_that_is_refused_comes_back_with_the_reason(seat: Seat) -> None:
    ann = seat()
    line = Line(ann.page)
    ann.plays_bots(f"{SIMPLE}5", 2)
    bids(ann)
    card = my_turn(ann)[0]
    line.refuse = {"code": "table.bot_plays"}
    ann.page.locator(f'[data-hand="{card}"]').click()
    expect(ann.page.get_by_role("alert")).to_contain_text("A bot plays for you")
    expect(ann.page.locator(f'[data-hand="{card}"]')).to_be_visible()
    expect(ann.page.locator('[data-by="0"]')).to_have_count(0)
    assert len(line.plays) == 2


def two(seat: Seat) -> tuple[Player, Player, Line]:
    """Two people when all have bid: who leads, who waits, and the line of the one who waits."""
    ann, ben = seat("Ann"), seat("Ben")
    lines = {"Ann": Line(ann.page), "Ben": Line(ben.page)}
    table = ann.open(f"{SIMPLE}6", 2)
    ben.sit_down(table)
    ann.page.get_by_role("button", name="Start").click()
    expect(ben.hand).to_have_count(6)
    expect(ann.page.locator("[data-icon=dealer]").first).to_be_visible()
    first = ben if ann.page.locator(".own [data-icon=dealer]").count() else ann
    second = ann if first is ben else ben
    bids(first)
    bids(second)
    my_turn(first)
    return first, second, lines[second.name]


def without(part: str, ann: Player, visitors: Visitors) -> re.Pattern[str]:
    """Let a part of the page not load, as that of a server that was upgraded meanwhile; where it
    would come from."""
    visitors.expected.append("ERR_FAILED")
    gone = re.compile(f"/assets/{part}")
    ann.page.route(gone, lambda route: route.abort())
    return gone


@pytest.mark.alone
def test_what_does_not_load_says_so_and_there_is_a_way_on(seat: Seat, visitors: Visitors) -> None:
    ann = seat()
    without("RoundEnd", ann, visitors)
    ann.plays_bots(f"{SIMPLE}1.2", 2)
    bids(ann, 0)
    ann.page.locator(f'[data-hand="{my_turn(ann)[0]}"]').click()
    said = ann.page.get_by_role("alert").filter(has_text="could not be loaded")
    expect(said).to_be_visible()
    expect(said.get_by_role("button", name="Reload the page")).to_be_visible()
    said.get_by_role("button", name="Close").click()
    expect(ann.hand).to_have_count(2)


@pytest.mark.long
@pytest.mark.alone
def test_what_did_not_load_is_tried_again(seat: Seat, visitors: Visitors) -> None:
    ann = seat()
    gone = without("Help", ann, visitors)
    ann.plays_bots(f"{SIMPLE}5", 2)
    ann.page.get_by_role("button", name="Help").click()
    said = ann.page.get_by_role("alert").filter(has_text="could not be loaded")
    said.get_by_role("button", name="Close").click()
    expect(said).to_have_count(0)
    ann.page.get_by_role("button", name="Help").click()
    ann.page.unroute(gone)
    said.get_by_role("button", name="Try again").click()
    expect(ann.page.get_by_role("dialog", name="Help")).to_be_visible()


@pytest.mark.alone
def test_keys_of_the_browser_are_left_to_it(seat: Seat) -> None:
    ann = seat()
    ann.plays_bots(f"{SIMPLE}5", 2)
    number = ann.page.locator("[data-number='1']")
    ann.page.evaluate("addEventListener('keydown', (event) => taken = event.defaultPrevented)")
    for keys, taken in (("Control+2", False), ("2", True)):
        number.focus()
        ann.page.keyboard.press(keys)
        assert soon(ann.page.evaluate, "taken") == taken
        ann.page.evaluate("document.activeElement.blur()")
        ann.page.keyboard.press(keys)
        assert soon(ann.page.evaluate, "taken") == taken


def test_a_queued_card_is_not_sent_before_its_turn(seat: Seat) -> None:
    leader, waiter, line = two(seat)
    card = waiter.hand.first
    card.click()
    expect(card).not_to_have_attribute("aria-pressed", "true")
    expect(waiter.page.get_by_text("Touch it again to play it on your turn")).not_to_have_count(0)
    card.click()
    expect(card).to_have_attribute("aria-pressed", "true")
    card.click()
    expect(card).not_to_have_attribute("aria-pressed", "true")
    code = card.get_attribute("data-hand")
    card.click()
    card.click()
    lets_pass(waiter.page, 500)
    assert line.plays == ["1"], "nothing is sent before one's turn"
    leader.hand.first.click()
    said = waiter.page.get_by_role("alert").get_by_text("was led")
    expect(waiter.page.locator(f'[data-played="{code}"]').or_(said).first).to_be_visible()


def test_a_second_tap_right_after_a_play_counts_for_nothing(seat: Seat) -> None:
    """The card that has slid under the finger stays, no matter whose turn it is."""
    leader, _, _ = two(seat)
    held = leader.hand.count()
    box = leader.hand.nth(2).bounding_box()
    assert box is not None
    # The time within which no touch counts may pass before a slow machine has clicked four times.
    leader.page.evaluate("() => { const now = performance.now(); performance.now = () => now; }")
    for _ in range(4):
        leader.page.mouse.click(box["x"] + 8, box["y"] + box["height"] / 2)
    leader.page.evaluate("() => delete performance.now")
    expect(leader.page.locator("[data-played]")).to_have_count(1)
    expect(leader.hand).to_have_count(held - 1)
    for card in leader.hand.all():
        expect(card).not_to_have_attribute("aria-pressed", "true")
        expect(card.locator(".chosen")).to_have_count(0)


@pytest.mark.long
def test_the_only_card_that_may_be_played_is_played_by_itself_if_wanted(seat: Seat) -> None:
    """Also where a card that is touched waits for a second touch: this one is not."""
    ann = seat()
    setting(ann, single=True, guard="tap")
    line = Line(ann.page)
    ann.plays_bots(f"{SIMPLE}1.3", 2)
    bids(ann, 0)
    expect(ann.page.locator("[data-number='3']")).to_be_visible()
    assert len(line.plays) == 2, "a bid of mine, and the card that was played by itself"


@pytest.mark.alone
def test_back_closes_what_lies_over_the_table_and_stays_there(seat: Seat) -> None:
    """Beside a table, and on a telephone, where the menu opens it."""
    ann = seat()
    ann.plays_bots(f"{SIMPLE}5", 2)
    bids(ann)
    my_turn(ann)
    url, dialog = ann.page.url, ann.page.get_by_role("dialog")
    for _ in range(2):
        ann.page.get_by_role("button", name="Help").click()
        expect(dialog).to_be_visible()
        ann.page.go_back()
        expect(dialog).to_have_count(0)
        assert ann.page.url == url
    ann.page.get_by_role("button", name="Help").click()
    expect(dialog).to_be_visible()
    ann.page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    ann.page.set_viewport_size({"width": 390, "height": 844})
    for entry in ("Log", "Help"):
        ann.page.get_by_role("button", name="Menu").click()
        expect(dialog).to_have_accessible_name("Menu")
        dialog.get_by_role("button", name=entry).click()
        expect(dialog).to_have_accessible_name(re.compile(entry))
        ann.page.wait_for_function("history.state?.over")
        ann.page.go_back()
        expect(dialog).to_have_count(0)
        assert ann.page.url == url
    expect(ann.hand.first).to_be_visible()


@pytest.mark.alone
def test_one_switch_in_the_menu_mutes_sound_and_vibration(seat: Seat) -> None:
    ann = seat()
    ann.page.add_init_script(
        "window.made = []; navigator.vibrate = () => made.push('vibration');"
        "AudioContext.prototype.createOscillator = () => { made.push('sound'); throw Error() };"
        "AudioContext.prototype.createBufferSource = AudioContext.prototype.createOscillator"
    )
    ann.plays_bots(f"{SIMPLE}5", 2)
    ann.page.get_by_role("button", name="Menu").click()
    menu = ann.page.get_by_role("dialog", name="Menu")
    expect(menu.get_by_role("link", name="Settings")).to_have_attribute("href", "settings")
    mute = menu.get_by_role("switch", name="Mute")
    expect(mute).not_to_be_checked()
    mute.click()
    expect(mute).to_be_checked()
    ann.page.keyboard.press("Escape")
    ann.page.evaluate("made.length = 0")
    bids(ann)
    my_turn(ann)
    assert once(ann.page.evaluate, "made") == []
    ann.page.reload()
    ann.page.get_by_role("button", name="Menu").click()
    expect(mute).to_be_checked()


def setting(player: Player, **settings: Any) -> None:
    """Before the page is opened: what this person likes."""
    kept = json.dumps(json.dumps(settings))
    player.context.add_init_script(f"localStorage.setItem('rage.settings', {kept})")


@pytest.mark.long
def test_with_a_second_tap_one_tap_plays_nothing(seat: Seat) -> None:
    ann = seat()
    setting(ann, guard="tap")
    line = Line(ann.page)
    ann.plays_bots(f"{SIMPLE}5", 2)
    bids(ann)
    card = my_turn(ann)[0]
    ann.page.locator(f'[data-hand="{card}"]').click()
    expect(ann.page.locator(".voice")).to_contain_text("Touch it again to play it")
    assert line.plays == ["1"]
    ann.page.locator(f'[data-hand="{card}"]').click()
    expect(ann.page.locator('[data-by="0"]')).to_have_count(1)
    assert line.plays == ["1", card]


@pytest.mark.long
def test_a_moment_to_take_it_back(seat: Seat) -> None:
    ann = seat()
    setting(ann, guard="moment")
    line = Line(ann.page)
    ann.plays_bots(f"{SIMPLE}5", 2)
    bids(ann)
    cards = my_turn(ann)
    first, last = cards[0], cards[-1]
    ann.page.locator(f'[data-hand="{first}"]').click()
    expect(ann.page.locator(f'[data-played="{first}"]')).to_be_visible()
    ann.page.get_by_role("button", name="Take back").click()
    expect(ann.page.locator(f'[data-hand="{first}"]')).to_be_visible()
    assert line.plays == ["1"]
    ann.page.locator(f'[data-hand="{last}"]').click()
    for _ in tries(ann.page):
        if line.plays == ["1", last]:
            break


def heard(player: Player) -> str:
    """What the live region has announced."""
    return player.page.locator('[data-live="polite"]').inner_text()


READINGS = {
    "h": r"Your hand: .*(red|orange|yellow|green|blue|purple) \d",
    "t": r"No card lies on the table|: (red|orange|yellow|green|blue|purple) \d",
    "l": r"No trick has been finished",
    "s": r"Ann: 0 points",
    "u": r"Trump is \w+\. Turned up",
    "b": r"^\d+ bid for 5 tricks\. Ann: bid 1, won 0",
}


@pytest.mark.alone
@pytest.mark.long
def test_keys_read_out_and_can_be_switched_off(seat: Seat) -> None:
    ann = seat()
    ann.plays_bots(f"{SIMPLE}5", 2)
    bids(ann)
    my_turn(ann)
    for key, expected in READINGS.items():
        ann.page.keyboard.press(key)
        expect(ann.page.locator('[data-live="polite"] p').last).to_have_text(re.compile(expected))
    ann.page.keyboard.press("?")  # first of the card that has the focus
    expect(ann.page.get_by_role("tooltip")).to_be_visible()
    ann.page.keyboard.press("?")
    dialog = ann.page.get_by_role("dialog", name="Help and keys")
    dialog.get_by_role("checkbox", name="read the scores").uncheck()
    ann.page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    before = heard(ann)
    ann.page.keyboard.press("s")
    assert once(heard, ann) == before
    ann.page.keyboard.press("u")
    expect(ann.page.locator('[data-live="polite"] p').last).to_have_text(re.compile("Trump is"))


@pytest.mark.alone
@pytest.mark.long
@pytest.mark.parametrize(("level", "cards", "tricks"), [
    ("brief", False, False), ("usual", False, True), ("full", True, True),
])  # fmt: skip
def test_three_levels_of_detail(seat: Seat, level: str, cards: bool, tricks: bool) -> None:
    ann = seat()
    setting(ann, narration=level)
    ann.plays_bots(f"{SIMPLE}4", 2)
    text = ""
    for _ in tries(ann.page):
        ann.act()
        text += heard(ann)
        if ann.over:
            break
    text += heard(ann)
    assert "Your turn" in text
    assert "the game with" in text
    assert bool(re.search(r"Vega (plays|leads) ", text)) == cards
    assert bool(re.search("wins? the trick", text)) == tricks  # all may be won by Ann


COUNT = """window.notes = 0;
const made = AudioContext.prototype.createOscillator;
AudioContext.prototype.createOscillator = function () {
    window.notes += 1;
    return made.call(this);
};"""
SOUNDS = ("card", "trick", "turn", "trump", "met", "missed")


@pytest.mark.alone
@pytest.mark.long
@pytest.mark.parametrize("on", [True, False])
def test_sounds_are_made_where_they_are_wanted(seat: Seat, on: bool) -> None:
    ann = seat()
    ann.page.add_init_script(COUNT)
    setting(ann, sounds=dict.fromkeys(SOUNDS, on))
    ann.plays_bots(f"{SIMPLE}3", 2)
    bids(ann)
    card = my_turn(ann)[0]
    ann.page.locator(f'[data-hand="{card}"]').click()
    expect(ann.page.locator(".won").or_(ann.page.locator(".status.mine")).first).to_be_visible()
    if on:
        ann.page.wait_for_function("notes > 0")
    lets_pass(ann.page, 400)
    assert once(lambda: ann.page.evaluate("notes") > 0) == on


@pytest.mark.alone
@pytest.mark.long
def test_nobody_is_to_act_when_a_round_is_over(seat: Seat) -> None:
    ann = seat()
    ann.plays_bots(f"{SIMPLE}1.1.1", 2)
    followed = 0
    for _ in range(2):
        bids(ann, 0)
        card = my_turn(ann)[0]
        followed += ann.page.locator("[data-played]").count()
        ann.page.locator(f'[data-hand="{card}"]').click()
        expect(ann.page.locator("#round-end")).to_be_visible()
        expect(ann.page.locator(".acts")).to_have_count(0)
        ann.page.get_by_role("button", name="Next round").click()
    assert followed == 1, "one of the rounds was ended by my card"


#: Notes every place that each tool of the table has had, from now on.
_PLACES = """() => {
    window.places = {};
    const look = () => {
        for (const tool of document.querySelectorAll('.tools button, header nav button')) {
            const { left, top } = tool.getBoundingClientRect();
            (window.places[tool.textContent.trim()] ??= new Set()).add(`${left},${top}`);
        }
        requestAnimationFrame(look);
    };
    look();
}"""


def test_no_tool_moves_when_another_comes_or_goes(seat: Seat) -> None:
    """At a desktop: Claim and Advice are there on my turn alone."""
    ann = seat()
    ann.plays_bots("poof+schedule:3", 4)
    tool = ann.page.locator(".tools").get_by_role("button")
    expect(tool.filter(has_text="Last trick")).to_be_visible()
    ann.page.evaluate(_PLACES)
    plays_out(ann)
    places = ann.page.evaluate("Object.entries(places).map(([name, all]) => [name, all.size])")
    assert {"Claim", "Advice", "Last trick", "Menu"} <= dict(places).keys()
    assert {name: number for name, number in places if number > 1} == {}
