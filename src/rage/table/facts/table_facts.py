"""Facts about the table, its seed, people and seats.

Each fact knows how much of it a person may see (:meth:`Fact.seen_by`). Only the few classes that
override this method, here and in ``game_facts``, look different to different people.
"""

from __future__ import annotations

from typing import Final

from msgspec import structs

from rage.table.options import Options
from rage.table.schema import Items, Number, Tagged, Text


class Fact(Tagged, frozen=True):
    """Something that has happened. Cards, moves and colours are codes from ``docs/record.md``."""

    def seen_by(self, person: str | None, seat: int | None) -> Fact | None:
        """The fact as shown to a person who sees the cards of ``seat`` (``None``: of no seat), or
        ``None`` if it is hidden from them."""
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


#: Separates, in an id of deals, the deals from the moment at which practice begins. Such games are
#: in no list.
PRACTICE: Final = "@"


class SeedCommitted(Fact, frozen=True):
    """The commitment to the secret seed of the table's ``game``-th game, from 1. ``deals_id``:
    where the same deals were played, so that someone may know them. People only see whether there
    is one and whether it is practice, because the code of a table lets people in."""

    game: Number
    hash: Text
    deals_id: Text | None = None

    def seen_by(self, person: str | None, seat: int | None) -> Fact:
        """With ``deals_id`` reduced to ``PRACTICE`` or an empty text."""
        if self.deals_id is None:
            return self
        return structs.replace(self, deals_id=PRACTICE if PRACTICE in self.deals_id else "")


class SeedStored(Fact, frozen=True):
    """The seed, which no one sees before :class:`rage.table.facts.game_facts.GameOver` reveals it.
    ``words`` and ``dealer``: the other inputs of deals that repeat earlier ones; ``moves``: by
    round, the first moves of a game that continues from a moment of an earlier one."""

    seed: Text | None = None
    words: Items[Text] = ()
    dealer: Number | None = None
    moves: Items[Text] = ()

    def seen_by(self, person: str | None, seat: int | None) -> Fact | None:
        """Only that a seed is stored."""
        return SeedStored()


class Joined(Fact, frozen=True):
    """A person has come to the table, or a ``screen`` that everyone in the room sees. ``sign``:
    chosen by the person, if any (``signs.py``)."""

    person: Text
    name: Text
    screen: bool = False
    sign: Text = ""


class Left(Fact, frozen=True):
    """A person has left. ``removed``: the host removed them; ``barred``: for good."""

    person: Text
    removed: bool = False
    barred: bool = False


class Renamed(Fact, frozen=True):
    """A person has a new name or a new sign."""

    person: Text
    name: Text
    sign: Text = ""


class Sat(Fact, frozen=True):
    """A person at the table has taken a seat. ``same_as``: the same player on another device, whose
    name, rounds and right to be host they take over; the old device is no longer at the table."""

    person: Text
    seat: Number
    same_as: Text | None = None


class BotSat(Fact, frozen=True):
    """A bot has taken a seat as its own; a person who sat there becomes a spectator."""

    seat: Number
    bot: Text
    name: Text


class SeatRequested(Fact, frozen=True):
    """A spectator asks for a bot's seat, or for their own from another device; ``None``: they no
    longer do, or the request failed."""

    person: Text
    seat: Number | None = None


class Vacated(Fact, frozen=True):
    """A seat is empty: its player or bot has gone."""

    seat: Number


class Swapped(Fact, frozen=True):
    """The occupants of two seats have changed places, with their words."""

    seat: Number
    other: Number


class HostPassed(Fact, frozen=True):
    """Another person is host, or no one is."""

    person: Text | None = None


class WordCommitted(Fact, frozen=True):
    """A player has committed to a word for the shuffle, in place of any earlier one."""

    seat: Number
    hash: Text


class PresenceSet(Fact, frozen=True):
    """A person's connection was lost, or is back."""

    person: Text
    present: bool


class HandShown(Fact, frozen=True):
    """A player allows spectators to see their hand, or no longer does."""

    seat: Number
    allowed: bool


class ViewpointChanged(Fact, frozen=True):
    """A spectator sees what a seat sees, or the public view again. Everyone is told."""

    person: Text
    seat: Number | None = None


class Muted(Fact, frozen=True):
    """A person has muted another, or unmuted them. Only the person who did so is told."""

    person: Text
    other: Text
    muted: bool

    def seen_by(self, person: str | None, seat: int | None) -> Fact | None:
        """Nothing, except for the person who mutes."""
        return self if person == self.person else None


class Hidden(Fact, frozen=True):
    """Replaces a fact hidden from a person, so that the numbers have no gaps. Never stored."""
