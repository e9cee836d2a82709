"""flat and flat+: the values of all moves, the same whatever is hidden, and budgets that hold."""

from __future__ import annotations

from itertools import combinations
from math import sqrt
from pathlib import Path
from random import Random
from statistics import fmean
from time import perf_counter

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import rage
from features.lines import any_line, recoloured, rotated
from generators import games
from properties.worlds import indistinguishable_game
from rage import Deal, Game, NotAllowed, ruleset
from rage.bots import BOTS, Budget, bot
from rage.bots.flat import Flat
from rage.bots.rollouts import Policy, Rollouts
from rage.bots.steady import best_move_of
from rage.engine.kernel import COMPILED, Phase
from rage.engine.position import Position
from rage.rules.ruleset import Pack
from scenes import cards, run
from uncompiled import run_uncompiled

seeds = st.integers(0, 2**32 - 1)
SOME = Budget(worlds=6)
POLICIES: tuple[Policy, ...] = ("random", "steady")


def flat(name: str) -> Flat:
    """The bot of a name, with a seed."""
    found = bot(name, 1)
    assert isinstance(found, Flat)
    return found


@settings(max_examples=60, deadline=None)
@given(games(), seeds, st.sampled_from(["flat", "flat+"]))
def test_it_chooses_by_what_its_seat_may_know(game: Game, seed: int, name: str) -> None:
    """With a seed and a budget of worlds: the same values in every game that looks the same."""
    assume(game.to_act is not None)
    assert game.to_act is not None
    values = flat(name).values(game.view(game.to_act), SOME)
    assert sorted(values) == sorted(game.legal_moves())
    other = indistinguishable_game(game, game.to_act, Random(seed))
    assert flat(name).values(other.view(game.to_act), SOME) == values


@settings(max_examples=40, deadline=None)
@given(seeds, st.permutations(range(6)))
def test_names_of_colours_and_places_at_the_table_change_nothing(
    seed: int, names: list[int]
) -> None:
    rng = Random(seed)
    line = any_line(rng, rounds=1, most=5)
    steps = rng.randrange(line.players)
    turned = recoloured(rotated(line, steps), tuple(names))
    for one, two in zip(line.positions(), turned.positions(), strict=True):
        if one.phase not in (Phase.BIDDING, Phase.PLAYING) or rng.random() < 0.5:
            continue
        for policy in POLICIES:
            found, other = Rollouts(one, 3, policy), Rollouts(two, 3, policy)
            found.run(3)
            other.run(3)
            points = [each.points for each in found.values]
            assert [each.points for each in other.values] == points, "in canonical order"


def endgame(bids: str = "1 1") -> Game:
    """Two players, two cards each, no action cards: seat 0 leads, and both need one trick, or as
    many as they bid."""
    rules = ruleset("poof").but(colours=2, ranks=3, schedule=(2,), pack=Pack(0, 0, 0, 0, 0))
    hands = (cards("R0 O2"), cards("R1 O1"))
    game = Game(rules, 2, deals=[Deal(1, hands, cards("O0 R2"))])
    run(game, bids)
    return game


def mean_lead(position: Position, policy: Policy) -> float:
    """What seat 0 is ahead of seat 1 at the end of the round, on average over all ways in which a
    policy may play it: random takes each legal move as often."""
    if position.phase not in (Phase.BIDDING, Phase.PLAYING):
        return position.scores[0] - position.scores[1]
    moves = position.legal() if policy == "random" else [best_move_of(position)]
    return fmean(mean_lead(played(position, move), policy) for move in moves)


def played(position: Position, move: int) -> Position:
    """A position after a move."""
    other = position.copy()
    other.play(move)
    return other


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("bids", ["0 1", "1 0", "2 1"])
def test_a_value_is_the_mean_over_all_worlds_and_plays(bids: str, policy: Policy) -> None:
    """Of the three hands that the other may have, and of all that may come of them; random within
    four standard deviations (a world is no more than 30 points off the mean)."""
    game = endgame(bids)
    unseen = cards("R1 R2 O1")
    worlds = [
        game.position.masked(0).filled(
            [cards("R0 O2"), hand], [*{*unseen} - {*hand}], game.position.bids
        )
        for hand in combinations(unseen, 2)
    ]
    search = Rollouts(game.position, 1, policy)
    search.run(20_000)
    found = dict(search.values)
    assert any(abs(value) > 0.5 for value in found.values())
    for move in game.legal_moves():
        expected = fmean(mean_lead(played(world, move), policy) for world in worlds)
        assert found[move] == pytest.approx(expected, abs=4 * 30 / sqrt(20_000))


