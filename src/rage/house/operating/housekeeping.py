"""The regular work of a server: waking tables that are due, and removing unused data."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import time
from collections.abc import Callable
from typing import Final

from rage.house.base.codes import table_fingerprint
from rage.house.limits import (
    FINISHED_AFTER,
    IDLE_AFTER,
    IDLE_AFTER_IN_CROWD,
    MAX_IDLE,
    MAX_STORE,
    MB,
    STRANGERS,
)
from rage.house.operating.retention import DEFAULT_RETENTION, Retention
from rage.house.store import Append, BrokenTable, Conflict, Given, OverTable, StoreFailed
from rage.house.tables.hub import Hub
from rage.house.tables.loading import final_snapshot, load
from rage.house.tables.room import Room

log: Final = logging.getLogger(__name__)
#: Seconds between two sweeps for tables that are due or idle.
SWEEP_INTERVAL: Final = 2.0
#: The most tables that one sweep wakes.
MAX_DUE: Final = 200
#: Seconds between removals of expired tables and games. None at the start, when the clock may be
#: wrong.
CLEAR_INTERVAL: Final = 3600.0
#: The most tables or games removed in one transaction, so that others do not wait long, the most
#: names looked at together, and the seconds until the next transaction.
REMOVE_BATCH: Final = 20
FORGET_BATCH: Final = 500
REMOVE_PAUSE: Final = 0.05
#: Seconds between checks for finished tables whose events are no longer needed, how many are
#: checked together, and the pause after compacting one, which takes some 20 ms.
COMPACT_INTERVAL: Final = 60.0
COMPACT_BATCH: Final = 50
COMPACT_PAUSE: Final = 0.1
#: If the clock was set by more than this, in milliseconds, nothing is removed for a while.
CLOCK_JUMP: Final = 60_000
#: The least seconds between full garbage collections, and the largest share of time for them:
#: everyone waits meanwhile, 40 ms with 800 connections at 200 tables. There is hardly any garbage,
#: because ended objects are in no cycles, and Python collects young objects by itself.
GC_INTERVAL: Final = 60.0
GC_SHARE: Final = 0.0005


class Housekeeping:
    """The regular work for the tables of a hub; ``keep``: how long unused data is kept;
    ``max_store``: the bytes of the store beyond which nothing new is begun; ``report`` is called
    now and then, to log anything not logged yet."""

    def __init__(
        self,
        hub: Hub,
        keep: Retention = DEFAULT_RETENTION,
        max_store: int = MAX_STORE,
        report: Callable[[], None] = lambda: None,
    ) -> None:
        self._hub = hub
        self._services = hub.services
        self._keep = keep
        self._services.max_store = max_store
        self._report = report
        self._broken: set[str] = set()
        self._compacted = OverTable(-1, "")  # all finished tables last used before it are compacted

    async def sweep(self) -> None:
        """Run forever: wake tables that are due, drop clients that do not read and unused tables,
        remove expired data, collect garbage."""
        waking: asyncio.Task[None] | None = None
        clearing: asyncio.Task[None] | None = None
        compacting: asyncio.Task[None] | None = None
        collect_at = time.monotonic() + GC_INTERVAL
        compact_at = time.monotonic() + COMPACT_INTERVAL
        clear_at, ahead = time.monotonic() + CLEAR_INTERVAL, self._ahead()
        while True:
            await asyncio.sleep(SWEEP_INTERVAL)
            self.tidy()
            self._report()
            if waking is None or waking.done():  # a slow store must not delay the rest
                waking = self._services.start(self._look_after_store())
            now = time.monotonic()
            if now > collect_at:
                gc.collect()
                took = time.monotonic() - now
                collect_at = now + max(GC_INTERVAL, took / GC_SHARE)
            if abs(self._ahead() - ahead) > CLOCK_JUMP:  # the clock was set, and may be again
                clear_at, ahead = now + CLEAR_INTERVAL, self._ahead()
            if now > clear_at and (clearing is None or clearing.done()):
                clear_at = now + CLEAR_INTERVAL
                clearing = self._services.start(self.clear())
            if now > compact_at and (compacting is None or compacting.done()):
                compact_at = now + COMPACT_INTERVAL
                compacting = self._services.start(self.compact())

    async def _look_after_store(self) -> None:
        try:
            await self._measure_and_wake()
        except StoreFailed:
            reachable, self._services.reachable = self._services.reachable, False
            if reachable:  # log it only once
                raise
        else:
            self._services.reachable = True

    async def _measure_and_wake(self) -> None:
        if self._services.store.shared:  # for the lists of the other servers
            rooms = list(self._hub.rooms.values())
            await asyncio.gather(*(room.log.store_summary() for room in rooms))
        await self.measure()
        await self.wake()

    def _ahead(self) -> int:
        """The difference between the clock and the monotonic clock, in milliseconds."""
        return self._services.now() - int(1000 * time.monotonic())

    def tidy(self) -> None:
        """Drop clients that do not read, and tables with no one connected."""
        now, idle = self._services.now(), list[Room]()
        for room in list(self._hub.rooms.values()):
            try:
                room.audience.drop_slow()
            except Exception:  # the other tables must not suffer
                log.exception("the table %s cannot be tidied", table_fingerprint(room.name))
            if room.idle:
                idle.append(room)
        idle.sort(key=lambda room: abs(now - room.used))
        for number, room in enumerate(idle):
            if abs(now - room.used) > (IDLE_AFTER if number < MAX_IDLE else IDLE_AFTER_IN_CROWD):
                self._services.start(self.drop(room, room.used))

    async def drop(self, room: Room, used: int) -> None:
        """Store the summary of a table, and drop its room unless it has been used since ``used``,
        even by a person who is just entering. Raises :class:`StoreFailed`."""
        await room.log.store_summary()
        if room.idle and room.used == used:
            self._hub.drop(room)
            await self._services.store.release(room.name)

    async def clear(self) -> None:
        """Remove expired data, unless the store is read-only. Raises :class:`StoreFailed`."""
        expiry = self._keep.expiry(self._services.now())
        while not self._services.read_only:
            most = REMOVE_BATCH + len(self._hub.rooms)
            names = await self._services.store.expired_tables(expiry, most)
            unused = [name for name in names if name not in self._hub.rooms][:REMOVE_BATCH]
            if not unused:
                break
            self._hub.removing.update(unused)
            try:
                await self._services.store.remove(unused)
            finally:
                self._hub.removing.difference_update(unused)
            await asyncio.sleep(REMOVE_PAUSE)
        while not self._services.read_only and await self._services.store.tidy(
            expiry, REMOVE_BATCH
        ):
            await asyncio.sleep(REMOVE_PAUSE)
        for name in ("names", "codes", "passkeys"):
            seen: Given | None = Given()
            while seen is not None and not self._services.read_only:
                seen = await self._services.store.forget(name, expiry.names, seen, FORGET_BATCH)
                await asyncio.sleep(REMOVE_PAUSE)

    async def compact(self) -> None:
        """Replace the events of finished tables that are no longer used by a snapshot, unless the
        store is read-only. Raises :class:`StoreFailed`."""
        store, rooms = self._services.store, self._hub.rooms
        until = self._services.now() - FINISHED_AFTER
        while over := await store.over_tables(until, self._compacted, COMPACT_BATCH):
            for each in over:
                if self._services.read_only:
                    return
                if each.has_events and each.table not in rooms:
                    with contextlib.suppress(BrokenTable, Conflict):  # logged; set back
                        table = (await load(store, each.table)).table
                        whole = table.phase == "over" and not table.state.gap
                        if whole and each.table not in rooms:
                            snapshot = final_snapshot(table)
                            await store.append(
                                Append(each.table, snapshot=snapshot, after=table.seq)
                            )
                    await asyncio.sleep(COMPACT_PAUSE)
                self._compacted = each

    async def measure(self) -> None:
        """Update how full the store is. Raises :class:`StoreFailed`."""
        before, most = self._services.filled, self._services.max_store
        self._services.stored = await self._services.store.size()
        filled = self._services.filled
        if filled >= 1 > before:
            log.error(
                "the store has reached %d MB: no table is opened and no game begins until"
                " something is removed (docs/hosting.md: How the store grows)",
                most // MB,
            )
        elif filled >= STRANGERS > before:
            log.warning(
                "the store has reached %d of %d MB: only people who have played here open tables"
                " and begin games (docs/hosting.md: How the store grows)",
                self._services.stored // MB,
                most // MB,
            )

    async def wake(self) -> None:
        """Wake tables that are due and not in memory, unless the store is read-only. Raises
        :class:`StoreFailed`."""
        if self._services.read_only:
            return
        due = await self._services.store.due(
            self._services.now() - int(1000 * SWEEP_INTERVAL), MAX_DUE + len(self._broken)
        )
        for name in due:
            if name in self._broken:
                continue
            try:
                room = await self._hub.room(name)
                await room.automation.do_what_is_due()
            except StoreFailed:
                raise
            except BrokenTable:  # already logged; it must not stop the others
                self._broken.add(name)
            except Exception:
                log.exception("the table %s cannot be woken", table_fingerprint(name))
