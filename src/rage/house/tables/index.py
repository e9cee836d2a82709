"""The index that finds tables and people, derived from a table and its events."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import msgspec

from rage.game.history import side_of
from rage.house.store import Finished, Index
from rage.notation import write_record
from rage.table import Event, Table
from rage.table.facts import events as e

#: The least difference in the time of last use, in milliseconds, that is stored by itself.
USED_STEP: Final = 60_000


class DealtRound(msgspec.Struct):
    """A round that was not dealt to the people in the seats at the end: by seat, who was dealt it,
    and their names (bots have one, too), and the points of the sides."""

    people: list[str | None]
    names: list[str]
    points: list[int]


class StoredGame(msgspec.Struct):
    """A finished game in a list (:attr:`Finished.line`). ``people``: who had the seats at the end;
    ``dealt``: by number, the rounds dealt to others; ``met``: by round, the sides that met their
    bids."""

    rules: str
    names: list[str]
    bots: list[str | None]
    scores: list[int]
    winners: list[int]
    people: list[str | None]
    dealt: dict[int, DealtRound]
    met: list[list[int]] = []

    def earlier(self, seat: int) -> list[str]:
        """The names of the people who were dealt rounds at a seat that they no longer had at the
        end, in order."""
        found = {
            each.names[seat]: None
            for each in self.dealt.values()
            if each.people[seat] not in (None, self.people[seat])
        }
        return list(found)

    def rounds_of(self, person: str, seat: int, scheduled: int) -> list[int]:
        """The numbers of the rounds, of those ``scheduled``, dealt to a person at a seat."""
        numbers = range(1, scheduled + 1)
        return [each for each in numbers if self.people_of(each)[seat] == person]

    def people_of(self, number: int) -> list[str | None]:
        """Who was dealt a round, by seat."""
        dealt = self.dealt.get(number)
        return self.people if dealt is None else dealt.people

    def finished_by(self, person: str, seat: int, scheduled: int) -> bool:
        """Return whether a person had the seat at the end, and for at least half of the rounds."""
        rounds = self.rounds_of(person, seat, scheduled)
        return self.people[seat] == person and 2 * len(rounds) >= scheduled

    def points_of(self, person: str, seat: int) -> int:
        """The points of a person's rounds at a seat."""
        side = side_of(seat, len(self.scores))
        own = sum(e.points[side] for e in self.dealt.values() if e.people[seat] == person)
        if self.people[seat] != person:
            return own
        return own + self.scores[side] - sum(each.points[side] for each in self.dealt.values())


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
    """Return whether an index differs enough from the stored one to be stored."""
    return made[:-1] != before[:-1] or made.used - before.used > USED_STEP


def finished_games(table: Table, events: Iterable[Event]) -> tuple[Finished, ...]:
    """The game that ended with these events, if one did: none or one."""
    for event in events:
        if type(event.fact) is e.GameOver:
            return (_finished(table, event, event.fact),)
    return ()


def _finished(table: Table, event: Event, over: e.GameOver) -> Finished:
    state, play = table.state, table.state.require_play()
    rounds = {each.number: each for each in play.game.rounds}
    dealt = {
        number: DealtRound(
            [each.person for each in play.occupants[number]],
            [each.name for each in play.occupants[number]],
            list(rounds[number].points or ()),
        )
        for number in table.earlier_occupants()
    }
    line = StoredGame(
        rules=state.ruleset().name,
        names=list(state.names),
        bots=[seat.bot for seat in state.seats],
        scores=list(over.scores),
        winners=list(over.winners),
        people=[seat.person for seat in state.seats],
        dealt=dealt,
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
    """The persons that events removed from the table."""
    removed = list[str]()
    for event in events:
        if isinstance(event.fact, e.Left) and event.fact.removed:
            removed.append(event.fact.person)
    return removed
