"""What has happened at a table: facts, each numbered and dated by an :class:`Event`.

The list of a table's events is the table: everything else is folded from it.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from rage.say import NotReadable
from rage.table.data import Codec
from rage.table.facts import (
    BotSat,
    Chatted,
    Committed,
    Configured,
    Created,
    Fact,
    HandShown,
    HostPassed,
    Joined,
    Left,
    Looked,
    Muted,
    PresenceSet,
    Renamed,
    Sat,
    Sealed,
    Vacated,
    WordSaid,
)
from rage.table.game_facts import (
    Answered,
    Asked,
    BidsShown,
    Claimed,
    Dealt,
    GameOver,
    Nudged,
    Paused,
    Played,
    ProposalEnded,
    Rematched,
    Resumed,
    RoundOver,
    Started,
    SteppedIn,
    TookBack,
    TrickWon,
    TrumpSet,
    Undone,
    UndoProposed,
    Voted,
)

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
        return {"seq": self.seq, "at": self.at, **self.fact_data()}

    def fact_data(self) -> dict[str, Any]:
        """The fact as plain JSON data, without its number and time."""
        return _CODEC.write(self.fact)


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


__all__ = [
    "FACTS",
    "Answered",
    "Asked",
    "BidsShown",
    "BotSat",
    "Chatted",
    "Claimed",
    "Committed",
    "Configured",
    "Created",
    "Dealt",
    "Event",
    "Fact",
    "GameOver",
    "HandShown",
    "HostPassed",
    "Joined",
    "Left",
    "Looked",
    "Muted",
    "Nudged",
    "Paused",
    "Played",
    "PresenceSet",
    "ProposalEnded",
    "Rematched",
    "Renamed",
    "Resumed",
    "RoundOver",
    "Sat",
    "Sealed",
    "Started",
    "SteppedIn",
    "TookBack",
    "TrickWon",
    "TrumpSet",
    "UndoProposed",
    "Undone",
    "Vacated",
    "Voted",
    "WordSaid",
    "fact_fields",
    "hidden_data",
    "read_event",
]  # fmt: skip
