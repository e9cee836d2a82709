"""A command on its way, and its turn."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from rage.table import Event
from rage.table.commands import Command

#: What came of a command: its events, or the error because of which there are none.
Answer = list[Event] | BaseException


@dataclass(slots=True)
class Asked:
    """A command that somebody waits for: whose it is, their own number for it, whom to tell what
    came of it, and how often others have been first."""

    command: Command
    actor: str | None
    number: int | None
    answer: Callable[[Answer], None]
    attempts: int = 0


def settle(future: asyncio.Future[Any], answer: object) -> None:
    """Give who waits the answer, or raise it there if it is an error; not if nobody waits now."""
    if future.cancelled():
        return
    if isinstance(answer, BaseException):
        future.set_exception(answer)
    else:
        future.set_result(answer)


def taken(lock: asyncio.Lock) -> bool:
    """Take a lock, if that can be done without waiting; whether it is taken now."""
    taking = lock.acquire()
    try:
        taking.send(None)
    except StopIteration:
        return True
    taking.close()
    return False
