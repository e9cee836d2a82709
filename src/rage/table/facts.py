"""What can happen at a table: the facts about who is there, sits, watches and talks.

A fact says itself how much of it somebody may see (:meth:`Fact.seen_by`). All that may differ
from person to person is in the few classes, here and in ``game_facts``, that say something other
than "all of it".
"""

from __future__ import annotations

from dataclasses import dataclass

from rage.say import Reason
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
class PresenceSet(Fact):
    """A person's connection was lost, or is there again."""

    person: str
    present: bool


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

    @property
    def phrase(self) -> Reason | None:
        """The ready-made phrase, for the catalogue of each reader's language."""
        return None if self.preset is None else Reason(f"chat.{self.preset}")


@dataclass(frozen=True, slots=True)
class Muted(Fact):
    """A person hears another's chat no more, or again; only they are told."""

    person: str
    other: str
    muted: bool

    def seen_by(self, person: str | None, seat: int | None) -> Fact | None:
        """Nothing, for all others."""
        return self if person == self.person else None
