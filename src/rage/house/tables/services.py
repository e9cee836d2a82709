"""The services that all tables of a house share: the store, the clock, randomness, bots and
tasks."""

from __future__ import annotations

import asyncio
import logging
import random
import time
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from math import ceil
from typing import Any, Final

from rage.bots import Random
from rage.engine.deal import GivenSeed, new_seed
from rage.house.base.errors import Forbidden, ServerFull
from rage.house.base.thinking import Asker, Thinking
from rage.house.limits import DAY, FOREVER, MAX_STORE, NEWCOMERS, PEOPLE, PROBES, STRANGERS
from rage.house.limits.rate import RateLimit
from rage.house.store import StoreFailed
from rage.house.store.sql import Store
from rage.rules.values import Move
from rage.table import Create, GoOn, Rematch
from rage.table.authority import BotTurn
from rage.table.commands import Command

log: Final = logging.getLogger(__name__)
#: The average seconds that a bot takes, unless configured.
BOT_DELAY: Final = 0.4


class CreateGiven(Create, frozen=True, kw_only=True, tag="create_given"):
    """Open a table with given deals. Only the server itself makes this command; it cannot be read
    from a client's message."""

    seed: GivenSeed


#: Not as a union, which would be built for every command.
_SEEDED: Final = (Create, Rematch, GoOn)


@dataclass
class Counts:
    """Counts since the start, for metrics."""

    events: int = 0
    moves: int = 0
    refused: int = 0
    dropped: int = 0
    sockets: int = 0
    claimed: int = 0
    lost: int = 0
    not_stored: int = 0
    #: Called with the seconds from each move's message to the answer.
    on_move: Callable[[float], None] = lambda took: None
    reports: int = 0


class Services:
    """The services that tables share. ``delay``: the average seconds that a bot takes; ``now``
    gives milliseconds since 1970; ``people``: how many may share an address; ``alone``: whether all
    tables belong to one person, who never counts as away, because no one is waiting."""

    def __init__(
        self,
        store: Store,
        thinking: Thinking,
        *,
        delay: float = BOT_DELAY,
        now: Callable[[], int] | None = None,
        people: int = PEOPLE,
        alone: bool = False,
    ) -> None:
        self.store = store
        self.thinking = thinking
        self.now = now or (lambda: _clock() + store.ahead)
        self.people = people
        self.alone = alone
        self.counts = Counts()
        #: The bytes that the store takes, how many it may, and whether it can be reached.
        self.stored, self.max_store = 0, MAX_STORE
        self.reachable = True
        self._probes = RateLimit(PROBES)
        self._unready: StoreFailed | None = None  # as of the last probe
        #: Whether the operator has made the store read-only for now.
        self.read_only = False
        #: Until when people are banned (milliseconds).
        self.banned: dict[str, int] = {}
        self._delay = delay
        self._tasks: set[asyncio.Task[Any]] = set()
        self._random = random.Random()

    @property
    def filled(self) -> float:
        """The share of its maximum size that the store takes."""
        return self.stored / self.max_store

    @property
    def may_refuse(self) -> bool:
        """Whether :meth:`check_space` may refuse anybody."""
        return bool(self.store.damage) or self.filled >= STRANGERS

    async def check_space(self, person: str) -> None:
        """Raise :class:`ServerFull` if the store has no room for a new table or game of this
        person: the last room is for people who have played here before. May raise
        :class:`StoreFailed`."""
        if self.store.damage:
            raise ServerFull("http.store_damaged")
        if self.filled >= 1:
            raise ServerFull("http.store_full")
        if self.filled >= STRANGERS:
            before = self.now() - (DAY if self.filled >= NEWCOMERS else 0)
            if not await self.store.has_played(person, before):
                raise ServerFull("http.store_strangers")

    async def check_ready(self) -> None:
        """Raise :class:`StoreFailed` if the store cannot be written to. Trying writes, so if asked
        too often, this repeats the last result."""
        if self._probes.try_acquire():
            try:
                await self.store.check_writable()
                self._unready = None
            except StoreFailed as error:
                self._unready = error
        if self._unready is not None:
            raise self._unready

    def check_allowed(self, person: str | None) -> None:
        """Raise :class:`Forbidden` if the operator has banned a person."""
        until = 0 if person is None else self.banned.get(person, 0)
        if until >= FOREVER:
            raise Forbidden("http.banned")
        if until > self.now():
            day = datetime.fromtimestamp(until / 1000, UTC).date().isoformat()
            raise Forbidden("http.banned_until", until=day)

    def check_writable(self) -> None:
        """Raise :class:`ServerFull` while the store is read-only."""
        if self.read_only:
            raise ServerFull("http.read_only")

    def seed_for(self, command: Command) -> bytes | None:
        """The seed for a command that needs one: the given one, or a new secret one."""
        if isinstance(command, CreateGiven):
            return command.seed
        return new_seed() if isinstance(command, _SEEDED) else None

    # Bots.

    def bot_delay(self, thought: float) -> float:
        """The seconds that a bot holds back its move after ``thought`` seconds: until a random
        pause ends, which is independent of its cards, or some half delays later."""
        pause, step = self._delay * self._random.uniform(0.5, 1.5), self._delay / 2
        late = max(0.0, thought - pause)
        return pause - thought + (step * ceil(late / step) if step else late)

    def draw(self, values: Sequence[float]) -> float:
        """One of some values, at random."""
        return self._random.choice(values)

    async def choose(self, turn: BotTurn, asker: Asker) -> Move:
        """The move of a bot, for the people at its table. If it fails, a random move, so that no
        one has to wait."""
        try:
            move = await self.thinking.choose(turn.bot, turn.seed, turn.view, asker)
            if move not in turn.view.legal_moves:
                raise ValueError(move)
            return move
        except Exception:
            log.exception("the bot %s has failed", turn.bot)
            return Random(turn.seed).choose(turn.view)

    # Tasks.

    def start(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Run a coroutine as its own task; its errors are logged."""
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

    async def cancel_tasks(self) -> None:
        """Cancel all tasks, and wait until they have ended."""
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


def _clock() -> int:
    return int(time.time() * 1000)
