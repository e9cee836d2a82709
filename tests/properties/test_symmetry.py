"""Renaming colours and rotating seats commute with play."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generators import games
from properties.worlds import history, renamed_deals
from rage import Game
from rage.cards import N_COLOURED, PLAY_CHANGE, PLAY_CHANGE_TURNED_UP, PLAY_WILD


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


@given(games(), st.permutations(range(6)), st.integers(0, 7))
def test_renaming_and_rotating_commute_with_play(game: Game, names: list[int], steps: int) -> None:
    renaming, n = Renaming(names), game.players
    one = Game(game.rules, n, deals=renamed_deals(game, lambda card: card, 0))
    two = Game(game.rules, n, deals=renamed_deals(game, renaming.card, steps))
    for move in [move for each in history(game) for move in each]:
        assert {renaming.move(each) for each in one.legal_moves()} == set(two.legal_moves())
        assert one.to_act is not None
        assert two.to_act == (one.to_act + steps) % n
        assert two.position.trump == renaming.colour(one.position.trump)
        assert two.position.led == renaming.colour(one.position.led)
        one.play(move)
        two.play(renaming.move(move))
    assert two.scores == rotated(one.scores, steps)
    assert two.position.met == rotated(one.position.met, steps)
    for a, b in zip(one.rounds, two.rounds, strict=True):
        assert b.bids == rotated(a.bids, steps)
        assert (a.won is None) == (b.won is None)
        assert a.won is None or b.won == rotated(a.won, steps)
        assert [t.trump for t in b.tricks] == [renaming.colour(t.trump) for t in a.tricks]
    if one.winners is not None and two.winners is not None:
        assert sorted((side + steps) % one.sides for side in one.winners) == two.winners


def test_renaming_is_seen_by_the_ranks() -> None:
    """The property can fail: another rank is another game."""
    renaming = Renaming([1, 0, 2, 3, 4, 5])
    assert (renaming.card(5), renaming.move(PLAY_WILD), renaming.move(112)) == (21, 97, 112)
    with pytest.raises(IndexError):
        Renaming([]).card(5)
