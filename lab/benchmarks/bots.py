"""``python -m lab.benchmarks.bots``: how strong steady is, and how often it meets its bids.

Strength: one steady among random players, in every seat in turn on the same deals; its points per
game minus the mean of the others', with a 95 % interval over the deals. A team of two or three
counts as one player. Then steady in all seats: the share of bids met by hand size, the mean score,
and the decisions per second on one core.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from statistics import mean, stdev
from time import process_time
from typing import NamedTuple

from lab.options import integer
from rage.arena.data.matches import play_games
from rage.rules.editions import ruleset
from rage.rules.ruleset import EDITIONS, VARIANTS, RuleSet
from rage.rules.settings import PRINTED


class Margin(NamedTuple):
    """Points per game, and half the width of the 95 % interval."""

    points: float
    half_width: float


def margin(rules: RuleSet, players: int, deals: int, seed: int) -> Margin:
    """The points by which one steady side beats random ones, on the same deals from the seats of
    every side."""
    sides = rules.teams or players
    ahead = [0.0] * deals
    for side in range(sides):
        seats = sum(1 << seat for seat in range(side, players, sides))
        played = play_games(rules, players, seats, deals, seed)
        for deal, scores in enumerate(played.scores):
            others = (sum(scores) - scores[side]) / (sides - 1)
            ahead[deal] += (scores[side] - others) / sides
    return Margin(mean(ahead), 1.96 * stdev(ahead) / deals**0.5)


def self_play(
    rules: RuleSet, players: int, games: int, seed: int
) -> tuple[list[float], float, float]:
    """Steady in all seats: the share of bids met by hand size, the mean score of a side, and the
    decisions per second on one core, dealing and playing the moves included."""
    start = process_time()
    played = play_games(rules, players, (1 << players) - 1, games, seed)
    seconds = process_time() - start
    met = [met / bids for met, bids in zip(played.met, played.bids, strict=True) if bids]
    score = mean(mean(scores) for scores in played.scores)
    return met, score, played.decisions / seconds


def tables(all_rules: bool) -> Iterator[tuple[str, int]]:
    """Every edition at every number of players, and, if asked, every variant at four, or at the
    least number that it allows."""
    for edition in PRINTED:
        least, most = EDITIONS[edition].player_range
        yield from ((edition, players) for players in range(least, most + 1))
    if all_rules:
        for edition in PRINTED:
            for variant in VARIANTS:
                name = f"{edition}+{variant}"
                counts = ruleset(name).player_counts
                yield name, 4 if 4 in counts else min(counts)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m lab.benchmarks.bots", description=__doc__)
    parser.add_argument(
        "--deals", type=integer(2), default=1000, help="sets of deals (default 1000)"
    )
    parser.add_argument("--seed", type=integer(0), default=2026)
    parser.add_argument("--variants", action="store_true", help="also every variant")
    arguments = parser.parse_args()
    print(f"{arguments.deals} sets of deals from seed {arguments.seed}")
    head = "ahead of random", "score", "decisions/s", "bids met by hand size 1, 2, ..."
    print(f"{'rules':24} players {head[0]:>18} {head[1]:>7} {head[2]:>12}  {head[3]}")
    for name, players in tables(arguments.variants):
        rules = ruleset(name)
        ahead = margin(rules, players, arguments.deals, arguments.seed)
        met, score, rate = self_play(rules, players, arguments.deals, arguments.seed + 1)
        shares = " ".join(f"{share:.2f}".removeprefix("0") for share in met)
        print(
            f"{name:24} {players:7} {ahead.points:+11.1f} +-{ahead.half_width:4.1f} {score:7.1f} "
            f"{rate / 1e6:10.2f} M  {shares}",
            flush=True,
        )


if __name__ == "__main__":
    main()
