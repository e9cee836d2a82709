"""Who played what in the earlier tricks of a round, as numbers."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from features.lines import Line, any_line, recoloured
from rage import NotAllowed
from rage.features.earlier import encode_earlier
from rage.features.encode import colour_places, encode
from rage.game.game import Game
from rage.game.view import View
from rage.rules.cards import N_CARDS, N_COLOURED, N_RANKS

lines = st.builds(lambda seed: some_line(Random(seed)), st.integers(0, 2**32 - 1))


def some_line(rng: Random) -> Line:
    """A random game, as far as somewhere in it."""
    line = any_line(rng)
    return line._replace(moves=line.moves[: rng.randrange(len(line.moves))])


def played(line: Line) -> Game:
    game = Game(line.rules, line.players, deals=line.deals)
    for move in line.moves:
        game.play(move)
    return game


def by_seat(view: View) -> list[list[int]]:
    """The block with the game's own seats and colours."""
    assert view.seat is not None
    block, places = encode_earlier(view), colour_places(view.position, view.seat)
    rows = []
    for seat in range(view.players):
        start = (seat - view.seat) % view.players * N_CARDS
        row = block[start : start + N_CARDS]
        coloured = [row[place * N_RANKS + rank] for place in places for rank in range(N_RANKS)]
        rows.append([*coloured, *row[N_COLOURED:]])
    return rows


@given(lines)
def test_it_says_what_each_has_played_and_the_same_from_every_seat(line: Line) -> None:
    game = played(line)
    expected = [[0] * N_CARDS for _ in range(line.players)]
    for trick in game.rounds[-1].tricks if game.rounds else []:
        for turn, move in enumerate(trick.moves if trick.winner is not None else []):
            assert move.card is not None
            expected[(trick.leader + turn) % line.players][move.card] += 1
    for seat in range(line.players):
        assert by_seat(game.view(seat)) == expected


@given(lines, st.permutations(range(6)))
def test_the_names_of_colours_change_nothing(line: Line, names: list[int]) -> None:
    game, other = played(line), played(recoloured(line, tuple(names)))
    for seat in range(line.players):
        views = game.view(seat), other.view(seat)
        vectors = [encode(view.position, seat) for view in views]
        assert vectors[0] == vectors[1]
        here, there = (by_seat(view) for view in views)
        for row, renamed in zip(here, there, strict=True):
            for colour, name in enumerate(names):
                start, end = colour * N_RANKS, name * N_RANKS
                assert row[start : start + N_RANKS] == renamed[end : end + N_RANKS]


def test_a_spectator_has_none() -> None:
    with pytest.raises(NotAllowed):
        encode_earlier(Game("poof", 3, seed=b"1").view(None))
