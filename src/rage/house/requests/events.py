"""``/api/events``: evenings of several tables with the same deals."""

from __future__ import annotations

from collections.abc import Container
from contextlib import suppress
from typing import Annotated, Literal

from msgspec import Meta, Struct

from rage.game.rulebook import title_of
from rage.house.base.codes import NoTable, read_code
from rage.house.contests.contest import (
    MAX_DEALS,
    MAX_ROUNDS,
    Contest,
    Entrant,
    event_rules,
    read_contest,
)
from rage.house.contests.events import Kept
from rage.house.contests.standing import EventLine, standing
from rage.house.limits import MAX_RULES, MAX_TABLES
from rage.house.requests.people import Name
from rage.house.requests.requester import Requester
from rage.house.requests.rows import Code, Edition, Rules
from rage.house.store import BrokenTable
from rage.rules.editions import ruleset
from rage.rules.settings import MAX_PLAYERS
from rage.say import NotAllowed, NotReadable
from rage.table.people.names import read_name

Number = Annotated[int, Meta(ge=0, le=1000)]


class NewEvent(Struct, forbid_unknown_fields=True):
    """An event to open: the rules of its tables, the players at each, how many rounds, how many
    ``deals`` each of them has (``null``: as many as a game of these rules), and whether you play,
    too."""

    rules: Annotated[str, Meta(max_length=MAX_RULES, examples=["poof"])]
    players: Annotated[int, Meta(ge=3, le=MAX_PLAYERS, examples=[4])] = 4
    rounds: Annotated[int, Meta(ge=1, le=MAX_ROUNDS, examples=[3])] = 3
    deals: Annotated[int, Meta(ge=1, le=MAX_DEALS, examples=[4])] | None = 4
    plays: bool = True
    name: Name | None = None


class JoinEvent(Struct, forbid_unknown_fields=True):
    """The name under which to take part (by default your own)."""

    name: Name | None = None


class Direct(Struct, forbid_unknown_fields=True):
    """What a director does: ``begin`` the round of that number, ``close`` it although tables are
    still playing, ``end`` the event, ``remove`` an entrant, ``pause`` a table or ``resume`` it,
    give it to ``bots``, or ``correct`` a result (``round``, ``table``, ``seat``, ``points``)."""

    do: Literal["begin", "close", "end", "remove", "pause", "resume", "bots", "correct"]
    round: Number = 0
    table: Number = 0
    seat: Number = 0
    entrant: Number = 0
    points: Annotated[int, Meta(ge=-10_000, le=10_000)] = 0


class OpenedEvent(Struct):
    """The code of a new event."""

    event: Code


class EventEntrant(Struct):
    """Somebody who takes part, or no longer does."""

    name: str
    sign: str
    left: bool


class EventTable(Struct):
    """A table of the round under way: by seat the number of an entrant (``null``: a bot), and
    whether it is done. For the director, the deal it is at (0: not yet begun), and whether it is
    paused."""

    seats: list[int | None]
    done: bool
    deal: int | None = None
    paused: bool = False


class EventSeat(Struct):
    """Your place in the round under way: the code of the table, its number and your seat."""

    table: Code
    number: int
    seat: int


class EventResult(Struct):
    """A result of a closed round at one table: by seat the entrants, the points of each deal, and
    their sum, unless that was ``corrected``; ``bots``: by seat, whether a bot finished."""

    seats: list[int | None]
    points: list[list[int]]
    totals: list[int]
    corrected: list[bool]
    bots: list[bool]


class EventRoundResults(Struct):
    """A closed round: the results by table (``null``: none), and by seat the par."""

    tables: list[EventResult | None]
    par: list[float]


class EventData(Struct):
    """An event as you may see it. ``me``: your number among the entrants; ``director``: whether you
    run it; ``round``: the number of the round under way or, between rounds, of the last one;
    ``tables``: those of the round under way; ``mine``: your place there. ``standing``: best first;
    ``open``: how many of the first ones chance alone may have put in this order. ``results``: of
    all closed rounds."""

    event: Code
    rules: Rules
    title: str
    edition: Edition
    players: int
    rounds: int
    deals: list[int]
    phase: Literal["gathering", "playing", "between", "over"]
    director: bool
    entrants: list[EventEntrant]
    me: int | None
    round: int
    tables: list[EventTable]
    mine: EventSeat | None
    standing: list[EventLine]
    open: int
    results: list[EventRoundResults]


async def open_event(requester: Requester, data: NewEvent) -> OpenedEvent:
    """Open an event, which you direct."""
    person = requester.require_person()
    services = requester.site.hub.services
    await services.check_space(person)
    rules = event_rules(data.rules, data.players, data.deals)
    entrants = [await _entrant(requester, data.name)] if data.plays else []
    contest = Contest(rules.name, data.players, data.rounds, person, services.now(), entrants)
    return OpenedEvent(await requester.site.events.open(contest))


async def _entrant(requester: Requester, name: str | None) -> Entrant:
    person = requester.require_person()
    profile = await requester.site.store.profile_of(person)
    name = name or profile.name
    if name is None:
        raise NotReadable("http.no_name")
    return Entrant(person, read_name(name), profile.sign)


