"""The table on the whole screen, played by keys and clicks alone."""

from __future__ import annotations

import re
from pathlib import Path
from threading import Event

import pytest
from rich.text import Text
from textual.filter import Monochrome
from textual.pilot import Pilot
from textual.widgets import OptionList, Static

from rage.cards import BID, CARD_CODES, LETTERS
from rage.editions import ruleset
from rage.history import Move
from rage.say import LANGUAGES, sentence
from rage.table import BotTurn
from rage.tui import draw
from rage.tui.app import TableApp
from rage.tui.look import Look
from rage.tui.opening import player_names
from rage.tui.scene import why_not
from rage.tui.screens import Choice, TextWindow
from rage.tui.session import Session, choose
from rage.view import View


@pytest.fixture(autouse=True)
def data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RAGE_DATA", str(tmp_path))
    return tmp_path


def table(rules: str, players: int = 4, *, pause: str = "key", seed: bytes = b"t") -> TableApp:
    names = player_names("Marie", players, "en")
    session = Session.start(ruleset(rules), names, ["random"], seed)
    looks = Look("en", session.rules.edition)
    return TableApp(session, looks, speed="instant", pause=pause)


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


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    ("rules", "players", "size"),
    [
        ("poof+schedule:3.1", 4, (80, 24)),
        ("poof+anytime-actions+schedule:5", 2, (120, 40)),
        ("poof+secret-bids+schedule:2.1", 8, (200, 60)),
        ("amigo+schedule:4.2", 3, (80, 24)),
        ("amigo+hidden-bids+sweep+schedule:3.1", 8, (40, 15)),
        ("amigo+plus-minus-one+two-teams+schedule:2.1", 6, (120, 40)),
        ("fundex+three-teams+volatile+schedule:3", 6, (60, 20)),
        ("fundex+change:reveal+out:trick+schedule:4.2", 5, (20, 8)),
    ],
)
async def test_a_whole_game_by_keys_alone(
    rules: str, players: int, size: tuple[int, int], data_folder: Path
) -> None:
    app = table(rules, players)
    async with app.run_test(size=size) as pilot:
        await play_out(pilot, app)
        view = app.session.view()
        assert view.over
        assert view.winners
        assert "wins" in screen_text(app) or "win" in screen_text(app) or size[0] < 40
        await pilot.press("enter")
    assert not list(data_folder.glob("*.rage.json*"))
    assert len(list((data_folder / "games").glob("*.rage.json"))) == 1


async def test_ten_rounds_without_pauses() -> None:
    app = table("poof+schedule:2.2.2.2.2.2.2.2.2.2", 4, pause="off")
    async with app.run_test(size=(80, 24)) as pilot:
        await play_out(pilot, app)
        assert len(app.session.view().rounds) == 10


async def test_digits_bid() -> None:
    app = table("poof+schedule:12", 4)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("1", "2")
        assert app.table.cursor == 12
        await pilot.press("3", "enter")
        await settle(pilot)
        assert app.session.view().bids[0] == 3


async def test_digits_choose_any_card_of_the_hand() -> None:
    app = table("poof+schedule:12", 4)
    async with app.run_test(size=(80, 24)) as pilot:
        while not (app.table.scene.my_turn and not app.table.scene.bidding):
            await pilot.press("enter")
            await settle(pilot)
        for typed, index in (("1", 0), ("10", 9), ("3", 2), ("12", 11), ("0", 11), ("7", 6)):
            await pilot.press("home" if len(typed) > 1 else "end", *typed)
            assert app.table.cursor == index, typed


async def test_a_bid_out_of_range_is_not_taken() -> None:
    app = table("poof+schedule:3", 4)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("9")
        assert 0 <= app.table.cursor <= 3


#: What the reason says instead: the cards of the led colour.
TO_PLAY = re.compile(r"(you hold (\w+): play|you must play (\w+):) [ROYGBP]\d")


