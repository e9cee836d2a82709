"""Games of matches, as they are compared."""

from __future__ import annotations

from rage.arena import Played


def untimed(games: list[Played]) -> list[Played]:
    """The games without the time that they took."""
    return [each._replace(seconds=(), worked=()) for each in games]
