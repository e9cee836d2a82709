"""One connection to a table, as the audience of its room sees it."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection
from typing import Protocol

from rage.coach import Coach
from rage.house import limits
from rage.house.base.messages import TOO_SLOW
from rage.table import Table
from rage.table.facts.shapes import OwnData

#: What a client has been sent so far (see :attr:`Client.state`).
State = tuple[bool, int | None, int, int, OwnData | None]


class Connection(Protocol):
    """The part of a connection that a client needs; in a server, it is a
    :class:`rage.server.wire.websocket.WebSocket`."""

    @property
    def unsent(self) -> int:
        """The bytes written that the system has not accepted yet."""

    @property
    def acknowledged(self) -> int:
        """The bytes written that have arrived, as far as the system knows."""

    def write(self, message: bytes) -> None:
        """Write a message to the socket at once."""

    def abort(self) -> None:
        """End the connection at once."""


class Client:
    """A person's connection, from an ``address`` as rate limits count it; calling ``close`` with a
    close code ends it with a closing handshake."""

    __slots__ = (
        "_acknowledged",
        "_own",
        "_prompted",
        "_stalled_at",
        "_viewpoint",
        "address",
        "close",
        "coach",
        "connection",
        "dropped",
        "is_guest",
        "last_line",
        "person",
    )

    def __init__(
        self,
        person: str,
        connection: Connection,
        close: Callable[[int], None],
        address: str | None = None,
    ) -> None:
        self.person = person
        self.address = address
        self.connection = connection
        self.close = close
        self.is_guest = False  # of the table; others are visitors
        self.last_line = 0  # of the chat, as last sent
        self.dropped = False
        self.coach: Coach | None = None  # that gives it hints
        self._own: OwnData | None = None  # as last sent
        self._viewpoint: int | None = None  # the seat whose cards it sees
        self._prompted = -1  # the turn whose options it was sent
        self._stalled_at: float | None = None
        self._acknowledged = 0  # at that time

    @property
    def state(self) -> State:
        """What it has been sent, to be restored if those messages are dropped."""
        return self.is_guest, self._viewpoint, self._prompted, self.last_line, self._own

    @state.setter
    def state(self, state: State) -> None:
        self.is_guest, self._viewpoint, self._prompted, self.last_line, self._own = state

    def observe(self, table: Table) -> bool:
        """Update whether this person is at the table, and whose cards they see. Returns whether
        that has changed."""
        before = self.is_guest, self._viewpoint
        self.is_guest = self.person in table.state.guests
        self._viewpoint = table.state.viewpoint(self.person)
        return before != (self.is_guest, self._viewpoint)

    def news(self, own: OwnData | None) -> OwnData | None:
        """The data for this person only, if not sent yet. From now on it counts as sent."""
        before, self._own = self._own, own
        return None if own == before else own

    def needs_prompt(self, to_act: Collection[str], turn: int, *, again: bool = False) -> bool:
        """Return whether this person is ``to_act`` and has not been sent their options (``again``:
        even if they have), with which the number of a ``turn`` changes. From now on they count as
        sent."""
        is_mine = self.person in to_act
        due = turn if is_mine else -1
        prompted, self._prompted = self._prompted, due
        return is_mine and (again or prompted != due)

    def write(self, message: bytes) -> None:
        """Write a message. Drops the client if too much is then unsent."""
        self.connection.write(message)
        unsent = self.connection.unsent
        if not unsent:
            self._stalled_at = None
        elif self._stalled_at is None:
            self._note_stall()
        if unsent > limits.MAX_UNSENT:
            self.drop(TOO_SLOW)

    @property
    def too_slow(self) -> bool:
        """Whether something is unsent for this client, and it has read nothing for too long. A
        client that reads slowly may stay."""
        if not self.connection.unsent:
            self._stalled_at = None
            return False
        if self._stalled_at is None or self.connection.acknowledged > self._acknowledged:
            self._note_stall()
        return time.monotonic() - (self._stalled_at or 0.0) > limits.MAX_STALL

    def _note_stall(self) -> None:
        self._stalled_at, self._acknowledged = time.monotonic(), self.connection.acknowledged

    def drop(self, code: int) -> None:
        """End the connection without waiting for a client that does not read."""
        self.dropped = True
        self.close(code)
        self.connection.abort()
