"""What has happened at a table: facts, each numbered and dated by an :class:`Event`.

The list of a table's events is the table: everything else is folded from it. A fact says itself
how much of it somebody may see (:meth:`Fact.seen_by`); all that may differ from person to person
is in the few classes here that say something other than "all of it".
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Final, Literal, NamedTuple

from rage.say import NotReadable
from rage.table.data import Codec
from rage.table.options import Options


class Fact:
    """Something that has happened. Cards, moves and colours are codes of ``docs/record.md``."""

    __slots__ = ()

    def seen_by(self, person: str | None, seat: int | None) -> Fact | None:
        """What of it a person sees who sees the cards of ``seat`` (``None``: of no seat);
        ``None`` where it is nothing at all."""
        return self


@dataclass(frozen=True, slots=True)
class Created(Fact):
    """The table is open."""

    rules: str
    players: int
    options: Options


@dataclass(frozen=True, slots=True)
class Configured(Fact):
    """Rules, number of players or options have changed."""

    rules: str
    players: int
    options: Options


@dataclass(frozen=True, slots=True)
class Committed(Fact):
    """The hash of the secret seed of the table's ``game``-th game, from 1."""

    game: int
    hash: str


@dataclass(frozen=True, slots=True)
class Sealed(Fact):
    """The seed itself, which nobody sees: it is shown by :class:`GameOver`."""

    seed: str | None

    def seen_by(self, person: str | None, seat: int | None) -> Fact | None:
        """That there is one."""
        return Sealed(None)


@dataclass(frozen=True, slots=True)
class Joined(Fact):
    """A person has come to the table."""

    person: str
    name: str


@dataclass(frozen=True, slots=True)
class Left(Fact):
    """A person has gone; ``removed``: not of their own will, ``barred``: for good."""

    person: str
    removed: bool = False
    barred: bool = False


@dataclass(frozen=True, slots=True)
class Renamed(Fact):
    """A person is called something else."""

    person: str
    name: str


@dataclass(frozen=True, slots=True)
class Sat(Fact):
    """A person at the table sits in a seat now."""

    person: str
    seat: int


@dataclass(frozen=True, slots=True)
class BotSat(Fact):
    """A bot has a seat of its own; who sat there is a spectator."""

    seat: int
    bot: str
    name: str


@dataclass(frozen=True, slots=True)
class Vacated(Fact):
    """A seat is empty."""

    seat: int


@dataclass(frozen=True, slots=True)
class HostPassed(Fact):
    """Somebody else is host, or nobody is."""

    person: str | None


@dataclass(frozen=True, slots=True)
class WordSaid(Fact):
    """What a player adds to the shuffle."""

    seat: int
    word: str


@dataclass(frozen=True, slots=True)
class Started(Fact):
    """The game begins, with these names and words by seat; ``dealer`` deals first, or whom the
    seed says."""

    names: tuple[str, ...]
    words: tuple[str, ...]
    dealer: int | None = None


@dataclass(frozen=True, slots=True)
class Dealt(Fact):
    """A round is dealt: to each their own hand, the stock to nobody, what is turned up to all."""

    round: int
    dealer: int
    hands: tuple[str | None, ...]
    stock: str | None
    turned: str
    trump: str | None

    def seen_by(self, person: str | None, seat: int | None) -> Fact | None:
        """The hand of ``seat``, if any."""
        hands = tuple(hand if at == seat else None for at, hand in enumerate(self.hands))
        return replace(self, hands=hands, stock=None)


@dataclass(frozen=True, slots=True)
class Played(Fact):
    """The decision numbered ``ply``; ``hidden``: a bid that the others do not see yet."""

    ply: int
    seat: int
    move: str | None
    by: Literal["person", "bot", "claim"] = "person"
    hidden: bool = False

    def seen_by(self, person: str | None, seat: int | None) -> Fact | None:
        """A hidden bid only for its bidder."""
        return replace(self, move=None) if self.hidden and seat != self.seat else self


@dataclass(frozen=True, slots=True)
class BidsShown(Fact):
    """Hidden or secret bids are shown."""

    bids: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class TrumpSet(Fact):
    """A Change or an Out, or the end of a trick with an Out, has set the trump."""

    cause: Literal["change", "out", "after"]
    cards: str
    trump: str | None


@dataclass(frozen=True, slots=True)
class TrickWon(Fact):
    """A trick is full."""

    seat: int


@dataclass(frozen=True, slots=True)
class RoundOver(Fact):
    """A round is over: tricks by seat, and its points by side."""

    won: tuple[int, ...]
    points: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class GameOver(Fact):
    """The game is over, and its seed is shown."""

    scores: tuple[int, ...]
    winners: tuple[int, ...]
    seed: str


@dataclass(frozen=True, slots=True)
class Paused(Fact):
    """Play and clock stand still."""

    person: str | None = None


@dataclass(frozen=True, slots=True)
class Resumed(Fact):
    """Play goes on."""

    person: str | None = None


