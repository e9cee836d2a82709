"""Rule sets, and the printed editions and variants as data.

A rule set is written as an edition and its departures: ``amigo+plus-minus-one+sweep``,
``poof+miss:-5+schedule:3.2.1``. :attr:`RuleSet.name` writes one canonical form. Nothing here plays
cards: the kernel applies the settings.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from rage.rules.cards import ACTIONS, N_COLOURS, N_RANKS, WILD
from rage.rules.frozen import Value
from rage.rules.number import as_int
from rage.rules.settings import (
    LABORATORY,
    MAX_DEALT,
    MAX_REAL_PLAYERS,
    PRINTED,
    SETTING_NAMES,
    SETTINGS,
    TEAMS,
    Pack,
    are_players,
    format_value,
)
from rage.say import NotAllowed, NotReadable, check_kind


class RuleSet(Value):
    """The rules of one game: an edition, and every setting that it decides (``docs/rules.md`` says
    what each one does). :func:`rage.ruleset` makes one from a name, :meth:`replace` another from
    it. Raises :class:`rage.NotAllowed` if a limit is exceeded.

    ``player_range`` are the fewest and the most players; ``colours`` and ``ranks`` are for research
    only. ``str`` is the name."""

    edition: str
    player_range: tuple[int, int]
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

    def _check(self) -> None:
        fields = vars(self)
        if isinstance(self.pack, tuple | list) and len(self.pack) == len(ACTIONS):
            fields["pack"] = Pack(*self.pack)
        if isinstance(self.schedule, list):
            fields["schedule"] = tuple(self.schedule)
        if not are_players(self.player_range):
            raise NotAllowed(
                "setting.refused",
                setting="player_range",
                value=format_value(self.player_range),
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
    def name(self) -> str:
        """Its canonical name: the edition, then variants where they fit, then settings, without
        anything that equals the edition's. ``ruleset(rules.name) == rules``, with ``laboratory``
        where needed. Raises :class:`rage.NotAllowed` for a custom edition or another range of
        players, which no name can express."""
        base = base_of(self, laboratory=True)
        left = self.departures(base)
        terms = [self.edition]
        for variant, settings in VARIANTS.items():
            if settings.keys() <= left.keys() and all(left[s] == v for s, v in settings.items()):
                terms.append(variant)
                left = {name: value for name, value in left.items() if name not in settings}
        for setting, value in left.items():
            if isinstance(value, Pack):
                mine, usual = vars(value), vars(base.pack)
                differs = [f"{kind}{mine[kind]}" for kind in mine if mine[kind] != usual[kind]]
                terms.append(f"{setting}:{'.'.join(differs)}")
            else:
                terms.append(f"{setting}:{format_value(value)}")
        return "+".join(terms)

    def __str__(self) -> str:
        try:
            return self.name
        except NotAllowed:
            return repr(self)

    @property
    def laboratory(self) -> bool:
        """Whether these rules are for research only: no record and no interface accepts them."""
        return self.edition not in PRINTED or self.colours < N_COLOURS or self.ranks < N_RANKS

    @property
    def pack_size(self) -> int:
        """The number of cards in the pack."""
        return self.colours * self.ranks + sum(self.pack.counts)

    def for_players(self, players: int, *, real_cards: bool = False) -> RuleSet:
        """Return these rules, checked for a number of players. Raises :class:`rage.NotAllowed` if
        the edition, the teams or the size of the pack does not allow it. With ``real_cards``, up to
        ten may play any edition, and be dealt all cards but one to turn up."""
        least, most = self.player_range
        limit = self.pack_size if self.laboratory else MAX_DEALT
        if real_cards:
            most, limit = MAX_REAL_PLAYERS, self.pack_size - 1
        number = as_int(players)
        if number is None or not least <= number <= most:
            code = "players.real" if real_cards else "players.refused"
            raise NotAllowed(code, players=players, edition=self.edition, least=least, most=most)
        if self.teams is not None and number not in TEAMS[self.teams]:
            raise NotAllowed(
                "teams.refused",
                teams=self.teams,
                players=number,
                allowed=f"teams.allowed.{self.teams}",
            )
        largest = max(self.schedule)
        if number * largest > limit:
            raise NotAllowed(
                "hand.refused", hand=largest, players=number, limit=limit, allowed=limit // number
            )
        return self

    @property
    def player_counts(self) -> list[int]:
        """The numbers of players that the edition and the teams allow, in rising order.
        (:meth:`for_players` also checks the size of the pack.)"""
        least, most = self.player_range
        numbers = range(least, most + 1)
        return [each for each in numbers if self.teams is None or each in TEAMS[self.teams]]

    @property
    def usual_players(self) -> int:
        """The default number of players: 4, or the lowest if 4 is not allowed."""
        numbers = self.player_counts
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
            changes["pack"] = self.pack.replace(**counts)
        return super().replace(**changes)

    def departures(self, base: RuleSet) -> dict[str, Any]:
        """The settings that differ from ``base``, by name, in the order of ``docs/rules.md``."""
        check_kind(base, RuleSet, "rules")
        mine = {name: getattr(self, name) for name in SETTING_NAMES}
        return {name: value for name, value in mine.items() if value != getattr(base, name)}


def pack(rules: RuleSet) -> list[int]:
    """The cards before the shuffle, in their fixed order: red 0 to 15, orange, yellow, green, blue,
    purple, then the Wilds, Changes, Outs, Bonuses and Mads."""
    cards = [
        N_RANKS * colour + rank for colour in range(rules.colours) for rank in range(rules.ranks)
    ]
    for kind, count in enumerate(rules.pack.counts):
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


EDITIONS: Final[Mapping[str, RuleSet]] = {
    "poof": RuleSet(edition="poof", player_range=(2, 8), tie="exact_bids"),
    "amigo": RuleSet(
        edition="amigo",
        player_range=(3, 8),
        pack=Pack(bonus=3, mad=3),
        change="reveal",
        out="trick",
        second_wild="higher",
        exact_zero=10,
        miss=-5,
    ),
    "fundex": RuleSet(edition="fundex", player_range=(2, 6)),
    # The rules of OpenSpiel's oh_hell, against which the kernel is tested.
    "oh_hell": RuleSet(
        edition="oh_hell",
        player_range=(2, 8),
        pack=Pack(0, 0, 0, 0, 0),
        exact_zero=10,
        bid_total="not_tricks",
        schedule=(10,),
        colours=4,
        ranks=13,
    ),
}

#: The variants, as changes of settings, in the order of ``docs/rules.md``.
VARIANTS: Final[Mapping[str, Mapping[str, Any]]] = {
    "anytime-actions": {"anytime_actions": True},
    "hidden-bids": {"bidding": "hidden"},
    "secret-bids": {"bidding": "secret"},
    "plus-minus-one": {"bid_total": "not_tricks"},
    "sweep": {"sweep": True},
    "volatile": {"exact_zero": 10, "miss": -5},
    "rising": {"schedule": tuple(range(1, 11))},
    "level": {"schedule": (10,) * 10},
    "two-teams": {"teams": 2},
    "three-teams": {"teams": 3},
}


def base_of(rules: RuleSet, *, laboratory: bool = False) -> RuleSet:
    """The edition that a rule set departs from. Raises :class:`rage.NotAllowed` if no name can
    express the rule set: a custom edition, another range of players or, unless ``laboratory``, a
    laboratory setting."""
    base = EDITIONS.get(rules.edition)
    if base is None or not (laboratory or rules.edition in PRINTED):
        odd = "edition"
    elif rules.player_range != base.player_range:
        odd = "player_range"
    elif rules.laboratory and not laboratory:
        odd = next(each for each in LABORATORY if getattr(rules, each) != getattr(base, each))
    else:
        return base
    raise NotAllowed("ruleset.unwritten", setting=odd, value=format_value(getattr(rules, odd)))
