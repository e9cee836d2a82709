"""The positions of the list."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final, NamedTuple

from rage import Deal, Game, Move, ruleset
from scenes import run

#: Where the positions are kept, one a line.
LIST: Final = Path(__file__).with_name("positions.jsonl")
#: How many points a mistake loses at least.
LEAST: Final = 2.0


class Stored(NamedTuple):
    """A position: the game up to the decision of ``seat``, the mistake by its name, the moves that
    would be it, the best move, and by policy and move the points lost against that with half the
    width of the 95 % interval, over that many worlds."""

    number: int
    mistake: str
    game: Game
    seat: int
    wrong: tuple[Move, ...]
    best: Move
    lost: dict[str, dict[Move, tuple[float, float]]]
    worlds: int

    @property
    def name(self) -> str:
        """What a failure calls it: its line in the list, and the mistake."""
        return f"{self.number} {self.mistake}"


def positions() -> list[Stored]:
    """All positions of the list, in its order."""
    lines = LIST.read_text(encoding="utf-8").splitlines()
    return [_position(number, line) for number, line in enumerate(lines, 1)]


def _position(number: int, line: str) -> Stored:
    data = json.loads(line)
    deal = Deal(data["dealer"], data["hands"], data["stock"])
    game = Game(ruleset(data["rules"]), data["players"], deals=[deal])
    run(game, data["moves"])
    lost = {
        policy: {Move(code): (mean, half) for code, (mean, half) in each.items()}
        for policy, each in data["lost"].items()
    }
    best = Move(data["best"])
    wrong = tuple(lost["steady"])
    return Stored(number, data["mistake"], game, data["seat"], wrong, best, lost, data["worlds"])
