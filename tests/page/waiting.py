"""Assertions about a page, which wait until they hold.

A page shows some time later what a test did, and on a busy machine much later. ``expect`` waits for
what can be said of a locator, ``soon`` for the rest. ``test_waiting.py`` lets no test assert what
was read a single time, unless it says so with ``once``."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import partial, wraps
from typing import Any, ParamSpec, TypeVar

from playwright.sync_api import Error, Page

#: Seconds for what a busy machine does; in the folder without a server, Python has to start first.
PATIENCE = 30.0
_PAUSE = 0.02

P = ParamSpec("P")
T = TypeVar("T")


class soon:  # noqa: N801  # reads as a function does: assert soon(page.title) == "Rage"
    """What a page says by and by. Each comparison reads it again until it holds, or time is up."""

    __hash__ = None  # type: ignore[assignment]  # it has no value yet

    def __init__(self, read: Callable[P, object], *args: P.args, **options: P.kwargs) -> None:
        self._read: Callable[[], object] = partial(read, *args, **options)
        self.seen: Any = None

    def until(self, holds: Callable[[Any], bool]) -> bool:
        """Read until this holds. Returns whether it did in time."""
        end = time.monotonic() + PATIENCE
        while True:
            late = time.monotonic() > end
            try:
                self.seen = self._read()
                if holds(self.seen) or late:
                    return holds(self.seen)
            except Error:  # such as a page that is just going to another
                if late:
                    raise
            time.sleep(_PAUSE)

    def __bool__(self) -> bool:
        return self.until(bool)

    def __eq__(self, other: object) -> bool:
        return self.until(lambda seen: bool(seen == other))

    def __ne__(self, other: object) -> bool:
        return self.until(lambda seen: bool(seen != other))

    def __lt__(self, other: Any) -> bool:
        return self.until(lambda seen: bool(seen < other))

    def __le__(self, other: Any) -> bool:
        return self.until(lambda seen: bool(seen <= other))

    def __gt__(self, other: Any) -> bool:
        return self.until(lambda seen: bool(seen > other))

    def __ge__(self, other: Any) -> bool:
        return self.until(lambda seen: bool(seen >= other))

    def __repr__(self) -> str:
        return repr(self.seen)


def once(read: Callable[P, T], *args: P.args, **options: P.kwargs) -> T:
    """What a page says now, because all is at rest, or because it must never have changed."""
    return read(*args, **options)


def tries(page: Page, patience: float = 4 * PATIENCE) -> Iterator[None]:
    """Turns in which to look at a page and do something, until that is enough; when time is up, it
    fails. Between two turns the page goes on."""
    end = time.monotonic() + patience
    while time.monotonic() < end:
        yield
        page.wait_for_timeout(1000 * _PAUSE)
    raise AssertionError(f"in {patience} seconds it never came")


def lets_pass(page: Page, milliseconds: float) -> None:
    """Give a page the time in which it would do what it must not do, or in which it would take a
    second touch for a part of the first. On a slow machine that is more time than needed, or too
    little to find a fault, and never one too many."""
    page.wait_for_timeout(milliseconds)


def lasting(find: Callable[P, T]) -> Callable[P, T]:
    """Let a search for faults look again, until it finds none or time is up: what is seen in the
    middle of a transition is no fault."""

    @wraps(find)
    def found(*args: P.args, **options: P.kwargs) -> T:
        looking = soon(find, *args, **options)
        looking.until(lambda faults: not faults)
        last: T = looking.seen
        return last

    return found
