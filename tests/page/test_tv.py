"""A table on a television, which everybody in the room sees, in a real browser."""

from __future__ import annotations

import asyncio
import re
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from page.browsing import UNPAINTED, Visitors, apart, barriers, become
from page.entering import written
from page.overlaps import CHECK
from page.playing import Player, Seat, plays_out, pressed
from page.staging import Scene, Staged, bids_last, follows
from page.waiting import once, soon
from server.running import open_table
from server.table_client import connected, cookie, play_out

HIDDEN = Scene("poof+hidden-bids", 4, bids_last)
FULL = Scene("poof", 8, follows)
TEAMS = Scene("amigo+three-teams", 6, follows)
SCREENS = ((1280, 720), (1920, 1080))
#: What of the table a screen has, which is nobody's, when somebody follows.
SHOWN = ["trump", "bids", "sign", "name", "numbers", "stock", "played"]
#: What reaches out of the window, is cut off at its side, or is set smaller than one can read from
#: afar, which is 2.2 per cent of the height of a screen.
OUT = """() => [...document.querySelectorAll('.tv *')]
    .filter((one) => one.checkVisibility({ visibilityProperty: true }))
    .filter((one) => !one.closest('.unseen, svg, .cloths, .ground, .fall, [aria-hidden] .fan'))
    .flatMap((one) => {
        const { left, top, right, bottom, width } = one.getBoundingClientRect();
        const found = [], style = getComputedStyle(one);
        const text = [...one.childNodes].some((each) => each.nodeType === 3 && each.data.trim());
        if (left < -1 || top < -1 || right > innerWidth + 1 || bottom > innerHeight + 1)
            found.push('reaches out');
        if (one.scrollWidth > one.clientWidth + 1 && one.clientWidth && style.overflowX !== 'clip'
            && style.textOverflow !== 'ellipsis' && text) found.push('cut off');
        if (one.scrollHeight > one.clientHeight + 1 && style.overflowY === 'auto')
            found.push('would have to be scrolled');
        if (text && width && parseFloat(style.fontSize) < 0.022 * innerHeight)
            found.push(`is set in ${style.fontSize}`);
        return found.map((what) => `${what}: ${one.className} ${one.textContent.slice(0, 40)}`);
    })"""
#: What of the end of a round lies on the points beside it.
LIES_ON_POINTS = """() => [...document.querySelectorAll('.end li')].flatMap((side) => {
    const { left } = side.querySelector('.total').getBoundingClientRect();
    return [...side.querySelectorAll('.who span:not(.unseen)')]
        .filter((one) => one.getBoundingClientRect().right > left)
        .map((one) => one.textContent);
})"""
#: What a screen asks its browser for, which a browser for tests may not have.
ASKED = """
    window.asked = [];
    WakeLock.prototype.request = (what) => (asked.push(what), new Promise(() => {}));
    Element.prototype.requestFullscreen = () => (asked.push('full'), Promise.resolve());
"""


def played_by(page: Page) -> set[str]:
    """Whose the cards of the trick are, as is heard."""
    return set(page.locator("[data-played] > * > * > .unseen").all_text_contents())


def settled(page: Page) -> None:
    """Wait until all that comes late is there."""
    page.wait_for_load_state("networkidle")
    expect(page.locator(".tv img")).to_be_visible()


def screen(browser: Browser, tables: Staged, scene: Scene, **look: Any) -> Page:
    """A television at the table of a scene, which nobody has signed in to."""
    context = browser.new_context(**{"reduced_motion": "reduce", "locale": "en", **look})
    for script in (UNPAINTED, ASKED):
        context.add_init_script(script)
    page = context.new_page()
    tables.store(scene)
    page.goto(f"{tables.server.url}/tv/{scene.code}")
    expect(page.locator(".voice .status")).not_to_be_empty()
    settled(page)
    return page