async def test_the_reason_for_an_unplayable_card_is_shown() -> None:
    app = table("poof", 4)
    async with app.run_test(size=(80, 24)) as pilot:
        view = await until_something_is_refused(pilot, app)
        hand = app.table.scene.hand
        bad = next(
            i for i, card in enumerate(hand) if card not in {m.card for m in view.legal_moves()}
        )
        await pilot.press("home", *["right"] * bad)
        assert app.table.cursor == bad
        assert "was led" in screen_text(app)
        assert TO_PLAY.search(" ".join(screen_text(app).split()))
        ply = len(view.hand)
        await pilot.press("enter")
        assert len(app.session.view().hand) == ply, "a refused card must stay in the hand"


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
            i for i, card in enumerate(hand) if card not in {m.card for m in view.legal_moves()}
        )
        await pilot.press("home", *["right"] * bad)
        refused = why_not(view, hand[bad])
        assert refused is not None
        reason = draw.say(app.table.scene, app.looks, refused)
        await read_whole(pilot, app, reason)
        await pilot.press("enter")
        if app.table._message_is_cut():
            await pilot.pause()
            assert isinstance(app.screen, TextWindow)
            assert reason in " ".join(screen_text(app).split())
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
    if reason in " ".join(shown.split()):
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


async def until_something_is_refused(pilot: Pilot[None], app: TableApp) -> View:
    """Play on until the hand holds a card that may not be played."""
    for _ in range(200):
        await settle(pilot)
        view = app.session.view()
        if view.my_turn and not view.bidding and app.table.scene.my_turn:
            playable = {move.card for move in view.legal_moves()}
            if set(view.hand) - playable:
                return view
        await pilot.press("enter")
    raise AssertionError("nothing was ever refused")


async def test_the_forbidden_bid_says_why() -> None:
    for seed in range(40):
        app = table("poof+plus-minus-one+schedule:2", 3, seed=bytes([seed]))
        async with app.run_test(size=(80, 24)) as pilot:
            await settle(pilot)
            view = app.session.view()
            legal = {move - BID for move in view.legal_moves()}
            refused = set(range(3)) - legal
            if not refused:
                continue
            await pilot.press(str(refused.pop()))
            assert "would bring the total" in screen_text(app)
            await pilot.press("enter")
            assert app.session.view().bids[0] is None
            return
    raise AssertionError("the person was never the last to bid")


async def test_a_wild_asks_for_its_colour() -> None:
    for seed in range(60):
        app = table("poof+pack:wild4+schedule:12", 2, seed=bytes([seed]), pause="off")
        if "W" not in {CARD_CODES[card] for card in app.session.view().hand}:
            continue
        async with app.run_test(size=(80, 24)) as pilot:
            await settle(pilot)
            await pilot.press("enter")
            await settle(pilot)
            hand = [CARD_CODES[card] for card in app.table.scene.hand]
            await pilot.press("home", *["right"] * hand.index("W"))
            if not any(str(move).startswith("W") for move in app.session.view().legal_moves()):
                continue
            await pilot.press("enter")
            assert isinstance(app.screen, Choice)
            await pilot.press("escape")
            assert at_table(app)
            await pilot.press("enter", "g")  # green, by its letter
            await settle(pilot)
            played = [str(m) for t in app.session.view().rounds[0].tricks for m in t.moves]
            assert "WG" in played
            assert "Wild Rage called green" in screen_text(app)
            return
    raise AssertionError("no Wild was ever playable")


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


async def test_a_click_chooses_and_another_plays() -> None:
    app = table("poof+schedule:4", 2, pause="off")
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        places = {index: first for first, _, index in app.table._bids(80).places}
        await pilot.click("#bids", offset=(places[3] + 1, 0))
        assert app.table.cursor == 3
        await pilot.click("#bids", offset=(places[3] + 1, 0))
        await settle(pilot)
        assert app.session.view().bids[0] == 3
        size = app.table.query_one("#hand").size
        await pilot.press("home")
        index = app.table._choices()[-1]
        assert index > 0
        places = {i: first for first, _, i in app.table._hand(*size).places}
        card = app.table.scene.hand[index]
        await pilot.click("#hand", offset=(places[index] + 1, 2))
        assert app.table.cursor == index
        await pilot.click("#hand", offset=(places[index] + 1, 2))
        if isinstance(app.screen, Choice):
            await pilot.press("1")
        await settle(pilot)
        assert card not in app.session.view().hand


