"""The parts of a table: seats, guests, decisions, proposals, lines of the chat, and the game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, NamedTuple

from rage.engine.deal import Deals
from rage.game.game import Game
from rage.rules.values import Move

#: Who made a decision; ``claim``: the rest was played out as claimed.
By = Literal["person", "bot", "claim"]
#: A time in milliseconds since 1970; :meth:`rage.table.state.State.set_back` corrects every such
#: field.
Time = int
#: Begins the ids of the deals of an event; its code and the number of its round follow.
OF_EVENT: Final = "event "
Phase = Literal["new", "gathering", "revealing", "playing", "paused", "over"]


def withheld_in(commitments: Sequence[str | None], words: Sequence[str]) -> list[int]:
    """The seats that committed to a word without revealing it. Both parameters are by seat, and may
    be empty if no one added a word."""
    pairs = zip(commitments, words, strict=False)
    return [at for at, (hash_, word) in enumerate(pairs) if hash_ is not None and not word]


@dataclass(slots=True)
class Seat:
    """A seat: its person, and the bot that plays it. With both, the bot has stepped in; with
    neither, the seat is empty. ``word_commitment``: the commitment to the word that the person adds
    to the shuffle; ``word``: the word once revealed. ``shows``: spectators may see the hand.
    ``sign``: chosen by the person; a bot that takes over keeps it."""

    name: str = ""
    person: str | None = None
    bot: str | None = None
    sign: str = ""
    word_commitment: str | None = None
    word: str = ""
    shows: bool = False

    @property
    def empty(self) -> bool:
        """Whether no one sits here."""
        return self.person is None and self.bot is None

    @property
    def self_played(self) -> bool:
        """Whether a person plays here rather than a bot."""
        return self.person is not None and self.bot is None


class Occupant(NamedTuple):
    """The person or bot in a seat, now or when a round was dealt."""

    name: str
    person: str | None
    bot: str | None


@dataclass(slots=True)
class Guest:
    """A person at the table, seated or not. ``since``: when they last came or went; ``wants``: the
    seat they ask for (a bot's, or their own from another device), since round ``wants_since``;
    ``screen``: a television, not a person."""

    name: str
    since: Time
    present: bool = True
    looking: int | None = None
    wants: int | None = None
    wants_since: int = 0
    muted: set[str] = field(default_factory=set)
    screen: bool = False
    sign: str = ""


class Decision(NamedTuple):
    """One decision of the current round. ``hidden``: no one else has seen it; ``reveals``: it has
    revealed something new (a turn-up, hidden bids)."""

    ply: int
    seat: int
    move: Move
    hidden: bool
    reveals: bool = False
    by: By = "person"


class SealedBid(NamedTuple):
    """A bid that the table keeps to itself until all have bid. ``changed``: it differs from the one
    in the log."""

    move: Move
    by: By
    changed: bool = False


@dataclass(slots=True)
class Proposal:
    """A proposal by a ``seat`` (``None``: by a host without one, or by a spectator who wants the
    host's), made at a ``ply``, and the seats that have ``agreed``: an undo of ``count`` decisions,
    a claim of ``tricks`` with the ``hand`` shown for it, or the seat ``given`` to ``person``."""

    kind: Literal["undo", "claim", "seat"]
    seat: int | None
    ply: int
    count: int = 0
    tricks: tuple[int, ...] = ()
    hand: str = ""
    given: int | None = None
    person: str | None = None
    agreed: set[int] = field(default_factory=set)


class ChatLine(NamedTuple):
    """A line of the chat: its number at the table, its time, its speaker, and their name then."""

    number: int
    at: int
    person: str
    name: str
    text: str | None
    preset: str | None


@dataclass(slots=True)
class TableGame:
    """A game at the table, in progress or over: the kernel's game, the ``dealer`` of its deals, the
    ``trail`` of decisions in its current round, and ``people``, ``bots`` and ``signs`` by seat when
    it ended. ``occupants``: by round and seat, who was dealt the hand; ``players``: every person
    who has had a seat, with their last one."""

    game: Game
    dealer: Deals
    words: tuple[str, ...]
    given_dealer: int | None
    started: Time
    trail: list[Decision] = field(default_factory=list)
    claimed: set[int] = field(default_factory=set)
    ended: Time | None = None
    people: tuple[str | None, ...] = ()
    bots: tuple[str | None, ...] = ()
    signs: tuple[str, ...] = ()
    occupants: dict[int, tuple[Occupant, ...]] = field(default_factory=dict)
    players: dict[str, int] = field(default_factory=dict)
    #: The length of the trail when a hand was last shown for a claim: no undo goes further back.
    barrier: int = 0
