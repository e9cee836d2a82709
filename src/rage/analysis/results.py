"""The results of an analysis: by player, by side, and over the course of the game."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import Final, TypedDict

from rage.analysis.decisions import Decision, Place
from rage.analysis.luck import RoundLuck
from rage.bots.advice import rounded_points
from rage.bots.learned import usable_network
from rage.bots.learned_rules import has_learned
from rage.game.account import leads
from rage.game.game import Game
from rage.rules.frozen import Value

FORMAT: Final = "rage-analysis"
VERSION: Final = 2
#: How many of each player's costliest decisions are listed.
COSTLIEST: Final = 3


class DecisionData(TypedDict):
    """A decision as plain data: its place and player, the move made and the best one, its cost and
    how sure that is, and the expected points of every move, the best first. If there was no choice,
    ``moves`` is empty and ``points`` is ``None``."""

    round: int
    trick: int
    card: int
    seat: int
    move: str
    best: str
    points: float | None
    best_points: float | None
    cost: float
    error: float
    clear: bool
    worlds: int
    all_worlds: bool
    exact: bool
    moves: dict[str, float]


class PlayerData(TypedDict):
    """A player: how many ``choices`` they had, the ``cost`` of the choices that clearly cost
    something, and the costliest of these, as indices into the list of decisions."""

    seat: int
    name: str
    choices: int
    cost: float
    costliest: list[int]


class SideData(TypedDict):
    """A :class:`Side` as plain data, with its ``seats``."""

    seats: list[int]
    points: int
    bots: float
    ahead: float
    luck: float
    error: float
    skill: float
    rest: float


class RoundSides(TypedDict):
    """The results of one round, by side."""

    number: int
    points: list[int]
    bots: list[float]
    luck: list[float]
    skill: list[float]
    rest: list[float]


class ChartData(TypedDict):
    """The game after a decision: the lead of each side over the mean of the others, from the
    finished rounds and its expectation for this one at its last decision."""

    round: int
    trick: int
    card: int
    ahead: list[float]


class AnalysisData(TypedDict):
    """An analysis as plain data (``docs/analysis.md``)."""

    format: str
    version: int
    rules: str
    worlds: int
    seed: int
    network: str | None
    players: list[PlayerData]
    sides: list[SideData]
    rounds: list[RoundSides]
    decisions: list[DecisionData]
    chart: list[ChartData]


class Side(Value):
    """A side's game, over the finished rounds: its ``points``, and its lead over the mean of the
    others (``ahead``), which is the sum of three parts. ``luck`` is the lead of bots with the same
    cards, with its standard ``error``; ``skill`` is how much less its decisions cost than the
    others' did, in all rounds; and ``rest`` is the remainder. ``bots`` are the points of bots."""

    points: int
    bots: float
    ahead: float
    luck: float
    error: float
    skill: float
    rest: float