async def test_a_finished_trick_waits_and_says_why_it_was_won() -> None:
    app = table("poof+schedule:5", 4)
    async with app.run_test(size=(80, 24)) as pilot:
        while app.table.scene.pause is None:
            await settle(pilot)
            if app.table.scene.pause is None:
                await pilot.press("enter")
        assert "wins the trick" in screen_text(app)
        assert "Enter goes on" in screen_text(app)
        await pilot.press("enter")
        await settle(pilot)
        assert app.table.scene.trick_number == 2


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


async def test_leaving_keeps_the_game_and_resuming_goes_on(data_folder: Path) -> None:
    app = table("amigo+secret-bids", 4)
    async with app.run_test(size=(80, 24)) as pilot:
        for _ in range(9):
            await settle(pilot)
            await pilot.press("enter")
        await settle(pilot)
        before = app.session.view().as_data()
        await pilot.press("ctrl+c")
    again = Session.resume(next(data_folder.glob("*.rage.jsonl")))
    assert again.view().as_data() == before
    resumed = TableApp(again, Look("en", "amigo"), speed="instant", pause="off")
    async with resumed.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        assert "Round 1 of 10" in screen_text(resumed)


@pytest.mark.parametrize("language", ["en", "de", "es"])
async def test_every_language_draws(language: str) -> None:
    app = table("amigo+schedule:2", 3)
    app.looks.language = language
    async with app.run_test(size=(100, 30)) as pilot:
        for key in ("s", "escape", "question_mark", "escape"):
            await pilot.press(key)
        await play_out(pilot, app)


