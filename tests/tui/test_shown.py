"""What the table on the whole screen shows at any size, in any language, and in windows over it."""

from __future__ import annotations

import pytest
from rich.text import Text
from textual.filter import Monochrome
from textual.pilot import Pilot
from textual.widgets import OptionList, Static

from rage.game.scene import why_not
from rage.rules.cards import LETTERS
from rage.rules.editions import ruleset
from rage.rules.values import Colour
from rage.say import LANGUAGES, text
from rage.tui import draw
from rage.tui.app import TableApp
from rage.tui.look import Look
from rage.tui.opening import player_names
from rage.tui.screens import Choice, TextWindow
from rage.tui.session import Session
from tui.keys import (
    at_table,
    one_line,
    play_out,
    screen_text,
    settle,
    table,
    until_something_is_refused,
)


@pytest.mark.sampled(5)
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", [(20, 8), (26, 9), (40, 15), (80, 24)])
async def test_every_reason_can_be_read_whole(language: str, size: tuple[int, int]) -> None:
    """At once, or in the window that a key opens."""
    app = table("poof", 4)
    app.looks.language = language
    async with app.run_test(size=size) as pilot:
        view = await until_something_is_refused(pilot, app)
        hand = app.table.scene.hand
        bad = next(
            i for i, card in enumerate(hand) if card not in {m.card for m in view.legal_moves}
        )
        await pilot.press("home", *["right"] * bad)
        refused = why_not(view, hand[bad])
        assert refused is not None
        reason = draw.say(app.table.scene, app.looks, refused)
        await read_whole(pilot, app, reason)
        await pilot.press("enter")
        assert app.session.view().hand == view.hand, "a refused card must stay in the hand"
        if app.table._message_is_cut():
            await pilot.pause()
            assert isinstance(app.screen, TextWindow)
            assert reason in one_line(screen_text(app))
            await pilot.press("escape")
        await pilot.press("tab", "enter")
        if isinstance(app.screen, Choice):
            await pilot.press("enter")
        await settle(pilot)
        won = app.table.scene.why_won()
        assert won is not None
        await read_whole(pilot, app, draw.say(app.table.scene, app.looks, won))
        await pilot.press("m")
        if isinstance(app.screen, TextWindow):
            await pilot.press("escape")
        await pilot.press("enter")
        await settle(pilot)
        assert app.table.scene.pause is None, "Enter goes on, however small the window"


async def read_whole(pilot: Pilot[None], app: TableApp, reason: str) -> None:
    """Find a reason in the message, or where the key leads that stands at its end."""
    await pilot.pause()
    message = app.table.query_one("#message").region
    lines = screen_text(app).splitlines()[message.y : message.bottom]
    shown = " ".join(line[message.x : message.right] for line in lines)
    if reason in one_line(shown):
        return
    assert " m " in shown
    await pilot.press("m")
    assert isinstance(app.screen, TextWindow)
    page = app.screen.query_one("#text", Static).content
    assert isinstance(page, Text)
    assert page.plain.startswith(reason)
    await pilot.press("escape")
    assert at_table(app)


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("width", "height"), [(20, 8), (30, 10), (60, 20), (130, 30)])
async def test_the_parts_of_the_table_are_never_pushed_out(width: int, height: int) -> None:
    app = table("poof+schedule:4.2", 4)
    async with app.run_test(size=(width, height)) as pilot:
        for _ in range(12):
            await settle(pilot)
            if at_table(app):
                hand = app.table.query_one("#hand").region
                plan = draw.plan(width, height, bidding=app.table.scene.bidding)
                assert hand.height == plan["hand"]
                assert hand.bottom <= height - plan["foot"]
            await pilot.press("right")
            await pilot.press("enter")
            await pilot.press("escape")


async def test_resizing_in_the_middle_of_everything() -> None:
    app = table("amigo+schedule:3", 5)
    sizes = [(20, 8), (200, 60), (1, 1), (40, 15), (5, 2), (120, 40), (80, 24)]
    async with app.run_test(size=(80, 24)) as pilot:
        for width, height in sizes:
            await settle(pilot)
            await pilot.press("enter")
            await pilot.resize_terminal(width, height)
            await pilot.press("s", "escape", "question_mark", "escape")
        assert "Game over" in screen_text(app)
        await play_out(pilot, app)


async def test_windows_to_read_open_and_close() -> None:
    app = table("poof", 3)
    expected = {"s": "sum", "l": "deals 10 cards", "t": "No trick", "question_mark": "the score"}
    async with app.run_test(size=(100, 30)) as pilot:
        await settle(pilot)
        for key, words in expected.items():
            await pilot.press(key)
            assert isinstance(app.screen, TextWindow)
            assert words in screen_text(app)
            await pilot.press("escape")
            assert at_table(app)


