"""The game record (``docs/record.md``) as data, before any rule is checked."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import groupby
from typing import Any, Final, Generic, NamedTuple, TypeVar, cast

from rage.engine.deal import Deal, Deals
from rage.game.game import Game
from rage.rules.cards import BID, CARD_CODES, MOVE_CODES
from rage.rules.ruleset import RuleSet
from rage.say import NotAllowed, NotReadable, Reason, check_kind, in_words

Occupant = TypeVar("Occupant")

FORMAT: Final = "rage-game"
VERSION: Final = 1
MAX_BYTES: Final = 1 << 20
RECORD_FIELDS: Final = frozenset(
    ("format", "version", "rules", "players", "first_round", "rounds", "scores", "winners")
)
ROUND_FIELDS: Final = frozenset(("dealer", "hands", "stock", "bids", "tricks", "won", "points"))
#: The optional fields, in the order in which they are written.
OPTIONAL: Final = (
    "id",
    "site",
    "event",
    "started",
    "ended",
    "bots",
    "signs",
    "earlier",
    "commitment",
    "words",
    "word_commitments",
    "seating",
    "first_dealer",
    "seed",
    "comment",
    "remarks",
)
#: The codes that may stand in a trick. A Wild without a colour can be read, but is illegal.
PLAYED_CODES: Final = frozenset((*MOVE_CODES[:BID], *CARD_CODES))


class NotARecord(NotReadable):
    """The file is not a record, as can be told without replaying it (exit status 2 of ``rage
    replay``)."""

    __module__ = "rage.notation"


class BrokenRule(NotAllowed):
    """The record breaks a rule (status 1) in ``round`` (its number in the schedule), at ``trick``
    and ``card`` (from 1; ``None`` if it is not in one)."""

    __module__ = "rage.notation"

    def __init__(
        self, reason: Reason, number: int | None, trick: int | None = None, card: int | None = None
    ) -> None:
        where = {"round": number, "trick": trick, "card": card, "why": reason}
        place = "card" if card else "round" if number else "record"
        super().__init__(f"notation.at_{place}", **where)
        self.round: int | None = number
        self.trick: int | None = trick
        self.card: int | None = card

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self), (self.reason.params["why"], self.round, self.trick, self.card))


class _Written:
    """A part of a record, compared field by field."""

    __slots__: tuple[str, ...] = ()

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in self.__slots__)


class RoundRecord(_Written):
    """One round as written: the deal, the bids by seat, the codes of each trick, and optional
    results. ``extra`` holds the fields that the format does not define."""

    __slots__ = ("bids", "deal", "extra", "points", "tricks", "won")

    def __init__(
        self,
        deal: Deal,
        bids: list[int | None],
        tricks: list[list[str]],
        won: list[int] | None = None,
        points: list[int] | None = None,
        extra: dict[str, Any] | None = None,
    ) -> None:
        self.deal: Deal = deal
        self.bids: list[int | None] = bids
        self.tricks: list[list[str]] = tricks
        self.won: list[int] | None = won
        self.points: list[int] | None = points
        self.extra: dict[str, Any] = extra or {}

    def __repr__(self) -> str:
        bids = " ".join("-" if bid is None else str(bid) for bid in self.bids)
        tricks = "1 trick" if len(self.tricks) == 1 else f"{len(self.tricks)} tricks"
        return f"<RoundRecord: dealt by seat {self.deal.dealer}, bids {bids}, {tricks}>"


class Record(_Written):
    """A whole record: rules, names by seat, rounds, optional results, and in ``extra`` every other
    field, including ``OPTIONAL``."""

    __slots__ = ("extra", "first_round", "names", "rounds", "rules", "scores", "winners")

    def __init__(
        self,
        rules: RuleSet,
        names: list[str],
        rounds: list[RoundRecord],
        *,
        first_round: int = 1,
        scores: list[int] | None = None,
        winners: list[int] | None = None,
        extra: dict[str, Any] | None = None,
    ) -> None:
        self.rules: RuleSet = rules
        self.names: list[str] = names
        self.rounds: list[RoundRecord] = rounds
        self.first_round: int = first_round
        self.scores: list[int] | None = scores
        self.winners: list[int] | None = winners
        self.extra: dict[str, Any] = extra or {}

    def __repr__(self) -> str:
        names = ", ".join(self.names)
        rounds = "1 round" if len(self.rounds) == 1 else f"{len(self.rounds)} rounds"
        return f"<Record {self.rules.edition}: {names}; {rounds}, {self.scores}>"


class Holder(NamedTuple, Generic[Occupant]):
    """A seat's holder, from the ``first`` round dealt to them (``None``: since the last deal)."""

    who: Occupant
    first: int | None


