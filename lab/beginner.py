"""``python -m lab.beginner``: how often a beginner wins against three bots of a level.

The beginner follows the coach with slips. The coach names the bid that ``steady`` would make; a
beginner bids one more or one less in ``--bids`` of all rounds. In the play the coach says what the
bid still asks for; a beginner finds the card that ``steady`` would play, except in ``--cards`` of
all tricks, where any legal card is as likely. Among equals one game in four would be won. A game
that several win counts as a share for each.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from math import sqrt
from random import Random
from typing import Final

from rage import Game, Move
from rage.bots import bot
from rage.bots.interface import Budget
from rage.bots.steady import Steady
from rage.game.view import View

PLAYERS: Final = 4
#: The levels that the page offers, in order.
LEVELS: Final = ("easy", "steady", "hard")


class Beginner:
    """Follows the coach, with slips: shares of the bids and of the cards."""

    name = "beginner"
    releases_gil = True

    def __init__(self, seed: int | None = None, bids: float = 0.3, cards: float = 0.2) -> None:
        self._random = Random(seed)
        self._bids, self._cards = bids, cards
        self._coach = Steady()

    def choose(self, view: View, budget: Budget | None = None) -> Move:
        """The coach's move, or a slip."""
        move = self._coach.choose(view)
        if self._random.random() >= (self._bids if view.bidding else self._cards):
            return move
        return self._random.choice(list(self._slips(view, move)) or [move])

    def _slips(self, view: View, move: Move) -> Iterator[Move]:
        for other in view.legal_moves:
            if not view.bidding or abs((other.tricks or 0) - (move.tricks or 0)) == 1:
                yield other


def share_won(rules: str, level: str, bids: float, cards: float, number: int) -> float:
    """The beginner's share of the win in a game; the seat goes round with the number."""
    game = Game(rules, PLAYERS, seed=f"beginner {number}".encode())
    seat = number % PLAYERS
    seats = [bot(level, number * PLAYERS + at) for at in range(PLAYERS)]
    seats[seat] = Beginner(number, bids, cards)
    while (turn := game.to_act) is not None:
        game.play(seats[turn].choose(game.view(turn)))
    winners = game.winners or []
    return (seat in winners) / len(winners)


def main() -> None:
    """Print a line for each level."""
    parser = argparse.ArgumentParser(prog="python -m lab.beginner", description=__doc__)
    parser.add_argument("levels", nargs="*", default=LEVELS)
    parser.add_argument("--rules", default="poof")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--bids", type=float, default=0.3)
    parser.add_argument("--cards", type=float, default=0.2)
    parser.add_argument("--processes", type=int)
    given = parser.parse_args()
    with ProcessPoolExecutor(given.processes) as pool:
        for level in given.levels:
            play = partial(share_won, given.rules, level, given.bids, given.cards)
            shares = list(pool.map(play, range(given.games), chunksize=10))
            won = sum(shares) / given.games
            error = 1.96 * sqrt(won * (1 - won) / given.games)
            print(f"{level}: {100 * won:.1f} ± {100 * error:.1f} % of {given.games} games")


if __name__ == "__main__":
    main()
