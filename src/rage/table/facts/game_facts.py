"""Facts about the game, the clock, votes and proposals.

They include what follows from the rules, such as why a trick was won, so that folding them does not
require the rules.
"""

from __future__ import annotations

from typing import Literal

from msgspec.structs import replace

from rage.game.account import PartsData
from rage.say import ReasonData
from rage.table.facts.table_facts import Fact
from rage.table.schema import Items, Number, Text


class WordsClosed(Fact, frozen=True):
    """The commitments to words (by seat, ``None`` for no word) are final; players now reveal the
    words."""

    hashes: Items[Text | None]


class WordRevealed(Fact, frozen=True):
    """A player has revealed the committed word."""

    seat: Number
    word: Text


class Started(Fact, frozen=True):
    """The game begins, with these names and words by seat; ``dealer`` deals first (``None``: the
    seed decides). ``word_commitments``: by seat, if any player has committed to a word;
    ``withheld``: the seats whose words stay empty because they were not revealed. ``sides``: the
    seats of each side."""

    names: Items[Text]
    words: Items[Text]
    dealer: Number | None = None
    word_commitments: Items[Text | None] = ()
    sides: Items[Items[Number]] = ()
    withheld: Items[Number] = ()


class Dealt(Fact, frozen=True, kw_only=True):
    """A round is dealt. Players see their own hands, everyone the card turned up, and no one the
    stock. ``order``: of bidding and, starting with the leader of a trick, of play."""

    round: Number
    dealer: Number
    hands: Items[Text | None]
    stock: Text | None = None
    turned: Text
    trump: Text | None = None
    order: Items[Number] = ()

    def seen_by(self, person: str | None, seat: int | None) -> Fact | None:
        """With only the hand of ``seat``, and without the stock."""
        hands = tuple(hand if at == seat else None for at, hand in enumerate(self.hands))
        return replace(self, hands=hands, stock=None)


class Played(Fact, frozen=True):
    """A seat has made the decision numbered ``ply``. ``hidden``: it is a bid that the others cannot
    see yet; ``last``: it is the last bid of its round. A card may set the colour ``led``, or show
    that the seat has none of a colour (``void``)."""

    ply: Number
    seat: Number
    move: Text | None = None
    by: Literal["person", "bot", "claim"] = "person"
    hidden: bool = False
    led: Text | None = None
    void: Text | None = None
    last: bool = False

    def seen_by(self, person: str | None, seat: int | None) -> Fact | None:
        """Without the move of a hidden bid, except for its bidder."""
        return replace(self, move=None) if self.hidden and seat != self.seat else self


class BidSealed(Fact, frozen=True):
    """A seat has bid while all bid at once. No one sees the bid: it can still be changed, and
    becomes a :class:`Played` once all bids are in."""

    seat: Number
    move: Text | None = None
    by: Literal["person", "bot"] = "person"

    def seen_by(self, person: str | None, seat: int | None) -> Fact | None:
        """Without the bid, even for its bidder, whose view has the current one."""
        return replace(self, move=None)


class BidsShown(Fact, frozen=True):
    """Hidden or secret bids are revealed."""

    bids: Items[Number]


class TrumpSet(Fact, frozen=True):
    """A Change or an Out, or the end of a trick with an Out, has set the trump. ``seat`` played the
    card."""

    cause: Literal["change", "out", "after"]
    cards: Text
    trump: Text | None = None
    seat: Number | None = None


class TrickWon(Fact, frozen=True):
    """``seat`` has won a trick, for the reason ``ruling`` (as in
    :class:`rage.game.view.TrickData`)."""

    seat: Number
    ruling: ReasonData | None = None


class RoundOver(Fact, frozen=True):
    """A round is over: tricks ``won`` by seat, and ``points`` by side. ``met``: the sides that met
    their bids; ``accounts``: the parts of each side's points other than its tricks."""

    won: Items[Number]
    points: Items[Number]
    met: Items[Number] = ()
    accounts: Items[PartsData] = ()


class PlayerReady(Fact, frozen=True):
    """A player is ready for the next round."""

    seat: Number


class GameOver(Fact, frozen=True):
    """The game is over, and its seed is revealed; at an event it stays empty."""

    scores: Items[Number]
    winners: Items[Number]
    seed: Text


class Paused(Fact, frozen=True):
    """Play and the clock have stopped."""

    person: Text | None = None


class Resumed(Fact, frozen=True):
    """A game that was paused continues."""

    person: Text | None = None


class Nudged(Fact, frozen=True):
    """A player was reminded to act."""

    seat: Number
    ply: Number


class SetBack(Fact, frozen=True):
    """The table continues without the ``lost`` events after the last one: the store has lost them,
    or they cannot be read. People may have seen them."""

    lost: Number


class ClockSet(Fact, frozen=True):
    """The clock was ahead when earlier events were dated: times later than this event are set back
    to it."""


class TakeoverVoteOpened(Fact, frozen=True):
    """The others are asked whether a bot should take over."""

    seat: Number
    ply: Number


class Voted(Fact, frozen=True):
    """A player has voted on whether a bot should play for ``seat``."""

    seat: Number
    person: Text
    yes: bool


class SteppedIn(Fact, frozen=True):
    """A bot plays for a person, who keeps the seat."""

    seat: Number
    bot: Text


class TookBack(Fact, frozen=True):
    """A person plays again instead of a bot."""

    seat: Number


class UndoProposed(Fact, frozen=True):
    """A player asks to take back ``count`` decisions; ``ply`` is the one now due."""

    seat: Number
    ply: Number
    count: Number


class Claimed(Fact, frozen=True):
    """A player shows their hand and proposes how many remaining ``tricks`` each seat wins."""

    seat: Number
    ply: Number
    tricks: Items[Number]
    hand: Text


class SeatProposed(Fact, frozen=True):
    """The seat ``by`` asks the others whether a spectator may have a seat (``None``: a host without
    one asks, or a spectator who wants the host's); ``ply`` is the decision now due."""

    seat: Number
    person: Text
    ply: Number
    by: Number | None = None


class Answered(Fact, frozen=True):
    """A player accepts or declines the proposal."""

    seat: Number
    yes: bool


class ProposalEnded(Fact, frozen=True):
    """A proposal has ended, for the reason ``why``. ``decided``: a decision was made; ``seats``:
    someone else now plays a seat; ``back``: the player of the seat is connected again."""

    why: Literal[
        "accepted", "declined", "withdrawn", "bot_declines", "no_order", "too_hard", "gone",
        "knows_cards", "decided", "seats", "back",
    ]  # fmt: skip


class Undone(Fact, frozen=True):
    """The last ``count`` decisions are taken back. The next one is numbered ``ply``, which was
    never used before. If they are bids that no one has seen, only ``seat`` bids again; the others
    stay sealed."""

    count: Number
    ply: Number
    seat: Number | None = None


class Rematched(Fact, frozen=True):
    """The same people gather for another game; ``dealer`` deals first."""

    dealer: Number
