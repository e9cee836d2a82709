"""Random episodes, which every interface plays alike: `episodes.json`.

``python tests/envs/episodes.py`` writes the file. An episode is that of ``Episode(rules, seed,
table, number)``; its moves are those of the kernel, at random.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from rage import Game, record_of
from rage.engine.kernel import Rules
from rage.engine.position import Position
from rage.envs import Episode, unit_rules
from rage.game.account import leads
from rage.notation import write_record
from rage.rules.values import MOVES

FILE = Path(__file__).with_suffix(".json")
#: A rule set, players, the unit, and the cards of a round.
PLAYED: list[tuple[str, int, Any, int | None]] = [
    ("poof", 4, "round", None),
    ("amigo+sweep", 3, "round", 5),
    ("fundex", 2, "round", 3),
    ("poof+secret-bids", 8, "round", 2),
    ("amigo+hidden-bids", 5, "round", 4),
    ("poof+teams:2", 4, "round", 6),
    ("amigo", 4, "game", None),
    ("fundex+schedule:3.1.2", 6, "game", None),
]


class Played(NamedTuple):
    """An episode: how it is set up; by step, who acts, all legal moves and the move; the rewards by
    side; and the whole as a record."""

    rules: str
    players: int
    unit: Any
    hand: int | None
    seed: int
    table: int
    episode: int
    to_act: list[int]
    legal: list[list[int]]
    moves: list[int]
    rewards: list[float]
    record: str

    def kernel_rules(self) -> Rules:
        """The rules of the unit."""
        return unit_rules(self.rules, self.players, self.unit, self.hand)


@cache
def episodes() -> list[Played]:
    """All episodes of the file."""
    found = json.loads(FILE.read_text(encoding="utf-8"))
    return [
        Played(**{**each, "legal": [_moves(int(bits, 16)) for bits in each["legal"]]})
        for each in found
    ]


def _moves(bits: int) -> list[int]:
    return [move for move in range(128) if bits >> move & 1]


def _play(number: int) -> dict[str, Any]:
    name, players, unit, hand = PLAYED[number]
    rng = Random(number)
    rules = unit_rules(name, players, unit, hand)
    dealt = Episode(rules, number, 0, number % 3)
    game = Game(rules.ruleset, players, deals=dealt.deals())
    position = Position(rules)
    to_act, legal, moves = [], [], []
    while position.phase != 3:
        if position.phase == 0:
            dealt.deal(position)
        to_act.append(position.to_act)
        legal.append(f"{sum(1 << move for move in position.legal_moves):x}")
        moves.append(rng.choice(position.legal_moves))
        position.play(moves[-1])
        game.play(MOVES[moves[-1]])
    return {
        "rules": name, "players": players, "unit": unit, "hand": hand,
        "seed": number, "table": 0, "episode": number % 3,
        "to_act": to_act, "legal": legal, "moves": moves, "rewards": leads(position.scores),
        "record": write_record(record_of(game)).decode(),
    }  # fmt: skip


if __name__ == "__main__":
    lines = [json.dumps(_play(number)) for number in range(len(PLAYED))]
    FILE.write_text("[\n" + ",\n".join(lines) + "\n]\n", encoding="utf-8")
