"""Facts about the game, the clock, votes and proposals.

They say what follows by the rules, such as why a trick was won, so that nobody who folds them needs
the rules.
"""

from __future__ import annotations

from typing import Literal

from msgspec.structs import replace

from rage.game.account import PartsData
from rage.say import ReasonData
from rage.table.facts.table_facts import Fact
from rage.table.schema import Items, Number, Text


class WordsClosed(Fact, frozen=True):
    """The commitments to words are final, by seat (``None``: no word), and the words are to be
    revealed."""

    hashes: Items[Text | None]


class WordRevealed(Fact, frozen=True):
    """A player has revealed the committed word."""

    seat: Number
    word: Text


class Started(Fact, frozen=True):
    """The game begins, with these names and words by seat; ``dealer`` deals first (``None``: the
    seed decides). If words were committed to, ``word_commitments`` holds the commitments by seat; a
    seat with a commitment and an empty word has withheld it (``withheld``: all of these).
    ``sides``: the seats of each side."""

    names: Items[Text]
    words: Items[Text]
    dealer: Number | None = None
    word_commitments: Items[Text | None] = ()
    sides: Items[Items[Number]] = ()
    withheld: Items[Number] = ()


class Dealt(Fact, frozen=True, kw_only=True):
    """A round is dealt. Players see their own hands, nobody sees the stock, everybody the card
    turned up. ``order``: in which the seats bid and, from the leader of a trick on, play."""

    round: Number
    dealer: Number
    hands: Items[Text | None]
    stock: Text | None = None
    turned: Text
    trump: Text | None = None
    order: Items[Number] = ()

    def seen_by(self, person: str | None, seat: int | None) -> Fact | None:
        """Only the hand of ``seat``, and not the stock."""
        hands = tuple(hand if at == seat else None for at, hand in enumerate(self.hands))
        return replace(self, hands=hands, stock=None)


class Played(Fact, frozen=True):
    """The decision numbered ``ply``; ``hidden``: a bid that the others do not see yet. A card may
    set the colour ``led``, or show that the seat has none of a colour (``void``). ``last``: it
    is the last bid of its round."""

    ply: Number
    seat: Number
    move: Text | None = None
    by: Literal["person", "bot", "claim"] = "person"
    hidden: bool = False
    led: Text | None = None
    void: Text | None = None
    last: bool = False

    def seen_by(self, person: str | None, seat: int | None) -> Fact | None:
        """A hidden bid is seen only by its bidder."""
        return replace(self, move=None) if self.hidden and seat != self.seat else self


class BidSealed(Fact, frozen=True):
    """A seat has bid, where all bid at once. Nobody sees the bid: it may still be changed, and
    becomes a :class:`Played` once all are in."""

    seat: Number
    move: Text | None = None
    by: Literal["person", "bot"] = "person"

    def seen_by(self, person: str | None, seat: int | None) -> Fact | None:
        """Without the bid, even for its bidder, whose own view has it as it is now."""
        return replace(self, move=None)


class BidsShown(Fact, frozen=True):
    """Hidden or secret bids are revealed."""

    bids: Items[Number]


class TrumpSet(Fact, frozen=True):
    """A Change or an Out, or the end of a trick with an Out, has set the trump. ``seat``:
    the one that played the card."""

    cause: Literal["change", "out", "after"]
    cards: Text
    trump: Text | None = None
    seat: Number | None = None


class TrickWon(Fact, frozen=True):
    """A trick is complete, and ``seat`` has won it, for the reason ``ruling`` (as in
    :class:`rage.game.view.TrickData`)."""

    seat: Number
    ruling: ReasonData | None = None


class RoundOver(Fact, frozen=True):
    """A round is over: tricks by seat, points by side; which sides have ``met`` their bids,
    and the parts of each side's points besides its tricks (``accounts``)."""

    won: Items[Number]
    points: Items[Number]
    met: Items[Number] = ()
    accounts: Items[PartsData] = ()


class PlayerReady(Fact, frozen=True):
    """A player is ready for the next round."""

    seat: Number


class GameOver(Fact, frozen=True):
    """The game is over, and its seed is revealed."""

    scores: Items[Number]
    winners: Items[Number]
    seed: Text


class Paused(Fact, frozen=True):
    """Play and clock are stopped."""

    person: Text | None = None


class Resumed(Fact, frozen=True):
    """Play goes on."""

    person: Text | None = None


class Nudged(Fact, frozen=True):
    """A player was reminded to act."""

    seat: Number
    ply: Number


class SetBack(Fact, frozen=True):
    """The table goes on without the ``lost`` events after the last one, which people may have seen:
    the store has lost them, or they cannot be read."""

    lost: Number


class ClockSet(Fact, frozen=True):
    """The clock was ahead when the earlier events were dated: any later time kept of them is set
    back to the time of this one."""


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
    """A person plays again, instead of the bot."""

    seat: Number


class UndoProposed(Fact, frozen=True):
    """A player asks to take ``count`` decisions back; ``ply`` is the one now due."""

    seat: Number
    ply: Number
    count: Number


class Claimed(Fact, frozen=True):
    """A player shows a hand and proposes who wins the remaining tricks, by seat."""

    seat: Number
    ply: Number
    tricks: Items[Number]
    hand: Text


class SeatProposed(Fact, frozen=True):
    """The others are asked whether a spectator may have a seat, by the seat ``by`` (``None``: by a
    host without one); ``ply`` is the decision now due."""

    seat: Number
    person: Text
    ply: Number
    by: Number | None = None


class Answered(Fact, frozen=True):
    """A player accepts or declines the proposal."""

    seat: Number
    yes: bool


class ProposalEnded(Fact, frozen=True):
    """A proposal is closed, for the reason ``why``. ``decided``: a decision was made; ``seats``:
    somebody else plays a seat now. ``back``: the player of the seat is connected again."""

    why: Literal[
        "accepted", "declined", "withdrawn", "bot_declines", "no_order", "too_hard", "gone",
        "knows_cards", "decided", "seats", "back",
    ]  # fmt: skip


class Undone(Fact, frozen=True):
    """The last ``count`` decisions are taken back. The one now due is numbered ``ply``, a number
    never used before. If they are bids that nobody has seen, ``seat`` bids again, and all others
    stay sealed."""

    count: Number
    ply: Number
    seat: Number | None = None


class Rematched(Fact, frozen=True):
    """The same people gather for another game; ``dealer`` will deal first."""

    dealer: Number
