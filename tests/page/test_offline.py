"""What the page knows of the rules, for when there is no server, against the program itself.

Whatever ``web/src/offline`` says of thousands of random cases of a kind, of every edition and any
settings, is what the kernel and ``rage.game.rulings`` say.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest

import oracle
from generators import deals_for
from page.comparing import answered, plain, played_games, random_rules, reason_data, settings
from page.conftest import Ask
from rage import Game
from rage.engine.kernel import Rules
from rage.engine.position import Position
from rage.game.box_quiz import next_question, settle
from rage.game.history import Round
from rage.game.rulebook import differences
from rage.game.rulings import refusal, ruling
from rage.notation import NotARecord
from rage.notation.reader import read_rules
from rage.notation.writer import rules_data
from rage.rules.cards import BID, CARD_CODES, CARD_OF_MOVE, MOVE_CODES
from rage.rules.editions import PRESETS, ruleset
from rage.rules.ruleset import EDITIONS, VARIANTS, leading, pack, places
from rage.rules.settings import PRINTED, SETTINGS
from rage.rules.values import Move, letter_of
from rage.say import NotAllowed, RageError
from tools.generated.choices import choices

# --- the rules as data -----------------------------------------------------------------------


def test_the_editions_are_the_same(ask: Ask) -> None:
    mine = {name: settings(EDITIONS[name]) for name in PRINTED}
    assert ask("editions", [0]) == [mine]


def test_rules_are_read_as_a_record_has_them(ask: Ask, cases: int) -> None:
    rng = Random(1)
    data = [rules_data(random_rules(rng)[0]) for _ in range(cases // 10)]
    assert ask("rules", data) == [settings(read_rules(each)) for each in data]


ODD_VALUES: tuple[Any, ...] = (
    *(None, True, 0, 1, 2, 3, 4, 5, 16, -100, 101, 1.5, "", "any", "choose", "hidden"),
    *([], [0], [1], [15] * 30, [15] * 31, [16], {}, {"wild": 4}, {"wild": 5}, {"joker": 1}),
    *({"wild": None}, "toString", "constructor"),
)
ODD_NAMES = (*(each.name for each in SETTINGS), "", "players", "toString", "__proto__")


def test_other_rules_are_refused_for_the_same_reason(ask: Ask, cases: int) -> None:
    rng = Random(2)
    data: list[dict[str, Any]] = [
        {
            "edition": rng.choice((*PRINTED * 4, "oh_hell", "toString", None)),
            **{rng.choice(ODD_NAMES): rng.choice(ODD_VALUES) for _ in range(rng.choice((1, 1, 2)))},
        }
        for _ in range(cases)
    ]
    due = [rules_or_refusal(each) for each in data]
    assert sum("refused" in each for each in due) > cases // 2
    assert sum("refused" not in each for each in due) > cases // 50
    for question, answer, right in zip(data, ask("rules", data), due, strict=True):
        said = answered(answer)
        if any(isinstance(value, dict) for value in question.values()) and "refused" in said:
            for each in (said, right):  # an object as its value has no one form
                each["refused"]["params"].pop("value", None)
        assert said == right, question


def rules_or_refusal(data: dict[str, Any]) -> dict[str, Any]:
    try:
        return settings(read_rules(data))
    except NotARecord as error:
        return {"refused": reason_data(error.reason)}


def test_the_pack_is_the_same(ask: Ask) -> None:
    rng = Random(3)
    rules = [random_rules(rng)[0] for _ in range(100)]
    due = [[CARD_CODES[card] for card in pack(each)] for each in rules]
    assert ask("pack", map(rules_data, rules)) == due


def test_the_choices_are_as_python_prints_them() -> None:
    """``python -m tools.generated.choices > web/src/offline/built/choices.json``"""
    built = Path(__file__).parents[2] / "web/src/offline/built/choices.json"
    assert json.loads(built.read_text(encoding="utf-8")) == json.loads(json.dumps(choices()))


def test_names_of_rule_sets_and_what_departs_from_the_edition(ask: Ask, cases: int) -> None:
    rng = Random(16)
    rules = [random_rules(rng)[0] for _ in range(cases // 10)]
    rules += [
        EDITIONS[name].replace(**changes) for name in PRINTED for changes in VARIANTS.values()
    ]
    due = [
        [
            each.name,
            rules_data(each),
            [reason_data(why) for why in differences(each, EDITIONS[each.edition])],
        ]
        for each in rules
    ]
    assert ask("names", map(rules_data, rules)) == due
    names = [*(each.name for each in rules), *PRESETS, "bga+sweep"]
    assert ask("named", names) == [settings(ruleset(name)) for name in names]


@pytest.mark.parametrize("name", ["canasta", "poof+canasta", "poof+miss:-500", "amigo+sweep:2"])
def test_a_name_that_names_no_rules_is_refused(ask: Ask, name: str) -> None:
    with pytest.raises(RageError) as caught:
        ruleset(name)
    [answer] = ask("named", [name])
    assert answer["refused"]["code"] == caught.value.reason.code


def test_a_variant_turns_off_what_does_not_go_with_it(ask: Ask) -> None:
    """As the server's form has it: the rules with the variant, without one other if need be."""
    questions, due = [], []
    for edition, before, variant in product(PRINTED, VARIANTS, VARIANTS):
        if before == variant:
            continue
        rules = ruleset(f"{edition}+{before}")
        try:
            after = ruleset(f"{rules.name}+{variant}")
            off = []
        except NotAllowed:
            after, off = ruleset(f"{edition}+{variant}"), [before]
        held = [before] if before in rules.name.split("+") else []
        changes = VARIANTS[variant]
        here = [each for each in PRINTED if EDITIONS[each].replace(**changes) != EDITIONS[each]]
        questions.append({"rules": rules_data(rules), "variant": variant})
        due.append([after.name, [each for each in held if each in off], here])
    assert ask("variant", questions) == due