async def test_the_sheet_ticks_met_bids_and_strikes_missed_ones() -> None:
    app = table("poof+schedule:1.1", 4)
    async with app.run_test(size=(110, 30)) as pilot:
        for _ in range(200):
            await settle(pilot)
            if isinstance(app.screen, TextWindow):
                break
            await pilot.press("enter")
        words = screen_text(app)
        assert "✓" in words
        assert "bid" in words
        struck = [
            segment.text
            for strip in app.screen._compositor.render_strips()
            for segment in strip
            if segment.style and segment.style.strike
        ]
        first = app.session.view().rounds[0]
        assert first.won is not None
        missed = sum(bid != won for bid, won in zip(first.bids, first.won, strict=True))
        assert len(struck) == 3 * missed


async def test_no_colour_and_no_unicode(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    names = player_names("Marie", 3, ["random"])
    session = Session.start(ruleset("fundex+schedule:2"), names, ["random"], b"n")
    app = TableApp(session, Look("en", "fundex", narrow=True), speed="instant")
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        assert screen_text(app).isascii()
        assert any(isinstance(each, Monochrome) for each in app._filters)
        await play_out(pilot, app)


def test_letters_symbols_and_bands_tell_the_colours_apart() -> None:
    for narrow in (False, True):
        looks = Look("en", "poof", narrow=narrow)
        assert len({looks.symbol(colour) for colour in Colour}) == 6
        faces = {
            "\n".join(line.plain for line in looks.face(f"{letter}7", 8, 4)).replace(letter, "")
            for letter in LETTERS
        }
        assert len(faces) == 6, "a card is told apart without its letter and without its hue"


async def test_the_rules_and_the_own_seat_and_the_trump_are_shown() -> None:
    app = table("poof", 4)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        said = screen_text(app)
        assert "trump  " in said
        assert "so far for 10 tricks" in said
        assert "trick 1" not in said
        assert "Marie (you)" in said
        await pilot.press("r")
        assert isinstance(app.screen, TextWindow)
        assert "The goal" in screen_text(app)
        await pilot.press("escape", "question_mark", *["pagedown"] * 6)
        assert "Bid of 0 met: +5." in screen_text(app)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", [(60, 20), (80, 24), (120, 40)])
async def test_the_first_bid_explains_the_code_of_a_card(
    language: str, size: tuple[int, int]
) -> None:
    app = table("poof+schedule:2.1", 2)
    app.looks.language = language
    async with app.run_test(size=size) as pilot:
        await settle(pilot)
        card = next(each for each in app.table.scene.hand if each.colour)
        colour, rank = str(card.colour), card.rank
        explained = text("tui.code", language, card=str(card), colour=colour, rank=rank)
        assert explained in screen_text(app)
        for _ in range(20):
            await pilot.press("enter")
            await settle(pilot)
            assert explained not in screen_text(app)
        assert app.session.over


async def ask_for_a_change(pilot: Pilot[None], app: TableApp) -> bool:
    """Play a Change that names a colour, up to the question. Returns whether there was one."""
    await settle(pilot)
    await pilot.press("enter")
    await settle(pilot)
    held = str(app.table.scene.hand).split()
    if app.table.scene.trump is None or "C" not in held:
        return False
    await pilot.press("home", *["right"] * held.index("C"), "enter")
    return isinstance(app.screen, Choice)


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("width", "height"), [(80, 24), (40, 15), (120, 40)])
async def test_the_colours_have_their_numbers_and_cover_no_player(width: int, height: int) -> None:
    for seed in range(60):
        app = table("poof+pack:change4+schedule:10", 2, seed=bytes([seed]), pause="off")
        async with app.run_test(size=(width, height)) as pilot:
            if not await ask_for_a_change(pilot, app):
                continue
            assert app.table.scene.trump is not None
            trump = app.table.scene.trump.number
            box = app.screen.query_one("#box").region
            above = "#message" if height >= 24 else "#seats"
            assert box.y >= app.table.query_one(above).region.bottom
            assert box.height >= 6, "the question and all five colours are seen"
            first = 1 if trump != 0 else 2
            assert f"▸ {first} " in screen_text(app)
            options = [str(option.prompt) for option in app.screen.query_one(OptionList).options]
            assert [int(option[1:4]) - 1 for option in options] == [
                colour for colour in range(6) if colour != trump
            ]
            await pilot.press(str(trump + 1))
            assert isinstance(app.screen, Choice), "the trump itself may not be named"
            assert "is trump already" in one_line(screen_text(app))
            other = (trump + 1) % 6
            if width == 40:
                row = [colour for colour in range(6) if colour != trump].index(other)
                await pilot.press(*["down"] * row, "enter")
            else:
                await pilot.press(str(other + 1))
            await settle(pilot)
            played = [str(m) for t in app.session.view().rounds[0].tricks for m in t.moves]
            assert f"C{LETTERS[other]}" in played
            return
    raise AssertionError("no Change was ever playable")


async def test_advice_opens_with_a_bar_for_each_move() -> None:
    app = table("poof+schedule:3")
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("i")
        for _ in range(200):
            await pilot.pause()
            if isinstance(app.screen, TextWindow):
                break
        shown = screen_text(app)
        assert "Points ahead of the others" in shown
        assert "How likely each number of tricks is in this round if you bid " in shown
        assert shown.count("█ ") == len(app.session.view().legal_moves)
        await pilot.press("i")
        await pilot.pause()
        assert at_table(app)
