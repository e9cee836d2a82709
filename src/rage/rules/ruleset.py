"""RuleSet: every setting of the rules, its source, and its limits.

``docs/rules.md`` and the catalogues (``setting.<name>``) say what each setting means. Nothing here
plays cards: the kernel applies these settings.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple, Self

from rage.rules.cards import ACTIONS, N_COLOURS, N_RANKS, WILD
from rage.rules.number import as_int
from rage.say import NotAllowed, NotReadable, check_kind, in_words

MAX_ROUNDS: Final = 30
MAX_HAND: Final = 15
#: One fewer than the 96 coloured cards, so that the stock holds one for the turn-up.
MAX_DEALT: Final = 95
MAX_OF_A_KIND: Final = 4
MAX_POINTS: Final = 100
MAX_PLAYERS: Final = 8


class Pack(NamedTuple):
    """The number of each action card in the pack."""

    wild: int = 2
    change: int = 4
    out: int = 4
    bonus: int = 2
    mad: int = 2


class Settings(NamedTuple):
    """The settings of a :class:`RuleSet`, which checks them: ``docs/rules.md`` says what each one
    does. ``colours`` and ``ranks`` are for research only."""

    # Not a dataclass: importing dataclasses would take more than half the time of ``import rage``.

    edition: str
    players: tuple[int, int]
    pack: Pack = Pack()
    change: str = "choose"
    out: str = "round"
    second_wild: str = "lower"
    exact: int = 10
    exact_zero: int = 5
    miss: int = 0
    tie: str = "shared"
    schedule: tuple[int, ...] = (10, 9, 8, 7, 6, 5, 4, 3, 2, 1)
    bidding: str = "open"
    bid_total: str = "any"
    anytime_actions: bool = False
    sweep: bool = False
    teams: int | None = None
    # Laboratory settings: for the referee and for research, never in a record or an interface.
    colours: int = N_COLOURS
    ranks: int = N_RANKS


class RuleSet(Settings):
    """The rules of one game: an edition and every setting of :class:`Settings`, each an attribute.
    :func:`rage.ruleset` makes one from a name, :meth:`replace` another from it. Immutable;
    construction raises :class:`rage.NotAllowed` if a limit is exceeded."""

    __slots__ = ()

    def __new__(cls, *values: Any, **settings: Any) -> Self:
        """Take the fields of :class:`Settings`."""
        given = Settings(*values, **settings)
        pack, schedule = _as_pack(given.pack), given.schedule
        if isinstance(schedule, list):
            schedule = tuple(schedule)
        rules = super().__new__(cls, *given._replace(pack=pack, schedule=schedule))
        rules.check()
        return rules

    @classmethod
    def _make(cls, iterable: Iterable[Any]) -> Self:  # type: ignore[override]  # mypy's is generic
        """Make ``_replace`` check its copies, too."""
        return cls(*iterable)

    def check(self) -> None:
        """Raise :class:`rage.NotAllowed` for the first setting that exceeds a limit."""
        if not _are_players(self.players):
            raise NotAllowed(
                "setting.refused",
                setting="players",
                value=format_value(self.players),
                allowed="allowed.players",
            )
        for setting in SETTINGS:
            value = getattr(self, setting.name)
            if setting.name == "schedule" and not isinstance(value, tuple):
                raise NotAllowed("schedule.no_numbers", value=format_value(value))
            if not setting.allows(value):
                hands = setting.name == "schedule"
                shown = format_value(value)
                raise NotAllowed(
                    "schedule.refused" if hands else "setting.refused",
                    setting=setting.name,
                    value=shown.replace(".", ", ") if hands else shown,  # as people write it
                    allowed=f"allowed.{setting.kind}",
                )
        if self.bid_total == "not_tricks" and self.bidding != "open":
            raise NotAllowed("setting.not_tricks_needs_open", bidding=self.bidding)
        if self.laboratory and self.colours == 1 and self.change == "choose" and self.pack.change:
            raise NotAllowed("setting.change_needs_colours")

    @property
    def laboratory(self) -> bool:
        """Whether these rules are for research only: no record and no interface accepts them."""
        return self.edition not in PRINTED or self.colours < N_COLOURS or self.ranks < N_RANKS

    @property
    def pack_size(self) -> int:
        """The number of cards in the pack."""
        return self.colours * self.ranks + sum(self.pack)

    def for_players(self, players: int) -> RuleSet:
        """Return these rules, checked for a number of players. Raises :class:`rage.NotAllowed` if
        the edition, the teams or the size of the pack does not allow it."""
        least, most = self.players
        number = as_int(players)
        if number is None or not least <= number <= most:
            raise NotAllowed(
                "players.refused", players=players, edition=self.edition, least=least, most=most
            )
        if self.teams is not None and number not in TEAMS[self.teams]:
            raise NotAllowed(
                "teams.refused",
                teams=self.teams,
                players=number,
                allowed=f"teams.allowed.{self.teams}",
            )
        limit = self.pack_size if self.laboratory else MAX_DEALT
        largest = max(self.schedule)
        if number * largest > limit:
            raise NotAllowed(
                "hand.refused", hand=largest, players=number, limit=limit, allowed=limit // number
            )
        return self

    def player_counts(self) -> list[int]:
        """The numbers of players that the edition and the teams allow, in rising order.
        (:meth:`for_players` also checks the size of the pack.)"""
        least, most = self.players
        numbers = range(least, most + 1)
        return [each for each in numbers if self.teams is None or each in TEAMS[self.teams]]

    def usual_players(self) -> int:
        """The default number of players: 4, or the lowest if 4 is not allowed."""
        numbers = self.player_counts()
        return 4 if 4 in numbers or not numbers else numbers[0]

    def replace(self, **changes: Any) -> RuleSet:
        """These rules with some settings changed: ``rules.replace(miss=-5, schedule=(3, 2, 1))``.

        A ``pack`` is a :class:`rage.Pack`, five counts in its order, or the counts that change, by
        kind: ``{"out": 0}``. Raises :class:`rage.NotReadable` for a setting that does not exist,
        and :class:`rage.NotAllowed` for another edition, and if a limit is exceeded."""
        for name in changes:
            if name not in self._fields:
                known = ", ".join(each for each in SETTING_NAMES if each not in LABORATORY)
                raise NotReadable("ruleset.no_setting", setting=name, allowed=known)
        if changes.get("edition", self.edition) != self.edition:
            raise NotAllowed("ruleset.edition_stays", edition=self.edition)
        if isinstance(counts := changes.get("pack"), dict) and counts.keys() <= {*ACTIONS}:
            changes["pack"] = self.pack._replace(**counts)
        return type(self)(**{**self._asdict(), **changes})

    def departures(self, base: RuleSet) -> dict[str, Any]:
        """The settings that differ from ``base``, by name, in the order of ``docs/rules.md``."""
        check_kind(base, RuleSet, "rules")
        mine = {name: getattr(self, name) for name in SETTING_NAMES}
        return {name: value for name, value in mine.items() if value != getattr(base, name)}


def _as_pack(given: Any) -> Any:
    """A pack, also from five counts; anything else is left unchanged, to be refused."""
    return Pack(*given) if isinstance(given, tuple | list) and len(given) == len(ACTIONS) else given


def pack(rules: RuleSet) -> list[int]:
    """The cards before the shuffle, in their fixed order: red 0 to 15, orange, yellow, green, blue,
    purple, then the Wilds, Changes, Outs, Bonuses and Mads."""
    cards = [
        N_RANKS * colour + rank for colour in range(rules.colours) for rank in range(rules.ranks)
    ]
    for kind, count in enumerate(rules.pack):
        cards += [WILD + kind] * count
    return cards


def leading(rules: RuleSet, points: Sequence[int], met: Sequence[int]) -> list[int]:
    """The indices of the sides with the most points; if ``tie`` is ``exact_bids``, only the ones
    among them that met the most bids."""
    keys = [*zip(points, met if rules.tie == "exact_bids" else [0] * len(points), strict=True)]
    return [at for at, key in enumerate(keys) if key == max(keys)]


def places(scores: Sequence[int], winners: Sequence[int]) -> list[int]:
    """The place of each side in a finished game, from 1. Equals share a place, but after a
    tie-break only the ``winners`` share the first. ``web/src/start/places.ts`` does the same."""
    ranks = [(side in winners, score) for side, score in enumerate(scores)]
    return [1 + sum(other > rank for other in ranks) for rank in ranks]


def format_value(value: object) -> str:
    """The value of a setting as written in a name: ``true``, ``none``, ``3.2.1``,
    ``wild2.out0``."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Pack):
        return ".".join(f"{kind}{count}" for kind, count in zip(ACTIONS, value, strict=True))
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


def _are_players(value: object) -> bool:
    return (
        isinstance(value, tuple)
        and len(value) == 2
        and all(_is_int(each, 1, MAX_PLAYERS) for each in value)
    )


def _is_pack(value: object) -> bool:
    return isinstance(value, Pack) and all(_is_int(n, 0, MAX_OF_A_KIND) for n in value)


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
assert set(Settings._fields) == {"edition", "players", *SETTING_NAMES}
