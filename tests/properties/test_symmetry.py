"""Renaming colours and rotating seats commute with play."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generators import deals_for, games
from properties.worlds import history, renamed_deals
from rage import Game, ruleset
from rage.game.history import Trick
from rage.rules.cards import N_COLOURED, PLAY_CHANGE, PLAY_CHANGE_TURNED_UP, PLAY_WILD
from rage.rules.values import Move


class Renaming:
    """Colours by other names."""

    def __init__(self, names: list[int]) -> None:
        self.names = names

    def card(self, card: int) -> int:
        return 16 * self.names[card >> 4] + (card & 15) if card < N_COLOURED else card

    def move(self, move: int) -> int:
        for begin in (PLAY_WILD, PLAY_CHANGE):
            if begin <= move < begin + 6:
                return begin + self.names[move - begin]
        return self.card(move) if move < PLAY_CHANGE_TURNED_UP else move

    def colour(self, colour: int | None) -> int | None:
        return None if colour is None else self.names[colour]


def rotated(values: Any, steps: int) -> list[Any]:
    return [values[(i - steps) % len(values)] for i in range(len(values))]


def number(trick: Trick) -> int | None:
    """The number of a trick's trump."""
    return None if trick.trump is None else trick.trump.number


def assert_same_play(game: Game, renaming: Renaming, steps: int) -> None:
    """A game is played once as it was, once with colours renamed and seats rotated; all that
    follows by the rules is the same."""
    n = game.players
    dealt = [each.deal for each in game.rounds if each.deal]
    one = Game(game.rules, n, deals=dealt)
    two = Game(game.rules, n, deals=renamed_deals(dealt, renaming.card, steps))
    for move in [move for each in history(game) for move in each]:
        assert {renaming.move(each) for each in one.position.legal_moves} == {
            *two.position.legal_moves
        }
        assert one.to_act is not None
        assert two.to_act == (one.to_act + steps) % n
        assert two.position.trump == renaming.colour(one.position.trump)
        assert two.position.led == renaming.colour(one.position.led)
        one.play(Move.of(move))
        two.play(Move.of(renaming.move(move)))
    assert two.scores == rotated(one.scores, steps)
    assert two.position.met == rotated(one.position.met, steps)
    for a, b in zip(one.rounds, two.rounds, strict=True):
        assert [*b.bids] == rotated(a.bids, steps)
        assert (a.won is None) == (b.won is None)
        assert b.won is None or [*b.won] == rotated(a.won, steps)
        assert [number(t) for t in b.tricks] == [renaming.colour(number(t)) for t in a.tricks]
    if one.winners is not None and two.winners is not None:
        assert sorted((side + steps) % one.sides for side in one.winners) == two.winners


@given(games(), st.permutations(range(6)), st.integers(0, 7))
def test_renaming_and_rotating_commute_with_play(game: Game, names: list[int], steps: int) -> None:
    assert_same_play(game, Renaming(names), steps)


class Reversed(Renaming):
    """The ranks by other names, too: the highest is the lowest."""

    def card(self, card: int) -> int:
        return super().card(card) ^ 15 if card < N_COLOURED else card


@pytest.mark.parametrize("seed", range(10))
def test_with_other_ranks_it_is_another_game(seed: int) -> None:
    """The property can fail."""
    rng = Random(seed)
    rules = ruleset("poof+schedule:6")
    game = Game(rules, 3, deals=deals_for(rules, 3, rng))
    while not game.over:
        game.play(rng.choice(game.legal_moves))
    assert_same_play(game, Renaming([1, 0, 2, 3, 4, 5]), 1)
    with pytest.raises(AssertionError):
        assert_same_play(game, Reversed([*range(6)]), 0)
