"""``/api/.../again`` and ``/api/day``: deals of earlier games, and those of the day."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from functools import partial
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta, Struct

from rage.bots import BOTS
from rage.engine.deal import GivenSeed
from rage.notation import Record, dealer_of, read_record, replay
from rage.place.codes import read_code
from rage.place.limits import MAX_GAMES, MAX_RESULTS, MAX_SAME
from rage.place.replay import MOMENT, bots_of
from rage.place.requests.games import record_of_game
from rage.place.requests.lines import Code, Edition, stored_game
from rage.place.requests.requester import Requester
from rage.place.requests.tables import Opened, bot_names
from rage.place.store import GameEntry
from rage.rules.editions import EDITIONS, name_of
from rage.rules.ruleset import places
from rage.say import NotAllowed, NotReadable
from rage.table import Create, GiveSeat, Join, Start
from rage.table.options import DEFAULT_OPTIONS

#: The players of the deals of a day: one person, and bots that always play alike.
DAY_PLAYERS: Final = 4
BOT: Final = "steady"
#: Comes between the id of the deals and the moment from which they are practised
#: (``place/store/sqlite.py`` leaves such games out of lists).
PRACTICE: Final = "@"
#: The editions that have deals of the day.
DayEdition = Literal["poof", "amigo", "fundex"]


class PlayAgain(Struct, forbid_unknown_fields=True):
    """Whether to play a game's deals again with bots alone, or to wait for others. ``at``: a moment
    as :class:`rage.place.replay.Step` names it; the game goes on, with bots, just before the
    decision that led to it, and its result counts nowhere."""

    alone: bool
    at: Annotated[str, Meta(max_length=8, examples=["3.2.1"])] | None = None


class SameDeals(Struct):
    """A game with the same deals: its names, its final scores, and the points of every round, by
    side. ``seat`` is yours (``null``: you watched)."""

    table: Code
    game: int
    ended: int
    names: list[str]
    seat: int | None
    scores: list[int]
    rounds: list[list[int] | None]


class SameGames(Struct):
    """Your games with the same deals, the first one first."""

    games: list[SameDeals]


class DayResult(Struct):
    """How somebody has played the deals of the day; ``place``: among the players of their game;
    ``me``: whether it is your result."""

    name: str
    points: int
    place: int
    me: bool


class Day(Struct):
    """The deals of the day (UTC) for an edition. ``table``: where you play them, once begun;
    ``results``, the best one first, if you have finished: the hundred best, and your own;
    ``count``: how many people have finished."""

    date: str
    edition: Edition
    table: Code | None
    done: bool
    count: int
    results: list[DayResult]


class PlayDay(Struct, forbid_unknown_fields=True):
    """The edition in which to play the deals of the day."""

    edition: Annotated[DayEdition, Meta(examples=["amigo"])]


async def play_again(
    requester: Requester,
    table: str,
    game: int,
    data: PlayAgain,
) -> Opened:
    """Open a table with the deals of a finished game, for those who played or watched it, in the
    same seat."""
    found = await record_of_game(requester, table, game)
    person = requester.require_person()
    requester.rate_limit("open")
    if data.alone or data.at is not None:
        requester.rate_limit("begin")
    record = read_record(found.record)
    deals_id = _root(found.deals_id, table, game)
    seed = _given(record, deals_id)
    if data.at is not None:
        moves = await requester.work(partial(moves_before, record, data.at))
        seed = _given(record, f"{deals_id}{PRACTICE}{data.at}", moves)
    seat = found.seats[person] or 0
    hub = requester.site.hub
    name = await requester.site.store.name_of(person) or record.players[seat]
    players = len(record.players)
    create = Create(name_of(record.rules), players, name, DEFAULT_OPTIONS)
    opened = await hub.create(create, person, requester.address, given=seed)
    if seat:
        await hub.do(opened, Join(name, seat), person)
    if data.alone or data.at is not None:
        for at, bot in _bots_of(record, seat):
            await hub.do(opened, GiveSeat(at, bot=bot), person)
        await hub.do(opened, Start(BOT, tuple(bot_names(name, requester.language))), person)
    return Opened(opened)


async def list_same(requester: Requester, table: str, game: int) -> SameGames:
    """Your games with the deals of a finished game, including that game."""
    requester.rate_limit("game")
    found = await record_of_game(requester, table, game)
    store = requester.site.store
    root = _root(found.deals_id, table, game)
    lines = await store.games_of(requester.require_person(), MAX_GAMES)
    same = [each for each in lines if _root(each.deals_id, each.table, each.game) == root]
    games = []
    for entry in sorted(same, key=lambda each: each.ended)[:MAX_SAME]:
        whole = await store.finished_game(entry.table, entry.game)
        if whole is not None:  # it may have been removed meanwhile
            points = await requester.work(partial(_points, whole.record))
            games.append(_same(entry, points))
    return SameGames(games)


def _same(entry: GameEntry, points: list[Any]) -> SameDeals:
    stored = stored_game(entry.line)
    where = (entry.table, entry.game, entry.ended)
    return SameDeals(*where, stored.names, entry.seat, stored.scores, points)


def _points(record: bytes) -> list[Any]:
    return [each.points for each in read_record(record).rounds]


def _root(deals_id: str | None, table: str, game: int) -> str:
    """The id of the deals of a game: its own, if it repeated earlier ones, or else
    ``code/number``."""
    if deals_id is None or "/" not in deals_id:
        return f"{read_code(table)}/{game}"
    return deals_id.partition(PRACTICE)[0]


def _given(record: Record, deals_id: str, moves: Sequence[str] = ()) -> GivenSeed:
    """The seed of a finished game's record, with what else its deals follow from, and the moves
    with which it begins."""
    dealer = dealer_of(record)
    assert dealer is not None  # a game that is over has its seed in its record
    return GivenSeed(dealer.seed, deals_id, dealer.words, dealer.first, moves)


def moves_before(record: Record, at: str) -> list[str]:
    """By round, the moves of a game before the decision that led to a moment; where all bid at
    once, before the bidding of its round. Raises :class:`rage.NotReadable` if there is no such
    decision."""
    game = replay(record)
    number, trick, card = map(int, at.split(".")) if MOMENT.fullmatch(at) else (0, 0, 0)
    if not 0 < number <= len(game.rounds) or not 0 < card <= game.players:
        raise NotReadable("http.no_moment", at=at)
    current = game.rounds[number - 1]
    if trick > len(current.tricks):
        raise NotReadable("http.no_moment", at=at)
    count = trick * game.players + card - 1
    if trick == 0 and record.rules.bidding != "open":
        count = 0
    moves = [each.moves for each in game.rounds[: number - 1]]
    return [*map(str, moves), " ".join(map(str, current.moves[:count]))]


def _bots_of(record: Record, mine: int) -> Iterator[tuple[int, str]]:
    """The seats of a game's bots, other than mine, and the bots."""
    for seat, bot in enumerate(bots_of(record)):
        if bot is not None and bot in BOTS and seat != mine:
            yield seat, bot


