"""Advice: from what a seat may know, the same each time, and exact where few cards are left."""

from __future__ import annotations

from math import hypot, isclose, isfinite, sqrt
from random import Random
from statistics import fmean, stdev
from typing import Literal

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from bots.test_flat import endgame
from generators import games
from networks import lose_network
from properties.worlds import indistinguishable_game
from rage import Game, Move, NotAllowed, View
from rage.bots import Budget, bot
from rage.bots.advice import FEW_CARDS_FACTOR, advise, expected_tricks
from rage.bots.flat import Flat
from rage.bots.ismcts import Ismcts
from rage.bots.learned import Learned
from rage.bots.net import network
from rage.bots.rollouts import Rollouts
from rage.bots.root import CalledOff
from rage.engine.kernel import COMPILED, Phase
from rage.say import LANGUAGES, sentence

seeds = st.integers(0, 2**32 - 1)
SOME = Budget(worlds=6)


@given(games(most=5), seeds)
def test_it_comes_from_what_the_seat_may_know(game: Game, seed: int) -> None:
    assume(game.to_act is not None)
    assert game.to_act is not None
    found = advise(game.view(game.to_act), budget=SOME)
    assert sorted(each.move for each in found.moves) == sorted(game.legal_moves)
    other = indistinguishable_game(game, game.to_act, Random(seed))
    assert advise(other.view(game.to_act), budget=SOME) == found
    written = View.from_text(game.view(game.to_act).text, game.to_act)
    assert advise(written, budget=SOME) == found


@given(games(most=4))
def test_its_numbers_fit_together(game: Game) -> None:
    assume(game.to_act is not None)
    assert game.to_act is not None
    found = advise(game.view(game.to_act), budget=SOME)
    points = [each.points for each in found.moves]
    assert points == sorted(points, reverse=True)
    assert found.best.gap == 0
    assert not found.best.clear
    for each in found.moves:
        assert isclose(each.gap, found.best.points - each.points, abs_tol=1e-9)
        assert each.tricks is not None
        assert isclose(sum(each.tricks), 1)
        assert each.meets is not None
        assert 0 <= each.meets <= 1
        assert 0 <= expected_tricks(each.tricks) <= game.position.hand_size
    assert all(each.error == 0 for each in found.moves) or not found.all_worlds
    for language in LANGUAGES:
        assert "{" not in sentence(found.reason, language, edition=game.rules.edition)


def test_where_few_cards_are_left_every_world_is_tried_once() -> None:
    """The other holds two of R1, R2 and O1, and the third lies in the stock."""
    game = endgame()
    found = advise(game.view(0), budget=Budget(worlds=5))
    assert (found.worlds, found.all_worlds) == (3, True)
    assert {str(each.move): each.points for each in found.moves} == {"R0": 0, "O2": 0}
    game.play(Move("R0"))
    game.play(game.legal_moves[0])
    last = advise(game.view(game.to_act), budget=Budget(worlds=5))
    assert last.exact
    assert last.reason.code == "advice.only"


def test_where_bids_are_guessed_nothing_is_exact() -> None:
    """The cards of the other are known, what they have bid is not."""
    found = {}
    for bidding in ("hidden", "secret"):
        game = Game(f"poof+schedule:2+{bidding}-bids", 2, seed=116)
        for move in ("2", "2", "Y11", "G10", "O6"):
            game.play(move)
        found[bidding] = advise(game.view(game.to_act))
        assert len(found[bidding].moves) == 5, "a Wild, and nobody has a choice after it"
        assert found[bidding].worlds == 1, "the only one there is, tried once"
    assert found["hidden"].exact
    assert found["secret"].all_worlds
    assert not found["secret"].exact


@pytest.mark.parametrize("policy", ["random", "steady"])
def test_a_bot_that_tries_worlds_says_all_that_it_found_there(
    policy: Literal["random", "steady"],
) -> None:
    game = Game("poof+schedule:5", 4, seed=b"why")
    view = game.view(game.to_act)
    flat = Flat(policy, 50, seed=3)
    found = advise(view, flat)
    assert {each.move: each.points for each in found.moves} == pytest.approx(flat.values(view))
    assert found.worlds == 50
    for each in found.moves:
        assert each.tricks is not None
        assert sum(each.tricks) == pytest.approx(1)
        assert each.meets == pytest.approx(each.tricks[each.move.tricks or 0])
    assert all(each.error for each in found.moves[1:])
    one = advise(view, flat, Budget(worlds=1))
    assert all(each.error is not None and isfinite(each.error) for each in one.moves)


def test_few_worlds_do_not_make_a_move_clear() -> None:
    """Moves that fared alike in two worlds may be far apart in the third."""
    wrong = clear = 0
    for seed in range(30):
        game = Game("poof+schedule:7", 4, seed=seed)
        view = game.view(game.to_act)
        few, many = (advise(view, budget=Budget(worlds), seed=seed) for worlds in (4, 400))
        for each in few.moves:
            if each.clear:
                clear += 1
                truly = many.of(each.move)
                wrong += truly.points >= many.of(few.best.move).points
    assert clear == 0 or wrong / clear < 0.05
    assert sum(not each.clear for each in few.moves) > 1
    assert all(each.error for each in few.moves[1:])


def test_seconds_are_kept_where_all_worlds_could_be_tried() -> None:
    game = Game("poof+schedule:3", 2, seed=b"slow")
    view = game.view(game.to_act)
    assert not advise(view, budget=Budget(10**6, 0.05)).all_worlds


