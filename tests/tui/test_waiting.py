"""What the table on the whole screen waits for: neither for a bot, once somebody leaves, nor for
ever over a trick."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from threading import Event
from time import monotonic

import pytest
from textual.pilot import Pilot

from rage.bots.advice import Advice
from rage.rules.editions import ruleset
from rage.rules.values import Move
from rage.table import BotTurn
from rage.tui.app import TableApp
from rage.tui.look import Look
from rage.tui.screens import TextWindow
from rage.tui.session import Session, choose
from tui.keys import screen_text


def table(pause: str = "key") -> TableApp:
    session = Session.start(ruleset("poof+schedule:3"), ["Ann", "Ben", "Cem"], ["random"], b"t")
    return TableApp(session, Look("en", "poof"), speed="instant", pause=pause)


async def until(pilot: Pilot[None], fits: Callable[[], bool]) -> None:
    end = monotonic() + 20
    while not fits():
        assert monotonic() < end
        await pilot.pause(0.01)


def test_a_player_who_leaves_waits_for_no_bot(monkeypatch: pytest.MonkeyPatch) -> None:
    """It may think for a minute."""
    thinking, go, thought = Event(), Event(), Event()

    def slowly(turn: BotTurn) -> Move:
        thinking.set()
        go.wait(20)
        thought.set()
        return choose(turn)

    async def leave() -> None:
        app = table()
        async with app.run_test(size=(80, 24)) as pilot:
            if app.session.my_turn:
                await pilot.press("1", "enter")
            await until(pilot, thinking.is_set)
            await pilot.press("q")

    monkeypatch.setattr("rage.tui.app.choose", slowly)
    asyncio.run(leave())
    assert not thought.is_set()
    go.set()


async def test_nothing_waits_for_advice(monkeypatch: pytest.MonkeyPatch) -> None:
    """With few cards it may take a second."""
    asked, go = Event(), Event()

    def slowly(session: Session) -> Advice:
        asked.set()
        go.wait(20)
        return advice(session)

    advice = Session.advice
    monkeypatch.setattr(Session, "advice", slowly)
    app = table()
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: app.session.my_turn)
        await pilot.press("i")
        await until(pilot, asked.is_set)
        await pilot.press("s")
        await until(pilot, lambda: isinstance(app.screen, TextWindow))
        go.set()


async def test_the_time_for_a_trick_begins_anew_under_a_window(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("rage.tui.app._TRICK_SECONDS", 60)
    app = table(pause="timer")
    async with app.run_test(size=(80, 24)) as pilot:
        while app._pause is None:
            await until(pilot, lambda: app.session.my_turn or app._pause is not None)
            if app._pause is None:
                await pilot.press("enter")
        await pilot.press("s")
        await until(pilot, lambda: isinstance(app.screen, TextWindow))
        trick = app._pause
        monkeypatch.setattr("rage.tui.app._TRICK_SECONDS", 0.05)
        app._time_is_up()
        await pilot.pause(0.2)
        assert app._pause == trick
        await pilot.press("escape")
        await until(pilot, lambda: app._pause != trick)  # the next one may be over soon


async def test_a_table_that_is_closing_is_not_drawn() -> None:
    """A bot may play when some of its parts are gone."""
    app = table()
    async with app.run_test(size=(80, 24)):
        await app.table.query_one("#top").remove()
        app.table.redraw()


async def test_the_only_card_plays_itself_once_no_window_is_open() -> None:
    """It is announced, waits for a moment, and is left to a player who has taken it back."""
    session = Session.start(ruleset("poof+schedule:1"), ["Ann", "Ben"], ["random"], b"t")
    while not (session.view().bidding is False and session.my_turn):
        session.play(session.view().legal_moves[0] if session.my_turn else session.bot_move())
    app = TableApp(session, Look("en", "poof"), speed="fast")
    app._delay = 60
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: "your last card: it plays itself" in screen_text(app))
        await pilot.press("s")
        await until(pilot, lambda: isinstance(app.screen, TextWindow))
        app._delay = 0.05
        app._play_itself()
        await pilot.pause(0.2)
        assert session.my_turn
        await pilot.press("escape")
        await until(pilot, lambda: not session.my_turn)
        if not session.over:
            await pilot.press("u")
            await pilot.pause(0.2)
            assert session.my_turn
            assert "plays itself" not in screen_text(app)


async def test_a_timer_that_fires_while_the_app_ends_does_nothing() -> None:
    app = table(pause="timer")
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: app.session.my_turn)
    assert app.screen_stack == []
    app._time_is_up()
    app._itself = app.session.ply
    app._play_itself()
    app.go_on()
