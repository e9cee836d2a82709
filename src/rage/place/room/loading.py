"""Loads a table from the store: its last snapshot, and the events since."""

from __future__ import annotations

import asyncio
import logging
import zlib
from typing import Final, NamedTuple

import msgspec

from rage.place.codes import table_fingerprint
from rage.place.store import MAX_READ, BrokenTable, Row, Snapshot, Store, StoredLogs
from rage.table import Event, Table, read_event
from rage.table.state import ChatLine

log: Final = logging.getLogger(__name__)
#: The events folded before the event loop may do something else.
FOLD_BATCH: Final = 100
#: Tables that have been logged as broken: each is logged once.
_logged: Final[set[str]] = set()


class Loaded(NamedTuple):
    """A table, the number of the last event in its snapshot (0: there is none), and its changed
    bids as stored."""

    table: Table
    snapshot: int
    bids: bytes | None


class _StoredLine(msgspec.Struct, omit_defaults=True):
    """A line of the chat as stored, besides its number and time."""

    person: str
    name: str
    text: str | None = None
    preset: str | None = None


async def load(store: StoredLogs, name: str) -> Loaded:
    """The table as stored, without its chat; its ``seq`` is 0 if it does not exist. Raises
    :class:`BrokenTable`, which is logged, and :class:`rage.place.store.StoreFailed`."""
    snapshot = await store.snapshot(name)
    table = _restored(name, snapshot)
    begun, bids = table.seq, None
    while rows := await store.events(name, table.seq):
        for start in range(0, len(rows), FOLD_BATCH):
            _fold(name, table, rows[start : start + FOLD_BATCH])
            await asyncio.sleep(0)  # a long log takes a while
        # Read before the last check for more events, so that they belong together.
        bids = await store.changed_bids(name) if table.has_sealed else None
    # Meanwhile a newer snapshot may have replaced events that were not read.
    if not 0 < table.seq - begun < MAX_READ:
        newer = await store.snapshot(name)
        if newer is not None and newer.seq > table.seq:
            return await load(store, name)
    if bids is not None:
        try:
            table.restore_changed(bids)
        except Exception as error:  # whatever it is, only this table is affected
            raise _broken(name, "bids", error) from None
    return Loaded(table, 0 if snapshot is None else snapshot.seq, bids)


def final_snapshot(table: Table) -> Snapshot:
    """A snapshot in place of all events of a table, where nothing happens any more."""
    return Snapshot(table.seq, zlib.compress(table.snapshot()), table.seq)


def _restored(name: str, snapshot: Snapshot | None) -> Table:
    if snapshot is None:
        return Table()
    try:
        data = snapshot.data
        return Table.from_snapshot(data if data[:1] == b"{" else zlib.decompress(data))
    except Exception as error:  # whatever it is, only this table is affected
        raise _broken(name, "snapshot", error) from None


def _fold(name: str, table: Table, rows: list[Row]) -> None:
    for row in rows:
        try:
            table.apply(read_event(row.data))
        except Exception as error:  # whatever it is, only this table is affected
            raise _broken(name, str(row.seq), error) from None


def _broken(name: str, place: str, error: Exception) -> BrokenTable:
    if name not in _logged and len(_logged) < 10_000:
        _logged.add(name)
        what = type(error).__name__
        log.error("table %s cannot be read: event %s: %s", table_fingerprint(name), place, what)
    return BrokenTable(place)


def read_events(name: str, rows: list[Row]) -> list[Event]:
    """The events of some rows. Raises :class:`BrokenTable`."""
    found = []
    for row in rows:
        try:
            found.append(read_event(row.data))
        except Exception as error:
            raise _broken(name, str(row.seq), error) from None
    return found


async def load_chat(store: Store, name: str) -> list[ChatLine]:
    """The stored lines of a table's chat, without any that cannot be read."""
    found = []
    for row in await store.chat(name):
        try:
            line = msgspec.json.decode(row.data, type=_StoredLine)
        except (msgspec.DecodeError, UnicodeError):
            continue
        found.append(ChatLine(row.number, row.at, line.person, line.name, line.text, line.preset))
    return found


def chat_data(line: ChatLine) -> bytes:
    """A line of the chat as stored, besides its number and time."""
    return msgspec.json.encode(_StoredLine(line.person, line.name, line.text, line.preset))
