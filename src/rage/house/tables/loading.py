"""Loads a table from the store: its last snapshot, and the events since."""

from __future__ import annotations

import asyncio
import logging
import zlib
from contextlib import suppress
from typing import Final, NamedTuple

import msgspec

from rage.house.base.codes import table_fingerprint
from rage.house.store import MAX_READ, BrokenTable, ChatRow, Row, Snapshot
from rage.house.store.checking import snapshot_json
from rage.house.store.queries import StoreReader
from rage.house.store.sql import Store
from rage.house.tables.summary import read_summary
from rage.say import NotReadable
from rage.table import Event, Table, read_event
from rage.table.parts import ChatLine

log: Final = logging.getLogger(__name__)
#: The events folded before the event loop may do something else.
FOLD_BATCH: Final = 100
#: Parts of the stored events that end and begin a game, and of no others.
_ENDS, _BEGINS = b'"type":"game_over"', b'"type":"seed_committed"'
#: Tables that have been logged as broken: each is logged once.
_logged: Final[set[str]] = set()


class Loaded(NamedTuple):
    """A table, the number of the last event in its snapshot (0: no snapshot), and its changed bids
    as stored."""

    table: Table
    snapshot: int
    bids: bytes | None


class StoredLine(msgspec.Struct, omit_defaults=True):
    """A line of the chat as stored, without its number and time."""

    person: str
    name: str
    text: str | None = None
    preset: str | None = None


async def load(store: StoreReader, name: str) -> Loaded:
    """The table as stored, without its chat; its ``seq`` is 0 if it does not exist. If an event is
    missing or unreadable, that is logged, and the table is the one before it, whose ``state.gap``
    counts the rest, also what only a summary or a finished game tells of. Raises
    :class:`BrokenTable`, which is logged, if there is none before it, and
    :class:`rage.house.store.StoreFailed`."""
    known = await store.known(name)  # first, as it may be of an earlier moment, but not of a later
    snapshot = stored = await store.snapshot(name)
    try:
        table = _restored(snapshot)
    except Exception as error:  # whatever it is, only this table is affected
        if snapshot is None or snapshot.dropped:
            raise _broken(name, "snapshot", error) from None
        _log(name, "snapshot", error)
        table, snapshot = Table(), None  # all events are kept
    event: Event | None = None
    bids, begun, last = None, table.seq, table.seq
    while rows := await store.events(name, last):
        for start in range(0, len(rows), FOLD_BATCH):
            if last == table.seq:
                some = rows[start : start + FOLD_BATCH]
                table, event = await _fold(store, name, table, snapshot, some)
            last = rows[min(start + FOLD_BATCH, len(rows)) - 1].seq
            await asyncio.sleep(0)  # a long log takes a while
        # Read before the last check for more events, so that they belong together.
        bids = await store.changed_bids(name) if table.has_sealed else None
    # Meanwhile a newer snapshot may have replaced events that were not read.
    if table.seq < last or not 0 < table.seq - begun < MAX_READ:
        newer = await store.snapshot(name)
        if newer is not None and newer.seq > table.seq and newer != stored:
            return await load(store, name)
    if event is not None and not table.is_settled(event):
        table = await _before(store, name, snapshot, table.seq - 1)
    if table.seq:
        await _find_gap(store, name, table, last, known)
    elif known[0] is not None:
        raise _broken(name, "1", LookupError())
    if bids is not None and not table.state.gap:
        try:
            table.restore_changed(bids)
        except Exception as error:
            raise _broken(name, "bids", error) from None
    return Loaded(table, 0 if snapshot is None else snapshot.seq, bids)