@dataclass(frozen=True, slots=True)
class PresenceSet(Fact):
    """A person's connection was lost, or is there again."""

    person: str
    present: bool


@dataclass(frozen=True, slots=True)
class Nudged(Fact):
    """A player was reminded."""

    seat: int
    ply: int


@dataclass(frozen=True, slots=True)
class Asked(Fact):
    """The others are asked whether a bot shall take over."""

    seat: int
    ply: int


@dataclass(frozen=True, slots=True)
class Voted(Fact):
    """A player has said whether a bot shall play for ``seat``."""

    seat: int
    person: str
    yes: bool


@dataclass(frozen=True, slots=True)
class SteppedIn(Fact):
    """A bot plays for a person, whose the seat still is."""

    seat: int
    bot: str


@dataclass(frozen=True, slots=True)
class TookBack(Fact):
    """A person plays again."""

    seat: int


@dataclass(frozen=True, slots=True)
class UndoProposed(Fact):
    """A player asks to go back ``count`` decisions; ``ply`` is the one now due."""

    seat: int
    ply: int
    count: int


@dataclass(frozen=True, slots=True)
class Claimed(Fact):
    """A player shows a hand and proposes how the rest of the tricks fall, by seat."""

    seat: int
    ply: int
    tricks: tuple[int, ...]
    hand: str


@dataclass(frozen=True, slots=True)
class Answered(Fact):
    """A player agrees to what is proposed, or not."""

    seat: int
    yes: bool


@dataclass(frozen=True, slots=True)
class ProposalEnded(Fact):
    """What was proposed is done with; ``why`` says how."""

    why: Literal["accepted", "declined", "withdrawn", "bot_declines", "no_order", "too_hard"]


@dataclass(frozen=True, slots=True)
class Undone(Fact):
    """The last ``count`` decisions are taken back; the one now due is numbered ``ply``, which no
    other ever was."""

    count: int
    ply: int


@dataclass(frozen=True, slots=True)
class Rematched(Fact):
    """The same people gather for another game; ``dealer`` will deal first."""

    dealer: int


@dataclass(frozen=True, slots=True)
class HandShown(Fact):
    """A player lets spectators look, or not any more."""

    seat: int
    allowed: bool


@dataclass(frozen=True, slots=True)
class Looked(Fact):
    """A spectator sees what a seat sees, or the public view again; everybody is told."""

    person: str
    seat: int | None


@dataclass(frozen=True, slots=True)
class Chatted(Fact):
    """Somebody has said something."""

    person: str
    text: str | None = None
    preset: str | None = None


@dataclass(frozen=True, slots=True)
class Muted(Fact):
    """A person hears another's chat no more, or again; only they are told."""

    person: str
    other: str
    muted: bool

    def seen_by(self, person: str | None, seat: int | None) -> Fact | None:
        """Nothing, for all others."""
        return self if person == self.person else None


FACTS: Final[tuple[type[Fact], ...]] = (
    Created, Configured, Committed, Sealed, Joined, Left, Renamed, Sat, BotSat, Vacated,
    HostPassed, WordSaid, Started, Dealt, Played, BidsShown, TrumpSet, TrickWon, RoundOver,
    GameOver, Paused, Resumed, PresenceSet, Nudged, Asked, Voted, SteppedIn, TookBack,
    UndoProposed, Claimed, Answered, ProposalEnded, Undone, Rematched, HandShown, Looked, Chatted,
    Muted,
)  # fmt: skip
_CODEC: Final[Codec[Fact]] = Codec(FACTS)
fact_fields = _CODEC.fields


class Event(NamedTuple):
    """A fact, its number at the table (from 1, without gaps) and its time in milliseconds."""

    seq: int
    at: int
    fact: Fact

    def visible_to(self, person: str | None, seat: int | None) -> Event | None:
        """What of it a person sees who sees the cards of ``seat``; ``None``: nothing."""
        fact = self.fact.seen_by(person, seat)
        return None if fact is None else self._replace(fact=fact)

    def as_data(self) -> dict[str, Any]:
        """The event as plain JSON data."""
        return {"seq": self.seq, "at": self.at, **_CODEC.write(self.fact)}


def hidden_data(event: Event) -> dict[str, Any]:
    """What stands for an event in the stream of a person who may see nothing of it, so that the
    numbers have no gaps."""
    return {"seq": event.seq, "at": event.at, "type": "hidden"}


def read_event(data: object) -> Event:
    """The event of plain JSON data. Raises :class:`rage.NotReadable`."""
    if not isinstance(data, dict):
        raise NotReadable("table.message.type", allowed="seq, at, type")
    rest = dict(data)
    seq, at = rest.pop("seq", None), rest.pop("at", None)
    for name, number in (("seq", seq), ("at", at)):
        if type(number) is not int:
            raise NotReadable("table.message.field", type="event", field=name)
    return Event(seq, at, _CODEC.read(rest))
