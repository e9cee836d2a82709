"""The table fits every screen, and nobody is shut out: sizes, names, numbers of players, axe."""

from __future__ import annotations

import re
from random import Random
from typing import Any

import pytest
from playwright.sync_api import expect

from page.browsing import Visitors, apart, barriers_and_echoes, become, rest
from page.playing import DESK, Player, Seat, plays_out, press
from page.waiting import once, soon, tries
from rage.say import signed
from server.table_client import NAMES, cookie, game_of, play_out

#: As an iPhone has them lying on its side, and standing without the browser's own bars.
ROUND = [((844, 390), (0, 47, 21, 47)), ((390, 844), (47, 0, 34, 0))]
#: Which elements do not keep the given distances from the edges.
HIDDEN = """([which, [top, right, bottom, left]]) => {
    const all = [...document.querySelectorAll(which)].filter((one) => one.checkVisibility());
    if (!all.length) return ['nothing is there'];
    return all.flatMap((one) => {
        const box = one.getBoundingClientRect();
        const clear = box.left >= left - 4 && box.right <= innerWidth - right + 4
            && box.top >= top - 4 && box.bottom <= innerHeight - bottom + 4;
        return clear ? [] : [`${one.ariaLabel ?? one.textContent} ${JSON.stringify(box)}`];
    });
}"""


def plays_to_a_trick(player: Player) -> None:
    """Bid, and play until cards lie on the table and it is one's turn."""
    page = player.page
    for _ in tries(page):
        if page.locator(".status.mine").count() and page.locator("[data-played]").count():
            return
        player.act()


@pytest.mark.sampled(2)
@pytest.mark.parametrize("size", [(390, 844), (1280, 800)], ids=["phone", "desk"])
def test_axe_finds_nothing(seat: Seat, size: tuple[int, int]) -> None:
    """Bidding, playing, with every panel open, and at the end."""
    ann = seat(viewport={"width": size[0], "height": size[1]})
    found = {}
    ann.plays_bots("poof+schedule:9", 4, options={"known": True})
    expect(ann.page.locator("[data-number]").first).to_be_visible()
    found["bidding"] = barriers_and_echoes(ann.page)
    plays_to_a_trick(ann)
    rest(ann.page)
    found["playing"] = barriers_and_echoes(ann.page)
    for name in ("Scores", "Last trick", "Log", "Known", "People"):
        press(ann.page, re.compile(f"^{name}"))
        rest(ann.page)
        found[name] = barriers_and_echoes(ann.page)
        ann.page.keyboard.press("Escape")
    press(ann.page, "Help")
    rest(ann.page)
    found["help"] = barriers_and_echoes(ann.page)
    ann.plays_bots("poof+schedule:1", 4)
    plays_out(ann)
    expect(ann.page.locator("#game-end")).to_be_visible()
    rest(ann.page)
    found["end"] = barriers_and_echoes(ann.page)
    assert {name: each for name, each in found.items() if each} == {}


#: From where a panel comes: the edges of the window that it touches all along.
EDGES = """(panel) => {
    const { left, right, top, bottom } = panel.getBoundingClientRect();
    const at = { left: left < 1, right: right > innerWidth - 1,
                 top: top < 1, bottom: bottom > innerHeight - 1 };
    return Object.keys(at).filter((edge) => at[edge]);
}"""


def test_panels_come_from_below_on_a_telephone_and_from_the_side_on_a_desktop(seat: Seat) -> None:
    ann = seat()
    ann.plays_bots("poof+schedule:4", 3)
    for name in ("Menu", "Trump", "Rules", "Help"):
        ann.page.set_viewport_size({"width": 390, "height": 844})
        press(ann.page, name)
        panel = ann.page.get_by_role("dialog")
        assert soon(panel.evaluate, EDGES) == ["left", "right", "bottom"], name
        ann.page.set_viewport_size({"width": 1280, "height": 800})
        assert soon(panel.evaluate, EDGES) == ["right", "top", "bottom"], name
        ann.page.keyboard.press("Escape")
        expect(panel).to_have_count(0)


@pytest.mark.alone
def test_without_colour_the_trump_is_told_by_sign_and_word(seat: Seat) -> None:
    ann = seat(forced_colors="active")
    # With an Out there might be no trump, as soon as a bot has played it.
    ann.plays_bots("poof+pack:out0+schedule:5", 3)
    trump = ann.page.locator("[data-trump]")
    expect(trump.locator("svg")).to_be_visible()
    expect(trump).to_have_text(re.compile("(red|orange|yellow|green|blue|purple)$"))