class Analysis(Value):
    """A game, its decisions judged in ``worlds`` worlds each, and what bots got from its deals."""

    game: Game
    worlds: int
    seed: int
    decisions: tuple[Decision, ...]
    rounds: tuple[RoundLuck, ...]

    def __repr__(self) -> str:
        return f"<Analysis: decisions={len(self.decisions)}, worlds={self.worlds}, {self.game!r}>"

    def of_seat(self, seat: int) -> list[Decision]:
        """The decisions of a player in which they had a choice."""
        return [each for each in self.decisions if each.seat == seat and each.advice is not None]

    def costliest(self, seat: int) -> list[Decision]:
        """The three decisions of a player that clearly cost most, the costliest first."""
        clear = [each for each in self.of_seat(seat) if each.clear]
        return sorted(clear, key=lambda each: -each.cost)[:COSTLIEST]

    def cost(self, seat: int) -> float:
        """The total cost of a player's decisions that clearly cost something."""
        return in_tenths(_clear_cost(self.decisions, seat))

    def sides(self) -> list[Side]:
        """By side, its result over the finished rounds, and its parts."""
        return self._sides(self.rounds, self.decisions)

    def _sides(self, rounds: Sequence[RoundLuck], decisions: Sequence[Decision]) -> list[Side]:
        found = []
        for side, skill in enumerate(self._skills(decisions)):
            ahead = in_tenths(sum(leads(each.points)[side] for each in rounds))
            luck = in_tenths(sum(each.ahead[side] for each in rounds))
            found.append(
                Side(
                    points=sum(each.points[side] for each in rounds),
                    bots=in_tenths(sum(each.bots[side] for each in rounds)),
                    ahead=ahead,
                    luck=luck,
                    error=in_tenths(sqrt(sum(each.error[side] ** 2 for each in rounds))),
                    skill=skill,
                    rest=in_tenths(ahead - luck - skill),
                )
            )
        return found

    def _skills(self, decisions: Sequence[Decision]) -> list[float]:
        """By side, how much less its decisions cost than the others' (their mean): a side's loss is
        the others' gain. It is computed from the costs as shown, so that both rank the sides
        alike."""
        lost = [
            -sum(in_tenths(_clear_cost(decisions, seat)) for seat in seats)
            for seats in self.game.side_seats
        ]
        return [in_tenths(each) for each in leads(lost)]

    def chart(self) -> list[list[float]]:
        """After each decision, by side: its lead over the mean of the others, from the finished
        rounds and its expectation for this one when it last had a choice."""
        sides = self.game.sides
        points = {each.number: each.points for each in self.game.rounds}
        total = [0] * sides
        ahead = [0.0] * sides
        found = []
        for at, each in enumerate(self.decisions):
            if each.advice is not None:
                side = self.game.side_of(each.seat)
                ahead[side] = leads(total)[side] + each.advice.of(each.move).points
            over = points[each.place.round]
            later = self.decisions[at + 1 : at + 2]
            if over is not None and (not later or later[0].place.round > each.place.round):
                total = [sum(both) for both in zip(total, over, strict=True)]
                ahead = leads(total)
            found.append(ahead.copy())
        return found

    def as_data(self) -> AnalysisData:
        """The analysis as plain data for JSON."""
        game = self.game
        learned = any(has_learned(game.rules, each.hand_size) for each in game.rounds)
        network = usable_network() if learned else None
        return {
            "format": FORMAT,
            "version": VERSION,
            "rules": game.rules.name,
            "worlds": self.worlds,
            "seed": self.seed,
            "network": None if network is None else network.digest,
            "players": [self._player_data(seat) for seat in range(game.players)],
            "sides": [
                _side_data(seats, side)
                for seats, side in zip(game.side_seats, self.sides(), strict=True)
            ],
            "rounds": [self._round_data(each) for each in self.rounds],
            "decisions": [_decision_data(each) for each in self.decisions],
            "chart": [
                _chart_data(each.place, ahead)
                for each, ahead in zip(self.decisions, self.chart(), strict=True)
            ],
        }

    def _player_data(self, seat: int) -> PlayerData:
        return {
            "seat": seat,
            "name": self.game.names[seat],
            "choices": len(self.of_seat(seat)),
            "cost": self.cost(seat),
            "costliest": [self.decisions.index(each) for each in self.costliest(seat)],
        }

    def _round_data(self, each: RoundLuck) -> RoundSides:
        decisions = [made for made in self.decisions if made.place.round == each.number]
        sides = self._sides([each], decisions)
        return {
            "number": each.number,
            "points": list(each.points),
            "bots": [side.bots for side in sides],
            "luck": [side.luck for side in sides],
            "skill": [side.skill for side in sides],
            "rest": [side.rest for side in sides],
        }


def in_tenths(points: float) -> float:
    """Points as shown for a player or a side: in tenths everywhere, so that they add up."""
    return round(points, 1) + 0.0


def _clear_cost(decisions: Sequence[Decision], seat: int) -> float:
    return sum(each.cost for each in decisions if each.seat == seat and each.clear)


def _side_data(seats: list[int], side: Side) -> SideData:
    return {
        "seats": seats,
        "points": side.points,
        "bots": side.bots,
        "ahead": side.ahead,
        "luck": side.luck,
        "error": side.error,
        "skill": side.skill,
        "rest": side.rest,
    }


def _chart_data(place: Place, ahead: list[float]) -> ChartData:
    return {
        "round": place.round,
        "trick": place.trick,
        "card": place.card,
        "ahead": list(map(rounded_points, ahead)),
    }


def _decision_data(each: Decision) -> DecisionData:
    told = each.advice
    return {
        "round": each.place.round,
        "trick": each.place.trick,
        "card": each.place.card,
        "seat": each.seat,
        "move": str(each.move),
        "best": str(each.best),
        "points": None if told is None else rounded_points(told.of(each.move).points),
        "best_points": None if told is None else rounded_points(told.best.points),
        "cost": rounded_points(each.cost),
        "error": rounded_points(each.error),
        "clear": each.clear,
        "worlds": 0 if told is None else told.worlds,
        "all_worlds": told is not None and told.all_worlds,
        "exact": told is None or told.exact,
        "moves": {}
        if told is None
        else {str(each.move): rounded_points(each.points) for each in told.moves},
    }