def test_another_edition_keeps_the_variants_that_go_with_it(ask: Ask) -> None:
    questions = [
        {"rules": rules_data(ruleset(name)), "name": other}
        for name, other in (
            ("amigo+sweep+secret-bids", "poof"), ("poof+sweep+tie:shared", "fundex"),
            ("fundex+sweep", "bga"), ("bga+sweep", "amigo"), ("poof+volatile", "amigo"),
        )
    ]  # fmt: skip
    due = [
        "poof+secret-bids+sweep",
        "fundex+sweep",
        "amigo+sweep+tie:exact_bids",
        "amigo+sweep",
        "amigo",
    ]
    assert ask("edition", questions) == due


def boxes(answers: tuple[int, ...] = ()) -> Iterator[tuple[tuple[int, ...], dict[str, Any]]]:
    """Every way through the questions about a box, each with what is asked and possible then."""
    left: tuple[str, ...] = PRINTED
    step = next_question(0, left)
    for number in answers:
        assert step is not None
        left = settle(left, step[1].answers[number - 1])
        step = next_question(step[0], left)
    codes = step and {"code": step[1].code, "answers": [each.code for each in step[1].answers]}
    yield answers, {"question": codes, "left": list(left)}
    for number in range(1, len(step[1].answers) + 1) if step else ():
        yield from boxes((*answers, number))


def test_which_box_do_you_own(ask: Ask) -> None:
    ways = list(boxes())
    assert len(ways) > 30
    assert ask("box", [answers for answers, _ in ways]) == [asked for _, asked in ways]


# --- points ----------------------------------------------------------------------------------


def test_points_of_rounds_played(ask: Ask, cases: int) -> None:
    questions, due = [], []
    for game in played_games(Random(5)):
        for current in game.rounds:
            taken = [" ".join(won_by(current, seat)) for seat in range(game.players)]
            assert current.won is not None
            seats = [
                {"bid": bid, "won": won, "bonus": cards.count("+"), "mad": cards.count("-")}
                for bid, won, cards in zip(current.bids, current.won, taken, strict=True)
            ]
            questions.append(
                {"rules": settings(game.rules), "hand": current.hand_size, "seats": seats}
            )
            due.append(list(current.points or ()))
        if len(questions) >= cases:
            break
    assert {len(points) for points in due} >= {2, 3, 4, 5, 6, 7, 8}
    assert ask("round", questions) == due


def won_by(current: Round, seat: int) -> Iterator[str]:
    for trick in current.tricks:
        if trick.winner == seat:
            yield from map(str, trick.moves)


def test_who_wins_a_game(ask: Ask, cases: int) -> None:
    rng = Random(6)
    questions, due = [], []
    for _ in range(cases):
        sides = rng.randint(2, 8)
        scores = [rng.randint(-2, 2) for _ in range(sides)]
        met = [rng.randint(0, 2) for _ in range(sides)]
        rules = rng.choice((ruleset("poof"), ruleset("fundex+tie:exact_bids"), ruleset("amigo")))
        questions.append({"rules": settings(rules), "scores": scores, "met": met})
        due.append(leading(rules, scores, met))
    assert ask("winners", questions) == due


def test_the_place_of_everybody_when_a_game_is_over(ask: Ask, cases: int) -> None:
    rng = Random(8)
    questions, due = [], []
    for _ in range(cases):
        scores = [rng.randint(-2, 2) for _ in range(rng.randint(2, 8))]
        met = [rng.randint(0, 2) for _ in scores]
        winners = leading(ruleset(rng.choice(PRINTED)), scores, met)
        questions.append({"scores": scores, "winners": winners})
        due.append(places(scores, winners))
    assert ask("places", questions) == due


# --- tricks and moves ------------------------------------------------------------------------


