"""The bots that have learned: legal, blind to what is hidden, and each a little better."""

from __future__ import annotations

import copy
import itertools
import pickle
from collections import Counter
from collections.abc import Iterable
from math import isclose
from pathlib import Path
from random import Random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from generators import games
from networks import lose_network
from properties.worlds import indistinguishable_game
from rage import Game, NotAllowed, NotReadable
from rage.bots import BOTS, Budget, bot, learned, root, stand_in
from rage.bots.learned import LEVELS, Learned, Level, LookAhead
from rage.bots.net import network
from rage.bots.rollouts import Rollouts
from rage.bots.root import MoveValue
from rage.bots.titles import bot_title, stand_in_notes
from rage.house.requests.rules import _choice
from rage.rules.editions import ruleset
from rage.rules.settings import PRINTED
from rage.rules.values import MOVES
from rage.say import LANGUAGES, text
from uncompiled import run_uncompiled

seeds = st.integers(0, 2**32 - 1)


@given(games(most=5), seeds, st.sampled_from(list(BOTS)))
def test_every_bot_chooses_by_what_its_seat_may_know(game: Game, seed: int, name: str) -> None:
    """And a legal move, the same each time with the same seed."""
    assume(game.to_act is not None)
    budget = Budget(worlds=6)
    move = bot(name, seed).choose(game.view(game.to_act), budget)
    assert move in game.legal_moves
    assert bot(name, seed).choose(game.view(game.to_act), budget) == move
    other = indistinguishable_game(game, game.to_act, Random(seed))
    assert bot(name, seed).choose(other.view(game.to_act), budget) == move


def decisions(name: str) -> Counter[bool]:
    """In a game of such bots, how often one of them makes the move that is valued most."""
    found: Counter[bool] = Counter()
    game = Game("poof", 4, seed=b"decisions")
    net = network("general")
    while not game.over:
        view = game.view(game.to_act)
        move = bot(name, 1).choose(view)
        if len(view.legal_moves) > 1:
            found[move.number == net.best_move(view.position)] += 1
        game.play(move)
    return found


def test_softer_bots_choose_the_best_move_less_often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(LEVELS, "hard", Level())
    hard, medium, easy = (decisions(name) for name in ("hard", "medium", "easy"))
    assert hard[False] == 0
    assert medium[False] > 0.1 * medium.total()
    assert easy[False] / easy.total() > medium[False] / medium.total()


@given(st.sampled_from(PRINTED), st.integers(2, 6), seeds)
def test_a_slip_lies_beside_the_best_move(edition: str, players: int, seed: int) -> None:
    """A bid of one more or one less, or the card beside it in the hand: never just anything."""
    rng = Random(seed)
    game = Game(edition, max(players, ruleset(edition).player_range[0]), seed=seed)
    for _ in range(rng.randrange(40)):
        game.play(rng.choice(game.legal_moves))
    view = game.view(game.to_act)
    move, values = bot("easy", seed).choose(view), Learned("easy").values(view)
    order, best = list(values), max(values, key=lambda each: values[each])
    assert abs(order.index(move) - order.index(best)) <= 1
    if view.bidding:
        assert abs((move.tricks or 0) - (best.tricks or 0)) <= 1


def test_values_are_those_of_the_network() -> None:
    game = Game("amigo", 5, seed=b"values")
    values = Learned("medium").values(game.view(game.to_act))
    expected = network("general").values(game.position)
    assert [move.number for move in values] == list(expected)
    assert [*values.values()] == [*expected.values()]


@pytest.mark.parametrize("name", ["hard", "master", "deep"])
def test_looking_ahead_tries_the_moves_that_come_into_question(name: str) -> None:
    """In the worlds of its level, with the network's value weighted by its trust; the others
    stay as far behind the best as they were."""
    game = Game("poof", 4, seed=b"ahead")
    look = LEVELS[name].look
    assert look is not None
    prior = network("general").values(game.position)
    values = Learned(name, 1).values(game.view(game.to_act), Budget(worlds=16))
    assert [move.number for move in values] == list(prior)
    tried = in_question(prior, look)
    assert 1 < len(tried) < len(prior)
    search = Rollouts(game.position, 1, network("general"), look.plies)
    search.keep(tried)
    search.run(16)
    for move, points in search.values:
        if move in tried:
            expected = (look.trust * prior[move] + 16 * points) / (look.trust + 16)
            assert isclose(values[MOVES[move]], expected)
        else:
            behind = max(prior.values()) - prior[move]
            assert isclose(values[MOVES[move]], max(values.values()) - behind)


