"""Hints of the coach, and what all lessons ask of a view."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from rage.game.view import View
from rage.say import Reason


class Hint(NamedTuple):
    """One line of the coach. ``topic``: its lesson, or ``None`` for a reminder, which can come
    again; ``cards`` (of the reader's hand, as codes separated by spaces), ``seats`` and ``bid``:
    what to highlight."""

    topic: str | None
    reason: Reason
    cards: str = ""
    seats: tuple[int, ...] = ()
    bid: int | None = None


#: A lesson: its hint for a view, or ``None`` if it does not apply.
Lesson = Callable[[View], Hint | None]


def side_of(view: View) -> int:
    """The side that the seat of a view is on."""
    assert view.seat is not None
    return view.side_of(view.seat)


def of_team(view: View) -> str:
    """The suffix of a code that has a different sentence for teams."""
    return "" if view.rules.teams is None else ".team"