class Occupants(NamedTuple):
    """The players to whom a round was dealt (``earlier`` in ``docs/record.md``)."""

    players: list[str]
    bots: list[str | None]


def occupants_of(record: Record) -> dict[int, Occupants]:
    """By number, the occupants of rounds dealt to other players than the last ones, as far as the
    record has them in a readable form."""
    check_kind(record, Record, "record")
    found, count = dict[int, Occupants](), len(record.names)
    rounds: Any = record.extra.get("earlier", [])
    for each in rounds if isinstance(rounds, list) else ():
        number, players, bots = (
            cast(Any, each.get(name) if isinstance(each, dict) else None)
            for name in ("round", "players", "bots")
        )
        if type(number) is int and _is_texts(players, count) and _is_texts(bots, count, None):
            found[number] = Occupants(players, bots)
    return found


def names_by_round(record: Record) -> dict[int, list[str]]:
    """By number, for every round of a record, the names of the players to whom it was dealt."""
    earlier, first = occupants_of(record), record.first_round
    return {
        number: earlier[number].players if number in earlier else record.names
        for number in range(first, first + len(record.rounds))
    }


def holders_of(record: Record) -> list[list[Holder[str]]]:
    """By seat, everyone who held it in the game of a record, by name."""
    return holders(names_by_round(record), record.names, str)


def holders(
    dealt: Mapping[int, Sequence[Occupant]],
    last: Sequence[Occupant],
    identity: Callable[[Occupant], object],
) -> list[list[Holder[Occupant]]]:
    """By seat, everyone who held it, in order: the occupants to whom each round was ``dealt``, and
    the ``last`` ones. ``identity``: a key that distinguishes occupants."""
    found = list[list[Holder[Occupant]]]()
    for seat, end in enumerate(last):
        rounds = [*(Holder(each[seat], first) for first, each in dealt.items()), Holder(end, None)]
        runs = groupby(rounds, lambda each: identity(each.who))
        found.append([next(run) for _, run in runs])
    return found


def _is_texts(value: Any, count: int, *others: None) -> bool:
    """Return whether this is a list of ``count`` texts, or of texts and ``None``."""
    return (
        isinstance(value, list)
        and len(value) == count
        and all(isinstance(each, str) or each in others for each in value)
    )


def record_of(game: Game, /, **fields: Any) -> Record:
    """The record of a game so far, including its results. ``fields`` are optional ones (``id``,
    ``bots``, ``seed`` ...); ``None`` leaves one out."""
    check_kind(game, Game, "game")
    rounds = []
    for each in game.rounds:
        assert each.deal is not None
        tricks = [[str(move) for move in trick.moves] for trick in each.tricks]
        rounds.append(RoundRecord(each.deal, list(each.bids), tricks))
    extra = {name: value for name, value in fields.items() if value is not None}
    record = Record(game.rules, list(game.names), rounds, first_round=game.first_round, extra=extra)
    complete(record, game)
    return record


def complete(record: Record, game: Game) -> None:
    """Add to a record every result of its game, replayed."""
    check_kind(record, Record, "record")
    check_kind(game, Game, "game")
    if len(record.rounds) != len(game.rounds):
        raise NotReadable("argument.wrong", given=in_words(game), wanted="argument.replayed")
    for written, played in zip(record.rounds, game.rounds, strict=True):
        written.won = None if played.won is None else list(played.won)
        written.points = None if played.points is None else list(played.points)
    record.scores = game.scores if any(each.points for each in game.rounds) else None
    record.winners = game.winners


def deals_of(record: Record) -> Deals | None:
    """The dealer for a record's ``seed``, ``words``, ``word_commitments`` and ``first_dealer``, as
    ``docs/deals.md`` describes, or ``None`` if seed or words are missing or malformed. A
    ``first_dealer`` that is not a seat is ignored: the seed decides."""
    check_kind(record, Record, "record")
    extra, players = record.extra, len(record.names)
    first: Any = extra.get("first_dealer")
    if type(first) is not int or not 0 <= first < players:
        first = None
    try:
        seed = bytes.fromhex(extra["seed"])
        words = extra.get("words") or [None] * len(extra.get("word_commitments") or ())
        if not isinstance(words, list):
            return None
        return Deals(record.rules, players, seed, [word or "" for word in words], first)
    except (KeyError, TypeError, ValueError, AttributeError):
        return None
