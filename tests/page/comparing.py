"""Random rules and games, and what the program says of them in the form the page has it."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from generators import deals_for, rules_from
from rage import Game, RuleSet
from rage.say import Reason


def reason_data(value: Any) -> Any:
    """A reason, and any in its parameters, as the page has it."""
    if isinstance(value, Reason):
        return {
            "code": value.code,
            "params": {key: reason_data(each) for key, each in value.params.items()},
        }
    return value


def plain(value: Any) -> Any:
    """The same for an answer of the page, which may leave out parameters where there are none."""
    if isinstance(value, dict) and "code" in value:
        given = value.get("params", {})
        return {"code": value["code"], "params": {key: plain(each) for key, each in given.items()}}
    return value


def random_rules(rng: Random) -> tuple[RuleSet, int]:
    return rules_from(rng.choice, rounds=2, most=10)


def played_games(rng: Random) -> Iterator[Game]:
    """Games of random rules without end, played at random to theirs."""
    while True:
        rules, players = random_rules(rng)
        game = Game(rules, players, deals=deals_for(rules, players, rng))
        while not game.over:
            game.play(rng.choice(game.legal_moves))
        yield game


def settings(rules: RuleSet) -> dict[str, Any]:
    """Every setting as plain data."""
    values = {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in vars(rules).items()
        if name not in ("colours", "ranks", "player_range")
    }
    return {**values, "players": [*rules.player_range], "pack": dict(vars(rules.pack))}


def answered(answer: Any) -> Any:
    return {"refused": plain(answer["refused"])} if "refused" in answer else answer
