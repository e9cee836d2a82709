"""The guided first round: every branch of every scene is what the kernel says, and each remark and
comment is true wherever it is made."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import NamedTuple

import pytest

import oracle
from rage import Game, Move
from rage.learn import LEARNER, OTHERS, SCENES, Lesson, Step, remark, scene
from rage.notation.typed import colours
from rage.rules.settings import PRINTED
from rage.rules.values import Colour, letter_of
from rage.say import LANGUAGES, Reason, sentence, text
from rage.tui.lessons import Lessons

NAMES = ("Robin (you)", *OTHERS)
each_scene = pytest.mark.parametrize("name", SCENES)
each_edition = pytest.mark.parametrize("edition", PRINTED)
#: The moves that meet every bid.
MEETS = {
    "follow": ("G13", "R12"),
    "trump": ("B3", "Y2"),
    "wild": ("WG", "O3"),
    "change": ("CB", "B14"),
    "bid": ("2", "R15", "B1"),
}


class Branch(NamedTuple):
    """One way through a scene: where it has come to, and the steps of the last move."""

    lesson: Lesson
    steps: list[Step]


def branches(name: str, edition: str) -> Iterator[Branch]:
    """Every decision and every end of a scene, once for each way to it."""

    def follow(lesson: Lesson, steps: list[Step]) -> Iterator[Branch]:
        yield Branch(lesson, steps)
        for move in [] if lesson.game.over else lesson.game.legal_moves:
            after = lesson.copy()
            yield from follow(after, after.play(move))

    lesson = Lesson(name, edition)
    yield from follow(lesson, lesson.begin())


def said_in(reason: Reason) -> Iterator[Reason]:
    """A reason and those within it."""
    yield reason
    for value in reason.params.values():
        if isinstance(value, Reason):
            yield from said_in(value)


@each_edition
@each_scene
def test_a_bid_can_be_met_and_missed(name: str, edition: str) -> None:
    ends = {lesson.met for lesson, _ in branches(name, edition) if lesson.game.over}
    assert ends == {True, False}


@each_edition
@each_scene
def test_a_scene_begins_with_its_lesson(name: str, edition: str) -> None:
    found = next(branches(name, edition)).lesson.hint
    assert found is not None
    # To find the bid is the lesson of its scene: no fair one is told.
    lesson = "learn.bid.hint" if name == "bid" else f"coach.{scene(name).lesson}"
    assert found.reason.code.startswith(lesson)


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
        for lesson, _ in branches(name, edition):
            game = lesson.game
            if not game.over:
                continue
            cards, order = won_with(game), list(won_with(game))
            wild = next((code for code in cards if code[0] == "W"), "")
            match name, lesson.met:
                case "follow", True:
                    assert cards["G13"]
                    assert sum(cards.values()) == 1
                case "follow", False:
                    assert order[0] == "G5"
                    assert not any(cards.values())
                case "trump", True:
                    assert cards == {"B3": True, "B9": True, "Y2": False}
                case "trump", False:
                    assert cards == {"B3": False, "B9": True, "Y2": False}
                    beaten = next(t for t in game.rounds[0].tricks if Move("B3") in t.moves)
                    assert Move("B5") in beaten.moves
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
def test_a_comment_says_what_a_card_does(name: str, edition: str) -> None:
    """By the oracle, which knows the rules a second time."""
    for lesson, steps in branches(name, edition):
        game = lesson.game
        current = game.rounds[0]
        plays = [
            (trick, at)
            for trick in current.tricks
            for at in range(len(trick.moves))
        ]  # fmt: skip
        cards = [step for step in steps if step.move.card is not None]
        for (trick, at), step in zip(plays[len(plays) - len(cards) :], cards, strict=True):
            moves = [*map(str, trick.moves[: at + 1])]
            told = next(said_in(step.comment)).params.get("first", step.comment)
            assert isinstance(told, Reason)
            which = told.code.removeprefix("learn.").partition(".")[2]
            if moves[-1][0] == "C" or not told.code.startswith(("learn.you", "learn.other")):
                continue
            if which.startswith("leads"):
                assert oracle.led(moves[:-1]) is None
                continue
            trump = letter_of(trick.trump if trick.winner is not None else game.trump)
            leads = oracle.winner(game.rules, moves, trump) == at
            assert leads == (which in ("beats", "trumps")), (moves, told)
            assert told.params["best"] == moves[oracle.winner(game.rules, moves[:-1], trump)]


@each_edition
@each_scene
def test_better_cards_are_named_where_a_move_gave_the_bid_away(name: str, edition: str) -> None:
    """Exactly there, and each of them does keep the bid in reach."""

    def can_meet(lesson: Lesson) -> bool:
        game = lesson.game
        if game.over:
            return lesson.met
        return any(can_meet(after(lesson, move)) for move in game.legal_moves)

    def after(lesson: Lesson, move: Move) -> Lesson:
        lesson = lesson.copy()
        lesson.play(move)
        return lesson

    for lesson, _ in branches(name, edition):
        if lesson.game.over or lesson.game.bidding:
            continue
        good = {move for move in lesson.game.legal_moves if can_meet(after(lesson, move))}
        for move in lesson.game.legal_moves:
            told = [
                found.params["cards"]
                for step in lesson.copy().play(move)
                for found in said_in(step.comment)
                if found.code.startswith("learn.better")
            ]
            assert bool(told) == bool(good and move not in good), (move, told)
            for cards in told:
                assert set(str(cards).split()) <= set(map(str, good))


@each_edition
@each_scene
def test_everything_is_said_in_every_language(name: str, edition: str) -> None:
    reasons = {repr(each): each for which in ("name", "intro", "met", "missed")
               for each in [remark(name, which)]}  # fmt: skip
    for lesson, steps in branches(name, edition):
        found = lesson.hint if not lesson.game.over else None
        more = [lesson.account] if found is None and lesson.game.over else []
        more += [step.comment for step in steps] + ([found.reason] if found else [])
        reasons |= {repr(each): each for each in more}
    for reason in reasons.values():
        for language in LANGUAGES:
            said = sentence(reason, language, edition=edition, names=NAMES)
            assert said
            assert "{" not in said
            assert "None" not in said


@pytest.mark.parametrize("language", LANGUAGES)
def test_somebody_who_reads_needs_four_to_five_minutes(language: str) -> None:
    """At 200 words a minute, with a look at each card, and a moment for each decision."""
    word, look, decision = 60 / 200, 0.3, 1.5
    needed = 0.0
    for name, moves in MEETS.items():
        lesson = Lesson(name, "poof")
        told = [remark(name, "intro"), *(step.comment for step in lesson.begin())]
        for move in moves:
            found = lesson.hint
            assert found is not None
            steps = lesson.play(Move(move))
            told += [found.reason, *(step.comment for step in steps)]
            needed += decision + look * len(steps)
        assert lesson.met
        told += [lesson.account, remark(name, "met")]
        for reason in told:
            said = sentence(reason, language, edition="poof", names=NAMES)
            needed += word * len(said.split(" "))
    assert 4 * 60 <= needed <= 5 * 60


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


@pytest.mark.parametrize("language", LANGUAGES)
def test_in_the_terminal_the_code_of_a_card_is_explained_before_the_first(language: str) -> None:
    explained = text("plain.codes", language, colours=colours(language))
    assert talk(language=language)[1] == explained


def test_in_the_terminal_every_card_is_commented_on() -> None:
    lines = talk("G5", "G13", "", "G13", "R12", "", "B9", "Y2")
    for comment in (
        "Ada leads G11: green must be followed.",
        "Ben plays G4: lower than G11.",
        "Your G5 lost to G11. G13 would have won.",
        "Ben plays R14: neither green nor trump.",
        "Your G13 lost to G15.",
        "Ada plays B3: neither yellow nor trump. Your G5 lost to Y2: good, you need no more.",
        "Your B9 is trump: it beats R15. Your B9 won: you bid 2 and have 1. Better: B3 first.",
    ):
        assert comment in lines


def test_in_the_terminal_a_scene_can_be_played_again() -> None:
    lines = talk("G5", "G13", "", "G13")
    assert "Bid of 1 missed: 0 tricks, 0 points." in lines
    assert lines.count("Ada leads G11: green must be followed.") == 2


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
