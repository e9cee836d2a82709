"""A table on the whole screen, and somebody who plays at it by keys alone."""

from __future__ import annotations

import re

from textual.pilot import Pilot

from rage.game.view import View
from rage.rules.editions import ruleset
from rage.tui.app import TableApp
from rage.tui.look import Look
from rage.tui.opening import player_names
from rage.tui.session import Session


def table(rules: str, players: int = 4, *, pause: str = "key", seed: bytes = b"t") -> TableApp:
    names = player_names("Marie", players, ["random"])
    session = Session.start(ruleset(rules), names, ["random"], seed)
    session.by_hand = True  # nothing happens until a test does it
    looks = Look("en", session.rules.edition)
    return TableApp(session, looks, speed="instant", pause=pause)


def one_line(shown: str) -> str:
    """Lines as one, with single spaces; spaces at which no line breaks stay."""
    return re.sub("[ \n]+", " ", shown)


def screen_text(app: TableApp) -> str:
    """What stands on the screen."""
    strips = app.screen._compositor.render_strips()
    return "\n".join("".join(segment.text for segment in strip) for strip in strips)


def at_table(app: TableApp) -> bool:
    """Whether no window lies over the table."""
    return app.screen is app.table


async def settle(pilot: Pilot[None]) -> None:
    """Until the person is asked for something: a move, a key, or a look at a window."""
    app = pilot.app
    assert isinstance(app, TableApp)
    for _ in range(500):
        await pilot.pause()
        waiting = app.table.scene.my_turn or app.table.scene.pause or app.session.over
        if waiting or app.screen is not app.table:
            return
    raise AssertionError("nobody is asked and nothing moves")


async def play_out(pilot: Pilot[None], app: TableApp, limit: int = 1000) -> None:
    """The whole game by keys alone: Enter wherever it does."""
    for _ in range(limit):
        await settle(pilot)
        if app.session.over and app.table.scene.pause is None and app.screen is app.table:
            return
        await pilot.press("enter")
    raise AssertionError("the game does not end")


async def until_something_is_refused(pilot: Pilot[None], app: TableApp) -> View:
    """Play on until the hand holds a card that may not be played."""
    for _ in range(200):
        await settle(pilot)
        view = app.session.view()
        if view.my_turn and not view.bidding and app.table.scene.my_turn:
            playable = {move.card for move in view.legal_moves}
            if set(view.hand) - playable:
                return view
        await pilot.press("enter")
    raise AssertionError("nothing was ever refused")