def test_moves_that_are_behind_are_tried_no_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    """They keep what they were behind by, so that the best of the others stays the best; and the
    rest of the budget goes to those."""
    game = Game("poof", 4, seed=b"a")
    look = LEVELS["hard"].look
    assert look is not None
    prior = network("general").values(game.position)
    counts = list[int]()

    class Counting(Rollouts):
        def keep(self, moves: Iterable[int]) -> None:
            counts.append(len([*moves]))
            super().keep(moves)

    monkeypatch.setattr("rage.bots.learned.Rollouts", Counting)
    many = Learned("hard", 1).values(game.view(game.to_act), Budget(worlds=512))
    assert counts[0] == len(in_question(prior, look)) > 2
    assert counts == sorted(counts, reverse=True)
    assert counts[-1] < counts[0]
    kept = Rollouts(game.position, 1, network("general"), look.plies)
    kept.keep(in_question(prior, look))
    kept.run(512)
    best = max(many, key=lambda move: many[move])
    everywhere = dict(kept.values)
    assert best.number == max(in_question(prior, look), key=lambda move: everywhere[move])


def test_a_move_that_was_not_tried_is_never_the_best() -> None:
    """However little the moves that were tried are worth in a single world."""
    look = LEVELS["hard"].look
    assert look is not None
    for seed in range(40):
        game = Game("poof", 2, seed=seed)
        for _ in range(seed):
            game.play(Learned("medium", seed).choose(game.view(game.to_act)))
        prior = network("general").values(game.position)
        values = Learned("hard", seed).values(game.view(game.to_act), Budget(worlds=1))
        best = max(values, key=lambda move: values[move])
        assert best.number in in_question(prior, look)


def test_moves_that_differ_by_the_same_in_a_few_worlds_are_tried_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """With no error between them, a hair's breadth would be certain."""
    game = Game("poof", 4, seed=b"ahead")
    look = LEVELS["hard"].look
    assert look is not None
    count = len(in_question(network("general").values(game.position), look))
    kept = list[int]()

    class Alike(Rollouts):
        def difference(self, one: int, other: int) -> tuple[float, float]:
            return 0.0, 0.0

        @property
        def values(self) -> list[MoveValue]:
            return [each._replace(points=0.0) for each in super().values]

        def keep(self, moves: Iterable[int]) -> None:
            kept.append(len([*moves]))
            super().keep(moves)

    monkeypatch.setattr("rage.bots.learned.Rollouts", Alike)
    close = look._replace(trust=0)
    monkeypatch.setitem(LEVELS, "hard", LEVELS["hard"]._replace(look=close))
    Learned("hard", 1).values(game.view(game.to_act), Budget(worlds=64))
    assert kept == [count] * 3


def in_question(prior: dict[int, float], look: LookAhead) -> set[int]:
    """The moves that are tried, by what the network values them at."""
    ranked = sorted(prior, key=lambda move: -prior[move])[: look.moves]
    return {move for move in ranked if prior[move] > max(prior.values()) - look.margin}


def test_a_forgetful_bot_sees_only_the_trick_on_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    game = Game("poof", 3, seed=b"forget")
    while game.position.tricks < 4 or not game.position.trick:
        game.play(game.legal_moves[0])
    forgotten = game.position.forgetful()
    assert len(forgotten.seen) == len(game.position.turned) + len(game.position.trick)
    assert forgotten.voids == [[], [], []]
    assert set(forgotten.seen) < set(game.position.seen)
    monkeypatch.setitem(LEVELS, "medium", Level(forgetful=True))
    view = game.view(game.to_act)
    remembered = network("general").values(game.position)
    assert [*Learned("medium").values(view).values()] != [*remembered.values()]


