"""What can happen at a table: the facts about the game, the clock, votes and proposals."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from rage.table.facts import Fact


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
    """The decision numbered ``ply``; ``hidden``: a bid that the others do not see yet. A card may
    set the colour ``led``, or show that the seat holds none of one (``void``)."""

    ply: int
    seat: int
    move: str | None
    by: Literal["person", "bot", "claim"] = "person"
    hidden: bool = False
    led: str | None = None
    void: str | None = None

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