@settings(max_examples=25, deadline=None)
@given(seeds, st.integers(0, 5))
def test_all_worlds_are_what_drawn_ones_come_to(seed: int, moves: int) -> None:
    rng = Random(seed)
    game = Game("poof+schedule:2", 2, seed=str(seed))
    for _ in range(moves):
        game.play(rng.choice(game.legal_moves))
    assume(game.to_act is not None)
    every, some = Rollouts(game.position, seed), Rollouts(game.position, seed)
    assert every.exhaust(10_000)
    some.run(2_000)
    first = every.values[0].move
    for one, other in zip(every.values, some.values, strict=True):
        mean, error = some.difference(first, one.move)
        assert every.difference(first, one.move)[1] == 0
        assert abs(every.difference(first, one.move)[0] - mean) <= 6 * error + 0.2
        assert one.move == other.move


def test_a_stock_that_may_be_turned_over_keeps_it_from_being_exact() -> None:
    game = Game("amigo+schedule:2", 3, seed=b"stock")
    search = Rollouts(game.position, 1)
    assert game.position.phase == Phase.BIDDING
    assert not search.exhaust(10**6)
    assert search.worlds == 0


@pytest.mark.parametrize("rules", ["poof+schedule:5", "poof+two-teams+schedule:5"])
def test_the_error_is_worked_out_by_hand(rules: str) -> None:
    """From what each single world says of two moves."""
    game = Game(rules, 4, seed=b"sure")
    search = Rollouts(game.position, 1)
    one, other = game.legal_moves[:2]
    apart, before = list[float](), (0.0, 0.0)
    for worlds in range(1, 41):
        search.run(1)
        values = dict(search.values)
        now = worlds * values[one.number], worlds * values[other.number]
        apart.append((now[0] - before[0]) - (now[1] - before[1]))
        before = now
    mean, error = search.difference(one.number, other.number)
    assert mean == pytest.approx(fmean(apart))
    assert error == pytest.approx(stdev(apart) / sqrt(40))
    net = network("general")
    found = advise(game.view(game.to_act), budget=Budget(100), seed=3)
    worst = found.moves[-1]
    again = Rollouts(game.position, 3)
    again.run(100)
    counted = hypot(again.difference(found.best.move.number, worst.move.number)[1], 10 / 100)
    assert worst.error == pytest.approx(100 / 164 * counted)
    worlds_say, network_says = dict(again.values), net.values(game.position)
    for each in found.moves:
        expected = (100 * worlds_say[each.move.number] + 64 * network_says[each.move.number]) / 164
        assert each.points == pytest.approx(expected)


def test_with_few_cards_many_times_the_worlds_are_tried() -> None:
    """All 5,565 of them: 400 times the budget, as docs/analysis.md says; without a compiler only as
    many as it has."""
    game = Game("poof+schedule:2", 2, seed=3)
    enough = -(-5565 // FEW_CARDS_FACTOR)
    for budget, worlds, every in ((enough, 5565, True), (enough - 1, enough - 1, False)):
        found = advise(game.view(game.to_act), budget=Budget(budget))
        assert (found.worlds, found.all_worlds) == (worlds, every)
    assert (400 if COMPILED else 1) == FEW_CARDS_FACTOR


@pytest.mark.parametrize("name", ["medium", "hard", "flat+"])
def test_a_bot_that_values_its_moves_can_say_why(name: str) -> None:
    game = Game("poof+schedule:4", 4, seed=b"why")
    for _ in range(6):
        view = game.view(game.to_act)
        asked = bot(name, 1)
        assert isinstance(asked, Learned | Flat)
        found = advise(view, asked, Budget(worlds=5))
        assert {each.move: each.points for each in found.moves} == asked.values(
            view, Budget(worlds=5)
        )
        assert sentence(found.reason, edition="poof").endswith(".")
        game.play(found.best.move)


def test_tricks_are_expected_only_after_moves_of_those_who_play_by_the_network() -> None:
    """Another bot's best bid may be far from the network's."""
    game = Game("poof", 4, seed=b"b")
    view = game.view(game.to_act)
    asked = bot("ismcts", 1)
    assert isinstance(asked, Ismcts)
    found = advise(view, asked, Budget(40))
    assert found.best.tricks is None
    assert "tricks" not in sentence(found.reason)
    learned = bot("medium", 1)
    assert isinstance(learned, Learned)
    assert advise(view, learned).best.tricks is not None


def test_without_a_network_worlds_are_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    lose_network(monkeypatch)
    view = Game("poof+schedule:4", 4, seed=b"none").view(None)
    with pytest.raises(NotAllowed):
        advise(view)
    game = Game("poof+schedule:4", 4, seed=b"none")
    view = game.view(game.to_act)
    found = advise(view, budget=Budget(worlds=20), seed=3)
    values = Flat("steady", 20, seed=3).values(view)
    assert {each.move: each.points for each in found.moves} == values


@pytest.mark.parametrize("budget", [None, Budget(400), Budget(seconds=1.0)])
def test_it_can_be_called_off(budget: Budget | None) -> None:
    game = Game("poof", 4, seed=b"x")
    assert game.to_act is not None
    with pytest.raises(CalledOff):
        advise(game.view(game.to_act), budget=budget, called_off=lambda: True)


def test_however_many_worlds_are_asked_for_it_can_be_called_off() -> None:
    """Where two cards are left, but not all worlds can be tried at once."""
    game = Game("poof+schedule:2", 4, seed=b"x")
    assert game.to_act is not None
    with pytest.raises(CalledOff):
        advise(game.view(game.to_act), budget=Budget(10**9), called_off=lambda: True)


def test_a_bot_that_values_no_moves_is_refused() -> None:
    view = Game("poof", 4, seed=3).view(0)
    with pytest.raises(NotAllowed, match="steady does not say what moves are worth"):
        advise(view, bot("steady"))  # type: ignore[arg-type]