def test_who_wins_a_trick_and_why(ask: Ask, cases: int) -> None:
    questions, due = [], []
    for game in played_games(Random(8)):
        view = game.view(None).as_data()
        for current, seen in zip(game.rounds, view["rounds"], strict=True):
            for index, trick in enumerate(current.tricks):
                questions.append(
                    {
                        "rules": settings(game.rules),
                        "players": game.players,
                        "round": seen,
                        "index": index,
                    }
                )
                trump = letter_of(trick.trump)
                codes = list(map(str, trick.moves))
                counts = codes.count("+"), codes.count("-")
                why = ruling(current, index, game.rules.second_wild)
                due.append((trick.winner, oracle.led(codes), trump, *counts, reason_data(why)))
        if len(questions) >= cases:
            break
    whys = [each[-1] for each in due]
    assert {why["params"].get("main", why)["code"] for why in whys} == {
        "trick.only_actions",
        "trick.trump",
        "trick.trump_changed",
        "trick.led",
        "trick.led_out",
        "trick.led_no_trump",
    }
    notes = {why["params"]["note"]["code"] for why in whys if "note" in why["params"]}
    assert notes == {"trick.wilds_lower", "trick.wilds_higher"}
    for answer, right, question in zip(ask("trick", questions), due, questions, strict=True):
        said = [answer[name] for name in ("winner", "led", "trump", "bonus", "mad", "ruling")]
        said[2] = answer["trump"]["colour"]
        assert tuple(said) == right, question


def test_who_would_win_a_trick_that_is_not_full(ask: Ask, cases: int) -> None:
    """Against the oracle of the tests, for the kernel judges full tricks only."""
    rng = Random(15)
    questions, due = [], []
    for game in played_games(rng):
        view = game.view(None).as_data()
        for current, seen in zip(game.rounds, view["rounds"], strict=True):
            index = rng.randrange(len(current.tricks))
            count = rng.randint(1, game.players)
            trick = seen["tricks"][index]
            codes = trick["moves"].split(" ")[:count]
            tricks = [*seen["tricks"][:index], {**trick, "moves": " ".join(codes)}]
            questions.append(
                {
                    "rules": settings(game.rules),
                    "players": game.players,
                    "round": {"trump_changes": seen["trump_changes"], "tricks": tricks},
                    "index": index,
                }
            )
            changes = current.trump_changes
            before = [each for each in changes if (each.trick, each.card) < (index, count)]
            trump = letter_of(before[-1].trump)
            place = oracle.winner(game.rules, codes, trump)
            due.append(((trick["leader"] + place) % game.players, trump))
        if len(questions) >= cases // 2:
            break
    answers = ask("trick", questions)
    assert [(each["winner"], each["trump"]["colour"]) for each in answers] == due


def decisions(rng: Random) -> Iterator[tuple[Game, int]]:
    """Moments of random games without end, each with a move: one held, or any."""
    while True:
        rules, players = random_rules(rng)
        game = Game(rules, players, deals=deals_for(rules, players, rng))
        while not game.over:
            if not game.bidding:
                assert game.to_act is not None
                held = set(game.position.hand(game.to_act))
                moves = [move for move in range(BID) if CARD_OF_MOVE[move] in held]
                moves = rng.sample(moves, min(3, len(moves)))
                yield from ((game, move) for move in [*moves, rng.randrange(BID)])
            game.play(rng.choice(game.legal_moves))


def test_whether_a_card_may_be_played_and_why_not(ask: Ask, cases: int) -> None:
    questions, due = [], []
    for game, move in decisions(Random(9)):
        position = game.position
        assert game.to_act is not None
        hand = [CARD_CODES[card] for card in position.hand(game.to_act)]
        now = {
            "hand": hand,
            "trick": [MOVE_CODES[each] for each in position.trick],
            "trump": letter_of(game.trump),
        }
        questions.append({"rules": settings(game.rules), "now": now, "move": MOVE_CODES[move]})
        due.append(reason_data(refusal(position, Move.of(move))))
        if len(questions) >= cases:
            break
    codes = {why["code"] for why in due if why is not None}
    assert codes == {
        "refuse.not_held",
        "refuse.follow",
        "refuse.follow_wild",
        "refuse.follow_anytime",
        "refuse.change_same",
        "refuse.change_turns",
        "refuse.change_names",
    }
    assert sum(why is None for why in due) > cases // 5
    assert list(map(plain, ask("card", questions))) == due


def test_which_bid_may_not_be_made(ask: Ask, cases: int) -> None:
    rng = Random(10)
    questions: list[dict[str, Any]] = []
    due = []
    while len(questions) < cases:
        rules, players = random_rules(rng)
        rules = rules.replace(bidding="open", bid_total=rng.choice(("any", "not_tricks")))
        position = Position(Rules(rules, players))
        position.deal(*deals_for(rules, players, rng)[0].numbers())
        size = position.hand_size
        for _ in range(players):
            seat, legal = position.to_act, {move - BID for move in position.legal_moves}
            made = {"hand_size": size, "bids": position.bids}
            questions.append({"rules": rules_data(rules), "round": made, "place": seat})
            forbidden = {*range(size + 1)} - legal
            assert len(forbidden) <= 1
            due.append(min(forbidden, default=None))
            position.play(rng.choice(position.legal_moves[:3]))
    assert len({*due}) > 3
    assert ask("forbidden", questions) == due
