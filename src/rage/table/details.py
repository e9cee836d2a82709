"""Adds to facts what follows from them by the rules, when people are sent them.

The page folds facts without knowing the rules, so it must be sent why a trick was won, or who set
the trump. The log does not hold that: it is read off the game.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter
from typing import Final

from msgspec.structs import replace

from rage.game.account import accounts_data
from rage.game.history import bidding_order
from rage.game.rulings import ruling_data
from rage.table import events as e
from rage.table.state import State

#: The facts that get details; of decisions, only bids.
DETAILED: Final = (e.Started, e.Dealt, e.TrumpSet, e.TrickWon, e.RoundOver)

_FACT: Final = attrgetter("fact")


def add_details(state: State, events: Sequence[e.Event]) -> list[e.Event]:
    """The last events of a table, without an undo or a rematch among them, with what follows from
    each. Events without details are the same objects."""
    if state.play is None or not any(map(_has_details, map(_FACT, events))):
        return list(events)
    back = _Back(state)
    found = []
    for event in reversed(events):
        fact = back.add_details(event.fact)
        found.append(event if fact is event.fact else event._replace(fact=fact))
    return found[::-1]


def _has_details(fact: e.Fact) -> bool:
    """Whether a fact may get details. Most, the cards played, get none."""
    if isinstance(fact, e.Played):
        return fact.hidden or (fact.move or "").isdigit()
    return isinstance(fact, DETAILED)


class _Back:
    """A walk back through a game: the round, and how much of it, to which an event belongs."""

    def __init__(self, state: State) -> None:
        self._state = state
        self._game = state.require_play().game
        self._rounds = self._game.rounds
        self._number = len(self._rounds)
        self._enter()

    def _enter(self) -> None:
        """Go to the end of the round before."""
        self._number -= 1
        if self._number < 0:
            return
        self._round = self._rounds[self._number]
        self._change = len(self._round.trump_changes)
        self._later = 0  # tricks won later

    def add_details(self, fact: e.Fact) -> e.Fact:
        """A fact with what follows from it. The one before it must come next."""
        if not _has_details(fact):
            return fact
        if isinstance(fact, e.Played):
            return self._bid(fact)
        if isinstance(fact, e.Started):
            sides = tuple(map(tuple, self._game.side_seats))
            return replace(fact, sides=sides, withheld=tuple(self._state.withheld))
        current = self._round
        if isinstance(fact, e.Dealt):
            order = bidding_order(current.dealer, len(current.bids))
            self._enter()
            return replace(fact, order=tuple(order))
        if isinstance(fact, e.TrumpSet):
            self._change -= 1
            return replace(fact, seat=current.trump_changes[self._change].seat)
        if isinstance(fact, e.TrickWon):
            self._later += 1
            won = sum([trick.winner is not None for trick in current.tricks])
            why = ruling_data(current, won - self._later, self._game.rules.second_wild)
            return replace(fact, ruling=why)
        accounts = accounts_data(current, self._game.position.rules) or ()
        return replace(fact, met=tuple(current.met or ()), accounts=tuple(accounts))

    def _bid(self, fact: e.Played) -> e.Played:
        return replace(fact, last=True) if fact.seat == self._round.dealer else fact
