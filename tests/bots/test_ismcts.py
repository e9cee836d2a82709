"""ismcts: the same tree whatever is hidden or how it is called, and sensible where it is easy."""

from __future__ import annotations

from random import Random

import pytest

from rage import Deal, Game, Move, ruleset
from rage.bots import Budget, bot
from rage.bots.ismcts import Ismcts, MoveTries, TreeSearch
from rage.engine.position import Position
from rage.rules.hands import Cards, cards_of
from rage.rules.settings import Pack


def grown(position: Position, worlds: int, seed: int = 1) -> list[MoveTries]:
    """What the tree says of each move after that many simulations."""
    search = TreeSearch(position, seed)
    search.run(worlds)
    assert search.worlds == worlds
    return search.tries


def test_more_simulations_at_once_or_one_by_one_grow_the_same_tree() -> None:
    """So the tree keeps what it knows when it is given more room."""
    position = Game("amigo+schedule:5", 3, seed=b"room").position
    search = TreeSearch(position, 3)
    for count in (1, 2, 60, 1, 500, 2436):
        search.run(count)
    assert search.tries == grown(position, 3000, seed=3)


def minimax(position: Position) -> int:
    """What two players who see everything make of a position: seat 0's points less seat 1's."""
    seat = position.to_act
    if seat is None:
        return position.scores[0] - position.scores[1]
    ends = []
    for move in position.legal_moves:
        after = position.copy()
        after.play(move)
        ends.append(minimax(after))
    return max(ends) if seat == 0 else min(ends)


@pytest.mark.parametrize("seed", range(6))
def test_where_nothing_is_hidden_it_finds_what_is_best(seed: int) -> None:
    """Two players, seven cards: three each and the turn-up, so the others' hand is known."""
    rules = ruleset("poof").replace(colours=2, ranks=3, schedule=(3,), pack=Pack(0, 0, 0, 0, 1))
    unshuffled = Cards("R0 R1 R2 O0 O1 O2 -").numbers
    rng = Random(seed)
    dealt: list[int] = []
    while not dealt or dealt[-1] == unshuffled[-1]:
        dealt = rng.sample(unshuffled, 7)
    hands = cards_of(dealt[:3]), cards_of(dealt[3:6])
    game = Game(rules, 2, deals=[Deal(1, hands, cards_of(dealt[6:]))])
    while game.to_act is not None:
        sign = 1 if game.to_act == 0 else -1
        ends = {}
        for move in game.position.legal_moves:
            after = game.position.copy()
            after.play(move)
            ends[move] = sign * minimax(after)
        chosen = Ismcts(Budget(6000), seed).choose(game.view(game.to_act))
        assert ends[chosen.number] == max(ends.values())
        game.play(chosen)


def test_it_takes_the_move_that_was_tried_most() -> None:
    game = Game("poof+schedule:6", 4, seed=b"most")
    assert game.to_act is not None
    view = game.view(game.to_act)
    most = max(grown(game.position, 400), key=lambda each: each.tries)
    assert Ismcts(Budget(400), seed=1).choose(view) == Move.of(most.move)
    values = Ismcts(Budget(400), seed=1).values(view)
    assert values[Move.of(most.move)] == most.points
    assert sorted(values) == sorted(view.legal_moves)


def test_no_move_is_called_worth_nothing_because_it_was_not_tried() -> None:
    """Whatever the budget."""
    game = Game("poof", 4, seed=3)
    assert game.to_act is not None
    view = game.view(game.to_act)
    few = bot("ismcts", 1)
    assert isinstance(few, Ismcts)
    search = TreeSearch(view.position, 1)
    search.run(len(view.legal_moves) + 1)  # the first one makes the root
    assert few.values(view, Budget(1)) == {Move.of(each.move): each.points for each in search.tries}
    assert all(each.tries for each in search.tries)
