"""Summaries of tables, for lists of them: derived from the table, stored along with its events."""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec import Struct

from rage.table import Table


class SeatSummary(Struct, array_like=True):
    """A seat: its name, its person and bot, and whether the person was connected."""

    name: str
    person: str | None
    bot: str | None
    here: bool


class Summary(Struct, array_like=True):
    """A table: its rules and phase, the current round (``None`` before the first), its seats and
    whose turn it is, the people at the table and those who are barred, whether spectators are
    allowed, the time of the last event (milliseconds), and the number of the game at this table."""

    rules: str
    phase: Literal["gathering", "revealing", "playing", "paused", "over"]
    round: int | None
    seats: list[SeatSummary]
    to_act: int | None
    guests: list[str]
    barred: list[str]
    spectators: bool
    at: int
    game: int
    #: The seats that have yet to bid, if all bid at once.
    to_bid: list[int] = []
    #: The number of the last event, even if that is lost; in the last place, where a look for
    #: damage reads it (:mod:`rage.house.store.checking`).
    seq: int = 0


def summary_of(table: Table) -> Summary:
    """The summary of a table for lists."""
    state = table.state
    assert state.phase != "new"
    current = None if state.play is None else state.play.game.round
    return Summary(
        rules=state.ruleset().name,
        phase=state.phase,
        round=None if current is None else current.number,
        seats=[
            SeatSummary(seat.name, seat.person, seat.bot, not state.is_away(at))
            for at, seat in enumerate(state.seats)
        ],
        to_act=state.to_act,
        guests=sorted(state.guests),
        barred=sorted(state.barred),
        spectators=state.options.spectators,
        at=state.at,
        game=state.games,
        to_bid=list(filter(state.is_awaited, state.bidders)) if state.sealing else [],
        seq=state.seq + state.gap,
    )


def write_summary(summary: Summary) -> bytes:
    """A summary as JSON."""
    return msgspec.json.encode(summary)


def read_summary(data: bytes) -> Summary | None:
    """Parse a summary; ``None`` if another version of the program wrote it in another form."""
    try:
        return msgspec.json.decode(data, type=Summary)
    except (msgspec.DecodeError, UnicodeError):
        return None