def test_hidden_bids_and_hands_stay_hidden(browser: Browser, tables: Staged) -> None:
    page = screen(browser, tables, HIDDEN, viewport={"width": 1280, "height": 720})
    seats = page.locator(".seats > li")
    expect(seats).to_have_count(4)
    expect(page.locator(".seats .numbers", has_text="?")).to_have_count(3)
    expect(page.locator("[data-hand]")).to_have_count(0)
    expect(page.locator(".voice .status")).to_have_text("So far 3 of 4 have bid.")
    expect(page.get_by_role("heading", name="Round 1 of 10")).to_be_visible()
    assert barriers(page) == []
    assert once(page.evaluate, "asked") == ["screen"]
    page.keyboard.press("Enter")
    page.locator("h2", has_text="Scores").click()
    assert soon(page.evaluate, "asked") == ["screen", "full", "full"]
    page.context.close()


@pytest.mark.long
@pytest.mark.parametrize("size", SCREENS, ids=str)
def test_all_of_a_trick_is_seen_from_afar(
    browser: Browser, tables: Staged, size: tuple[int, int]
) -> None:
    """Also by eight, and by teams; the sign of who has played a card is on each."""
    for scene in (FULL, TEAMS):
        page = screen(browser, tables, scene, viewport={"width": size[0], "height": size[1]})
        names = page.locator(".seats .name b")
        expect(names).to_have_count(scene.players)
        played = page.locator("[data-played]")
        expect(played.first).to_be_visible()
        sitting = {name.get_attribute("title") for name in names.all()}
        assert soon(played_by, page) == sitting - {"Annabella"}
        assert soon(page.evaluate, CHECK, SHOWN) == []
        assert soon(page.evaluate, OUT) == []
        page.context.close()


def test_a_television_follows_the_game_from_the_lobby_to_its_end(seat: Seat) -> None:
    """It is opened from the browser of somebody who plays, and goes on playing there."""
    ann: Player = seat("Ann")
    code = ann.open("poof+schedule:1.1", 8, bots=["random"] * 6, options={"between": None})
    with ann.context.expect_page() as opened:
        ann.page.get_by_role("link", name="Show on a television").click()
    tv = opened.value
    tv.set_viewport_size({"width": 1280, "height": 720})
    expect(tv).to_have_url(re.compile(f"/tv/{code}$"))
    expect(tv.get_by_role("heading", name="8 players")).to_be_visible()
    expect(tv.get_by_text(f"/t/{code}")).to_be_visible()
    expect(tv.get_by_role("listitem").filter(has_text="Ann")).to_be_visible()
    settled(tv)
    expect(tv.locator("[data-cloth]")).to_have_count(1)
    assert soon(tv.evaluate, "document.querySelector('.tv img').naturalWidth") > 0
    assert soon(tv.evaluate, OUT) == []
    assert barriers(tv) == []

    ann.page.get_by_role("button", name="Start").click()
    expect(tv.locator("[data-trump]")).to_be_visible()
    expect(ann.hand).to_have_count(1)
    plays_out(ann, until="#round-end")
    summary = tv.get_by_role("heading", name="Round 1 is over")
    expect(summary).to_be_visible()
    expect(tv.locator(".voice")).to_contain_text("wins the trick")
    expect(tv.locator(".end button")).to_have_count(0)
    assert soon(tv.evaluate, OUT) == []
    expect(tv.locator("[data-hand]")).to_have_count(0)
    for narrow in (390, 600):
        tv.set_viewport_size({"width": narrow, "height": 844})
        expect(tv.locator(".end li")).to_have_count(8)
        assert soon(tv.evaluate, LIES_ON_POINTS) == []
    tv.set_viewport_size({"width": 1280, "height": 720})

    ann.page.get_by_role("button", name="Next round").click()
    expect(summary).to_have_count(0)
    expect(tv.get_by_role("heading", name="Round 2 of 2")).to_be_visible()
    plays_out(ann)
    expect(tv.locator("#game-end")).to_be_visible()  # the summary comes before it
    settled(tv)
    assert soon(tv.evaluate, OUT) == []


