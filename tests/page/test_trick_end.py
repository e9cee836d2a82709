"""The end of a trick, as it is drawn: the crown, the reason, the cards that slide to the winner,
the count there, and only then the next lead. And cards come one after the other."""

from __future__ import annotations

import json
import re
from itertools import pairwise
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import Page, expect

from page.browsing import SIZES
from page.conftest import Come
from page.staging import Scene, Staged, follows
from page.waiting import soon, tries
from rage import Game
from rage.say import catalogue

#: Notes what is drawn, and when.
WATCH = """
window.times = [];
addEventListener('DOMContentLoaded', () => {
    const seen = {};
    const note = (what, by = null) => times.push([what, by, performance.now()]);
    const changed = (what, value) => {
        const before = seen[what];
        seen[what] = value;
        return before !== undefined && before !== value;
    };
    const text = (one) => one?.textContent.trim() ?? '';
    const find = (what) => document.querySelector(what);
    new MutationObserver((changes) => {
        for (const { addedNodes, removedNodes } of changes) {
            for (const { dataset } of addedNodes) if (dataset?.played) note('card', dataset.by);
            for (const { dataset } of removedNodes) if (dataset?.played) note('gone', dataset.by);
        }
        if (changed('crown', find('.crown') !== null) && seen.crown) note('crown');
        if (changed('said', text(find('.note'))) && seen.crown && seen.said) note('said');
        if (changed('sliding', find('.trick [inert]') !== null) && seen.sliding) note('slide');
        for (const one of document.querySelectorAll('[data-seat]'))
            if (changed(one.dataset.seat, text(one.querySelector('.numbers'))))
                note('count', one.dataset.seat);
    }).observe(document, {
        subtree: true, childList: true, characterData: true, attributes: true,
    });
});
"""


def loses(game: Game) -> bool:
    """I am last to the first trick of four, and whatever I play, the player after me wins it, so
    that three cards come before mine."""
    if not follows(game) or len(game.hand(0)) < game.rounds[-1].hand_size:
        return False
    for move in game.legal_moves:
        then = game.copy()
        then.play(move)
        if then.to_act != 1:
            return False
    return True


SCENE = Scene("poof+pack:change0.wild0+schedule:6", 4, loses)


class Drawn(NamedTuple):
    what: str
    seat: str | None
    at: float


def drawn(page: Page) -> list[Drawn]:
    return [Drawn(*each) for each in page.evaluate("times")]


@pytest.fixture
def at_the_end(come: Come, tables: Staged) -> Any:
    """My browser, where I am about to play the last card of a trick that another wins."""

    def at_table(*scripts: str, **look: Any) -> Page:
        return come(tables.fresh(SCENE), scripts=[WATCH, *scripts], **look)

    return at_table


def to_the_next_lead(page: Page) -> list[Drawn]:
    """What is drawn from the last card of a trick until the others have played to the next."""
    page.clock.install()
    page.clock.pause_at(page.evaluate("Date.now() + 1000"))
    page.evaluate("times.length = 0")
    page.locator("[data-hand]:not([aria-disabled])").first.click()
    for _ in tries(page):
        found = drawn(page)
        if [each.what for each in found].count("card") == 4:
            break
        page.clock.run_for(20)
    return found


@pytest.mark.sampled(2)
@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_the_end_of_a_trick_is_seen_before_the_next_lead(at_the_end: Any, motion: str) -> None:
    """By the page's own clock, which goes on no faster than what the browser moves, and stands
    still while a busy machine does something else. How long each step takes is said exactly in
    ``game/hold.test.ts``."""
    found = to_the_next_lead(at_the_end(reduced_motion=motion))
    cards = [each.at for each in found if each.what == "card"]
    last, lead = cards[:2]
    first = {each.what: each.at for each in reversed(found)}
    gone = [each.at for each in found if each.what == "gone"]
    assert last < first["crown"] < first["said"] < first["slide"] < first["count"] < lead, found
    assert len(gone) == 4
    assert max(gone) <= lead, "the last card of a trick is gone before the next one is led"
    assert 1000 <= first["slide"] - first["crown"] <= 1200, "for about a second"
    assert lead - last >= 1800, "from the last card to the next lead"
    between = [after - before for before, after in pairwise(cards[1:])]
    assert all(each >= 350 for each in between), between


