"""The guided first round: every branch of every scene is what the kernel says, and each remark is
true wherever it is made."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import oracle
from rage import Game, Move, sentence
from rage.game.account import account_of
from rage.game.rulings import example_move
from rage.learn import LEARNER, OTHERS, SCENES, as_reason, build_scenes, open_scene, remark, scene
from rage.rules.ruleset import PRINTED
from rage.rules.values import Colour, letter_of
from rage.say import LANGUAGES
from rage.tui.lessons import Lessons

NAMES = ("Robin (you)", *OTHERS)
PAGE = Path(__file__).parents[1] / "web/src/learn/built"
each_scene = pytest.mark.parametrize("name", SCENES)
each_edition = pytest.mark.parametrize("edition", PRINTED)


class Branch(NamedTuple):
    """One way through a scene: the game as the kernel has it, and the moment it has come to."""

    game: Game
    moment: dict[str, Any]


def replayed(game: Game, tell: list[dict[str, Any]]) -> Game:
    """A game after what is told, each step of which the kernel allows and confirms."""
    game = game.copy()
    for step in tell:
        if "winner" in step:
            assert game.rounds[0].tricks[-1].winner == step["winner"]
            trick = game.rounds[0].tricks[-1]
            trump = letter_of(trick.trump)
            place = oracle.winner(game.rules, list(map(str, trick.moves)), trump)
            assert (trick.leader + place) % 3 == step["winner"]
        elif "trump" in step:
            trump = step["trump"]
            assert game.position.trump == (None if trump is None else "ROYGBP".index(trump))
        else:
            assert game.to_act == step["seat"]
            game.play(Move(str(step["bid"] if "bid" in step else step["card"])))
    return game


def branches(name: str, edition: str) -> Iterator[Branch]:
    """Every moment of a scene, once for each way to it."""
    data = build_scenes(edition)["scenes"][name]

    def follow(game: Game, number: int) -> Iterator[Branch]:
        moment = data["moments"][number]
        yield Branch(game, moment)
        for choice in moment.get("choices", {}).values():
            if "tell" in choice:
                yield from follow(replayed(game, choice["tell"]), choice["next"])

    yield from follow(replayed(open_scene(name, edition), data["tell"]), 0)


@each_edition
@each_scene
def test_what_the_learner_sees_is_what_the_kernel_shows(name: str, edition: str) -> None:
    for game, moment in branches(name, edition):
        assert ("over" in moment) == game.over
        if game.over:
            account = account_of(game.rounds[0], game.position.rules, LEARNER)
            assert moment["met"] == account.met
            assert moment["won"] == list(game.rounds[0].won or ())
            continue
        view = game.view(LEARNER)
        assert game.to_act == LEARNER
        assert moment["hand"].split() == [*map(str, view.hand)]
        assert moment["bidding"] == game.bidding
        assert (moment["bids"], moment["won"]) == (view.bids, view.won)
        assert moment["trump"] == letter_of(view.trump)
        tricks = game.rounds[0].tricks
        open_trick = tricks[-1] if tricks and tricks[-1].winner is None else None
        shown = (
            [[(open_trick.leader + at) % 3, str(move)] for at, move in enumerate(open_trick.moves)]
            if open_trick
            else []
        )
        assert moment["trick"] == shown


@each_edition
@each_scene
def test_every_move_can_be_tried_and_only_the_legal_ones_are_made(name: str, edition: str) -> None:
    for game, moment in branches(name, edition):
        if game.over:
            continue
        made = {code for code, choice in moment["choices"].items() if "tell" in choice}
        assert made == set(map(str, game.legal_moves()))
        refused = {code: choice["why"] for code, choice in moment["choices"].items()
                   if "why" in choice}  # fmt: skip
        if not game.bidding:
            tried = {move.card for move in game.legal_moves()}
            cards = {card for card in game.view(LEARNER).hand if card not in tried}
            assert set(refused) == {*map(str, cards)}
            for card in cards:
                why = game.why_not(example_move(card, game.rules, game.trump))
                assert why is not None
                assert refused[str(card)] == why.as_data()


@each_edition
@each_scene
def test_a_bid_can_be_met_and_missed(name: str, edition: str) -> None:
    ends = [moment["met"] for _, moment in branches(name, edition) if "over" in moment]
    assert set(ends) == {True, False}


@each_edition
@each_scene
def test_a_scene_begins_with_its_lesson(name: str, edition: str) -> None:
    moment = next(branches(name, edition)).moment
    code = moment["hint"]["code"]
    # To find the bid is the lesson of its scene: no fair one is told.
    assert code.startswith("learn.bid.hint" if name == "bid" else f"coach.{scene(name).lesson}")


def won_with(game: Game) -> dict[str, bool]:
    """The learner's cards, and whether each won its trick."""
    found = {}
    for trick in game.rounds[0].tricks:
        at = (LEARNER - trick.leader) % 3
        found[str(trick.moves[at])] = trick.winner == LEARNER
    return found


