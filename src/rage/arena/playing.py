"""One game of a match."""

from __future__ import annotations

from statistics import fmean
from time import perf_counter, process_time
from typing import NamedTuple

from rage.arena.match import Match, Planned, Seating
from rage.bots.custom import any_bot
from rage.game.game import Game
from rage.rules.editions import ruleset


class Played(NamedTuple):
    """The result of a game, with the ``number`` of its set of deals. By side: its points, the bids
    it met, the moves it made, the seconds it thought, and the processor seconds of this process in
    that time (a bot that is a program works elsewhere); and the sides that won."""

    number: int
    seating: Seating
    points: tuple[int, ...]
    winners: tuple[int, ...]
    met: tuple[int, ...]
    moves: tuple[int, ...]
    seconds: tuple[float, ...]
    worked: tuple[float, ...]

    @property
    def planned(self) -> Planned:
        """The plan by which the game was played."""
        return Planned(self.number, self.seating)

    def points_of(self, bot: int) -> float:
        """The mean points of the sides of a bot, by its index in the match."""
        pairs = zip(self.seating, self.points, strict=True)
        return fmean(points for seated, points in pairs if seated == bot)


def play(match: Match, planned: Planned) -> Played:
    """Play a game; the bots do not learn which other bots play or which other seats they have.
    Everything except the times follows from the match and ``planned``. Raises
    :class:`rage.NotAllowed` if a bot fails."""
    number, seating = planned
    sides = len(seating)
    game = Game(ruleset(match.rules), match.players, deals=match.deals(number))
    bots = [
        any_bot(match.bots[seating[game.side_of(seat)]], match.seed_for(number, seat))
        for seat in range(match.players)
    ]
    moves, seconds, worked = [0] * sides, [0.0] * sides, [0.0] * sides
    while (seat := game.to_act) is not None:
        view, side = game.view(seat), game.side_of(seat)
        begun, before = perf_counter(), process_time()
        move = bots[seat].choose(view)
        worked[side] += process_time() - before
        seconds[side] += perf_counter() - begun
        moves[side] += 1
        game.play(move)
    met = tuple(game.position.met)
    ends = tuple(game.scores), tuple(game.winners or ()), met
    return Played(number, seating, *ends, tuple(moves), tuple(seconds), tuple(worked))
