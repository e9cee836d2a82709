"""The index that finds tables and people, derived from a table and its events."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import msgspec

from rage.notation import write_record
from rage.place.store import Finished, Index
from rage.rules.editions import name_of
from rage.table import Event, Table
from rage.table import events as e

#: The least difference in the time of last use, in milliseconds, that is stored by itself.
USED_STEP: Final = 60_000
#: Events that change nothing for people who are not at the table.
GAME_ONLY: Final = frozenset((
    e.Played, e.BidSealed, e.BidsShown, e.TrumpSet, e.TrickWon, e.RoundOver, e.PlayerReady, e.Dealt,
    e.Nudged, e.TakeoverVoteOpened, e.Voted, e.UndoProposed, e.Claimed, e.SeatProposed, e.Answered,
    e.ProposalEnded, e.Undone, e.Muted, e.SeatRequested,
))  # fmt: skip


class StoredGame(msgspec.Struct):
    """What a list of finished games says of one (:attr:`Finished.line`). ``people``: who had the
    seats at the end; ``dealt``: by round, who had them otherwise; ``earlier``: by seat, the names
    of those people; ``met``: by round, the sides that met their bids."""

    rules: str
    names: list[str]
    bots: list[str | None]
    scores: list[int]
    winners: list[int]
    people: list[str | None]
    dealt: dict[int, list[str | None]]
    earlier: list[list[str]]
    met: list[list[int]] = []


def derive(table: Table, now: int) -> Index:
    """The index of a table at ``now``, in milliseconds since 1970."""
    state = table.state
    return Index(
        table.phase,
        state.options.access == "open",
        tuple(sorted(state.guests)),
        table.due(now).first(now),
        state.host,
        state.games > 1 or state.play is not None,
        state.at,
    )


def differs(made: Index, before: Index) -> bool:
    """Whether an index differs enough from the stored one to be stored."""
    return made[:-1] != before[:-1] or made.used - before.used > USED_STEP


def finished_games(table: Table, events: Iterable[Event]) -> tuple[Finished, ...]:
    """The game that ended with these events, if one did: none or one."""
    for event in events:
        if isinstance(event.fact, e.GameOver):
            return (_finished(table, event, event.fact),)
    return ()


def _finished(table: Table, event: Event, over: e.GameOver) -> Finished:
    state, play = table.state, table.state.require_play()
    earlier, dealt = [set[str]() for _ in state.seats], dict[int, list[str | None]]()
    for number, others in table.earlier_occupants().items():
        dealt[number] = [each.person for each in play.occupants[number]]
        for at, each in others.items():
            if each.person is not None:
                earlier[at].add(each.name)
    line = StoredGame(
        rules=name_of(state.ruleset()),
        names=list(state.names),
        bots=[seat.bot for seat in state.seats],
        scores=list(over.scores),
        winners=list(over.winners),
        people=[seat.person for seat in state.seats],
        dealt=dealt,
        earlier=[sorted(names) for names in earlier],
        met=[each.met or [] for each in play.game.rounds],
    )
    return Finished(
        state.games,
        event.at,
        msgspec.json.encode(line),
        write_record(table.record()),
        {**dict.fromkeys(state.guests), **play.players},
        state.deals_id,
        over.scores[0],
    )


def removed_people(events: Iterable[Event]) -> list[str]:
    """The persons whom events removed from the table."""
    return [
        event.fact.person
        for event in events
        if isinstance(event.fact, e.Left) and event.fact.removed
    ]