# The deals of the day.


def _today(requester: Requester) -> str:
    """The date by the server's clock (UTC)."""
    return datetime.fromtimestamp(requester.site.hub.services.now() / 1000, UTC).date().isoformat()


async def get_day(
    requester: Requester,
    edition: DayEdition = "poof",
) -> Day:
    """The deals of the day for an edition: whether you have played them, and how others did."""
    site, person = requester.site, requester.person
    date = _today(requester)
    deals_id = f"{date} {edition}"
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
        date,
        edition,
        mine if begun_there else None,
        own is not None,
        count,
        sorted(results, key=_best_first),
    )


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
    """Play the deals of the day against bots, once; returns the table of those who have begun
    already."""
    person = requester.require_person()
    site = requester.site
    date = _today(requester)
    deals_id = f"{date} {data.edition}"
    table = site.keys.day_table(deals_id, person)
    async with site.day_lock:  # a second touch waits for the first
        if await site.store.table(table) is None:
            name = await site.store.name_of(person)
            if name is None:
                raise NotReadable("http.no_name")
            requester.rate_limit("begin")
            await _open_day(requester, table, deals_id, name)
    if person not in (await site.hub.table(table)).state.guests:
        raise NotAllowed("http.day_left")
    return Opened(table)


async def _open_day(requester: Requester, table: str, deals_id: str, name: str) -> None:
    """Open a person's table with the deals of a day, and start."""
    hub, person = requester.site.hub, requester.require_person()
    edition = deals_id.rpartition(" ")[2]
    options = msgspec.structs.replace(DEFAULT_OPTIONS, undo=False)
    create = Create(name_of(EDITIONS[edition]), DAY_PLAYERS, name, options)
    seed = GivenSeed(requester.site.keys.day_seed(deals_id), deals_id)
    await hub.create(create, person, requester.address, given=seed, name=table)
    await hub.do(table, Start(BOT, tuple(bot_names(name, requester.language))), person)
