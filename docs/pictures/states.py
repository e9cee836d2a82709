"""Every state of the page that is photographed: for the README, and for the tests, which compare
it with small earlier pictures (``tests/page/test_pictures.py``)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from hashlib import sha256
from typing import Any, Final, NamedTuple

from playwright.sync_api import Page

from docs.pictures.staging import (
    Evening,
    evening,
    last_to_a_trick,
    last_to_bid,
    last_to_the_first_trick,
    may_call,
    may_change,
    nearly_over,
)
from rage.table import Options

#: The size of a window in pixels.
Size = tuple[int, int]
PHONE, SHORT, SMALL, FLAT = (390, 844), (390, 664), (360, 640), (844, 390)
DESK, LAPTOP, TABLET = (1440, 900), (1280, 800), (768, 1024)
LIGHT: Final = {"color_scheme": "light"}
FORCED: Final = {"forced_colors": "active"}


def nothing(_: Page) -> None:
    """Do nothing: the page opens in its state."""


class State(NamedTuple):
    """One state: its ``name``; the ``size`` of the window; the ``evening`` whose table it shows,
    or else the ``path`` of a page. ``there``: the selector of an element that shows that the page
    is ready; ``come`` leads from there to the state; ``look``: options of the browser context;
    ``coached``: seen by a newcomer; ``readme``: its dots per pixel in the README, or 0."""

    name: str
    size: Size
    evening: Callable[[], Evening] | None = None
    path: str = ""
    come: Callable[[Page], None] = nothing
    there: str = "[data-hand]"
    look: Mapping[str, Any] = {}
    coached: bool = False
    readme: float = 0

    @property
    def code(self) -> str:
        """The code of its table."""
        letters = "abcdefghjkmnpqrstuvwxyz23456789"
        return "".join(letters[byte % 31] for byte in sha256(self.name.encode()).digest()[:8])

    @property
    def address(self) -> str:
        """The path of its page."""
        return f"t/{self.code}" if self.evening else self.path

    @property
    def touched(self) -> bool:
        """Whether its window is a phone's or a tablet's."""
        return self.size not in (DESK, LAPTOP)


def _sheet(page: Page) -> None:
    """Open the score sheet, and look at its chart."""
    page.locator("[data-icon=score]").first.click()
    page.locator("dialog[open] svg").last.scroll_into_view_if_needed()


def _panel(page: Page) -> None:
    page.locator("[data-icon=chat]").first.click()
    page.locator("[data-panel]").wait_for()


def _menu(page: Page) -> None:
    page.locator("[data-icon=menu]").first.click()
    page.locator("dialog[open]").wait_for()


def _calls(page: Page) -> None:
    page.locator('[data-hand="W"]').first.click()
    page.locator(".colour").first.wait_for()


def _plays(page: Page) -> None:
    """Play the first legal card; the trick stays, won, with the reason."""
    page.locator("[data-hand]:not([aria-disabled])").first.click()
    _until(page, ".crown")
    page.clock.run_for(400)


def _changes(page: Page) -> None:
    """Change the trump, whose colour has just covered the cloth."""
    page.locator('[data-hand="C"]').first.click()
    page.clock.run_for(20)  # for the finger to leave it
    page.locator(".colour:not([aria-disabled])").last.click()
    page.locator("[data-pending]").first.wait_for(state="detached")
    page.clock.run_for(400)


def _until(page: Page, what: str) -> None:
    """Show the server's events step by step until an element is there."""
    page.locator("[data-pending]").first.wait_for(state="detached")
    for _ in range(30):
        if page.locator(what).count():
            return
        page.clock.run_for(60)
    raise AssertionError(f"{what} is never there")


def _covers(page: Page) -> None:
    """Hide the address of the server, which differs each time."""
    page.locator(".invite .qr, .invite .link").evaluate_all(
        "(all) => all.forEach((one) => (one.style.visibility = 'hidden'))"
    )


def _gathers() -> Evening:
    return Evening().gather(bots=False)


_SINCE: Final = 1045  # the first evening with such a moment is far from number 0
_trick = partial(evening, last_to_a_trick, since=_SINCE)
_bids = partial(evening, last_to_bid)
_first = partial(evening, last_to_the_first_trick)
_late = partial(evening, nearly_over)
_over = partial(evening, None)
_between = partial(evening, None, options=Options(between=None))
_NEXT, _MY_TURN = "#round-end", ".status.mine"

STATES: Final = (
    State("table", LAPTOP, _trick, there=_MY_TURN),
    State("phone", PHONE, _trick, there=_MY_TURN, readme=2),
    State("light", PHONE, _bids, there="[data-number]", look=LIGHT, readme=2),
    State("sheet", PHONE, _late, come=_sheet, readme=2),
    State("start", PHONE, there=".actions .big"),
    State("start-desk", DESK, there=".scene .hand"),
    State("lobby", PHONE, _gathers, there=".lobby .primary", come=_covers),
    State("bids-short", SHORT, _bids, there="[data-number]"),
    State("bids-coached", PHONE, _bids, there="aside button", coached=True),
    State("won", PHONE, _first, come=_plays),
    State("won-desk", DESK, _first, come=_plays, look=LIGHT),
    State("changed", SHORT, partial(evening, may_change), come=_changes),
    State("colours", SMALL, partial(evening, may_call), come=_calls),
    State("hidden", SHORT, partial(_first, rules="poof+hidden-bids", players=6)),
    State("teams", PHONE, partial(_first, rules="poof+teams:2"), look=LIGHT),
    State("eight", SMALL, partial(_first, players=8)),
    State("tablet", TABLET, partial(_first, rules="amigo", players=3), look=LIGHT),
    State("flat", FLAT, _trick, there=_MY_TURN),
    State("round", PHONE, _between, there=_NEXT),
    State("end", PHONE, _over, there="#game-end"),
    # With fewer people, because the same group would see the results of its whole evening.
    State("end-desk", LAPTOP, partial(_over, friends=1), there="#game-end", look=LIGHT),
    State("chat", DESK, partial(_first, players=6), come=_panel),
    State("menu", SHORT, _trick, come=_menu, look=LIGHT),
    State("learn", PHONE, path="learn", there="aside button", coached=True),
    State("forced", PHONE, _trick, there=_MY_TURN, look=FORCED),
)  # fmt: skip
