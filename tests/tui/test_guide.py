"""The coach in the terminal: by itself for newcomers, ended by one key, called by it again."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path

import pytest

from rage.rules.editions import ruleset
from rage.tui import game_files
from rage.tui.app import TableApp
from rage.tui.guide import Guide
from rage.tui.look import Look
from rage.tui.opening import player_names
from rage.tui.plain import Plain
from rage.tui.session import Session
from tui.keys import play_out, screen_text, settle


def session(rules: str = "poof+schedule:4.2", players: int = 3) -> Session:
    names = player_names("Marie", players, ["random"])
    return Session.start(ruleset(rules), names, ["random"], b"t")


def talk(guide: Guide, *lines: str, language: str = "en") -> list[str]:
    """What is said line by line when somebody types these lines and then the input ends."""
    sink = io.StringIO()
    source = io.StringIO("".join(f"{line}\n" for line in lines))
    Plain(session(), language, source, sink, guide=guide).run()
    return sink.getvalue().splitlines()


def hints(lines: list[str], word: str = "Hint: ") -> list[str]:
    return [line.removeprefix(word) for line in lines if line.startswith(word)]


def finish_a_game() -> None:
    """Play a game to its end."""
    game = session("poof+schedule:1")
    while not game.over:
        moves = game.view().legal_moves
        game.play(moves[0] if game.my_turn else game.bot_move())


def test_it_speaks_by_itself_until_a_game_has_been_finished() -> None:
    assert Guide.open().on
    session("poof+schedule:1")  # begun, and left
    assert Guide.open().on
    finish_a_game()
    assert game_files.finished_games()
    assert not Guide.open().on


def test_the_command_line_has_it_on_or_off() -> None:
    finish_a_game()
    assert Guide.open(asked=True).on
    assert Guide.open().on  # called again, it stays
    assert not Guide.open(asked=False).on
    assert Guide.open().on


def test_line_by_line_it_stands_after_the_hand_and_teaches_each_lesson_once() -> None:
    lines = talk(Guide.open(), "1")
    (first, second) = hints(lines)[:2]
    assert first.startswith("How many of 4 tricks will you win?")
    assert lines[lines.index(f"Hint: {first}") - 1].startswith("Your hand: ")
    again = hints(talk(Guide.open()))
    assert again != [first]  # that lesson is known
    assert "Bid about" in again[0]
    assert second


def test_who_asks_for_a_hint_gets_advice_and_keeps_the_hints(data_folder: Path) -> None:
    lines = talk(Guide.open(), "hint", "1")
    assert any(line.startswith("Advice: ") for line in lines)
    assert Guide.open().on


def test_a_word_ends_it_for_good_and_calls_it_again(data_folder: Path) -> None:
    lines = talk(Guide.open(), "hints", "1")
    assert len(hints(lines)) == 1
    assert "No more hints. Type hints to turn them back on." in lines
    assert json.loads((data_folder / "coach.json").read_text())["hints"] is False
    assert not Guide.open().on
    lines = talk(Guide.open(), "hints")
    assert "Hints are on again." in lines
    assert hints(lines)[0].startswith("How many of 4 tricks will you win?")  # once more
    assert Guide.open().on


def test_what_cannot_be_read_or_written_does_no_harm(data_folder: Path) -> None:
    (data_folder / "coach.json").write_text("[")
    guide = Guide.open()
    assert guide.on
    guide = Guide.open(keep=False)
    guide.switch()
    assert (data_folder / "coach.json").read_text() == "["


async def test_on_the_screen_a_key_ends_it_for_good() -> None:
    looks = Look("en", "poof")
    app = TableApp(session(), looks, speed="instant", guide=Guide.open())
    async with app.run_test(size=(100, 34)) as pilot:
        await settle(pilot)
        assert "How many of 4 tricks will you win?" in screen_text(app)
        assert "[c: no more hints]" in screen_text(app)
        fair = re.search(r"Bid about (\d)", " ".join(screen_text(app).split()))
        assert fair is not None
        assert f"[{fair[1]}]" in screen_text(app), "the cursor stands on it"
        await pilot.press("c")
        await pilot.pause()
        assert "How many of 4 tricks" not in screen_text(app)
        assert not Guide.open().on
        await pilot.press("c")
        await pilot.pause()
        assert "How many of 4 tricks will you win?" in screen_text(app)
        assert Guide.open().on


@pytest.mark.sampled(3)
@pytest.mark.parametrize("size", [(80, 24), (40, 15), (20, 8)])
async def test_a_whole_game_with_it_by_keys_alone(size: tuple[int, int]) -> None:
    """In a small window, too, the hand stays and every prompt can be answered."""
    app = TableApp(session(), Look("de", "poof"), speed="instant", guide=Guide.open())
    async with app.run_test(size=size) as pilot:
        await play_out(pilot, app)
        assert app.session.over
