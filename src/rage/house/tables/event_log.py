"""The log of one table: read from the store, folded into the table, and appended to.

Along with the events it stores snapshots, the index entry, the summary and the last chat lines.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

from rage.house.limits import MAX_CHAT_BYTES, MAX_MISSED, SNAPSHOT_AFTER, SNAPSHOT_AFTER_BYTES
from rage.house.store import Append, ChangedBids, Index, Row, Snapshot
from rage.house.store.sql import Store
from rage.house.tables import index
from rage.house.tables.loading import chat_data, final_snapshot, load, load_chat, read_events
from rage.house.tables.summary import Summary, summary_of, write_summary
from rage.table import Event, Table
from rage.table.erasure import without
from rage.table.parts import ChatLine
from rage.table.state import MAX_CHAT_LINES


class Reloaded(NamedTuple):
    """What clients might be missing of a reloaded table: the ``events`` after a number (``None``:
    too many, or no longer kept), and all lines of the ``chat``."""

    events: list[Event] | None
    chat: list[ChatLine]


class EventLog:
    """The events of a table, and the ``table`` they fold to; ``now`` gives milliseconds. Only
    :meth:`store_chat` and :meth:`between` may run concurrently with anything here: see
    :mod:`rage.house.tables.turns`."""

    def __init__(self, store: Store, name: str, now: Callable[[], int]) -> None:
        self.name = name
        self.table = Table()
        #: Whether ``table`` matches the store: not while events are being stored, nor after that
        #: has failed.
        self.in_sync = False
        self._store = store
        self._now = now
        self._index = index.derive(self.table, now())
        self._stored_index: Index | None = None  # the one in the store, if it is known
        self._snapshot_seq = 0  # of the last snapshot
        self._bytes = 0  # of the events since then, as far as they were appended here
        self._bids: bytes | None = None  # the changed bids as stored
        self._handed_over = False  # whether no bid is sealed any more
        self._summary_is_stale = False
        self._doubted = False  # whether the store may hold something else
        self._instead = False  # whether the next event is stored in place of unreadable ones

    @property
    def due_at(self) -> int | None:
        """When the table's clock is next due, in milliseconds; ``None`` if it is not."""
        return self._index.due_at

    @property
    def summary(self) -> Summary | None:
        """The summary of the table; ``None`` while it is being loaded or stored."""
        return summary_of(self.table) if self.in_sync and self.table.seq else None

    # Reading.

    async def reload(self, sent: int) -> Reloaded:
        """Load the table from the store; ``sent``: the number of the last event that clients were
        sent (0: none yet); if the store has lost some of them, it may have lost chat lines, too.
        Raises :class:`rage.house.store.BrokenTable` and :class:`rage.house.store.StoreFailed`."""
        self._doubted = False
        table, self._snapshot_seq, self._bids = await load(self._store, self.name)
        events: list[Event] | None = []
        if sent:
            same = table.state.gap == self.table.state.gap
            events = await self.between(sent, table.seq) if same else None
        chat = await load_chat(self._store, self.name)
        if table.seq >= sent:
            chat += self.table.state.chat  # which may have newer lines
        self.table, self.in_sync = table, not self._doubted
        self._instead = table.state.gap > 0
        self._index, self._stored_index = index.derive(table, self._now()), None
        return Reloaded(events, chat)

    async def between(self, after: int, until: int) -> list[Event] | None:
        """The events after one number up to another; ``None`` if there are too many, or they are no
        longer kept or cannot be read."""
        if not 0 <= until - after <= MAX_MISSED:
            return None
        if after == until:
            return []
        rows = await self._store.events(self.name, after)
        found = read_events(rows[: until - after])
        if [event.seq for event in found] != list(range(after + 1, until + 1)):
            return None
        return found

    # Appending.

    def append(self, events: Sequence[Event], data: Sequence[bytes]) -> asyncio.Future[None]:
        """Begin to store events that have been folded already, with their JSON. Once that is done,
        the caller must :meth:`confirm` it."""
        rows = tuple(
            [Row(event.seq, event.at, each) for event, each in zip(events, data, strict=True)]
        )
        append = self._with_changes(rows, events)
        if self._instead:
            self._instead, self._bids = False, None
            append = append._replace(rows=(), instead=rows, snapshot=self._snapshot())
        return asyncio.ensure_future(self._store.append(append))

    def fold(self, events: Sequence[Event]) -> None:
        """Apply events to the table, which is then ahead of the store."""
        self.in_sync = False
        sealed = self.table.has_sealed
        for event in events:
            self.table.apply(event)
        self._handed_over = sealed and not self.table.has_sealed

    def confirm(self) -> None:
        """Record that all events have been stored."""
        self.in_sync = not self._doubted

    def doubt(self) -> None:
        """Have the table reloaded before anything is decided, even while events are being
        stored."""
        self.in_sync, self._doubted = False, True

    def _with_changes(self, rows: tuple[Row, ...], events: Sequence[Event]) -> Append:
        """Rows to be stored, with everything else that has changed."""
        self._index = made = index.derive(self.table, self._now())
        new_index, before = None, self._stored_index
        if before is None or index.differs(made, before):
            self._stored_index = new_index = made
            if before is not None and before.people == made.people:
                new_index = made._replace(people=None)
        self._summary_is_stale = True
        finished = index.finished_games(self.table, events)
        for row in rows:
            self._bytes += len(row.data)
        snapshot, bids = self._new_snapshot(), None
        if self._handed_over:
            bids, self._bids, self._handed_over = ChangedBids(self._bids, None), None, False
        return Append(self.name, rows, new_index, finished, snapshot, bids)

    def _new_snapshot(self) -> Snapshot | None:
        """A snapshot of the table, if enough events have happened since the last one: so its log
        stays small, whatever happens there and for how long."""
        seq = self.table.seq
        if seq - self._snapshot_seq < SNAPSHOT_AFTER and self._bytes < SNAPSHOT_AFTER_BYTES:
            return None
        return self._snapshot()

    def _snapshot(self) -> Snapshot:
        seq = self.table.seq
        self._snapshot_seq, self._bytes = seq, 0
        return Snapshot(seq, self.table.snapshot(), max(0, seq - MAX_MISSED))

    async def erase(self, people: Collection[str], stranger: str) -> None:
        """Remove a person who has left, under any of their ids, from the store: from the events,
        which a snapshot replaces, the index, the summary and the chat. Raises
        :class:`rage.house.store.Conflict` and :class:`rage.house.store.StoreFailed`."""
        rows = await self._store.events(self.name, most=SNAPSHOT_AFTER + MAX_MISSED)
        table = without(self.table, read_events(rows), people, stranger)
        self.in_sync = False
        snapshot = final_snapshot(table)
        made = index.derive(table, self._now())
        seq = self.table.seq
        await self._store.append(Append(self.name, new_index=made, snapshot=snapshot, after=seq))
        summary = write_summary(summary_of(table))
        await self._store.summarize(self.name, table.seq, summary)
        lines = [line.number for line in await load_chat(self._store, self.name)
                 if line.person in people]  # fmt: skip
        await self._store.unsay(self.name, lines)

    async def change_bids(self, bids: bytes) -> None:
        """Store and apply the changed bids of the table. Raises :class:`rage.house.store.Conflict`
        and :class:`rage.house.store.StoreFailed`."""
        self.in_sync = False
        changed = ChangedBids(self._bids, bids)
        await self._store.append(Append(self.name, bids=changed, after=self.table.seq))
        self._bids = bids
        self.confirm()
        self.table.restore_changed(bids)

    async def store_index(self) -> None:
        """Store the index of the table if it has changed without an event, because the time at
        which its clock was due has passed. Raises :class:`rage.house.store.Conflict` and
        :class:`rage.house.store.StoreFailed`."""
        append = self._with_changes((), ())._replace(after=self.table.seq)
        if append.new_index is not None:
            self.in_sync = False
            await self._store.append(append)
            self.confirm()

    async def store_summary(self) -> None:
        """Store the table's summary, if it has changed. Raises
        :class:`rage.house.store.StoreFailed`."""
        if self._summary_is_stale and (summary := self.summary) is not None:
            self._summary_is_stale = False
            # So that the next event stores an index, which makes this summary stale; in a list of
            # another server it will do until the next one.
            if not self._store.shared:
                self._stored_index = None
            data = write_summary(summary)
            await self._store.summarize(self.name, self.table.seq, data)

    async def store_chat(self, line: ChatLine) -> ChatLine:
        """Store a line of the chat. Returns it with its number. Raises
        :class:`rage.house.store.StoreFailed`."""
        data = chat_data(line)
        number = await self._store.say(self.name, line.at, data, MAX_CHAT_LINES, MAX_CHAT_BYTES)
        return line._replace(number=number)
