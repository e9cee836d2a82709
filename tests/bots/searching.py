"""What bots find that search, and their networks; runs compiled and uncompiled alike."""

from __future__ import annotations

from typing import Any

from bots.test_net import SMALL, under_way
from rage import Game
from rage.bots.ismcts import TreeSearch
from rage.bots.net import network
from rage.bots.rollouts import Rollouts

GAMES = (
    ("poof+schedule:4", 3),
    ("amigo+secret-bids+teams:2+schedule:5", 4),
    ("poof+schedule:3", 2),  # all worlds of its last moves are tried
)


def found() -> str:
    """What trees and playouts say of the moves of some games."""
    told: list[Any] = []
    for rules, players in GAMES:
        game = Game(rules, players, seed=b"compare")
        for _ in range(8):
            tree = TreeSearch(game.position, 5)
            tree.run(90)
            told.append(tree.tries)
            for policy in ("random", "steady"):
                search = Rollouts(game.position, 5, policy)
                if not search.exhaust(40):
                    search.run(5)
                first = search.values[0].move
                for each in search.values:
                    move = each.move
                    told.append((each, search.difference(first, move), search.tricks(move)))
            game.play(game.legal_moves[0])
    return repr(told)


def values() -> list[float]:
    """What a small network says of some positions, and worlds that the general one plays."""
    search = Rollouts(
        Game("poof+schedule:2", 3, seed=b"rollouts").position, 5, network("general"), 1
    )
    search.run(2)
    small = [value for each in under_way(11, 1.0) for value in SMALL.values(each).values()]
    return [*small, *(each.points for each in search.values)]
