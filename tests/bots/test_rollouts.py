"""Worlds played by a network, to the end of the round or to one of the decisions of the seat."""

from __future__ import annotations

from collections import Counter
from math import sqrt
from random import Random
from statistics import fmean, variance

import pytest

from rage import Game, NotAllowed
from rage.bots.ismcts import TreeSearch
from rage.bots.net import Network, network
from rage.bots.rollouts import Rollouts
from rage.bots.worlds import sample_worlds
from rage.engine.kernel import Phase
from rage.engine.position import Position, position_at
from rage.game.account import leads
from rage.rules.editions import ruleset
from rage.rules.settings import Pack

GAMES = (("poof+schedule:4", 3, 0), ("poof+schedule:5", 4, 7), ("amigo+teams:2+schedule:3", 4, 2))


def after(rules: str, players: int, moves: int) -> Position:
    """A position some moves into a game; the seat to act has a choice."""
    game = Game(rules, players, seed=b"rollouts")
    while moves > 0 or len(game.legal_moves) == 1:
        game.play(game.legal_moves[0])
        moves -= 1
    return game.position


@pytest.mark.parametrize(("rules", "players", "moves"), GAMES)
def test_to_look_beyond_the_last_decision_is_to_play_the_round_out(
    rules: str, players: int, moves: int
) -> None:
    position = after(rules, players, moves)
    whole, deep = (Rollouts(position, 3, network("general"), plies) for plies in (0, 99))
    for search in (whole, deep):
        search.run(20)
    assert deep.values == whole.values
    assert any(whole.tricks(move) != deep.tricks(move) for move in position.legal_moves), "not told"


@pytest.mark.parametrize("policy", [None, network("general")])
def test_a_position_without_the_hand_of_who_is_to_act_is_refused(policy: Network | None) -> None:
    """In the bidding every bid is legal all the same; then the search moved cards that are not
    there."""
    game = Game("poof", 3, seed=3)
    other = (game.position.to_act or 0) + 1
    with pytest.raises(NotAllowed, match="whose turn it is"):
        Rollouts(game.position.masked(other % 3), 1, policy)
    with pytest.raises(NotAllowed, match="whose turn it is"):
        TreeSearch(game.position.masked(other % 3), 1)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("plies", [1, 5])
@pytest.mark.parametrize(("rules", "players", "moves"), GAMES)
def test_after_some_moves_the_network_says_what_the_rest_is_worth(
    rules: str, players: int, moves: int, plies: int
) -> None:
    position = after(rules, players, moves)
    search = Rollouts(position, 3, network("general"), plies)
    search.run(2000)
    for move, points in search.values:
        expected, error = plainly(position, move, plies)
        assert points == pytest.approx(expected, abs=0.05 + 5 * error)


def plainly(position: Position, move: int, plies: int) -> tuple[float, float]:
    """The same over other worlds, as one would write it down: the mean, and its standard error,
    with that of a search that tries many more worlds."""
    seat = position.to_act
    assert seat is not None
    found = [
        played(position.masked(seat).filled(*world), seat, move, plies)
        for world in sample_worlds(position, seat, 150, 8)
    ]
    return fmean(found), sqrt(1.2 * variance(found) / len(found))


def played(position: Position, seat: int, move: int, plies: int) -> float:
    before = position.scores
    position.play(move)
    while position.phase in (Phase.BIDDING, Phase.PLAYING):
        moves = position.legal_moves
        if len(moves) > 1 and position.to_act == seat and plies <= 0:
            return max(network("general").values(position).values())
        position.play(moves[0] if len(moves) == 1 else network("general").best_move(position))
        plies -= 1
    gained = [now - then for now, then in zip(position.scores, before, strict=True)]
    ahead = leads(gained)
    return float(ahead[seat % len(ahead)])


def test_counting_worlds_ends_where_nearly_every_way_leads_nowhere() -> None:
    """One of the others holds nothing but trumps, all that are left, and the one before it may hold
    them, too: there are hundreds of millions of hands for that one, and none of them fits."""
    rules = ruleset("poof").replace(pack=Pack(0, 0, 0, 0, 0), schedule=(15,))
    game, rng = Game(rules, 4, seed=0), Random(0)
    while game.position.tricks < 6:
        game.play(rng.choice(game.legal_moves))
    position, seat = game.position, game.to_act
    assert seat is not None
    known = {*position.seen, *position.hand(seat)}
    unseen = Counter(card >> 4 for card in range(96) if card not in known)
    trump = next(colour for colour, count in unseen.items() if count == 9)
    voids: list[tuple[int, ...]] = [()] * 4
    voids[(seat + 2) % 4] = tuple(colour for colour in range(6) if colour != trump)
    voids[(seat + 3) % 4] = (trump,)
    changed = position_at(position.masked(seat)._moment._replace(voids=tuple(voids), trump=trump))
    search = Rollouts(changed, 1)
    assert not search.exhaust(400)
    search.run(3)
    assert search.worlds == 3
