"""The state of a table, folded from its events: what everything else here asks and nothing
else remembers."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, Literal, NamedTuple

from rage.deal import Dealer
from rage.game import Game
from rage.rules import RuleSet
from rage.say import NotAllowed
from rage.table.options import USUAL, Options

#: How many lines of chat are remembered, by everybody.
MOST_SAID: Final = 200
Phase = Literal["new", "gathering", "playing", "paused", "over"]


@dataclass(slots=True)
class Seat:
    """A seat: the person whose it is, and the bot that plays it, if one does. Both: the bot has
    stepped in. Neither: it is empty. ``shows``: spectators may look."""

    name: str = ""
    person: str | None = None
    bot: str | None = None
    word: str = ""
    shows: bool = False

    @property
    def empty(self) -> bool:
        """Whether nobody sits here."""
        return self.person is None and self.bot is None

    @property
    def self_played(self) -> bool:
        """Whether a person plays, and no bot."""
        return self.person is not None and self.bot is None


@dataclass(slots=True)
class Guest:
    """A person at the table, seated or not; ``since``: when they came or went last."""

    name: str
    since: int
    present: bool = True
    looking: int | None = None
    muted: set[str] = field(default_factory=set)


class Decision(NamedTuple):
    """One decision of the round under way. ``hidden``: nobody else has seen it; ``reveals``: it
    has shown something that nobody had known (a turn-up, hidden bids)."""

    ply: int
    seat: int
    move: int
    hidden: bool
    reveals: bool = False


@dataclass(slots=True)
class Proposal:
    """What is proposed, by whom, at which ply, and which seats have agreed: an undo of ``count``
    decisions, or a claim of ``tricks`` with the ``hand`` shown for it."""

    kind: Literal["undo", "claim"]
    seat: int
    ply: int
    count: int = 0
    tricks: tuple[int, ...] = ()
    hand: str = ""
    agreed: set[int] = field(default_factory=set)


class Said(NamedTuple):
    """A line of chat: its event's number and time, who said it and what they were called."""

    seq: int
    at: int
    person: str
    name: str
    text: str | None
    preset: str | None


@dataclass(slots=True)
class Play:
    """A game under way (or over): the kernel's game, whose deals come from ``dealer``, ``base``
    as the round was dealt, and the decisions since; ``bots`` by seat when it ended."""

    game: Game
    dealer: Dealer
    words: tuple[str, ...]
    given_dealer: int | None
    started: int
    base: Game | None = None
    trail: list[Decision] = field(default_factory=list)
    claimed: set[int] = field(default_factory=set)
    ended: int | None = None
    bots: tuple[str | None, ...] = ()
    #: Up to which length of the trail a hand was shown for a claim: no undo goes behind it.
    barrier: int = 0


@dataclass(slots=True)
class State:
    """Everything that is so at a table after its ``seq``-th event."""

    rules: RuleSet | None = None
    options: Options = USUAL
    phase: Phase = "new"
    seq: int = 0
    at: int = 0
    seats: list[Seat] = field(default_factory=list)
    guests: dict[str, Guest] = field(default_factory=dict)
    barred: set[str] = field(default_factory=set)
    host: str | None = None
    #: The games of this table, the one gathered for or played included, and its seed.
    games: int = 0
    commitment: str = ""
    seed: str = ""
    next_dealer: int | None = None
    play: Play | None = None
    #: The number of the decision that is due, and when it became so.
    ply: int = 0
    turn_since: int = 0
    nudged: int = -1
    asked: int = -1
    votes: dict[int, dict[str, bool]] = field(default_factory=dict)
    proposal: Proposal | None = None
    #: What was said last, for who comes later.
    chat: deque[Said] = field(default_factory=lambda: deque(maxlen=MOST_SAID))
    #: The seats whose cards each person has seen in this round, also before they changed seats.
    saw: dict[str, set[int]] = field(default_factory=dict)

    def ruleset(self) -> RuleSet:
        """The rules. Raises :class:`rage.NotAllowed` where the table is not open yet."""
        if self.rules is None:
            raise NotAllowed("table.new")
        return self.rules

    def require_play(self) -> Play:
        """The game. Raises :class:`rage.NotAllowed` where none has begun."""
        if self.play is None:
            raise NotAllowed("table.while.gathering")
        return self.play

    def in_phase(self, *phases: Phase) -> None:
        """Raises :class:`rage.NotAllowed` in any other phase."""
        if self.phase not in phases:
            raise NotAllowed(f"table.while.{self.phase}")

    @property
    def to_act(self) -> int | None:
        """The seat whose turn it is, while the game is played."""
        if self.play is None or self.phase != "playing":
            return None
        return self.play.game.to_act

    @property
    def names(self) -> tuple[str, ...]:
        """The names by seat."""
        return tuple(seat.name for seat in self.seats)

    def seat_of(self, person: str | None) -> int | None:
        """Where a person sits."""
        if person is not None:
            for at, seat in enumerate(self.seats):
                if seat.person == person:
                    return at
        return None

    def eye(self, person: str | None) -> int | None:
        """The seat whose cards a person sees: their own, or the one they look at by leave."""
        own = self.seat_of(person)
        if own is not None or person not in self.guests:
            return own
        looking = self.guests[person].looking
        return looking if looking is not None and self.seats[looking].shows else None

    def is_away(self, seat: int) -> bool:
        """Whether the person of a seat is not connected."""
        person = self.seats[seat].person
        return person is not None and not self.guests[person].present

    def waiting(self, seat: int) -> Iterator[int]:
        """The other seats whose persons are here and play themselves: for whom a bot may step
        in, and who vote on it."""
        for at, each in enumerate(self.seats):
            if at != seat and each.self_played and not self.is_away(at):
                yield at

    def consulted(self, seat: int) -> list[int]:
        """The other seats that a proposal needs: whose persons play themselves, here or not."""
        return [at for at, each in enumerate(self.seats) if at != seat and each.self_played]

    def guest(self, person: str | None) -> Guest:
        """A person at the table. Raises :class:`rage.NotAllowed` for anybody else."""
        found = None if person is None else self.guests.get(person)
        if found is None:
            raise NotAllowed("table.stranger")
        return found

    def own_seat(self, person: str | None) -> int:
        """Where a person sits. Raises :class:`rage.NotAllowed` where they don't."""
        seat = self.seat_of(person)
        if seat is None:
            raise NotAllowed("table.no_seat_of_yours")
        return seat

    def as_host(self, person: str | None) -> str:
        """The host. Raises :class:`rage.NotAllowed` for anybody else."""
        if person is None or person != self.host:
            raise NotAllowed("table.host_only")
        return person

    def check_seat(self, seat: int) -> int:
        """A seat's number itself. Raises :class:`rage.NotAllowed` where there is no such seat."""
        if not 0 <= seat < len(self.seats):
            raise NotAllowed("view.no_seat", seat=seat, last=len(self.seats) - 1)
        return seat