def test_a_value_is_the_mean_over_the_worlds() -> None:
    """The other holds two of R1, R2 and O1, each pair as likely. O2 wins at once, then R0 loses,
    unless the other has no red left: it has one in each pair, and keeps it unless it holds O1,
    which it must play. R0 first: red wins, then O2 wins: one trick each, always."""
    game = endgame()
    for policy in POLICIES:
        search = Rollouts(game.position, 1, policy)
        search.run(20_000)
        assert search.worlds == 20_000
        values = {rage.Move(move): points for move, points in search.values}
        assert values == {rage.Move.parse("R0"): 0, rage.Move.parse("O2"): 0}


def test_more_worlds_come_nearer_to_the_same_values() -> None:
    game = Game("poof+schedule:4", 3, seed=b"nearer")
    assert game.to_act is not None
    view = game.view(game.to_act)
    one = Flat("steady", 4000, seed=1).values(view)
    two = Flat("steady", 4000, seed=2).values(view)
    assert one != two
    assert all(abs(one[move] - two[move]) < 1 for move in one)


def test_without_a_turn_there_is_nothing_to_choose() -> None:
    game = Game("poof", 4, seed=b"turn")
    assert game.to_act is not None
    for name in BOTS:
        for seat in (None, (game.to_act + 1) % 4):
            with pytest.raises(NotAllowed, match="the seat whose turn it is"):
                bot(name, 1).choose(game.view(seat))


@pytest.mark.parametrize("name", ["flat+", "ismcts"])
@pytest.mark.parametrize("seconds", [0.0, 0.05, 0.3])
def test_it_stops_when_its_time_is_over(seconds: float, name: str) -> None:
    """The one that takes longest: eleven bids with ten cards, eight players."""
    game = Game("poof", 8, seed=b"time")
    assert game.to_act is not None
    view = game.view(game.to_act)
    begun = perf_counter()
    assert bot(name, 1).choose(view, Budget(seconds=seconds)) in view.legal_moves()
    assert perf_counter() - begun < seconds + 2.5, "and a busy machine may stand still"


def test_a_budget_of_worlds_is_spent_to_the_last() -> None:
    game = Game("amigo+schedule:3", 4, seed=b"worlds")
    for worlds in (1, 7, 20):
        search = Rollouts(game.position, 1)
        search.spend(Budget(worlds))
        assert search.worlds == worlds


def test_equal_seeds_choose_alike_and_others_need_not() -> None:
    game = Game("poof", 4, seed=b"alike")
    assert game.to_act is not None
    view = game.view(game.to_act)
    values = [Flat("random", 20, seed).values(view) for seed in (1, 1, 2, None, None)]
    assert values[0] == values[1]
    assert values[0] != values[2]
    assert values[3] != values[4]


def test_they_say_whether_they_release_the_lock() -> None:
    for name in BOTS:
        assert bot(name).releases_gil is (COMPILED or name == "random")


def test_uncompiled_they_find_the_same_values(tmp_path: Path) -> None:
    program = "from bots.test_flat import found; print(found())"
    assert run_uncompiled(tmp_path, program) == found()


def found() -> str:
    """Some worlds and values, for comparing compiled and uncompiled."""
    values = []
    for rules, players in (("poof+schedule:4", 3), ("amigo+secret-bids+teams:2+schedule:5", 4)):
        game = Game(rules, players, seed=b"compare")
        for _ in range(10):
            assert game.to_act is not None
            for policy in POLICIES:
                search = Rollouts(game.position, 5, policy)
                search.run(3)
                values.append(search.values)
            game.play(game.legal_moves()[0])
    return repr(values)