@pytest.mark.alone
def test_a_touch_finishes_the_end_of_a_trick_at_once(at_the_end: Any) -> None:
    page = at_the_end(reduced_motion="no-preference")
    page.locator("[data-hand]:not([aria-disabled])").first.click()
    expect(page.locator(".crown")).to_be_visible()
    page.locator("section.middle").click(position={"x": 5, "y": 200})
    expect(page.locator(".crown")).to_have_count(0)
    expect(page.locator("[data-played]")).to_have_count(3)
    found = [each.what for each in drawn(page)]
    assert "slide" not in found, "nothing slides"
    expect(page.locator(".status.mine")).to_be_visible()


#: Run in the page of somebody who is coached, and has read these kinds of reasons.
COACHED = """localStorage['rage.coach'] = '{"hints":true,"reasons":%s}'"""
KINDS = [key for key in catalogue("en") if key.startswith("trick.")]


def test_the_coach_holds_the_end_of_a_trick_only_for_a_new_kind_of_reason(at_the_end: Any) -> None:
    """The first time, it says that a touch goes on."""
    page = at_the_end(COACHED % json.dumps(KINDS))
    last, lead = [each.at for each in to_the_next_lead(page) if each.what == "card"][:2]
    assert 1800 <= lead - last <= 2600
    expect(page.get_by_text("Touch to go on.")).to_have_count(0)
    page = at_the_end(COACHED % "[]")
    page.locator("[data-hand]:not([aria-disabled])").first.click()
    page.get_by_text("Touch to go on.").first.click()
    expect(page.locator(".crown")).to_have_count(0)
    found = [each.what for each in drawn(page)]
    assert "slide" not in found, "nothing slides"


def third_team_wins(game: Game) -> bool:
    """I am last to the first trick, and whatever I play, the third team wins it."""
    if not follows(game):
        return False
    leader = (game.rounds[-1].dealer + 1) % len(game.names)
    tricks = []
    for move in game.legal_moves:
        game.play(str(move))
        tricks.append(game.rounds[-1].tricks[0].winner)
        game.undo()
    return leader == 1 and all(winner is not None and winner % 3 == 2 for winner in tricks)


#: What of the words about a trick cannot be seen: all of them, their end, or whose they are.
CUT = """() => {
    const said = document.querySelector('.said');
    const banner = document.querySelector('.voice .sign b');
    return [
        !/gana|gewinn/.test(said.querySelector('.voice .note').textContent) && 'they are gone',
        said.scrollHeight > said.clientHeight + 1 && 'they scroll',
        banner?.offsetHeight > 20 && 'the banner has two lines',
    ].filter(Boolean);
}"""


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("scene", "language"), [
    (Scene("poof", 8, follows, mark="whole"), "de"),
    (Scene("poof", 8, follows, mark="whole"), "es"),
    (Scene("poof+three-teams", 6, third_team_wins, mark="whole"), "es"),
    (Scene("poof+three-teams", 6, third_team_wins, mark="whole"), "de"),
])  # fmt: skip
def test_why_a_trick_was_won_is_read_whole(
    come: Come, tables: Staged, scene: Scene, language: str
) -> None:
    """In every window and the longest languages; and a team's banner is one line."""
    page = come(
        tables.fresh(scene),
        viewport={"width": 568, "height": 320},
        locale=language,
        settings={"trick": "long", "single": False},
    )
    page.clock.install()
    page.clock.pause_at(page.evaluate("Date.now() + 1000"))
    page.locator("[data-hand]:has(.playable)").first.click()
    said = page.locator(".voice .note").filter(has_text=re.compile("gana|gewinn"))
    for _ in tries(page):
        if said.count():
            break
        page.clock.run_for(20)
    for wide, high in SIZES:
        page.set_viewport_size({"width": wide, "height": high})
        page.clock.run_for(100)
        assert soon(page.evaluate, CUT) == [], (wide, high)
