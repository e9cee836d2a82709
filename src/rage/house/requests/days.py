"""``/api/day``: the deals of the day, and the days on which you have played them."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta, Struct

from rage.engine.deal import GivenSeed
from rage.house.limits import MAX_DAYS, MAX_RESULTS
from rage.house.requests.requester import Requester
from rage.house.requests.rows import Code, Edition, stored_game
from rage.house.requests.tables import Opened
from rage.house.store import GameEntry
from rage.rules.ruleset import EDITIONS, places
from rage.say import NotAllowed, NotReadable
from rage.table import Create, Start
from rage.table.options import DEFAULT_OPTIONS

#: The players of the deals of a day: one person, and bots that always play alike.
DAY_PLAYERS: Final = 4
BOT: Final = "steady"
#: The editions that have deals of the day.
DayEdition = Literal["poof", "amigo", "fundex"]


class DayResult(Struct):
    """A person's result with the deals of the day; ``place``: among the players of their game;
    ``me``: whether it is your result."""

    name: str
    points: int
    place: int
    me: bool


class DayPlayed(Struct):
    """Your game with the deals of a day: its table, your points, and by round whether you met your
    bid."""

    date: str
    table: Code
    points: int
    met: list[bool]


class Day(Struct):
    """The deals of the day (UTC) for an edition. ``table``: where you play them, once begun;
    ``results``, best first, if you have finished: the hundred best, and your own; ``count``: how
    many people have finished; ``played``: your days, latest first; ``streak``: how many of them in
    a row end today or yesterday."""

    date: str
    edition: Edition
    table: Code | None
    done: bool
    count: int
    results: list[DayResult]
    played: list[DayPlayed]
    streak: int


class PlayDay(Struct, forbid_unknown_fields=True):
    """The edition in which to play the deals of the day."""

    edition: Annotated[DayEdition, Meta(examples=["amigo"])]


def _today(requester: Requester) -> str:
    """The date by the server's clock (UTC)."""
    return datetime.fromtimestamp(requester.site.hub.services.now() / 1000, UTC).date().isoformat()


async def get_day(
    requester: Requester,
    edition: DayEdition = "poof",
) -> Day:
    """The deals of the day for an edition: whether you have played them, and how others did."""
    site, person = requester.site, requester.person
    today = _today(requester)
    deals_id = f"{today} {edition}"
    days = [] if person is None else await site.store.days_of(person, edition, MAX_DAYS)
    played = [each for each in map(_played, days) if each is not None]
    count = await site.store.count_games(deals_id)
    mine = None if person is None else site.keys.day_table(deals_id, person)
    own = None if mine is None else await site.store.finished_game(mine, 1)
    results: list[DayResult] = []
    if own is not None:
        best = await site.store.best_games(deals_id, MAX_RESULTS)
        told = [day_result(each.line, each.table == mine) for each in best]
        if not any(each is not None and each.me for each in told):
            told.append(day_result(own.line, True))
        results = [each for each in told if each is not None]
    begun_there = mine is not None and await site.store.table(mine) is not None
    return Day(
        today,
        edition,
        mine if begun_there else None,
        own is not None,
        count,
        sorted(results, key=_best_first),
        played,
        streak_of(today, [each.date for each in played]),
    )


def _played(entry: GameEntry) -> DayPlayed | None:
    """A person's game with the deals of a day; ``None`` if a bot finished it."""
    stored = stored_game(entry.line)
    if stored.bots[0] is not None:
        return None
    assert entry.deals_id is not None
    met = [0 in sides for sides in stored.met]
    return DayPlayed(entry.deals_id.partition(" ")[0], entry.table, stored.scores[0], met)


def streak_of(today: str, played: list[str]) -> int:
    """How many days in a row were played, up to today, or to yesterday if today is still open."""
    day = date.fromisoformat(today)
    if today not in played:
        day -= timedelta(1)
    count = 0
    while day.isoformat() in played:
        count, day = count + 1, day - timedelta(1)
    return count


def _best_first(result: DayResult) -> tuple[int, str]:
    return -result.points, result.name


def day_result(line: bytes, me: bool) -> DayResult | None:
    """The result of a game with the deals of the day, from its line in the store; ``None`` if a bot
    finished it."""
    stored = stored_game(line)
    if stored.bots[0] is not None:
        return None
    place = places(stored.scores, stored.winners)[0]
    return DayResult(stored.names[0], stored.scores[0], place, me)


async def play_day(requester: Requester, data: PlayDay) -> Opened:
    """Play the deals of the day against bots, once; if you have begun already, returns the same
    table."""
    person = requester.require_person()
    site = requester.site
    deals_id = f"{_today(requester)} {data.edition}"
    table = site.keys.day_table(deals_id, person)
    async with site.day_lock:  # a second touch waits for the first
        if await site.store.table(table) is None:
            if await site.store.finished_game(table, 1) is not None:
                raise NotAllowed("http.day_left")
            name, sign = await site.store.profile_of(person)
            if name is None:
                raise NotReadable("http.no_name")
            requester.rate_limit("begin")
            try:
                await _open_day(requester, table, deals_id, name, sign)
            except NotAllowed:
                if await site.store.table(table) is None:  # or another server was first
                    raise
    if person not in (await site.hub.table(table)).state.guests:
        raise NotAllowed("http.day_left")
    return Opened(table)


async def _open_day(requester: Requester, table: str, deals_id: str, name: str, sign: str) -> None:
    """Open a person's table with the deals of a day, and start."""
    hub, person = requester.site.hub, requester.require_person()
    edition = deals_id.rpartition(" ")[2]
    options = msgspec.structs.replace(DEFAULT_OPTIONS, undo=False)
    create = Create(EDITIONS[edition].name, DAY_PLAYERS, name, options, sign)
    seed = GivenSeed(requester.site.keys.day_seed(deals_id), deals_id)
    await hub.create(create, person, requester.address, given=seed, name=table)
    await hub.do(table, Start(BOT), person)