async def get_event(requester: Requester, event: str) -> EventData:
    """An event, for anyone who has its code. Closes the round under way once all tables are
    done."""
    kept = await _found(requester, event)
    events, contest = requester.site.events, kept.contest
    done = await events.done(kept)
    if contest.under_way and not requester.site.hub.services.read_only:
        await events.open_tables(kept)
        if len(done) == len(contest.played[-1].tables):
            await events.close(kept.code, len(contest.played), requester.work)
            kept = await events.get(kept.code)
    return await _view(requester, kept, done)


async def _found(requester: Requester, event: str) -> Kept:
    with requester.guessing(event) as guess:
        try:
            code = read_code(event)
        except NoTable:
            raise NoTable("evening.none", event=event[:40]) from None
        kept = await requester.site.events.get(code)
        guess.own = kept.contest.number_of(requester.person) is not None
    return kept


async def join_event(requester: Requester, event: str, data: JoinEvent) -> EventData:
    """Take part in an event, from the next round on."""
    code, entrant = (await _found(requester, event)).code, await _entrant(requester, data.name)
    events = requester.site.events

    def join(contest: Contest) -> None:
        contest.join(entrant.person, entrant.name, entrant.sign)

    await events.change(code, join, entrant.person)
    return await _now(requester, code)


async def leave_event(requester: Requester, event: str) -> EventData:
    """Take part no longer. At a table of the round under way, a bot plays on."""
    kept = await _found(requester, event)
    person, events = requester.require_person(), requester.site.events

    def leave(contest: Contest) -> None:
        number = contest.number_of(person)
        if number is None:
            raise NotAllowed("evening.nobody")
        contest.leave(number)

    await events.change(kept.code, leave)
    await events.let_go(kept, person)
    return await _now(requester, kept.code)


async def direct_event(requester: Requester, event: str, data: Direct) -> EventData:
    """Do something as the director of an event."""
    kept = await _found(requester, event)
    events, contest = requester.site.events, kept.contest
    contest.check_director(requester.person)
    match data.do:
        case "begin":
            contest.check_may_begin(data.round)
            for _ in range(-(-len(contest.here) // contest.players)):
                requester.rate_limit("begin")
            await events.begin(kept.code, data.round, requester.work)
        case "close":
            if not contest.under_way or data.round != len(contest.played):
                raise NotAllowed("evening.other_round", round=len(contest.played))
            await events.close(kept.code, data.round, requester.work)
        case "end":
            await events.change(kept.code, Contest.end)
        case "remove":
            await events.change(kept.code, lambda each: each.leave(data.entrant))
            await events.let_go(kept, contest.entrants[data.entrant].person)
        case "pause" | "resume":
            await events.pause(kept, data.table, on=data.do == "pause")
        case "bots":
            await events.give_to_bots(kept, data.table)
        case "correct":
            put = (data.round, data.table, data.seat, data.points)
            await events.change(kept.code, lambda each: each.correct(*put))
    return await _now(requester, kept.code)


async def _now(requester: Requester, code: str) -> EventData:
    kept = await requester.site.events.get(code)
    return await _view(requester, kept, await requester.site.events.done(kept))


async def _view(requester: Requester, kept: Kept, done: Container[int]) -> EventData:
    """An event as the requester may see it; ``done``: the tables that are, of the round under
    way."""
    contest, code = kept.contest, kept.code
    rules, number = ruleset(contest.rules), len(contest.played)
    me, director = contest.number_of(requester.person), requester.person == contest.director
    tables, mine = [], None
    if contest.under_way:
        for at, seats in enumerate(contest.played[-1].tables):
            line = EventTable(seats, at in done)
            name = requester.site.events.table(code, number, at)
            if me is not None and me in seats and not contest.entrants[me].left:
                mine = EventSeat(name, at, seats.index(me))
            if director and not line.done:
                await _progress(requester, name, line)
            tables.append(line)
    found = standing(contest)
    phase: Literal["gathering", "playing", "between", "over"] = "gathering"
    if contest.played:
        phase = "playing" if contest.under_way else "over" if contest.over else "between"
    return EventData(
        event=code,
        rules=contest.rules,
        title=title_of(rules, requester.language),
        edition=rules.edition,
        players=contest.players,
        rounds=contest.rounds,
        deals=list(rules.schedule),
        phase="over" if contest.over and not contest.played else phase,
        director=director,
        entrants=[EventEntrant(each.name, each.sign, each.left) for each in contest.entrants],
        me=me,
        round=number,
        tables=tables,
        mine=mine,
        standing=found.lines,
        open=found.open,
        results=[
            EventRoundResults(
                [
                    None
                    if result is None
                    else EventResult(
                        seats,
                        result.points,
                        [result.total(seat) for seat in range(len(seats))],
                        [seat in result.corrected for seat in range(len(seats))],
                        result.bots,
                    )
                    for seats, result in zip(each.tables, each.results, strict=True)
                ],
                each.par,
            )
            for each in contest.played
            if each.results is not None
        ],
    )


async def _progress(requester: Requester, name: str, line: EventTable) -> None:
    """Note how far a table is."""
    line.deal = 0
    if (stored := await requester.site.store.table(name)) is not None:
        with suppress(BrokenTable):
            summary = await requester.site.hub.summary(stored)
            line.deal, line.paused = summary.round or 0, summary.phase == "paused"


async def list_events(requester: Requester) -> list[Code]:
    """The codes of your events that are not over, last used first."""
    if requester.person is None:
        return []
    found = await requester.site.store.contests_of(requester.person, MAX_TABLES)
    return [code for code, data in found if not read_contest(data).over]