async def _find_gap(
    store: StoreReader, name: str, table: Table, last: int, known: tuple[bytes | None, int]
) -> None:
    """Note how many events of a table are lost, of which ``last`` is the last one stored, and the
    last game that they have ended; ``known``: see :meth:`StoreReader.known`."""
    state, (summary, game) = table.state, known
    found, until = None if summary is None else read_summary(summary), last
    if found is not None:
        game, until = max(game, found.game - (found.phase != "over")), max(until, found.seq)
    unread = await store.events(name, table.seq, last - table.seq) if last > table.seq else []
    ends, begins = (sum(each in row.data for row in unread) for each in (_ENDS, _BEGINS))
    state.last_over = max(game, state.games + max(ends - (state.phase != "over"), begins - 1))
    state.gap = max(until, table.seq + state.seed_is_public) - table.seq
    if state.gap:
        _log(name, str(last + 1), LookupError())
    else:
        state.last_over = 0


def final_snapshot(table: Table) -> Snapshot:
    """A snapshot in place of all events of a table, where nothing happens any more."""
    return Snapshot(table.seq, zlib.compress(table.snapshot()), table.seq)


def _restored(snapshot: Snapshot | None) -> Table:
    if snapshot is None:
        return Table()
    return Table.from_snapshot(snapshot_json(snapshot.data))


async def _fold(
    store: StoreReader, name: str, table: Table, snapshot: Snapshot | None, rows: list[Row]
) -> tuple[Table, Event | None]:
    """The table after some events, and the last of them; or the table before the first unreadable
    one."""
    event = None
    for row in rows:
        seq = table.seq
        try:
            event = read_event(row.data)
            table.apply(event)
        except Exception as error:  # whatever it is, only this table is affected
            at = str(row.seq if row.seq == seq + 1 else seq + 1)
            if seq == 0 or _is_of_another_version(row):
                raise _broken(name, at, error) from None
            _log(name, at, error)
            return await _before(store, name, snapshot, seq), None
    return table, event


async def _before(store: StoreReader, name: str, snapshot: Snapshot | None, seq: int) -> Table:
    """The table after event ``seq``, or before the command of that event, if the rest of it is
    missing; made from the start, because half of the next event may have been applied. Raises
    :class:`BrokenTable` if there is no such moment."""
    while seq > 0:
        table, last = _restored(snapshot), None
        while table.seq < seq:
            rows = await store.events(name, table.seq, min(MAX_READ, seq - table.seq))
            if not rows:  # removed meanwhile
                raise _broken(name, str(table.seq + 1), LookupError())
            for row in rows:
                last = read_event(row.data)
                table.apply(last)
        if last is None or table.is_settled(last):
            return table
        seq -= 1
    raise _broken(name, "1", LookupError())


def _is_of_another_version(row: Row) -> bool:
    """Return whether this is an event of an unknown kind: a newer server can read it, so it is not
    lost."""
    try:
        read_event(row.data)
    except NotReadable:
        with suppress(msgspec.DecodeError, UnicodeError):
            data = msgspec.json.decode(row.data)
            return isinstance(data, dict) and data.get("seq") == row.seq and "type" in data
    return False


def _log(name: str, at: str, error: Exception) -> None:
    if name not in _logged and len(_logged) < 10_000:
        _logged.add(name)
        what = type(error).__name__
        log.error("table %s cannot be read: event %s: %s", table_fingerprint(name), at, what)


def _broken(name: str, at: str, error: Exception) -> BrokenTable:
    _log(name, at, error)
    return BrokenTable()


def read_events(rows: list[Row]) -> list[Event]:
    """The events of some rows, except those that cannot be read."""
    found = []
    for row in rows:
        with suppress(NotReadable):
            found.append(read_event(row.data))
    return found


async def load_chat(store: Store, name: str) -> list[ChatLine]:
    """The stored lines of a table's chat, without any that cannot be read."""
    return [
        ChatLine(row.number, row.at, line.person, line.name, line.text, line.preset)
        for row in await store.chat(name)
        if (line := read_line(row)) is not None
    ]


def read_line(row: ChatRow) -> StoredLine | None:
    """A stored line of a chat; ``None`` if it cannot be read."""
    with suppress(msgspec.DecodeError, UnicodeError):
        return msgspec.json.decode(row.data, type=StoredLine)
    return None


def chat_data(line: ChatLine) -> bytes:
    """A line of the chat as stored, without its number and time."""
    return msgspec.json.encode(StoredLine(line.person, line.name, line.text, line.preset))
