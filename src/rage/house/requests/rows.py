"""Tables and games as lines of lists."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from rage.game.history import side_of
from rage.game.rulebook import title_of
from rage.house.store import GameEntry
from rage.house.tables.index import StoredGame
from rage.house.tables.summary import Summary
from rage.rules.editions import ruleset

Code = Annotated[str, Meta(examples=["abcdefgh"])]
Rules = Annotated[str, Meta(examples=["amigo+sweep"])]
Edition = Annotated[str, Meta(examples=["amigo"])]


class SeatLine(Struct):
    """A seat: the name of its player (empty: no one), its bot, whether its person is connected, and
    whether that is you."""

    name: str
    bot: str | None
    here: bool
    me: bool


class TableLine(Struct):
    """A table in a line: enough to decide whether to join. ``round`` of ``rounds`` is under way
    (``null`` before the first); ``updated``: when something last happened, in milliseconds;
    ``game``: the number of the game at this table, from 1."""

    table: Code
    rules: Rules
    title: str
    edition: Edition
    players: int
    phase: Literal["gathering", "revealing", "playing", "paused", "over"]
    round: int | None
    rounds: int
    seats: list[SeatLine]
    spectators: int
    your_turn: bool
    may_join: bool
    may_watch: bool
    updated: int
    game: int


class GameLine(Struct):
    """A finished game in a line. ``ended`` is in milliseconds since 1970, ``scores`` and
    ``winners`` are by side, ``seat`` and ``side`` are yours (``null``: you watched). ``rounds`` are
    those dealt to you. With fewer than half of them, or without a seat at the end, you have no
    ``side``: the game is not among those that you finished or won."""

    table: Code
    game: int
    rules: Rules
    title: str
    edition: Edition
    ended: int
    names: list[str]
    bots: list[str | None]
    scores: list[int]
    winners: list[int]
    seat: int | None
    side: int | None
    earlier: list[list[str]]
    rounds: list[int]


def table_line(code: str, summary: Summary, person: str | None, language: str) -> TableLine:
    """A table as shown to a person who has its code."""
    rules = ruleset(summary.rules).for_players(len(summary.seats))
    seats = summary.seats
    own = next((at for at, seat in enumerate(seats) if person and seat.person == person), None)
    at_table, barred = person in summary.guests, person in summary.barred
    free = any(seat.person is None for seat in seats)
    return TableLine(
        table=code,
        rules=summary.rules,
        title=title_of(rules, language),
        edition=rules.edition,
        players=len(seats),
        phase=summary.phase,
        round=summary.round,
        rounds=len(rules.schedule),
        seats=[
            SeatLine(seat.name, seat.bot, seat.here, at == own) for at, seat in enumerate(seats)
        ],
        spectators=len(summary.guests) - sum(seat.person is not None for seat in seats),
        your_turn=own is not None
        and own in (summary.to_act, *summary.to_bid)
        and seats[own].bot is None,
        may_join=summary.phase == "gathering" and own is None and free and not barred,
        may_watch=summary.spectators and not at_table and not barred,
        updated=summary.at,
        game=summary.game,
    )


def stored_game(line: bytes) -> StoredGame:
    """Parse a finished game from the store."""
    return msgspec.json.decode(line, type=StoredGame)


def game_line(entry: GameEntry, person: str, language: str) -> GameLine:
    """A finished game in a person's list."""
    stored = stored_game(entry.line)
    rules = ruleset(stored.rules)
    seat, scheduled = entry.seat, len(rules.schedule)
    rounds = [] if seat is None else stored.rounds_of(person, seat, scheduled)
    counts = seat is not None and stored.finished_by(person, seat, scheduled)
    return GameLine(
        table=entry.table,
        game=entry.game,
        rules=stored.rules,
        title=title_of(rules, language),
        edition=rules.edition,
        ended=entry.ended,
        names=stored.names,
        bots=stored.bots,
        scores=stored.scores,
        winners=stored.winners,
        seat=seat,
        side=side_of(seat, len(stored.scores)) if counts and seat is not None else None,
        earlier=[stored.earlier(at) for at in range(len(stored.names))],
        rounds=rounds,
    )
