"""flat and flat+: the values of all moves, the same whatever is hidden, and budgets that hold."""

from __future__ import annotations

from itertools import combinations
from math import sqrt
from statistics import fmean

import pytest

from rage import Deal, Game, NotAllowed, ruleset
from rage.bots import BOTS, Budget, bot
from rage.bots.flat import Flat
from rage.bots.rollouts import Policy, Rollouts
from rage.bots.steady import best_move_of
from rage.engine.kernel import Phase, Rules
from rage.engine.position import Position
from rage.rules.hands import Cards
from rage.rules.settings import Pack
from scenes import run

POLICIES: tuple[Policy, ...] = ("random", "steady")


def endgame(bids: str = "1 1") -> Game:
    """Two players, two cards each, no action cards: seat 0 leads, and both need one trick, or as
    many as they bid."""
    rules = ruleset("poof").replace(colours=2, ranks=3, schedule=(2,), pack=Pack(0, 0, 0, 0, 0))
    hands = (Cards("R0 O2"), Cards("R1 O1"))
    game = Game(rules, 2, deals=[Deal(1, hands, Cards("O0 R2"))])
    run(game, bids)
    return game


def mean_lead(position: Position, policy: Policy) -> float:
    """What seat 0 is ahead of seat 1 at the end of the round, on average over all ways in which a
    policy may play it: random takes each legal move as often."""
    if position.phase not in (Phase.BIDDING, Phase.PLAYING):
        return position.scores[0] - position.scores[1]
    moves = position.legal_moves if policy == "random" else [best_move_of(position)]
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
    unseen = Cards("R1 R2 O1").numbers
    worlds = [
        game.position.masked(0).filled(
            [Cards("R0 O2").numbers, hand], [*{*unseen} - {*hand}], game.position.bids
        )
        for hand in combinations(unseen, 2)
    ]
    search = Rollouts(game.position, 1, policy)
    search.run(20_000)
    found = dict(search.values)
    assert any(abs(value) > 0.5 for value in found.values())
    for move in game.legal_moves:
        expected = fmean(mean_lead(played(world, move.number), policy) for world in worlds)
        assert found[move.number] == pytest.approx(expected, abs=4 * 30 / sqrt(20_000))


def test_without_a_turn_there_is_nothing_to_choose() -> None:
    game = Game("poof", 4, seed=b"turn")
    assert game.to_act is not None
    for name in BOTS:
        for seat in (None, (game.to_act + 1) % 4):
            with pytest.raises(NotAllowed, match="the seat whose turn it is"):
                bot(name, 1).choose(game.view(seat))
    for position in (Position(Rules(game.rules, 4)), game.position.masked(None)):
        with pytest.raises(NotAllowed):
            best_move_of(position)


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
