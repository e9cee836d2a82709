"""The units of episodes: the rules of a round or a game."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any, Literal

from rage.engine.kernel import Rules
from rage.rules.editions import ruleset
from rage.rules.ruleset import RuleSet

Unit = Literal["round", "game"]


def check_choice(name: str, given: Any, allowed: Collection[str | None]) -> None:
    """Raise ``ValueError`` unless an argument is one of those ``allowed``."""
    if not isinstance(given, str | None) or given not in allowed:
        raise ValueError(f"{name} is one of {', '.join(map(repr, allowed))}, not {given!r}")


def to_list(name: str, given: Any) -> list[Any]:
    """An argument as a list. Raises ``ValueError`` if it cannot be one."""
    if not isinstance(given, Iterable):
        raise ValueError(f"{name} is a list, not {given!r}")
    return list(given)


def unit_rules(
    rules: str | RuleSet, players: int, unit: Unit = "round", hand: int | None = None
) -> Rules:
    """The rules of a unit of play: for a ``"game"``, the rule set itself; for a ``"round"``, a game
    of one round with ``hand`` cards each, by default as many as in the first round. ``rules`` is a
    rule set or its name."""
    check_choice("unit", unit, ("round", "game"))
    if isinstance(rules, str):
        rules = ruleset(rules, laboratory=True)
    if not isinstance(rules, RuleSet):
        raise ValueError(f"no rule set: {rules!r}")
    if unit == "round":
        rules = rules.replace(schedule=(rules.schedule[0] if hand is None else hand,))
    elif hand is not None:
        raise ValueError('hand is for unit="round"; a game has a schedule')
    return Rules(rules, players)
