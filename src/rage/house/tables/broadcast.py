"""Events and tables as messages, each with exactly what its recipient may know.

Most events look the same to everyone, so most messages are made once for a whole table. If they
differ, the table decides what each person may see.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import msgspec

from rage.coach import Coach
from rage.house.base.messages import ChatLines, Reacted, Refused, Update, encode
from rage.say import Reason
from rage.table import Event, Table
from rage.table.facts import events as e
from rage.table.facts.events import event_json
from rage.table.facts.shapes import OwnData, ReactionData, SaidData

#: After these events, clients need the whole table.
RESETS: Final = (e.Undone, e.Rematched, e.SetBack)
#: A client that has missed any of these needs the whole table, because its person's viewpoint may
#: have changed in between.
SHIFTS: Final = (
    *RESETS,
    e.Joined,
    e.Left,
    e.Sat,
    e.BotSat,
    e.ViewpointChanged,
    e.HandShown,
    e.Configured,
)
#: A move and its consequences in the round. Outside the game, they change only
#: :attr:`rage.table.Table.waiting_data` and whether a decision may be taken back.
MOVES: Final = frozenset({e.Played, e.BidSealed, e.BidsShown, e.TrumpSet, e.TrickWon})
#: The known value of a field that was never sent.
_UNKNOWN: Final = object()


def empty_update(
    table: Table,
    person: str,
    number: int | None = None,
    *,
    prompt: bool = False,
    coach: Coach | None = None,
) -> bytes:
    """A message without events: it acknowledges the command ``number``, or tells a client that
    reconnects that it has missed nothing (``prompt``: and that it is this person's turn)."""
    turn = table.turn_for(person, coach) if prompt else None
    return encode(Update(table.seq, [], id=number, bid=table.own_bid(person), turn=turn))


def refusal(number: int | None, reason: Reason) -> bytes:
    """A message that refuses a command."""
    return encode(Refused(number, reason.as_data()))


def chat_message(lines: list[SaidData]) -> bytes:
    """A message with lines of the chat."""
    return encode(ChatLines(lines))


def reaction_message(reaction: ReactionData) -> bytes:
    """A message with a person's reaction."""
    return encode(Reacted(reaction))


class Broadcast:
    """The messages for one batch of events, which the table already includes; ``known``: the
    :attr:`rage.table.Table.shared_data` that their recipients have. ``kinds`` are the types of the
    facts, ``stored`` their JSON for the store. After :data:`RESETS` everyone is sent the whole
    table instead."""

    def __init__(
        self, table: Table, events: Sequence[Event], known: Mapping[str, Any] | None
    ) -> None:
        self._table = table
        self._events = events
        self.kinds = {type(event.fact) for event in events}
        #: The number of decisions they take back.
        self.undone = _count_undone(events) if e.Undone in self.kinds else 0
        #: The number of events that are lost.
        self.lost = sum(each.fact.lost for each in events if isinstance(each.fact, e.SetBack))
        #: Whether only moves have happened.
        self.moves_only = known is not None and self.kinds <= MOVES
        self._may_undo = table.may_undo
        self._sealing = table.state.sealing
        self._to_act = table.state.awaited
        self._update = Update(events[-1].seq, [])
        self._compare(known or {}, events[-1].at)
        self.stored: list[bytes] = []
        self._shared: list[msgspec.Raw | None] = []
        common: list[msgspec.Raw] = []
        for event in events:  # comprehensions cost more
            fact = encode(event.fact)
            self.stored.append(event_json(event, fact))
            if _is_shared(event):
                common.append(msgspec.Raw(fact))
                self._shared.append(common[-1])
            else:
                self._shared.append(None)
        self._common = common if len(common) == len(events) else None
        self._message: bytes | None = None

    def _compare(self, known: Mapping[str, Any], at: int) -> None:
        """Find what has changed for everyone since they were sent ``known``."""
        table = self._table
        fields = table.waiting_data if self.moves_only else table.shared_data
        if self.moves_only and table.state.options.clock is None:
            del fields["turn_since"]  # only a clock shows it
        else:
            self._update.at = at
            known = {**known, "turn_since": at}  # unless it says otherwise
        #: The fields that differ.
        self.changed = {
            name: value for name, value in fields.items() if known.get(name, _UNKNOWN) != value
        }
        #: What everyone has been sent after this.
        self.known = {**known, **fields}

    def message_for(
        self,
        person: str,
        number: int | None = None,
        *,
        own: OwnData | None = None,
        prompt: bool = False,
        coach: Coach | None = None,
    ) -> bytes:
        """The message for a person. ``number``: of the command, if it was theirs; ``own``: their
        own data, if not sent yet; ``prompt``: it is their turn now, so the message includes their
        options, with a hint if they have a ``coach``."""
        may_undo = person in self._may_undo
        bid = self._table.own_bid(person) if self._sealing else None
        alike = not may_undo and own is None and bid is None and self._common is not None
        plain = alike and number is None and not prompt
        if plain and self._message is not None:
            return self._message
        update = self._update
        update.id, update.may_undo, update.bid = number, may_undo, bid
        update.changed = self.changed if own is None else {**self.changed, "me": own}
        update.turn = self._table.turn_for(person, coach) if prompt else None
        update.to_act = self._to_act if update.turn is None or self._sealing else None
        update.events = self._common if self._common is not None else self._seen_by(person)
        made = encode(update)
        if plain:
            self._message = made
        return made

    def _seen_by(self, person: str) -> list[msgspec.Raw]:
        return [
            each or msgspec.Raw(encode(self._table.redact(event, person).fact))
            for event, each in zip(self._events, self._shared, strict=True)
        ]


def _count_undone(events: Sequence[Event]) -> int:
    """The number of decisions that events take back."""
    facts = [event.fact for event in events if isinstance(event.fact, e.Undone)]
    return sum(fact.count if fact.seat is None else 1 for fact in facts)


def _is_shared(event: Event) -> bool:
    """Return whether an event looks the same to everyone."""
    fact = event.fact
    if isinstance(fact, e.Played):
        return not fact.hidden
    return type(fact).seen_by is e.Fact.seen_by


def can_catch_up(events: Iterable[Event]) -> bool:
    """Return whether a client that missed these events needs only them, not the whole table."""
    return not any(isinstance(event.fact, SHIFTS) for event in events)
