"""The table on the whole screen, played by keys and clicks alone."""

from __future__ import annotations

from pathlib import Path
from threading import Event

import pytest
from textual.pilot import Pilot

from rage.rules.editions import ruleset
from rage.rules.values import Move
from rage.say import sentence
from rage.table import BotTurn
from rage.tui import cursor
from rage.tui.app import TableApp
from rage.tui.look import Look
from rage.tui.screens import Choice
from rage.tui.session import Session, choose
from tui.keys import at_table, play_out, screen_text, settle, table


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


async def test_the_forbidden_bid_says_why() -> None:
    for seed in range(40):
        app = table("poof+plus-minus-one+schedule:2", 3, seed=bytes([seed]))
        async with app.run_test(size=(80, 24)) as pilot:
            await settle(pilot)
            view = app.session.view()
            legal = {move.tricks for move in view.legal_moves}
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
        if "W" not in str(app.session.view().hand).split():
            continue
        async with app.run_test(size=(80, 24)) as pilot:
            await settle(pilot)
            await pilot.press("enter")
            await settle(pilot)
            hand = str(app.table.scene.hand).split()
            await pilot.press("home", *["right"] * hand.index("W"))
            if not any(str(move).startswith("W") for move in app.session.view().legal_moves):
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
        index = cursor.choices(app.table.scene)[-1]
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
        assert "Enter: continue" in screen_text(app)
        await pilot.press("enter")
        await settle(pilot)
        assert app.table.scene.trick_number == 2


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
