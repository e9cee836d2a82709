"""The events of a house: changed by one request at a time, their tables opened, their results
read."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from typing import Final, NamedTuple, TypeVar
from weakref import WeakValueDictionary

import msgspec

from rage.analysis.luck import TIMES, luck_of
from rage.engine.deal import GivenSeed
from rage.house.base.codes import NoTable, new_code
from rage.house.contests.contest import (
    MAX_ENTRANTS,
    OPTIONS,
    Contest,
    TableResult,
    deals_id,
    read_contest,
    round_of,
    write_contest,
)
from rage.house.people.identity import Keys
from rage.house.store import GameEntry, StoreBusy
from rage.house.store.queries import StoreReader
from rage.house.store.sql import Store
from rage.house.tables.hub import Hub
from rage.house.tables.index import StoredGame
from rage.notation import parse_record, replay
from rage.say import NotAllowed
from rage.table import Create, Join, Leave, Pause, Resume, Start

T = TypeVar("T")
#: Does what takes a processor for a moment.
Work = Callable[[Callable[[], T]], Awaitable[T]]
#: How often a change is tried, while other servers change the same event.
ATTEMPTS: Final = 20
#: More than anyone has.
ALL: Final = 1_000_000
#: How often bots play each deal again for its par.
GAMES: Final = min(100, TIMES)


class Kept(NamedTuple):
    """An event as stored, with its code and its version."""

    code: str
    version: int
    contest: Contest


class Events:
    """All events of a house. ``keys`` make the deals and the codes of their tables."""

    def __init__(self, store: Store, hub: Hub, keys: Keys) -> None:
        self._store = store
        self._hub = hub
        self._keys = keys
        self._opened = dict[str, int]()  # the last rounds whose tables are known to be open
        self._locks = WeakValueDictionary[str, asyncio.Lock]()

    async def get(self, code: str) -> Kept:
        """An event. Raises :class:`NoTable`."""
        found = await self._store.contest(code)
        if found is None:
            raise NoTable("evening.none", event=code)
        return Kept(code, found[0], read_contest(found[1]))

    async def open(self, contest: Contest) -> str:
        """Store a new event. Returns its code."""
        code = new_code()
        people = [contest.director, *(each.person for each in contest.entrants)]
        await self._store.keep_contest(code, 1, write_contest(contest), people)
        return code

    async def change(self, code: str, change: Callable[[Contest], T], person: str = "") -> T:
        """Change an event, and store it; ``person``: who takes part from now on. Raises what
        ``change`` raises, :class:`NoTable` and :class:`rage.house.store.StoreFailed`."""
        async with self._lock(code):
            for _ in range(ATTEMPTS):
                kept = await self.get(code)
                result = change(kept.contest)
                data = write_contest(kept.contest)
                new = (person,) if person else ()
                if await self._store.keep_contest(code, kept.version + 1, data, new):
                    return result
        raise StoreBusy("event")

    async def erase(self, person: str, stranger: str) -> None:
        """Give a person another id and a neutral name in all events."""
        for code, _ in await self._store.contests_of(person, ALL):
            await self.change(code, lambda each: each.erase(person, stranger), stranger)

    async def begin(self, code: str, number: int, work: Work[list[list[int | None]]]) -> None:
        """Seat all who take part for a round, and open its tables. Raises
        :class:`rage.NotAllowed`."""
        for _ in range(ATTEMPTS):  # somebody may come or leave meanwhile
            contest = (await self.get(code)).contest
            contest.check_may_begin(number)
            tables = await work(contest.seating)
            if await self.change(code, partial(Contest.begin, number=number, tables=tables)):
                return await self.open_tables(await self.get(code))
        raise StoreBusy("event")

    # The tables of a round.

    def table(self, code: str, number: int, table: int) -> str:
        """The code of a table of a round."""
        return self._keys.day_table(deals_id(code, number), str(table))

    async def open_tables(self, kept: Kept) -> None:
        """Open the tables of the round under way that are not open yet, with all people seated; a
        crash may have come between."""
        code, contest = kept.code, kept.contest
        number = len(contest.played)
        if not contest.under_way or self._opened.get(code) == number:
            return
        deals = deals_id(code, number)
        seed = GivenSeed(self._keys.day_seed(deals), deals)
        for at, seats in enumerate(contest.played[-1].tables):
            name = self.table(code, number, at)
            if await self._store.finished_game(name, 1) is None:
                await self._open_table(name, contest, seats, seed)
        self._opened[code] = number

    async def _open_table(
        self, name: str, contest: Contest, seats: list[int | None], seed: GivenSeed
    ) -> None:
        """Open one, or go on with what an earlier request has begun."""
        people = {
            seat: contest.entrants[number]
            for seat, number in enumerate(seats)
            if number is not None
        }
        first = next(iter(people.values()))
        if await self._store.table(name) is None:
            create = Create(contest.rules, len(seats), first.name, OPTIONS, first.sign)
            with suppress(NotAllowed):  # another request was first
                await self._hub.create(create, first.person, given=seed, name=name)
        state = (await self._hub.table(name)).state
        if state.phase != "gathering":
            return
        with suppress(NotAllowed):
            for seat, each in people.items():
                if state.seat_of(each.person) != seat:
                    await self._hub.do(name, Join(each.name, seat, each.sign), each.person)
            await self._hub.do(name, Start(OPTIONS.bot), first.person)

    async def give_to_bots(self, kept: Kept, table: int) -> None:
        """Let bots finish a table of the round under way."""
        name = self._running(kept, table)
        for person in list((await self._hub.table(name)).state.guests):
            await self._hub.do(name, Leave(), person)
        (await self._hub.room(name)).automation.update()

    async def let_go(self, kept: Kept, person: str) -> None:
        """Let a bot play on for somebody at a table of the round under way."""
        contest, number = kept.contest, kept.contest.number_of(person)
        if contest.under_way:
            for at, seats in enumerate(contest.played[-1].tables):
                if number in seats:
                    with suppress(NotAllowed, NoTable):  # not there any more
                        await self._hub.do(self._running(kept, at), Leave(), person)

    async def pause(self, kept: Kept, table: int, *, on: bool) -> None:
        """Pause a table of the round under way, or let it go on."""
        name = self._running(kept, table)
        host = (await self._hub.table(name)).state.host
        await self._hub.do(name, Pause() if on else Resume(), host)

    def _running(self, kept: Kept, table: int) -> str:
        if not kept.contest.under_way or not 0 <= table < len(kept.contest.played[-1].tables):
            raise NotAllowed("evening.no_table")
        return self.table(kept.code, len(kept.contest.played), table)

    # Results.

    async def done(self, kept: Kept) -> dict[int, GameEntry]:
        """By table, the finished games of the round under way, if there is one."""
        if not kept.contest.under_way:
            return {}
        number, tables = len(kept.contest.played), range(len(kept.contest.played[-1].tables))
        found = await self._store.best_games(deals_id(kept.code, number), MAX_ENTRANTS)
        at = {self.table(kept.code, number, table): table for table in tables}
        return {at[each.table]: each for each in found if each.table in at}

    async def close(self, code: str, number: int, work: Work[list[float]]) -> None:
        """Close a round that is under way, with the results of the tables that are done."""
        async with self._lock(f"{code} closes"):  # or each who waits for it would have par found
            kept = await self.get(code)
            if not kept.contest.under_way or len(kept.contest.played) != number:
                return
            results: list[TableResult | None] = [None] * len(kept.contest.played[-1].tables)
            record = b""
            for at, entry in (await self.done(kept)).items():
                found = await self._store.finished_game(entry.table, entry.game)
                if found is not None:
                    record = found.record
                    results[at] = _result(entry.line, record)
            par = await work(partial(par_of, record)) if record else []

            def change(contest: Contest) -> None:
                if contest.under_way and len(contest.played) == number:
                    contest.close(results, par)

            await self.change(code, change)

    def _lock(self, what: str) -> asyncio.Lock:
        return self._locks.setdefault(what, asyncio.Lock())


async def is_hidden(store: StoreReader, deals: str | None) -> bool:
    """Return whether these deals are of a round of an event that others still play."""
    if (of := round_of(deals)) is None or (found := await store.contest(of[0])) is None:
        return False
    contest = read_contest(found[1])
    return contest.under_way and len(contest.played) == of[1]


def _result(line: bytes, record: bytes) -> TableResult:
    stored = msgspec.json.decode(line, type=StoredGame)
    rounds = [each.points or [] for each in parse_record(record).rounds]
    points = [list(each) for each in zip(*rounds, strict=True)]
    return TableResult(points, [bot is not None for bot in stored.bots])


def par_of(record: bytes) -> list[float]:
    """By seat, the mean points of bots that play the deals of a game again; 0 for a deal that
    cannot be played again."""
    game = replay(parse_record(record))
    total = [0.0] * game.players
    for each in game.rounds:
        if (found := luck_of(game, each, GAMES, each.number)) is not None:
            total = [sum(pair) for pair in zip(total, found.bots, strict=True)]
    return total
