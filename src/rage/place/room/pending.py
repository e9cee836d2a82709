"""A command that waits for its outcome, and how futures are settled."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from rage.table import Event
from rage.table.commands import Command

#: The outcome of a command: its events, or the error because of which there are none.
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


def settle(future: asyncio.Future[Any], outcome: object) -> None:
    """Set the result of a future, or its exception if the outcome is one; does nothing if it was
    cancelled."""
    if future.cancelled():
        return
    if isinstance(outcome, BaseException):
        future.set_exception(outcome)
    else:
        future.set_result(outcome)
