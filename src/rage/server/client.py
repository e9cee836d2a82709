"""One connection to a table, as its room sees it."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final, Protocol

from rage.server.messages import TOO_SLOW
from rage.table import Table

#: How much may wait for a client that reads slowly, in bytes, and for how many seconds anything.
MOST_WAITING: Final = 128 * 1024
LONGEST_WAIT: Final = 7.0
Seen = tuple[bool, int | None, int]


class Line(Protocol):
    """What a connection must do; :class:`rage.server.wire.Wire` does."""

    @property
    def waiting(self) -> int:
        """How many bytes have been written that nobody has taken yet."""

    def write(self, frame: bytes) -> None:
        """Write a frame now."""

    def hang_up(self) -> None:
        """End the connection at once."""


class Client:
    """A connection of a person. ``end`` is called with a close code to end it in good order."""

    __slots__ = ("_asked", "_eye", "_slow_since", "dropped", "end", "is_guest", "line", "person")

    def __init__(self, person: str, line: Line, end: Callable[[int], None]) -> None:
        self.person = person
        self.line = line
        self.end = end
        self.is_guest = False
        self.dropped = False
        self._eye: int | None = None
        self._asked = -1
        self._slow_since: float | None = None

    @property
    def seen(self) -> Seen:
        """What has been noted of what this person sees, to go back to it where something was
        noted that did not happen after all."""
        return self.is_guest, self._eye, self._asked

    @seen.setter
    def seen(self, seen: Seen) -> None:
        self.is_guest, self._eye, self._asked = seen

    def look(self, table: Table) -> bool:
        """Note what this person sees now; whether it is something else than before."""
        before = self.is_guest, self._eye
        self.is_guest = self.person in table.state.guests
        self._eye = table.state.eye(self.person)
        return before != (self.is_guest, self._eye)

    def is_asked(self, acting: str | None, ply: int, *, anew: bool = False) -> bool:
        """Whether this is the person who is ``acting``, and has not been told yet what they may
        do."""
        mine = acting == self.person
        due = ply if mine else -1
        told, self._asked = self._asked, due
        return mine and (anew or told != due)

    def write(self, frame: bytes) -> None:
        """Write a frame; who leaves some of it lying is marked as slow, who too much, dropped."""
        self.line.write(frame)
        waiting = self.line.waiting
        if not waiting:
            self._slow_since = None
        elif self._slow_since is None:
            self._slow_since = time.monotonic()
        if waiting > MOST_WAITING:
            self.drop(TOO_SLOW)

    @property
    def too_slow(self) -> bool:
        """Whether this client has let something wait for so long that it is better gone."""
        if not self.line.waiting:
            self._slow_since = None
            return False
        since = self._slow_since or time.monotonic()
        self._slow_since = since
        return time.monotonic() - since > LONGEST_WAIT

    def drop(self, code: int) -> None:
        """End the connection without waiting for a client that does not read."""
        self.dropped = True
        self.end(code)
        self.line.hang_up()
