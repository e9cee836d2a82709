"""The tables of this server, and what they share: the store, the clock, randomness and bots."""

from __future__ import annotations

import asyncio
import gc
import logging
import random
import time
from collections import OrderedDict
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any, Final

from rage.bots import Random
from rage.deal import GivenSeed, new_seed
from rage.history import Move
from rage.say import NotAllowed
from rage.server.analysing import Analyses
from rage.server.bot_pool import BotPool
from rage.server.codes import NoTable, new_code
from rage.server.live import LiveSheets
from rage.server.loading import load
from rage.server.logs import table_fingerprint
from rage.server.retention import DEFAULT_RETENTION, Retention
from rage.server.room import Room
from rage.server.store import BrokenTable, Store, StoredTable, StoreFailed
from rage.server.summary import Summary, read_summary, summary_of, write_summary
from rage.table import Chat, Configure, Create, Event, Rematch, Table
from rage.table.authority import BotTurn
from rage.table.commands import Command

log: Final = logging.getLogger(__name__)
#: How often, in seconds, the hub looks for tables that are due or idle.
SWEEP_INTERVAL: Final = 2.0
#: How many tables one sweep wakes at most.
MAX_DUE: Final = 200
#: After how many milliseconds a table with nobody connected is dropped from memory.
IDLE_AFTER: Final = 60_000
#: How many such tables stay in memory until then. If there are more, the least recently used are
#: dropped first, but not within the second number of milliseconds, when somebody may be about to
#: join. So a crowd that opens tables and leaves cannot exhaust the memory.
MAX_IDLE: Final = 200
IDLE_AFTER_IN_CROWD: Final = 5_000
#: How many seconds a bot takes on average, unless configured.
BOT_DELAY: Final = 0.7
#: How many seconds the people of a table that was just loaded have to reconnect before they count
#: as away.
RETURN_GRACE: Final = 8.0
#: How many open tables one person may host, and how many may come from one address.
MAX_OPEN: Final = 5
MAX_OPEN_FROM: Final = 20
#: For how many open tables the hub remembers the address that opened them.
MAX_KNOWN: Final = 10_000
#: How often, in seconds, expired tables and games are removed. Not at the start: if the clock was
#: wrong then, it will have been set by the first time.
CLEAR_INTERVAL: Final = 3600.0
#: How many tables or games are removed in one transaction, so that others need not wait long.
REMOVE_BATCH: Final = 100
#: If the clock was set by more than this, in milliseconds, nothing is removed for a while.
CLOCK_JUMP: Final = 60_000
#: How often all garbage is collected at most, in seconds, and which share of the time it may take:
#: everybody waits meanwhile, 40 ms with 800 connections at 200 tables. There is hardly any, for
#: what ends does not refer to itself, and Python collects what is young by itself.
GC_INTERVAL: Final = 60.0
GC_SHARE: Final = 0.0005


class CreateGiven(Create, frozen=True, kw_only=True, tag="create_given"):
    """Open a table whose deals are given. Only the server itself makes this command: none that a
    client sends is read as it."""

    seed: GivenSeed


@dataclass
class Counts:
    """What has happened since the start, for metrics."""

    events: int = 0
    moves: int = 0
    refused: int = 0
    dropped: int = 0


