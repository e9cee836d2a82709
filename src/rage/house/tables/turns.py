"""Turns: changes to a table happen one at a time, in the order in which they were requested.

This is a fair lock with two differences from :class:`asyncio.Lock`: if it is free, it can be
acquired without waiting, and so without a task; and a callback may release it instead of the
coroutine that acquired it, because a command's turn ends when its events are stored. A
:class:`PendingCommand` waits for its turn.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from rage.house.base.codes import table_fingerprint
from rage.house.store import StoreFailed
from rage.table import Event
from rage.table.commands import Command

#: The most attempts at a command that conflicts with other processes.
MAX_ATTEMPTS: Final = 20


class TurnQueue:
    """The lock of one table. As a context manager it waits for a turn, and ends it."""

    __slots__ = ("_locked", "_waiting")

    def __init__(self) -> None:
        self._locked = False
        self._waiting: deque[asyncio.Future[None]] = deque()

    @property
    def locked(self) -> bool:
        """Whether a turn is under way."""
        return self._locked

    def try_acquire(self) -> bool:
        """Begin a turn if none is under way. Returns whether it has begun."""
        if self._locked:
            return False
        self._locked = True
        return True

    async def acquire(self) -> None:
        """Wait for a turn, after all who asked earlier."""
        if self.try_acquire():
            return
        waiter = asyncio.get_running_loop().create_future()
        self._waiting.append(waiter)
        try:
            await waiter
        except asyncio.CancelledError:
            if waiter.done() and not waiter.cancelled():  # the turn had just begun
                self.release()
            raise

    def release(self) -> None:
        """End the turn, and pass it on to the longest waiter. The lock stays locked until that
        continues, so that no one can get in between."""
        if not self._locked:
            raise RuntimeError("nobody has a turn")
        while self._waiting:
            waiter = self._waiting.popleft()
            if not waiter.cancelled():
                waiter.set_result(None)
                return
        self._locked = False

    async def __aenter__(self) -> None:
        await self.acquire()

    async def __aexit__(self, *_: object) -> None:
        self.release()


#: The outcome of a command: its events, or the error that prevented them.
Outcome = list[Event] | BaseException


@dataclass(slots=True)
class PendingCommand:
    """A command of ``actor``, with the client's ``number`` for it; ``done`` is called with its
    outcome. ``attempts``: how often its events could not be stored because of a conflict."""

    command: Command
    actor: str | None
    number: int | None
    done: Callable[[Outcome], None]
    attempts: int = 0


def conflicts(table: str) -> StoreFailed:
    """The error to raise if all :data:`MAX_ATTEMPTS` conflicted with another process."""
    return StoreFailed(f"table {table_fingerprint(table)}: {MAX_ATTEMPTS} conflicts in a row")


def settle(future: asyncio.Future[Any], outcome: object) -> None:
    """Set the result of a future, or its exception if the outcome is one; does nothing if it was
    cancelled."""
    if future.cancelled():
        return
    if isinstance(outcome, BaseException):
        future.set_exception(outcome)
    else:
        future.set_result(outcome)