@pytest.mark.alone
@pytest.mark.sampled(2)
@pytest.mark.parametrize(("size", "insets"), ROUND, ids=["lying", "standing"])
def test_nothing_lies_under_round_corners_and_notches(
    seat: Seat, size: tuple[int, int], insets: tuple[int, int, int, int]
) -> None:
    ann = seat(viewport={"width": size[0], "height": size[1]})
    devtools = ann.context.new_cdp_session(ann.page)
    sides = dict(zip(("top", "right", "bottom", "left"), insets, strict=True))
    devtools.send("Emulation.setSafeAreaInsetsOverride", {"insets": sides})
    ann.plays_bots("poof+schedule:10", 4)
    plays_to_a_trick(ann)
    rest(ann.page)
    page = ann.page
    assert soon(page.evaluate, HIDDEN, [".play button, .play a, [data-played]", insets]) == []
    press(page, "People")
    expect(page.locator("[data-panel]")).to_be_visible()
    assert soon(page.evaluate, HIDDEN, ["[data-panel] header", insets]) == []
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Scores").click()
    expect(page.locator("dialog tfoot")).to_be_attached()
    page.locator("dialog .inside").evaluate("(node) => node.scrollTo(0, 9999)")
    assert soon(page.evaluate, HIDDEN, ["dialog header, dialog .head, dialog tfoot", insets]) == []


#: How many heights the totals of each round of a score sheet have; and how much of it is cut off.
TOTALS = """() => [...document.querySelectorAll('aside tbody tr')].map((row) => {
    const tops = [...row.querySelectorAll('td > b')].map((one) => one.getBoundingClientRect().top);
    return new Set(tops).size;
})"""
CUT = "(pad) => pad.scrollWidth - pad.clientWidth"


def test_the_end_of_a_long_game_of_eight_is_in_sight(visitors: Visitors) -> None:
    """The whole sheet beside it, with the totals of a round at one height, and the next game."""
    people = [visitors.server.someone(name) for name in ("Ann", "Ben")]
    codes = []

    async def game() -> None:
        table: dict[str, Any] = {
            "rules": f"poof+schedule:{'.'.join('3' * 10)}",
            "bots": [None, *["random"] * 6],
        }
        async with game_of(visitors.server.url, people, players=8, **table) as guests:
            codes.append(guests[0].code)
            await play_out(guests, Random(1))

    apart(game)
    page = visitors.blank(viewport=DESK)
    become(page, cookie(people[0]), visitors.server)
    page.goto(f"t/{codes[0]}")
    expect(page.get_by_role("button", name="Play again")).to_be_in_viewport(ratio=1)
    assert soon(page.evaluate, TOTALS) == [1] * 10
    assert soon(page.locator("aside .pad").evaluate, CUT) <= 0


#: What of a finished game is said to somebody: the headline, the line below it, and about them.
TOLD = """() => ['#game-end-title', '#game-end', 'li:has([data-icon=chart])',
    'li:has([data-icon=star])'].map((one) =>
        document.querySelector(`section.end ${one}`)?.innerText ?? '')
"""


def test_the_end_of_a_game_speaks_to_each(visitors: Visitors) -> None:
    """Their place and how far it is from the first, what the game turned on, and their best round:
    as in the scores. Nobody reads twice who won."""
    people = [visitors.server.someone(name) for name in NAMES]
    codes, scores = list[str](), [0, 0]

    async def game() -> None:
        async with game_of(visitors.server.url, people, rules="poof+schedule:3.3.3.3") as guests:
            codes.append(guests[0].code)
            await play_out(guests, Random(4))

    while scores.count(max(scores)) > 1:  # until one is ahead
        apart(game)
        replay = people[0].get(f"/api/tables/{codes[-1]}/games/1").json()["replay"]
        scores = replay["scores"]
    rounds = [each["points"] for each in replay["rounds"]]
    first, lead = scores.index(max(scores)), max(scores) - sorted(scores)[-2]
    for seat, name in enumerate(NAMES):
        page = visitors.blank(permissions=["clipboard-read", "clipboard-write"])
        become(page, cookie(people[seat]), visitors.server)
        page.goto(f"t/{codes[-1]}")
        expect(page.get_by_role("link", name="Look back")).to_be_visible()
        title, standing, turn, best = once(page.evaluate, TOLD)
        points = f"{signed(scores[seat])} {'point' if scores[seat] == 1 else 'points'}"
        if seat == first:
            assert title == f"You win, {name}!"
            assert standing.startswith(f"{points}, {lead} ahead of ")
            assert turn.endswith(", in the lead for good")
        else:
            place = 1 + sum(other > scores[seat] for other in scores)
            lost = max(each[first] - each[seat] for each in rounds)
            assert title == f"{NAMES[first]} wins!"
            assert standing.startswith(f"You came {place}")
            assert standing.endswith(f" with {points}, {scores[first] - scores[seat]} behind.")
            assert turn.endswith(signed(-lost))
            assert NAMES[first] not in standing + turn + best
        most = max(each[seat] for each in rounds)
        assert best.startswith("Your best round" if most > 0 else "")
        assert best.endswith(signed(most, "+d") if most > 0 else "")
        assert bool(best) == (most > 0)
        page.get_by_role("button", name="Share", exact=True).click()
        expect(page.get_by_text("Copied.")).to_be_visible()
        assert points in once(page.evaluate, "navigator.clipboard.readText()")
