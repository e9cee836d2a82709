"""Facts about the table, its seed, people and seats.

Each fact knows how much of it a person may see (:meth:`Fact.seen_by`). Only the few classes, here
and in ``game_facts``, that override this method look different to different people.
"""

from __future__ import annotations

from typing import Final

from msgspec import structs

from rage.table.options import Options
from rage.table.schema import Items, Number, Tagged, Text


class Fact(Tagged, frozen=True):
    """Something that has happened. Cards, moves and colours are the codes of ``docs/record.md``."""

    def seen_by(self, person: str | None, seat: int | None) -> Fact | None:
        """The fact as seen by a person who sees the cards of ``seat`` (``None``: of no seat), or
        ``None`` if they see nothing of it."""
        return self


class Created(Fact, frozen=True):
    """The table is open."""

    rules: Text
    players: Number
    options: Options


class Configured(Fact, frozen=True):
    """The rules, the number of players or the options have changed."""

    rules: Text
    players: Number
    options: Options


#: Stands in the id of deals between the deals and the moment from which they are practised. Such
#: games are in no list.
PRACTICE: Final = "@"


class SeedCommitted(Fact, frozen=True):
    """The commitment to the secret seed of the table's ``game``-th game, from 1. ``deals_id``:
    where the same deals were played, so that somebody may know them. Others only see whether there
    is one and whether it is practice, because the code of a table lets people in."""

    game: Number
    hash: Text
    deals_id: Text | None = None

    def seen_by(self, person: str | None, seat: int | None) -> Fact:
        """With no more of a ``deals_id`` than ``PRACTICE``."""
        if self.deals_id is None:
            return self
        return structs.replace(self, deals_id=PRACTICE if PRACTICE in self.deals_id else "")


class SeedStored(Fact, frozen=True):
    """The seed, which nobody sees before :class:`rage.table.facts.game_facts.GameOver` reveals it.
    ``words`` and ``dealer``: what else the deals follow from, if they repeat earlier ones;
    ``moves``: by round, the moves with which the game begins, if it goes on from a moment of an
    earlier one."""

    seed: Text | None = None
    words: Items[Text] = ()
    dealer: Number | None = None
    moves: Items[Text] = ()

    def seen_by(self, person: str | None, seat: int | None) -> Fact | None:
        """Only that there is one."""
        return SeedStored()


class Joined(Fact, frozen=True):
    """A person, or a ``screen`` that everybody in the room sees, has come to the table. ``sign``:
    the one they have chosen, if any (``signs.py``)."""

    person: Text
    name: Text
    screen: bool = False
    sign: Text = ""


class Left(Fact, frozen=True):
    """A person has left; ``removed``: by the host, ``barred``: for good."""

    person: Text
    removed: bool = False
    barred: bool = False


class Renamed(Fact, frozen=True):
    """A person has another name, or another sign."""

    person: Text
    name: Text
    sign: Text = ""


class Sat(Fact, frozen=True):
    """A person at the table has taken a seat. ``same_as``: they are the player who had it, on
    another device, and take over their name, their rounds and their right to be host; the old
    device is no longer at the table."""

    person: Text
    seat: Number
    same_as: Text | None = None


class BotSat(Fact, frozen=True):
    """A bot has its own seat; the person who sat there is a spectator."""

    seat: Number
    bot: Text
    name: Text


class SeatRequested(Fact, frozen=True):
    """A spectator asks for the seat of a bot, or for their own that they had on another device;
    ``None``: no longer, or in vain."""

    person: Text
    seat: Number | None = None


class Vacated(Fact, frozen=True):
    """A seat is empty: its player or bot has gone."""

    seat: Number


class Swapped(Fact, frozen=True):
    """Two seats have exchanged who sits in them, with their words."""

    seat: Number
    other: Number


class HostPassed(Fact, frozen=True):
    """Somebody else is host, or nobody is."""

    person: Text | None = None


class WordCommitted(Fact, frozen=True):
    """The commitment to the word that a player adds to the shuffle, in place of an earlier one."""

    seat: Number
    hash: Text


class PresenceSet(Fact, frozen=True):
    """A person's connection was lost, or is back."""

    person: Text
    present: bool


class HandShown(Fact, frozen=True):
    """A player allows spectators to see the hand, or no longer does."""

    seat: Number
    allowed: bool


class ViewpointChanged(Fact, frozen=True):
    """A spectator sees what a seat sees, or the public view again. Everybody learns this."""

    person: Text
    seat: Number | None = None


class Muted(Fact, frozen=True):
    """A person no longer hears another's chat, or hears it again. Only they learn this."""

    person: Text
    other: Text
    muted: bool

    def seen_by(self, person: str | None, seat: int | None) -> Fact | None:
        """Nothing, except for the person who mutes."""
        return self if person == self.person else None


class Hidden(Fact, frozen=True):
    """Replaces a fact hidden from a person, so that the numbers have no gaps. Never stored."""
