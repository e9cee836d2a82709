"""A tournament: every pair of bots plays the same deals, from both sides.

python tournament.py [DEALS [BOT ...]]
"""

import sys
from itertools import combinations
from math import sqrt
from statistics import mean, stdev

import rage


def lead(seed: int, names: list[str]) -> float:
    """How far the first side of a game of four ends ahead of the second, in points a seat."""
    game = rage.Game("poof", 4, seed=seed)
    players = [rage.bot(name, seed=seat) for seat, name in enumerate(names)]
    while (seat := game.to_act) is not None:
        game.play(players[seat].choose(game.view(seat)))
    return mean(game.scores[::2]) - mean(game.scores[1::2])


def match(one: str, other: str, deals: int) -> list[float]:
    """The lead of one bot over another, by set of deals."""
    there = [lead(seed, [one, other, one, other]) for seed in range(deals)]
    back = [lead(seed, [other, one, other, one]) for seed in range(deals)]
    return [(a - b) / 2 for a, b in zip(there, back, strict=True)]


if __name__ == "__main__":
    deals = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    names = sys.argv[2:] or ["steady", "easy", "random"]
    for one, other in combinations(names, 2):
        leads = match(one, other, deals)
        error = 2 * stdev(leads) / sqrt(len(leads))
        print(f"{one:>8} - {other:8} {mean(leads):+6.1f} ± {error:.1f} points a game")
