"""An event as it is stored: who takes part, who sits where in each round, and the results.

An event is a number of rounds. In each, everybody plays one game of a few deals, the same at all
tables, which are ordinary tables of the house: their codes and their deals follow from the event's
code and the round, so that opening them again after a crash finds those that there are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec
from msgspec import Struct

from rage.house.contests.seating import Tables, next_round
from rage.rules.editions import ruleset
from rage.rules.ruleset import RuleSet
from rage.say import NotAllowed
from rage.table.erasure import neutral_name
from rage.table.options import Clock, Options
from rage.table.parts import OF_EVENT
from rage.table.people.names import alike

#: The most rounds of an event, and deals of a round.
MAX_ROUNDS: Final = 12
MAX_DEALS: Final = 10
#: The most people who take part.
MAX_ENTRANTS: Final = 64
#: The options of its tables: no undo, advice or spectators, and a bot plays for anyone who is away.
OPTIONS: Final = Options(
    undo=False, takeover="at_once", spectators=False, grace=60, bot="medium",
    clock=Clock(30, 45, 60), advice="never",
)  # fmt: skip


class Entrant(Struct, omit_defaults=True):
    """Somebody who takes part; ``left``: no longer."""

    person: str
    name: str
    sign: str = ""
    left: bool = False


class TableResult(Struct, omit_defaults=True):
    """The result of a table: by seat the points of each deal, and whether a bot finished in that
    seat; ``corrected``: by seat, the points that a director has put in place of their sum."""

    points: list[list[int]]
    bots: list[bool]
    corrected: dict[int, int] = {}

    def total(self, seat: int) -> int:
        """The points of a seat."""
        return self.corrected.get(seat, sum(self.points[seat]))


class EventRound(Struct, omit_defaults=True):
    """A round: by table and seat the number of an entrant, or ``None`` for a bot; and the results
    by table, once the round is closed. ``par``: by seat, the mean points of bots with the same
    deals."""

    tables: list[list[int | None]]
    results: list[TableResult | None] | None = None
    par: list[float] = []


class Contest(Struct, omit_defaults=True):
    """An event. ``rules`` have the deals of a round as their schedule; ``players``: at a table;
    ``rounds``: how many are planned; ``director``: the person who runs it; ``made``: when it was
    opened (milliseconds); ``over``: the director has ended it, or all rounds are closed."""

    rules: str
    players: int
    rounds: int
    director: str
    made: int
    entrants: list[Entrant] = []
    played: list[EventRound] = []
    over: bool = False

    @property
    def under_way(self) -> bool:
        """Whether a round is being played."""
        return bool(self.played) and self.played[-1].results is None

    def number_of(self, person: str | None) -> int | None:
        """The number of an entrant; ``None`` for a person who does not take part."""
        found = (at for at, each in enumerate(self.entrants) if each.person == person)
        return next(found, None)

    def name_of(self, person: str) -> str | None:
        """The name under which a person takes part, if they do."""
        number = self.number_of(person)
        return None if number is None else self.entrants[number].name

    def check_director(self, person: str | None) -> None:
        """Raise :class:`rage.NotAllowed` for anybody but the director."""
        if person != self.director:
            raise NotAllowed("evening.director")

    def join(self, person: str, name: str, sign: str) -> None:
        """Let somebody take part from the next round on. Raises :class:`rage.NotAllowed`."""
        self._check_open()
        own = self.number_of(person)
        others = [each for at, each in enumerate(self.entrants) if at != own and not each.left]
        if any(alike(each.name, name) for each in others):
            raise NotAllowed("table.name_taken", name=name)
        if len(others) >= MAX_ENTRANTS:
            raise NotAllowed("evening.full", most=MAX_ENTRANTS)
        if own is None:
            self.entrants.append(Entrant(person, name, sign))
        else:
            self.entrants[own] = Entrant(person, name, sign)

    def leave(self, number: int) -> None:
        """Let an entrant take part no longer; who has not played is forgotten."""
        if not 0 <= number < len(self.entrants):
            raise NotAllowed("evening.nobody")
        if self.played:
            self.entrants[number].left = True
        else:
            del self.entrants[number]

    def check_may_begin(self, number: int) -> None:
        """Raise :class:`rage.NotAllowed` unless the ``number``-th round, from 1, can begin."""
        self._check_open()
        if self.under_way or number != len(self.played) + 1:
            raise NotAllowed("evening.other_round", round=len(self.played) + (not self.under_way))
        if len(self.here) < 2:
            raise NotAllowed("evening.too_few")

    @property
    def here(self) -> list[int]:
        """The numbers of all who take part now."""
        return [at for at, each in enumerate(self.entrants) if not each.left]

    def seating(self) -> list[list[int | None]]:
        """The tables of the next round, which takes up to a second to find."""
        people = [each.person for each in self.entrants]
        before = [
            tuple(tuple(None if at is None else people[at] for at in table) for table in one.tables)
            for one in self.played
        ]
        wanted = Tables(self.players, fill=True)
        seated = next_round([people[at] for at in self.here], wanted, self.rounds, before)
        return [[None if who is None else people.index(who) for who in table] for table in seated]

    def begin(self, number: int, tables: list[list[int | None]]) -> bool:
        """Begin the ``number``-th round at these tables. Returns whether they are those of all who
        take part now. Raises :class:`rage.NotAllowed`."""
        self.check_may_begin(number)
        fits = {who for table in tables for who in table if who is not None} == {*self.here}
        if fits:
            self.played.append(EventRound(tables))
        return fits

    def end(self) -> None:
        """Have no more rounds."""
        if self.under_way:
            raise NotAllowed("evening.other_round", round=len(self.played))
        self.over = True

    def close(self, results: Sequence[TableResult | None], par: Sequence[float]) -> None:
        """Close the round with its results (``None``: the table has none)."""
        current = self.played[-1]
        current.results, current.par = list(results), list(par)
        self.over = self.over or len(self.played) >= self.rounds

    def correct(self, number: int, table: int, seat: int, points: int) -> None:
        """Put other points in place of a result, which is marked. Raises
        :class:`rage.NotAllowed`."""
        if 0 < number <= len(self.played) and (results := self.played[number - 1].results):
            found = results[table] if 0 <= table < len(results) else None
            if found is not None and 0 <= seat < len(found.points):
                found.corrected[seat] = points
                return
        raise NotAllowed("evening.no_result")

    def erase(self, person: str, stranger: str) -> None:
        """Give a person another id and a neutral name."""
        for each in self.entrants:
            if each.person == person:
                names = "".join(each.name for each in self.entrants)
                each.person, each.name = stranger, neutral_name(names)
                each.sign, each.left = "", True
        if self.director == person:
            self.director = stranger

    def _check_open(self) -> None:
        if self.over:
            raise NotAllowed("evening.over")


def event_rules(name: str, players: int, deals: int | None) -> RuleSet:
    """The rules of an event's tables: ``deals`` of the hand sizes of the named rules, evenly spread
    (``None``: all of them). Raises :class:`rage.NotAllowed` and :class:`rage.NotReadable`."""
    rules = ruleset(name).for_players(players)
    if rules.teams is not None:
        raise NotAllowed("evening.teams")
    sizes = rules.schedule
    if deals is None or deals >= len(sizes):
        return rules
    step = (len(sizes) - 1) / max(1, deals - 1)
    return rules.replace(schedule=tuple(sizes[round(at * step)] for at in range(deals)))


def deals_id(code: str, number: int) -> str:
    """The id of the deals of a round of an event."""
    return f"{OF_EVENT}{code} {number}"


def round_of(deals: str | None) -> tuple[str, int] | None:
    """The event and the round of an id of deals; ``None``: of no event."""
    if deals is None or not deals.startswith(OF_EVENT):
        return None
    _, code, number = deals.split()
    return code, int(number)


read_contest: Final = msgspec.json.Decoder(Contest).decode
write_contest: Final = msgspec.json.encode
