"""The events of a table: facts, each numbered and dated.

A table is the list of its events: everything else is folded from it.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import msgspec

from rage.say import NotReadable
from rage.table.facts.game_facts import *  # noqa: F403
from rage.table.facts.table_facts import *  # noqa: F403
from rage.table.facts.table_facts import Fact, Hidden
from rage.table.schema import UNREADABLE, refusal_of, tag_of

#: All facts that can be stored.
FACTS: Final = tuple(kind for kind in Fact.__subclasses__() if kind is not Hidden)
_KINDS: Final = {tag_of(kind): kind for kind in FACTS}


class Event(NamedTuple):
    """A fact, its number at the table (from 1, without gaps) and its time in milliseconds."""

    seq: int
    at: int
    fact: Fact

    def visible_to(self, person: str | None, seat: int | None) -> Event:
        """The event as seen by a person who sees the cards of ``seat``."""
        return self._replace(fact=self.fact.seen_by(person, seat) or Hidden())


def write_event(event: Event) -> bytes:
    """An event as JSON: its number, its time and the fields of its fact."""
    return event_json(event, msgspec.json.encode(event.fact))


def event_json(event: Event, fact: bytes) -> bytes:
    """An event as JSON, given the JSON of its fact."""
    return b'{"seq":%d,"at":%d,%b' % (event.seq, event.at, fact[1:])


def read_event(data: bytes) -> Event:
    """Decode an event from JSON. Raises :class:`rage.NotReadable`."""
    try:
        return event_of(msgspec.json.decode(data))
    except UNREADABLE:
        raise NotReadable("table.message.json") from None


def event_of(data: object) -> Event:
    """An event from decoded JSON. Raises :class:`rage.NotReadable`."""
    if not isinstance(data, dict):
        raise NotReadable("table.message.type", allowed="seq, at, type")
    rest = dict(data)
    seq, at = rest.pop("seq", None), rest.pop("at", None)
    for name, number in (("seq", seq), ("at", at)):
        if type(number) is not int:
            raise NotReadable("table.message.field", type="event", field=name)
    tag = rest.get("type")
    kind = _KINDS.get(tag) if isinstance(tag, str) else None
    if kind is None:
        raise NotReadable("table.message.type", allowed=", ".join(_KINDS))
    try:
        return Event(seq, at, msgspec.convert(rest, kind))
    except msgspec.ValidationError as error:
        raise refusal_of(error, rest, _KINDS.values()) from None
