"""Who may write something that others read.

A spectator who has seen a hand could tell the others what is in it. So they cannot send any text
until the round is over: not in the chat, and not as a name for themselves or for a bot. Players may
talk: what they say about their own hand is up to them.
"""

from __future__ import annotations

from rage.say import NotAllowed
from rage.table.state import State


def is_silenced(state: State, person: str | None) -> bool:
    """Whether a person must not send text that others read now."""
    seen = person is not None and state.saw.get(person)
    watches = state.seat_of(person) is None and state.phase in ("playing", "paused")
    return bool(seen and watches)


def check_may_speak(state: State, person: str | None) -> None:
    """Raises :class:`rage.NotAllowed` if a person must not send text that others read now. Every
    command with such a text calls this, even for people who are not at the table."""
    if is_silenced(state, person):
        raise NotAllowed("table.looking")
