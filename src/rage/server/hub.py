"""All tables of this server, and what they share: the store, the clock, chance, and bots."""

from __future__ import annotations

import asyncio
import logging
import random
import time
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any, Final

from rage.bots import Random
from rage.deal import new_seed
from rage.history import Move
from rage.server.codes import NoTable, new_code
from rage.server.room import Room
from rage.server.store import Store, StoreFailed
from rage.server.thinking import Thinkers
from rage.table import Create, Event, Rematch, Table
from rage.table.authority import BotTurn
from rage.table.commands import Command

log: Final = logging.getLogger(__name__)
#: How often, in seconds, due and idle tables are looked for.
SWEEP: Final = 2.0
#: How many tables one sweep wakes at most.
MOST_DUE: Final = 200
#: After how many milliseconds a table with nobody connected is let go from memory.
IDLE: Final = 60_000
#: For how many seconds a bot thinks, on average, where nobody says.
DELAY: Final = 0.7
#: For how many seconds after the start people may come back before they count as away.
RETURN: Final = 8.0


@dataclass
class Counts:
    """What has happened since the start, for metrics."""

    events: int = 0
    moves: int = 0
    refused: int = 0
    dropped: int = 0


class Hub:
    """The tables of one server process. ``delay`` is how long, in seconds and on average, a bot
    takes; ``now`` gives milliseconds since 1970."""

    def __init__(
        self, store: Store, *, delay: float = DELAY, now: Callable[[], int] | None = None
    ) -> None:
        self.store = store
        self.now = now or _clock
        self.counts = Counts()
        self.thinkers = Thinkers()
        self.rooms: dict[str, Room] = {}
        self._delay = delay
        self._tasks: set[asyncio.Task[Any]] = set()
        self._random = random.Random()

    # Tables.

    async def room(self, name: str) -> Room:
        """The room of a table. Raises :class:`NoTable`."""
        room = self.rooms.get(name)
        if room is None:
            return await self._fetch(name)
        room.used = self.now()
        if (await room.ready()).seq == 0:  # it was being fetched, and is not there
            raise NoTable("http.no_table", table=name)
        if self.rooms.get(name) is not room:  # it could not be fetched, or was let go just now
            return await self.room(name)
        return room

    async def _fetch(self, name: str) -> Room:
        """The room of a table from the store, once for all who ask meanwhile."""
        room = self.rooms[name] = Room(self, name)
        try:
            if (await room.ready()).seq == 0:
                raise NoTable("http.no_table", table=name)
        except BaseException:
            del self.rooms[name]
            raise
        self.later(RETURN, room.miss_the_absent)
        room.go_on()
        return room

    async def table(self, name: str) -> Table:
        """A table, to look at. Raises :class:`NoTable`."""
        return await (await self.room(name)).ready()

    async def create(self, command: Create, person: str) -> str:
        """Open a table, and answer with its name."""
        name = new_code()
        room = Room(self, name)
        await room.do(command, person)
        self.rooms[name] = room
        return name

    async def do(self, name: str, command: Command, person: str | None) -> list[Event]:
        """A command to a table. Raises as :meth:`Room.do` does, and :class:`NoTable`."""
        return await (await self.room(name)).do(command, person)

    # What tables share.

    def seed_for(self, command: Command) -> bytes | None:
        """A new secret seed, for commands that need one."""
        return new_seed() if isinstance(command, Create | Rematch) else None

    def bot_delay(self) -> float:
        """How long a bot takes this time, drawn without regard to anything."""
        return self._delay * self._random.uniform(0.5, 1.5)

    async def choose(self, turn: BotTurn) -> Move:
        """What a bot plays. One that fails is spoken for by chance, so that nobody waits."""
        try:
            move = await self.thinkers.choose(turn.bot, turn.seed, turn.view)
            if move not in turn.view.legal_moves():
                raise ValueError(move)  # and so by chance
            return move
        except Exception:
            log.exception("the bot %s has failed", turn.bot)
            return Random(turn.seed).choose(turn.view)

    # Tasks.

    def start(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Let something run beside; an error in it is logged."""
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
        self, seconds: float, work: Callable[..., Coroutine[Any, Any, None]], *arguments: object
    ) -> asyncio.TimerHandle:
        """Start something after some seconds."""
        loop = asyncio.get_running_loop()
        return loop.call_later(seconds, lambda: self.start(work(*arguments)))

    async def sweep(self) -> None:
        """For as long as the server runs: wake tables that are due, drop clients that do not
        read, and let go of tables where nobody is."""
        waking: asyncio.Task[None] | None = None
        while True:
            await asyncio.sleep(SWEEP)
            self.tidy()
            if waking is None or waking.done():  # a slow store holds up nobody but itself
                waking = self.start(self.wake())

    def tidy(self) -> None:
        """Drop clients that do not read, and let go of tables where nobody is."""
        now = self.now()
        for room in list(self.rooms.values()):
            room.drop_the_slow()
            if room.idle and now - room.used > IDLE:
                room.close()
                del self.rooms[room.name]

    async def wake(self) -> None:
        """Wake tables that are due and that nobody here has woken. Raises
        :class:`StoreFailed`."""
        for name in await self.store.due(self.now() - int(1000 * SWEEP), MOST_DUE):
            try:
                room = await self.room(name)
                await room.house.do_what_is_due()
            except StoreFailed:
                raise
            except Exception:  # one table that cannot be read must not stop the others
                log.exception("the table %s cannot be woken", name)

    async def close(self) -> None:
        """End everything here; what was decided is stored first."""
        for room in self.rooms.values():
            room.close()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self.thinkers.close()
        await self.store.close()


def _clock() -> int:
    return int(time.time() * 1000)
