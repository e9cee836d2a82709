"""When a match of two bots can stop: once the lead is certainly above or below a given figure.

Sets of deals count in their order, however many processes play them, so that a match always stops
after the same set.
"""

from __future__ import annotations

from math import isfinite, sqrt
from statistics import fmean

from rage.arena.intervals import sequence_half
from rage.arena.match import Match, seatings
from rage.arena.playing import Played
from rage.say import NotAllowed


class Watch:
    """Watches a match with ``deals`` sets of deals: ``clear_after`` is the number of sets, at least
    ``least``, after which the confidence sequence of the first bot's lead excludes ``points``;
    ``None`` until then. Raises :class:`rage.NotAllowed` for more than two bots, and if ``points``
    is not finite."""

    def __init__(self, match: Match, points: float, deals: int, least: int = 0) -> None:
        if len(match.bots) != 2:
            raise NotAllowed("arena.two_bots", option="--until-clear")
        if not isfinite(points):
            raise NotAllowed("arena.not_finite", given=points)
        self.clear_after: int | None = None
        self._points = points
        self._deals = deals
        self._least = least
        self._each = len(seatings(2, match.sides))
        self._waiting: dict[int, list[float]] = {}
        self._count = 0
        self._mean = self._squares = 0.0

    def add(self, played: Played) -> None:
        """Count a game. Games of later sets, of a longer match in the same file, are ignored."""
        if played.number >= self._deals:
            return
        ahead = played.points_of(0) - played.points_of(1)
        self._waiting.setdefault(played.number, []).append(ahead)
        while len(self._waiting.get(self._count, ())) == self._each and self.clear_after is None:
            self._take(fmean(self._waiting.pop(self._count)))

    def _take(self, value: float) -> None:
        """Add the mean of the next set, by Welford's method."""
        self._count += 1
        step = value - self._mean
        self._mean += step / self._count
        self._squares += step * (value - self._mean)
        deviation = sqrt(self._squares / max(1, self._count - 1))
        half = sequence_half(self._count, deviation)
        if half is None or self._count < self._least:
            return
        if abs(self._mean - self._points) > half:
            self.clear_after = self._count
