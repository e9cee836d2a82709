"""Tables and games in a line each, as lists of them show them."""

from __future__ import annotations

from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta, Struct

from rage.editions import VARIANTS, name_of, ruleset
from rage.rules import RuleSet
from rage.say import text
from rage.server.store import Line
from rage.table import Table

#: The longest name of a rule set that is read.
MAX_RULES: Final = 500
Code = Annotated[str, Meta(examples=["abcdefgh"])]
Rules = Annotated[str, Meta(examples=["amigo+sweep"])]
Edition = Annotated[str, Meta(examples=["amigo"])]


class SeatLine(Struct):
    """A seat: the name of who sits there (empty: nobody), which bot plays it, whether its person
    is connected, and whether that is who asks."""

    name: str
    bot: str | None
    here: bool
    me: bool


class TableLine(Struct):
    """A table in a line: enough to ask whether to join. ``round`` of ``rounds`` is played
    (``null`` before the first); ``updated``: when something happened last, in milliseconds;
    ``game``: which game of this table it is, from 1."""

    table: Code
    rules: Rules
    title: str
    edition: Edition
    players: int
    phase: Literal["gathering", "playing", "paused", "over"]
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
    ``winners`` are by side, ``seat`` is one's own (``null``: one watched)."""

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


class Told(Struct):
    """What the store keeps of a finished game (``Finished.line``)."""

    rules: str
    names: list[str]
    bots: list[str | None]
    scores: list[int]
    winners: list[int]


def title_of(rules: RuleSet, language: str) -> str:
    """The name of a rule set for people: its edition and variants, and whether there is more."""
    edition, *terms = name_of(rules).split("+")
    parts = [text(f"edition.{edition}", language)]
    parts += [
        text(f"variant.{each}", language).partition(": ")[0] for each in terms if each in VARIANTS
    ]
    if any(each not in VARIANTS for each in terms):
        parts.append(text("http.own_settings", language))
    return " + ".join(parts)


def table_line(code: str, table: Table, person: str | None, language: str) -> TableLine:
    """A table as somebody sees it who has its code."""
    state = table.state
    rules = state.ruleset()
    own = state.seat_of(person)
    at_table = person is not None and person in state.guests
    barred = person is not None and person in state.barred
    free = any(seat.person is None for seat in state.seats)
    current = None if state.play is None else state.play.game.round
    return TableLine(
        table=code,
        rules=name_of(rules),
        title=title_of(rules, language),
        edition=rules.edition,
        players=len(state.seats),
        phase=_phase(table),
        round=None if current is None else current.number,
        rounds=len(rules.schedule),
        seats=[
            SeatLine(seat.name, seat.bot, not state.is_away(at), at == own)
            for at, seat in enumerate(state.seats)
        ],
        spectators=sum(state.seat_of(each) is None for each in state.guests),
        your_turn=own is not None and own == state.to_act and state.seats[own].bot is None,
        may_join=state.phase == "gathering" and own is None and free and not barred,
        may_watch=state.options.spectators and not at_table and not barred,
        updated=state.at,
        game=state.games,
    )


def _phase(table: Table) -> Literal["gathering", "playing", "paused", "over"]:
    phase = table.phase
    assert phase != "new"
    return phase


def game_line(line: Line, language: str) -> GameLine:
    """A finished game in a person's list."""
    told = msgspec.json.decode(line.finished.line, type=Told)
    rules = ruleset(told.rules)
    return GameLine(
        table=line.table,
        game=line.finished.game,
        rules=told.rules,
        title=title_of(rules, language),
        edition=rules.edition,
        ended=line.finished.ended,
        names=told.names,
        bots=told.bots,
        scores=told.scores,
        winners=told.winners,
        seat=line.seat,
    )
