"""The content of a score sheet: rules, players, and the entries of each round."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from rage.rules.ruleset import RuleSet

#: An entry for each seat of a round; ``None`` if there is none yet.
Entries = tuple[int | None, ...]


class SheetRound(NamedTuple):
    """One round. ``seats`` are its players, clockwise, by their place in ``Sheet.players``, like
    the ``dealer``. The other lists are in the order of the seats: bids, tricks won, and the numbers
    of Bonus and Mad cards among these. ``extra`` holds the fields of its file that the format does
    not know."""

    seats: tuple[int, ...]
    hand_size: int
    dealer: int
    bids: Entries
    won: Entries
    bonus: tuple[int, ...]
    mad: tuple[int, ...]
    extra: Mapping[str, Any] = {}

    @property
    def all_bid(self) -> bool:
        """Whether all bids have been entered."""
        return None not in self.bids

    @property
    def over(self) -> bool:
        """Whether all bids and tricks have been entered."""
        return self.all_bid and None not in self.won


class Sheet(NamedTuple):
    """A whole sheet. ``players`` are the names of everyone who ever took part; ``stopped`` is true
    if the game ended before its schedule did. ``extra`` holds every other field of its file."""

    rules: RuleSet
    players: tuple[str, ...]
    rounds: tuple[SheetRound, ...] = ()
    stopped: bool = False
    extra: Mapping[str, Any] = {}

    @property
    def finished(self) -> tuple[SheetRound, ...]:
        """The rounds that are over."""
        return self.rounds[:-1] if self.under_way is not None else self.rounds

    @property
    def under_way(self) -> SheetRound | None:
        """The round that is not over yet, if there is one."""
        return self.rounds[-1] if self.rounds and not self.rounds[-1].over else None

    @property
    def over(self) -> bool:
        """Whether the game has ended: with its schedule, or stopped before that."""
        return self.stopped or len(self.finished) == len(self.rules.schedule)

    @property
    def seats(self) -> tuple[int, ...]:
        """Who sits at the table: the players of the last round, or all before the first."""
        return self.rounds[-1].seats if self.rounds else tuple(range(len(self.players)))
