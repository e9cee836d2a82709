"""What is said to whom: events and tables as the frames that are written to connections.

Most events look the same to everybody, so most frames are made once for all at a table. What
differs from person to person is asked of the table itself, person by person.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import msgspec

from rage.say import Reason
from rage.server.messages import Refused, Update, Whole, reason_data
from rage.server.wire import frame
from rage.table import Event, Table
from rage.table import events as e

_JSON: Final = msgspec.json.Encoder()
#: After these nobody can go on from what they had.
RESETS: Final = (e.Undone, e.Rematched)
#: After these, told late, it is not sure what a person was allowed to see meanwhile.
SHIFTS: Final = (*RESETS, e.Joined, e.Left, e.Sat, e.BotSat, e.Looked, e.HandShown, e.Configured)
#: These decide something, or set anew whose turn it is.
TURNS: Final = (e.Played, e.Dealt, e.GameOver)


def encode(value: object) -> bytes:
    """A message as JSON."""
    return _JSON.encode(value)


def whole(table: Table, person: str, now: int) -> bytes:
    """The frame with everything that a person may know of a table."""
    data = table.view_for(person)
    if data["game"] is not None:
        game: dict[str, Any] = dict(data["game"])
        del game["legal"], game["why_not"], game["met"]  # a turn has them; the page counts
        data["game"] = game  # type: ignore[typeddict-item]  # less than it was
    return frame(encode(Whole(table.seq, now, person, data, table.turn_for(person))))


def note(table: Table, person: str, number: int | None = None, *, asked: bool = False) -> bytes:
    """The frame that says that all has been told: to who asked for something, or came again."""
    turn = table.turn_for(person) if asked else None
    return frame(encode(Update(table.seq, [], id=number, turn=turn)))


def refused(number: int | None, reason: Reason) -> bytes:
    """The frame that refuses a command."""
    return frame(encode(Refused(number, reason_data(reason))))


class Telling:
    """The frames that tell one batch of events, after which the table is as it is now; ``kinds``
    are the types of their facts, ``stored`` what a store keeps of each."""

    def __init__(self, table: Table, events: Sequence[Event]) -> None:
        self._table = table
        self._events = events
        self._update = Update(events[-1].seq, [])
        self.kinds = {type(event.fact) for event in events}
        decides = not self.kinds.isdisjoint(TURNS)
        if decides:
            self._update.to_act = table.to_act
        if not decides or table.state.options.clock is not None:
            self._update.at = events[-1].at
        facts = [encode(event.fact_data()) for event in events]
        pairs = list(zip(events, facts, strict=True))
        self.stored = [b'{"seq":%d,"at":%d,%b' % (*each[:2], fact[1:]) for each, fact in pairs]
        self._shared = [msgspec.Raw(fact) if _is_shared(each) else None for each, fact in pairs]
        self._common: list[msgspec.Raw] | None = None
        if None not in self._shared:
            self._common = [each for each in self._shared if each is not None]
        self._frame: bytes | None = None

    def to(self, person: str, number: int | None = None, *, asked: bool = False) -> bytes:
        """The frame for a person: ``number`` is that of their own command, ``asked`` says that
        they are to act now and are told what they may do."""
        plain = number is None and not asked and self._common is not None
        if plain and self._frame is not None:
            return self._frame
        update = self._update
        update.id = number
        update.turn = self._table.turn_for(person) if asked else None
        update.events = self._common if self._common is not None else self._seen_by(person)
        made = frame(encode(update))
        if plain:
            self._frame = made
        return made

    def _seen_by(self, person: str) -> list[msgspec.Raw]:
        return [
            each if each is not None else _raw(self._table.redact(event, person))
            for event, each in zip(self._events, self._shared, strict=True)
        ]


def _is_shared(event: Event) -> bool:
    """Whether an event looks the same to everybody."""
    fact = event.fact
    if isinstance(fact, e.Played):
        return not fact.hidden
    return type(fact).seen_by is e.Fact.seen_by and not isinstance(fact, e.Chatted)


def _raw(data: Mapping[str, Any]) -> msgspec.Raw:
    """An event's JSON without its number and time, which the update has."""
    rest = {key: value for key, value in data.items() if key not in ("seq", "at")}
    return msgspec.Raw(encode(rest))


def joins_on(events: Iterable[Event]) -> bool:
    """Whether somebody who missed these events can be told them, instead of everything anew."""
    return not any(isinstance(event.fact, SHIFTS) for event in events)
