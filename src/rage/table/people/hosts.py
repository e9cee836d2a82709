"""The host, and the owner, who has the right to be host.

The owner is the person who opened the table. No one can take that away while they are at it:
another person may be host for a while and keep the game going, but cannot remove or bar the owner
or give away the owner's seat, and the owner can become host again at any time. When the owner
leaves, the host becomes the owner.

Another person can become host only once the host has been away for :data:`HOST_GRACE` seconds
without a break, so that a poor connection costs nothing; and, as long as any person has a seat,
only a person with one.
"""

from __future__ import annotations

from typing import Final

from rage.say import NotAllowed
from rage.table import commands as c
from rage.table.facts import events as e
from rage.table.people.guests import Facts, departure
from rage.table.state import State

#: Seconds that the host must be away before another person can be host.
HOST_GRACE: Final = 120
#: The most people that a table can bar.
MAX_BARRED: Final = 500


def host_free_at(state: State, person: str) -> int | None:
    """When a person at the table may replace the current host, in milliseconds (0: at once), or
    ``None`` if not as things stand."""
    if person == state.host or state.guests[person].screen:
        return None
    if person == state.owner:
        return 0
    if state.seat_of(person) is None and any(seat.person for seat in state.seats):
        return None
    host = None if state.host is None else state.guests.get(state.host)
    if host is None:
        return 0
    return None if host.present else host.since + 1000 * HOST_GRACE


def take_host(state: State, command: c.TakeHost, actor: str | None, now: int) -> Facts:
    """Replace a host who is away, or make the owner host again."""
    state.require_guest(actor)
    assert actor is not None
    state.check_no_screen(actor)
    if actor == state.host:
        raise NotAllowed("table.host_already")
    free_at = host_free_at(state, actor)
    if free_at is None:
        host = None if state.host is None else state.guests.get(state.host)
        here = host is not None and host.present
        raise NotAllowed("table.host_is_here" if here else "table.host_seated")
    if free_at > now:
        raise NotAllowed("table.host_grace", seconds=-((now - free_at) // 1000))
    yield e.HostPassed(actor)


def may_stand_in(state: State, person: str | None) -> bool:
    """Return whether a person may let the table go on while the host is not connected."""
    if person not in state.guests or state.guests[person].screen:
        return False
    return state.seat_of(person) is not None or not any(seat.person for seat in state.seats)


def remove(state: State, command: c.Remove, actor: str | None) -> Facts:
    """Remove a person other than the owner (host)."""
    state.require_host(actor)
    state.check_not_ranked()
    state.require_guest(command.person)
    if command.person == actor:
        raise NotAllowed("table.not_yourself")
    check_not_owner(state, command.person)
    if command.bar and len(state.barred) >= MAX_BARRED:
        raise NotAllowed("table.barred_enough", most=MAX_BARRED)
    yield from departure(state, e.Left(command.person, removed=True, barred=command.bar))


def check_not_owner(state: State, person: str | None) -> None:
    """Raise :class:`rage.NotAllowed` for the owner of the table, whom no host can remove."""
    if person is not None and person == state.owner:
        raise NotAllowed("table.owner", name=state.guests[person].name)
