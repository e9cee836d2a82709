"""Long work in a thread that the program does not wait for at exit."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Future
from threading import Thread
from typing import TypeVar

T = TypeVar("T")


async def in_thread(work: Callable[[], T]) -> T:
    """Run ``work`` in a thread, and return or raise its result. Unlike with
    :func:`asyncio.to_thread`, the program can end first."""
    found: Future[T] = Future()
    found.set_running_or_notify_cancel()  # nothing can cancel it any more

    def run() -> None:
        try:
            found.set_result(work())
        except Exception as error:
            found.set_exception(error)

    Thread(target=run, daemon=True).start()
    return await asyncio.wrap_future(found)