@pytest.mark.long
def test_a_table_is_told_who_leads_the_evening(visitors: Visitors) -> None:
    """Where one has left and another come, too; the television shows it."""
    server = visitors.server
    ann, ben, cleo, dan = map(server.someone, ("Ann", "Ben", "Cleo", "Dan"))
    code = open_table(ann, "poof+schedule:1", 3)
    tv = visitors.visit(f"tv/{code}", viewport={"width": 1280, "height": 720})
    expect(tv.get_by_role("heading", name="3 players")).to_be_visible()

    async def play() -> None:
        async with connected(server.url, code, ann) as a, connected(server.url, code, ben) as b:
            await b.do("join", name="Ben")
            for game, person in enumerate((cleo, dan)):
                async with connected(server.url, code, person) as other:
                    await other.do("join", name=("Cleo", "Dan")[game])
                    await a.do("start")
                    await play_out([a, b, other], Random(game))
                    if game == 0:
                        await a.do("rematch")
                        await other.do("leave")

    apart(play)
    told = ann.get(f"/api/tables/{code}/games/2/evening").json()
    assert len(told["players"]) == 4
    phone = visitors.blank(viewport={"width": 390, "height": 844})
    become(phone, cookie(ann), server)
    phone.goto(f"t/{code}")
    for page in (phone, tv):
        evening = page.locator(".rest li").filter(has=page.locator("[data-icon=people]"))
        expect(evening).to_contain_text("This evening, 2 games: ")
        for each in told["players"]:
            expect(evening).to_contain_text(f"{each['name']} {written(each['points'])}")
        assert barriers(page) == []
    settled(tv)
    assert soon(tv.evaluate, OUT) == []


def test_a_television_gets_no_seat_and_is_never_the_host(seat: Seat) -> None:
    """Not even as the only one who is left; it goes on watching."""
    ann, ben = seat("Ann"), seat("Ben")
    code = ann.open("poof", 2)
    tv = ben.context.new_page()
    tv.goto(f"tv/{code}")
    people = pressed(ann.page, "People")
    expect(people.locator("[data-spectator]")).to_contain_text("TV")
    people.get_by_role("button", name="More about Ann").click()
    expect(people.get_by_role("option")).to_have_text(["a bot"])
    people.get_by_role("button", name="Leave the table").click()
    people.get_by_role("button", name="Yes").click()
    expect(ann.page).to_have_url(re.compile("/$"))

    async def until_nobody_is_host() -> None:
        async with (
            asyncio.timeout(10),
            connected(ann.server.url, code, ann.server.someone("Cy")) as guest,
        ):
            while guest.table["host"] is not None:
                await guest.receive()

    apart(until_nobody_is_host)
    ben.sit_down(code)
    expect(ben.page.get_by_role("button", name="Start")).to_be_visible()
    expect(tv.get_by_role("listitem").filter(has_text="Ben")).to_be_visible()
    expect(pressed(ben.page, "People").locator("[data-spectator]")).to_contain_text("TV")


@pytest.mark.long
def test_where_nobody_may_watch_it_says_so_and_waits(visitors: Visitors) -> None:
    page = visitors.visit("tv/zzzzzzzz", viewport={"width": 1280, "height": 720})
    expect(page.get_by_role("heading", name="There is nothing here")).to_be_visible()
    ann = visitors.server.someone("Ann")
    code = open_table(ann, "poof", 2, options={"spectators": False})
    page.goto(f"tv/{code}")
    expect(page.get_by_role("heading", name="This table has no spectators")).to_be_visible()

    async def allow() -> None:
        async with connected(visitors.server.url, code, ann) as host:
            options = {**host.table["options"], "spectators": True}
            await host.do("configure", rules="poof", players=2, options=options)

    apart(allow)
    expect(page.get_by_role("heading", name="Point a phone here")).to_be_visible()
