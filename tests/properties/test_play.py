"""What holds at every moment of every game."""

from __future__ import annotations

from collections import Counter
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from generators import games
from rage import Game
from rage.rules.cards import BONUS, MAD
from rage.rules.ruleset import pack
from rage.rules.values import MOVES


def snapshot(game: Game) -> Any:
    """All that a game knows, as plain data."""
    return game.position._fields(), [
        (
            each.number, each.deal, each.dealer, each.hand_size, [*each.bids],
            [*each.trump_changes],
            [(t.leader, [*t.moves], t.winner, t.trump) for t in each.tricks],
            each.won and [*each.won], each.points and [*each.points],
        )
        for each in game.rounds
    ]  # fmt: skip


@given(games())
def test_every_card_is_in_one_place(game: Game) -> None:
    position, current = game.position, game.rounds[-1]
    assert current.deal is not None
    places = [position.hand(seat) for seat in range(game.players)]
    places.append(current.deal.stock.numbers[len(position.turned) :])
    places.append(position.seen)
    assert Counter(card for place in places for card in place) == Counter(pack(game.rules))
    played = [card.number for trick in current.tricks for card in trick.cards]
    assert Counter(position.seen) == Counter(played) + Counter(position.turned)
    assert position.turned == [card.number for each in current.trump_changes for card in each.cards]


@given(games())
def test_tricks_add_up(game: Game) -> None:
    position, current = game.position, game.rounds[-1]
    full = [trick for trick in current.tricks if trick.winner is not None]
    assert sum(position.won) == position.tricks == len(full)
    assert all(len(trick.moves) == game.players for trick in full)
    taken = [card.number for trick in full for card in trick.cards]
    assert sum(position.bonus) == taken.count(BONUS)
    assert sum(position.mad) == taken.count(MAD)
    for each in game.rounds:
        assert each.won is None or sum(each.won) == each.hand_size


@given(games())
def test_points_add_up(game: Game) -> None:
    totals = [0] * game.sides
    for each in game.rounds:
        if each.points is not None:
            totals = [a + b for a, b in zip(totals, each.points, strict=True)]
    assert game.scores == totals
    assert all(0 <= met <= len(game.rounds) for met in game.position.met)


@given(games())
def test_a_legal_move_exists_until_the_end(game: Game) -> None:
    legal = game.legal_moves
    assert bool(legal) == (not game.over) == (game.to_act is not None)
    assert [*legal] == [move for move in MOVES if game.position.is_legal(move.number)]
    decisions = sum(game.players * (1 + size) for size in game.rules.schedule)
    assert (game.ply == decisions) == game.over


@given(games())
def test_hands_and_hand_sizes_agree(game: Game) -> None:
    sizes = [len(game.position.hand(seat)) for seat in range(game.players)]
    assert game.view(None).hand_sizes == sizes
    for seat in range(game.players):
        assert len(game.view(seat).hand) == sizes[seat]


@given(games())
def test_a_view_holds_no_way_back_to_the_game(game: Game) -> None:
    """Changing a view, as a bot might, changes nothing else."""
    before = snapshot(game)
    for seat in (None, *range(game.players)):
        view = game.view(seat)
        for each in view.rounds:
            assert each.deal is None
        for move in view.position.legal_moves[:1]:
            view.position.play(move)
    assert snapshot(game) == before


@given(games(started=False), st.integers(0, 2**64 - 1))
def test_a_playout_is_legal_play_to_the_end_of_the_round(game: Game, seed: int) -> None:
    position = game.position.copy()
    size = position.hand_size
    assert position.playout(seed) == game.players * (1 + size)
    assert sum(position.won) == size
    assert [position.hand(seat) for seat in range(game.players)] == [[]] * game.players
