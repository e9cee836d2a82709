"""``python -m lab.benchmarks.tune [--afresh] [--games 400]``: tune steady, and write its numbers.

Coordinate descent over the contents of `rage/bots/chances.py`. One step shifts or tilts one curve
of chances (a plain colour's or trump's, wanted or not) for one group of players and of tricks left,
or moves one weight; it stays if the points a game of one steady with it, against the mean of the
others at the same table, are higher by more than one standard error, on the same deals from every
seat. Six parts in ten count the margin over steady with the old numbers, four that over random;
half of the games are `poof`, half `amigo` (at two players: volatile scoring). Short rounds come
first, because long ones end in them; each row is tuned on rounds that bid by it and that end in it.

Prints each gain, measured on deals that it was not tuned on. ``--afresh`` starts from a guess. A
pass takes some twenty minutes on one core.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from statistics import mean, stdev

from lab.options import integer
from rage.arena.data.matches import play_games
from rage.bots import chances
from rage.bots.worth import SteadyWeights
from rage.rules.editions import ruleset
from rage.rules.ruleset import RuleSet

Weights = dict[str, list[int]]
Case = tuple[RuleSet, int]
Numbers = tuple[Weights, bytes]

CLASSES = 21
PLAYERS = ((2,), (3,), (4,), (5, 6), (7, 8))
HANDS = ((1, 2), (2, 3, 4), (3, 4, 5), (4, 5, 6, 7), (6, 7, 8, 9), (8, 9, 10))
CURVES = ("high plain", "low plain", "high trump", "low trump")
STEPS = (24, 10)
TARGET = Path(chances.__file__)


def row_of(players: int, tricks: int, lead: int) -> int:
    """The start of a row of chances, as in `worth.chances_row`."""
    return 2 * CLASSES * ((players * len(HANDS) + tricks) * 2 + lead)


def first_chances() -> bytes:
    """A guess to start from."""
    table = bytearray()
    for row in range(len(PLAYERS) * len(HANDS) * 2):
        single, lead = row // 2 % len(HANDS) == 0, row % 2
        for step in [*range(8)] * 2:
            q, trump = step / 7, len(table) // 2 % CLASSES >= 8
            high, low = 0.05 + 0.7 * q, 0.02 + 0.5 * q * q
            if trump:
                high, low = 0.25 + 0.7 * q, 0.1 + 0.5 * q * q
            elif single:
                high = 0.1 * lead + 0.6 * q
                low = 0.75 * high
            table += bytes([int(255 * high), int(255 * low)])
        table += bytes([204, 12, 12, 0, 12, 0, 0, 0, 0, 0])
    return bytes(table)


FIRST_WEIGHTS: Weights = {
    "higher": [180, 230, 100],
    "ruff": [150, 200, 40],
    "wild": [100, 200, 30],
    "bonus": [1500],
    "slack": [100, 80],
    "spoil": [400],
}


def shifted(table: bytes, players: int, tricks: int, what: str, by: int) -> bytes:
    """The chances with one curve, or one kind of action card, moved."""
    new = bytearray(table)

    def add(lead: int, number: int, low: int, amount: float) -> None:
        at = row_of(players, tricks, lead) + 2 * number + low
        new[at] = max(0, min(255, round(new[at] + amount)))

    for lead in (0, 1):
        if what.startswith("action"):
            add(lead, 16 + int(what[7]), int(what[9]), by)
            continue
        for step in range(8):
            amount = by * (1.6 * (step / 7 - 0.5) if "tilt" in what else 1.0)
            if "lead" in what:
                amount = by if lead else -by
            for trump in (0, 8):
                if ("trump" in what) == (trump > 0) or "lead" in what:
                    add(lead, trump + step, int("low" in what), amount)
        sensible(new, row_of(players, tricks, lead))
    return bytes(new)


def sensible(table: bytearray, row: int) -> None:
    """Make a higher card no worse, and wanting a trick make it no less likely."""
    for low in (0, 1):
        for number in range(1, 16):
            at = row + 2 * number + low
            if number != 8:
                table[at] = max(table[at], table[at - 2])
    for at in range(row, row + 2 * CLASSES, 2):
        table[at + 1] = min(table[at], table[at + 1])


def directions() -> list[str]:
    """The moves for one row of chances."""
    moves = [*CURVES, *(f"{curve} tilt" for curve in CURVES), "high lead", "low lead"]
    return [*moves, "action 0 0", "action 0 1", "action 1 0", "action 2 0", "action 3 0"]


def cases_for(group: int, hands: tuple[int, ...]) -> list[Case]:
    """The tables to play at: games of six rounds with these hand sizes."""
    schedule = hands * (6 // len(hands) or 1)
    cases = []
    for players in PLAYERS[group]:
        other = "amigo" if players > 2 else "poof+volatile"
        cases += [(ruleset(name).replace(schedule=schedule), players) for name in ("poof", other)]
    return cases


def whole_games() -> list[Case]:
    """Whole games at tables of every size."""
    names = [("poof", 2), ("poof", 3), ("poof", 4), ("poof", 6), ("amigo", 4), ("amigo", 5)]
    return [(ruleset(name), players) for name, players in names]


def margins(
    case: Case, games: int, seed: int, numbers: Numbers, rival_numbers: Numbers
) -> Iterator[float]:
    """Game by game, the lead of one steady with these numbers."""
    weights, rival_weights = SteadyWeights(*numbers), SteadyWeights(*rival_numbers)
    rules, players = case
    ahead = [0.0] * games
    everybody = (1 << players) - 1
    for seat in range(players):
        for rivals, share in ((everybody ^ (1 << seat), 0.6), (0, 0.4)):
            played = play_games(
                rules, players, 1 << seat, games, seed, rivals, weights, rival_weights
            )
            for game, scores in enumerate(played.scores):
                others = (sum(scores) - scores[seat]) / (players - 1)
                ahead[game] += share * (scores[seat] - others) / players
    yield from ahead


class Tuner:
    """The numbers so far, and the seeds used."""

    def __init__(self, numbers: Numbers, games: int) -> None:
        self.numbers = numbers
        self.rivals = numbers  # the numbers before this descent, to be beaten
        self.games = games
        self.seed = 0
        self.random = Random(1)

    def gain(self, cases: list[Case], old: Numbers, new: Numbers) -> tuple[float, float]:
        """The gain of the new numbers, and its standard error, on deals not used before."""
        self.seed += 1
        games = self.games // len(cases)
        gains: list[float] = []
        for case in cases:
            before = margins(case, games, self.seed, old, self.rivals)
            after = margins(case, games, self.seed, new, self.rivals)
            gains += [b - a for a, b in zip(list(before), list(after), strict=True)]
        return mean(gains), stdev(gains) / len(gains) ** 0.5

    def descend(
        self, name: str, cases: list[Case], moves: list[Callable[[Numbers, int], Numbers]]
    ) -> None:
        """Try every move by each step, up and down, as long as it helps."""
        start = self.rivals = self.numbers
        for step in STEPS:
            self.random.shuffle(moves)
            for move in moves:
                if not self.climb(cases, move, step):
                    self.climb(cases, move, -step)
        gain, error = self.gain(cases, start, self.numbers)
        print(f"{name}: {gain:+.2f} +-{1.96 * error:.2f}", flush=True)

    def climb(self, cases: list[Case], move: Callable[[Numbers, int], Numbers], step: int) -> bool:
        """Make a move as long as it helps. Returns whether it did."""
        moved = False
        while (new := move(self.numbers, step)) != self.numbers:
            gain, error = self.gain(cases, self.numbers, new)
            if gain <= max(error, 0):
                break
            self.numbers = new
            moved = True
        return moved

    def tune_chances(self) -> None:
        """Go over the chances, short rounds first."""
        for tricks, hands in enumerate(HANDS):
            for group, players in enumerate(PLAYERS):
                moves = [_chance_move(group, tricks, what) for what in directions()]
                self.descend(f"{hands} cards, {players} players", cases_for(group, hands), moves)
                write(self.numbers)

    def tune_weights(self) -> None:
        """Go over the weights."""
        weights = self.numbers[0]
        moves = [_weight_move(name, i) for name in weights for i in range(len(weights[name]))]
        self.descend("weights", whole_games(), moves)
        write(self.numbers)


def _chance_move(group: int, tricks: int, what: str) -> Callable[[Numbers, int], Numbers]:
    return lambda numbers, by: (numbers[0], shifted(numbers[1], group, tricks, what, by))


def _weight_move(name: str, i: int) -> Callable[[Numbers, int], Numbers]:
    def move(numbers: Numbers, by: int) -> Numbers:
        values = numbers[0][name].copy()
        by *= 4 if name in ("bonus", "spoil") else 1
        values[i] = max(0, values[i] + by)
        return {**numbers[0], name: values}, numbers[1]

    return move


def write(numbers: Numbers) -> None:
    """Write `chances.py` with these numbers."""
    text = TARGET.read_text(encoding="utf-8")
    head = text[: text.index("WEIGHTS: ")]
    weights, table = numbers
    lines = ["WEIGHTS: Final = {"]
    lines += [f'    "{name}": {values},' for name, values in weights.items()]
    lines += ["}", "", "CHANCES: Final = bytes.fromhex(", '    """']
    lines += [table[at : at + 42].hex() for at in range(0, len(table), 42)]
    lines += ['    """', ")", ""]
    TARGET.write_text(head + "\n".join(lines), encoding="utf-8")


def main() -> None:
    """Tune everything once."""
    parser = argparse.ArgumentParser(prog="python -m lab.benchmarks.tune", description=__doc__)
    parser.add_argument("--afresh", action="store_true", help="start from a guess")
    parser.add_argument(
        "--games", type=integer(6), default=400, help="sets of deals for each comparison"
    )
    arguments = parser.parse_args()
    start = (chances.WEIGHTS, chances.CHANCES)
    if arguments.afresh:
        start = (FIRST_WEIGHTS, first_chances())
    tuner = Tuner(start, arguments.games)
    tuner.tune_chances()
    tuner.tune_weights()


if __name__ == "__main__":
    main()
