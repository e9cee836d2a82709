"""Events and tables as messages, each with exactly what its recipient may know.

Most events look the same to everybody, so most messages are made once for a whole table. If they
differ, the table decides what each person may see.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

import msgspec

from rage.coach import Coach
from rage.place.messages import ChatLines, FullTable, Reacted, Refused, Update, encode
from rage.say import Reason
from rage.table import Event, Table
from rage.table import events as e
from rage.table.events import event_json
from rage.table.shapes import HolderData, ReactionData, SaidData

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
#: These events are decisions, or change whose turn it is.
TURNS: Final = (e.Played, e.BidSealed, e.Dealt, e.GameOver)
#: After these, the owner may have changed.
OWNERS: Final = (e.Left, e.HostPassed, e.Sat)
#: After these, other people or bots may hold the seats.
HOLDERS: Final = (e.Sat, e.BotSat, e.Left, e.Renamed)
#: A move and its consequences in the round. Of what a person may do, they change only whether a
#: decision may be taken back; after any other event everybody is sent all of it again.
MOVES: Final = frozenset({e.Played, e.BidSealed, e.BidsShown, e.TrumpSet, e.TrickWon})
#: The same is true of these, for everybody with a seat.
ROUNDS: Final = MOVES | {e.RoundOver, e.PlayerReady, e.Dealt}


def table_message(
    table: Table,
    person: str,
    now: int,
    coach: Coach | None = None,
    *,
    undone: int = 0,
    lost: int = 0,
) -> bytes:
    """A message with everything that a person may know of a table, and a hint if they have a
    ``coach``; ``undone``: how many decisions have just been taken back, ``lost``: how many events
    that they were shown are lost."""
    turn = table.turn_for(person, coach)
    return encode(FullTable(table.seq, now, person, table.view_for(person), turn, undone, lost))


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
    """A message with somebody's reaction."""
    return encode(Reacted(reaction))


class Broadcast:
    """The messages for one batch of events, after which the table is as it is now. ``kinds`` are
    the types of their facts, ``stored`` their JSON for the store. After :data:`RESETS` everybody is
    sent the whole table instead."""

    def __init__(self, table: Table, events: Sequence[Event]) -> None:
        self._table = table
        self.kinds = {type(event.fact) for event in events}
        #: The number of decisions they take back.
        self.undone = _count_undone(events) if e.Undone in self.kinds else 0
        #: The number of events that are lost.
        self.lost = sum(each.fact.lost for each in events if isinstance(each.fact, e.SetBack))
        self._events = events
        self._moves_only = self.kinds <= MOVES or (
            self.kinds <= ROUNDS and not table.state.spectators
        )
        self._may_undo = table.may_undo
        self._update = Update(
            events[-1].seq,
            [],
            proposal=table.proposal,
            takeover=table.takeover,
            between=table.between,
        )
        decides = not self.kinds.isdisjoint(TURNS)
        self._to_act = table.state.to_act if decides else None
        self._sealing = table.state.sealing
        if not decides or table.state.options.clock is not None:
            self._update.at = events[-1].at
        if table.state.turn_since != events[-1].at:
            self._update.turn_since = table.state.turn_since
        if not self.kinds.isdisjoint(OWNERS):
            self._update.owner = table.state.owner
        self._update.holders = self._holders()
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

    def _holders(self) -> list[list[HolderData]] | None:
        """Who has held the seats, if that may have changed."""
        if self._table.state.play is None or self.kinds.isdisjoint((e.Dealt, *HOLDERS)):
            return None
        found = self._table.holders
        changed = not self.kinds.isdisjoint(HOLDERS) or any(len(each) > 1 for each in found)
        return found if changed else None

    def message_for(
        self,
        person: str,
        number: int | None = None,
        *,
        prompt: bool = False,
        coach: Coach | None = None,
    ) -> bytes:
        """The message for a person. ``number``: of the command, if it was theirs; ``prompt``: it is
        their turn now, so it includes what they may do, with a hint if they have a ``coach``."""
        may_undo = person in self._may_undo
        alike = self._moves_only and not may_undo and self._common is not None
        bid = self._table.own_bid(person) if self._sealing else None
        plain = alike and number is None and not prompt and bid is None
        if plain and self._message is not None:
            return self._message
        update = self._update
        update.id, update.may_undo = number, may_undo
        update.me = None if self._moves_only else self._table.own_data(person)
        update.turn = self._table.turn_for(person, coach) if prompt else None
        update.to_act = self._to_act if update.turn is None or self._sealing else None
        update.bid = bid
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
    """Whether an event looks the same to everybody."""
    fact = event.fact
    if isinstance(fact, e.Played):
        return not fact.hidden
    return type(fact).seen_by is e.Fact.seen_by


def can_catch_up(events: Iterable[Event]) -> bool:
    """Whether a client that missed these events can be sent them instead of the whole table."""
    return not any(isinstance(event.fact, SHIFTS) for event in events)