async def test_no_colour_and_no_unicode(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    names = player_names("Marie", 3, "en")
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
        assert len({looks.symbol(colour) for colour in range(6)}) == 6
        faces = {
            "\n".join(line.plain for line in looks.face(f"{letter}7", 8, 4)).replace(letter, "")
            for letter in LETTERS
        }
        assert len(faces) == 6, "a card is told apart without its letter and without its hue"


async def test_one_key_too_many_after_a_trick_plays_nothing() -> None:
    app = table("poof", 2, pause="off")
    app.table._guard = 60.0
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("enter", "enter")
        assert app.session.view().bids[0] is None
        app.table._guard = 0.0
        await pilot.press("enter")
        assert app.session.view().bids[0] is not None


async def test_the_pause_can_be_switched() -> None:
    app = table("poof", 4)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        for mode in ("timer", "off", "key"):
            await pilot.press("a")
            assert app.pause_mode == mode


async def test_a_reason_too_long_for_its_line_gets_a_window() -> None:
    app = table("poof", 4)
    async with app.run_test(size=(20, 8)) as pilot:
        view = await until_something_is_refused(pilot, app)
        playable = {move.card for move in view.legal_moves()}
        bad = next(i for i, card in enumerate(app.table.scene.hand) if card not in playable)
        await pilot.press("home", *["right"] * bad, "enter")
        assert isinstance(app.screen, TextWindow)
        assert TO_PLAY.search(" ".join(screen_text(app).split()))


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


async def ask_for_a_change(pilot: Pilot[None], app: TableApp) -> bool:
    """Play a Change that names a colour, up to the question; whether there was one."""
    await settle(pilot)
    await pilot.press("enter")
    await settle(pilot)
    held = [CARD_CODES[card] for card in app.table.scene.hand]
    if app.table.scene.trump is None or "C" not in held:
        return False
    await pilot.press("home", *["right"] * held.index("C"), "enter")
    return isinstance(app.screen, Choice)


@pytest.mark.parametrize(("width", "height"), [(80, 24), (40, 15), (120, 40)])
async def test_the_colours_have_their_numbers_and_cover_no_player(width: int, height: int) -> None:
    for seed in range(60):
        app = table("poof+pack:change4+schedule:10", 2, seed=bytes([seed]), pause="off")
        async with app.run_test(size=(width, height)) as pilot:
            if not await ask_for_a_change(pilot, app):
                continue
            trump = app.table.scene.trump
            assert trump is not None
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
            assert "is trump already" in " ".join(screen_text(app).split())
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


async def hold_a_trick_of_mine(pilot: Pilot[None], app: TableApp) -> None:
    """Play on until a card of the person's own has ended a trick, which is still lying there."""
    for _ in range(200):
        await settle(pilot)
        pause = app.table.scene.pause
        if pause and not app.table.scene.round_ended:
            trick = app.session.view().rounds[pause[0]].tricks[pause[1]]
            if (trick.leader + len(trick.moves) - 1) % app.session.view().players == 0:
                return
        await pilot.press("enter")
    raise AssertionError("the person never ended a trick")


async def test_a_card_is_taken_back_before_the_next_one_is_shown() -> None:
    app = table("poof+schedule:5.2", 3)
    async with app.run_test(size=(80, 24)) as pilot:
        await hold_a_trick_of_mine(pilot, app)
        held = len(app.session.view().hand)
        await pilot.press("u")
        await pilot.pause()
        assert app.table.scene.pause is None
        assert app.table.scene.my_turn
        assert len(app.session.view().hand) == held + 1
        assert "taken back" in screen_text(app)
        again = Session.resume(app.session.path)
        assert again.view().as_data() == app.session.view().as_data()
        await pilot.press("enter")
        await play_out(pilot, app)
        assert app.session.view().over


async def test_a_bot_does_not_answer_what_has_been_taken_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It may be thinking when that happens; what it comes to is then no move."""
    thinking, go = Event(), Event()
    thought: list[int] = []

    def slowly(turn: BotTurn) -> Move:
        if app.session.view().bids[0] is not None:
            thinking.set()
            assert go.wait(20)
        thought.append(turn.ply)
        return choose(turn)

    monkeypatch.setattr("rage.tui.app.choose", slowly)
    app = table("poof+schedule:3", 3)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("1", "enter")
        while not thinking.is_set():
            await pilot.pause(0.01)
        await pilot.press("u")
        assert app.session.my_turn
        before = len(thought)
        go.set()
        while len(thought) == before or app._bots_busy:
            await pilot.pause(0.01)
        assert app.session.my_turn
        assert app.session.view().bids[:2] == [None, None]
        await pilot.press("2", "enter")
        await settle(pilot)
        assert app.session.view().rounds[0].bids[0] == 2
        assert app.session.view().rounds[0].bids[1] is not None


async def test_what_cannot_be_taken_back_says_why() -> None:
    app = table("poof", 4)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("u")
        await pilot.pause()
        assert "decided nothing in this round" in " ".join(screen_text(app).split())
        await pilot.press("2", "enter")
        await settle(pilot)
        await pilot.press("u")
        await pilot.pause()
        assert "Too late to take that back" in " ".join(screen_text(app).split())
        assert app.session.view().bids[0] == 2


async def test_a_bot_that_fails_ends_the_evening_with_its_reason() -> None:
    """One of the person's own; the game is kept, and can go on when the bot is mended."""
    session = Session.start(ruleset("poof"), ["Marie", "Ben"], ["program:./nothing"], b"t")
    app = TableApp(session, Look("en", "poof"), speed="instant")
    async with app.run_test(size=(80, 24)) as pilot:
        for _ in range(200):
            if session.problem is not None:
                break
            if app.table.scene.my_turn:
                await pilot.press("1", "enter")
            await pilot.pause(0.01)
    assert session.problem is not None
    assert "program:./nothing cannot be started" in sentence(session.problem)
    assert not Session.resume(session.path).over


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
        assert shown.count("█ ") == len(app.session.view().legal_moves())
        await pilot.press("i")
        await pilot.pause()
        assert at_table(app)
