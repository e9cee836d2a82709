"""Which cookies are still valid: each has a number, and only those with the person's current number
are. Ending all sessions increments it. The store keeps these numbers forever: a cookie has no date,
so without the number a stolen one would be valid again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rage.place.messages import FOREIGN


class Sessions:
    """The session number of each person who has ended sessions before (0 for all others), and each
    person's open connections to tables, as functions that close them with a close code."""

    def __init__(self, numbers: dict[str, int] | None = None) -> None:
        self._numbers = {} if numbers is None else numbers
        self._open: dict[str, set[Callable[[int], None]]] = {}

    def number(self, person: str) -> int:
        """The number that a cookie of a person must have."""
        return self._numbers.get(person, 0)

    def end(self, person: str, number: int) -> None:
        """End all sessions of a person; new ones have this number."""
        self._numbers[person] = number
        for end in list(self._open.get(person, ())):
            end(FOREIGN)

    @contextmanager
    def opened(self, person: str, end: Callable[[int], None]) -> Iterator[None]:
        """A context for a connection of a person, which ``end`` closes."""
        self._open.setdefault(person, set()).add(end)
        try:
            yield
        finally:
            self._open[person].discard(end)
            if not self._open[person]:
                del self._open[person]
