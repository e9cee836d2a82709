"""``/api/.../again``: the deals of earlier games, played again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Annotated, Any, Final

from msgspec import Meta, Struct

from rage.bots import BOTS
from rage.engine.deal import GivenSeed
from rage.house.base.codes import read_code
from rage.house.games.replay import MOMENT, bots_of
from rage.house.limits import MAX_GAMES, MAX_SAME
from rage.house.requests.games import record_of_game
from rage.house.requests.requester import Requester
from rage.house.requests.rows import Code, stored_game
from rage.house.requests.tables import Opened
from rage.house.store import GameEntry
from rage.notation import Record, deals_of, parse_record, replay
from rage.say import NotReadable
from rage.table import Create, GiveSeat, Join, Start
from rage.table.facts.table_facts import PRACTICE
from rage.table.options import DEFAULT_OPTIONS
from rage.table.people.names import alike

#: The bot in seats that had none.
BOT: Final = "steady"


class PlayAgain(Struct, forbid_unknown_fields=True):
    """Whether to play a game's deals again with bots alone, or to wait for others. ``at``: a moment
    as :class:`rage.house.games.replay.Step` names it; the game resumes, with bots, just before the
    decision that led to it, and its result does not count."""

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
    """Your games with the same deals, oldest first."""

    games: list[SameDeals]


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
    record = parse_record(found.record)
    deals_id = _root(found.deals_id, table, game)
    seed = _given(record, deals_id)
    if data.at is not None:
        moves = await requester.work(partial(moves_before, record, data.at))
        seed = _given(record, f"{deals_id}{PRACTICE}{data.at}", moves)
    seat = found.seats.get(person) or 0
    hub = requester.site.hub
    name, sign = await requester.site.store.profile_of(person)
    name, players = name or record.names[seat], len(record.names)
    create = Create(record.rules.name, players, name, DEFAULT_OPTIONS, sign)
    opened = await hub.create(create, person, requester.address, given=seed)
    if seat:
        await hub.do(opened, Join(name, seat), person)
    if data.alone or data.at is not None:
        for at, bot in _bots_of(record, seat):
            given = record.names[at]
            kept = None if alike(given, name) else given
            await hub.do(opened, GiveSeat(at, bot=bot, name=kept), person)
        await hub.do(opened, Start(BOT), person)
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
    return [each.points for each in parse_record(record).rounds]


def _root(deals_id: str | None, table: str, game: int) -> str:
    """The id of the deals of a game: its own, if it repeated earlier ones, or else
    ``code/number``."""
    if deals_id is None or "/" not in deals_id:
        return f"{read_code(table)}/{game}"
    return deals_id.partition(PRACTICE)[0]


def _given(record: Record, deals_id: str, moves: Sequence[str] = ()) -> GivenSeed:
    """The seed of a finished game's record, with everything else that its deals follow from, and
    the moves with which it begins."""
    dealer = deals_of(record)
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
