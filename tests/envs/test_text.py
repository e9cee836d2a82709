"""A seat as messages, for language models."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import pytest

import rage
import rage.envs.text as text_module
from envs.episodes import Played, episodes
from rage.engine.deal import Deal
from rage.engine.episode import Episode
from rage.envs import Tables, unit_rules
from rage.envs.answers import read_answer
from rage.envs.text import Message, TextEpisode, play, play_async
from rage.rules.values import MOVES, Move
from rage.say import LANGUAGES, short_name, text


def first_legal(language: str = "en") -> Any:
    """A model that answers with the first move it is offered."""
    ask = text("text.ask", language, moves="")

    def model(messages: list[Message]) -> str:
        assert messages[0]["role"] == "system"
        assert messages[-1]["role"] == "user"
        return messages[-1]["content"].rpartition(ask)[2].partition(",")[0]

    return model


def bot_answers(episode: TextEpisode, name: str = "steady") -> TextEpisode:
    """The episode, played to its end by a bot in each seat of a model."""
    bot = rage.bot(name, seed=1)
    while (seat := episode.seat) is not None:
        assert episode.answer(str(bot.choose(episode.view(seat))))
    return episode


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("rules", ["poof", "amigo+sweep", "fundex+secret-bids"])
def test_a_chat_is_enough_to_play(rules: str, language: str) -> None:
    episode = play(
        TextEpisode(rules, models=range(4), hand=4, seed=1, language=language),
        first_legal(language),
    )
    for seat, counts in episode.counts.items():
        assert counts.answers == counts.decisions == 5
        assert not counts.unreadable + counts.illegal + counts.replaced
        roles = [each["role"] for each in episode.messages(seat)]
        assert roles == ["system", *["user", "assistant"] * 5, "user"]
    assert sum(episode.rewards) == pytest.approx(0)


def test_each_event_is_told_once() -> None:
    episode = bot_answers(TextEpisode("poof", seed=5))
    (_, *told) = [each["content"] for each in episode.messages(0) if each["role"] != "assistant"]
    lines = "\n".join(told).splitlines()
    for line in lines:
        assert line.startswith("Your") or lines.count(line) == 1, line
    for trick in episode.game.rounds[0].tricks:
        for move in trick.moves:
            assert move.rank is None or str(move) in " ".join(lines)


@pytest.mark.parametrize("played", episodes(), ids=lambda played: f"{played.rules}, {played.unit}")
def test_it_plays_the_episodes_of_the_other_interfaces(played: Played) -> None:
    setting: dict[str, Any] = played._asdict()
    setting = {name: setting[name] for name in ("unit", "hand", "seed", "table", "episode")}
    models = range(played.players)
    episode = TextEpisode(played.rules, played.players, models=models, **setting)
    for seat, legal, number in zip(played.to_act, played.legal, played.moves, strict=True):
        offered = episode.messages(seat)[-1]["content"].rpartition("one of: ")[2].split(", ")
        assert (episode.seat, [Move(code).number for code in offered]) == (seat, legal)
        assert episode.answer(str(Move.of(number)))
    assert episode.rewards == pytest.approx(played.rewards)
    assert episode.counts[0].rounds == len(episode.game.rounds)


@pytest.mark.parametrize("bots", ["random", "steady"])
def test_bots_and_replaced_moves_are_those_of_the_tables(bots: Any) -> None:
    tables = Tables("poof", 20, 5, observe=None, opponents=bots, illegal="random")
    step = tables.reset()
    rewards = np.zeros(tables.count)
    for _ in range(11):
        step = tables.step(np.full(tables.count, -1))
        rewards += step.rewards[:, 0]
    for table, reward in enumerate(rewards):
        episode = TextEpisode(bots=bots, seed=5, table=table, tries=1)
        assert play(episode, lambda _: "hm").reward(0) == pytest.approx(reward)


def test_hidden_cards_change_nothing_that_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = unit_rules("poof", 4)
    number = next(n for n in range(99) if Episode(rules, 1, 0, n).deals()[0].dealer == 3)
    first = TextEpisode(seed=1, episode=number).messages(0)
    (deal,) = Episode(rules, 1, 0, number).deals()
    own, *others = deal.hands
    exchanged = [deal.replace(hands=[own, *reversed(others)])]
    monkeypatch.setattr(text_module, "Episode", lambda *_: Dealt(exchanged))
    assert TextEpisode(seed=1, episode=number).messages(0) == first  # nobody has acted yet


class Dealt(NamedTuple):
    """An episode with given deals."""

    given: list[Deal]

    def deals(self) -> list[Deal]:
        return self.given


def test_json_is_the_view() -> None:
    episode = TextEpisode("amigo", seed=1, form="json", language="de")
    assert json.loads(episode.messages(0)[-1]["content"]) == episode.view(0).as_data()
    bot_answers(episode)  # by the codes of a record, in every language


def view_of(*hand: str, bidding: bool = False, rules: str = "poof") -> rage.View:
    """What eldest sees with a hand, alone with as many low cards."""
    others = [f"P{rank}" for rank in range(len(hand))]
    deal = rage.Deal(1, [hand, others], "R0")
    game = rage.Game(f"{rules}+schedule:{len(hand)}", 2, deals=[deal])
    if not bidding:
        game.play("0")
        game.play("0")
    return game.view(0)


@pytest.mark.parametrize(
    ("answer", "move"),
    [
        ("R4", "R4"),
        ("r4.", "R4"),
        ("\N{FULLWIDTH LATIN CAPITAL LETTER R}\N{FULLWIDTH DIGIT FOUR}", "R4"),
        ("I lead my lowest card.\n\n**R4**\n", "R4"),
        ("Trick 3 of 4: R4", "R4"),
        ("Move: red 4", "R4"),
        ("I play red 4 and keep 3 more", "R4"),
        ("<answer>R4</answer>", "R4"),
        ("```\nR4\n```", "R4"),
        (r"\boxed{R4}", "R4"),
        ("[R4]", "R4"),
        ('G5 or R4?\n{"move": "R4"}', "R4"),
        ('```json\n{"why": "low",\n "move": "WG"}\n```', "WG"),
        ("W green", "WG"),
        ("Wild Rage called green", "WG"),
        ("My move: wild rage green", "WG"),
        ("Out Rage", "X"),
        ("X", "X"),
        ("−", "-"),
        ("Mad Rage", "-"),
        ("+", "+"),
        ("The others need 2 tricks, so G5", "G5"),
        ("G5", "G5"),  # though it is not held
        ("3", "3"),  # though it is no card
        ("Two.", "2"),
        ("My bid: one", "1"),
        ("I bid 1.0.", "1"),
        ('{"move": 2.0}', "2"),
        ("I expect 1.5 tricks and bid 1", "1"),
    ],
)
def test_an_answer_is_read_with_tolerance(answer: str, move: str) -> None:
    view = view_of("R4", "W", "X", "-")
    assert str(read_answer(answer, view)) == move


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        ("", "text.no_move"),
        ("I pass", "text.no_move"),
        ("R4\nThat is my move.", "text.no_move"),
        ("x - c", "text.no_move"),
        ("R4 or WG", "text.several"),
        ("1.5", "text.no_move"),
        ("This one, or those two", "text.no_move"),
        ("W", "move.no_colour"),
        ('{"move": "R99"}', "move.no_code"),
        ('{"move": null}', "move.no_code"),
    ],
)
def test_an_answer_that_names_no_one_move_is_refused(answer: str, code: str) -> None:
    with pytest.raises(rage.NotReadable) as refused:
        read_answer(answer, view_of("R4", "W", "X", "-"))
    assert refused.value.reason.code == code


@pytest.mark.parametrize("language", ["en", "de", "es"])
def test_every_bid_is_read_in_words(language: str) -> None:
    view = view_of("R4", bidding=True)
    words = text("text.numbers", language).split(", ")
    assert [str(read_answer(word, view, language)) for word in words] == [*map(str, range(16))]


def test_a_code_of_letters_is_no_word_of_the_language() -> None:
    view = view_of("R4", "W")
    assert str(read_answer("Wo und wo ich auch hinsehe: ich spiele R4 aus", view, "de")) == "R4"
    assert str(read_answer("Ich spiele WGr aus", view, "de")) == "WG"


def test_a_bid_may_be_explained_by_cards() -> None:
    view = view_of("R4", "W", bidding=True)
    assert str(read_answer("R4 is low, W is sure: I bid 1 trick", view)) == "1"
    assert str(read_answer("{'bid'}\n1", view)) == "1"
    with pytest.raises(rage.NotReadable):
        read_answer("1 or 2", view)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_move_is_read_as_it_is_offered(language: str) -> None:
    view = view_of("R4", "W")
    for move in MOVES:
        if not move.is_bid:
            assert read_answer(short_name(str(move), language), view, language) is move


def test_a_refused_answer_gets_its_reason_and_another_try() -> None:
    episode = TextEpisode("poof", seed=1, tries=3)
    assert not episode.answer("R0")
    assert not episode.answer("hm")
    assert episode.messages(0)[-3]["content"].startswith(
        "Bids come first: bid 0 to 10.\nAnswer again: 2 tries are left.\nYour hand: "
    )
    assert "names no move" in episode.messages(0)[-1]["content"]
    assert episode.answer("2")
    counts = episode.counts[0]
    assert (counts.answers, counts.illegal, counts.unreadable, counts.decisions) == (3, 1, 1, 1)
    for before, after in pairwise(episode.messages(0)):
        assert before["role"] != after["role"]


def test_after_the_last_try_a_random_move_is_made() -> None:
    one, other = (play(TextEpisode(seed=1, tries=2), lambda _: "hm") for _ in range(2))
    counts = one.counts[0]
    assert counts.replaced == counts.decisions == 11
    assert counts.answers == counts.unreadable == 22
    assert "chosen for you" in one.messages(0)[-1]["content"]
    assert one.game == other.game  # the random numbers are those of the episode


def test_after_the_last_try_the_episode_may_be_lost() -> None:
    for pays, others in ("leads", 1), ("points", 0):
        episode = TextEpisode(models=(0, 2), seed=1, tries=1, illegal="lose", rewards=pays)  # type: ignore[arg-type]
        loser = episode.seat
        assert loser is not None
        episode.answer("R99")
        assert episode.seat is None
        assert episode.reward(loser) <= -10
        assert sum(episode.rewards) == pytest.approx(0 if others else episode.reward(loser))
        for seat in (0, 2):
            assert "lost" in episode.messages(seat)[-1]["content"]
        with pytest.raises(rage.NotAllowed):
            episode.answer("0")


def test_after_the_last_try_the_reason_may_be_raised() -> None:
    episode = TextEpisode(tries=1, illegal="raise")
    for _ in range(2):
        with pytest.raises(rage.NotAllowed, match="Bids come first"):
            episode.answer("R0")


def test_models_may_be_awaited_and_one_for_each_seat() -> None:
    async def model(messages: list[Message]) -> str:
        await asyncio.sleep(0)
        answer: str = first_legal()(messages)
        return answer

    made = [TextEpisode(models=(1, 3), bots=("random", "steady"), seed=4) for _ in range(2)]
    one = asyncio.run(play_async(made[0], {1: model, 3: model}))
    other = play(made[1], {1: first_legal(), 3: first_legal()})
    assert one.game == other.game
    assert set(one.counts) == {1, 3}


def test_partners_are_named() -> None:
    episode = TextEpisode("poof+teams:2", 4, seed=1)
    assert "On your team: Cleo." in episode.messages(0)[0]["content"]
    bot_answers(episode)
    assert len(episode.rewards) == 2


@pytest.mark.parametrize(
    "wrong",
    [{"models": (4,)}, {"models": (0, 0)}, {"bots": ("steady",)}, {"tries": 0}, {"form": "xml"},
     {"tries": None}, {"models": (0.0,)}, {"bots": 5 * (5,), "players": 6},
     {"illegal": "x"}, {"rewards": "x"}, {"unit": "trick"}, {"bots": "nobody"}],
)  # fmt: skip
def test_wrong_arguments_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"one of|seats|tries|nobody|give text"):
        TextEpisode(**wrong)


def test_a_seat_without_a_model_has_no_messages() -> None:
    episode = TextEpisode(hand=1)
    for ask in (episode.messages, episode.summary):
        with pytest.raises(ValueError, match=r"models play \[0\], not 1"):
            ask(1)
    episode.messages(0)[0]["content"] = "I have a better idea."
    assert "better idea" not in episode.messages(0)[0]["content"]


def test_it_needs_no_other_package() -> None:
    """Not even NumPy, which the rest of the room needs."""
    without = "import sys; sys.modules['numpy'] = None; "
    program = f"{without}import rage.envs.text as text; text.TextEpisode()"
    subprocess.run([sys.executable, "-c", program], check=True, capture_output=True)