class Hub:
    """The tables of one server process. ``delay``: how many seconds a bot takes on average;
    ``now`` gives milliseconds since 1970."""

    def __init__(
        self,
        store: Store,
        *,
        delay: float = BOT_DELAY,
        now: Callable[[], int] | None = None,
        keep: Retention = DEFAULT_RETENTION,
    ) -> None:
        self.store = store
        self.keep = keep
        self.now = now or _clock
        self.counts = Counts()
        self.bot_pool = BotPool()
        self.analyses = Analyses(self.bot_pool)
        self.live = LiveSheets(self.now)
        self.rooms: dict[str, Room] = {}
        self._delay = delay
        self._removing: set[str] = set()
        self._broken: set[str] = set()
        #: Held while a table with the deals of a day is opened, of which everybody has one.
        self.day_lock = asyncio.Lock()
        self._opening = asyncio.Lock()  # held while open tables are counted and one is opened
        self._opened_from: OrderedDict[str, str] = OrderedDict()
        self._tasks: set[asyncio.Task[Any]] = set()
        self._random = random.Random()

    # Tables.

    async def room(self, name: str) -> Room:
        """The room of a table. Raises :class:`NoTable`."""
        room = self.rooms.get(name)
        if name in self._removing:
            raise NoTable("http.no_table", table=name)
        if room is None:
            return await self._fetch(name)
        room.used = self.now()
        if (await room.ready()).seq == 0:  # it was being loaded, and does not exist
            raise NoTable("http.no_table", table=name)
        if self.rooms.get(name) is not room:  # it could not be loaded, or was just dropped
            return await self.room(name)
        return room

    async def _fetch(self, name: str) -> Room:
        """The room of a table, loaded from the store once, however many ask for it meanwhile."""
        room = self.rooms[name] = Room(self, name)
        try:
            if (await room.ready()).seq == 0:
                raise NoTable("http.no_table", table=name)
        except BaseException:
            del self.rooms[name]
            raise
        room.expect(RETURN_GRACE)
        room.automation.update()
        return room

    async def table(self, name: str) -> Table:
        """A table, loaded. Raises :class:`NoTable` and :class:`rage.server.store.BrokenTable`."""
        return await (await self.room(name)).ready()

    async def summary(self, stored: StoredTable) -> Summary:
        """The summary of a table, without making a room for it: from memory, or as stored, or,
        after a crash, from its events. Nobody is connected to a table that isn't in memory. Raises
        :class:`rage.server.store.BrokenTable`."""
        name = stored.table
        if (room := self.rooms.get(name)) is not None:
            await room.ready()
            if (summary := room.summary) is not None:
                return summary
        summary = None if stored.summary is None else read_summary(stored.summary)
        if summary is None:
            table, _ = await load(self.store, name)
            if table.seq == 0:
                raise BrokenTable("1")
            summary = summary_of(table)
            await self.store.summarize(name, table.seq, write_summary(summary))
        for seat in summary.seats:
            seat.here = seat.person is None
        return summary

    async def create(
        self,
        command: Create,
        person: str,
        address: str | None = None,
        *,
        given: GivenSeed | None = None,
        name: str | None = None,
    ) -> str:
        """Open a table, and return its code. ``address``: as rate limits count it; ``given``: the
        seed that it is to have, where its deals are not to be new ones; ``name``: a code that no
        table has yet. Raises :class:`rage.NotAllowed` as the table does, and for too many open
        tables."""
        if given is not None:
            command = CreateGiven(
                command.rules, command.players, command.name, command.options, seed=given
            )
        if command.options.access == "open":
            async with self._opening:
                await self._check_open(person, address)
                name = await self._create(command, person, name)
                self._note_open(name, address)
            return name
        return await self._create(command, person, name)

    async def _create(self, command: Create, person: str, name: str | None) -> str:
        name = name or new_code()
        # Registered before its first event is stored, so that whoever asks meanwhile gets it.
        room = self.rooms[name] = Room(self, name)
        try:
            await room.do(command, person)
        except BaseException:
            del self.rooms[name]
            raise
        return name

    async def open_up(
        self, name: str, command: Configure, person: str, address: str | None, number: int | None
    ) -> None:
        """Make a table findable for everybody, unless there are too many such tables already.
        Raises as :meth:`Room.do` does."""
        async with self._opening:
            await self._check_open(person, address)
            await (await self.room(name)).do(command, person, number=number)
            self._note_open(name, address)

    async def _check_open(self, person: str, address: str | None) -> None:
        """Raises :class:`rage.NotAllowed` if somebody, or their address, has too many open
        tables already."""
        if await self.store.count_open(person) >= MAX_OPEN:
            raise NotAllowed("http.too_many_open", most=MAX_OPEN)
        from_there = [name for name, at in self._opened_from.items() if at == address]
        if address is not None and len(from_there) >= MAX_OPEN_FROM:
            still = set(await self.store.still_open(from_there))
            for name in from_there:
                if name not in still:
                    self._opened_from.pop(name, None)
            if len(still) >= MAX_OPEN_FROM:
                raise NotAllowed("http.too_many_open_from", most=MAX_OPEN_FROM)

    def _note_open(self, name: str, address: str | None) -> None:
        """Remember which address has opened a table."""
        if address is not None:
            self._opened_from[name] = address
            while len(self._opened_from) > MAX_KNOWN:
                self._opened_from.popitem(last=False)

    async def do(self, name: str, command: Command | Chat, person: str | None) -> list[Event]:
        """Let a table decide a command. Raises as :meth:`Room.do` does, and :class:`NoTable`."""
        return await (await self.room(name)).do(command, person)

    # What tables share.

    def seed_for(self, command: Command) -> bytes | None:
        """A new secret seed, for commands that need one and do not bring it."""
        if isinstance(command, CreateGiven):
            return command.seed
        return new_seed() if isinstance(command, Create | Rematch) else None

    def bot_delay(self) -> float:
        """How many seconds a bot takes for its next move, independent of its cards."""
        return self._delay * self._random.uniform(0.5, 1.5)

    async def choose(self, turn: BotTurn) -> Move:
        """The move of a bot. If the bot fails, a random move, so that nobody has to wait."""
        try:
            move = await self.bot_pool.choose(turn.bot, turn.seed, turn.view)
            if move not in turn.view.legal_moves():
                raise ValueError(move)
            return move
        except Exception:
            log.exception("the bot %s has failed", turn.bot)
            return Random(turn.seed).choose(turn.view)

    # Tasks.

    def start(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Run a coroutine in a task of its own; its errors are logged."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if task.cancelled() or (error := task.exception()) is None:
            return
        if isinstance(error, StoreFailed):
            log.error("the store has failed: %s", error)
        else:
            log.error("a task has failed", exc_info=error)

    def later(
        self, seconds: float, work: Callable[[], Coroutine[Any, Any, None]]
    ) -> asyncio.TimerHandle:
        """Call ``work`` after some seconds, and run it as :meth:`start` does."""
        return asyncio.get_running_loop().call_later(seconds, lambda: self.start(work()))

    async def sweep(self) -> None:
        """What has to be done regularly, for as long as the server runs: wake tables that are due,
        drop clients that do not read and tables where nobody is, remove what has expired, collect
        garbage."""
        waking: asyncio.Task[None] | None = None
        clearing: asyncio.Task[None] | None = None
        collect_at = time.monotonic() + GC_INTERVAL
        clear_at, ahead = time.monotonic() + CLEAR_INTERVAL, self._ahead()
        while True:
            await asyncio.sleep(SWEEP_INTERVAL)
            self.tidy()
            if waking is None or waking.done():  # a slow store must not delay the rest
                waking = self.start(self.wake())
            now = time.monotonic()
            if now > collect_at:
                gc.collect()
                took = time.monotonic() - now
                collect_at = now + max(GC_INTERVAL, took / GC_SHARE)
            if abs(self._ahead() - ahead) > CLOCK_JUMP:  # the clock was set, and may be again
                clear_at, ahead = now + CLEAR_INTERVAL, self._ahead()
            if now > clear_at and (clearing is None or clearing.done()):
                clear_at = now + CLEAR_INTERVAL
                clearing = self.start(self.clear())

    def _ahead(self) -> int:
        """The difference between the clock and the monotonic clock, in milliseconds."""
        return self.now() - int(1000 * time.monotonic())

    def tidy(self) -> None:
        """Drop clients that do not read, and tables where nobody is."""
        now, idle = self.now(), list[Room]()
        for room in list(self.rooms.values()):
            room.audience.drop_slow()
            if room.idle:
                idle.append(room)
        idle.sort(key=lambda room: abs(now - room.used))
        for number, room in enumerate(idle):
            if abs(now - room.used) > (IDLE_AFTER if number < MAX_IDLE else IDLE_AFTER_IN_CROWD):
                self.start(self._drop(room, room.used))

    async def _drop(self, room: Room, used: int) -> None:
        """Store the summary of a table, and drop its room if nobody has asked for it since it was
        ``used``, not even to enter just now. Raises :class:`StoreFailed`."""
        await room.log.store_summary()
        if room.idle and room.used == used and self.rooms.get(room.name) is room:
            room.close()
            del self.rooms[room.name]

    async def clear(self) -> None:
        """Remove what has expired. Raises :class:`StoreFailed`."""
        expiry = self.keep.expiry(self.now())
        while True:
            names = await self.store.expired(expiry, REMOVE_BATCH + len(self.rooms))
            unused = [name for name in names if name not in self.rooms]
            if not unused:
                break
            self._removing.update(unused)
            try:
                await self.store.remove(unused)
            finally:
                self._removing.difference_update(unused)
        while await self.store.tidy(expiry, REMOVE_BATCH):
            await asyncio.sleep(0.05)

    async def wake(self) -> None:
        """Do what is due at tables that are not in memory. Raises :class:`StoreFailed`."""
        due = await self.store.due(
            self.now() - int(1000 * SWEEP_INTERVAL), MAX_DUE + len(self._broken)
        )
        for name in due:
            if name in self._broken:
                continue
            try:
                room = await self.room(name)
                await room.automation.do_what_is_due()
            except StoreFailed:
                raise
            except BrokenTable:  # already logged; it must not stop the others
                self._broken.add(name)
            except Exception:
                log.exception("the table %s cannot be woken", table_fingerprint(name))

    async def close(self) -> None:
        """Stop everything, after storing what has been decided."""
        for room in self.rooms.values():
            room.close()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        summaries = [room.log.store_summary() for room in self.rooms.values()]
        await asyncio.gather(*summaries, return_exceptions=True)
        self.analyses.close()
        self.bot_pool.close()
        await self.store.close()


def _clock() -> int:
    return int(time.time() * 1000)
