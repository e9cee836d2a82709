"""The settings of the rules, with their sources and their limits.

``docs/rules.md`` and the catalogues (``setting.<name>``) say what each setting means.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from rage.rules.cards import N_COLOURS, N_RANKS
from rage.rules.frozen import Value
from rage.say import in_words

MAX_ROUNDS: Final = 30
MAX_HAND: Final = 15
#: One fewer than the 96 coloured cards, so that the stock holds one for the turn-up.
MAX_DEALT: Final = 95
MAX_OF_A_KIND: Final = 4
MAX_POINTS: Final = 100
MAX_PLAYERS: Final = 8
#: The most players with real cards, on score sheets and for the judge: old boxes are for up to ten.
MAX_REAL_PLAYERS: Final = 10


class Pack(Value):
    """The number of each action card in the pack."""

    wild: int = 2
    change: int = 4
    out: int = 4
    bonus: int = 2
    mad: int = 2

    @property
    def counts(self) -> list[int]:
        """The counts, in this order."""
        return [*vars(self).values()]


def format_value(value: object) -> str:
    """The value of a setting as written in a name: ``true``, ``none``, ``3.2.1``,
    ``wild2.out0``."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Pack):
        return ".".join(f"{kind}{count}" for kind, count in vars(value).items())
    if isinstance(value, tuple):
        return ".".join(str(each) for each in value)
    return in_words(value)


class Setting(NamedTuple):
    """A setting: its name, the kind of its values (``allowed.<kind>`` describes it), the test for
    them, and its source."""

    name: str
    kind: str
    allows: Callable[[Any], bool]
    source: str


#: By printed edition, where its rules stand.
_RULES_OF: Final = {
    "poof": "Poof-Slinky 2013",
    "amigo": "AMIGO 00990",
    "fundex": "Fundex 2006 (Wikipedia)",
}
PRINTED: Final = tuple(_RULES_OF)
TEAMS: Final[Mapping[int, tuple[int, ...]]] = {2: (4, 6), 3: (6,)}
CHOICES: Final[Mapping[str, tuple[str, ...]]] = {
    "change": ("choose", "reveal"),
    "out": ("round", "trick"),
    "second_wild": ("lower", "higher"),
    "tie": ("exact_bids", "shared"),
    "bidding": ("open", "hidden", "secret"),
    "bid_total": ("any", "not_tricks"),
}


def _is_int(value: object, low: int, high: int) -> bool:
    return type(value) is int and low <= value <= high


def are_players(value: object) -> bool:
    """Whether these are the fewest and the most players of a rule set."""
    return (
        isinstance(value, tuple)
        and len(value) == 2
        and all(_is_int(each, 1, MAX_PLAYERS) for each in value)
    )


def _is_pack(value: object) -> bool:
    return isinstance(value, Pack) and all(_is_int(n, 0, MAX_OF_A_KIND) for n in value.counts)


def _is_schedule(value: object) -> bool:
    return (
        isinstance(value, tuple)
        and 1 <= len(value) <= MAX_ROUNDS
        and all(_is_int(hand, 1, MAX_HAND) for hand in value)
    )


def _is_points(value: object) -> bool:
    return _is_int(value, -MAX_POINTS, MAX_POINTS)


def _is_flag(value: object) -> bool:
    return isinstance(value, bool)


def _is_teams(value: object) -> bool:
    return value is None or (type(value) is int and value in TEAMS)


def _choice(name: str, source: str) -> Setting:
    return Setting(name, name, CHOICES[name].__contains__, source)


def _from(*editions: str) -> str:
    return ", ".join(_RULES_OF[each] for each in editions or PRINTED)


_ALL = _from()

#: Every setting that an edition or a variant decides, in the order of ``docs/rules.md``.
SETTINGS: Final = (
    Setting("pack", "pack", _is_pack, _ALL),
    _choice("change", _ALL),
    _choice("out", _ALL),
    _choice("second_wild", _ALL),
    Setting("exact", "points", _is_points, _ALL),
    Setting("exact_zero", "points", _is_points, _ALL),
    Setting("miss", "points", _is_points, _ALL),
    _choice("tie", _from("poof", "amigo")),
    Setting("schedule", "schedule", _is_schedule, _from("fundex")),
    _choice("bidding", _ALL),
    _choice("bid_total", _from("amigo")),
    Setting("anytime_actions", "flag", _is_flag, _from("poof", "fundex")),
    Setting("sweep", "flag", _is_flag, _ALL),
    Setting("teams", "teams", _is_teams, _from("fundex")),
    Setting("colours", "colours", lambda value: _is_int(value, 1, N_COLOURS), "laboratory"),
    Setting("ranks", "ranks", lambda value: _is_int(value, 1, N_RANKS), "laboratory"),
)
SETTING_NAMES: Final = tuple(setting.name for setting in SETTINGS)
LABORATORY: Final = ("colours", "ranks")