@each_edition
def test_the_remarks_are_true(edition: str) -> None:
    """What the remark at the end of each scene claims, wherever it is made."""
    for name in SCENES:
        for game, moment in branches(name, edition):
            if "over" not in moment:
                continue
            cards, order = won_with(game), list(won_with(game))
            wild = next((code for code in cards if code[0] == "W"), "")
            match name, moment["met"]:
                case "follow", True:
                    assert cards["G13"]
                    assert sum(cards.values()) == 1
                case "follow", False:
                    assert sum(cards.values()) != 1
                    assert cards[order[0]] == (order[0] == "G13")
                    assert cards["G5"] == (order[1] == "G5")  # led when no one could follow
                case "trump", True:
                    assert cards == {"B3": True, "B9": True, "Y2": False}
                case "trump", False:
                    assert cards == {"B3": True, "B9": True, "Y2": True}
                    assert order[-1] == "Y2"
                case "wild", met:
                    assert cards[wild] == met
                    trick = next(t for t in game.rounds[0].tricks if wild in map(str, t.moves))
                    led = oracle.led([str(move) for move in trick.moves])
                    assert (wild[1] in (led, "Y")) == met
                case "change", met:
                    changed = [change.trump for change in game.rounds[0].trump_changes]
                    first = order[0][0] == "C"
                    assert met == (first and changed[-1] is Colour.BLUE)
                case "bid", met:
                    assert cards["R15"]
                    assert cards["G14"]
                    assert cards["B1"] == (order[-1] == "B1")
                case _:
                    pytest.fail(f"what does the remark of {name} claim?")


@each_edition
@each_scene
def test_everything_is_said_in_every_language(name: str, edition: str) -> None:
    reasons = [remark(name, which) for which in ("name", "intro", "met", "missed")]
    for _, moment in branches(name, edition):
        found = [moment.get("hint"), moment.get("account")]
        for choice in moment.get("choices", {}).values():
            found += [choice.get("why"), *(step.get("why") for step in choice.get("tell", ()))]
        reasons += [as_reason(each) for each in found if each is not None]
    for reason in reasons:
        for language in LANGUAGES:
            said = sentence(reason, language, edition=edition, names=NAMES)
            assert said
            assert "{" not in said
            assert "None" not in said


@each_edition
def test_the_page_has_the_scenes_as_they_are_built(edition: str) -> None:
    """Where this fails: ``python -m rage.learn EDITION > web/src/learn/built/EDITION.json``."""
    shown = json.loads((PAGE / f"{edition}.json").read_text(encoding="utf-8"))
    assert shown == json.loads(json.dumps(build_scenes(edition)))


# --- in the terminal -----------------------------------------------------------------------

#: What somebody types who meets every bid.
EVERYTHING = (
    *("G13", "R12", "", "B3", "Y2", "B9", "", "W", "WG", "O3", "", "CB", "B14", ""),
    *("2", "R15", "B1", ""),
)


def talk(*lines: str, language: str = "en", edition: str = "poof") -> list[str]:
    """What is said when somebody types these lines and then the input ends."""
    sink = io.StringIO()
    source = io.StringIO("".join(f"{line}\n" for line in lines))
    assert Lessons(edition, language, source, sink).run() == 0
    return sink.getvalue().splitlines()


def test_in_the_terminal_a_wrong_move_is_explained_and_a_right_one_goes_on() -> None:
    lines = talk("R12", "G13", "r12", "")
    assert lines.count("Green was led and you hold green: play G13 or G5.") == 1  # not twice
    assert "Bid met: 1 trick + 10 for the bid = 11 points." in lines
    assert "Scene 2 of 5: Trump" in lines


def test_in_the_terminal_a_scene_can_be_played_again() -> None:
    lines = talk("G5", "R12", "G13", "", "G13")
    assert "Bid of 1 missed: 0 tricks, 0 points." in lines
    assert lines.count("Ada plays G11.") == 2
    assert lines.count("Your last card plays itself: G13.") == 1
    assert lines.count("Robin (you) plays G13.") == 1


def test_in_the_terminal_all_scenes_can_be_played_and_left_at_any_time() -> None:
    lines = talk(*EVERYTHING)
    assert lines[-1].startswith("That's all you need.")
    assert "Which colour? Type one of WR, WO, WY, WG, WB, WP." in lines
    assert sum(line.startswith("Bid met:") for line in lines) == 5
    for count in range(len(EVERYTHING)):
        assert talk(*EVERYTHING[:count], "q")[-1] != lines[-1]


def test_in_the_terminal_each_scene_says_what_is_trump() -> None:
    lines = talk(*EVERYTHING)
    begins = [at for at, line in enumerate(lines) if line.startswith("Scene ")]
    trumps = ["P6; purple", "B0; blue", "Y6; yellow", "R0; red", "G6; green"]
    assert [lines[at + 2] for at in begins] == [f"Turned up: {each} is trump." for each in trumps]


def test_in_the_terminal_the_last_card_is_not_played_without_a_word() -> None:
    lines = talk("G13", "R12", "q")
    assert "Your last card plays itself: G5." in lines
    assert "Robin (you) plays G5." not in lines
