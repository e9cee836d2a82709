"""The rim belongs to the cloth: on no page does a text or a button lie across it."""

from __future__ import annotations

from functools import partial
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from page.browsing import SIZES, Visitors, across_the_rim, apart, become, loaded, rest
from page.playing import Player
from page.test_any_device import PAGES
from page.waiting import soon
from server.running import open_table
from server.table_client import cookie, game_of, play_out


def assert_clear(page: Page, within: str = "body") -> None:
    """Nothing lies across the rim, whatever the size of the window, nor when it is scrolled."""
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        for down in (0, 100):
            page.evaluate(f"scrollTo(0, {down})")
            assert across_the_rim(page, within) == [], (page.url, width, height, down)


@pytest.mark.alone
def test_nothing_lies_across_the_rim_of_any_page(visitors: Visitors) -> None:
    page = visitors.blank()
    sheet = {"sheet", "sheet#history", "judge"}
    for path in {*PAGES, *sheet, "open", "g/zzzzzzzz/1"} - {"learn"}:
        page.goto(path)
        loaded(page)
        assert_clear(page)


def test_nor_before_a_game(visitors: Visitors) -> None:
    """At the door, in the lobby, on the television, and where there is no table."""
    ann = visitors.server.someone("Ann")
    for players in (4, 8):
        code = open_table(ann, "poof", players, name="Bartholomew Montgomery")
        for path in (f"t/{code}", f"tv/{code}", "t/zzzzzzzz"):
            page = visitors.visit(path)
            loaded(page)
            assert_clear(page)
        host = visitors.blank()
        become(host, cookie(ann), visitors.server)
        host.goto(f"t/{code}")
        expect(host.get_by_role("button", name="Start with")).to_be_visible()
        assert_clear(host)


#: The names and numbers at a desktop's table that reach into its rim.
_IN_THE_RIM = """() => {
    const { left, top, right, bottom, width, height } =
        document.querySelector('.play .ground').getBoundingClientRect();
    const radius = Math.min(width, height) / 2;
    const between = (least, value, most) => Math.min(Math.max(value, least), most);
    const inside = (x, y) => radius - Math.hypot(
        x - between(left + radius, x, right - radius),
        y - between(top + radius, y, bottom - radius));
    return [...document.querySelectorAll('.seats [data-seat] :is(b, .row)')].filter((one) => {
        const box = one.getBoundingClientRect();
        const corners = [box.left, box.right].flatMap((x) => [[x, box.top], [x, box.bottom]]);
        return corners.some(([x, y]) => inside(x, y) < 16);
    }).map((one) => one.textContent);
}"""


@pytest.mark.parametrize("players", [3, 4, 5, 6, 7, 8])
def test_names_at_a_desktop_lie_inside_the_rim(visitors: Visitors, players: int) -> None:
    player = Player(visitors)
    player.plays_bots("poof", players)
    page = player.page
    expect(page.locator(".seats > li")).to_have_count(players - 1)
    for width, height in ((1280, 800), (1440, 900), (1920, 1080)):
        page.set_viewport_size({"width": width, "height": height})
        rest(page)
        assert soon(page.evaluate, _IN_THE_RIM) == [], (width, height)


def test_nor_after_a_game(visitors: Visitors) -> None:
    """Whoever has won, and whatever they are called."""
    people = [visitors.server.someone("Ann") for _ in range(2)]
    codes = list[str]()

    async def game(bots: int) -> None:
        table: dict[str, Any] = {"rules": "poof+schedule:1.1", "players": 2 + bots}
        table |= {"name": "Bartholomew Montgomery", "bots": [None, *["random"] * bots]}
        async with game_of(visitors.server.url, people, **table) as guests:
            codes.append(guests[0].code)
            await play_out(guests, Random(bots))

    for bots in (0, 1, 6):
        apart(partial(game, bots))
        for person in people:
            page = visitors.blank()
            become(page, cookie(person), visitors.server)
            page.goto(f"t/{codes[-1]}")
            expect(page.locator("#game-end")).to_be_visible()
            assert_clear(page, "section.end")
