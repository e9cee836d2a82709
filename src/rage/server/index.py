"""What events mean for finding tables and people again."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import msgspec

from rage.editions import name_of
from rage.server.store import Finished, Index
from rage.table import Event, Table
from rage.table import events as e

#: After how many milliseconds it is noted that a table is still used.
FRESH: Final = 60_000
#: These change nothing for who is not at the table.
GAME: Final = frozenset((
    e.Played, e.BidsShown, e.TrumpSet, e.TrickWon, e.RoundOver, e.Dealt, e.Nudged, e.Asked,
    e.Voted, e.UndoProposed, e.Claimed, e.Answered, e.ProposalEnded, e.Undone, e.Chatted, e.Muted,
))  # fmt: skip


def of(table: Table, now: int) -> Index:
    """The index of a table."""
    state = table.state
    people = tuple(sorted(state.guests))
    due_at = table.due(now).first(now)
    return Index(table.phase, state.options.access == "open", people, due_at, state.at)


def differs(made: Index, before: Index) -> bool:
    """Whether an index is to be stored anew."""
    return made[:-1] != before[:-1] or made.used - before.used > FRESH


def finished(table: Table, events: Iterable[Event]) -> Finished | None:
    """The game that is over with these events, if one is."""
    ended = next((event for event in events if isinstance(event.fact, e.GameOver)), None)
    if ended is None or not isinstance(ended.fact, e.GameOver):
        return None
    state = table.state
    line = {
        "rules": name_of(state.ruleset()),
        "names": list(state.names),
        "bots": [seat.bot for seat in state.seats],
        "scores": list(ended.fact.scores),
        "winners": list(ended.fact.winners),
    }
    seats = {person: state.seat_of(person) for person in state.guests}
    return Finished(state.games, ended.seq, ended.at, msgspec.json.encode(line), seats)


def removed(events: Iterable[Event]) -> list[str]:
    """Who was removed from the table."""
    return [
        event.fact.person
        for event in events
        if isinstance(event.fact, e.Left) and event.fact.removed
    ]