def test_without_its_network_steady_plays_and_that_is_said_once(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    lose_network(monkeypatch)
    game = Game("poof", 4, seed=b"missing")
    view = game.view(game.to_act)
    stand_in._logged.clear()
    for _ in range(3):
        assert bot("hard", 1).choose(view) == bot("steady").choose(view)
    standing = bot("hard", 1)
    assert isinstance(standing, stand_in.StandIn)
    with pytest.raises(NotAllowed, match=r"hard cannot play: .*general\.safetensors is missing"):
        standing.values(view)
    (said,) = caplog.messages
    assert "general.safetensors is missing" in said
    assert "steady stands in for hard" in said


def test_people_are_told_who_plays_for_a_bot(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where its network is missing; and without a compiler, where it would look ahead for seconds,
    unless that is asked for."""
    every = [*LEVELS, "steady", "python:some:Bot"]
    assert stand_in_notes(every, "en") == []
    assert bot_title("hard", "en") == "Hard"
    monkeypatch.setattr(stand_in, "COMPILED", False)
    assert bot_title("medium", "en") == "Medium"
    assert bot_title("hard", "en") == "Hard, played by Steady"
    (told,) = stand_in_notes(every, "en")
    assert told == (
        "Steady is standing in for Hard, Master and Thinker: without a C compiler, looking ahead "
        "takes seconds for each move; RAGE_SLOW_BOTS=1 allows it all the same."
    )
    (told,) = stand_in_notes(["hard", "flat+"], "de")
    assert told == (
        "Solide springt für Schwer und Würfler+ ein: ohne C-Compiler dauert das Vorausrechnen "
        "Sekunden je Zug; RAGE_SLOW_BOTS=1 erlaubt es trotzdem."
    )
    monkeypatch.setenv("RAGE_SLOW_BOTS", "1")
    assert stand_in_notes(every, "en") == []
    assert bot_title("hard", "en") == "Hard"
    monkeypatch.setenv("RAGE_SLOW_BOTS", "yes")
    for compiled in (True, False):
        monkeypatch.setattr(stand_in, "COMPILED", compiled)
        with pytest.raises(NotReadable, match="RAGE_SLOW_BOTS must be 0 or 1, not yes"):
            bot_title("hard", "en")

    lose_network(monkeypatch)
    (told,) = stand_in_notes(every, "en")
    assert told.startswith(
        "Steady is standing in for Easy, Medium, Hard, Master and Thinker: the file "
    )


def test_the_list_of_bots_on_the_page_tells_who_plays_for_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(stand_in, "COMPILED", False)
    _choice.cache_clear()
    try:
        titles = {each.name: each.title for each in _choice("en").bots}
        assert (titles["medium"], titles["hard"]) == ("Medium", "Hard, played by Steady")
    finally:
        _choice.cache_clear()


#: Asked without a compiler: who chooses the first move, and whether the arena lets it play.
WITHOUT_COMPILER = """
import logging, os
from rage import Game, NotAllowed
from rage.arena.match import Match
from rage.bots import Budget, bot
from rage.bots.stand_in import SLOW, stand_in
logging.disable()
game = Game("poof+schedule:2", 2, seed=b"slow")
view = game.view(game.to_act)
def steady_plays():
    return bot("master", 1).choose(view, Budget(worlds=1)) == bot("steady").choose(view)
def refused():
    try:
        Match.of(("hard", "medium"), "poof", 4, "x")
    except NotAllowed as error:
        return str(error)
print(steady_plays(), refused())
print({type(bot(name, 1)).__name__ for name in SLOW})
os.environ["RAGE_SLOW_BOTS"] = "1"
print(stand_in("hard"), refused())
"""


def test_without_a_compiler_steady_plays_for_those_that_look_ahead(tmp_path: Path) -> None:
    before, who, asked = run_uncompiled(tmp_path, WITHOUT_COMPILER).splitlines()
    assert who == "{'StandIn'}"
    assert before.startswith("True hard cannot play: without a C compiler, looking ahead")
    assert asked == "None None"


@pytest.mark.parametrize("name", ["deep", "flat+", "ismcts"])
def test_who_has_more_seconds_thinks_longer(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """By a clock on which a millisecond passes whenever a bot looks at it."""
    clock = itertools.count()
    for module in (root, learned):
        monkeypatch.setattr(module, "perf_counter", lambda: next(clock) / 1000)
    game = Game("poof", 8, seed=b"busy")
    view = game.view(game.to_act)
    looks = []
    for seconds in (0.02, 0.1):
        begun = next(clock)
        bot(name, 1).choose(view, Budget(seconds=seconds))
        looks.append(next(clock) - begun)
    assert 20 <= looks[0] < 30
    assert 100 <= looks[1] < 110


@pytest.mark.parametrize("name", BOTS)
def test_every_bot_can_be_pickled_and_copied(name: str) -> None:
    """A pool of processes sends them, and a program keeps them."""
    game = Game("poof+schedule:3", 3, seed=b"x")
    view, budget = game.view(game.to_act or 0), Budget(worlds=4)
    made = bot(name, 3)
    copies = [pickle.loads(pickle.dumps(made)), copy.copy(made), copy.deepcopy(made)]
    due = made.choose(view, budget)
    assert {each.choose(view, budget) for each in copies} == {due}


def test_slow_bots_are_named_where_they_are_allowed() -> None:
    for language in LANGUAGES:
        told = text("cli.variable.RAGE_SLOW_BOTS", language)
        assert all(name in told for name in stand_in.SLOW)
