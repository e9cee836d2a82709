"""The tables of this server, and what they share: the store, the clock, randomness and bots."""

from __future__ import annotations

import asyncio
import logging
import random
import time
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from math import ceil
from typing import Any, Final

from rage.bots import Random
from rage.engine.deal import GivenSeed, new_seed
from rage.game.history import Move
from rage.place.codes import NoTable, new_code
from rage.place.errors import ServerFull
from rage.place.fair_queue import Asker
from rage.place.limits import PEOPLE
from rage.place.open_tables import OpenTables
from rage.place.room.loading import load
from rage.place.room.room import Room
from rage.place.room.summary import Summary, read_summary, summary_of, write_summary
from rage.place.store import BrokenTable, Store, StoredTable, StoreFailed
from rage.server.bot_pool import BotPool
from rage.table import Configure, Create, Event, Rematch, Table, UnloggedCommand
from rage.table.authority import BotTurn
from rage.table.commands import Command

log: Final = logging.getLogger(__name__)
#: How many seconds a bot takes on average, unless configured.
BOT_DELAY: Final = 0.7
#: How many seconds the people of a table that was just loaded have to reconnect before they count
#: as away.
RETURN_GRACE: Final = 8.0


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
    ``now`` gives milliseconds since 1970; ``people``: how many may share an address."""

    def __init__(
        self,
        store: Store,
        *,
        delay: float = BOT_DELAY,
        now: Callable[[], int] | None = None,
        people: int = PEOPLE,
    ) -> None:
        self.store = store
        self.now = now or _clock
        self.counts = Counts()
        self.bot_pool = BotPool()
        self.rooms: dict[str, Room] = {}
        #: The tables that are being removed: nobody gets to them any more.
        self.removing: set[str] = set()
        #: Whether the store has no room for new games.
        self.full = False
        self._delay = delay
        #: How many people may share an address.
        self.people = people
        self._open_tables = OpenTables(store, people)
        self._tasks: set[asyncio.Task[Any]] = set()
        self._random = random.Random()

    # Tables.

    async def room(self, name: str) -> Room:
        """The room of a table. Raises :class:`NoTable`."""
        room = self.rooms.get(name)
        if name in self.removing:
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
            self.let_go(room)
            raise
        room.expect(RETURN_GRACE)
        room.automation.update()
        return room

    def let_go(self, room: Room) -> None:
        """Close a room, and forget it, unless another one has taken its place."""
        room.close()
        if self.rooms.get(room.name) is room:
            del self.rooms[room.name]

    async def table(self, name: str) -> Table:
        """A table, loaded. Raises :class:`NoTable` and :class:`rage.place.store.BrokenTable`."""
        return await (await self.room(name)).ready()

    async def is_guest(self, name: str, person: str) -> bool:
        """Whether a person is at a table, which is not loaded for it. Raises
        :class:`StoreFailed`."""
        room = self.rooms.get(name)
        if room is not None and person in room.table.state.guests:
            return True
        return await self.store.is_guest(name, person)

    async def summary(self, stored: StoredTable) -> Summary:
        """The summary of a table, without making a room for it: from memory, or as stored, or,
        after a crash, from its events. Nobody is connected to a table that isn't in memory. Raises
        :class:`rage.place.store.BrokenTable`."""
        name = stored.table
        if (room := self.rooms.get(name)) is not None:
            await room.ready()
            if (summary := room.summary) is not None:
                return summary
        summary = None if stored.summary is None else read_summary(stored.summary)
        if summary is None:
            table = (await load(self.store, name)).table
            if table.seq == 0:
                raise BrokenTable("1")
            summary = summary_of(table)
            if name not in self.rooms:  # the next event of a room may not make it out of date
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
        tables, and :class:`ServerFull`."""
        self.check_room()
        if given is not None:
            command = CreateGiven(
                command.rules, command.players, command.name, command.options, seed=given
            )
        if command.options.access != "open":
            return await self._create(command, person, name)
        return await self._open_tables.add(
            person, address, lambda: self._create(command, person, name)
        )

    async def _create(self, command: Create, person: str, name: str | None) -> str:
        name = name or new_code()
        # Registered before its first event is stored, so that whoever asks meanwhile gets it.
        room = self.rooms[name] = Room(self, name)
        try:
            await room.do(command, person)
        except BaseException:
            self.let_go(room)
            raise
        return name

    async def open_up(
        self, name: str, command: Configure, person: str, address: str | None, number: int | None
    ) -> None:
        """Make a table findable for everybody, unless there are too many such tables already.
        Raises as :meth:`Room.do` does."""

        async def opening() -> str:
            await (await self.room(name)).do(command, person, number=number)
            return name

        await self._open_tables.add(person, address, opening)

    async def do(
        self, name: str, command: Command | UnloggedCommand, person: str | None
    ) -> list[Event]:
        """Let a table decide a command. Raises as :meth:`Room.do` does, and :class:`NoTable`."""
        return await (await self.room(name)).do(command, person)

    # What tables share.

    def check_room(self) -> None:
        """Raises :class:`ServerFull` if the store has no room for a new table or game."""
        if self.full:
            raise ServerFull("http.store_full")

    def seed_for(self, command: Command) -> bytes | None:
        """A new secret seed, for commands that need one and do not bring it."""
        if isinstance(command, CreateGiven):
            return command.seed
        return new_seed() if isinstance(command, Create | Rematch) else None

    def bot_delay(self, thought: float) -> float:
        """How many seconds a bot holds back its move after ``thought`` seconds: until the end of a
        random pause, which is independent of its cards, or of half delays after that."""
        pause, step = self._delay * self._random.uniform(0.5, 1.5), self._delay / 2
        late = max(0.0, thought - pause)
        return pause - thought + (step * ceil(late / step) if step else late)

    async def choose(self, turn: BotTurn, asker: Asker) -> Move:
        """The move of a bot, for those at its table. If it fails, a random move, so that nobody has
        to wait."""
        try:
            move = await self.bot_pool.choose(turn.bot, turn.seed, turn.view, asker)
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

    async def close(self) -> None:
        """Stop everything, after storing what has been decided."""
        for room in self.rooms.values():
            room.close()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        summaries = [room.log.store_summary() for room in self.rooms.values()]
        await asyncio.gather(*summaries, return_exceptions=True)
        self.bot_pool.close()
        await self.store.close()


def _clock() -> int:
    return int(time.time() * 1000)
